//! Flat: small values of numbers, texts and a few levels of plain containers, made without a walk where no limit can speak:
//! what games send most. The plain twin is `to_slots.rs`. It refuses nothing, and makes nothing before it has
//! seen all the bytes.
//!
//! It recurses, but never deeper than [`DEEPEST`].

use godot::builtin::Variant;
use variant_core::token::{plain_text, short_string};
use variant_core::{MOST_FLAT_ENTRIES, Rules, Run, free_flat_levels};

use super::super::layout::{PAYLOAD, proven};
use super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, STRING, WIDE_FLAG};
use super::builder::{STRIDE, set, tag};
use super::children::LocalKey;
use super::keys::KeyCache;
use super::shapes::{copied, step};
use super::to_slots::as_str;
use super::{entries, made, scalar, strings};

/// Bytes. In larger values the walk's own costs are not felt.
const LONGEST: usize = 4096;
/// Levels of containers; each takes less than 400 bytes of stack.
const DEEPEST: u64 = 256;
/// Elements of one array. More of them pay for a walk, and are not worth to be looked through first.
const MANY: u32 = 128;
const WIDE_INT: u32 = INT | WIDE_FLAG;
const WIDE_FLOAT: u32 = FLOAT | WIDE_FLAG;
/// One that declares a builtin type.
const TYPED_ARRAY: u32 = ARRAY | 1 << 16;

/// What has come before, and the rules, of which only those for texts are asked.
#[derive(Clone, Copy)]
struct Room<'r> {
    keys: &'r KeyCache,
    rules: &'r Rules,
}

/// Makes the value that the bytes are in the place of a null, if it is flat and nothing can speak against it. Whether it
/// is there; else the place holds null still.
#[inline]
pub(crate) fn decode_flat(bytes: &[u8], rules: &Rules, keys: &KeyCache, place: &mut Variant) -> bool {
    if bytes.len() > LONGEST || proven().is_none() {
        return false;
    }
    let Some(inner) = free_flat_levels(bytes.len() as u64, rules).min(DEEPEST).checked_sub(1) else {
        return false;
    };
    let room = Room { keys, rules };
    let is_flat = word(bytes)
        .is_some_and(|(header, rest)| matches!(behind_container(header, rest, inner, room), Some([])));
    // SAFETY: a living null, which owns nothing, of which nobody else knows; the bytes have just been looked through.
    let made = is_flat && unsafe { container(bytes, place.var_sys_mut().cast(), room).is_some() };
    if is_flat && !made {
        *place = Variant::nil();
    }
    made
}

/// What follows the value that comes next, if that is flat.
#[inline(always)]
fn behind<'b>(bytes: &'b [u8], levels: u64, room: Room<'_>) -> Option<&'b [u8]> {
    let (header, rest) = word(bytes)?;
    match header {
        ARRAY | TYPED_ARRAY | DICTIONARY => behind_container(header, rest, levels.checked_sub(1)?, room),
        _ => bytes.get(length(header, bytes, room.rules)?..),
    }
}

/// The same of a container, behind its header.
fn behind_container<'b>(header: u32, rest: &'b [u8], levels: u64, room: Room<'_>) -> Option<&'b [u8]> {
    match header {
        ARRAY => {
            let (mut count, mut rest) = word(rest)?;
            if count > MANY {
                return None;
            }
            while count > 0 {
                let alike = numbers(rest, count);
                (rest, count) = (rest.get(alike * 8..)?, count - alike as u32);
                if count > 0 {
                    (rest, count) = (behind(rest, levels, room)?, count - 1);
                }
            }
            Some(rest)
        }
        TYPED_ARRAY => {
            let (declared, rest) = word(rest)?;
            let (count, mut rest) = word(rest)?;
            let is_plain =
                matches!(declared, BOOL | INT | FLOAT | STRING) || scalar::vector(declared).is_some();
            if !is_plain || count > MANY {
                return None;
            }
            for _ in 0..count {
                let (header, _) = word(rest).filter(|(header, _)| header & !WIDE_FLAG == declared)?;
                rest = rest.get(length(header, rest, room.rules)?..)?;
            }
            Some(rest)
        }
        DICTIONARY => {
            let (count, mut rest) = word(rest)?;
            if let Some((number, _)) = room.keys.shapes.ready(count, rest) {
                for record in room.keys.shapes.records(number) {
                    if !record.begins(rest) {
                        return None;
                    }
                    rest = behind(rest.get(record.field() as usize..)?, levels, room)?;
                }
                return Some(rest);
            }
            if count > MOST_FLAT_ENTRIES {
                return None;
            }
            for _ in 0..count {
                rest = rest.get(lone_key(count, rest, room.keys)?..)?;
                rest = behind(rest, levels, room)?;
            }
            Some(rest)
        }
        _ => None,
    }
}

/// Writes the value that comes next; what follows it.
///
/// # Safety
/// A null that nobody else uses lies at `slot`; [`behind`] has found the value flat.
#[inline(always)]
unsafe fn make<'b>(bytes: &'b [u8], slot: *mut u8, room: Room<'_>) -> Option<&'b [u8]> {
    // SAFETY: the caller's promise.
    unsafe {
        match entries::value(bytes, slot, u64::MAX, &mut Run::default()) {
            Some(used) => bytes.get(used..),
            None => container(bytes, slot, room),
        }
    }
}

/// The same of a container or a longer text.
///
/// # Safety
/// As [`make`].
unsafe fn container<'b>(bytes: &'b [u8], slot: *mut u8, room: Room<'_>) -> Option<&'b [u8]> {
    let (header, rest) = word(bytes)?;
    // SAFETY: the caller's promise. An array has as many elements as values come, a copied shape as many nodes; they are
    // null, or the default of a declared type that owns nothing, and nobody else's.
    unsafe {
        match header {
            ARRAY | TYPED_ARRAY => {
                let (declared, rest) = if header == ARRAY { (NIL, rest) } else { word(rest)? };
                let (count, mut rest) = word(rest)?;
                let array = made::array(slot, Some(declared))?;
                if count > 0 {
                    let first = made::resized(array, count as usize)?;
                    let mut done = 0;
                    loop {
                        let slot = first.wrapping_add(done as usize * STRIDE);
                        let (used, scalars) = scalar::run(rest, slot, NIL, count - done);
                        rest = rest.get(used..)?;
                        done += scalars;
                        if done == count {
                            break;
                        }
                        let slot = first.wrapping_add(done as usize * STRIDE);
                        rest = match entries::text(rest, slot, u64::MAX, &mut Run::default()) {
                            Some(used) => rest.get(used..)?,
                            None => container(rest, slot, room)?,
                        };
                        done += 1;
                        if done == count {
                            break;
                        }
                    }
                }
                Some(rest)
            }
            DICTIONARY => {
                let (count, rest) = word(rest)?;
                made::dictionary(slot)?;
                match room.keys.shapes.ready(count, rest) {
                    Some(shape) => shaped(rest, slot, (count, shape), room),
                    None => one_by_one(rest, slot, count, room),
                }
            }
            STRING => {
                let (_, text, rest) = plain_text(bytes, room.rules)?;
                strings::string(slot.add(PAYLOAD), as_str(&text))?;
                tag(slot, STRING);
                Some(rest)
            }
            _ => None,
        }
    }
}

/// Fills the empty Dictionary at `slot` by a shape.
///
/// # Safety
/// As [`make`].
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
            let (value, next) = step(node);
            rest = make(rest.get(record.field() as usize..)?, value, room)?;
            node = next;
        }
    }
    room.keys.shapes.succeeded(number);
    Some(rest)
}

/// The same, key by key.
///
/// # Safety
/// As [`make`].
#[inline(never)]
unsafe fn one_by_one<'b>(bytes: &'b [u8], slot: *mut u8, count: u32, room: Room<'_>) -> Option<&'b [u8]> {
    let mut rest = bytes;
    // SAFETY: the caller's promise.
    unsafe {
        let dictionary = slot.add(PAYLOAD);
        for index in 0..u64::from(count) {
            let length = lone_key(count, rest, room.keys)?;
            let value = match word(rest)? {
                (STRING, _) => made::slot(dictionary.cast(), room.keys.known(rest)?.key)?,
                (_, number) => {
                    let mut key = LocalKey::new();
                    let wide = number.first_chunk().map(|wide| i64::from_le_bytes(*wide));
                    let narrow = i64::from(i32::from_le_bytes(*number.first_chunk()?));
                    let number = if length == 12 { wide? } else { narrow };
                    set(key.place(), INT, number.cast_unsigned());
                    made::slot(dictionary.cast(), key.place().cast())?
                }
            };
            // A key that comes twice has a value already, which is not to be written over.
            if made::length(dictionary)? != index + 1 {
                return None;
            }
            rest = make(rest.get(length..)?, value, room)?;
        }
    }
    Some(rest)
}

/// How long the key is that comes next, if it is an int, or a known String without others beside it: of several the shape
/// is worth to be learnt, which the walk does.
#[inline]
fn lone_key(count: u32, bytes: &[u8], keys: &KeyCache) -> Option<usize> {
    match word(bytes)? {
        (INT, _) => Some(8),
        (WIDE_INT, _) => Some(12),
        (STRING, _) if count == 1 => keys.known(bytes).map(|found| found.record.field() as usize),
        _ => None,
    }
}

/// How many bytes the scalar or String takes that comes next.
#[inline(always)]
fn length(header: u32, bytes: &[u8], rules: &Rules) -> Option<usize> {
    match header {
        NIL => Some(4),
        INT | FLOAT => Some(8),
        WIDE_INT | WIDE_FLOAT => Some(12),
        BOOL => matches!(bytes, [_, _, _, _, 0 | 1, 0, 0, 0, ..]).then_some(8),
        STRING => match short_string(bytes) {
            Some((_, used)) => Some(used as usize),
            None => plain_text(bytes, rules).map(|(.., rest)| bytes.len() - rest.len()),
        },
        other => scalar::vector(other),
    }
}

/// How many ints and floats of four bytes come next.
#[inline(always)]
fn numbers(bytes: &[u8], most: u32) -> usize {
    let (eights, _) = bytes.as_chunks::<8>();
    let is_number = |eight: &&[u8; 8]| matches!(eight, [2 | 3, 0, 0, 0, ..]);
    eights.iter().take(most as usize).take_while(is_number).count()
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}
