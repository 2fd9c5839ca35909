//! Reads scalars and texts in their plain form, which most values of most inputs have, without a
//! [`Token`](super::Token).
//!
//! The fallback is `read.rs`, which reads all forms and makes the faults. Nothing is refused here. An int
//! that is skipped costs 41 instructions here and 227 there (rustc 1.95, `cargo xtask instructions`).

use super::number::two_words;
use super::plain::{padded_field, read_plain_bare};
use super::{Container, ContainerType, Lanes, Leaf, Text, TextForm};
use crate::cursor::{Cursor, padding};
use crate::wire::{Dialect, Lane, Layout, Rules, VariantType, WIDE, heap};

// These are the headers that most values have.
pub(crate) const NIL: u32 = 0;
pub(crate) const BOOL: u32 = 1;
pub(crate) const INT: u32 = 2;
pub(crate) const FLOAT: u32 = 3;
pub(crate) const STRING: u32 = 4;
pub(crate) const STRING_NAME: u32 = 21;
pub(crate) const DICTIONARY: u32 = 27;
pub(crate) const ARRAY: u32 = 28;
pub(crate) const WIDE_INT: u32 = INT | WIDE;
pub(crate) const WIDE_FLOAT: u32 = FLOAT | WIDE;

/// Tells whether these rules allow every plain scalar without a look at its value. CANONICAL does not, and
/// some dialects number the vectors in another way.
#[inline]
pub(crate) fn are_plain(rules: &Rules) -> bool {
    let all = rules.limits.allowed_types.0 & PLAIN == PLAIN;
    all && !rules.is_canonical() && rules.dialect == Dialect::Godot4
}

/// Reads the next scalar, if it has the plain form and the declared type. Otherwise nothing is read. Texts
/// are read by [`read_plain_text`].
#[inline(always)]
pub(crate) fn read_scalar<'a>(cursor: &mut Cursor<'a>, declared: Option<VariantType>) -> Option<Leaf<'a>> {
    let mut next = *cursor;
    let leaf = match next.u32().ok()? {
        NIL => Leaf::Nil,
        BOOL => match next.u32().ok()? {
            0 => Leaf::Bool(false),
            1 => Leaf::Bool(true),
            _ => return None,
        },
        INT => Leaf::Int(i64::from(i32::from_le_bytes(next.array().ok()?))),
        FLOAT => Leaf::Float(f64::from(f32::from_le_bytes(next.array().ok()?))),
        WIDE_INT => Leaf::Int(i64::from_le_bytes(next.array().ok()?)),
        WIDE_FLOAT => Leaf::Float(f64::from_le_bytes(next.array().ok()?)),
        other => {
            let (ty, lane, bytes) = (*VECTORS.get(usize::try_from(other).ok()?)?)?;
            Leaf::Math(ty, Lanes::new(next.take(bytes).ok()?, lane)?)
        }
    };
    if declared.is_some_and(|declared| declared != leaf.ty()) {
        return None;
    }
    *cursor = next;
    Some(leaf)
}

/// Returns the number of bytes, header included, of the scalar with this header, if every payload of its type
/// is valid: a null, an int, a float or a vector. Returns 0 for all other headers.
#[inline(always)]
pub(crate) fn scalar_bytes(header: u32) -> usize {
    let bytes = usize::try_from(header).ok().and_then(|header| STEPS.get(header));
    usize::from(bytes.copied().unwrap_or(0))
}

/// Reads the next String or StringName, if it has the declared type and the plain form, with zeros as
/// padding. Returns the text as one number too, as [`short_word`] does; it is 0 for a long text, and for some
/// others.
#[inline(always)]
pub(crate) fn read_plain_text<'a>(
    cursor: &mut Cursor<'a>,
    declared: Option<VariantType>,
    rules: &Rules,
) -> Option<(VariantType, Text<'a>, u128)> {
    let mut next = *cursor;
    let ty = match next.u32().ok()? {
        STRING => VariantType::String,
        STRING_NAME => VariantType::StringName,
        _ => return None,
    };
    let word = next.u32().ok()?;
    let length = u64::from(word);
    if length > rules.limits.max_string_bytes || declared.is_some_and(|declared| declared != ty) {
        return None;
    }
    let short = short_field(next.rest(), word);
    let (body, is_padded) = padded_field(&mut next, length)?;
    let text = match short {
        Some(_) => Text::seen_ascii(body),
        None => Text::plain(body).filter(|_| is_padded)?,
    };
    *cursor = next;
    Some((ty, text, short.unwrap_or(0)))
}

/// Reads the next entry of a PackedStringArray, if it is plain. Otherwise nothing is read.
#[inline(always)]
pub(crate) fn read_plain_string<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Option<Text<'a>> {
    let mut next = *cursor;
    let word = next.u32().ok()?;
    if u64::from(word) <= rules.limits.max_string_bytes && is_short_string(next.rest(), word) {
        let (text, _) = next.rest().split_at_checked(usize::try_from(word).ok()?.checked_sub(1)?)?;
        let length = u64::from(word);
        next.take(length.saturating_add(padding(length))).ok()?;
        *cursor = next;
        return Some(Text::seen_ascii(text));
    }
    read_plain_bare(cursor, TextForm::Terminated, rules)
}

/// Tells whether a field of 1 to 16 bytes is ASCII that ends with its only NUL, and is padded with zeros.
#[inline(always)]
fn is_short_string(field: &[u8], length: u32) -> bool {
    let length = usize::try_from(length).unwrap_or(0);
    let before = length.checked_sub(1).and_then(|text| SHORT.get(text));
    let (Some((padded, _)), Some((_, tops)), Some(field)) = (SHORT.get(length), before, field.first_chunk())
    else {
        return false;
    };
    let word = u128::from_le_bytes(*field) & padded;
    word & TOPS == 0 && word.wrapping_add(SEVENS) & TOPS == *tops
}

/// The number that sets, when added to a word of ASCII, the top bits of exactly the bytes that are not 0.
const SEVENS: u128 = TOPS - ONES;

/// Reads the String or StringName at the front of `bytes` and returns it and the rest, if no rule refuses it:
/// it is valid, within `max_string_bytes`, and padded with zeros. Limits that count are not checked.
#[inline]
#[must_use]
pub fn plain_text<'a>(bytes: &'a [u8], rules: &Rules) -> Option<(VariantType, Text<'a>, &'a [u8])> {
    let mut cursor = Cursor::new(bytes);
    let (ty, text, _) = read_plain_text(&mut cursor, None, rules)?;
    Some((ty, text, cursor.rest()))
}

/// Reads an entry of a PackedStringArray, a bare text with its NUL, as [`plain_text`] reads a String.
#[inline]
#[must_use]
pub fn plain_string<'a>(bytes: &'a [u8], rules: &Rules) -> Option<(Text<'a>, &'a [u8])> {
    let mut cursor = Cursor::new(bytes);
    let text = read_plain_string(&mut cursor, rules)?;
    Some((text, cursor.rest()))
}

/// Reads the String of 1 to 16 ASCII characters at the front of `bytes`; returns the text and how many bytes
/// it takes. It is valid under every strictness, and padded with zeros. Sinks with a fast path of their own
/// use it.
#[inline(always)]
#[must_use]
pub fn short_string(bytes: &[u8]) -> Option<(Text<'_>, u64)> {
    short_string_as_number(bytes).map(|(text, used, _)| (text, used))
}

/// Reads a String as [`short_string`] does, and returns a number too that no other such text has.
#[inline(always)]
#[must_use]
pub fn short_string_as_number(bytes: &[u8]) -> Option<(Text<'_>, u64, u128)> {
    let ([header, length], field) = two_words(bytes)?;
    if header != STRING {
        return None;
    }
    let number = short_field(field, length)?;
    let text = Text::seen_ascii(field.get(..usize::try_from(length).ok()?)?);
    Some((text, u64::from(length.next_multiple_of(4)).saturating_add(8), number))
}

/// Returns the text of 1 to 16 bytes at the front of a field as [`short_word`] does, if it is ASCII without
/// NUL and padded with zeros. A single addition tests it; the fallback is [`Text::plain`] and a padding test.
#[inline(always)]
fn short_field(field: &[u8], length: u32) -> Option<u128> {
    let length = usize::try_from(length).ok()?;
    let (padded, tops) = *SHORT.get(length)?;
    let word = match field.first_chunk() {
        Some(chunk) => u128::from_le_bytes(*chunk) & padded,
        // The field is so near the end that only its own words can be read.
        None => {
            let (words, _) = field.get(..length.next_multiple_of(4))?.as_chunks::<4>();
            let joined = |word: u128, next: &[u8; 4]| word << 32 | u128::from(u32::from_le_bytes(*next));
            words.iter().rev().fold(0, joined)
        }
    };
    (word != 0 && word & TOPS == 0 && word.wrapping_add(SEVENS) & TOPS == tops).then_some(word)
}

/// Returns a text of 1 to 16 bytes without NUL as a number, which differs for different texts; returns 0 for
/// all other texts.
pub(crate) fn short_word(text: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    match bytes.get_mut(..text.len()) {
        Some(start) => start.copy_from_slice(text),
        None => return 0,
    }
    u128::from_le_bytes(bytes)
}

const ONES: u128 = u128::MAX / 0xFF;
const TOPS: u128 = ONES << 7;

/// The masks by the length of a text: the bits of the field, padding included, and the top bits of the bytes
/// before the padding.
static SHORT: [(u128, u128); 17] = {
    let mut masks = [(0, 0); 17];
    let mut rest: &mut [(u128, u128)] = &mut masks;
    let (mut text, mut field) = (0_u128, 0_u128);
    let mut length = 0_u32;
    while let [mask, tail @ ..] = rest {
        *mask = (field, TOPS & text);
        rest = tail;
        text = text << 8 | 0xFF;
        if length.is_multiple_of(4) {
            field = field << 32 | 0xFFFF_FFFF;
        }
        length = length.saturating_add(1);
    }
    masks
};

/// Reads the next opening of an untyped Dictionary or Array, if no rule refuses it.
#[inline(always)]
pub(crate) fn read_plain_opening<'a>(cursor: &mut Cursor<'a>, rules: &Rules) -> Option<Container<'a>> {
    let mut next = *cursor;
    let header = next.u32().ok()?;
    let count = u32::try_from(next.u32().ok()?.cast_signed()).ok()?;
    let container = match header {
        DICTIONARY if u64::from(count) <= rules.limits.max_entries => {
            Container::Dictionary { key: ContainerType::None, value: ContainerType::None, count }
        }
        ARRAY => Container::Array { element: ContainerType::None, count },
        _ => return None,
    };
    if !rules.limits.allowed_types.contains(container.ty()) {
        return None;
    }
    *cursor = next;
    Some(container)
}

/// The types that are read here, as bits.
const PLAIN: u64 = {
    let mut bits = 0b1111 | 1 << STRING | 1 << STRING_NAME;
    let mut rest: &[VariantType] = VariantType::ALL;
    while let [ty, tail @ ..] = rest {
        if vector(*ty).is_some() {
            bits |= 1 << ty.id();
        }
        rest = tail;
    }
    bits
};

/// The type, lane and bytes of the vectors without an allocation of their own, by type id.
static VECTORS: [Option<(VariantType, Lane, u64)>; VariantType::ALL.len()] = by_type!(None, |ty| vector(*ty));

/// The results of [`scalar_bytes`], by type id.
static STEPS: [u8; VariantType::ALL.len()] = by_type!(0, |ty| match (*ty, vector(*ty)) {
    (VariantType::Nil, _) => 4,
    (VariantType::Int | VariantType::Float, _) => 8,
    (_, Some((_, _, bytes))) => low_byte(bytes.saturating_add(4)),
    _ => 0,
});

const fn low_byte(number: u64) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}

const fn vector(ty: VariantType) -> Option<(VariantType, Lane, u64)> {
    if heap::COSTLY.contains(ty) {
        return None;
    }
    match ty.layout() {
        Layout::Math(Lane::I32, count) => Some((ty, Lane::I32, bytes(count))),
        Layout::Math(Lane::Real | Lane::F32, count) => Some((ty, Lane::F32, bytes(count))),
        _ => None,
    }
}

/// Returns the number of bytes of `count` lanes of four bytes.
const fn bytes(count: u8) -> u64 {
    u64::from_le_bytes([count, 0, 0, 0, 0, 0, 0, 0]) << 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::words;
    use crate::token::{Token, read, read_plain_int};

    /// Tests that a field is a number exactly when the fallback takes its text and the padding is zeros.
    #[test]
    fn a_short_field_is_what_is_read_with_care() {
        for length in 0..20_usize {
            let mut field = [0xEE; 24];
            field[..length].fill(b'a');
            field[length..length.next_multiple_of(4)].fill(0);
            let word = |field: &[u8]| short_field(field, u32::try_from(length).unwrap());
            let expected = (1..=16).contains(&length).then(|| short_word(&field[..length]));
            assert_eq!(word(&field), expected, "{length}");
            if let Some(word) = expected {
                let bytes = [&words(&[STRING, u32::try_from(length).unwrap()])[..], &field].concat();
                let (text, used) = short_string(&bytes).unwrap();
                let used = usize::try_from(used).unwrap();
                assert_eq!((short_word(text.as_bytes()), used), (word, 8 + length.next_multiple_of(4)));
                assert_eq!(short_string(&bytes[..used - 1]).map(|(_, used)| used), None);
            }
            let is_whole = length.next_multiple_of(4) <= 15;
            assert_eq!(word(&field[..15]), expected.filter(|_| is_whole), "{length} near the end");
            for at in 0..length.next_multiple_of(4) {
                for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                    let mut field = field;
                    field[at] = byte;
                    let (text, pad) = field[..length.next_multiple_of(4)].split_at(length);
                    let is_plain = Text::plain(text).is_some_and(|text| text.is_ascii());
                    let taken = is_plain && pad.iter().all(|byte| *byte == 0) && expected.is_some();
                    assert_eq!(word(&field), taken.then(|| short_word(text)), "{byte} at {at} of {length}");
                }
            }
        }
    }

    /// Tests that an entry of a PackedStringArray is read as the fallback reads it, or not at all, whatever
    /// its bytes.
    #[test]
    fn a_string_of_an_array_is_what_is_read_with_care() {
        let rules = Rules::default();
        let mut taken = 0;
        for length in 0..20_usize {
            let mut field = vec![u8::try_from(length).unwrap(), 0, 0, 0];
            field.resize(4 + length, b'a');
            field.pop_if(|byte| *byte == b'a');
            field.resize(4 + length.next_multiple_of(4), 0);
            field.resize(40, 0xEE);
            for at in 3..4 + length.next_multiple_of(4) {
                for byte in [0, 1, b'b', 0x7F, 0x80, 0xD0, 0xFF] {
                    let mut field = field.clone();
                    if at > 3 {
                        field[at] = byte;
                    }
                    let (mut cursor, mut plain) = (Cursor::new(&field), Cursor::new(&field));
                    let found = read_plain_string(&mut cursor, &rules);
                    assert_eq!(found, read_plain_bare(&mut plain, TextForm::Terminated, &rules));
                    assert_eq!(cursor.at(), plain.at());
                    taken += u32::from(found.is_some());
                }
            }
        }
        assert!(taken > 500, "{taken} of them are plain");
    }

    /// Tests that the fallback reads the same, to the byte, and that everything plain is read here.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of cases")]
    fn it_is_what_the_plain_twin_reads() {
        let rules = Rules::default();
        assert!(are_plain(&rules));
        let mut found = 0;
        for word in (0_u32..64).chain((0..64).map(|id| id | WIDE)).chain([0x100, 0x8000_0002, 0x2_0002]) {
            for second in [0, 1, 2, 3, 4, 9, 0x3F80_0000, u32::MAX] {
                let words = [
                    word,
                    second,
                    0x61,
                    0x6261,
                    0,
                    0x6463_6261,
                    11,
                    12,
                    13,
                    14,
                    15,
                    16,
                    17,
                    18,
                    19,
                    20,
                    21,
                    22,
                ];
                let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
                for length in [0, 3, 4, 7, 8, 12, bytes.len()] {
                    let mut cursor = Cursor::new(&bytes[..length]);
                    let text = read_plain_text(&mut cursor, None, &rules);
                    let text = text.map(|(ty, text, _)| Leaf::Text(ty, text));
                    let Some(leaf) = text.or_else(|| read_scalar(&mut cursor, None)) else {
                        assert_eq!(cursor.at(), 0, "nothing is read");
                        continue;
                    };
                    let mut plain = Cursor::new(&bytes[..length]);
                    // They are compared as text, because NaN is not equal to itself.
                    let twin = format!("{:?}", read(&mut plain, &rules));
                    assert_eq!(twin, format!("{:?}", Ok::<_, ()>(Token::Leaf(leaf))), "{word:#x}");
                    assert_eq!(cursor.at(), plain.at());
                    assert!(PLAIN & 1 << leaf.ty().id() != 0 && !heap::COSTLY.contains(leaf.ty()));
                    let mut again = Cursor::new(&bytes[..length]);
                    let int = read_plain_int(&mut again);
                    assert_eq!(int.map(Leaf::Int), matches!(leaf, Leaf::Int(_)).then_some(leaf));
                    assert_eq!(again.at(), if int.is_some() { plain.at() } else { 0 });
                    let other = Some(VariantType::Rid);
                    assert_eq!(read_scalar(&mut Cursor::new(&bytes), other), None, "not what is declared");
                    found |= 1u64 << leaf.ty().id();
                }
            }
        }
        assert_eq!(found, PLAIN, "every plain type");
        for (ty, slot) in VariantType::ALL.iter().zip(&VECTORS) {
            assert_eq!(vector(*ty), *slot, "{ty}");
        }
        assert_eq!(PLAIN.count_ones(), 4 + 2 + 10);
    }

    /// Tests that openings which a limit refuses are left to the fallback, which makes the fault.
    #[test]
    fn openings_that_limits_refuse_are_not_taken() {
        let opening = |header: u32, count: u32, rules: &Rules| {
            let bytes = [header, count].map(u32::to_le_bytes).concat();
            read_plain_opening(&mut Cursor::new(&bytes), rules).map(|container| container.ty())
        };
        let save = Rules::default();
        let array = Some(VariantType::Array);
        let dictionary = Some(VariantType::Dictionary);
        assert_eq!((opening(ARRAY, 9, &save), opening(DICTIONARY, 9, &save)), (array, dictionary));
        assert_eq!(opening(ARRAY, 0x8000_0000, &save), None, "a shared bit");
        assert_eq!(opening(ARRAY | WIDE, 0, &save), None, "a typed array");
        assert_eq!(opening(INT, 0, &save), None);
        let mut rules = save;
        rules.limits.max_entries = 9;
        assert_eq!((opening(DICTIONARY, 9, &rules), opening(DICTIONARY, 10, &rules)), (dictionary, None));
        assert_eq!(opening(ARRAY, 10, &rules), array, "entries are those of dictionaries");
        rules.limits.allowed_types = crate::TypeSet::of(&[VariantType::Dictionary]);
        assert_eq!((opening(ARRAY, 9, &rules), opening(DICTIONARY, 9, &rules)), (None, dictionary));
    }

    /// Tests that every ASCII entry that fits in a word is recognized, if there are enough bytes to read one.
    #[test]
    fn short_strings_are_told_by_their_word() {
        for length in 0..20_usize {
            for fill in [1, b'a', 0x7F, 0x80, 0xFF] {
                let mut field = vec![fill; length.saturating_sub(1)];
                field.resize(length.next_multiple_of(4), 0);
                field.resize(24, 0xEE);
                let length = u32::try_from(length).unwrap();
                let is_short = (1..=16).contains(&length) && (fill < 0x80 || length == 1);
                assert_eq!(is_short_string(&field, length), is_short, "{length} of {fill:#x}");
                assert!(!is_short_string(&field[..15], length), "too near the end");
            }
        }
    }

    /// Tests that the fast path, which needs 16 bytes at hand, obeys the bound too.
    #[test]
    fn short_entries_are_as_long_as_allowed() {
        for length in 1..=16_u8 {
            let mut entry = vec![length, 0, 0, 0];
            entry.resize(usize::from(length) + 3, b'a');
            entry.resize(40, 0);
            let is_taken = |max_string_bytes| {
                let rules = Rules::safe(crate::Limits { max_string_bytes, ..crate::Limits::engine() });
                read_plain_string(&mut Cursor::new(&entry), &rules).is_some()
            };
            assert!(is_taken(u64::from(length)) && !is_taken(u64::from(length) - 1), "{length}");
        }
    }
}
