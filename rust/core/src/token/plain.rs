//! Reads matrices, packed numbers and bare texts in their plain form, without a [`Token`](super::Token).
//!
//! The plain form is the one that the engine writes, with nothing that a rule or a limit refuses. The
//! fallback is `read.rs`, which reads all forms and makes the faults. Nothing is refused here.

use super::{Container, Lanes, Leaf, Text, TextForm};
use crate::cursor::{Cursor, padding};
use crate::wire::{Lane, Layout, Rules, VariantType, heap};

/// Reads the next matrix, quaternion or array of packed numbers, if it has the declared type. Otherwise
/// nothing is read.
#[inline]
pub(crate) fn read_plain_numbers<'a>(
    cursor: &mut Cursor<'a>,
    declared: Option<VariantType>,
    rules: &Rules,
) -> Option<Leaf<'a>> {
    let mut next = *cursor;
    let (ty, lane, each, is_packed) = (*NUMBERS.get(usize::try_from(next.u32().ok()?).ok()?)?)?;
    if !rules.limits.allowed_types.contains(ty) || declared.is_some_and(|declared| declared != ty) {
        return None;
    }
    let count = if is_packed { u64::try_from(next.u32().ok()?.cast_signed()).ok()? } else { 1 };
    let bytes = count.saturating_mul(each);
    i32::try_from(bytes).ok()?;
    let lanes = Lanes::new(next.take(bytes).ok()?, lane)?;
    if lane == Lane::U8 && !is_zero(next.take(padding(bytes)).ok()?) {
        return None;
    }
    *cursor = next;
    Some(if is_packed { Leaf::Packed(ty, lanes) } else { Leaf::Math(ty, lanes) })
}

/// Reads the next bare text, with its NUL where the form has one and with zeros as padding. Otherwise nothing
/// is read.
#[inline]
pub(crate) fn read_plain_bare<'a>(
    cursor: &mut Cursor<'a>,
    form: TextForm,
    rules: &Rules,
) -> Option<Text<'a>> {
    let mut next = *cursor;
    let (body, is_padded) = bare_field(&mut next, rules)?;
    let text = match form {
        TextForm::Plain => return None,
        TextForm::PathName => body,
        TextForm::Terminated => body.strip_suffix(&[0])?,
    };
    let text = Text::plain(text).filter(|_| is_padded)?;
    *cursor = next;
    Some(text)
}

/// Reads a NodePath's name as [`read_plain_bare`] does. It is inlined into the loop over all names, because a
/// result that is returned through memory would be waited for.
#[inline(always)]
pub(crate) fn read_plain_name<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Option<Text<'a>> {
    let (body, is_padded) = bare_field(cursor, rules)?;
    Text::plain(body).filter(|_| is_padded)
}

/// Returns the bytes behind their length, and whether their padding is zeros.
#[inline(always)]
fn bare_field<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Option<(&'a [u8], bool)> {
    let length = u64::from(cursor.u32().ok()?);
    if length > rules.limits.max_string_bytes || i32::try_from(length).is_err() {
        return None;
    }
    padded_field(cursor, length)
}

/// Returns `length` bytes, and whether their padding is zeros. The padding is tested as one word, because its
/// length differs from text to text.
#[inline(always)]
pub(super) fn padded_field<'a>(cursor: &mut Cursor<'a>, length: u64) -> Option<(&'a [u8], bool)> {
    /// The mask of the padding in the last word of a field, by the number of its bytes.
    const PADS: [u32; 4] = [0, 0xFF00_0000, 0xFFFF_0000, 0xFFFF_FF00];
    let pad = padding(length);
    let field = cursor.take(length.saturating_add(pad)).ok()?;
    let last = field.last_chunk().map_or(0, |last| u32::from_le_bytes(*last));
    let is_padded = last & PADS.get(usize::try_from(pad).ok()?)? == 0;
    Some((field.get(..usize::try_from(length).ok()?)?, is_padded))
}

/// Reads the matrix, quaternion or array of packed numbers at the front of `bytes`, if no rule refuses it;
/// returns it and the rest. Limits that count are not checked.
#[inline]
#[must_use]
pub fn plain_numbers<'a>(bytes: &'a [u8], rules: &Rules) -> Option<(Leaf<'a>, &'a [u8])> {
    let mut cursor = Cursor::new(bytes);
    let leaf = read_plain_numbers(&mut cursor, None, rules)?;
    Some((leaf, cursor.rest()))
}

/// Holds a NodePath as it is in the bytes. Only its presence has been checked.
#[derive(Clone, Copy, Debug)]
pub struct PathRecord<'a> {
    /// The bytes of the whole value.
    pub bytes: &'a [u8],
    /// The number of names and sub-names together.
    pub names: u32,
    /// The number of sub-names.
    pub subnames: u32,
}

/// The number of bytes of a NodePath before its names: header, two counts and flags.
pub(crate) const PATH_HEAD: usize = 16;
/// The most names of a path in the fast path; nearly all paths have fewer.
const MOST_NAMES: u32 = 16;

/// Finds the NodePath at the front of `bytes`, if it has the form that the engine writes, no flag but the one
/// for absolute paths, and few names.
#[inline]
#[must_use]
pub fn peek_path(bytes: &[u8]) -> Option<PathRecord<'_>> {
    const HEADER: u32 = 22;
    const NEW_FORM: u32 = 1 << 31;
    const ABSOLUTE: u32 = 1;
    let (head, mut rest) = bytes.split_first_chunk::<PATH_HEAD>()?;
    let [header, heads, tails, flags] = words(head);
    if header != HEADER || heads & NEW_FORM == 0 || flags > ABSOLUTE {
        return None;
    }
    let names = (heads & !NEW_FORM).checked_add(tails).filter(|names| *names <= MOST_NAMES)?;
    for _ in 0..names {
        rest = behind_field(rest)?;
    }
    let (bytes, _) = bytes.split_at_checked(bytes.len().checked_sub(rest.len())?)?;
    Some(PathRecord { bytes, names, subnames: tails })
}

impl PathRecord<'_> {
    /// Returns the opening that its header and counts describe.
    pub(crate) const fn opening(self) -> Container<'static> {
        let PathRecord { names, subnames, .. } = self;
        Container::NodePath { absolute: false, names: names.saturating_sub(subnames), subnames }
    }

    /// Returns the number of bytes of all names with their lengths and padding.
    pub(crate) const fn body(self) -> usize {
        self.bytes.len().saturating_sub(PATH_HEAD)
    }
}

/// Returns the bytes behind the field at the front of `bytes`.
#[inline]
fn behind_field(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let padded = u64::from(u32::from_le_bytes(*length)).checked_next_multiple_of(4)?;
    rest.get(usize::try_from(padded).ok()?..)
}

fn words(head: &[u8; PATH_HEAD]) -> [u32; 4] {
    let (words, _) = head.as_chunks::<4>();
    let mut numbers = [0; 4];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = u32::from_le_bytes(*word);
    }
    numbers
}

fn is_zero(pad: &[u8]) -> bool {
    pad.iter().all(|byte| *byte == 0)
}

/// Describes a type of numbers: type, lane, bytes of an element, and whether it is an array. [`NUMBERS`] is
/// indexed by type id.
type Numbers = (VariantType, Lane, u64, bool);

static NUMBERS: [Option<Numbers>; VariantType::ALL.len()] = by_type!(None, |ty| numbers_of(*ty));

/// Describes a type of numbers. Vectors without an allocation of their own are left out: they are read as
/// scalars.
const fn numbers_of(ty: VariantType) -> Option<Numbers> {
    let (lane, count, is_packed) = match ty.layout() {
        Layout::Math(lane, count) if heap::COSTLY.contains(ty) => (lane, count, false),
        Layout::Packed(lane, count) => (lane, count, true),
        _ => return None,
    };
    let count = u64::from_le_bytes([count, 0, 0, 0, 0, 0, 0, 0]);
    Some(match lane {
        Lane::U8 => (ty, lane, count, is_packed),
        Lane::I32 | Lane::F32 => (ty, lane, count << 2, is_packed),
        Lane::Real => (ty, Lane::F32, count << 2, is_packed),
        Lane::I64 | Lane::F64 => (ty, lane, count << 3, is_packed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::words;
    use crate::token::{Token, read, read_text};

    /// Tests that the fallback reads the same, to the byte, for every type and length.
    #[test]
    fn numbers_are_what_the_plain_twin_reads() {
        let rules = Rules::default();
        let mut found = 0_u64;
        for header in (0_u32..64).chain([0x1_0011, 0x1_0020, 0x2_001D]) {
            for count in [0, 1, 3, 5, 0x8000_0000, u32::MAX] {
                let mut bytes = words(&[header, count, 0x0001_0203, 0, 0x3F80_0000]);
                bytes.resize(88, 0);
                for length in [0, 3, 4, 7, 8, 11, 12, 40, 52, 88] {
                    let mut cursor = Cursor::new(&bytes[..length]);
                    let Some(leaf) = read_plain_numbers(&mut cursor, None, &rules) else {
                        assert_eq!(cursor.at(), 0, "nothing is read");
                        continue;
                    };
                    let mut plain = Cursor::new(&bytes[..length]);
                    assert_eq!(read(&mut plain, &rules), Ok(Token::Leaf(leaf)), "{header:#x} {count}");
                    assert_eq!(cursor.at(), plain.at());
                    found |= 1 << leaf.ty().id();
                    let other = Some(VariantType::Rid);
                    assert_eq!(read_plain_numbers(&mut Cursor::new(&bytes), other, &rules), None);
                }
            }
        }
        assert_eq!(found.count_ones(), 6 + 9, "every type");
    }

    /// Tests that a path ends where the walk's does, and has as many names, whatever is cut off or changed.
    #[test]
    fn a_path_is_as_long_as_it_is_walked() {
        let mut bytes = words(&[22, 0x8000_0002, 1, 1, 3]);
        bytes.extend(b"abc\0");
        bytes.extend(words(&[4]));
        bytes.extend(b"defg");
        bytes.extend(words(&[0, 0xEEEE_EEEE]));
        let mut taken = 0;
        for end in 0..=bytes.len() {
            for (at, byte) in [(0, 22), (7, 0), (8, 0), (8, 2), (16, 9), (16, 255), (24, 1)] {
                let mut spoiled = bytes.clone();
                spoiled[at] = byte;
                let Some(record) = peek_path(&spoiled[..end]) else { continue };
                let extent = crate::validate(&spoiled[..end], &Rules::engine()).unwrap();
                assert_eq!(record.bytes.len() as u64, extent.consumed, "{byte} at {at}, {end} bytes");
                assert_eq!(record.body() as u64 + 16, extent.consumed);
                let names = std::iter::successors(record.bytes.get(16..), |rest| behind_field(rest));
                assert_eq!(names.skip(1).count() as u32, record.names);
                taken += 1;
            }
        }
        assert!(taken > 10, "{taken}");
    }

    #[test]
    fn bare_texts_are_what_the_plain_twin_reads() {
        let rules = Rules::default();
        let mut found = 0;
        let bodies =
            ["", "a", "ab", "abc", "abc\0", "name\0", "a\0b\0", "имя\0", "\u{FEFF}b", "\0", "name_of_nine"];
        for body in bodies {
            // The number says which of the last four bytes is changed, if it is padding.
            for spoiled in 1..=4 {
                let mut bytes = words(&[u32::try_from(body.len()).unwrap()]);
                bytes.extend(body.bytes());
                let end = bytes.len();
                bytes.resize(end.next_multiple_of(4), 0);
                let at = bytes.len() - spoiled;
                let is_spoiled = at >= end;
                if is_spoiled {
                    bytes[at] = 0xEE;
                }
                for form in [TextForm::Plain, TextForm::PathName, TextForm::Terminated] {
                    let mut cursor = Cursor::new(&bytes);
                    let Some(text) = read_plain_bare(&mut cursor, form, &rules) else { continue };
                    assert!(!is_spoiled, "{body:?} {form:?}");
                    let mut plain = Cursor::new(&bytes);
                    assert_eq!(read_text(&mut plain, form, &rules), Ok(text), "{body:?} {form:?}");
                    assert_eq!(cursor.at(), plain.at());
                    found += 1;
                }
            }
        }
        assert!(found > 6, "{found} of them are plain");
    }
}
