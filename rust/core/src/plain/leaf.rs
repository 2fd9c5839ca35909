//! Reads leaves that are rare, and containers that declare a builtin type.

use super::entries::Rest;
use super::limits::{LONGEST_FLAT_NAME, LONGEST_FLAT_PATH, flat_names_may_repeat};
use super::make::Make;
use super::{Reader, word};
use crate::cursor::Cursor;
use crate::token::{
    self, ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, STRING, STRING_NAME, Text, TextForm, peek_path,
    plain_numbers, plain_string, plain_text,
};
use crate::wire::{Rules, VariantType, WIDE};

const PATH: u32 = 22;
const PACKED_STRINGS: u32 = 34;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;

impl<'b, M: Make> Reader<'b, '_, M> {
    /// Reads the value that comes next, which is none of the common ones; what follows it.
    #[inline(never)]
    pub(super) fn rare(
        &mut self,
        header: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let used = match header {
            STRING_NAME => {
                let (text, used) = self.name(bytes)?;
                self.make.text(place, VariantType::StringName, text)?;
                return bytes.get(used..);
            }
            PATH => self.path(bytes)?,
            PACKED_STRINGS => bytes.len().checked_sub(strings(bytes, self.rules)?.len())?,
            TYPED_ARRAY | KEY_TYPED | VALUE_TYPED | BOTH_TYPED => {
                let (_, rest) = word(bytes)?;
                let levels = levels.checked_sub(1)?;
                return if header == TYPED_ARRAY {
                    self.typed_array(rest, place)
                } else {
                    self.typed_dictionary(header, rest, place, levels)
                };
            }
            _ => {
                let (leaf, rest) = plain_numbers(bytes, self.rules)?;
                self.make.numbers(place, leaf)?;
                return Some(rest);
            }
        };
        let (field, rest) = bytes.split_at_checked(used)?;
        self.make.texts(place, field)?;
        Some(rest)
    }

    /// Reads the StringName that comes next: its text, and how many bytes it takes. Names are allowed where scalars are.
    pub(super) fn name(&mut self, bytes: &'b [u8]) -> Option<(Text<'b>, usize)> {
        let (_, text, rest) = plain_text(bytes, self.rules)?;
        let used = bytes.len().checked_sub(rest.len())?;
        if text.as_bytes().len() > LONGEST_FLAT_NAME {
            return None;
        }
        self.comes(bytes.get(..used)?, 1)?;
        Some((text, used))
    }

    /// Tells how many bytes the NodePath takes that comes next.
    fn path(&mut self, bytes: &'b [u8]) -> Option<usize> {
        let record = peek_path(bytes).filter(|record| record.bytes.len() <= LONGEST_FLAT_PATH)?;
        let limits = &self.rules.limits;
        let is_allowed = limits.allowed_types.contains(VariantType::NodePath)
            && u64::from(record.names) <= limits.max_path_segments;
        let (head, names) = record.bytes.split_at_checked(16)?;
        // The flags: whether it is absolute.
        if !is_allowed || !matches!(head, [.., 0 | 1, 0, 0, 0]) {
            return None;
        }
        let mut cursor = Cursor::new(names);
        for _ in 0..record.names {
            token::read_plain_bare(&mut cursor, TextForm::PathName, self.rules)?;
        }
        self.comes(record.bytes, record.names.checked_add(2)?)?;
        Some(record.bytes.len())
    }

    /// Counts what stands for so many names, if it does not come again.
    fn comes(&mut self, field: &'b [u8], names: u32) -> Option<()> {
        if self.came.contains(&field) {
            return Some(());
        }
        self.names = self.names.checked_sub(names)?;
        if flat_names_may_repeat(self.rules) {
            // There are never more than names.
            *self.came.get_mut(usize::try_from(self.names).ok()?)? = field;
        }
        Some(())
    }

    /// Reads an Array that declares a builtin type, by what follows its header.
    fn typed_array(&mut self, bytes: &'b [u8], place: M::Place<'_>) -> Option<&'b [u8]> {
        let (declared, rest) = simple(bytes)?;
        let (count, mut rest) = word(rest)?;
        let mut items = self.make.array(place, declared, count)?;
        for _ in 0..count {
            let place = self.make.item(&mut items)?;
            rest = self.declared(declared, rest, place)?;
        }
        Some(rest)
    }

    /// Reads a Dictionary that declares a builtin type for its keys, its values, or both.
    fn typed_dictionary(
        &mut self,
        header: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let (of_keys, rest) = if header & BUILTIN_KEY == 0 { (NIL, bytes) } else { simple(bytes)? };
        let (of_values, rest) = if header & BUILTIN_VALUE == 0 { (NIL, rest) } else { simple(rest)? };
        let (count, rest) = word(rest)?;
        if of_keys != NIL && !self.is_key(of_keys) {
            return None;
        }
        let declared = (of_keys, of_values);
        let entries = self.make.dictionary(place, declared, count)?;
        let count = usize::try_from(count).ok()?;
        self.entries(rest, (Rest { count, declared, before: None }, entries), levels)
    }

    /// Reads the leaf that comes next, if it is of the type declared; what follows it.
    #[inline]
    pub(super) fn declared(
        &mut self,
        declared: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
    ) -> Option<&'b [u8]> {
        word(bytes).filter(|(header, _)| header & !WIDE == declared)?;
        self.value(bytes, place, 0)
    }
}

/// Reads a PackedStringArray; what follows it. It stands apart, so that its loop has the registers to itself.
#[inline(never)]
fn strings<'b>(bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
    let (count, mut rest) = word(bytes.get(4..)?)?;
    if !rules.limits.allowed_types.contains(VariantType::PackedStringArray) {
        return None;
    }
    for _ in 0..count {
        (_, rest) = plain_string(rest, rules)?;
    }
    Some(rest)
}

/// Reads the type that is declared next, if it is one of those that are plain; and what follows it.
fn simple(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (declared, rest) = word(bytes)?;
    let is_simple = matches!(declared, BOOL | INT | FLOAT | STRING | STRING_NAME)
        || (declared != NIL && token::scalar_bytes(declared) > 0);
    is_simple.then_some((declared, rest))
}
