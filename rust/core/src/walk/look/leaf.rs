//! Leaves that are rare, and containers that declare a builtin type.

use super::entries::Entries;
use super::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, Look, NIL, STRING, STRING_NAME, word};
use crate::cursor::Cursor;
use crate::token::{self, TextForm, peek_path, plain_numbers, plain_string, plain_text};
use crate::walk::flat::{LONGEST_FLAT_NAME, LONGEST_FLAT_PATH, flat_names_may_repeat};
use crate::wire::{VariantType, WIDE};

const PATH: u32 = 22;
const PACKED_STRINGS: u32 = 34;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;

impl<'b> Look<'b, '_> {
    /// What follows the value that comes next, which is none of those that most are.
    #[inline(never)]
    pub(super) fn rare(&mut self, header: u32, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        match header {
            STRING_NAME => bytes.get(self.name(bytes)?..),
            PATH => bytes.get(self.path(bytes)?..),
            PACKED_STRINGS => self.strings(bytes),
            TYPED_ARRAY | KEY_TYPED | VALUE_TYPED | BOTH_TYPED => {
                let (_, rest) = word(bytes)?;
                let levels = levels.checked_sub(1)?;
                if header == TYPED_ARRAY {
                    self.typed_array(rest)
                } else {
                    self.typed_dictionary(header, rest, levels)
                }
            }
            _ => plain_numbers(bytes, self.rules).map(|(_, rest)| rest),
        }
    }

    /// How many bytes the StringName takes that comes next. They are allowed where scalars are.
    pub(super) fn name(&mut self, bytes: &'b [u8]) -> Option<usize> {
        let (_, text, rest) = plain_text(bytes, self.rules)?;
        let used = bytes.len().checked_sub(rest.len())?;
        if text.as_bytes().len() > LONGEST_FLAT_NAME {
            return None;
        }
        self.comes(bytes.get(..used)?, 1)?;
        Some(used)
    }

    /// The same of a NodePath.
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

    /// What follows a PackedStringArray.
    fn strings(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let (count, mut rest) = word(bytes.get(4..)?)?;
        if !self.rules.limits.allowed_types.contains(VariantType::PackedStringArray) {
            return None;
        }
        for _ in 0..count {
            (_, rest) = plain_string(rest, self.rules)?;
        }
        Some(rest)
    }

    /// What follows an Array that declares a builtin type, of which these bytes are what follows the header.
    fn typed_array(&mut self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let (declared, rest) = simple(bytes)?;
        let (count, mut rest) = word(rest)?;
        for _ in 0..count {
            rest = self.declared(declared, rest)?;
        }
        Some(rest)
    }

    /// The same of a Dictionary that declares one for its keys, its values, or both.
    fn typed_dictionary(&mut self, header: u32, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (of_keys, rest) = if header & BUILTIN_KEY == 0 { (NIL, bytes) } else { simple(bytes)? };
        let (of_values, rest) = if header & BUILTIN_VALUE == 0 { (NIL, rest) } else { simple(rest)? };
        let (count, rest) = word(rest)?;
        let count = usize::try_from(count).ok()?;
        if of_keys != NIL && !self.is_key(of_keys) {
            return None;
        }
        self.entries(rest, Entries { count, declared: (of_keys, of_values), before: None }, levels)
    }

    /// What follows the leaf that comes next, if it is of the type declared.
    #[inline]
    pub(super) fn declared(&mut self, declared: u32, bytes: &'b [u8]) -> Option<&'b [u8]> {
        word(bytes).filter(|(header, _)| header & !WIDE == declared)?;
        self.value(bytes, 0)
    }
}

/// The type that is declared next, if it is one of those that are plain, and what follows it.
fn simple(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (declared, rest) = word(bytes)?;
    let is_simple = matches!(declared, BOOL | INT | FLOAT | STRING | STRING_NAME)
        || (declared != NIL && token::scalar_bytes(declared) > 0);
    is_simple.then_some((declared, rest))
}
