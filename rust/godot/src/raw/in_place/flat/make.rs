//! Makes values of the fast path in the slots where they stay.

use variant_core::VariantType;
use variant_core::token::{LONG_TEXT, plain_text, string_field};

use super::super::super::layout::PAYLOAD;
use super::super::bits::{ARRAY, DICTIONARY, INT, NAME, NIL, STRING, WIDE_FLAG};
use super::super::shapes::{MOST, copied, step};
use super::super::slot::LocalKey;
use super::super::slot::{STRIDE, set, tag};
use super::super::text_cache::Row;
use super::super::to_slots::as_str;
use super::super::{ahead, made, packs, scalar, strings};
use super::judge::{Judge, is_simple};
use super::{BOTH_TYPED, KEY_TYPED, MANY, PACKED_STRINGS, TYPED_ARRAY, VALUE_TYPED, rare, word};

/// Writes the value that comes next, of so many levels at most; what follows it. `None`: something speaks against it, and
/// as much of it as was made lies at `slot`.
///
/// # Safety
/// A null that nobody else uses lies at `slot`, or the default of a type that owns nothing.
#[inline(always)]
pub(super) unsafe fn value<'b>(
    bytes: &'b [u8],
    slot: *mut u8,
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        let used = match scalar::take(bytes, slot, NIL) {
            Some(used) => Some(used),
            None => judge.keys.texts.string(bytes, slot),
        };
        match used {
            Some(used) => bytes.get(used..),
            None => container(bytes, slot, judge, levels),
        }
    }
}

/// Writes a container, a longer text or a rare leaf; the slow part of [`value`].
///
/// # Safety
/// It needs what [`value`] needs.
#[expect(clippy::too_many_lines, reason = "one function calls itself, for little stack a level")]
pub(super) unsafe fn container<'b>(
    bytes: &'b [u8],
    slot: *mut u8,
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    let (header, rest) = word(bytes)?;
    // SAFETY: the caller's promise. An array has as many elements as values come, a copied shape as many nodes; they are
    // null, or the default of a declared type that owns nothing, and nobody else's.
    unsafe {
        match header {
            ARRAY => {
                let levels = levels.checked_sub(1)?;
                let (count, rest) = word(rest)?;
                fits(count, rest)?;
                let array = made::array(slot, Some(NIL))?;
                if count == 0 {
                    return Some(rest);
                }
                elements(rest, made::resized(array, count as usize)?, count, judge, levels)
            }
            DICTIONARY => {
                let levels = levels.checked_sub(1)?;
                let (count, rest) = word(rest)?;
                let first = word(rest).map_or(NIL, |(header, _)| header);
                let is_text = matches!(first, STRING | NAME);
                if is_text
                    && count > 1
                    && let Some(shape) = judge.keys.shapes.ready(count, rest)
                {
                    made::dictionary(slot)?;
                    return shaped(rest, slot, (count, shape), judge, levels);
                }
                if !judge.is_free(count, (NIL, NIL)) {
                    return None;
                }
                made::dictionary(slot)?;
                if is_text
                    && count == 1
                    && let Some(found) = judge.keys.known(rest)
                {
                    judge.takes_key(count, (NIL, NIL), rest)?;
                    let place = made::slot(slot.add(PAYLOAD).cast(), found.key)?;
                    return value(rest.get(found.record.field() as usize..)?, place, judge, levels);
                }
                if count == 1 && first == INT {
                    let (number, behind) = word(rest.get(4..)?)?;
                    let mut key = LocalKey::new();
                    set(key.place(), INT, i64::from(number.cast_signed()).cast_unsigned());
                    let place = made::slot(slot.add(PAYLOAD).cast(), key.place().cast())?;
                    return value(behind, place, judge, levels);
                }
                if count > MOST {
                    judge.keys.tables.give(slot.add(PAYLOAD).cast(), (NIL, NIL), count);
                }
                one_by_one(rest, slot, (count, (NIL, NIL)), judge, levels)
            }
            STRING => longer(bytes, slot, judge),
            TYPED_ARRAY | KEY_TYPED | VALUE_TYPED | BOTH_TYPED => typed((header, rest), slot, judge, levels),
            PACKED_STRINGS if judge.allows(VariantType::PackedStringArray) => {
                packs::strings_of(rest, slot, judge.rules)
            }
            _ => rare::make(header, bytes, slot, judge),
        }
    }
}

/// Writes a container with declared types, by what follows its header. It stands apart, since [`container`] calls itself
/// and shall take little stack.
///
/// # Safety
/// It needs what [`value`] needs.
#[inline(never)]
unsafe fn typed<'b>(
    (header, rest): (u32, &'b [u8]),
    slot: *mut u8,
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    let levels = levels.checked_sub(1)?;
    // SAFETY: as in `container`.
    unsafe {
        if header == TYPED_ARRAY {
            let (declared, behind) = word(rest)?;
            let (count, behind) = word(behind)?;
            fits(count, behind)?;
            if !is_simple(declared) || (count > MANY && !matches!(declared, STRING | NAME)) {
                return None;
            }
            let array = made::array(slot, Some(declared))?;
            if count == 0 {
                return Some(behind);
            }
            let first = made::resized(array, count as usize)?;
            return match declared {
                STRING => texts(behind, first, count, judge),
                NAME => names(behind, first, count, judge),
                _ => {
                    let (used, made) = scalar::run(behind, first, declared, count);
                    if made == count { behind.get(used..) } else { None }
                }
            };
        }
        let (key, value, rest) = judge.declared(header, rest)?;
        let (count, rest) = word(rest)?;
        if !judge.is_free(count, (key, value)) {
            return None;
        }
        judge.keys.empties.copy((key, value), slot)?;
        if count > MOST {
            judge.keys.tables.give(slot.add(PAYLOAD).cast(), (key, value), count);
        }
        one_by_one(rest, slot, (count, (key, value)), judge, levels)
    }
}

/// Tells whether so many values could follow, of 4 bytes each at least.
#[inline(always)]
fn fits(count: u32, rest: &[u8]) -> Option<()> {
    (count as usize <= rest.len() / 4).then_some(())
}

/// Fills an array of so many elements, of which this is the first.
///
/// # Safety
/// It needs what [`value`] needs, for each element.
#[inline(always)]
unsafe fn elements<'b>(
    bytes: &'b [u8],
    first: *mut u8,
    count: u32,
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    let (mut rest, mut done) = (bytes, 0);
    let slot = |at: u32| first.wrapping_add(at as usize * STRIDE);
    // SAFETY: the caller's promise.
    unsafe {
        loop {
            let (used, scalars) = scalar::run(rest, slot(done), NIL, count - done);
            rest = rest.get(used..)?;
            done += scalars;
            if done == count {
                return Some(rest);
            }
            rest = match judge.keys.texts.string(rest, slot(done)) {
                Some(used) => rest.get(used..)?,
                None => container(rest, slot(done), judge, levels)?,
            };
            done += 1;
            if done == count {
                return Some(rest);
            }
        }
    }
}

/// Fills an array of Strings, of which this is the first.
///
/// # Safety
/// It needs what [`value`] needs, for each element.
#[inline(never)]
unsafe fn texts<'b>(bytes: &'b [u8], first: *mut u8, count: u32, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    let (mut rest, mut row) = (bytes, Row::default());
    for at in 0..count as usize {
        let slot = first.wrapping_add(at * STRIDE);
        // SAFETY: the caller's promise.
        rest = unsafe {
            match judge.keys.texts.string_in_row(rest, slot, &mut row) {
                Some(used) => rest.get(used..)?,
                None if word(rest)?.0 == STRING => longer(rest, slot, judge)?,
                None => return None,
            }
        };
    }
    Some(rest)
}

/// Fills an array of StringNames, of which this is the first.
///
/// # Safety
/// It needs what [`value`] needs, for each element.
#[inline(never)]
unsafe fn names<'b>(bytes: &'b [u8], first: *mut u8, count: u32, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    let mut rest = bytes;
    for at in 0..count as usize {
        if word(rest)?.0 != NAME {
            return None;
        }
        // SAFETY: the caller's promise.
        rest = unsafe { rare::make(NAME, rest, first.wrapping_add(at * STRIDE), judge)? };
    }
    Some(rest)
}

/// Writes the String that comes next, of any length; what follows it.
///
/// # Safety
/// It needs what [`value`] needs.
#[inline]
unsafe fn longer<'b>(bytes: &'b [u8], slot: *mut u8, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    let (length, _) = word(bytes.get(4..)?)?;
    // SAFETY: the caller's promise.
    unsafe {
        if length as usize >= LONG_TEXT {
            return long(bytes, slot, judge);
        }
        let (_, text, rest) = plain_text(bytes, judge.rules)?;
        strings::string_of(slot.add(PAYLOAD), as_str(&text), text.is_ascii())?;
        tag(slot, STRING);
        Some(rest)
    }
}

/// Writes a long String, which is read in larger steps while it is made.
///
/// # Safety
/// It needs what [`value`] needs.
#[inline(never)]
unsafe fn long<'b>(bytes: &'b [u8], slot: *mut u8, judge: &mut Judge<'_>) -> Option<&'b [u8]> {
    let (body, rest) = string_field(bytes, judge.rules)?;
    // SAFETY: the caller's promise.
    unsafe {
        strings::unread(slot.add(PAYLOAD), body)?;
        tag(slot, STRING);
    }
    Some(rest)
}

/// Fills the empty Dictionary at `slot` by a template.
///
/// # Safety
/// It needs what [`value`] needs.
unsafe fn shaped<'b>(
    bytes: &'b [u8],
    slot: *mut u8,
    (count, (number, nulls)): (u32, (usize, godot::sys::GDExtensionConstTypePtr)),
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let mut node = copied(slot, nulls, count)?;
        for record in judge.keys.shapes.records(number) {
            if !record.begins(rest) {
                return None;
            }
            let (place, next) = step(node);
            ahead::ask_for_nodes(node, next, rest.len());
            rest = value(rest.get(record.field() as usize..)?, place, judge, levels)?;
            node = next;
        }
    }
    judge.keys.shapes.succeeded(number);
    Some(rest)
}

/// Fills the empty Dictionary at `slot` key by key.
///
/// # Safety
/// It needs what [`value`] needs.
#[inline(never)]
unsafe fn one_by_one<'b>(
    bytes: &'b [u8],
    slot: *mut u8,
    (count, declared): (u32, (u32, u32)),
    judge: &mut Judge<'_>,
    levels: u64,
) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let dictionary = slot.add(PAYLOAD);
        for index in 0..u64::from(count) {
            judge.takes_key(count, declared, rest)?;
            let (place, used) = match word(rest)? {
                (STRING | NAME, _) => {
                    let found = judge.keys.known(rest)?;
                    (made::slot(dictionary.cast(), found.key)?, found.record.field() as usize)
                }
                (INT, number) => {
                    let mut key = LocalKey::new();
                    let number = i32::from_le_bytes(*number.first_chunk()?);
                    set(key.place(), INT, i64::from(number).cast_unsigned());
                    (made::slot(dictionary.cast(), key.place().cast())?, 8)
                }
                _ => {
                    let mut key = LocalKey::new();
                    let used = scalar::take(rest, key.place(), NIL)?;
                    let place = made::slot(dictionary.cast(), key.place().cast())?;
                    // A scalar owns nothing that there were to let go.
                    tag(key.place(), NIL);
                    (place, used)
                }
            };
            // A key that comes twice has a value already, which is not to be written over. The first is alone.
            if index > 0 && made::length(dictionary)? != index + 1 {
                return None;
            }
            rest = rest.get(used..)?;
            if declared.1 != NIL && word(rest)?.0 & !WIDE_FLAG != declared.1 {
                return None;
            }
            rest = value(rest, place, judge, levels)?;
        }
    }
    Some(rest)
}
