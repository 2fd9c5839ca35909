//! Counts how much a peer may still send: a token bucket in whole numbers, so that every machine agrees.

/// The parts of a token that the bucket counts in. A rate in thousandths of a token a second times a time in
/// microseconds is a number of these parts.
const PARTS: u64 = 1_000_000_000;

/// Says how many tokens come back in a second, and how many can be saved up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Thousandths of a token a second.
    pub milli_per_second: u64,
    /// The most tokens that the bucket holds.
    pub burst: u32,
}

impl Rate {
    /// Makes a rate of whole tokens a second.
    #[must_use]
    pub const fn per_second(tokens: u32, burst: u32) -> Rate {
        Rate { milli_per_second: widen(tokens).saturating_mul(1000), burst }
    }

    /// Makes a rate of any number of tokens a second, to a thousandth. Without a burst a second's tokens can be
    /// saved up. `None`: the number is no rate.
    #[must_use]
    pub fn of(per_second: f64, burst: Option<u32>) -> Option<Rate> {
        let milli = (per_second * 1000.0).round();
        if !(1.0..=1e9).contains(&milli) || burst == Some(0) {
            return None;
        }
        #[expect(
            clippy::as_conversions,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "in range"
        )]
        let milli_per_second = milli as u64;
        let second = u32::try_from(milli_per_second.div_ceil(1000)).unwrap_or(u32::MAX);
        Some(Rate { milli_per_second, burst: burst.unwrap_or(second) })
    }

    /// Returns the tokens a second.
    #[must_use]
    pub fn per_second_f64(self) -> f64 {
        #[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rates are small")]
        let milli = self.milli_per_second as f64;
        milli / 1000.0
    }

    const fn capacity(self) -> u64 {
        widen(self.burst).saturating_mul(PARTS)
    }
}

/// Converts without loss. `u64::from` cannot be called in a constant.
#[allow(clippy::as_conversions)]
const fn widen(number: u32) -> u64 {
    number as u64
}

/// Holds the tokens of one peer for one kind of packet. It takes 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bucket {
    parts: u64,
    filled_at: u64,
}

impl Bucket {
    pub(crate) const fn full(rate: Rate, now: u64) -> Bucket {
        Bucket { parts: rate.capacity(), filled_at: now }
    }

    /// Takes `tokens` out if so many are there. Nothing is taken otherwise. A clock that goes back adds
    /// nothing.
    pub(crate) fn take(&mut self, rate: Rate, tokens: u64, now: u64) -> bool {
        self.take_after(rate, tokens, now, 0)
    }

    /// Takes tokens, of which those of `stall` microseconds may have been saved up beside the burst.
    pub(crate) fn take_after(&mut self, rate: Rate, tokens: u64, now: u64, stall: u64) -> bool {
        self.fill(rate, now, stall);
        match self.parts.checked_sub(tokens.saturating_mul(PARTS)) {
            Some(left) => {
                self.parts = left;
                true
            }
            None => false,
        }
    }

    /// Takes as many of `tokens` as are there: for what is sent in any case.
    pub(crate) fn drain(&mut self, rate: Rate, tokens: u64, now: u64) {
        self.fill(rate, now, 0);
        self.parts = self.parts.saturating_sub(tokens.saturating_mul(PARTS));
    }

    /// Returns how many whole tokens are there.
    pub(crate) fn left(&mut self, rate: Rate, now: u64) -> u64 {
        self.fill(rate, now, 0);
        self.parts / PARTS
    }

    fn fill(&mut self, rate: Rate, now: u64, stall: u64) {
        let refill = |time: u64| time.saturating_mul(rate.milli_per_second);
        let most = rate.capacity().saturating_add(refill(stall));
        let elapsed = now.saturating_sub(self.filled_at);
        self.parts = self.parts.saturating_add(refill(elapsed)).min(most);
        self.filled_at = self.filled_at.max(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Rate};

    #[test]
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let rate = Rate::per_second(10, 3);
        let mut bucket = Bucket::full(rate, 0);
        let taken = |bucket: &mut Bucket, now| (0..100).filter(|_| bucket.take(rate, 1, now)).count();
        assert_eq!(taken(&mut bucket, 0), 3);
        assert_eq!(taken(&mut bucket, 99_999), 0, "a tenth of a second has not passed");
        assert_eq!(taken(&mut bucket, 100_000), 1);
        assert_eq!(taken(&mut bucket, 350_000), 2, "the half token of before is kept");
        assert_eq!(taken(&mut bucket, 400_000), 1);
        assert_eq!(taken(&mut bucket, 60_000_000), 3, "no more than the burst is saved up");
    }

    #[test]
    fn a_stall_saves_up_what_came_in_it_and_no_more() {
        let rate = Rate::per_second(10, 3);
        let taken = |bucket: &mut Bucket, now, stall| {
            (0..1000).filter(|_| bucket.take_after(rate, 1, now, stall)).count()
        };
        let mut bucket = Bucket::full(rate, 0);
        assert_eq!(taken(&mut bucket, 9_000_000, 2_000_000), 3 + 20);
        assert_eq!(taken(&mut bucket, 9_100_000, 2_000_000), 1);
        let mut bucket = Bucket::full(rate, 0);
        assert_eq!(taken(&mut bucket, 1_000_000, 5_000_000), 3 + 10, "no more than time has passed");
        bucket.take_after(rate, 0, 60_000_000, 5_000_000);
        assert_eq!(taken(&mut bucket, 60_000_000, 0), 3, "what is left of it ends with it");
    }

    #[test]
    fn draining_never_fails_and_never_owes() {
        let rate = Rate::per_second(10, 3);
        let mut bucket = Bucket::full(rate, 0);
        bucket.drain(rate, 50, 0);
        assert!(!bucket.take(rate, 1, 99_999) && bucket.take(rate, 1, 100_000));
    }

    #[test]
    fn rates_below_one_a_second_are_exact() {
        let rate = Rate { milli_per_second: 250, burst: 1 };
        let mut bucket = Bucket::full(rate, 7);
        assert!(bucket.take(rate, 1, 7));
        assert!(!bucket.take(rate, 1, 4_000_006));
        assert!(bucket.take(rate, 1, 4_000_007));
    }

    #[test]
    fn a_clock_that_goes_back_or_jumps_is_survived() {
        let rate = Rate { milli_per_second: u64::MAX, burst: u32::MAX };
        let mut bucket = Bucket::full(rate, u64::MAX);
        assert!(bucket.take(rate, 1, 0));
        assert!(!bucket.take(rate, u64::MAX, u64::MAX));
        let slow = Rate::per_second(1, 1);
        let mut bucket = Bucket::full(slow, 5_000_000);
        assert!(bucket.take(slow, 1, 5_000_000));
        assert!(!bucket.take(slow, 1, 1_000_000));
        assert!(!bucket.take(slow, 1, 5_500_000), "going back did not count as time");
        assert!(bucket.take(slow, 1, 6_000_000));
    }
}
