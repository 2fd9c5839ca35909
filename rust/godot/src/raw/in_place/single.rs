//! Makes the value of bytes that are one number, one short text or the like, without a walker, a room or a
//! cache. The fallback is `plain.rs`. It refuses nothing.

use godot::builtin::Variant;
use variant_core::token::Leaf;
use variant_core::{Rules, Single, Trick, VariantType, may_be_single, single};

use super::super::layout::{PAYLOAD, proven};
use super::answer::put_elements;
use super::bits::{ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, PLAIN, WIDE_FLAG, id};
use super::slot::{set, tag};
use super::strings::{self, as_str};
use super::{calls, packed};

/// Makes the value that the bytes are in the place of a null, if it is plain and nothing speaks against it. Tells whether
/// it is there; else the place holds null still.
#[inline]
pub(crate) fn decode_single(bytes: &[u8], rules: &Rules, place: &mut Variant) -> bool {
    // Most other values are containers that have something in them.
    let header = bytes.first_chunk().map_or(NIL, |header| u32::from_le_bytes(*header));
    let is_filled = bytes.len() > 8 && matches!(header, ARRAY | DICTIONARY);
    if is_filled || proven().is_none() || Trick::Lone.is_off() {
        return false;
    }
    if let Some((ty, number)) = number(bytes)
        && may_be_single(bytes, rules)
    {
        // SAFETY: a living null, which owns nothing.
        unsafe { set(place.var_sys_mut().cast(), ty, number) };
        return true;
    }
    other(bytes, rules, place)
}

/// Reads the int or the float that the bytes are: its type, and the word that a Variant has for it. The
/// fallback is [`other`].
#[inline]
fn number(bytes: &[u8]) -> Option<(u32, u64)> {
    let (header, payload) = bytes.split_first_chunk()?;
    let header = u32::from_le_bytes(*header);
    let ty = header & !WIDE_FLAG;
    let word = match (payload.len(), header != ty) {
        (8, true) => u64::from_le_bytes(*payload.first_chunk()?),
        (4, false) => {
            let narrow = i32::from_le_bytes(*payload.first_chunk()?);
            let single = f64::from(f32::from_bits(narrow.cast_unsigned()));
            if ty == INT { i64::from(narrow).cast_unsigned() } else { single.to_bits() }
        }
        _ => return None,
    };
    matches!(ty, INT | FLOAT).then_some((ty, word))
}

/// Makes a single value that is no number.
#[inline(never)]
fn other(bytes: &[u8], rules: &Rules, place: &mut Variant) -> bool {
    // Not moved: as a whole it would be read in larger parts than it was written, and the processor waits for those.
    let Some(single) = &single(bytes, rules) else { return false };
    // SAFETY: a living null, which owns nothing, of which nobody else knows.
    unsafe { write(single, place.var_sys_mut().cast()).is_some() }
}

/// # Safety
/// A Variant that owns nothing lies at `slot`. It is left alone where nothing is made.
#[inline]
unsafe fn write(single: &Single<'_>, slot: *mut u8) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        match single {
            Single::Leaf(Leaf::Text(ty, text)) => strings::variant(slot, id(*ty), as_str(text)),
            Single::Leaf(leaf) => numbers(leaf, slot),
            Single::Empty(VariantType::Dictionary) => calls::dictionary(slot),
            Single::Empty(_) => calls::array(slot, None).map(|_| ()),
        }
    }
}

/// Makes a null, a bool or what is made of numbers in the slot. `None`: it is something else, or as wide as
/// numbers of another build.
///
/// # Safety
/// It needs what [`write`] needs.
#[inline]
pub(super) unsafe fn numbers(leaf: &Leaf<'_>, slot: *mut u8) -> Option<()> {
    // SAFETY: the caller's promise; so many bytes are what such a type is made of (`layout/variants.rs`).
    unsafe {
        match leaf {
            Leaf::Nil => set(slot, NIL, 0),
            Leaf::Bool(value) => set(slot, BOOL, u64::from(*value)),
            Leaf::Int(value) => set(slot, INT, value.cast_unsigned()),
            Leaf::Float(value) => set(slot, FLOAT, value.to_bits()),
            Leaf::Math(ty, lanes) => {
                let plain = PLAIN.get(usize::from(ty.id()))?;
                if plain.bytes != lanes.bytes().len() {
                    return None;
                }
                if plain.is_behind {
                    return calls::from_type(id(*ty), slot, lanes.bytes().as_ptr());
                }
                std::ptr::copy_nonoverlapping(lanes.bytes().as_ptr(), slot.add(PAYLOAD), plain.bytes);
                tag(slot, id(*ty));
            }
            Leaf::Packed(ty, lanes) => {
                let bytes = lanes.bytes();
                let count = match packed::width(*ty, lanes)? {
                    // A division costs more than all else that is done with it.
                    1 => bytes.len(),
                    4 => bytes.len() / 4,
                    8 => bytes.len() / 8,
                    width => bytes.len() / width,
                };
                if put_elements(*ty, count, bytes, &mut *slot.cast::<Variant>()).is_none() {
                    calls::clear(slot);
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(())
}
