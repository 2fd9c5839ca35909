//! Probes: counts the steps that the engine's hash table will take for the keys that come. It knows hashes and
//! distances, and no values.
//!
//! The engine's table has no secret, so keys can be made that all want one place; then each new key is compared with
//! all before it. This is the same table (capacities, growth, robin-hood order) run beforehand, with every step
//! counted against `max_key_probes` for each entry. It stops at the first step too many, so its own time is bounded
//! by what it refuses. Keys of one hash are taken as different keys.

use super::bound::{Allowance, Bound};
use super::key_hash::KeyHash;
use super::scratch::let_go;
use crate::fault::ErrorKind;
use crate::token::{Container, Leaf, Text};
use crate::wire::{RealWidth, Rules, hash_table};

/// Dictionaries up to this size cannot cost much whatever their keys are, and their table never grows.
pub(crate) const SMALL: u32 = 16;
/// Steps that every walk may take besides those of its entries.
const FREE: u64 = 1024;
/// Bytes of equal keys that cost as much to compare as a step.
const COMPARED: u64 = 16;

/// A place of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0: free.
    hash: u32,
    /// From the place that the hash wants.
    distance: u32,
}

/// The table of one open Dictionary.
#[derive(Clone, Copy, Debug)]
struct ProbeTable {
    /// The depth of its level.
    depth: usize,
    /// Where its slots begin; they go on to the end, since only the innermost table changes.
    start: usize,
    /// Which capacity it has.
    size: usize,
    entries: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Probes {
    hashes: KeyHash,
    tables: Vec<ProbeTable>,
    /// The slots of all open tables.
    slots: Vec<Slot>,
    /// The slots of a table before it grew.
    old: Vec<Slot>,
    entries: u64,
    steps: u64,
    /// The hash of the key that was entered last.
    counted: u32,
    /// Whether steps are only bounded, by `bound`, and not counted.
    pub(crate) are_bounded: bool,
    bound: Bound,
}

impl Probes {
    pub(crate) fn let_go(&mut self) {
        self.clear();
        let_go(&mut self.slots);
        let_go(&mut self.old);
        self.bound.let_go();
    }

    pub(crate) fn clear(&mut self) {
        self.hashes.clear();
        self.tables.clear();
        self.slots.clear();
        self.entries = 0;
        self.steps = 0;
        self.bound.clear();
    }

    /// Tells whether the value has to be hashed: a key of the innermost table, if `key` is the depth of that, or a part of one.
    #[inline]
    fn wants(&self, key: Option<usize>) -> bool {
        match self.tables.last() {
            None => false,
            Some(table) => self.hashes.is_inside() || key == Some(table.depth),
        }
    }

    /// Tells whether the value that comes is a part of a key that is hashed.
    #[inline]
    pub(crate) const fn is_inside_key(&self) -> bool {
        self.hashes.is_inside()
    }

    /// Returns the hash of the key entered last, where the Dictionary at this depth has a table: no more keys may have
    /// the same one than its steps allow.
    #[inline]
    pub(crate) fn key_hash(&self, depth: usize) -> Option<u32> {
        let table = self.tables.last()?;
        (table.depth == depth).then_some(self.counted)
    }

    #[inline]
    pub(crate) fn leaf(&mut self, leaf: &Leaf<'_>, key: Option<usize>, reals: RealWidth) {
        if self.wants(key) {
            self.hashes.leaf(leaf, reals);
        }
    }

    #[inline]
    pub(crate) fn text(&mut self, text: &Text<'_>) {
        if self.hashes.is_inside() {
            self.hashes.text(text);
        }
    }

    /// Takes note of a container that opens in the level at depth `at`.
    pub(crate) fn open(&mut self, container: &Container<'_>, key: Option<usize>, at: usize, rules: &Rules) {
        if self.wants(key) {
            self.hashes.open(container);
        }
        if let Container::Dictionary { count, .. } = container
            && *count > SMALL
            && rules.limits.max_key_probes < u64::MAX
        {
            let start = self.slots.len();
            self.tables.push(ProbeTable { depth: at.saturating_add(1), start, size: 0, entries: 0 });
            if self.are_bounded {
                return;
            }
            self.slots.resize(start.saturating_add(width(0)), Slot::default());
        }
    }

    /// Takes note that the Dictionary that has just opened is to have so many entries, for which there are bytes.
    #[inline]
    pub(crate) fn expect(&mut self, container: &Container<'_>, entries: usize, rules: &Rules) {
        if let Container::Dictionary { count, .. } = container
            && *count > SMALL
            && self.are_bounded
            && rules.limits.max_key_probes < u64::MAX
        {
            self.bound.open(u64::try_from(entries).unwrap_or(u64::MAX), allowance(rules));
        }
    }

    /// Takes note that the container whose children are at `depth` is complete.
    #[inline]
    pub(crate) fn close(&mut self, depth: usize, rules: &Rules) -> Result<(), ErrorKind> {
        if let Some(table) = self.tables.pop_if(|table| table.depth == depth) {
            self.slots.truncate(table.start);
            if self.are_bounded {
                self.bound.close(allowance(rules));
            }
        }
        if self.hashes.is_inside() {
            self.hashes.close();
        }
        self.within_bound(rules)
    }

    /// Refuses if any key so far was more than the bound allows, those included that it has not looked at yet.
    pub(crate) fn settle(&mut self, rules: &Rules) -> Result<(), ErrorKind> {
        if self.are_bounded {
            self.bound.settle(allowance(rules));
        }
        self.within_bound(rules)
    }

    #[inline]
    const fn within_bound(&self, rules: &Rules) -> Result<(), ErrorKind> {
        let limit = rules.limits.max_key_probes;
        if self.bound.is_within() { Ok(()) } else { Err(ErrorKind::TooManyProbes { limit }) }
    }

    /// Enters the key of so many bytes that was read last into the table at this depth, if there is one.
    #[inline]
    pub(crate) fn end_key(
        &mut self,
        depth: usize,
        bytes: u64,
        rules: &Rules,
        known: impl FnOnce() -> Option<u32>,
    ) -> Result<(), ErrorKind> {
        match self.tables.last() {
            Some(table) if table.depth == depth => {
                let hash = known().unwrap_or(self.hashes.last()).max(1);
                self.counted = hash;
                if self.are_bounded {
                    let compared = bytes.checked_div(COMPARED).unwrap_or(0);
                    self.bound.enter(hash, compared, allowance(rules));
                    return self.within_bound(rules);
                }
                self.enter(hash, bytes, rules.limits.max_key_probes)
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn enter(&mut self, hash: u32, bytes: u64, limit: u64) -> Result<(), ErrorKind> {
        self.entries = self.entries.saturating_add(1);
        let found = self.search(hash, bytes, limit)?;
        if self.grow(limit)? {
            let home = Probe { at: self.home(hash), distance: 0 };
            self.insert(hash, home, limit)
        } else {
            // The insert begins by going where the search went, since it passes the same keys.
            self.step(u64::from(found.distance), limit)?;
            self.insert(hash, found, limit)
        }
    }

    fn step(&mut self, cost: u64, limit: u64) -> Result<(), ErrorKind> {
        self.steps = self.steps.saturating_add(cost);
        if self.steps > self.allowed(limit) { Err(ErrorKind::TooManyProbes { limit }) } else { Ok(()) }
    }

    const fn allowed(&self, limit: u64) -> u64 {
        limit.saturating_mul(self.entries).saturating_add(FREE)
    }

    /// Looks for the key as the engine does before it inserts: past every place that may still hold it.
    fn search(&mut self, hash: u32, bytes: u64, limit: u64) -> Result<Probe, ErrorKind> {
        let mut stop = Probe { at: self.home(hash), distance: 0 };
        let compared = bytes.checked_div(COMPARED).unwrap_or(0);
        let (mut steps, allowed) = (self.steps, self.allowed(limit));
        let table = self.table();
        while let Some(slot) = table.get(stop.at) {
            if slot.hash == 0 || stop.distance > slot.distance {
                break;
            }
            steps = steps.saturating_add(if slot.hash == hash { compared.saturating_add(1) } else { 1 });
            if steps > allowed {
                return Err(ErrorKind::TooManyProbes { limit });
            }
            stop.advance(table.len());
        }
        self.steps = steps;
        Ok(stop)
    }

    /// Inserts a hash. A key farther from home takes the place of one that is nearer, which goes on.
    fn insert(&mut self, hash: u32, from: Probe, limit: u64) -> Result<(), ErrorKind> {
        let mut stop = from;
        let mut moving = hash;
        let (mut steps, allowed) = (self.steps, self.allowed(limit));
        let start = self.tables.last().map_or(0, |table| table.start);
        let table = self.slots.get_mut(start..).unwrap_or_default();
        let length = table.len();
        while let Some(slot) = table.get_mut(stop.at) {
            if slot.hash == 0 {
                *slot = Slot { hash: moving, distance: stop.distance };
                break;
            }
            if slot.distance < stop.distance {
                std::mem::swap(&mut slot.hash, &mut moving);
                std::mem::swap(&mut slot.distance, &mut stop.distance);
            }
            stop.advance(length);
            steps = steps.saturating_add(1);
            if steps > allowed {
                return Err(ErrorKind::TooManyProbes { limit });
            }
        }
        self.steps = steps;
        if let Some(table) = self.tables.last_mut() {
            table.entries = table.entries.saturating_add(1);
        }
        Ok(())
    }

    /// Makes room for one more entry: the next capacity, with all entries inserted anew in the order of their places.
    /// False when there is room already.
    fn grow(&mut self, limit: u64) -> Result<bool, ErrorKind> {
        let Some(table) = self.tables.last_mut() else { return Ok(false) };
        let capacity = hash_table::CAPACITIES.get(table.size).copied().unwrap_or(u32::MAX);
        if hash_table::holds(capacity, table.entries.saturating_add(1)) {
            return Ok(false);
        }
        table.size = table.size.saturating_add(1);
        table.entries = 0;
        let (start, size) = (table.start, table.size);
        self.old.clear();
        self.old.extend_from_slice(self.slots.get(start..).unwrap_or_default());
        self.slots.truncate(start);
        self.slots.resize(start.saturating_add(width(size)), Slot::default());
        let old = std::mem::take(&mut self.old);
        let outcome = old.iter().filter(|slot| slot.hash != 0).try_for_each(|slot| {
            let home = Probe { at: self.home(slot.hash), distance: 0 };
            self.insert(slot.hash, home, limit)
        });
        self.old = old;
        outcome.map(|()| true)
    }

    fn table(&self) -> &[Slot] {
        let start = self.tables.last().map_or(0, |table| table.start);
        self.slots.get(start..).unwrap_or_default()
    }

    /// Returns the place in the innermost table that a hash wants.
    fn home(&self, hash: u32) -> usize {
        let size = self.tables.last().map_or(0, |table| table.size);
        let capacity = hash_table::CAPACITIES.get(size).copied().unwrap_or(u32::MAX);
        usize::try_from(hash.checked_rem(capacity).unwrap_or(0)).unwrap_or(0)
    }
}

/// A place that a key passes in a table.
#[derive(Clone, Copy, Debug)]
struct Probe {
    at: usize,
    /// From the place that the key wants.
    distance: u32,
}

impl Probe {
    /// Goes on to the next place, around the end.
    #[inline]
    const fn advance(&mut self, length: usize) {
        let next = self.at.saturating_add(1);
        self.at = if next < length { next } else { 0 };
        self.distance = self.distance.saturating_add(1);
    }
}

/// Gives the steps that `Probes::allowed` allows, for the bound.
const fn allowance(rules: &Rules) -> Allowance {
    Allowance { free: FREE, each: rules.limits.max_key_probes }
}

/// Returns the slots of a table of this capacity.
fn width(size: usize) -> usize {
    let capacity = hash_table::CAPACITIES.get(size).copied().unwrap_or(u32::MAX);
    usize::try_from(capacity).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::token::ContainerType;

    impl Probes {
        pub(crate) const fn steps(&self) -> u64 {
            self.steps
        }
    }

    const WIDE: u64 = u64::MAX - 1;

    fn dictionary(count: u32) -> Container<'static> {
        Container::Dictionary { key: ContainerType::None, value: ContainerType::None, count }
    }

    fn rules(max_key_probes: u64) -> Rules {
        Rules::safe(Limits { max_key_probes, ..Limits::save_file() })
    }

    fn opened(count: u32, max_key_probes: u64) -> Probes {
        let mut probes = Probes::default();
        probes.open(&dictionary(count), None, 0, &rules(max_key_probes));
        probes
    }

    #[test]
    fn only_large_dictionaries_have_a_table_and_only_under_a_limit() {
        let tables = |count, limit| opened(count, limit).tables.len();
        assert_eq!([tables(SMALL, 16), tables(SMALL + 1, 16)], [0, 1]);
        assert_eq!([tables(1000, WIDE), tables(1000, u64::MAX)], [1, 0]);
        // The same of the bound.
        let bounded = |count, limit| {
            let mut probes = Probes { are_bounded: true, ..Probes::default() };
            probes.open(&dictionary(count), None, 0, &rules(limit));
            probes.expect(&dictionary(count), 1000, &rules(limit));
            (probes.tables.len(), !format!("{:?}", probes.bound).contains("tables: []"), probes.slots.len())
        };
        assert_eq!(bounded(SMALL, 16), (0, false, 0));
        assert_eq!(bounded(SMALL + 1, 16), (1, true, 0));
        assert_eq!(bounded(1000, WIDE), (1, true, 0));
        assert_eq!(bounded(1000, u64::MAX), (0, false, 0));
        let mut exact = opened(1000, 16);
        exact.expect(&dictionary(1000), 1000, &rules(16));
        assert!(format!("{:?}", exact.bound).contains("tables: []"), "what is counted is not bounded");
    }

    /// The n-th key of one hash is compared with n - 1, and then goes past them.
    #[test]
    fn keys_of_one_hash_pass_each_other() {
        for (bytes, compared) in [(8, 0), (16, 1), (160, 10)] {
            let mut probes = opened(1000, WIDE);
            for n in 0..17_u64 {
                assert_eq!(probes.steps(), (compared + 2) * n * n.saturating_sub(1) / 2, "{n} keys");
                probes.enter(7, bytes, WIDE).unwrap();
            }
        }
        // Others at the same place are passed, and not compared.
        let mut probes = opened(1000, WIDE);
        for n in 0..17_u32 {
            let before = probes.steps();
            probes.enter(7 + n * 23, 160, WIDE).unwrap();
            assert_eq!(probes.steps() - before, 2 * u64::from(n));
        }
    }

    /// Whatever keys come: the first whose steps are more than all so far are allowed is refused, and none before.
    #[test]
    fn the_budget_is_spent_to_the_last_step() {
        let (mut exact, mut refused, mut all) = (0, 0, 0);
        for seed in 1..200_u32 {
            // Few places, or ever the same.
            let hash = |n: u32| {
                1 + ((n + seed).wrapping_mul(2_654_435_761_u32.wrapping_mul(seed)) >> 24) % (1 + seed % 40)
            };
            for bytes in [8, 40] {
                let mut free = opened(1000, WIDE);
                let spent: Vec<u64> = (0..120)
                    .map(|n| {
                        free.enter(hash(n), bytes, WIDE).unwrap();
                        free.steps()
                    })
                    .collect();
                all += free.steps();
                for limit in [0, 1, 4, 15, 40] {
                    let allowed = |at: usize| limit * (at as u64 + 1) + FREE;
                    let expected = spent.iter().enumerate().position(|(at, steps)| *steps > allowed(at));
                    let mut probes = opened(1000, limit);
                    let first = (0..120).position(|n| {
                        let outcome = probes.enter(hash(n), bytes, limit);
                        assert!(outcome.is_ok() || outcome == Err(ErrorKind::TooManyProbes { limit }));
                        outcome.is_err()
                    });
                    assert_eq!(first, expected, "limit {limit}");
                    let until = expected.unwrap_or(spent.len());
                    exact += (0..until).filter(|at| spent[*at] == allowed(*at)).count();
                    refused += usize::from(expected.is_some());
                }
            }
        }
        assert!(exact > 20 && refused > 200, "{exact} met exactly, {refused} refused");
        // All searches and changes of places: a table that does either otherwise has another number.
        assert_eq!(all, 4_704_396);
    }

    /// Keys of a small Dictionary inside do not go into the table around it.
    #[test]
    fn keys_go_into_the_table_of_their_own_dictionary() {
        let rules = rules(16);
        for are_bounded in [false, true] {
            let mut probes = Probes { are_bounded, ..Probes::default() };
            probes.open(&dictionary(1000), None, 0, &rules);
            probes.expect(&dictionary(1000), 1000, &rules);
            assert_eq!(probes.key_hash(1), Some(0), "no key so far");
            probes.end_key(1, 8, &rules, || Some(77)).unwrap();
            assert_eq!((probes.key_hash(1), probes.key_hash(2)), (Some(77), None));
            for _ in 0..5000 {
                probes.end_key(2, 8, &rules, || Some(7)).unwrap();
            }
            probes.settle(&rules).unwrap();
            assert_eq!(probes.key_hash(1), Some(77));
            assert_eq!(probes.entries, u64::from(!are_bounded));
        }
    }

    /// Steps that only the bound counts are refused by it: at the next settling, at the end of the table, at the end of all.
    #[test]
    fn what_is_bounded_is_refused_too() {
        let rules = rules(2);
        let kind = Err(ErrorKind::TooManyProbes { limit: 2 });
        let flooded = |keys: u32| {
            let mut probes = Probes { are_bounded: true, ..Probes::default() };
            probes.open(&dictionary(1000), None, 0, &rules);
            probes.expect(&dictionary(1000), 1000, &rules);
            let first = (0..keys).position(|_| probes.end_key(1, 8, &rules, || Some(7)).is_err());
            (probes, first)
        };
        assert_eq!(flooded(1000).1, Some(63), "the first 64 together");
        let (mut probes, first) = flooded(60);
        assert_eq!((first, probes.settle(&rules)), (None, kind));
        let (mut probes, first) = flooded(60);
        assert_eq!((first, probes.close(1, &rules)), (None, kind));
        let (mut probes, _) = flooded(20);
        assert_eq!((probes.close(1, &rules), probes.settle(&rules)), (Ok(()), Ok(())));
    }

    #[test]
    fn a_giants_memory_is_given_back() {
        let mut probes = opened(1_000_000, WIDE);
        (1..200_000).for_each(|hash| probes.enter(hash, 8, WIDE).unwrap());
        assert!(probes.slots.capacity() > 200_000 && probes.old.capacity() > 50_000);
        probes.let_go();
        let bytes = (probes.slots.capacity() + probes.old.capacity()) * size_of::<Slot>();
        assert!(bytes <= 32 * 1024 && probes.tables.is_empty(), "{bytes}");
        let mut probes = Probes { are_bounded: true, ..Probes::default() };
        probes.expect(&dictionary(1_000_000), 1_000_000, &rules(16));
        probes.bound.let_go();
        assert!(format!("{:?}", probes.bound).contains("tables: []"));
    }
}
