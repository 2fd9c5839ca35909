//! Reads leaves that are rare, and containers that declare a builtin type.

use super::entries::RemainingEntries;
use super::limits::{LONGEST_FLAT_NAME, LONGEST_FLAT_PATH};
use super::make::{EntryTypes, Make};
use super::{Reader, word};
use crate::cursor::Cursor;
use crate::token::{
    self, ARRAY, BOOL, Container, ContainerType, DICTIONARY, FLOAT, INT, Leaf, NIL, STRING, STRING_NAME,
    Text, TextForm, Token, peek_path, plain_numbers, plain_text,
};
use crate::wire::{VariantType, WIDE};

const PATH: u32 = 22;
const RID: u32 = 23;
const OBJECT: u32 = 24;
const SIGNAL: u32 = 26;
const LAST: u32 = 38;
/// The bits of a header that name its type; above are flags.
pub(super) const TYPE: u32 = 0xFFFF;
const PACKED_STRINGS: u32 = 34;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;

/// The elements of an Array that are to be read, of the type declared.
struct RemainingItems {
    count: u32,
    declared: u32,
}

impl<'b, M: Make> Reader<'b, '_, '_, M> {
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
                let length = usize::try_from(length).ok()?;
                let (field, behind) =
                    bytes.split_at_checked(length.checked_next_multiple_of(4)?.checked_add(8)?)?;
                self.count(field, 1, LONGEST_FLAT_NAME + 8)?;
                self.make.name(place, field, || plain_text(field, self.rules).map(|(_, text, _)| text))?;
                Some(behind)
            }
            PATH => self.path(bytes, place, levels),
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
                let inner = levels.checked_sub(1)?;
                match (header, plain_types(header, rest)) {
                    (_, None) => self.other_form(bytes, place, levels),
                    (TYPED_ARRAY, Some((declared, rest))) => {
                        self.typed_array(rest, place, declared.keys, inner)
                    }
                    (_, Some((declared, rest))) => self.typed_dictionary(rest, place, declared, inner),
                }
            }
            _ => {
                let Some((leaf, rest)) = plain_numbers(bytes, self.rules) else {
                    return self.other_form(bytes, place, levels);
                };
                self.make.numbers(place, leaf)?;
                Some(rest)
            }
        }
    }

    /// Reads a reference into the running game, a container of classes, or a leaf in a form of its own. Returns what follows it.
    #[cold]
    #[inline(never)]
    fn other_form(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let mut cursor = Cursor::new(bytes);
        let token = token::read(&mut cursor, self.rules).ok()?;
        let (field, rest) = bytes.split_at_checked(usize::try_from(cursor.at()).ok()?)?;
        match token {
            Token::Leaf(leaf) => {
                match leaf {
                    // As plain data it takes more memory than any other value of so few bytes.
                    Leaf::Signal(..) => self.check_all()?,
                    Leaf::Text(VariantType::StringName, _) => self.count(field, 1, LONGEST_FLAT_NAME)?,
                    _ => {}
                }
                self.make.other_leaf(place, leaf)?;
                Some(rest)
            }
            Token::Open(Container::Array { element, count }) => {
                let levels = levels.checked_sub(1)?;
                // Its classes are names.
                self.count(field, 2, LONGEST_FLAT_NAME)?;
                let items = self.make.array_of(place, token, count)?;
                self.items(rest, items, RemainingItems { count, declared: id_of(&element) }, levels)
            }
            Token::Open(Container::Dictionary { key, value, count }) => {
                let levels = levels.checked_sub(1)?;
                self.count(field, 2, LONGEST_FLAT_NAME)?;
                let declared = EntryTypes { keys: id_of(&key), values: id_of(&value) };
                if count > self.most || (declared.keys != NIL && !self.is_key(declared.keys)) {
                    self.check_all()?;
                }
                let entries = self.make.dictionary_of(place, token, count)?;
                let count = usize::try_from(count).ok()?;
                self.entries(rest, RemainingEntries { count, declared, before: None }, entries, levels)
            }
            Token::Open(Container::NodePath { names, subnames, .. }) => {
                self.long_path(bytes, cursor, names.checked_add(subnames)?, place)
            }
            Token::Open(_) => None,
        }
    }

    /// Reads a NodePath of more names than others have, of which the cursor is behind the head. Returns what follows it.
    fn long_path(
        &mut self,
        bytes: &'b [u8],
        mut cursor: Cursor<'b>,
        names: u32,
        place: M::Place<'_>,
    ) -> Option<&'b [u8]> {
        self.check_all()?;
        for _ in 0..names {
            token::read_text(&mut cursor, TextForm::PathName, self.rules).ok()?;
        }
        let (record, rest) = bytes.split_at_checked(usize::try_from(cursor.at()).ok()?)?;
        self.make.path(place, record, self.rules, || true)?;
        Some(rest)
    }

    /// Reads the StringName that comes next. Returns its text, and how many bytes it takes. Names are allowed where scalars are.
    pub(super) fn name(&mut self, bytes: &'b [u8]) -> Option<(Text<'b>, usize)> {
        let (_, text, rest) = plain_text(bytes, self.rules)?;
        let used = bytes.len().checked_sub(rest.len())?;
        self.count(bytes.get(..used)?, 1, LONGEST_FLAT_NAME + 8)?;
        Some((text, used))
    }

    fn path(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let Some(record) = peek_path(bytes) else { return self.other_form(bytes, place, levels) };
        let (rules, names) = (self.rules, record.names);
        let is_allowed = rules.limits.allowed_types.contains(VariantType::NodePath)
            && u64::from(names) <= rules.limits.max_path_segments;
        let (head, segments) = record.bytes.split_at_checked(16)?;
        // The flags: whether it is absolute.
        if !is_allowed || !matches!(head, [.., 0 | 1, 0, 0, 0]) {
            return None;
        }
        self.count(record.bytes, names.checked_add(2)?, LONGEST_FLAT_PATH)?;
        let mut cursor = Cursor::new(segments);
        let mut is_name = |_| token::read_plain_bare(&mut cursor, TextForm::PathName, rules).is_some();
        self.make.path(place, record.bytes, rules, || (0..names).all(&mut is_name))?;
        bytes.get(record.bytes.len()..)
    }

    /// Reads an Array that declares a builtin type, by its count and what follows that.
    fn typed_array(
        &mut self,
        bytes: &'b [u8],
        place: M::Place<'_>,
        declared: u32,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let (mut left, mut rest) = word(bytes)?;
        let mut items = self.make.array(place, declared, left)?;
        if is_scalar(declared) {
            let (used, taken) = self.make.run(&mut items, declared, rest, left)?;
            (rest, left) = (rest.get(used..)?, left.checked_sub(taken)?);
        }
        self.items(rest, items, RemainingItems { count: left, declared }, levels)
    }

    fn items(
        &mut self,
        mut rest: &'b [u8],
        mut items: M::Items<'_>,
        RemainingItems { count, declared }: RemainingItems,
        levels: u64,
    ) -> Option<&'b [u8]> {
        for _ in 0..count {
            let place = self.make.item(&mut items)?;
            rest = self.declared(declared, rest, place, levels)?;
        }
        Some(rest)
    }

    /// Reads a Dictionary that declares builtin types for its keys, its values, or both, by its count and what follows that.
    fn typed_dictionary(
        &mut self,
        bytes: &'b [u8],
        place: M::Place<'_>,
        declared: EntryTypes,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let (count, rest) = word(bytes)?;
        if declared.keys != NIL && !self.is_key(declared.keys) {
            return None;
        }
        let entries = self.begin(place, declared, count)?;
        let count = usize::try_from(count).ok()?;
        self.entries(rest, RemainingEntries { count, declared, before: None }, entries, levels)
    }

    /// Reads the value that comes next, if it is of the type declared. Returns what follows it.
    #[inline(never)]
    pub(super) fn declared(
        &mut self,
        declared: u32,
        bytes: &'b [u8],
        place: M::Place<'_>,
        levels: u64,
    ) -> Option<&'b [u8]> {
        let (header, _) = word(bytes)?;
        let (has_type, place) = if is_scalar(declared) || matches!(declared, STRING | STRING_NAME) {
            (header & !WIDE == declared, place)
        } else {
            // A null object is written as a null.
            let has_type = header & TYPE == declared || (header, declared) == (NIL, OBJECT);
            (has_type, self.make.emptied(place))
        };
        match declared {
            _ if !has_type => None,
            STRING_NAME => self.rare(header, bytes, place, 0),
            _ => self.value(bytes, place, levels),
        }
    }
}

/// Reads the types that a container declares by this header, if they are builtin ones of values that stand for themselves.
/// Returns them, the type of elements first, and what follows them.
fn plain_types(header: u32, bytes: &[u8]) -> Option<(EntryTypes, &[u8])> {
    let (keys, rest) = if header & BUILTIN_KEY == 0 { (NIL, bytes) } else { plain_type(bytes)? };
    let (values, rest) = if header & BUILTIN_VALUE == 0 { (NIL, rest) } else { plain_type(rest)? };
    Some((EntryTypes { keys, values }, rest))
}

fn plain_type(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (declared, rest) = word(bytes)?;
    let is_plain = !matches!(declared, NIL | RID..=SIGNAL) && declared <= LAST;
    is_plain.then_some((declared, rest))
}

/// Tells whether the values of a type are numbers that a slot holds.
fn is_scalar(declared: u32) -> bool {
    matches!(declared, BOOL | INT | FLOAT) || (declared != NIL && token::scalar_bytes(declared) > 0)
}

/// Returns the id of the builtin type that is declared, or of that of the class.
fn id_of(declared: &ContainerType<'_>) -> u32 {
    declared.element_type().map_or(NIL, |ty| ty.id().into())
}
