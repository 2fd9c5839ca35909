//! Intake: what is taken of the caller's pieces, and how much a frame still allows. It knows no values.

use crate::cursor::length;
use crate::error::Error;
use crate::push::{Progress, PushDecoder};
use crate::sink::Sink;

#[derive(Debug)]
pub(super) struct Intake {
    /// Bytes that were taken to be looked at: of a length, of the opening of a container.
    pub(super) head: Vec<u8>,
    /// What a decoder was given of the value that is being read, while `keeps` is set. It grows by bytes that came.
    pub(super) kept: Vec<u8>,
    pub(super) keeps: bool,
    /// Bytes that the frame has and that were not taken yet.
    pub(super) left: u64,
    /// Whether the frame has an end, so that the one behind it can be found.
    pub(super) is_bounded: bool,
    /// Bytes taken since the stream began.
    taken: u64,
    /// Padding at the end of the frame that was not there, and that ENGINE did without. The whole counts it as read.
    pub(super) unpadded: u64,
    /// What the value lacks at least, after a `drive` that gave none.
    pub(super) needed: u64,
    pub(super) is_closed: bool,
}

impl Default for Intake {
    fn default() -> Intake {
        Intake {
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

impl Intake {
    /// Where in the stream the next byte stands that nobody has looked at.
    pub(super) fn at(&self) -> u64 {
        self.taken.saturating_sub(length(&self.head))
    }

    /// Where the next key or value begins, as the walk over the whole counts.
    pub(super) fn part_at(&self) -> u64 {
        self.at().saturating_add(self.unpadded)
    }

    /// Takes bytes to look at. Tells how many were not to be had.
    pub(super) fn take(&mut self, count: u64, input: &mut &[u8]) -> u64 {
        let piece = self.split(count, input);
        self.head.extend_from_slice(piece);
        count.saturating_sub(length(piece))
    }

    /// Takes what is left of the frame, for nothing. Tells how many bytes have not come yet.
    pub(super) fn drop_rest(&mut self, input: &mut &[u8]) -> u64 {
        self.head.clear();
        self.split(u64::MAX, input);
        self.left
    }

    /// Hands the decoder what there is, up to the end of the frame; then the value has to be whole.
    pub(super) fn drive<T: Sink>(
        &mut self,
        decoder: &mut PushDecoder<T>,
        input: &mut &[u8],
    ) -> Result<Option<T::Output>, Error> {
        // A frame over the limit was refused by its length.
        decoder.set_has_end(self.is_bounded);
        if !self.head.is_empty() {
            let progress = decoder.feed(&self.head);
            let looked_at = self.head.len();
            if self.keeps {
                self.kept.extend_from_slice(&self.head);
            }
            self.head.clear();
            if let Progress::Done { output, unused } = progress? {
                debug_assert_eq!((unused, looked_at > 0), (0, true), "no value is shorter than its header");
                return Ok(Some(output));
            }
        }
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX).min(input.len());
        let (piece, behind) = input.split_at_checked(fits).unwrap_or((input, &[]));
        match decoder.feed(piece)? {
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

    /// Takes bytes that a decoder was given.
    fn hand_over(&mut self, count: u64, input: &mut &[u8]) {
        let piece = self.split(count, input);
        if self.keeps {
            self.kept.extend_from_slice(piece);
        }
    }

    /// Cuts the next bytes off the input, as many as there are and the frame has.
    fn split<'a>(&mut self, count: u64, input: &mut &'a [u8]) -> &'a [u8] {
        let count = usize::try_from(count.min(self.left)).unwrap_or(usize::MAX).min(input.len());
        let (piece, rest) = input.split_at_checked(count).unwrap_or((input, &[]));
        *input = rest;
        self.left = self.left.saturating_sub(length(piece));
        self.taken = self.taken.saturating_add(length(piece));
        piece
    }
}
