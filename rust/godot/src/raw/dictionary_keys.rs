//! A Dictionary's keys in order, one at a time, with nothing held but the key: values may change on the way.
//!
//! The plain twin is `AnyDictionary::keys_array`, which copies all of them.

use godot::builtin::Variant;
use godot::sys::{SysPtr, interface_fn};

use super::variant::is_container;
use crate::quiet::quietly;

/// The first key of the Dictionary in a Variant.
pub(crate) fn first_key(dictionary: &Variant) -> Option<Variant> {
    let mut key = Variant::nil();
    let mut is_valid = 0;
    // SAFETY: interface call on a live Variant; `key` holds nil, which owns nothing, so it may be written over.
    let is_there = unsafe {
        interface_fn!(variant_iter_init)(
            dictionary.var_sys(),
            SysPtr::as_uninit(key.var_sys_mut()),
            &raw mut is_valid,
        )
    };
    (is_there != 0 && is_valid != 0).then_some(key)
}

/// The key after this one, unless it was the last or is not there any more.
pub(crate) fn key_after(dictionary: &Variant, mut key: Variant) -> Option<Variant> {
    let mut is_valid = 0;
    let loud = is_container(&key);
    let mut next = || {
        // SAFETY: interface call on a live Variant; the iterator of a Dictionary is the key itself, a live Variant.
        unsafe {
            interface_fn!(variant_iter_next)(dictionary.var_sys(), key.var_sys_mut(), &raw mut is_valid)
        }
    };
    // Keys nested over 100 levels print when they are hashed.
    let is_there = if loud { quietly(&mut next) } else { next() };
    (is_there != 0 && is_valid != 0).then_some(key)
}
