//! Keeps the bytes of the value that a stream reads, so that the editor's panel can show them when they are refused. It exists
//! only while a debugger watches.

use godot::builtin::PackedByteArray;
use variant_core::Framing;

/// Bytes of a value that are kept; the panel shows the beginning of a longer one.
const MOST: usize = 1 << 16;

/// The bytes of a stream from where its last frame begins.
#[derive(Default)]
pub(crate) struct StreamWindow {
    /// INVARIANT: they lie in the stream from `from` on, without a gap.
    bytes: Vec<u8>,
    from: u64,
    /// Where the bytes end that were taken.
    taken: u64,
    /// The frame that was refused while more of it was there than was read.
    refused: Option<Vec<u8>>,
}

/// The places of a frame and its value in the stream.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    pub(crate) frame_at: u64,
    pub(crate) value_at: u64,
}

impl StreamWindow {
    /// Notes that the first `used` bytes of a piece were read.
    pub(crate) fn pass(&mut self, piece: &[u8], used: usize, at: Places) {
        self.refused = None;
        let read = piece.get(..used).unwrap_or(piece);
        let is_whole = self.from + length(&self.bytes) == self.taken;
        if let Some(before) = at.frame_at.checked_sub(self.taken) {
            // The frame begins in this piece.
            self.bytes.clear();
            self.from = at.frame_at;
            self.put(read.get(usize::try_from(before).unwrap_or(usize::MAX)..).unwrap_or_default());
        } else if is_whole {
            let before = usize::try_from(at.frame_at.saturating_sub(self.from)).unwrap_or(usize::MAX);
            self.bytes.drain(..before.min(self.bytes.len()));
            self.from = self.from.max(at.frame_at);
            self.put(read);
        }
        self.taken += length(read);
    }

    /// Notes that a value was refused, whose frame may go on in the piece behind what was read.
    pub(crate) fn refuse(&mut self, piece: &[u8], used: usize, framing: Framing, at: Places) {
        self.pass(piece, used, at);
        let mut whole = self.bytes.clone();
        whole.extend(piece.get(used..).unwrap_or_default().iter().take(MOST.saturating_sub(whole.len())));
        if framing != Framing::None
            && let Some((declared, size)) = framing.read_length(&whole)
        {
            whole.truncate(usize::try_from(declared).unwrap_or(usize::MAX).saturating_add(size));
        }
        self.refused = Some(whole);
    }

    /// Returns the bytes of the value that was refused last, without its length in front, as far as they were kept.
    pub(crate) fn value(&mut self, at: Places) -> PackedByteArray {
        let whole = self.refused.take();
        let whole = whole.as_deref().unwrap_or(&self.bytes);
        let prefix = usize::try_from(at.value_at.saturating_sub(at.frame_at)).unwrap_or(usize::MAX);
        PackedByteArray::from(whole.get(prefix..).filter(|value| !value.is_empty()).unwrap_or(whole))
    }

    fn put(&mut self, read: &[u8]) {
        let room = MOST.saturating_sub(self.bytes.len());
        self.bytes.extend_from_slice(read.get(..room).unwrap_or(read));
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(frame_at: u64, value_at: u64) -> Places {
        Places { frame_at, value_at }
    }

    /// The bytes that are shown, without the engine's array around them.
    fn shown(shown: &StreamWindow) -> &[u8] {
        shown.refused.as_deref().unwrap_or(&shown.bytes)
    }

    #[test]
    fn a_refused_frame_ends_where_its_length_says() {
        let mut it = StreamWindow::default();
        it.pass(&[1, 0, 0, 0, 7, 9, 9], 5, at(0, 4));
        it.refuse(&[2, 0, 0, 0, 5, 6, 8, 8], 4, Framing::U32, at(5, 9));
        assert_eq!(shown(&it), [2, 0, 0, 0, 5, 6]);
        it.refuse(&[5, 6, 8, 8], 0, Framing::None, at(5, 5));
        assert_eq!(shown(&it), [2, 0, 0, 0, 5, 6, 8, 8], "without lengths all that came");
    }

    #[test]
    fn a_frame_that_came_in_pieces_is_kept_from_its_begin() {
        let mut it = StreamWindow::default();
        it.pass(&[7, 7, 7], 3, at(0, 0));
        it.pass(&[1, 2], 2, at(3, 3));
        it.pass(&[3], 1, at(3, 3));
        assert_eq!(shown(&it), [1, 2, 3]);
    }

    #[test]
    fn a_long_value_is_cut_off_and_the_next_one_kept() {
        let mut it = StreamWindow::default();
        it.pass(&vec![1; MOST + 10], MOST + 10, at(0, 0));
        it.pass(&[2], 1, at(0, 0));
        assert_eq!(shown(&it).len(), MOST);
        let next = u64::try_from(MOST).unwrap() + 12;
        it.pass(&[3, 4], 2, at(next, next));
        it.pass(&[5], 1, at(next, next));
        assert_eq!(shown(&it), [4, 5]);
    }
}
