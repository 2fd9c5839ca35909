//! Make: flat values in the slots where they stay.

use godot::builtin::GString;

use super::super::super::layout::PAYLOAD;
use super::super::bits::{ARRAY, DICTIONARY, INT, NAME, NIL, STRING};
use super::super::builder::{STRIDE, set, tag};
use super::super::children::LocalKey;
use super::super::packs::strings_in;
use super::super::shapes::{MOST, copied, step};
use super::super::text_cache::Row;
use super::super::{ahead, made, scalar, strings};
use super::sight::{Seen, Sight};
use super::{BOTH_TYPED, KEY_TYPED, PACKED_STRINGS, Room, TYPED_ARRAY, VALUE_TYPED, declared, rare, word};

/// Writes the value that comes next, of so many levels at most; what follows it. `None`: something speaks against it, and
/// at `slot` lies what there is of it.
///
/// # Safety
/// A null that nobody else uses lies at `slot`, or the default of a type that owns nothing. If `sight` is [`Seen`], the
/// bytes have been found to be flat.
#[inline(always)]
pub(super) unsafe fn value<'b, S: Sight>(
    bytes: &'b [u8],
    slot: *mut u8,
    (sight, room): (&mut S, Room<'_>),
    levels: u64,
) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        let used = match scalar::take(bytes, slot, NIL) {
            Some(used) => Some(used),
            None => room.keys.texts.string(bytes, slot),
        };
        match used {
            Some(used) => bytes.get(used..),
            None => container(bytes, slot, (sight, room), levels),
        }
    }
}

/// The same of a container, a longer text, or what is rare.
///
/// # Safety
/// As [`value`].
#[expect(clippy::too_many_lines, reason = "one function calls itself, for little stack a level")]
pub(super) unsafe fn container<'b, S: Sight>(
    bytes: &'b [u8],
    slot: *mut u8,
    (sight, room): (&mut S, Room<'_>),
    levels: u64,
) -> Option<&'b [u8]> {
    let (header, rest) = word(bytes)?;
    // SAFETY: the caller's promise. An array has as many elements as values come, a copied shape as many nodes; they are
    // null, or the default of a declared type that owns nothing, and nobody else's. What has types has been looked
    // through, all of it.
    unsafe {
        match header {
            ARRAY => {
                let levels = levels.checked_sub(1)?;
                let (count, rest) = word(rest)?;
                sight.elements(count, rest)?;
                let array = made::array(slot, Some(NIL))?;
                if count == 0 {
                    return Some(rest);
                }
                elements(rest, made::resized(array, count as usize)?, count, (sight, room), levels)
            }
            DICTIONARY => {
                let levels = levels.checked_sub(1)?;
                let (count, rest) = word(rest)?;
                let first = word(rest).map_or(NIL, |(header, _)| header);
                let is_text = matches!(first, STRING | NAME);
                if is_text
                    && count > 1
                    && let Some(shape) = room.keys.shapes.ready(count, rest)
                {
                    made::dictionary(slot)?;
                    return shaped(rest, slot, (count, shape), (sight, room), levels);
                }
                sight.dictionary(count)?;
                made::dictionary(slot)?;
                if is_text
                    && count == 1
                    && let Some(found) = room.keys.known(rest)
                {
                    sight.key(count, rest)?;
                    let place = made::slot(slot.add(PAYLOAD).cast(), found.key)?;
                    return value(rest.get(found.record.field() as usize..)?, place, (sight, room), levels);
                }
                if count == 1 && first == INT {
                    let (number, behind) = word(rest.get(4..)?)?;
                    let mut key = LocalKey::new();
                    set(key.place(), INT, i64::from(number.cast_signed()).cast_unsigned());
                    let place = made::slot(slot.add(PAYLOAD).cast(), key.place().cast())?;
                    return value(behind, place, (sight, room), levels);
                }
                if count > MOST {
                    room.keys.tables.give(slot.add(PAYLOAD).cast(), (NIL, NIL), count);
                }
                one_by_one(rest, slot, count, (sight, room), levels)
            }
            STRING => longer(bytes, slot, sight),
            TYPED_ARRAY | KEY_TYPED | VALUE_TYPED | BOTH_TYPED => {
                typed((header, rest), slot, (sight, room), levels)
            }
            PACKED_STRINGS => packed_strings(rest, slot, sight),
            _ => {
                sight.rare(header, bytes)?;
                rare::make(header, bytes, slot, room)
            }
        }
    }
}

/// The same of a container with declared types, by what follows its header. Apart from [`container`], which calls itself
/// and shall take little stack.
///
/// # Safety
/// As [`value`].
#[inline(never)]
unsafe fn typed<'b, S: Sight>(
    (header, rest): (u32, &'b [u8]),
    slot: *mut u8,
    (sight, room): (&mut S, Room<'_>),
    levels: u64,
) -> Option<&'b [u8]> {
    let levels = levels.checked_sub(1)?;
    // SAFETY: as in `container`.
    unsafe {
        if header == TYPED_ARRAY {
            let (declared, behind) = word(rest)?;
            let (count, behind) = word(behind)?;
            if declared == STRING {
                sight.elements(count, behind)?;
            } else {
                sight.typed(header, rest, levels)?;
            }
            let array = made::array(slot, Some(declared))?;
            if count == 0 {
                return Some(behind);
            }
            let first = made::resized(array, count as usize)?;
            return match declared {
                STRING => texts(behind, first, count, (sight, room)),
                _ => elements(behind, first, count, (&mut Seen, room), levels),
            };
        }
        sight.typed(header, rest, levels)?;
        let (key, value, rest) = declared(header, rest)?;
        let (count, rest) = word(rest)?;
        room.keys.empties.copy((key, value), slot)?;
        if count > MOST {
            room.keys.tables.give(slot.add(PAYLOAD).cast(), (key, value), count);
        }
        one_by_one(rest, slot, count, (&mut Seen, room), levels)
    }
}

/// Fills an array of so many elements, of which this is the first.
///
/// # Safety
/// As [`value`], of each element.
#[inline(always)]
unsafe fn elements<'b, S: Sight>(
    bytes: &'b [u8],
    first: *mut u8,
    count: u32,
    (sight, room): (&mut S, Room<'_>),
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
            rest = match room.keys.texts.string(rest, slot(done)) {
                Some(used) => rest.get(used..)?,
                None => container(rest, slot(done), (&mut *sight, room), levels)?,
            };
            done += 1;
            if done == count {
                return Some(rest);
            }
        }
    }
}

/// The same where all are Strings.
///
/// # Safety
/// As [`value`], of each element.
#[inline(never)]
unsafe fn texts<'b, S: Sight>(
    bytes: &'b [u8],
    first: *mut u8,
    count: u32,
    (sight, room): (&mut S, Room<'_>),
) -> Option<&'b [u8]> {
    let (mut rest, mut row) = (bytes, Row::default());
    for at in 0..count as usize {
        let slot = first.wrapping_add(at * STRIDE);
        // SAFETY: the caller's promise.
        rest = unsafe {
            match room.keys.texts.string_in_row(rest, slot, &mut row) {
                Some(used) => rest.get(used..)?,
                None if word(rest)?.0 == STRING => longer(rest, slot, sight)?,
                None => return None,
            }
        };
    }
    Some(rest)
}

/// Writes the String that comes next, of any length; what follows it.
///
/// # Safety
/// As [`value`].
#[inline]
unsafe fn longer<'b, S: Sight>(bytes: &'b [u8], slot: *mut u8, sight: &mut S) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(rest) = sight.string(bytes, slot) {
            return Some(rest);
        }
        let (text, is_ascii, rest) = sight.text(bytes)?;
        strings::string_of(slot.add(PAYLOAD), text, is_ascii)?;
        tag(slot, STRING);
        Some(rest)
    }
}

/// Makes a PackedStringArray by what follows its header.
///
/// # Safety
/// As [`value`].
#[inline(never)]
unsafe fn packed_strings<'b, S: Sight>(bytes: &'b [u8], slot: *mut u8, sight: &mut S) -> Option<&'b [u8]> {
    let (count, mut rest) = word(bytes)?;
    sight.packed_strings(count, rest)?;
    // SAFETY: the caller's promise; as many empty Strings, nobody else's.
    unsafe {
        let first = strings_in(slot, count as usize)?;
        for index in 0..count as usize {
            let (text, is_ascii, behind) = sight.packed_string(rest)?;
            strings::fill(first.wrapping_add(index * size_of::<GString>()), text, is_ascii)?;
            rest = behind;
        }
    }
    Some(rest)
}

/// Fills the empty Dictionary at `slot` by a shape.
///
/// # Safety
/// As [`value`].
unsafe fn shaped<'b, S: Sight>(
    bytes: &'b [u8],
    slot: *mut u8,
    (count, (number, nulls)): (u32, (usize, godot::sys::GDExtensionConstTypePtr)),
    (sight, room): (&mut S, Room<'_>),
    levels: u64,
) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let mut node = copied(slot, nulls, count)?;
        for record in room.keys.shapes.records(number) {
            sight.begins(record, rest)?;
            let (place, next) = step(node);
            ahead::ask_for_nodes(node, next, rest.len());
            rest = value(rest.get(record.field() as usize..)?, place, (&mut *sight, room), levels)?;
            node = next;
        }
    }
    room.keys.shapes.succeeded(number);
    Some(rest)
}

/// The same, key by key.
///
/// # Safety
/// As [`value`].
#[inline(never)]
unsafe fn one_by_one<'b, S: Sight>(
    bytes: &'b [u8],
    slot: *mut u8,
    count: u32,
    (sight, room): (&mut S, Room<'_>),
    levels: u64,
) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let dictionary = slot.add(PAYLOAD);
        for index in 0..u64::from(count) {
            sight.key(count, rest)?;
            let (place, used) = match word(rest)? {
                (STRING | NAME, _) => {
                    let found = room.keys.known(rest)?;
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
            rest = value(rest.get(used..)?, place, (&mut *sight, room), levels)?;
        }
    }
    Some(rest)
}
