//! Crowd: at most how many steps the engine's hash tables will take for the keys that come. Cheaper than to count them.
//!
//! Which places of such a table are taken does not depend on who takes them: a new key ends in the first free place
//! from the one it wants, whoever moves on the way. So one bit a place is enough to know how far that is. The search
//! before the insert goes no farther. Who refuses nothing by this bound refuses nothing by `probes.rs`, which is the
//! plain twin and counts exactly; where the bound is passed, the twin has to be asked.

use crate::wire::hash_table;

/// The places of one open Dictionary's table.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// Which capacity it has.
    size: usize,
    capacity: u32,
    /// Where its places begin, one bit each, and where its hashes.
    places: usize,
    hashes: usize,
}

#[derive(Debug, Default)]
pub(super) struct Crowd {
    tables: Vec<Table>,
    /// The places of all open tables; bits behind the last place of a table are set.
    places: Vec<u64>,
    /// All hashes in them, in the order in which they came.
    hashes: Vec<u32>,
    steps: u64,
}

impl Crowd {
    pub(super) fn clear(&mut self) {
        self.tables.clear();
        self.places.clear();
        self.hashes.clear();
        self.steps = 0;
    }

    pub(super) fn open(&mut self) {
        let (places, hashes) = (self.places.len(), self.hashes.len());
        self.tables.push(Table { size: 0, capacity: 0, places, hashes });
        self.resize(0);
    }

    pub(super) fn close(&mut self) {
        if let Some(table) = self.tables.pop() {
            self.places.truncate(table.places);
            self.hashes.truncate(table.hashes);
        }
    }

    /// A key of this hash goes into the innermost table. `compared`: what it costs to compare it with another of the same
    /// hash. Answers with all steps so far, at most.
    pub(super) fn enter(&mut self, hash: u32, compared: u64) -> u64 {
        let Some(table) = self.tables.last().copied() else { return self.steps };
        let entries = self.hashes.len().saturating_sub(table.hashes).saturating_add(1);
        let entries = u64::try_from(entries).unwrap_or(u64::MAX);
        if !hash_table::holds(table.capacity, entries) {
            let searched = self.distance(hash).1;
            self.step(searched, compared.saturating_add(1));
            self.resize(table.size.saturating_add(1));
        }
        self.hashes.push(hash);
        let inserted = self.take(hash);
        self.step(inserted, compared.saturating_add(2));
        self.steps
    }

    fn step(&mut self, count: u64, cost: u64) {
        self.steps = self.steps.saturating_add(count.saturating_mul(cost));
    }

    /// Gives the innermost table this size, with all its hashes in it.
    fn resize(&mut self, size: usize) {
        let capacity = hash_table::CAPACITIES.get(size).copied().unwrap_or(u32::MAX);
        let Some(table) = self.tables.last_mut() else { return };
        (table.size, table.capacity) = (size, capacity);
        let table = *table;
        let words = usize::try_from(capacity.div_ceil(64)).unwrap_or(usize::MAX);
        self.places.truncate(table.places);
        self.places.resize(table.places.saturating_add(words), 0);
        if let Some(last) = self.places.last_mut() {
            *last = u64::MAX.checked_shl(capacity & 63).unwrap_or(0);
        }
        for at in table.hashes..self.hashes.len() {
            let hash = self.hashes.get(at).copied().unwrap_or(0);
            let moved = self.take(hash);
            self.step(moved, 1);
        }
    }

    /// Takes the first free place for a hash; how far it is from the one wanted.
    fn take(&mut self, hash: u32) -> u64 {
        let (at, distance) = self.distance(hash);
        if let Some(word) = self.places.get_mut(at / 64) {
            *word |= 1_u64.checked_shl(u32::try_from(at & 63).unwrap_or(0)).unwrap_or(0);
        }
        distance
    }

    /// The first free place for a hash, counted from the beginning of all tables' places, and how far that is.
    #[inline]
    fn distance(&self, hash: u32) -> (usize, u64) {
        let Some(table) = self.tables.last() else { return (0, 0) };
        let home = hash.checked_rem(table.capacity).unwrap_or(0);
        let words = self.places.get(table.places..).unwrap_or_default();
        let mut at = usize::try_from(home / 64).unwrap_or(0);
        let mut free = words.get(at).map_or(0, |word| !word) & u64::MAX.checked_shl(home & 63).unwrap_or(0);
        // Once around and the first word again: a quarter of the places is free, so that one is found.
        for _ in 0..=words.len() {
            if free != 0 {
                break;
            }
            at = if at.saturating_add(1) < words.len() { at.saturating_add(1) } else { 0 };
            free = words.get(at).map_or(0, |word| !word);
        }
        let place =
            u64::try_from(at).unwrap_or(0).saturating_mul(64).saturating_add(free.trailing_zeros().into());
        let around = if place < u64::from(home) { u64::from(table.capacity) } else { 0 };
        let absolute = usize::try_from(place).unwrap_or(0).saturating_add(table.places.saturating_mul(64));
        (absolute, place.saturating_add(around).saturating_sub(home.into()))
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

    /// Exact steps and their bound for these keys, which have so many bytes each.
    #[track_caller]
    fn steps(hashes: impl IntoIterator<Item = u32>, bytes: u64) -> (u64, u64) {
        let (mut exact, mut crowd) = (Probes::default(), Crowd::default());
        let (key, value) = (ContainerType::None, ContainerType::None);
        exact.open(&Container::Dictionary { key, value, count: 1000 }, false, 0, &Rules::default());
        crowd.open();
        for hash in hashes {
            exact.enter(hash, bytes, WIDE).unwrap();
            let bound = crowd.enter(hash, bytes / COMPARED);
            assert!(bound >= exact.steps(), "{bound} is no bound of {}", exact.steps());
        }
        (exact.steps(), crowd.steps)
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

    #[test]
    fn tables_in_tables_are_apart() {
        let mut crowd = Crowd::default();
        crowd.open();
        let first = crowd.enter(30, 0);
        crowd.open();
        assert_eq!(crowd.enter(30, 0), first, "another table");
        crowd.close();
        assert_eq!(crowd.enter(30, 0), first + 2, "next to the first");
        crowd.close();
        assert!(crowd.places.is_empty() && crowd.hashes.is_empty() && crowd.tables.is_empty());
    }
}
