//! Rivals: whether the engine or this library is faster with a large packed array that stands alone, on this machine.
//!
//! There is little more to do than to copy it. The engine can leave out filling the copy with zeros first, an extension can
//! copy in larger parts; which of it counts for more is a matter of types, sizes, caches and of how the engine was compiled:
//! on one processor ours takes half the time, on another one and a half times as long. Both make the same, so they take turns
//! until the times are known. It makes nothing itself.

use std::time::Instant;

use variant_core::VariantType;

use super::bits::id;

/// Bytes from which on an array is large: a copy of fewer costs less than a look at the clock is worth.
const LARGE: usize = 64 * 1024;
const FIRST: u32 = id(VariantType::PackedByteArray);
const TYPES: usize = 10;
/// Sizes: from [`LARGE`] on, each four times as large as the one before; the last has no end.
const SIZES: usize = 7;
/// The slower one is tried again after so many calls, after twice as many the next time, and so on.
const FIRST_WAIT: u16 = 16;
const LONGEST_WAIT: u16 = 4096;

/// What is known of the times. Empty until it is used: 700 bytes a codec and direction.
#[derive(Debug, Default)]
pub(crate) struct Rivals(Vec<Contest>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rival {
    Ours,
    Engine,
}

/// One call: whose turn it is, and since when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bout {
    at: usize,
    pub(crate) rival: Rival,
    start: Instant,
}

/// Whether the bytes may be a large packed array of numbers and nothing else.
#[inline]
pub(crate) fn is_contested(bytes: &[u8]) -> bool {
    bytes.len() >= LARGE && bytes.first_chunk().is_some_and(|head| is_numbers(u32::from_le_bytes(*head)))
}

/// Whether a type, or a header, is that of a packed array of numbers.
#[inline]
pub(super) fn is_numbers(ty: u32) -> bool {
    ty.wrapping_sub(FIRST) < TYPES as u32 && ty != id(VariantType::PackedStringArray)
}

impl Rivals {
    /// Begins a call for an array of this type and so many bytes, if it is large.
    #[inline]
    pub(crate) fn begin(&mut self, ty: u32, bytes: usize) -> Option<Bout> {
        if bytes < LARGE || !is_numbers(ty) {
            return None;
        }
        if self.0.is_empty() {
            self.0.resize(TYPES * SIZES, Contest::default());
        }
        let size = ((bytes / LARGE).ilog2() as usize / 2).min(SIZES - 1);
        let at = ty.wrapping_sub(FIRST) as usize * SIZES + size;
        let rival = self.0.get_mut(at)?.next();
        Some(Bout { at, rival, start: Instant::now() })
    }

    /// The call is over, and did what it was for.
    pub(crate) fn end(&mut self, bout: Bout) {
        if let Some(contest) = self.0.get_mut(bout.at) {
            contest.note(bout.rival, bout.start.elapsed().as_secs_f32());
        }
    }
}

/// The times of arrays of one type and size.
#[derive(Clone, Copy, Debug, Default)]
struct Contest {
    /// The least of late, in seconds; 0 is none.
    ours: f32,
    engine: f32,
    /// Calls until the slower one is tried, and how many there were the last time.
    left: u16,
    wait: u16,
}

impl Contest {
    /// Whose turn it is.
    fn next(&mut self) -> Rival {
        // Each is seen twice: the first time of all has memory to find.
        if self.wait < 4 {
            self.wait += 1;
            return if self.wait % 2 == 1 { Rival::Ours } else { Rival::Engine };
        }
        if self.left == 0 {
            self.wait = self.wait.max(FIRST_WAIT / 2).saturating_mul(2).min(LONGEST_WAIT);
            self.left = self.wait;
            return other(self.faster());
        }
        self.left -= 1;
        self.faster()
    }

    fn faster(&self) -> Rival {
        if self.engine < self.ours { Rival::Engine } else { Rival::Ours }
    }

    fn note(&mut self, rival: Rival, seconds: f32) {
        let before = self.faster();
        let least = if rival == Rival::Ours { &mut self.ours } else { &mut self.engine };
        // A quick one is forgotten in the end: sizes differ, and machines change their speed.
        *least = if *least > 0.0 { seconds.min(*least * 1.05) } else { seconds };
        if self.wait > 4 && self.faster() != before {
            self.wait = FIRST_WAIT;
            self.left = FIRST_WAIT;
        }
    }
}

const fn other(rival: Rival) -> Rival {
    match rival {
        Rival::Ours => Rival::Engine,
        Rival::Engine => Rival::Ours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays so many calls of this length each; how many were ours.
    fn played(contest: &mut Contest, calls: usize, ours: f32, engine: f32) -> usize {
        (0..calls)
            .filter(|_| {
                let rival = contest.next();
                contest.note(rival, if rival == Rival::Ours { ours } else { engine });
                rival == Rival::Ours
            })
            .count()
    }

    #[test]
    fn the_faster_one_gets_nearly_all_calls() {
        let mut contest = Contest::default();
        assert_eq!(played(&mut contest, 4, 1.0, 2.0), 2);
        assert!(played(&mut contest, 1000, 1.0, 2.0) > 990);
        let mut contest = Contest::default();
        assert!(played(&mut contest, 1000, 2.0, 1.0) < 10);
    }

    /// What was faster need not stay so.
    #[test]
    fn times_that_change_are_seen() {
        let mut contest = Contest::default();
        assert!(played(&mut contest, 500, 1.0, 2.0) > 490);
        assert!(played(&mut contest, 3000, 3.0, 2.0) < 1000);
        assert!(played(&mut contest, 1000, 3.0, 2.0) < 30);
        // One slow call does not decide.
        assert_eq!(contest.faster(), Rival::Engine);
        contest.note(Rival::Engine, 100.0);
        assert_eq!(contest.faster(), Rival::Engine);
    }

    #[test]
    fn only_large_arrays_of_numbers_are_contested() {
        let mut rivals = Rivals::default();
        let head = |ty: u32| [&ty.to_le_bytes()[..], &vec![0; LARGE]].concat();
        for ty in 0..64 {
            let is_one = (29..=38).contains(&ty) && ty != 34;
            assert_eq!(is_contested(&head(ty)), is_one, "{ty}");
            assert_eq!(rivals.begin(ty, LARGE).is_some(), is_one, "{ty}");
            assert!(rivals.begin(ty, LARGE - 1).is_none());
        }
        assert!(!is_contested(&head(29)[..LARGE - 1]));
        assert!(!is_contested(&head(30 | 1 << 16)));
    }

    #[test]
    fn types_and_sizes_do_not_mix() {
        let mut rivals = Rivals::default();
        let mut seen = std::collections::BTreeSet::new();
        for ty in [29, 30, 38] {
            for size in [LARGE, 4 * LARGE, 16 * LARGE, 64 * LARGE, 256 * LARGE, 1024 * LARGE, 4096 * LARGE] {
                let bout = rivals.begin(ty, size).unwrap();
                assert!(seen.insert(bout.at));
                assert_eq!(rivals.begin(ty, size + size / 2).unwrap().at, bout.at);
            }
            assert!(!seen.insert(rivals.begin(ty, 1 << 40).unwrap().at));
        }
    }
}
