//! Estimates how many bytes the children of a large container take, so that the answer need not grow step by
//! step.
//!
//! An answer that grows moves. The holes that it leaves, and the end that it does not need, go back to the
//! system and are taken anew page by page with the next answer: that was half of the time. An answer that is
//! large enough at once does neither, and holds little that is not used. The estimate decides nothing but how
//! much room is made: a wrong one costs time, and the bytes that are written for it stay nowhere.

use std::ops::Range;

use variant_core::Trick;

use super::buffer::{Buffer, SCRATCH, SLACK};
use super::cursor::Cursor;
use super::encoder::Encoder;
use super::slot::STRIDE;

/// Bytes of a container from which on it is worth it: soon they are more than the scratch takes.
const DUE: usize = SCRATCH / 2;
/// Bytes that a child may take which is written for an estimate. More is not looked at.
const ROOM: usize = 4096;

/// The estimate for a container whose children are being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    /// Where its first child stands in the answer.
    start: usize,
    is_made: bool,
}

impl Estimate {
    #[inline]
    pub(super) const fn from(start: usize) -> Estimate {
        Estimate { start, is_made: false }
    }

    /// Tells whether it shall be made, with as many bytes written.
    #[inline]
    pub(super) fn is_due(&self, used: usize) -> bool {
        used - self.start >= DUE && !self.is_made && !Trick::Estimate.is_off()
    }

    /// Returns the bytes of the answer if the children to come are as long as those that were written.
    fn by_progress(&self, used: usize, done: usize, count: usize) -> usize {
        let written = used - self.start;
        self.start.saturating_add(written.saturating_mul(count) / done.max(1))
    }
}

impl Encoder<'_> {
    /// Foresees the bytes of a Dictionary, again and again: entries to come cannot be looked at, and may be
    /// quite unlike these. So it makes no more room at once than they take where they lie.
    #[cold]
    #[inline(never)]
    pub(super) fn foresee_entries(&mut self, estimate: &Estimate, done: usize, count: usize, to: Cursor) {
        let whole = estimate.by_progress(self.out.used(to), done, count);
        let at_once = estimate.start.saturating_add(count.saturating_mul(2 * STRIDE));
        self.out.foresee(with_margin(whole), at_once);
    }

    /// Foresees the bytes of a container of which these children are left behind `to`: by what was written, if some
    /// from all over the container are about as long. `write` writes the child of an index.
    #[cold]
    #[inline(never)]
    pub(super) fn foresee(
        &mut self,
        estimate: &mut Estimate,
        left: Range<usize>,
        to: Cursor,
        mut write: impl FnMut(&mut Encoder<'_>, usize, Cursor) -> Option<Cursor>,
    ) {
        estimate.is_made = true;
        let (done, count) = (left.start, left.end);
        if !self.out.is_answer() || done == count {
            return;
        }
        let mut room = Vec::with_capacity(ROOM + SLACK);
        let samples = (count / 1024).clamp(8, 256).min(count);
        let seed = to.place().addr() >> 12;
        let (mut sum, mut least, mut most, mut too_long) = (0, ROOM, 0, 0);
        for sample in 0..samples {
            let out = Buffer::fixed(&mut room);
            let mut encoder = Encoder { out, leaf: self.leaf, ..*self };
            let start = encoder.out.start();
            let end = write(&mut encoder, spread(sample, samples, count, seed), start);
            let bytes = end.map_or(ROOM, |end| encoder.out.used(end));
            too_long += usize::from(end.is_none());
            sum += bytes;
            least = least.min(bytes);
            most = most.max(bytes);
        }
        if too_long > samples / 8 {
            return;
        }
        let mean = sum as f64 / samples as f64;
        let by_samples = estimate.start.saturating_add((mean * count as f64) as usize);
        let by_progress = estimate.by_progress(self.out.used(to), done, count);
        let is_alike = by_progress.abs_diff(by_samples) <= by_samples / 4;
        let whole = if is_alike { by_progress } else { by_samples };
        let is_exact = least == most && self.depth == 1 && by_progress == by_samples;
        self.out.foresee(if is_exact { whole.saturating_add(SLACK) } else { with_margin(whole) }, usize::MAX);
    }
}

/// Adds a margin: a little more is better than a little less.
fn with_margin(whole: usize) -> usize {
    whole.saturating_add(whole / 32).saturating_add(SLACK)
}

/// Returns the index of a sample: evenly spread, and so that nobody who makes a value knows which.
fn spread(sample: usize, samples: usize, count: usize, seed: usize) -> usize {
    let step = count / samples;
    sample * step + seed % step
}
