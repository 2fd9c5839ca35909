//! Makes the random numbers for broken inputs, which need not be secret.

/// Generates random numbers by xorshift: fast and repeatable.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts a generator; equal seeds give equal numbers.
    #[must_use]
    pub const fn new(seed: u64) -> Random {
        // Multiplying by an odd number keeps seeds apart; zero is the one state that xorshift never leaves.
        let state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Random(if state == 0 { 1 } else { state })
    }

    /// Returns the next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number below `end`, or 0 when there is none.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from((self.bits() >> 16) % end).unwrap_or(0)
    }

    /// Returns eight random bits.
    pub fn byte(&mut self) -> u8 {
        self.bits().to_be_bytes()[0]
    }

    /// Picks any of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}
