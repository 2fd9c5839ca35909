//! Random: numbers that are the same for one seed on every machine. They keep no secret.

/// Gives one number after another, by SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number below `end`, or any if that is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let next = self.next();
        next.checked_rem(end).unwrap_or(next)
    }

    pub(crate) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// Returns a number from `min` to `max`, and often one of these two, where faults are likely.
    pub(crate) fn within(&mut self, min: f64, max: f64) -> f64 {
        match self.below(8) {
            0 => min,
            1 => max,
            _ => {
                let part = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
                (min + (max - min) * part).clamp(min, max)
            }
        }
    }

    pub(crate) fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let at = self.below(values.len() as u64);
        values.get(usize::try_from(at).ok()?)
    }
}
