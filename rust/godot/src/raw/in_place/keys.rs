//! Caches keys and names that came before, as Variants that are ready, found by their bytes.
//!
//! Games say the same few keys all the time, and a key from here is no new String. Each has two places, and
//! their number is bounded, so nobody can make the cache grow; a flood of keys only costs what there would be
//! without it.

use std::mem::ManuallyDrop;

use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use godot::sys;
use variant_core::VariantType;
use variant_core::token::Record;

use super::super::layout::word_at;
use super::bits::{NAME, STRING, id};
use super::calls;
use super::packed::BorrowedBytes;
use super::path_cache::{PathCache, PathQuery};
use super::strings;
use super::tables::{Empties, Tables};
use super::templates::{Templates, record_of};
use super::text_cache::TextCache;

/// A power of two. An entry is 64 bytes: 64 KiB a codec that has decoded a dictionary. A text is at one of two places: of
/// forty that come all the time two want the same one in every second game, and each would be made anew each time.
const ENTRIES: usize = 1024;
/// Entries from which on a dictionary's keys are not looked for in the cache.
pub(super) const MANY: u32 = 64;

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

impl KeyCache {
    /// Begins a walk. `most`: bytes that one message may have.
    pub(super) fn for_one_walk(&mut self, most: u64) -> &mut KeyCache {
        self.walk += 1;
        self.most = most;
        self
    }

    /// Returns the NodePath that was made of the same bytes. It lives until the next call that may put another one in its place.
    #[inline]
    pub(super) fn path(&self, path: PathQuery<'_>) -> Option<sys::GDExtensionConstVariantPtr> {
        self.paths.find(path)
    }

    /// Makes a NodePath that is not there in the slot, and offers it to the cache. Its bytes lie in those that are lent.
    ///
    /// # Safety
    /// A living Variant that nobody else uses lies at `slot`. The value that it holds is let go.
    #[inline(never)]
    pub(super) unsafe fn make_path(
        &mut self,
        wanted: PathQuery<'_>,
        lent: &BorrowedBytes<'_>,
        slot: *mut u8,
    ) -> Option<()> {
        let at = wanted.record.as_ptr().addr().checked_sub(lent.bytes.as_ptr().addr())?;
        // SAFETY: the caller's promise: what is assigned to a Variant takes the place of what it held. The holder lives as
        // long as the bytes.
        unsafe {
            match lent.handle() {
                Some(array) => calls::read_at(array, at as u64, slot)?,
                None => *slot.cast() = bytes_to_var(&PackedByteArray::from(wanted.record)),
            }
            if word_at(slot) != id(VariantType::NodePath) {
                return None;
            }
            self.paths.keep(wanted, &*slot.cast(), self.walk, self.most);
        }
        Some(())
    }

    /// Returns the text that these bytes begin with, if it is there. It lives until the next call that may put another one in
    /// its place.
    #[inline(always)]
    pub(super) fn known(&self, bytes: &[u8]) -> Option<sys::GDExtensionConstVariantPtr> {
        let record = Record::read(bytes)?;
        let first = place(&record);
        let is_it = |entry: &&Entry| entry.record == record;
        let at = |place: usize| self.entries.get(place).filter(is_it);
        let entry = at(first).or_else(|| at(first ^ 1))?;
        Some(entry.key.var_sys())
    }

    /// Makes a StringName that a reader has just found valid in the slot, and keeps it if it is short.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    pub(super) unsafe fn make_name(&mut self, text: &str, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise; a copy of an entry is made while it lives.
        unsafe {
            match self.keep(NAME, text) {
                Some(kept) => calls::copy(slot.cast(), kept),
                None => strings::variant(slot, NAME, text)?,
            }
        }
        Some(())
    }

    /// Keeps a text that a reader has just found valid, as a Variant. `None`: it is too long to be kept.
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

#[inline]
const fn place(record: &Record) -> usize {
    record.hash() as usize % ENTRIES
}

fn made_of(ty: u32, text: &str) -> Option<Variant> {
    // Not dropped before it is whole.
    let mut key = ManuallyDrop::new(Variant::nil());
    // SAFETY: a Variant of ours that owns nothing.
    unsafe { strings::variant(key.var_sys_mut().cast(), ty, text)? };
    Some(ManuallyDrop::into_inner(key))
}
