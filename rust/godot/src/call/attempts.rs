//! Counts what the readers of a codec answered lately, so that one that is of no use is not asked first.

use variant_core::Trick;

/// Counts how often bytes were refused lately. Bytes that are refused at their end were built until there,
/// and let go: while most bytes are refused, a check comes first, which takes a third of the time.
#[derive(Debug, Default)]
pub(crate) struct Refusals(u8);

impl Refusals {
    #[inline]
    pub(crate) fn are_usual(&self) -> bool {
        self.0 > 2 && !Trick::Refusals.is_off()
    }

    #[inline]
    pub(crate) fn note_accepted(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }

    #[inline]
    pub(crate) fn note_refused(&mut self) {
        self.0 = (self.0 + 2).min(8);
    }
}

/// Counts the values in a row that a schema's own reader could say nothing of. After eight of them it is tried for one value
/// of eight only.
#[derive(Debug, Default)]
pub(crate) struct Misses(u8);

impl Misses {
    const FEW: u8 = 8;

    #[inline]
    pub(crate) const fn is_worth_trying(&mut self) -> bool {
        if self.0 < Self::FEW {
            return true;
        }
        self.0 = if self.0 == 2 * Self::FEW { Self::FEW } else { self.0 + 1 };
        self.0 == Self::FEW
    }

    #[inline]
    pub(crate) fn note_answer(&mut self) {
        self.0 = 0;
    }

    #[inline]
    pub(crate) fn note_miss(&mut self) {
        self.0 = self.0.max((self.0 + 1).min(Self::FEW));
    }
}
