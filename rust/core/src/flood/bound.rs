//! Bound: tells at most how many steps the engine's hash tables will take for the keys that come. That is cheaper than
//! counting them.
//!
//! Which places of such a table are taken does not depend on who takes them: a new key ends in the first free
//! place from the one it wants, whoever moves on the way. So one bit a place is enough to know how far that
//! is. The search before the insert goes no farther. Keys within this bound are within the exact count of
//! `probes.rs`, the fallback; where the bound is passed, that one has to be asked.
//!
//! It holds for a table of any size that all keys fit into, not only for one that grows: a sink that builds under the
//! bound may give a table its room beforehand. A sink that builds under the exact count must not.
//!
//! Keys are taken some at a time: one after another they wait for nothing but each other, and a look at each by itself
//! costs more than its place.

use super::divisor::Divisor;
use super::scratch::let_go;
use crate::wire::hash_table;

/// Keys that are taken at once.
const AT_ONCE: usize = 64;

/// A size of a table: the one that it has now, or one that it will have.
#[derive(Clone, Copy, Debug)]
struct Size {
    capacity: Divisor,
    /// Where its places begin, one bit each; bits behind the last place are set.
    places: usize,
    /// How far all keys in it are from the places they want: what it will cost to grow to this size.
    moved: u64,
}

/// The table of one open Dictionary.
#[derive(Clone, Copy, Debug)]
struct BoundTable {
    entries: u64,
    /// Which of `sizes` it has; the larger ones follow.
    size: usize,
    /// Where its sizes and places begin.
    sizes: usize,
    places: usize,
}

/// A key enters all sizes that its table will have, so that its hash is needed no more.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    tables: Vec<BoundTable>,
    sizes: Vec<Size>,
    /// The places of all sizes of all open tables.
    places: Vec<u64>,
    /// Hashes that are not in the innermost table yet, each with the cost of comparing its key with another one of that
    /// hash.
    waiting: Vec<(u32, u64)>,
    /// Keys in all tables.
    entries: u64,
    steps: u64,
    /// The steps in tables that have had one of their larger sizes from the beginning, the worst of those for each key: a
    /// sink may make them so, and keys can be made that want one place there and not in the smaller ones.
    ahead: u64,
    /// Whether steps were more than allowed after some key.
    is_over: bool,
}

/// How many steps are allowed: so many, and more for each entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(crate) free: u64,
    pub(crate) each: u64,
}

impl Bound {
    pub(crate) fn let_go(&mut self) {
        self.clear();
        let_go(&mut self.places);
    }

    pub(crate) fn clear(&mut self) {
        self.tables.clear();
        self.sizes.clear();
        self.places.clear();
        self.waiting.clear();
        self.entries = 0;
        self.steps = 0;
        self.ahead = 0;
        self.is_over = false;
    }

    /// Opens a table for at most so many keys. There have to be bytes for them: it takes a third of a byte for each.
    pub(crate) fn open(&mut self, keys: u64, allowed: Allowance) {
        self.settle(allowed);
        let (sizes, places) = (self.sizes.len(), self.places.len());
        self.tables.push(BoundTable { entries: 0, size: sizes, sizes, places });
        for capacity in hash_table::CAPACITIES {
            self.sizes.push(Size { capacity: Divisor::new(*capacity), places: self.places.len(), moved: 0 });
            let words = usize::try_from(capacity.div_ceil(64)).unwrap_or(usize::MAX);
            self.places.resize(self.places.len().saturating_add(words), 0);
            if let Some(last) = self.places.last_mut() {
                *last = u64::MAX.checked_shl(capacity & 63).unwrap_or(0);
            }
            if hash_table::holds(*capacity, keys) {
                break;
            }
        }
    }

    pub(crate) fn close(&mut self, allowed: Allowance) {
        self.settle(allowed);
        if let Some(table) = self.tables.pop() {
            self.sizes.truncate(table.sizes);
            self.places.truncate(table.places);
        }
    }

    /// Enters a key of this hash into the innermost table. `compared` is the cost of comparing it with another of one
    /// hash.
    #[inline]
    pub(crate) fn enter(&mut self, hash: u32, compared: u64, allowed: Allowance) {
        self.waiting.push((hash, compared));
        if self.waiting.len() >= AT_ONCE {
            self.settle(allowed);
        }
    }

    /// Tells whether the steps of all keys up to the last that was taken were allowed.
    #[inline]
    pub(crate) const fn is_within(&self) -> bool {
        !self.is_over
    }

    /// Takes the keys that wait.
    #[inline]
    pub(crate) fn settle(&mut self, allowed: Allowance) {
        if !self.waiting.is_empty() {
            self.take_all(allowed);
        }
    }

    #[inline(never)]
    fn take_all(&mut self, allowed: Allowance) {
        let waiting = std::mem::take(&mut self.waiting);
        let mut rest = waiting.as_slice();
        while let [(hash, compared), ..] = rest {
            let fitting = match self.fitting() {
                0 if self.grow(*hash, *compared) => continue,
                // More than were announced: `probes.rs` has to count them.
                0 => {
                    self.is_over = true;
                    break;
                }
                fitting => fitting,
            };
            let (taken, later) = rest.split_at(fitting.min(AT_ONCE).min(rest.len()));
            self.take(taken, allowed);
            rest = later;
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    /// Returns how many keys the innermost table takes before it grows.
    fn fitting(&self) -> usize {
        let Some(table) = self.tables.last() else { return 0 };
        let most = self.sizes.get(table.size).map_or(0, |size| hash_table::most(size.capacity.number()));
        usize::try_from(most.saturating_sub(table.entries)).unwrap_or(usize::MAX)
    }

    /// Lets the innermost table grow by this key. False where it has no larger size.
    fn grow(&mut self, hash: u32, compared: u64) -> bool {
        let Some(table) = self.tables.last_mut() else { return false };
        let larger = table.size.saturating_add(1);
        let (Some(old), Some(new)) = (self.sizes.get(table.size), self.sizes.get(larger)) else {
            return false;
        };
        let searched = places_of(&mut self.places, old).find(hash).2;
        self.steps = more(self.steps, searched, compared.saturating_add(1));
        self.steps = more(self.steps, new.moved, 1);
        table.size = larger;
        true
    }

    /// Takes keys that the innermost table has room for, at most [`AT_ONCE`]: all of them in one size, then in the next.
    fn take(&mut self, keys: &[(u32, u64)], allowed: Allowance) {
        let Some(table) = self.tables.last_mut() else { return };
        table.entries = table.entries.saturating_add(u64::try_from(keys.len()).unwrap_or(u64::MAX));
        let sizes = self.sizes.get_mut(table.size..).and_then(|sizes| sizes.split_first_mut());
        let Some((size, larger)) = sizes else { return };
        let mut inserted = [0; AT_ONCE];
        let mut places = places_of(&mut self.places, size);
        for ((hash, _), distance) in keys.iter().zip(&mut inserted) {
            *distance = places.take(*hash);
        }
        let mut farthest = inserted;
        for size in larger {
            let mut places = places_of(&mut self.places, size);
            let mut moved = 0_u64;
            for ((hash, _), farthest) in keys.iter().zip(&mut farthest) {
                let distance = places.take(*hash);
                moved = moved.saturating_add(distance);
                *farthest = distance.max(*farthest);
            }
            size.moved = size.moved.saturating_add(moved);
        }
        for ((_, compared), (inserted, farthest)) in keys.iter().zip(inserted.iter().zip(&farthest)) {
            let cost = compared.saturating_add(2);
            self.steps = more(self.steps, *inserted, cost);
            self.ahead = more(self.ahead, *farthest, cost);
            self.entries = self.entries.saturating_add(1);
            let most = allowed.each.saturating_mul(self.entries).saturating_add(allowed.free);
            self.is_over |= self.steps.max(self.ahead) > most;
        }
    }
}

/// Adds so many steps of this cost.
#[inline]
const fn more(steps: u64, count: u64, cost: u64) -> u64 {
    steps.saturating_add(count.saturating_mul(cost))
}

/// The places of one table.
struct Places<'t> {
    words: &'t mut [u64],
    capacity: Divisor,
}

#[inline]
fn places_of<'t>(places: &'t mut [u64], size: &Size) -> Places<'t> {
    let words = usize::try_from(size.capacity.number().div_ceil(64)).unwrap_or(usize::MAX);
    let places = places.get_mut(size.places..).and_then(|places| places.get_mut(..words));
    Places { words: places.unwrap_or_default(), capacity: size.capacity }
}

impl Places<'_> {
    /// Takes the first free place for a hash. Returns how far it is from the one wanted.
    #[inline]
    fn take(&mut self, hash: u32) -> u64 {
        let (at, bit, distance) = self.find(hash);
        if let Some(word) = self.words.get_mut(at) {
            *word |= bit;
        }
        distance
    }

    /// Returns the first free place for a hash, as a word and its bit, and how far that is.
    #[inline]
    fn find(&self, hash: u32) -> (usize, u64, u64) {
        let home = self.capacity.remainder(hash);
        let at = usize::try_from(home >> 6).unwrap_or(0);
        let wanted = home & 63;
        let free = self.words.get(at).map_or(0, |word| !word) & u64::MAX.wrapping_shl(wanted);
        if free != 0 {
            let place = free.trailing_zeros();
            return (at, 1_u64.wrapping_shl(place), u64::from(place.wrapping_sub(wanted)));
        }
        self.find_behind(home, at)
    }

    /// Finds the place where all places of the first word from there on are taken.
    #[inline(never)]
    fn find_behind(&self, home: u32, from: usize) -> (usize, u64, u64) {
        let (mut at, mut free) = (from, 0);
        // Once around and the first word again: a quarter of the places is free, so that one is found.
        for _ in 0..=self.words.len() {
            at = if at.saturating_add(1) < self.words.len() { at.saturating_add(1) } else { 0 };
            free = self.words.get(at).map_or(0, |word| !word);
            if free != 0 {
                break;
            }
        }
        let bit = free.trailing_zeros();
        let place = u64::try_from(at).unwrap_or(0).saturating_mul(64).saturating_add(bit.into());
        let around = if place < u64::from(home) { u64::from(self.capacity.number()) } else { 0 };
        let distance = place.saturating_add(around).saturating_sub(home.into());
        (at, 1_u64.wrapping_shl(bit), distance)
    }
}

#[cfg(test)]
mod tests {
    use super::super::probes::Probes;
    use super::*;
    use crate::Rules;
    use crate::token::{Container, ContainerType};
    use crate::wire::hash;

    const WIDE: u64 = u64::MAX - 1;
    const COMPARED: u64 = 16;
    /// More keys than any test has.
    const MANY: u64 = 100_000;
    const ALL: Allowance = Allowance { free: u64::MAX, each: 0 };

    /// Exact steps and their bound for these keys, which have so many bytes each.
    #[track_caller]
    fn steps(hashes: impl IntoIterator<Item = u32>, bytes: u64) -> (u64, u64) {
        let (mut exact, mut bound) = (Probes::default(), Bound::default());
        let (key, value) = (ContainerType::None, ContainerType::None);
        exact.open(&Container::Dictionary { key, value, count: 1000 }, None, 0, &Rules::default());
        bound.open(MANY, ALL);
        for hash in hashes {
            exact.enter(hash, bytes, WIDE).unwrap();
            bound.enter(hash, bytes / COMPARED, ALL);
            bound.settle(ALL);
            let bound = bound.steps;
            assert!(bound >= exact.steps(), "{bound} is no bound of {}", exact.steps());
        }
        assert!(bound.is_within());
        (exact.steps(), bound.steps)
    }

    #[test]
    fn it_is_a_bound_whatever_the_hashes() {
        for bytes in [8, 40, 400] {
            steps((0..3000).map(|n| hash::int(n).max(1)), bytes);
            steps((0..600).map(|_| 7), bytes);
            steps((0..3000).map(|n| 1 + n % 5), bytes);
            steps((0..3000).map(|n| n * 23 + 22), bytes);
            steps((1..3000).rev(), bytes);
            steps((0..3000).map(|n: u32| n.wrapping_mul(98_317).max(1)), bytes);
        }
    }

    #[test]
    fn for_ordinary_keys_it_is_near() {
        let (exact, bound) = steps((0..100_000).map(|n| hash::int(n).max(1)), 8);
        assert!(bound < exact * 3, "{bound} for {exact}");
        assert!(bound < 16 * 100_000, "{bound}");
    }

    /// Keys cost the same steps one after another or many at once, with and without tables in between.
    #[test]
    fn when_keys_are_taken_changes_nothing() {
        let hashes = || (0..1000_u32).map(|n| hash::int(u64::from(n) / 3 * 7).max(1));
        let (mut each, mut all) = (Bound::default(), Bound::default());
        each.open(MANY, ALL);
        all.open(MANY, ALL);
        for (n, hash) in (0..).zip(hashes()) {
            each.enter(hash, n % 5, ALL);
            each.settle(ALL);
            all.enter(hash, n % 5, ALL);
            if n % 150 == 0 {
                all.open(MANY, ALL);
                all.enter(7, 0, ALL);
                all.close(ALL);
                each.entries += 1;
            }
        }
        all.close(ALL);
        assert_eq!((each.steps, each.entries), (all.steps, all.entries));
    }

    /// Steps that were too many after some key stay too many, however many more are allowed after the next ones.
    #[test]
    fn every_key_is_judged_by_what_was_allowed_then() {
        let is_within = |keys: &[u32], allowed: Allowance| {
            let mut bound = Bound::default();
            bound.open(6, allowed);
            keys.iter().for_each(|hash| bound.enter(*hash, 0, allowed));
            bound.close(allowed);
            bound.is_within()
        };
        // The third of one hash takes two places, at two steps each; the others none.
        let (early, late) = ([7, 7, 7, 1, 2, 3], [1, 2, 3, 7, 7, 7]);
        let tight = Allowance { free: 0, each: 1 };
        assert!(!is_within(&early, tight), "6 steps for 3 keys");
        assert!(is_within(&late, tight), "6 steps for 6 keys");
        assert!(is_within(&early, Allowance { free: 3, each: 1 }));
        assert!(!is_within(&early, Allowance { free: 2, each: 1 }));
    }

    #[test]
    fn more_keys_than_announced_are_not_within() {
        for announced in [0, 17, 18, 35] {
            let mut bound = Bound::default();
            bound.open(announced, ALL);
            let holds = if announced < 18 { 17 } else { 35 };
            (1..=holds).for_each(|hash| bound.enter(hash, 0, ALL));
            bound.settle(ALL);
            assert!(bound.is_within(), "{holds} keys");
            bound.enter(99, 0, ALL);
            bound.settle(ALL);
            assert!(!bound.is_within(), "one more");
        }
    }

    #[test]
    fn tables_in_tables_are_apart() {
        let mut bound = Bound::default();
        let enter = |bound: &mut Bound| {
            let before = bound.steps;
            bound.enter(30, 0, ALL);
            bound.settle(ALL);
            bound.steps - before
        };
        bound.open(20, ALL);
        assert_eq!(enter(&mut bound), 0);
        bound.open(20, ALL);
        assert_eq!(enter(&mut bound), 0, "another table");
        bound.close(ALL);
        assert_eq!(enter(&mut bound), 2, "next to the first");
        bound.close(ALL);
        assert!(bound.places.is_empty() && bound.sizes.is_empty() && bound.tables.is_empty());
    }

    /// Keys wait until there are enough of them, and are taken then.
    #[test]
    fn keys_are_taken_some_at_a_time() {
        let mut bound = Bound::default();
        bound.open(MANY, ALL);
        for n in 1..200_u32 {
            bound.enter(n, 0, ALL);
            assert_eq!(bound.waiting.len(), usize::try_from(n).unwrap() % AT_ONCE);
        }
        bound.let_go();
        assert!(bound.tables.is_empty() && bound.waiting.is_empty() && bound.entries == 0);
        let bytes = bound.places.capacity() * 8;
        assert!(bytes <= 16 * 1024, "{bytes}");
    }

    /// Where a whole word of places is taken, the search goes on behind it and around the end.
    #[test]
    fn a_full_word_is_passed() {
        for capacity in [97, 193, 389_u32] {
            let size = Size { capacity: Divisor::new(capacity), places: 0, moved: 0 };
            let words = usize::try_from(capacity.div_ceil(64)).unwrap();
            let mut places = vec![0_u64; words];
            *places.last_mut().unwrap() = u64::MAX.checked_shl(capacity & 63).unwrap_or(0);
            // Each from the last place on: around the end.
            for n in 0..capacity {
                let distance = places_of(&mut places, &size).take(capacity - 1);
                assert_eq!(distance, u64::from(n), "{capacity}");
            }
            assert!(places.iter().all(|word| *word == u64::MAX));
        }
    }

    /// Keys of one place of a size to come: a table that grows has them there only once it is so large, but one that was
    /// made for all its entries has them there from the first on.
    #[test]
    fn tables_may_have_their_size_from_the_beginning() {
        let allowed = Allowance { free: 1024, each: 16 };
        for capacity in [97, 193, 389, 769, 1543, 3079_u32] {
            let mut bound = Bound::default();
            let keys = capacity / 2;
            bound.open(keys.into(), allowed);
            let first = (0..keys).position(|n| {
                bound.enter(7 + n * capacity, 0, allowed);
                bound.settle(allowed);
                !bound.is_within()
            });
            // The n-th key is searched and put n places away: n * (n - 1) steps for n keys.
            let expected = (1..).find(|n: &u64| n * (n - 1) > 1024 + 16 * n).unwrap() - 1;
            assert_eq!(first, Some(usize::try_from(expected).unwrap()), "{capacity}");
        }
        // What is allowed is for all tables together.
        let mut bound = Bound::default();
        let ordinary = |bound: &mut Bound| {
            bound.open(90, allowed);
            (0..90).for_each(|n| bound.enter(n, 0, allowed));
            bound.close(allowed);
        };
        (0..10).for_each(|_| ordinary(&mut bound));
        let mut tables = 0;
        while bound.is_within() {
            bound.open(90, allowed);
            (0..60).for_each(|n| bound.enter(7 + n * 193, 0, allowed));
            bound.close(allowed);
            tables += 1;
        }
        assert_eq!(tables, 6, "3540 steps each, of which 960 are allowed, and 15 424 for what was before");
    }
}
