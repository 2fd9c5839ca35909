//! Finds the characters of a String or a StringName where they lie.

use godot::builtin::{GString, StringName};
use godot::sys::GodotFfi;

use super::super::layout::{Buffers, pointer_at, read};

/// The characters of a text that lives. Behind them stands a NUL, unless there are none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Characters {
    pub(super) first: *const u32,
    pub(super) count: usize,
}

/// Returns the characters of a String.
///
/// # Safety
/// `handle` is that of a living String, which nobody changes while they are used.
#[inline]
pub(super) unsafe fn characters(handle: *const u8, known: &Buffers) -> Option<Characters> {
    // SAFETY: the caller's promise; the length, which counts a NUL, stands where the probe has found it.
    unsafe {
        let first = pointer_at(handle);
        if first.is_null() {
            return Some(Characters { first: first.cast(), count: 0 });
        }
        let length = read::<i64>(first.sub(known.length_back));
        Some(Characters { first: first.cast(), count: usize::try_from(length.checked_sub(1)?).ok()? })
    }
}

/// Runs `use_text` with the characters of a StringName.
///
/// # Safety
/// `handle` is that of a living StringName.
#[inline]
pub(super) unsafe fn with_name<R>(
    handle: *const u8,
    known: &Buffers,
    use_text: impl FnOnce(Option<Characters>) -> Option<R>,
) -> Option<R> {
    // SAFETY: the caller's promise. A name's record has its text where the probe has found it. An engine may leave
    // that empty for some names: those, and the empty name, go the official way.
    unsafe {
        let record = pointer_at(handle);
        if let Some(at) = known.name_text
            && !record.is_null()
            && !pointer_at(record.add(at)).is_null()
        {
            return use_text(characters(record.add(at), known));
        }
        let text = GString::from(&*handle.cast::<StringName>());
        use_text(characters(text.sys().cast(), known))
    }
}
