//! Entries in the order of their keys, which are ints with a range. They are those of a keyed array, whose key is the
//! first of its Dictionaries, or of a keyed map.

use variant_core::Step;

use crate::count::Count;
use crate::layout::{Dict, Layout, Wire};
use crate::text::size;

/// Entries by their keys, from `min` on, `last` more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyedEntries {
    /// The key of a map. An array has none beside its Dictionaries.
    pub(crate) key: Option<usize>,
    /// The Dictionary of an array, or the value of a map.
    pub(crate) item: usize,
    pub(crate) count: Count,
    pub(crate) min: i64,
    pub(crate) last: u64,
}

/// The keys of entries, where each begins, of a map its value, and where the last ends.
pub(crate) type Entries = (Vec<u64>, Vec<usize>, usize);

impl KeyedEntries {
    /// The Dictionary that each entry of an array is.
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
        let count = codes.get(at).copied().unwrap_or(0);
        let room = size(count).min(codes.len());
        let (mut keys, mut starts) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let (before, own) = (self.before_key(layout), usize::from(self.key.is_some()));
        let mut at = at.saturating_add(1);
        for _ in 0..count {
            keys.push(codes.get(at.saturating_add(before)).copied().unwrap_or(0));
            at = at.saturating_add(own);
            starts.push(at);
            at = layout.skip(self.item, codes, at);
        }
        (keys, starts, at)
    }

    /// The step to an entry of a difference.
    pub(crate) fn step(&self, number: u64, key: u64) -> Step {
        if self.key.is_some() { Step::Entry(number) } else { Step::IntKey(key.cast_signed()) }
    }
}
