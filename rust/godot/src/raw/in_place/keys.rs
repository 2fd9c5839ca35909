//! Caches keys and names that came before, as Variants that are ready, found by their bytes.
//!
//! Games say the same few keys all the time, and a key from here is no new String. Each has two places, and
//! their number is bounded, so nobody can make the cache grow; a flood of keys only costs what there would be
//! without it.

use std::mem::ManuallyDrop;

use godot::builtin::Variant;
use godot::sys;
use variant_core::token::Record;

use super::bits::{NAME, STRING};
use super::empties::Empties;
use super::path_cache::{FoundPath, PathCache, PathQuery};
use super::slot::tag;
use super::strings;
use super::tables::Tables;
use super::templates::Templates;
use super::text_cache::TextCache;
use crate::raw::layout::PAYLOAD;

/// A power of two. An entry is 64 bytes: 64 KiB a codec that has decoded a dictionary. A text is at one of two places: of
/// forty that come all the time two want the same one in every second game, and each would be made anew each time.
const ENTRIES: usize = 1024;
/// Entries from which on a dictionary's keys are not looked for in the cache.
pub(super) const MANY: u32 = 64;
/// Header, length and 24 bytes of text: the longest record.
const LONGEST: usize = 32;

#[derive(Debug)]
struct Entry {
    /// The bytes of the text; the default stands for no text. INVARIANT: valid under SAFE, and padded with zeros.
    record: Record,
    key: Variant,
    /// The walk in which it came last.
    walk: u64,
}

/// The cache. Empty until it is used.
#[derive(Debug, Default)]
pub(crate) struct KeyCache {
    entries: Vec<Entry>,
    walk: u64,
    /// Bytes that a message of this walk may have.
    most: u64,
    pub(super) templates: Templates,
    /// Empty tables that are ready for large dictionaries.
    pub(super) tables: Tables,
    /// Empty typed dictionaries that are ready to be copied.
    pub(super) empties: Empties,
    paths: PathCache,
    /// Short texts that are no keys.
    pub(super) texts: TextCache,
}

/// A text that is there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct CachedText {
    /// It lives until the next call that may put another one in its place.
    pub(super) key: sys::GDExtensionConstVariantPtr,
    pub(super) record: Record,
    pub(super) is_again: bool,
}

impl KeyCache {
    /// Begins a walk. `most`: bytes that one message may have.
    pub(super) fn for_one_walk(&mut self, most: u64) -> &mut KeyCache {
        self.walk += 1;
        self.most = most;
        self
    }

    /// Returns the NodePath that was made of the same bytes. Its names have been counted only if it came in this walk.
    #[inline]
    pub(super) fn path(&self, path: PathQuery<'_>) -> Option<FoundPath> {
        self.paths.find(path, self.walk)
    }

    pub(super) fn keep_path(&mut self, wanted: PathQuery<'_>, path: &Variant) {
        self.paths.keep(wanted, path, self.walk, self.most);
    }

    /// Returns the text that these bytes begin with, if it is there.
    #[inline(always)]
    pub(super) fn known(&self, bytes: &[u8]) -> Option<CachedText> {
        let record = Record::read(bytes)?;
        let first = place(&record);
        let is_it = |entry: &&Entry| entry.record == record;
        let entry = match self.entries.get(first).filter(is_it) {
            Some(entry) => entry,
            None => self.entries.get(first ^ 1).filter(is_it)?,
        };
        Some(CachedText { key: entry.key.var_sys(), record, is_again: entry.walk == self.walk })
    }

    /// Keeps a text that a walk has just found valid, as a Variant. `None`: it is too long to be kept.
    pub(super) fn keep(&mut self, ty: u32, text: &str) -> Option<sys::GDExtensionConstVariantPtr> {
        let record = record_of(ty, text)?;
        if self.entries.is_empty() {
            let none = || Entry { record: Record::default(), key: Variant::nil(), walk: 0 };
            self.entries.resize_with(ENTRIES, none);
        }
        let first = place(&record);
        let second = first ^ 1;
        let is_at = |place: usize| self.entries[place].record == record;
        // What came longest ago makes room.
        let is_older = self.entries[second].walk < self.entries[first].walk;
        let at = if is_at(first) || !(is_at(second) || is_older) { first } else { second };
        let entry = &mut self.entries[at];
        if entry.record != record {
            entry.record = Record::default();
            entry.key = made_of(if record.is_name() { NAME } else { STRING }, text)?;
            entry.record = record;
        }
        entry.walk = self.walk;
        Some(entry.key.var_sys())
    }
}

/// Returns a short text as it would be written.
pub(super) fn record_of(ty: u32, text: &str) -> Option<Record> {
    let mut bytes = [0; LONGEST];
    bytes[..4].copy_from_slice(&ty.to_le_bytes());
    bytes[4..8].copy_from_slice(&u32::try_from(text.len()).ok()?.to_le_bytes());
    bytes[8..].get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Record::read(&bytes)
}

#[inline(always)]
const fn place(record: &Record) -> usize {
    record.hash() as usize % ENTRIES
}

fn made_of(header: u32, text: &str) -> Option<Variant> {
    // Not dropped before it is whole.
    let mut key = ManuallyDrop::new(Variant::nil());
    let slot = key.var_sys_mut().cast::<u8>();
    // SAFETY: a Variant of ours that owns nothing; the payload of both types is their handle.
    unsafe {
        let place = slot.add(PAYLOAD);
        if header == STRING {
            strings::string(place, text)?
        } else {
            strings::name(place, text)?
        };
        tag(slot, header);
    }
    Some(ManuallyDrop::into_inner(key))
}
