//! Reads entries of dictionaries key by key: no two of a Dictionary may be equal. Keys are compared by their bytes, so that
//! all of them are Strings, StringNames or ints of four bytes, of which equal ones have equal bytes. A single key may be
//! of another type, and so may all for a maker that finds equal ones.

use super::keys::{MOST, Start};
use super::leaf::TYPE;
use super::limits::{DEEPEST_FLAT_KEY, LONGEST_FLAT_NAME};
use super::make::{EntryTypes, Make};
use super::{Reader, word};
use crate::token::{self, INT, NIL, STRING, STRING_NAME, WIDE_INT, plain_text, short_string};
use crate::wire::{TypeSet, hash};

/// The entries from which on a table does not fit near caches, and those by which a key is told ahead.
const LARGE: usize = 2048;
const AHEAD: usize = 8;

/// The entries of a Dictionary that are to be read.
#[derive(Clone, Copy)]
pub(super) struct RemainingEntries {
    pub(super) count: usize,
    pub(super) declared: EntryTypes,
    /// A template that was followed, and how many of its keys went before.
    pub(super) before: Option<(Start, usize)>,
}

impl<'b, M: Make> Reader<'b, '_, '_, M> {
    #[inline(never)]
    pub(super) fn entries(
        &mut self,
        bytes: &'b [u8],
        left: RemainingEntries,
        mut entries: M::Entries<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let RemainingEntries { count, declared: EntryTypes { keys: of_keys, values: of_values }, before } =
            left;
        if count > MOST && !M::FINDS_DUPLICATES {
            return None;
        }
        // Nothing is to be compared.
        let is_alone = M::FINDS_DUPLICATES || (count == 1 && before.is_none());
        let start = if is_alone { None } else { Some(self.keys.open(count)?) };
        let mut kind = before.map(|_| STRING);
        let (mut rest, mut last) = (bytes, 0);
        for at in 0..count {
            let (header, _) = word(rest)?;
            let is_other = of_keys != NIL && header & TYPE != of_keys;
            if is_other || (*kind.get_or_insert(header) != header && !M::FINDS_DUPLICATES) {
                return None;
            }
            self.foresee(&entries, count, rest, &mut last);
            let (place, behind) = match self.key(header, rest, start) {
                Some(used) => {
                    let (field, behind) = rest.split_at_checked(used)?;
                    if before.is_some_and(|(template, keys)| self.keys.has(template, keys, field)) {
                        return None;
                    }
                    if let Some(start) = start {
                        self.keys.enter(start, at, field)?;
                    }
                    (self.make.key(&mut entries, field)?, behind)
                }
                None if M::FINDS_DUPLICATES => self.other_key(rest, &mut entries, count, levels)?,
                None => return None,
            };
            rest = match of_values {
                NIL => self.value(behind, place, levels)?,
                declared => self.declared(declared, behind, place, levels)?,
            };
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
        let (place, behind) = match self.key(header, bytes, None) {
            Some(used) => {
                let (field, behind) = bytes.split_at_checked(used)?;
                (self.make.key(&mut entries, field)?, behind)
            }
            None => self.other_key(bytes, &mut entries, 1, levels)?,
        };
        self.value(behind, place, levels)
    }

    /// Tells the maker the hash of the int key some entries later, so that it can ask for the memory which that will need: a
    /// large table is filled at random. It guesses that entries have the length of the one before, which `last` says where it
    /// began.
    #[inline]
    fn foresee(&mut self, entries: &M::Entries<'_>, count: usize, bytes: &[u8], last: &mut usize) {
        if !M::FINDS_DUPLICATES || count < LARGE {
            return;
        }
        let entry = std::mem::replace(last, bytes.len()).saturating_sub(bytes.len());
        let later = entry.checked_mul(AHEAD).and_then(|later| bytes.get(later..)?.first_chunk::<8>());
        if let Some([2, 0, 0, 0, number @ ..]) = later {
            let number = i64::from(i32::from_le_bytes(*number));
            self.make.foresee(entries, hash::int(number.cast_unsigned()));
        }
    }

    /// Reads a key of another type, one of so many. Returns the place of its value, and what follows the key.
    #[cold]
    #[inline(never)]
    fn other_key<'p>(
        &mut self,
        bytes: &'b [u8],
        entries: &mut M::Entries<'p>,
        count: usize,
        levels: u64,
    ) -> Option<(M::Place<'p>, &'b [u8])> {
        // Such keys may take long to compare.
        if count > MOST {
            self.check_all()?;
        }
        let (header, _) = word(bytes)?;
        if !self.is_key(header & TYPE) {
            return None;
        }
        let mut key = M::Key::default();
        let behind = self.value(bytes, M::key_place(&mut key)?, levels.min(DEEPEST_FLAT_KEY))?;
        Some((self.make.other_key(entries, key)?, behind))
    }

    /// Tells how many bytes the key takes that comes next. `others` are keys that it is compared with.
    #[inline]
    fn key(&mut self, header: u32, bytes: &'b [u8], others: Option<usize>) -> Option<usize> {
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
            WIDE_INT if others.is_none() => Some(12),
            // Vectors, since what stands before a String is no such key.
            _ if others.is_none() && header > STRING && self.is_key(header) => {
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
