//! Takes bytes from the caller's pieces, and tracks how much of a frame is left. It knows no values.

use crate::cursor::length;
use crate::error::Error;
use crate::push::{Progress, PushDecoder};
use crate::sink::Sink;

#[derive(Debug)]
pub(super) struct Input {
    /// The bytes that were taken for lookahead: a length, or the opening of a container.
    pub(super) head: Vec<u8>,
    /// The bytes of the current value that a decoder was given, while `keeps` is set. It grows only by bytes
    /// that came.
    pub(super) kept: Vec<u8>,
    pub(super) keeps: bool,
    /// The bytes of the frame that were not taken yet.
    pub(super) left: u64,
    /// Whether the frame has an end, so that the next frame can be found.
    pub(super) is_bounded: bool,
    /// The bytes taken since the stream began.
    taken: u64,
    /// The padding at the end of the frame that was missing and that ENGINE did without. A whole decode
    /// counts it as read.
    pub(super) unpadded: u64,
    /// The bytes that the value lacks at least, after a `drive` that gave none.
    pub(super) needed: u64,
    pub(super) is_closed: bool,
}

impl Default for Input {
    fn default() -> Input {
        Input {
            head: Vec::new(),
            kept: Vec::new(),
            keeps: false,
            left: u64::MAX,
            is_bounded: false,
            taken: 0,
            unpadded: 0,
            needed: 0,
            is_closed: false,
        }
    }
}

impl Input {
    /// Returns the place in the stream of the next byte that no decoder was given.
    pub(super) fn at(&self) -> u64 {
        self.taken.saturating_sub(length(&self.head))
    }

    /// Returns the place where the next key or value begins, as a walk over the whole counts.
    pub(super) fn part_at(&self) -> u64 {
        self.at().saturating_add(self.unpadded)
    }

    /// Takes bytes for lookahead, and returns how many were not available.
    pub(super) fn take(&mut self, count: u64, input: &mut &[u8]) -> u64 {
        let piece = self.split(count, input);
        self.head.extend_from_slice(piece);
        count.saturating_sub(length(piece))
    }

    /// Takes the rest of the frame without using it, and returns how many bytes have not come yet.
    pub(super) fn drop_rest(&mut self, input: &mut &[u8]) -> u64 {
        self.head.clear();
        self.split(u64::MAX, input);
        self.left
    }

    /// Gives the decoder all available bytes, up to the end of the frame; then the value has to be whole.
    pub(super) fn drive<T: Sink>(
        &mut self,
        decoder: &mut PushDecoder<T>,
        input: &mut &[u8],
    ) -> Result<Option<T::Output>, Error> {
        // A frame over the limit was refused by its length.
        decoder.walker.has_end = self.is_bounded;
        if !self.head.is_empty() {
            if self.keeps {
                self.kept.extend_from_slice(&self.head);
            }
            let progress = decoder.feed(&self.head);
            let looked_at = self.head.len();
            self.head.clear();
            if let Progress::Done { output, unused } = progress? {
                debug_assert_eq!((unused, looked_at > 0), (0, true), "no value is shorter than its header");
                return Ok(Some(output));
            }
        }
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX).min(input.len());
        let (piece, behind) = input.split_at_checked(fits).unwrap_or((input, &[]));
        match decoder.feed(piece).inspect_err(|error| self.keep_before(error, piece))? {
            Progress::Done { output, unused } => {
                self.hand_over(length(piece).saturating_sub(u64::try_from(unused).unwrap_or(0)), input);
                Ok(Some(output))
            }
            Progress::NeedMore { at_least } => {
                self.hand_over(length(piece), input);
                self.needed = at_least.min(self.left);
                let is_last = self.left == 0 || (self.is_closed && !self.is_bounded && behind.is_empty());
                if !is_last {
                    return Ok(None);
                }
                let output = decoder.finish()?;
                self.unpadded = at_least;
                Ok(Some(output))
            }
        }
    }

    /// Keeps the bytes of a refused piece that are before the fault.
    #[cold]
    fn keep_before(&mut self, error: &Error, piece: &[u8]) {
        if self.keeps {
            let count = error.offset().saturating_sub(length(&self.kept));
            let count = usize::try_from(count).unwrap_or(usize::MAX).min(piece.len());
            self.kept.extend(piece.iter().take(count));
        }
    }

    /// Takes bytes that a decoder was given.
    fn hand_over(&mut self, count: u64, input: &mut &[u8]) {
        let piece = self.split(count, input);
        if self.keeps {
            self.kept.extend_from_slice(piece);
        }
    }

    /// Cuts the next bytes off the input, as many as are there and the frame has.
    fn split<'a>(&mut self, count: u64, input: &mut &'a [u8]) -> &'a [u8] {
        let count = usize::try_from(count.min(self.left)).unwrap_or(usize::MAX).min(input.len());
        let (piece, rest) = input.split_at_checked(count).unwrap_or((input, &[]));
        *input = rest;
        self.left = self.left.saturating_sub(length(piece));
        self.taken = self.taken.saturating_add(length(piece));
        piece
    }
}
