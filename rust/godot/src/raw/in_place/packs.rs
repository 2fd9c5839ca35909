//! Makes packed arrays of checked bytes. It reads no Variant.

use godot::builtin::{
    Color, GString, PackedArray, PackedByteArray, PackedStringArray, Variant, Vector2, Vector3, Vector4,
};
use godot::meta::{PackedElement, ToGodot};
use godot::sys::{self, interface_fn};
use once_cell::sync::Lazy;
use variant_core::token::{Lanes, plain_string};
use variant_core::{Rules, VariantType};

use super::super::builtin_method::{Method, resize_of, resize_with};
use super::bits::id;
use super::packed::{element, elements};
use super::to_slots::as_str;
use super::{made, strings};
use crate::raw::layout::pointer_at;

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

/// Makes a PackedStringArray in the slot by what follows its header; what follows it. `None`: it is not in its plainest form,
/// and what there is of it lies in the slot.
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
            strings::fill(first.wrapping_add(index * size_of::<GString>()), as_str(&text), text.is_ascii())?;
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
unsafe fn strings_in(slot: *mut u8, count: usize) -> Option<*mut u8> {
    let size = i64::try_from(count).ok()?;
    let calls = STRINGS.as_ref()?;
    made::knows_packed()?;
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
        let made = made::variant_of(id(VariantType::PackedStringArray), slot, place.cast());
        (calls.destroy)(place.cast());
        made?;
        match elements(&*slot.cast::<Variant>()) {
            Some((first, there)) if there == count => Some(first.cast_mut()),
            _ => {
                made::clear(slot);
                None
            }
        }
    }
}

/// Makes a packed array of these numbers, by gdext; `None` where they are not as wide as this build's.
pub(super) fn array(ty: VariantType, lanes: &Lanes<'_>) -> Option<Variant> {
    use VariantType as T;
    let bytes = lanes.bytes();
    width(ty, lanes)?;
    match ty {
        T::PackedByteArray => of_bytes::<u8>(bytes),
        T::PackedInt32Array => of_bytes::<i32>(bytes),
        T::PackedInt64Array => of_bytes::<i64>(bytes),
        T::PackedFloat32Array => of_bytes::<f32>(bytes),
        T::PackedFloat64Array => of_bytes::<f64>(bytes),
        T::PackedColorArray => of_bytes::<Color>(bytes),
        T::PackedVector2Array => of_bytes::<Vector2>(bytes),
        T::PackedVector3Array => of_bytes::<Vector3>(bytes),
        T::PackedVector4Array => of_bytes::<Vector4>(bytes),
        _ => None,
    }
}

/// Returns the bytes of an element; `None` where the numbers are not as wide as this build's.
#[inline]
pub(super) fn width(ty: VariantType, lanes: &Lanes<'_>) -> Option<usize> {
    use VariantType as T;
    let is_of_build = lanes.is_wide() == cfg!(feature = "double-precision");
    let is_vector = matches!(ty, T::PackedVector2Array | T::PackedVector3Array | T::PackedVector4Array);
    if is_vector && !is_of_build { None } else { element(ty) }
}

fn of_bytes<T: PackedElement>(bytes: &[u8]) -> Option<Variant> {
    packed::<T>(bytes, bytes.len() / size_of::<T>())
}

/// Makes a packed array of so many elements, whose bytes these are. For elements that are numbers and nothing
/// else.
pub(super) fn packed<T: PackedElement>(bytes: &[u8], count: usize) -> Option<Variant> {
    let mut array = PackedArray::<T>::new();
    if count > 0 {
        array.resize(count);
        let elements = array.as_mut_slice();
        if size_of_val(elements) != bytes.len() {
            return None;
        }
        // SAFETY: as many bytes, of types for which any bytes are a value.
        unsafe {
            let to = elements.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len());
        }
    }
    Some(array.to_variant())
}

/// A PackedStringArray whose strings are made where they stay.
#[derive(Debug)]
pub(crate) struct PackedStrings {
    array: PackedStringArray,
    /// The rest of its elements. INVARIANT: they lie in `array`, whose buffer nobody else knows.
    next: *mut GString,
    left: usize,
}

impl PackedStrings {
    pub(super) fn new(count: usize) -> Option<PackedStrings> {
        let mut array = PackedStringArray::new();
        array.resize(count);
        let slots = array.as_mut_slice();
        let (next, left) = (slots.as_mut_ptr(), slots.len());
        (left == count).then_some(PackedStrings { array, next, left })
    }

    pub(super) fn push(&mut self, text: &str, is_ascii: bool) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        let place = self.next.cast::<u8>();
        self.next = self.next.wrapping_add(1);
        // SAFETY: by the invariant an element, one of those that were left. A GString is its handle; a new one is empty
        // and owns nothing, which its word says.
        unsafe {
            if !pointer_at(place).is_null() {
                return None;
            }
            strings::fill(place, text, is_ascii)
        }
    }

    pub(super) fn finish(self) -> Variant {
        self.array.to_variant()
    }
}
