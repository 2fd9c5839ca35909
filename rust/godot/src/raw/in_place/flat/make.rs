//! Make: flat values in the slots where they stay, of bytes that have been looked through.

use variant_core::Run;

use super::super::super::layout::PAYLOAD;
use super::super::bits::{ARRAY, DICTIONARY, INT, NAME, NIL, STRING};
use super::super::builder::{STRIDE, set, tag};
use super::super::children::LocalKey;
use super::super::shapes::{MOST, copied, step};
use super::super::{entries, made, scalar, strings};
use super::{BOTH_TYPED, KEY_TYPED, Room, TYPED_ARRAY, VALUE_TYPED, declared, rare, word};

/// Writes the value that comes next; what follows it.
///
/// # Safety
/// A null that nobody else uses lies at `slot`, or the default of a type that owns nothing; `look.rs` has found the value
/// flat.
#[inline(always)]
pub(super) unsafe fn value<'b>(bytes: &'b [u8], slot: *mut u8, room: Room<'_>) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        match entries::value(bytes, slot, u64::MAX, &mut Run::default()) {
            Some(used) => bytes.get(used..),
            None => container(bytes, slot, room),
        }
    }
}

/// The same of a container, a longer text, or what is rare.
///
/// # Safety
/// As [`value`].
pub(super) unsafe fn container<'b>(bytes: &'b [u8], slot: *mut u8, room: Room<'_>) -> Option<&'b [u8]> {
    let (header, rest) = word(bytes)?;
    // SAFETY: the caller's promise. An array has as many elements as values come, a copied shape as many nodes; they are
    // null, or the default of a declared type that owns nothing, and nobody else's.
    unsafe {
        match header {
            ARRAY | TYPED_ARRAY => {
                let (declared, rest) = if header == ARRAY { (NIL, rest) } else { word(rest)? };
                let (count, rest) = word(rest)?;
                let array = made::array(slot, Some(declared))?;
                if count == 0 {
                    return Some(rest);
                }
                elements(rest, made::resized(array, count as usize)?, count, room)
            }
            DICTIONARY => {
                let (count, rest) = word(rest)?;
                made::dictionary(slot)?;
                if count > MOST {
                    room.keys.tables.give(slot.add(PAYLOAD).cast(), (NIL, NIL), count);
                }
                match room.keys.shapes.ready(count, rest) {
                    Some(shape) => shaped(rest, slot, (count, shape), room),
                    None => one_by_one(rest, slot, count, room),
                }
            }
            STRING => {
                let (text, rest) = strings::seen(rest, false)?;
                strings::string(slot.add(PAYLOAD), text)?;
                tag(slot, STRING);
                Some(rest)
            }
            KEY_TYPED | VALUE_TYPED | BOTH_TYPED => {
                let (key, value, rest) = declared(header, rest)?;
                let (count, rest) = word(rest)?;
                room.keys.empties.copy((key, value), slot)?;
                if count > MOST {
                    room.keys.tables.give(slot.add(PAYLOAD).cast(), (key, value), count);
                }
                one_by_one(rest, slot, count, room)
            }
            _ => rare::make(header, bytes, slot, room),
        }
    }
}

/// Fills an array of so many elements, of which this is the first.
///
/// # Safety
/// As [`value`], of each element.
#[inline(always)]
unsafe fn elements<'b>(bytes: &'b [u8], first: *mut u8, count: u32, room: Room<'_>) -> Option<&'b [u8]> {
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
            rest = match entries::text(rest, slot(done), u64::MAX, &mut Run::default()) {
                Some(used) => rest.get(used..)?,
                None => container(rest, slot(done), room)?,
            };
            done += 1;
            if done == count {
                return Some(rest);
            }
        }
    }
}

/// Fills the empty Dictionary at `slot` by a shape.
///
/// # Safety
/// As [`value`].
unsafe fn shaped<'b>(
    bytes: &'b [u8],
    slot: *mut u8,
    (count, (number, nulls)): (u32, (usize, godot::sys::GDExtensionConstTypePtr)),
    room: Room<'_>,
) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let mut node = copied(slot, nulls, count)?;
        for record in room.keys.shapes.records(number) {
            let (place, next) = step(node);
            rest = value(rest.get(record.field() as usize..)?, place, room)?;
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
unsafe fn one_by_one<'b>(bytes: &'b [u8], slot: *mut u8, count: u32, room: Room<'_>) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let dictionary = slot.add(PAYLOAD);
        for index in 0..u64::from(count) {
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
            // A key that comes twice has a value already, which is not to be written over.
            if made::length(dictionary)? != index + 1 {
                return None;
            }
            rest = value(rest.get(used..)?, place, room)?;
        }
    }
    Some(rest)
}
