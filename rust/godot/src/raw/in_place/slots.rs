//! Finds elements, counts and types of containers, by official calls where they are not read in place.

use godot::builtin::Variant;
use variant_core::EntryTypes;

use super::super::builtin_method::{
    ARRAY_TYPE, DICTIONARY_IS_TYPED, DICTIONARY_KEY_TYPE, DICTIONARY_VALUE_TYPE, Method,
    knows_typed_dictionaries,
};
use super::super::layout::{PAYLOAD, proven, word_at};
use super::bits::{ARRAY, DICTIONARY, NIL};

/// Returns the type an array declares, as its number.
///
/// # Safety
/// `handle` is that of a living Array.
pub(in super::super) unsafe fn element_type(handle: *const u8) -> Option<u32> {
    // SAFETY: the caller's promise; a method of that type that answers an int.
    u32::try_from(unsafe { number(*ARRAY_TYPE, handle) }?).ok()
}

/// Returns the types a dictionary declares for its keys and values, as their numbers.
///
/// # Safety
/// `handle` is that of a living Dictionary.
pub(in super::super) unsafe fn dictionary_types(handle: *const u8) -> Option<EntryTypes> {
    if !knows_typed_dictionaries() {
        return Some(EntryTypes::default());
    }
    // SAFETY: the caller's promise; methods of that type with these answers.
    unsafe {
        if !truth(*DICTIONARY_IS_TYPED, handle)? {
            return Some(EntryTypes::default());
        }
        let (key, value) = (number(*DICTIONARY_KEY_TYPE, handle)?, number(*DICTIONARY_VALUE_TYPE, handle)?);
        Some(EntryTypes { keys: u32::try_from(key).ok()?, values: u32::try_from(value).ok()? })
    }
}

/// Tells whether a value is an Array or Dictionary that may be typed: false where it is known to be none.
#[inline]
pub(crate) fn may_be_typed(value: &Variant) -> bool {
    let Some(known) = proven() else { return true };
    // SAFETY: a Variant has its type's number in its first word, if anything was proven at all. One of these types holds a
    // pointer to the container, in which the types are where the probe has found them.
    unsafe {
        let at = value.var_sys().cast::<u8>();
        let handle = at.add(PAYLOAD);
        match word_at(at) {
            ARRAY => known.buffers.element_type(handle) != Some(NIL),
            DICTIONARY => known.dictionaries.types(handle) != Some(EntryTypes::default()),
            _ => false,
        }
    }
}

/// Asks a container by a method that takes nothing and changes nothing. `None`: there is no such method.
///
/// # Safety
/// `handle` is that of a living container of the method's type; it answers an int.
pub(super) unsafe fn number(method: Option<Method>, handle: *const u8) -> Option<i64> {
    let mut answer: i64 = 0;
    // SAFETY: the caller's promise; a const method without arguments, a place for one int.
    unsafe { method?(handle.cast_mut().cast(), std::ptr::null(), (&raw mut answer).cast(), 0) };
    Some(answer)
}

/// # Safety
/// It needs what [`number`] needs; it answers a bool.
pub(super) unsafe fn truth(method: Option<Method>, handle: *const u8) -> Option<bool> {
    let mut answer = false;
    // SAFETY: the caller's promise; a const method without arguments, a place for one bool.
    unsafe { method?(handle.cast_mut().cast(), std::ptr::null(), (&raw mut answer).cast(), 0) };
    Some(answer)
}
