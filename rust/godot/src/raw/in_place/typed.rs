//! Tells whether a container may declare types, without a handle of its own. The fallback is `declared.rs` of
//! the crate.

use godot::builtin::Variant;

use super::super::layout::{PAYLOAD, proven, word_at};
use super::bits::{ARRAY, DICTIONARY, NIL};

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
            DICTIONARY => {
                let known = known.dictionaries.as_ref();
                known.is_none_or(|known| known.types(handle) != Some((NIL, NIL)))
            }
            _ => false,
        }
    }
}
