//! Elements of an Array where they lie, without a copy.
//!
//! The plain twin is `AnyArray::get`, which copies the Variant.

use std::mem::size_of;

use godot::builtin::{AnyArray, Variant};
use godot::sys::{GodotFfi, interface_fn};

use super::layout::proven;

/// Looks at an element, if there is one. `look` must not reach a script: nothing may change the array meanwhile.
pub(crate) fn look<R>(array: &AnyArray, at: usize, look: impl FnOnce(&Variant) -> R) -> Option<R> {
    // SAFETY: a slot is an initialised Variant, and `Variant` is `repr(transparent)` over the engine's. It stays
    // where it is while nothing changes the array, which `look` promises not to.
    unsafe { slot(array, at)?.cast::<Variant>().as_ref() }.map(look)
}

/// Where the probe has found the buffer, length and place are of one look at it. The engine's own function ends the
/// process if another thread has changed the array, against the rules, since it was asked for its length.
fn slot(array: &AnyArray, at: usize) -> Option<*const u8> {
    let handle = array.sys();
    let known = proven().and_then(|layout| layout.buffers.as_ref());
    // SAFETY: a living array; the index is within it.
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
