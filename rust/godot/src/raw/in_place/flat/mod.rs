//! The fast path: makes small values of plain leaves and containers without a walk, where no limit can refuse them; games send
//! such values most. Each part is judged just before it is made. The slow twin is `to_slots.rs`. It refuses nothing: it lets
//! go of a value that it gives up, and a walk reads that.
//!
//! It recurses, but never deeper than [`DEEPEST`].

mod judge;
mod make;
mod rare;

use godot::builtin::Variant;
use variant_core::{Rules, VariantType, free_flat_levels};

use super::super::layout::proven;
use super::bits::{ARRAY, DICTIONARY, INT, WIDE_FLAG, id};
use super::keys::KeyCache;
use judge::Judge;

/// Levels of containers; each takes less than 600 bytes of stack in a release build.
const DEEPEST: u64 = 256;
/// Scalars in a typed array. More of them pay for a walk, which writes them faster than they are judged.
const MANY: u32 = 128;
const WIDE_INT: u32 = INT | WIDE_FLAG;
/// A header that declares a builtin type.
const TYPED_ARRAY: u32 = ARRAY | BUILTIN_KEY;
const BUILTIN_KEY: u32 = 1 << 16;
const BUILTIN_VALUE: u32 = 1 << 18;
const KEY_TYPED: u32 = DICTIONARY | BUILTIN_KEY;
const VALUE_TYPED: u32 = DICTIONARY | BUILTIN_VALUE;
const BOTH_TYPED: u32 = DICTIONARY | BUILTIN_KEY | BUILTIN_VALUE;
const PATH: u32 = id(VariantType::NodePath);
const PACKED_STRINGS: u32 = id(VariantType::PackedStringArray);

/// Makes the value that the bytes are in the place of a null, if it is flat and nothing can speak against it. Tells whether it
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
    let mut judge = Judge::new(keys, rules);
    // SAFETY: a living null, which owns nothing, of which nobody else knows.
    let made = unsafe { make::value(bytes, place.var_sys_mut().cast(), &mut judge, levels) };
    let is_made = matches!(made, Some([]));
    if !is_made {
        *place = Variant::nil();
    }
    is_made
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}
