//! Visits a Dictionary's keys in order, holding only one key, so that values may change meanwhile.
//!
//! The fallback is `AnyDictionary::keys_array`, which copies all keys.

use godot::builtin::Variant;
use godot::sys::{SysPtr, interface_fn};

use super::variant::is_container;
use crate::engine::quiet::quietly;

/// Returns the first key of the Dictionary in a Variant.
pub(crate) fn first_key(dictionary: &Variant) -> Option<Variant> {
    let mut key = Variant::nil();
    let mut is_valid = 0;
    // SAFETY: interface call on a live Variant; `key` is nil, which owns nothing, so it may be overwritten.
    let is_there = unsafe {
        interface_fn!(variant_iter_init)(
            dictionary.var_sys(),
            SysPtr::as_uninit(key.var_sys_mut()),
            &raw mut is_valid,
        )
    };
    (is_there != 0 && is_valid != 0).then_some(key)
}

/// Returns the key after this one, unless it was the last or is not there any more.
pub(crate) fn key_after(dictionary: &Variant, mut key: Variant) -> Option<Variant> {
    let mut is_valid = 0;
    let loud = is_container(&key);
    let mut next = || {
        // SAFETY: interface call on a live Variant; the iterator of a Dictionary is the key itself, a live
        // Variant.
        unsafe {
            interface_fn!(variant_iter_next)(dictionary.var_sys(), key.var_sys_mut(), &raw mut is_valid)
        }
    };
    // The engine prints when it hashes keys nested over 100 levels.
    let is_there = if loud { quietly(&mut next) } else { next() };
    (is_there != 0 && is_valid != 0).then_some(key)
}
