//! Builds an Array that is made larger ahead of its elements, which are then moved into their slots, and reads elements where
//! they lie.
//!
//! `array_operator_index` returns the slot, and the slot is a Variant. The fallbacks are `Array::push`, which copies each element
//! and checks its type again, and `AnyArray::get`, which copies it.

use godot::builtin::{AnyArray, StringName, VarArray, Variant};
use godot::sys::{self, GodotFfi, interface_fn};
use variant_core::VariantType;

use super::builtin_method::resize;
use super::layout::proven;

/// Holds an Array under construction. Elements are not checked against its type: the caller has done that.
#[derive(Debug)]
pub(crate) struct ArraySlots {
    array: VarArray,
    /// INVARIANT: filled <= size. The slots from `filled` on are removed before anything else can read them.
    filled: usize,
    /// INVARIANT: the size of `array`.
    size: usize,
}

impl ArraySlots {
    /// Makes an empty array of this element type (and class, for objects), with room for `reserve` elements.
    pub(crate) fn new(element: Option<(VariantType, StringName)>, reserve: usize) -> ArraySlots {
        let mut array = VarArray::new();
        if let Some((ty, class)) = element {
            let no_script = Variant::nil();
            // SAFETY: interface call on live builtins. The array is new, empty, untyped and not shared, which
            // is when the engine allows a type to be set; a class name is given with Object only.
            unsafe {
                interface_fn!(array_set_typed)(
                    array.sys_mut(),
                    ty.id().into(),
                    class.string_sys(),
                    no_script.var_sys(),
                );
            }
        }
        let mut slots = ArraySlots { array, filled: 0, size: 0 };
        slots.resize(reserve);
        slots
    }

    /// Moves an element to the end.
    pub(crate) fn push(&mut self, element: Variant) {
        if self.filled == self.size {
            self.resize(self.size.saturating_mul(2).max(4));
        }
        drop(set(self.array.sys_mut(), self.filled, element));
        self.filled += 1;
    }

    /// Returns the array, exactly as long as the elements that were pushed.
    pub(crate) fn finish(mut self) -> VarArray {
        if self.filled < self.size {
            self.resize(self.filled);
        }
        self.array
    }

    fn resize(&mut self, size: usize) {
        if size > 0 || self.size > 0 {
            resize(&mut self.array, size);
            self.size = size;
        }
    }
}

/// Moves a value into a slot of an array that is not read-only, without a check of its type. Past the end
/// nothing happens. Returns the old value, which can run a script when it is dropped.
pub(crate) fn set_in_place(array: &mut AnyArray, at: usize, element: Variant) -> Option<Variant> {
    set(array.sys_mut(), at, element)
}

fn set(array: sys::GDExtensionTypePtr, at: usize, element: Variant) -> Option<Variant> {
    let at = i64::try_from(at).unwrap_or(i64::MAX);
    // SAFETY: interface call on a live array, whose pointer comes from a `&mut` handle; the result is null
    // when out of bounds.
    let slot = unsafe { interface_fn!(array_operator_index)(array, at) };
    // SAFETY: a slot is an initialised Variant, and `Variant` is `repr(transparent)` over the engine's.
    // Nothing else refers to the slot now.
    unsafe { slot.cast::<Variant>().as_mut() }.map(|slot| std::mem::replace(slot, element))
}

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
