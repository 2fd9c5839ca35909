//! Finds the elements of packed arrays where they lie, and tells which arrays the engine is to copy itself.

use godot::builtin::{Color, PackedByteArray, Variant, Vector2, Vector3, Vector4};
use godot::sys;
use variant_core::token::Lanes;
use variant_core::{RealWidth, Trick, VariantType};

use crate::engine::build::REALS;

use super::super::layout::{PAYLOAD, pointer_at, proven, read, word_at};
use super::bits::id;

const BYTES: u32 = id(VariantType::PackedByteArray);

/// Returns the first element and count of a packed array, if the probe knows where they are.
///
/// # Safety
/// The Variant holds a packed array, which nobody changes while they are used.
#[inline]
pub(super) unsafe fn elements(variant: &Variant) -> Option<(*const u8, usize)> {
    let known = &proven()?.buffers;
    // SAFETY: the caller's promise and the probe's findings.
    unsafe {
        let shared = pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD));
        let first = pointer_at(shared.add(known.packed?));
        if first.is_null() {
            return Some((first, 0));
        }
        usize::try_from(read::<i64>(first.sub(known.length_back))).ok().map(|count| (first, count))
    }
}

/// Returns the bytes of a PackedByteArray without a handle of one's own; `None` where that is not known.
///
/// For calls that run no script until they are done with them: only the owner of the Variant could change them.
#[inline]
pub(crate) fn bytes(variant: &Variant) -> Option<&[u8]> {
    // SAFETY: a Variant has its type's number in its first word, if anything was proven at all; an array with that
    // number is one of bytes. It lives as long as the Variant, which is borrowed.
    unsafe {
        proven()?;
        if word_at(variant.var_sys().cast()) != id(VariantType::PackedByteArray) {
            return None;
        }
        let (first, count) = elements(variant)?;
        Some(if count == 0 { &[] } else { std::slice::from_raw_parts(first, count) })
    }
}

/// Bytes that are lent for a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BorrowedBytes<'b> {
    pub(crate) bytes: &'b [u8],
    /// The Variant that holds these bytes and no others, if there is one.
    pub(super) holder: Option<&'b Variant>,
}

impl<'b> BorrowedBytes<'b> {
    /// Returns the bytes of a PackedByteArray as [`bytes`] gives them.
    #[inline]
    pub(crate) fn by(variant: &'b Variant) -> Option<BorrowedBytes<'b>> {
        Some(BorrowedBytes { bytes: bytes(variant)?, holder: Some(variant) })
    }

    /// Returns a handle to the array that holds them, for calls that may run scripts. `None`: no script can reach them.
    #[cold]
    pub(crate) fn own(&self) -> Option<PackedByteArray> {
        self.holder.map(Variant::to)
    }

    /// Returns the handle of the array that holds them, in which the engine can read values where they lie.
    pub(super) fn handle(&self) -> Option<sys::GDExtensionTypePtr> {
        // The engine counts what is left of them in an i32.
        i32::try_from(self.bytes.len()).ok().and(self.holder).and_then(handle)
    }
}

impl<'b> From<&'b [u8]> for BorrowedBytes<'b> {
    fn from(bytes: &'b [u8]) -> BorrowedBytes<'b> {
        BorrowedBytes { bytes, holder: None }
    }
}

/// Returns the handle of a PackedByteArray that lies in a Variant.
pub(super) fn handle(variant: &Variant) -> Option<sys::GDExtensionTypePtr> {
    let known = &proven()?.buffers;
    // SAFETY: as above; what the Variant points to has the array's own handle, a part of which is the pointer to its
    // elements.
    unsafe {
        if word_at(variant.var_sys().cast()) != id(VariantType::PackedByteArray) {
            return None;
        }
        let shared = pointer_at(variant.var_sys().cast::<u8>().add(PAYLOAD));
        Some(shared.add(known.packed?).sub(known.packed_in_handle?).cast_mut().cast())
    }
}

/// Bytes from which on the engine makes and writes a packed array of numbers that stands alone: little is done but a copy, and
/// the engine need not fill that with zeros before.
pub(super) const LARGE: usize = 64 * 1024;

/// Tells whether the bytes may be a large packed array of numbers and nothing else.
#[inline]
pub(crate) fn is_large_numbers(bytes: &[u8]) -> bool {
    !Trick::EnginesArrays.is_off()
        && bytes.len() >= LARGE
        && bytes.first_chunk().is_some_and(|head| is_numbers(u32::from_le_bytes(*head)))
}

/// Tells whether a type, or a header, is that of a packed array of numbers.
#[inline]
pub(super) fn is_numbers(ty: u32) -> bool {
    (BYTES..=id(VariantType::PackedVector4Array)).contains(&ty) && ty != id(VariantType::PackedStringArray)
}

/// Returns the bytes of an element of a packed array of numbers, as wide as this build has them.
#[inline]
pub(super) fn element(ty: VariantType) -> Option<usize> {
    use VariantType as T;
    Some(match ty {
        T::PackedByteArray => 1,
        T::PackedInt32Array | T::PackedFloat32Array => 4,
        T::PackedInt64Array | T::PackedFloat64Array => 8,
        T::PackedVector2Array => size_of::<Vector2>(),
        T::PackedVector3Array => size_of::<Vector3>(),
        T::PackedColorArray => size_of::<Color>(),
        T::PackedVector4Array => size_of::<Vector4>(),
        _ => return None,
    })
}

/// Tells whether the elements of a packed array are vectors, which are as wide as the build has real numbers.
#[inline]
pub(super) const fn is_of_vectors(ty: VariantType) -> bool {
    use VariantType as T;
    matches!(ty, T::PackedVector2Array | T::PackedVector3Array | T::PackedVector4Array)
}

/// Returns the bytes of an element; `None` where the numbers are not as wide as this build's.
#[inline]
pub(super) fn width(ty: VariantType, lanes: &Lanes<'_>) -> Option<usize> {
    let is_of_build = lanes.is_wide() == (REALS == RealWidth::Double);
    if is_of_vectors(ty) && !is_of_build { None } else { element(ty) }
}

/// Returns how many bytes the elements of a packed array of numbers have, if that is known.
pub(super) fn size(ty: u32, variant: &Variant) -> Option<usize> {
    let element = element(VariantType::from_id(u8::try_from(ty).ok()?)?)?;
    // SAFETY: the Variant holds such an array, which lives as long as it is borrowed.
    let (_, count) = unsafe { elements(variant)? };
    count.checked_mul(element)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_arrays_of_numbers_are_the_engines() {
        let head = |ty: u32| [&ty.to_le_bytes()[..], &vec![0; LARGE]].concat();
        for ty in 0..64 {
            assert_eq!(is_large_numbers(&head(ty)), (29..=38).contains(&ty) && ty != 34, "{ty}");
        }
        assert!(!is_large_numbers(&head(29)[..LARGE - 1]));
        assert!(!is_large_numbers(&head(30 | 1 << 16)));
    }
}
