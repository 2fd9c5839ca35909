//! Makes a PackedStringArray whose texts are made where they stay. It checks no text.

use godot::builtin::{GString, PackedByteArray, Variant};
use godot::sys::{self, interface_fn};
use once_cell::sync::Lazy;
use variant_core::token::plain_string;
use variant_core::{Rules, VariantType};

use super::super::builtin_method::{Method, resize_of, resize_with};
use super::super::layout::proven;
use super::bits::id;
use super::calls;
use super::packed::elements;
use super::strings::{self, as_str};

/// Bytes from one text to the next.
pub(super) const TEXT: usize = size_of::<GString>();

/// The engine's functions that make a PackedStringArray.
struct Calls {
    construct:
        unsafe extern "C" fn(sys::GDExtensionUninitializedTypePtr, *const sys::GDExtensionConstTypePtr),
    destroy: unsafe extern "C" fn(sys::GDExtensionTypePtr),
    resize: Method,
}

static STRINGS: Lazy<Option<Calls>> = Lazy::new(|| {
    let ty = VariantType::PackedStringArray;
    // SAFETY: interface calls with the number of a type; the first constructor takes nothing.
    let (construct, destroy) = unsafe {
        (
            interface_fn!(variant_get_ptr_constructor)(ty.id().into(), 0),
            interface_fn!(variant_get_ptr_destructor)(ty.id().into()),
        )
    };
    Some(Calls { construct: construct?, destroy: destroy?, resize: resize_of(ty)? })
});

/// Makes a PackedStringArray in the slot by what follows its header. Returns what follows it. `None`: it is not in its
/// plainest form, and the part that was made lies in the slot.
///
/// # Safety
/// The slot is room for a Variant and owns nothing.
#[inline(never)]
pub(super) unsafe fn strings_of<'b>(bytes: &'b [u8], slot: *mut u8, rules: &Rules) -> Option<&'b [u8]> {
    let (count, mut rest) = bytes.split_first_chunk()?;
    // Each has a length at least.
    let count = Some(u32::from_le_bytes(*count) as usize).filter(|count| *count <= rest.len() / 4)?;
    // SAFETY: the caller's promise; as many empty Strings, nobody else's.
    unsafe {
        let first = strings_in(slot, count)?;
        for index in 0..count {
            let (text, behind) = plain_string(rest, rules)?;
            strings::fill(first.wrapping_add(index * TEXT), as_str(&text), text.is_ascii())?;
            rest = behind;
        }
    }
    Some(rest)
}

/// Makes a PackedStringArray of so many empty texts in the slot, and returns the first of them.
///
/// # Safety
/// It needs what [`strings_of`] needs.
#[inline]
pub(super) unsafe fn strings_in(slot: *mut u8, count: usize) -> Option<*mut u8> {
    let size = i64::try_from(count).ok()?;
    let calls = STRINGS.as_ref()?;
    proven()?.buffers.packed?;
    // All packed arrays are as large.
    let mut handle = [0_u64; size_of::<PackedByteArray>() / 8];
    let place = handle.as_mut_ptr();
    // SAFETY: the caller's promise; room for an array, which is one until it is destroyed. The Variant shares its
    // elements, and has them for itself afterwards: as many as asked for, or it is let go.
    unsafe {
        (calls.construct)(place.cast(), std::ptr::null());
        if count > 0 {
            resize_with(calls.resize, place.cast(), size);
        }
        let made = calls::from_type(id(VariantType::PackedStringArray), slot, place.cast_const().cast());
        (calls.destroy)(place.cast());
        made?;
        match elements(&*slot.cast::<Variant>()) {
            Some((first, there)) if there == count => Some(first.cast_mut()),
            _ => {
                calls::clear(slot);
                None
            }
        }
    }
}
