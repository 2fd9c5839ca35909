//! Entries in the order of their keys, which are ints with a range. They are those of a keyed array, whose key is the
//! first of its Dictionaries, or of a keyed map.

use std::ops::Range;

use variant_core::{ErrorKind, Step};

use crate::layout::{Dict, KeyedEntries, Layout, Wire};
use crate::text::size;

/// The keys of entries, where each begins, of a map its value, and where the last ends.
pub(crate) type Entries = (Vec<u64>, Vec<usize>, usize);

/// Sorts entries, whose codes begin at `start`, by their keys, each of which comes once. `moved` is memory.
pub(crate) fn sort(
    mut entries: Vec<(u64, Range<usize>)>,
    codes: &mut Vec<u64>,
    start: usize,
    moved: &mut Vec<u64>,
) -> Result<(), ErrorKind> {
    if entries.is_sorted_by(|a, b| a.0 < b.0) {
        return Ok(());
    }
    entries.sort_by_key(|(key, _)| *key);
    if entries.windows(2).any(|pair| pair.first().map(|(key, _)| key) == pair.last().map(|(key, _)| key)) {
        return Err(ErrorKind::DuplicateKey);
    }
    arrange(entries.into_iter().map(|(_, range)| range), codes, start, moved);
    Ok(())
}

/// Puts parts, whose codes begin at `start`, into this order.
pub(crate) fn arrange(
    parts: impl Iterator<Item = Range<usize>>,
    codes: &mut Vec<u64>,
    start: usize,
    moved: &mut Vec<u64>,
) {
    moved.clear();
    moved.extend_from_slice(codes.get(start..).unwrap_or_default());
    codes.truncate(start);
    for range in parts {
        let range = range.start.saturating_sub(start)..range.end.saturating_sub(start);
        codes.extend_from_slice(moved.get(range).unwrap_or_default());
    }
}

impl KeyedEntries {
    pub(crate) fn dict<'l>(&self, layout: &'l Layout) -> Option<&'l Dict> {
        match layout.node(self.item).map(|node| &node.wire) {
            Some(Wire::Dict(dict)) if self.key.is_none() => Some(dict),
            _ => None,
        }
    }

    /// The codes in front of the key of an entry.
    pub(crate) fn before_key(&self, layout: &Layout) -> usize {
        self.dict(layout).map_or(0, |dict| dict.optional)
    }

    pub(crate) fn entries(&self, layout: &Layout, codes: &[u64], at: usize) -> Entries {
        let mut walk = self.walk(layout, codes, at);
        let room = size(walk.left).min(codes.len());
        let (mut keys, mut starts) = (Vec::with_capacity(room), Vec::with_capacity(room));
        for (key, start, _) in walk.by_ref() {
            keys.push(key);
            starts.push(start);
        }
        (keys, starts, walk.at)
    }

    /// Steps through the entries whose count stands at `at`. There are none where nothing stands.
    pub(crate) fn walk<'c>(&self, layout: &'c Layout, codes: &'c [u64], at: usize) -> EntryWalk<'c> {
        EntryWalk {
            layout,
            codes,
            item: self.item,
            each: layout.node(self.item).and_then(|node| node.codes),
            before: self.before_key(layout),
            own: usize::from(self.key.is_some()),
            left: codes.get(at).copied().unwrap_or(0),
            at: at.saturating_add(1),
        }
    }

    pub(crate) fn step(&self, number: u64, key: u64) -> Step {
        if self.key.is_some() { Step::Entry(number) } else { Step::IntKey(key.cast_signed()) }
    }
}

/// Steps through entries: the key of each, and where it begins, of a map its value, and ends.
pub(crate) struct EntryWalk<'c> {
    layout: &'c Layout,
    codes: &'c [u64],
    item: usize,
    /// The codes of each, where all have as many.
    each: Option<usize>,
    before: usize,
    own: usize,
    pub(crate) left: u64,
    at: usize,
}

impl Iterator for EntryWalk<'_> {
    type Item = (u64, usize, usize);

    #[inline]
    fn next(&mut self) -> Option<(u64, usize, usize)> {
        self.left = self.left.checked_sub(1)?;
        let key = self.codes.get(self.at.saturating_add(self.before)).copied().unwrap_or(0);
        let start = self.at.saturating_add(self.own);
        self.at = match self.each {
            Some(each) => start.saturating_add(each),
            None => self.layout.skip(self.item, self.codes, start),
        };
        Some((key, start, self.at))
    }
}
