//! Flat: small values of plain leaves and containers, made without a walk where no limit can speak: what games send most.
//! The plain twin is `to_slots.rs`. It refuses nothing: what it gives up, it lets go, and a walk reads it.
//!
//! It recurses, but never deeper than [`DEEPEST`].

mod look;
mod make;
mod rare;
mod sight;

use godot::builtin::Variant;
use variant_core::{Rules, VariantType, free_flat_levels};

use super::super::layout::proven;
use super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NAME, STRING, WIDE_FLAG, id};
use super::keys::KeyCache;
use super::scalar;
use look::Look;

/// Levels of containers; each takes less than 600 bytes of stack in a release build.
const DEEPEST: u64 = 256;
/// Bytes of what is no packet.
const LARGE: usize = 2048;
/// Scalars in a row. More of them pay for a walk, which writes them faster than they are looked through.
const MANY: u32 = 128;
const WIDE_INT: u32 = INT | WIDE_FLAG;
const WIDE_FLOAT: u32 = FLOAT | WIDE_FLAG;
/// Where a header has the type.
const TYPE: u32 = 0xFF;
/// One that declares a builtin type.
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;
const PATH: u32 = id(VariantType::NodePath);
const PACKED_STRINGS: u32 = id(VariantType::PackedStringArray);

/// What has come before, and the rules, of which only those for texts and types are asked.
#[derive(Clone, Copy)]
struct Room<'r> {
    keys: &'r KeyCache,
    rules: &'r Rules,
}

/// Makes the value that the bytes are in the place of a null, if it is flat and nothing can speak against it. Whether it
/// is there; else the place holds null still.
#[inline]
pub(crate) fn decode_flat(bytes: &[u8], rules: &Rules, keys: &mut KeyCache, place: &mut Variant) -> bool {
    if proven().is_none() {
        return false;
    }
    let levels = free_flat_levels(bytes.len() as u64, rules).min(DEEPEST);
    if levels == 0 {
        return false;
    }
    keys.texts.prepare();
    let room = Room { keys, rules };
    let mut look = Look::<true>::new(room);
    let slot = place.var_sys_mut().cast();
    // SAFETY: a living null, which owns nothing, of which nobody else knows.
    let made = unsafe { make::value(bytes, slot, (&mut look, room), levels) };
    let is_made = matches!(made, Some([]));
    if !is_made {
        *place = Variant::nil();
    }
    is_made
}

/// Whether the bytes are a flat value that nothing can speak against. Of many bytes the core's look tells that in less
/// than half the time, since it learns their shapes; a packet takes that 5 to 10 % longer than this one, which has them
/// ready.
#[inline]
pub(crate) fn is_flat(bytes: &[u8], rules: &Rules, keys: &KeyCache) -> bool {
    if bytes.len() >= LARGE {
        return variant_core::is_flat(bytes, rules);
    }
    let levels = free_flat_levels(bytes.len() as u64, rules).min(DEEPEST);
    levels > 0 && Look::<false>::new(Room { keys, rules }).is_all(bytes, levels)
}

/// Whether a slot that is new with this type declared owns nothing.
fn is_simple(declared: u32) -> bool {
    matches!(declared, BOOL | INT | FLOAT | STRING | NAME) || scalar::vector(declared).is_some()
}

/// What a Dictionary with this header declares, by the bytes behind that: its keys' type, its values'; 0 for nothing. And
/// what follows. `None` where that is no builtin type.
#[inline]
fn declared(header: u32, rest: &[u8]) -> Option<(u32, u32, &[u8])> {
    let (key, rest) = if header & BUILTIN_KEY == 0 { (0, rest) } else { word(rest)? };
    let (value, rest) = if header & BUILTIN_VALUE == 0 { (0, rest) } else { word(rest)? };
    Some((key, value, rest))
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}
