//! Elements of an Array where they lie, without a copy.
//!
//! The plain twin is `AnyArray::get`, which copies the Variant.

use godot::builtin::{AnyArray, Variant};
use godot::sys::{GodotFfi, interface_fn};

/// Looks at an element, if there is one. `look` must not reach a script: nothing may change the array meanwhile.
pub(crate) fn look<R>(array: &AnyArray, at: usize, look: impl FnOnce(&Variant) -> R) -> Option<R> {
    let at = i64::try_from(at).ok()?;
    if at >= i64::try_from(array.len()).ok()? {
        return None;
    }
    // SAFETY: interface call on a live array; the index is within it.
    let element = unsafe { interface_fn!(array_operator_index_const)(array.sys(), at) };
    // SAFETY: an element is an initialised Variant, and `Variant` is `repr(transparent)` over the engine's. It stays
    // where it is while nothing changes the array, which `look` promises not to.
    unsafe { element.cast::<Variant>().as_ref() }.map(look)
}
