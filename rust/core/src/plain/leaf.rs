//! Reads leaves that are rare, and containers that declare a builtin type.

use super::entries::RemainingEntries;
use super::limits::{LONGEST_FLAT_NAME, LONGEST_FLAT_PATH};
use super::make::Make;
use super::{Reader, word};
use crate::cursor::Cursor;
use crate::token::{
    self, ARRAY, BOOL, Container, DICTIONARY, FLOAT, INT, Leaf, NIL, STRING, STRING_NAME, Text, TextForm,
    Token, peek_path, plain_numbers, plain_text,
};
use crate::wire::{VariantType, WIDE};

const PATH: u32 = 22;
const PACKED_STRINGS: u32 = 34;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;

impl<'b, M: Make> Reader<'b, '_, M> {
    /// Reads the value that comes next, which is none of the common ones. Returns what follows it.
    #[inline(never)]
    pub(super) fn rare(
        &mut self,
        header: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        match header {
            STRING_NAME => {
                let (length, _) = word(bytes.get(4..)?)?;
                let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST_FLAT_NAME)?;
                let (field, behind) =
                    bytes.split_at_checked(length.checked_next_multiple_of(4)?.checked_add(8)?)?;
                self.names.field(field, 1)?;
                self.make.name(place, field, || plain_text(field, self.rules).map(|(_, text, _)| text))?;
                Some(behind)
            }
            PATH => self.path(bytes, place),
            PACKED_STRINGS => {
                let allowed = self.rules.limits.allowed_types;
                if allowed.contains(VariantType::PackedStringArray) {
                    self.make.strings(place, bytes, self.rules)
                } else {
                    None
                }
            }
            TYPED_ARRAY | KEY_TYPED | VALUE_TYPED | BOTH_TYPED => {
                let (_, rest) = word(bytes)?;
                let levels = levels.checked_sub(1)?;
                if header == TYPED_ARRAY {
                    self.typed_array(rest, place)
                } else {
                    self.typed_dictionary(header, rest, place, levels)
                }
            }
            _ => {
                let Some((leaf, rest)) = plain_numbers(bytes, self.rules) else {
                    return self.reference(bytes, place, levels);
                };
                self.make.numbers(place, leaf)?;
                Some(rest)
            }
        }
    }

    /// Reads an RID, an object id, a Callable, or an empty container of classes, if its type is allowed. Returns what follows it.
    #[cold]
    fn reference(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let mut cursor = Cursor::new(bytes);
        let token = token::read(&mut cursor, self.rules).ok()?;
        let (field, rest) = bytes.split_at_checked(usize::try_from(cursor.at()).ok()?)?;
        match token {
            Token::Leaf(Leaf::Rid(_) | Leaf::ObjectId(_) | Leaf::Callable) => {}
            Token::Open(Container::Array { count: 0, .. } | Container::Dictionary { count: 0, .. })
                if levels > 0 && field.len() <= LONGEST_FLAT_NAME =>
            {
                // Its classes are names.
                self.names.field(field, 2)?;
            }
            Token::Leaf(_) | Token::Open(_) => return None,
        }
        self.make.reference(place, token)?;
        Some(rest)
    }

    /// Reads the StringName that comes next. Returns its text, and how many bytes it takes. Names are allowed where scalars are.
    pub(super) fn name(&mut self, bytes: &'b [u8]) -> Option<(Text<'b>, usize)> {
        let (_, text, rest) = plain_text(bytes, self.rules)?;
        let used = bytes.len().checked_sub(rest.len())?;
        self.names.name(bytes.get(..used)?, &text)?;
        Some((text, used))
    }

    /// Reads the NodePath that comes next. Returns what follows it.
    fn path(&mut self, bytes: &'b [u8], place: M::Place<'_>) -> Option<&'b [u8]> {
        let record = peek_path(bytes).filter(|record| record.bytes.len() <= LONGEST_FLAT_PATH)?;
        let (rules, names) = (self.rules, record.names);
        let is_allowed = rules.limits.allowed_types.contains(VariantType::NodePath)
            && u64::from(names) <= rules.limits.max_path_segments;
        let (head, segments) = record.bytes.split_at_checked(16)?;
        // The flags: whether it is absolute.
        if !is_allowed || !matches!(head, [.., 0 | 1, 0, 0, 0]) {
            return None;
        }
        self.names.field(record.bytes, names.checked_add(2)?)?;
        let mut cursor = Cursor::new(segments);
        let mut is_name = |_| token::read_plain_bare(&mut cursor, TextForm::PathName, rules).is_some();
        self.make.path(place, record.bytes, rules, || (0..names).all(&mut is_name))?;
        bytes.get(record.bytes.len()..)
    }

    /// Reads an Array that declares a builtin type, by what follows its header.
    fn typed_array(&mut self, bytes: &'b [u8], place: M::Place<'_>) -> Option<&'b [u8]> {
        let (declared, rest) = plain_type(bytes)?;
        let (mut left, mut rest) = word(rest)?;
        let mut items = self.make.array(place, declared, left)?;
        if !matches!(declared, STRING | STRING_NAME) {
            let (used, taken) = self.make.run(&mut items, declared, rest, left)?;
            (rest, left) = (rest.get(used..)?, left.checked_sub(taken)?);
        }
        while left > 0 {
            let place = self.make.item(&mut items)?;
            (rest, left) = (self.declared(declared, rest, place)?, left.wrapping_sub(1));
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
        let (of_keys, rest) = if header & BUILTIN_KEY == 0 { (NIL, bytes) } else { plain_type(bytes)? };
        let (of_values, rest) = if header & BUILTIN_VALUE == 0 { (NIL, rest) } else { plain_type(rest)? };
        let (count, rest) = word(rest)?;
        if of_keys != NIL && !self.is_key(of_keys) {
            return None;
        }
        let declared = (of_keys, of_values);
        let entries = self.make.dictionary(place, declared, count)?;
        let count = usize::try_from(count).ok()?;
        self.entries(rest, (RemainingEntries { count, declared, before: None }, entries), levels)
    }

    /// Reads the leaf that comes next, if it is of the type declared. Returns what follows it.
    #[inline]
    pub(super) fn declared(
        &mut self,
        declared: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
    ) -> Option<&'b [u8]> {
        let (header, _) = word(bytes).filter(|(header, _)| header & !WIDE == declared)?;
        if declared == STRING_NAME { self.rare(header, bytes, place, 0) } else { self.value(bytes, place, 0) }
    }
}

/// Reads the type that is declared next, if it is one of those that are plain. Returns it and what follows it.
fn plain_type(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (declared, rest) = word(bytes)?;
    let is_simple = matches!(declared, BOOL | INT | FLOAT | STRING | STRING_NAME)
        || (declared != NIL && token::scalar_bytes(declared) > 0);
    is_simple.then_some((declared, rest))
}
