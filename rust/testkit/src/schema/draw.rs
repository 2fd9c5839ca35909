//! Makes choices from bytes, so that a fuzzer and a random generator make the same kinds of things. When the
//! bytes are used up, every choice is the first one, which ends whatever grows.

/// Gives a sequence of choices.
#[derive(Debug)]
pub struct Draw<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Draw<'a> {
    /// Makes choices from these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Draw<'a> {
        Draw { bytes: bytes.iter() }
    }

    /// Returns a number below `count`, which is at most 256.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % count.max(1)
    }

    /// Returns true once in `count` times, and never when the bytes are used up.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    /// Returns a number of 64 bits, mostly a small one.
    pub fn int(&mut self) -> i64 {
        match self.below(8) {
            0..=4 => i64::try_from(self.below(12)).unwrap_or(0) - 2,
            5 => i64::try_from(self.below(256)).unwrap_or(0) * 1_000_003,
            6 => i64::MIN + i64::try_from(self.below(2)).unwrap_or(0),
            _ => i64::MAX - i64::try_from(self.below(2)).unwrap_or(0),
        }
    }

    /// Returns a float, mostly an ordinary one.
    pub fn float(&mut self) -> f64 {
        match self.below(12) {
            0..=7 => f64::from(i32::try_from(self.below(40)).unwrap_or(0) - 10) / 4.0,
            8 => -0.0,
            9 => f64::NAN,
            10 => f64::INFINITY,
            _ => 1e300,
        }
    }

    /// Returns a step between floats.
    pub fn step(&mut self) -> f64 {
        const STEPS: [f64; 4] = [1.0, 0.25, 0.1, 0.01];
        STEPS[self.below(STEPS.len())]
    }

    /// Returns a short text.
    pub fn text(&mut self) -> String {
        const TEXTS: [&str; 8] = ["", "a", "b", "aa", "ab c", "\u{e4}\u{1F600}", "kind", "12"];
        TEXTS[self.below(TEXTS.len())].to_owned()
    }
}
