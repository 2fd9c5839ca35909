//! Matrices, packed numbers and bare texts in their plainest form, read without going over a
//! [`Token`](super::Token). The plain twin is `read.rs`, which reads whatever is not plain and words every fault.
//! It refuses nothing.

use super::{Lanes, Leaf, Text, TextForm};
use crate::cursor::{Cursor, padding};
use crate::wire::{Lane, Layout, Rules, VariantType, heap};

/// The matrix, quaternion or array of packed numbers that comes next, if it is of the type declared. Else nothing is
/// read.
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

/// The bare text that comes next, with its NUL where the form has one, padded with zeros. Else nothing is read.
#[inline]
pub(crate) fn read_plain_bare<'a>(
    cursor: &mut Cursor<'a>,
    form: TextForm,
    rules: &Rules,
) -> Option<Text<'a>> {
    let mut next = *cursor;
    let length = u64::from(next.u32().ok()?);
    if length > rules.limits.max_string_bytes || i32::try_from(length).is_err() {
        return None;
    }
    let body = next.take(length).ok()?;
    let pad = next.take(padding(length)).ok()?;
    let text = match form {
        TextForm::Plain => return None,
        TextForm::PathName => body,
        TextForm::Terminated => body.strip_suffix(&[0])?,
    };
    let text = Text::plain(text).filter(|_| is_zero(pad))?;
    *cursor = next;
    Some(text)
}

fn is_zero(pad: &[u8]) -> bool {
    pad.iter().all(|byte| *byte == 0)
}

/// By type id: type, lane, bytes of one, and whether there are many.
type Numbers = (VariantType, Lane, u64, bool);

static NUMBERS: [Option<Numbers>; VariantType::ALL.len()] = {
    let mut numbers = [None; VariantType::ALL.len()];
    let mut slots: &mut [_] = &mut numbers;
    let mut types: &[VariantType] = VariantType::ALL;
    while let ([slot, slots_tail @ ..], [ty, types_tail @ ..]) = (slots, types) {
        *slot = numbers_of(*ty);
        (slots, types) = (slots_tail, types_tail);
    }
    numbers
};

/// Without the vectors that cost nothing of their own: those are scalars.
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
    use crate::token::{Token, read, read_text};

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// What is read here is what the plain twin reads, to the byte, for every type and length.
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

    #[test]
    fn bare_texts_are_what_the_plain_twin_reads() {
        let rules = Rules::default();
        let mut found = 0;
        for body in ["", "a", "abc\0", "name\0", "a\0b\0", "имя\0", "\u{FEFF}b", "\0", "name_of_nine"] {
            for pad in [0, 0xEE] {
                let mut bytes = words(&[u32::try_from(body.len()).unwrap()]);
                bytes.extend(body.bytes());
                bytes.resize(bytes.len().next_multiple_of(4), pad);
                for form in [TextForm::Plain, TextForm::PathName, TextForm::Terminated] {
                    let mut cursor = Cursor::new(&bytes);
                    let Some(text) = read_plain_bare(&mut cursor, form, &rules) else { continue };
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
