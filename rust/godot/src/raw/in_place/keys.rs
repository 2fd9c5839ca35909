//! KeyCache: keys and names seen before, as Variants that are ready, found by their wire records.
//!
//! Games say the same few keys all the time: a key from here is no new String. Direct-mapped and bounded, so
//! nobody can make it grow; whoever floods it only gets what there would be without.

use std::mem::ManuallyDrop;

use godot::builtin::Variant;
use godot::sys;

use super::bits::{NAME, STRING};
use super::builder::tag;
use super::made;
use crate::raw::layout::{PAYLOAD, read};

/// A power of two. An entry is 64 bytes: 16 KiB a codec that has decoded a dictionary.
const ENTRIES: usize = 256;
/// The longest record: header, length and 24 bytes of text.
const RECORD: usize = 32;

type Words = [u64; RECORD / 8];

#[derive(Debug)]
struct Entry {
    /// The record, with zeros after it. All zero: none.
    words: Words,
    key: Variant,
}

/// The cache. Empty until it is used.
#[derive(Debug, Default)]
pub(crate) struct KeyCache(Vec<Entry>);

impl KeyCache {
    /// The key that these bytes begin with, if it is a short String or StringName, and its length on the wire.
    /// It lives until the next call.
    #[inline]
    pub(super) fn find(&mut self, bytes: &[u8]) -> Option<(sys::GDExtensionConstVariantPtr, usize)> {
        let head = bytes.first_chunk::<8>()?;
        let header = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let length = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
        if !matches!(header, STRING | NAME) || length > RECORD - 8 {
            return None;
        }
        let used = 8 + length.next_multiple_of(4);
        let words = words(bytes, used)?;
        if self.0.is_empty() {
            self.0.resize_with(ENTRIES, || Entry { words: [0; 4], key: Variant::nil() });
        }
        let entry = &mut self.0[slot(words)];
        if entry.words != words {
            let text = std::str::from_utf8(bytes.get(8..8 + length)?).ok()?;
            entry.words = [0; 4];
            entry.key = made_of(header, text)?;
            entry.words = words;
        }
        Some((entry.key.var_sys(), used))
    }
}

/// The record as words, with zeros after it.
#[inline]
fn words(bytes: &[u8], used: usize) -> Option<Words> {
    let mut words = [0; 4];
    if let Some(record) = bytes.first_chunk::<RECORD>() {
        for (at, word) in words.iter_mut().enumerate() {
            // SAFETY: within the record.
            let there = unsafe { read::<u64>(record.as_ptr().add(at * 8)) };
            let valid = used.saturating_sub(at * 8).min(8);
            *word = if valid == 8 { there } else { there & ((1 << (valid * 8)) - 1) };
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

#[inline]
const fn slot(words: Words) -> usize {
    let [a, b, c, d] = words;
    let mixed = a
        ^ b.wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ c.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(17)
        ^ d.wrapping_mul(0x1656_67B1_9E37_79F9).rotate_left(31);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % ENTRIES
}

fn made_of(header: u32, text: &str) -> Option<Variant> {
    // Not dropped before it is whole.
    let mut key = ManuallyDrop::new(Variant::nil());
    let slot = key.var_sys_mut().cast::<u8>();
    // SAFETY: a Variant of ours that owns nothing; the payload of both types is their handle.
    unsafe {
        let place = slot.add(PAYLOAD);
        if header == STRING {
            made::string(place, text)?
        } else {
            made::name(place, text)?
        };
        tag(slot, header);
    }
    Some(ManuallyDrop::into_inner(key))
}
