//! PathCache: NodePaths that this walk has made already, found by their wire records.
//!
//! A path is the dearest of all small values: five names are looked for in the engine's table, and each is a text before.
//! Direct-mapped and bounded, as the cache of keys is; a path has to come twice in a row of those that want its place.

use godot::builtin::Variant;
use godot::sys;

/// A power of two.
const ENTRIES: usize = 64;
/// The longest record that is kept.
const RECORD: usize = 256;

#[derive(Debug)]
struct Entry {
    /// INVARIANT: valid under SAFE, and what `path` was made of. Empty: none.
    record: Vec<u8>,
    path: Variant,
    /// The walk in which it came last.
    walk: u64,
    /// What the path that wanted this place last is told by.
    wanted: u64,
}

/// Empty until it is used.
#[derive(Debug, Default)]
pub(super) struct PathCache {
    entries: Vec<Entry>,
}

impl PathCache {
    /// The path that was made of these bytes in this walk. It lives until the next call that may put another one in its
    /// place.
    #[inline]
    pub(super) fn known(&self, record: &[u8], walk: u64) -> Option<sys::GDExtensionConstVariantPtr> {
        if self.entries.is_empty() {
            return None;
        }
        let entry = self.entries.get(place(mixed(record)))?;
        (entry.walk == walk && entry.record == record).then(|| entry.path.var_sys())
    }

    /// The path that was made of these bytes in any walk.
    #[inline]
    pub(super) fn made(&self, record: &[u8]) -> Option<sys::GDExtensionConstVariantPtr> {
        let entry = self.entries.get(place(mixed(record)))?;
        (entry.record == record && !record.is_empty()).then(|| entry.path.var_sys())
    }

    /// Offers a path that has just been made.
    pub(super) fn keep(&mut self, record: &[u8], path: &Variant, walk: u64) {
        if self.entries.is_empty() {
            let empty = || Entry { record: Vec::new(), path: Variant::nil(), walk: 0, wanted: 0 };
            self.entries.resize_with(ENTRIES, empty);
        }
        let mixed = mixed(record);
        let entry = &mut self.entries[place(mixed)];
        if entry.record == record {
            // Of an older walk, in which its names were counted.
            entry.walk = walk;
            return;
        }
        if record.len() > RECORD || std::mem::replace(&mut entry.wanted, mixed) != mixed {
            return;
        }
        entry.record.clear();
        entry.record.extend_from_slice(record);
        entry.path = path.clone();
        entry.walk = walk;
    }
}

/// By all words: whoever makes paths for one place only gets what there would be without.
fn mixed(record: &[u8]) -> u64 {
    let (words, tail) = record.as_chunks::<8>();
    let last = tail.first_chunk::<4>().map_or(0, |last| u32::from_le_bytes(*last).into());
    let mixed = words.iter().fold(last, |mixed: u64, word| {
        (mixed ^ u64::from_le_bytes(*word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31)
    });
    mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

const fn place(mixed: u64) -> usize {
    (mixed >> 40) as usize % ENTRIES
}
