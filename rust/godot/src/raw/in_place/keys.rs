//! KeyCache: keys and names seen before, as Variants that are ready, found by their wire records.
//!
//! Games say the same few keys all the time: a key from here is no new String. Direct-mapped and bounded, so
//! nobody can make it grow; whoever floods it only gets what there would be without.

use std::mem::ManuallyDrop;

use godot::builtin::Variant;
use godot::sys;

use super::bits::{NAME, STRING};
use super::builder::tag;
use super::path_cache::PathCache;
use super::shapes::Shapes;
use super::strings;
use super::tables::Tables;
use crate::raw::layout::PAYLOAD;

/// A power of two. An entry is 64 bytes: 64 KiB a codec that has decoded a dictionary. With a quarter of that, three in
/// twenty of the forty names in the bench shared a place.
const ENTRIES: usize = 1024;
/// The longest record: header, length and 24 bytes of text.
const RECORD: usize = 32;

type Words = [u64; RECORD / 8];

#[derive(Debug)]
struct Entry {
    /// The record, with zeros after it. All zero: none. INVARIANT: valid under SAFE, and padded with zeros.
    words: Words,
    key: Variant,
    /// The walk in which it came last.
    walk: u64,
}

/// The cache. Empty until it is used.
#[derive(Debug, Default)]
pub(crate) struct KeyCache {
    entries: Vec<Entry>,
    walk: u64,
    pub(super) shapes: Shapes,
    /// What is ready for large dictionaries.
    pub(super) tables: Tables,
    paths: PathCache,
}

/// A short String as it stands in the bytes, with header, length and padding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    words: Words,
    used: usize,
}

/// Its words tell its length.
impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        self.words == other.words
    }
}

impl Record {
    /// The short String that these bytes begin with. Whether it is one that SAFE would accept is not asked.
    #[inline(always)]
    pub(super) fn read(bytes: &[u8]) -> Option<Record> {
        let (header, length) = head(bytes)?;
        let used = used(length);
        (header == STRING).then_some(Record { words: words(bytes, used)?, used })
    }

    /// As it would be written.
    pub(super) fn of_string(text: &str) -> Option<Record> {
        let record = record_of(STRING, text)?;
        Record::read(&record)
    }

    /// Bytes on the wire.
    #[inline(always)]
    pub(super) const fn field(&self) -> usize {
        self.used
    }

    /// Whether the bytes begin with it.
    #[inline(always)]
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
        let (Some(start), Some(masks)) = (bytes.first_chunk::<RECORD>(), MASKS.get(self.used / 4)) else {
            return words(bytes, self.used) == Some(self.words);
        };
        let mut difference = 0;
        for ((part, word), mask) in start.as_chunks().0.iter().zip(self.words).zip(masks) {
            difference |= (u64::from_le_bytes(*part) ^ word) & mask;
        }
        difference == 0
    }

    /// A number that depends on all of it.
    #[inline(always)]
    pub(super) const fn number(&self) -> usize {
        slot(self.words)
    }
}

/// A text that is there already.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// It lives until the next call that may put another one in its place.
    pub(super) key: sys::GDExtensionConstVariantPtr,
    pub(super) is_name: bool,
    pub(super) length: u32,
    pub(super) is_again: bool,
}

impl Found {
    /// Bytes on the wire.
    #[inline(always)]
    pub(super) const fn field(&self) -> usize {
        used(self.length)
    }
}

impl KeyCache {
    pub(super) fn for_one_walk(&mut self) -> &mut KeyCache {
        self.walk += 1;
        self
    }

    /// The NodePath that this walk has made of the same bytes.
    #[inline]
    pub(super) fn known_path(&self, record: &[u8]) -> Option<sys::GDExtensionConstVariantPtr> {
        self.paths.known(record, self.walk)
    }

    pub(super) fn keep_path(&mut self, record: &[u8], path: &Variant) {
        self.paths.keep(record, path, self.walk);
    }

    /// The text that these bytes begin with, if it is there.
    #[inline(always)]
    pub(super) fn known(&self, bytes: &[u8]) -> Option<Found> {
        let (header, length) = head(bytes)?;
        let words = words(bytes, used(length))?;
        let entry = self.entries.get(slot(words)).filter(|entry| entry.words == words)?;
        let (key, is_again) = (entry.key.var_sys(), entry.walk == self.walk);
        Some(Found { key, is_name: header == NAME, length, is_again })
    }

    /// A text that a walk has just found valid, as a Variant. `None`: it is too long to be kept.
    pub(super) fn keep(&mut self, ty: u32, text: &str) -> Option<sys::GDExtensionConstVariantPtr> {
        let record = record_of(ty, text)?;
        let mut words = [0; 4];
        for (word, part) in words.iter_mut().zip(record.as_chunks().0) {
            *word = u64::from_le_bytes(*part);
        }
        self.entry(words, ty, text)
    }

    /// The key that these checked bytes begin with, if it is a short String or StringName, and its length on the wire.
    /// It lives until the next call.
    #[inline]
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<(sys::GDExtensionConstVariantPtr, usize)> {
        if let Some(found) = self.known(bytes) {
            return Some((found.key, found.field()));
        }
        self.found_anew(bytes)
    }

    #[inline(never)]
    fn found_anew(&mut self, bytes: &[u8]) -> Option<(sys::GDExtensionConstVariantPtr, usize)> {
        let (header, length) = head(bytes)?;
        let used = used(length);
        let text = std::str::from_utf8(bytes.get(8..8 + length as usize)?).ok()?;
        Some((self.entry(words(bytes, used)?, header, text)?, used))
    }

    #[inline]
    fn entry(&mut self, words: Words, ty: u32, text: &str) -> Option<sys::GDExtensionConstVariantPtr> {
        if self.entries.is_empty() {
            self.entries.resize_with(ENTRIES, || Entry { words: [0; 4], key: Variant::nil(), walk: 0 });
        }
        let entry = &mut self.entries[slot(words)];
        if entry.words != words {
            entry.words = [0; 4];
            entry.key = made_of(ty, text)?;
            entry.words = words;
        }
        entry.walk = self.walk;
        Some(entry.key.var_sys())
    }
}

/// A short text as it is written, with zeros after it.
fn record_of(ty: u32, text: &str) -> Option<[u8; RECORD]> {
    let mut record = [0; RECORD];
    record[..4].copy_from_slice(&ty.to_le_bytes());
    record[4..8].copy_from_slice(&u32::try_from(text.len()).ok()?.to_le_bytes());
    record[8..].get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(record)
}

/// Header and length of a short text.
#[inline(always)]
fn head(bytes: &[u8]) -> Option<(u32, u32)> {
    let head = bytes.first_chunk::<8>()?;
    let header = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
    let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]);
    (matches!(header, STRING | NAME) && length as usize <= RECORD - 8).then_some((header, length))
}

#[inline(always)]
const fn used(length: u32) -> usize {
    8 + (length as usize).next_multiple_of(4)
}

/// The record as words, with zeros after it.
#[inline(always)]
fn words(bytes: &[u8], used: usize) -> Option<Words> {
    let mut words = [0; 4];
    if let Some(record) = bytes.first_chunk::<RECORD>() {
        let masks = MASKS.get(used / 4)?;
        for ((word, part), mask) in words.iter_mut().zip(record.as_chunks().0).zip(masks) {
            *word = u64::from_le_bytes(*part) & mask;
        }
        return Some(words);
    }
    let mut record = [0; RECORD];
    record[..used].copy_from_slice(bytes.get(..used)?);
    for (word, part) in words.iter_mut().zip(record.as_chunks().0) {
        *word = u64::from_le_bytes(*part);
    }
    Some(words)
}

/// By the length of a record in words of four bytes: its bits.
static MASKS: [Words; RECORD / 4 + 1] = {
    let mut masks = [[0; RECORD / 8]; RECORD / 4 + 1];
    let mut quads = 0;
    while quads < masks.len() {
        let mut at = 0;
        while at < RECORD / 8 {
            masks[quads][at] = match quads.saturating_sub(at * 2) {
                0 => 0,
                1 => u32::MAX as u64,
                _ => u64::MAX,
            };
            at += 1;
        }
        quads += 1;
    }
    masks
};

/// By all bits of all words: of texts that differ in their last character alone, the words differ in their top bits.
#[inline(always)]
const fn slot(words: Words) -> usize {
    let [a, b, c, d] = words;
    let mixed = (a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (c ^ d.rotate_left(29)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let folded = (mixed ^ (mixed >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (folded >> 40) as usize % ENTRIES
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn words_of(text: &str) -> Words {
        let mut record = vec![4, 0, 0, 0, text.len() as u8, 0, 0, 0];
        record.extend(text.bytes());
        record.resize(used(text.len() as u32), 0);
        let short = words(&record, record.len()).unwrap();
        record.resize(40, 0xEE);
        assert_eq!(words(&record, used(text.len() as u32)).unwrap(), short, "{text:?}");
        short
    }

    /// Similar texts of every length have places of their own, more or less.
    #[test]
    fn places_depend_on_every_character() {
        for length in 1..=24 {
            for at in 0..length {
                let texts = (b'0'..b'p').map(|byte| {
                    let mut text = vec![b'x'; length];
                    text[at] = byte;
                    String::from_utf8(text).unwrap()
                });
                let places: BTreeSet<usize> = texts.map(|text| slot(words_of(&text))).collect();
                assert!(places.len() > 52, "{} places for 64 texts of {length}, {at}", places.len());
            }
        }
    }
}
