//! Reads elements of an Array in place, without a copy.
//!
//! The fallback is `AnyArray::get`, which copies the Variant.

use std::mem::size_of;

use godot::builtin::{AnyArray, Variant};
use godot::sys::{GodotFfi, interface_fn};

use super::layout::proven;

/// Calls `look` with an element, if there is one. It must not run a script: nothing may change the array
/// meanwhile.
pub(crate) fn look<R>(array: &AnyArray, at: usize, look: impl FnOnce(&Variant) -> R) -> Option<R> {
    // SAFETY: a slot is an initialised Variant, and `Variant` is `repr(transparent)` over the engine's. It
    // stays in its place while nothing changes the array, which `look` promises.
    unsafe { slot(array, at)?.cast::<Variant>().as_ref() }.map(look)
}

/// Returns the place of an element. Where the probe knows the buffer, length and place are read together. The
/// engine's own function ends the process if another thread, against the rules, has changed the array since
/// its length was read.
fn slot(array: &AnyArray, at: usize) -> Option<*const u8> {
    let handle = array.sys();
    let known = proven().map(|layout| &layout.buffers);
    // SAFETY: the array is live, and the index is within it.
    unsafe {
        if let Some(known) = known {
            let (first, count) = known.elements(handle.cast())?;
            return (at < count).then(|| first.add(at * size_of::<Variant>()));
        }
        let index = i64::try_from(at).ok()?;
        (at < array.len())
            .then(|| interface_fn!(array_operator_index_const)(handle, index).cast_const().cast())
    }
}
