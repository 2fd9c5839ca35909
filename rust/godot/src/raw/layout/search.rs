//! The search of the probes: a fact is a distance at which something holds, and no other one.

use godot::sys::GDExtensionConstTypePtr;

use super::{pointer_at, word_at};

/// Bytes of a pointer: what is private to containers is made of them.
pub(super) const WORD: usize = size_of::<usize>();
/// The containers that the probes are shown have so many elements.
pub(super) const SIZES: [i64; 4] = [1, 3, 40, 1000];
/// The type id of elements in those that are typed. It stands nowhere by accident.
pub(super) const TYPE: u8 = 36;

/// The only distance for which something holds.
pub(super) fn offset(part: usize, step: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut found = (0..part).step_by(step).filter(|at| holds(*at));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Returns what a handle shares with others.
pub(super) fn private(handle: GDExtensionConstTypePtr) -> *const u8 {
    // SAFETY: arrays and dictionaries are one pointer to what they share.
    unsafe { pointer_at(handle.cast()) }
}

/// The word at a distance in there.
pub(super) fn number(handle: GDExtensionConstTypePtr, at: usize) -> u32 {
    // SAFETY: the private part is larger than what is searched.
    unsafe { word_at(private(handle).add(at)) }
}
