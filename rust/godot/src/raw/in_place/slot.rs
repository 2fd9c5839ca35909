//! Writes the word of a type and a payload into the slot of a Variant, without a call into the engine.

use std::mem::MaybeUninit;

use godot::builtin::Variant;

use super::super::layout::{PAYLOAD, word_at};
use super::bits::{FLOAT, NIL};

/// Bytes from one Variant to the next.
pub(super) const STRIDE: usize = size_of::<Variant>();

/// Writes a type and a payload of one word.
///
/// # Safety
/// A Variant that owns nothing lies at `slot`.
#[inline]
pub(super) unsafe fn set(slot: *mut u8, ty: u32, payload: u64) {
    // SAFETY: the caller's promise; a Variant's payload is at least 8 bytes.
    unsafe {
        slot.add(PAYLOAD).cast::<u64>().write_unaligned(payload);
        tag(slot, ty);
    }
}

/// Writes a type alone.
///
/// # Safety
/// It needs what [`set`] needs; the payload is one of this type.
#[inline]
pub(super) unsafe fn tag(slot: *mut u8, ty: u32) {
    // SAFETY: the caller's promise.
    unsafe { slot.cast::<u32>().write(ty) };
    debug_assert!(ty < 40 && !slot.is_null());
}

/// A key that a Dictionary is only asked for: it begins and, if it is a number, ends without a call into the engine.
pub(super) struct LocalKey(MaybeUninit<Variant>);

impl LocalKey {
    #[inline]
    pub(super) fn new() -> LocalKey {
        let mut key = LocalKey(MaybeUninit::uninit());
        // SAFETY: nil, wherever the probe has found tag and payload: nothing but its tag counts.
        unsafe { tag(key.place(), NIL) };
        key
    }

    #[inline]
    pub(super) fn place(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

impl Drop for LocalKey {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a living Variant. Up to float it owns nothing.
        unsafe {
            if word_at(self.place()) > FLOAT {
                self.0.assume_init_drop();
            }
        }
    }
}
