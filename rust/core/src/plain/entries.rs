//! Reads entries of dictionaries key by key: no two of a Dictionary may be equal. Keys are compared by their bytes, so that
//! all of them are Strings, StringNames or ints of four bytes, of which equal ones have equal bytes. A single key may be
//! of another type.

use super::keys::{MOST, Start};
use super::limits::{DEEPEST_FLAT_KEY, LONGEST_FLAT_NAME};
use super::make::Make;
use super::{Reader, word};
use crate::token::{
    self, ARRAY, DICTIONARY, INT, NIL, STRING, STRING_NAME, WIDE_INT, plain_text, short_string,
};
use crate::wire::{TypeSet, WIDE};

/// The entries of a Dictionary that are to be read.
#[derive(Clone, Copy)]
pub(super) struct RemainingEntries {
    pub(super) count: usize,
    /// Types declared, of keys and of values.
    pub(super) declared: (u32, u32),
    /// A template that was followed, and how many of its keys went before.
    pub(super) before: Option<(Start, usize)>,
}

impl<'b, M: Make> Reader<'b, '_, M> {
    /// Reads these entries. Returns what follows them.
    #[inline(never)]
    pub(super) fn entries(
        &mut self,
        bytes: &'b [u8],
        (rest, mut entries): (RemainingEntries, M::Entries<'_>),
        levels: u64,
    ) -> Option<&'b [u8]> {
        let RemainingEntries { count, declared: (of_keys, of_values), before } = rest;
        if count > MOST && !M::FINDS_DUPLICATES {
            return None;
        }
        // Nothing is to be compared.
        let is_alone = M::FINDS_DUPLICATES || (count == 1 && before.is_none());
        let start = if is_alone { None } else { Some(self.keys.open(count)?) };
        let mut kind = before.map(|_| STRING);
        let mut rest = bytes;
        for at in 0..count {
            let (header, _) = word(rest)?;
            let is_foreseen = of_keys == NIL || header & !WIDE == of_keys;
            if !is_foreseen || (*kind.get_or_insert(header) != header && !M::FINDS_DUPLICATES) {
                return None;
            }
            let (field, behind) = rest.split_at_checked(self.key(header, rest, is_alone)?)?;
            if before.is_some_and(|(template, keys)| self.keys.has(template, keys, field)) {
                return None;
            }
            if let Some(start) = start {
                self.keys.enter(start, at, field)?;
            }
            let place = self.make.key(&mut entries, field)?;
            rest = match of_values {
                NIL => self.value(behind, place, levels)?,
                declared => self.declared(declared, behind, place)?,
            };
        }
        if before.is_some() {
            self.keys.release();
        }
        if let Some(start) = start {
            self.keys.close(start, before);
        }
        self.make.complete(entries);
        Some(rest)
    }

    /// Reads the only entry of a Dictionary without types, for a maker that finds equal keys. Returns what follows it.
    #[inline(never)]
    pub(super) fn only_entry(
        &mut self,
        bytes: &'b [u8],
        mut entries: M::Entries<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let (header, _) = word(bytes)?;
        let (place, behind) = match self.key(header, bytes, true) {
            Some(used) => {
                let (field, behind) = bytes.split_at_checked(used)?;
                (self.make.key(&mut entries, field)?, behind)
            }
            None => self.container_key(header, bytes, &mut entries, levels)?,
        };
        self.value(behind, place, levels)
    }

    /// Reads an Array or a Dictionary that is the only key, so that it is compared with none. Returns the place of its value,
    /// and what follows the key.
    #[cold]
    #[inline(never)]
    fn container_key<'p>(
        &mut self,
        header: u32,
        bytes: &'b [u8],
        entries: &mut M::Entries<'p>,
        levels: u64,
    ) -> Option<(M::Place<'p>, &'b [u8])> {
        // Above are flags.
        let ty = header & 0xFFFF;
        if !matches!(ty, ARRAY | DICTIONARY) || !self.is_key(ty) {
            return None;
        }
        let mut key = M::Key::default();
        let behind = self.value(bytes, M::key_place(&mut key)?, levels.min(DEEPEST_FLAT_KEY))?;
        Some((self.make.only_key(entries, key)?, behind))
    }

    /// Tells how many bytes the key takes that comes next.
    #[inline]
    fn key(&mut self, header: u32, bytes: &'b [u8], is_alone: bool) -> Option<usize> {
        match header {
            STRING => match short_string(bytes) {
                Some((_, used)) => usize::try_from(used).ok(),
                None => {
                    let (.., rest) = plain_text(bytes, self.rules)?;
                    let used = bytes.len().checked_sub(rest.len())?;
                    Some(used).filter(|used| *used <= LONGEST_FLAT_NAME)
                }
            },
            INT => Some(8),
            STRING_NAME if self.is_key(header) => self.name(bytes).map(|(_, used)| used),
            WIDE_INT if is_alone => Some(12),
            // Vectors, since what stands before a String is no such key.
            _ if is_alone && header > STRING && self.is_key(header) => {
                Some(token::scalar_bytes(header)).filter(|bytes| *bytes > 0)
            }
            _ => None,
        }
    }

    /// Tells whether keys of this type are let in.
    pub(super) fn is_key(&self, ty: u32) -> bool {
        let TypeSet(keys) = self.rules.limits.allowed_key_types;
        keys.checked_shr(ty).is_some_and(|keys| keys & 1 == 1)
    }
}
