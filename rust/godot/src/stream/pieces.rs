//! Pieces: what has come and was not read yet, as it came. Large pieces are kept as the engine's own arrays, which
//! costs no copy; small ones are put together.

use std::collections::VecDeque;

use godot::builtin::PackedByteArray;

/// Pieces from here on are kept as they are.
const LARGE: usize = 1 << 12;
/// Small pieces are put together up to this size.
const JOINED: usize = 1 << 14;

#[derive(Default)]
pub(crate) struct Pieces {
    queue: VecDeque<Piece>,
    /// Bytes of the first piece that are read.
    read: usize,
    unread: usize,
    /// A buffer whose bytes are read, to be used again.
    spare: Vec<u8>,
}

enum Piece {
    Shared(PackedByteArray),
    Joined(Vec<u8>),
    /// A piece with an end of its own.
    Packet(PackedByteArray),
}

impl Piece {
    fn bytes(&self) -> &[u8] {
        match self {
            Piece::Shared(bytes) | Piece::Packet(bytes) => bytes.as_slice(),
            Piece::Joined(bytes) => bytes,
        }
    }
}

impl Pieces {
    pub(crate) fn push(&mut self, bytes: PackedByteArray) {
        self.unread += bytes.len();
        if bytes.len() >= LARGE {
            self.queue.push_back(Piece::Shared(bytes));
            return;
        }
        match self.queue.back_mut() {
            Some(Piece::Joined(joined)) if joined.len() + bytes.len() <= JOINED => {
                joined.extend_from_slice(bytes.as_slice());
            }
            _ if bytes.is_empty() => {}
            _ => {
                let mut joined = std::mem::take(&mut self.spare);
                joined.extend_from_slice(bytes.as_slice());
                self.queue.push_back(Piece::Joined(joined));
            }
        }
    }

    pub(crate) fn push_packet(&mut self, bytes: PackedByteArray) {
        self.unread += bytes.len();
        self.queue.push_back(Piece::Packet(bytes));
    }

    /// How many pieces are there.
    pub(crate) fn count(&self) -> usize {
        self.queue.len()
    }

    /// The unread bytes of the first piece.
    pub(crate) fn front(&self) -> &[u8] {
        self.queue.front().and_then(|piece| piece.bytes().get(self.read..)).unwrap_or_default()
    }

    /// The length of the packet that comes next, if one does.
    pub(crate) fn packet(&self) -> Option<usize> {
        match self.queue.front() {
            Some(Piece::Packet(bytes)) if self.read == 0 => Some(bytes.len()),
            _ => None,
        }
    }

    /// Notes that so many of the first piece's bytes are read.
    pub(crate) fn advance(&mut self, count: usize) {
        self.read += count;
        self.unread = self.unread.saturating_sub(count);
        if self.queue.front().is_some_and(|piece| piece.bytes().len() <= self.read) {
            self.read = 0;
            if let Some(Piece::Joined(mut bytes)) = self.queue.pop_front() {
                bytes.clear();
                self.spare = bytes;
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(crate) const fn unread(&self) -> usize {
        self.unread
    }
}
