//! Answer: encoded bytes as the PackedByteArray that a call gives, made in the Variant where it stays.

use std::mem::{ManuallyDrop, MaybeUninit};

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use godot::sys::{self, GodotFfi};
use once_cell::sync::Lazy;
use variant_core::VariantType;

use super::super::layout::{PAYLOAD, pointer_at, proven, read, word_at};
use super::bits::{NIL, id};
use super::made;

/// Words of a packed array's handle.
const HANDLE: usize = size_of::<PackedByteArray>() / size_of::<usize>();

/// Makes `answer` a PackedByteArray with these bytes.
#[inline]
pub(super) fn put_bytes(given: &[u8], answer: &mut Variant) {
    if in_place(given, answer).is_none() {
        *answer = made::bytes(given).to_variant();
    }
}

/// The same where it will stay: nothing is made and moved there. The plain twin is [`made::bytes`].
#[inline]
fn in_place(bytes: &[u8], answer: &mut Variant) -> Option<()> {
    let with = (*WITH_BYTES)?;
    let size = i64::try_from(bytes.len()).ok().filter(|size| *size > 0)?;
    let arguments: [sys::GDExtensionConstTypePtr; 1] = [(&raw const size).cast()];
    let mut error: i64 = 0;
    let slot = answer.var_sys_mut().cast::<u8>();
    // SAFETY: the slot owns nothing when the new Variant is put there. What that points to is its own array, as the
    // probe has seen; a method with this signature is called on it, after which it has as many bytes of its own.
    unsafe {
        if word_at(slot) != NIL {
            made::clear(slot);
        }
        let mut empty = with.empty;
        (with.construct)(slot.cast(), empty.as_mut_ptr().cast());
        let elements = pointer_at(slot.add(PAYLOAD)).add(with.elements).cast_mut();
        let handle = elements.sub(with.in_handle);
        (with.resize)(handle.cast(), arguments.as_ptr(), (&raw mut error).cast(), 1);
        let first = pointer_at(elements).cast_mut();
        if error != 0 || first.is_null() || read::<i64>(first.sub(with.length_back)) != size {
            return None;
        }
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), first, bytes.len());
    }
    Some(())
}

/// All that it takes to make a Variant with bytes, where the probe has found it.
#[derive(Clone, Copy)]
struct WithBytes {
    construct: unsafe extern "C" fn(sys::GDExtensionUninitializedVariantPtr, sys::GDExtensionTypePtr),
    resize: unsafe extern "C" fn(
        sys::GDExtensionTypePtr,
        *const sys::GDExtensionConstTypePtr,
        sys::GDExtensionTypePtr,
        i32,
    ),
    /// The handle of an array without bytes, which owns nothing.
    empty: [MaybeUninit<usize>; HANDLE],
    elements: usize,
    in_handle: usize,
    length_back: usize,
}

static WITH_BYTES: Lazy<Option<WithBytes>> = Lazy::new(|| {
    let known = proven()?.containers.as_ref()?;
    let empty = ManuallyDrop::new(PackedByteArray::new());
    Some(WithBytes {
        construct: made::FROM_TYPE.get(id(VariantType::PackedByteArray) as usize).copied().flatten()?,
        resize: (*made::BYTES_RESIZE)?,
        // SAFETY: a handle of so many words; an empty array has no block, so that a copy of its words is one too.
        empty: unsafe { empty.sys().cast::<[MaybeUninit<usize>; HANDLE]>().read() },
        elements: known.packed?,
        in_handle: known.packed_in_handle?,
        length_back: known.length_back,
    })
});
