//! Budget: counts the bytes that a value has where none of them are made, against those of which a proof holds, so that
//! nothing is made about which a limit could speak.

use variant_core::Rules;

use crate::proof::Proof;
use crate::text::length;

/// Bytes of most packets, for which the proof is asked once.
const FIRST: u64 = 4096;

/// The bytes so far, and those that are known to be fine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget<'l> {
    proof: &'l Proof,
    /// The rules for the bytes that there would be.
    rules: &'l Rules,
    used: u64,
    proven: u64,
}

impl<'l> Budget<'l> {
    pub(crate) const fn new(proof: &'l Proof, rules: &'l Rules) -> Budget<'l> {
        Budget { proof, rules, used: 0, proven: 0 }
    }

    /// Counts so many more. False where some limit might refuse a value of as many.
    #[inline(always)]
    pub(crate) fn takes(&mut self, bytes: usize) -> bool {
        self.used = self.used.saturating_add(length(bytes));
        self.used <= self.proven || self.grows()
    }

    #[inline(never)]
    fn grows(&mut self) -> bool {
        let far = self.used.saturating_mul(2).max(FIRST);
        let proven = [far, self.used].into_iter().find(|bytes| self.proof.holds(*bytes, self.rules));
        self.proven = proven.unwrap_or(0);
        proven.is_some()
    }
}
