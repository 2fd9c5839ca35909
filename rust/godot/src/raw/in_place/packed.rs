//! The elements of packed arrays where they lie.

use godot::builtin::Variant;
use godot::classes::Os;
use godot::obj::Singleton;
use godot::sys;
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::layout::{PAYLOAD, pointer_at, proven, read, word_at};
use super::bits::id;

/// First element and count of a packed array, if the probe knows where they are.
///
/// # Safety
/// The Variant holds a packed array, which nobody changes while they are used.
#[inline]
pub(super) unsafe fn elements(variant: &Variant) -> Option<(*const u8, usize)> {
    let known = proven()?.buffers.as_ref()?;
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

/// The bytes of a PackedByteArray without a handle of one's own; `None` where that is not known.
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
pub(crate) struct Lent<'b> {
    pub(crate) bytes: &'b [u8],
    /// What holds these bytes and no others, if that is a Variant: the engine can read values where they lie in it.
    pub(super) holder: Option<&'b Variant>,
}

impl<'b> Lent<'b> {
    /// The bytes of a PackedByteArray as [`bytes`] gives them.
    #[inline]
    pub(crate) fn by(variant: &'b Variant) -> Option<Lent<'b>> {
        let bytes = bytes(variant)?;
        // The engine counts what is left of them in an i32.
        Some(Lent { bytes, holder: i32::try_from(bytes.len()).is_ok().then_some(variant) })
    }
}

impl<'b> From<&'b [u8]> for Lent<'b> {
    fn from(bytes: &'b [u8]) -> Lent<'b> {
        Lent { bytes, holder: None }
    }
}

/// The handle of a PackedByteArray that lies in a Variant.
pub(super) fn handle(variant: &Variant) -> Option<sys::GDExtensionTypePtr> {
    let known = proven()?.buffers.as_ref()?;
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

/// Whether bytes are one large packed array that the engine builds faster than anybody may from outside.
///
/// All that is to be done is one copy, and what an extension may ask for fills the copy with zeros first. A debug build
/// copies element by element: there ours is faster by far.
pub(crate) fn is_for_the_engine(bytes: &[u8]) -> bool {
    use VariantType as T;
    const LARGE: usize = 64 * 1024;
    let plain = [
        T::PackedByteArray,
        T::PackedInt32Array,
        T::PackedInt64Array,
        T::PackedFloat32Array,
        T::PackedFloat64Array,
        T::PackedColorArray,
        T::PackedVector4Array,
    ];
    let Some((head, _)) = bytes.split_first_chunk::<4>().filter(|_| bytes.len() >= LARGE) else {
        return false;
    };
    let header = u32::from_le_bytes(*head);
    plain.iter().any(|ty| id(*ty) == header) && !*IS_DEBUG
}

static IS_DEBUG: Lazy<bool> = Lazy::new(|| Os::singleton().is_debug_build());
