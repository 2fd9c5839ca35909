//! Makes a packed array in the Variant that a call answers with: encoded bytes, and numbers that were all
//! that the bytes held.

use std::mem::MaybeUninit;

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use godot::sys::{self, interface_fn};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::builtin_method::{Method, resize_of, resize_with};
use super::super::layout::{PAYLOAD, pointer_at, proven, read, word_at};
use super::bits::NIL;
use super::calls;

/// Words of a packed array's handle.
const HANDLE: usize = size_of::<PackedByteArray>() / size_of::<usize>();

/// Makes `answer` a PackedByteArray with these bytes.
#[inline]
pub(super) fn put_bytes(given: &[u8], answer: &mut Variant) {
    if put_elements(VariantType::PackedByteArray, given.len(), given, answer).is_none() {
        *answer = PackedByteArray::from(given).to_variant();
    }
}

/// Makes `answer` a packed array of this type, of so many elements whose bytes these are. Nothing is made and moved there.
/// `None`: it is not known how; then the place may hold an empty array. The fallbacks are gdext's constructor and `engine/numbers.rs`.
#[inline]
pub(super) fn put_elements(ty: VariantType, count: usize, bytes: &[u8], answer: &mut Variant) -> Option<()> {
    proven()?;
    let with = WITH.get(usize::from(ty.id()).wrapping_sub(FIRST))?.as_ref()?;
    let size = i64::try_from(count).ok()?;
    let slot = answer.var_sys_mut().cast::<u8>();
    // SAFETY: the slot owns nothing when the new Variant is put there. What that points to is its own array, as the
    // probe has seen; a method with this signature is called on it, after which it has as many bytes of its own.
    unsafe {
        if word_at(slot) != NIL {
            calls::clear(slot);
        }
        let mut empty = with.empty;
        (with.construct)(slot.cast(), empty.as_mut_ptr().cast());
        if size == 0 {
            return Some(());
        }
        let elements = pointer_at(slot.add(PAYLOAD)).add(with.elements).cast_mut();
        let handle = elements.sub(with.in_handle);
        let is_resized = resize_with(with.resize, handle.cast(), size);
        let first = pointer_at(elements).cast_mut();
        if !is_resized || first.is_null() || read::<i64>(first.sub(with.length_back)) != size {
            return None;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), first, bytes.len());
    }
    Some(())
}

/// Holds the calls and the places that it takes to make a Variant with packed elements of one type.
#[derive(Clone, Copy)]
struct PackedMaker {
    construct: unsafe extern "C" fn(sys::GDExtensionUninitializedVariantPtr, sys::GDExtensionTypePtr),
    resize: Method,
    /// The handle of an array without bytes, which owns nothing.
    empty: [MaybeUninit<usize>; HANDLE],
    elements: usize,
    in_handle: usize,
    length_back: usize,
}

/// The type id of the first packed array.
const FIRST: usize = VariantType::PackedByteArray.id() as usize;

/// Holds them by type id, from [`FIRST`] on. Strings have none, since they own something.
static WITH: Lazy<[Option<PackedMaker>; VariantType::ALL.len() - FIRST]> = Lazy::new(|| {
    std::array::from_fn(|at| VariantType::ALL.get(FIRST + at).and_then(|ty| with_elements(*ty)))
});

fn with_elements(ty: VariantType) -> Option<PackedMaker> {
    let known = &proven().filter(|_| ty != VariantType::PackedStringArray)?.buffers;
    let mut empty = [MaybeUninit::zeroed(); HANDLE];
    // SAFETY: interface call; the first constructor takes nothing. An empty array has no block, so that a copy of its
    // words is one too, and none of them has to be let go.
    unsafe {
        let construct = interface_fn!(variant_get_ptr_constructor)(ty.id().into(), 0)?;
        construct(empty.as_mut_ptr().cast(), std::ptr::null());
    }
    Some(PackedMaker {
        construct: calls::FROM_TYPE.get(usize::from(ty.id())).copied().flatten()?,
        resize: resize_of(ty)?,
        empty,
        elements: known.packed?,
        in_handle: known.packed_in_handle?,
        length_back: known.length_back,
    })
}
