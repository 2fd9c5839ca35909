//! Asks for memory before it is needed. It reads nothing, so no address is wrong.
//!
//! Values that were made after one another mostly lie behind one another, and values that are alike are made
//! alike: the parts of the next element of an array lie about as far from those of this one as the two are
//! from each other. A list of dictionaries, which lie in a hundred places each, would else be one wait after
//! another.

use variant_core::Trick;

use super::super::layout::{Dictionaries, PAYLOAD, pointer_at, word_at};
use super::bits::DICTIONARY;

/// Elements that the walk is ahead of itself.
const ELEMENTS: usize = 2;
/// Bytes from an element to a later one, where they were made one after another. A larger element takes so long itself that
/// nothing need be asked for.
const NEAR: usize = 64 * 1024;
/// Elements that the walk is ahead of itself where they are texts, which take less time.
pub(super) const TEXTS: usize = 8;

/// The number of nodes by which memory for dictionaries is asked for ahead. The engine mostly gives out the next one as far
/// from the last as that is from the one before, in memory that is new as in memory that was let go. A save of 20000 takes
/// a tenth less; with 24 nodes half of that is gained, with 200 as much.
const NODES: isize = 96;
/// Bytes that are still to come from which on that is worth it: what a few of them make is in the cache already.
const MANY_BYTES: usize = 256 * 1024;

/// Tells whether a Variant with this tag is an Array or a Dictionary.
#[inline]
pub(super) const fn has_parts(tag: u32) -> bool {
    tag.wrapping_sub(DICTIONARY) < 2
}

/// Returns the distance from the parts of the element at `at` to those of a later one, of which there are
/// `left`; `otherwise` when that one is of another kind, or far away: memory that was in use before is given
/// out in pieces, so that nothing is known of where the rest lies, and what is asked for at random takes
/// longer than to wait for what is needed.
///
/// # Safety
/// As many living Variants as are `left` come after the one at `at`, which has parts.
#[inline]
pub(super) unsafe fn distance(at: *const u8, left: usize, otherwise: isize) -> isize {
    if left < ELEMENTS {
        return otherwise;
    }
    // SAFETY: the caller's promise; the payload of such a Variant is a pointer.
    unsafe {
        let later = at.add(ELEMENTS * size_of::<godot::builtin::Variant>());
        if word_at(later) != word_at(at) {
            return otherwise;
        }
        let (here, there) = (pointer_at(at.add(PAYLOAD)), pointer_at(later.add(PAYLOAD)));
        let distance = there.addr().wrapping_sub(here.addr()).cast_signed();
        if distance.unsigned_abs() <= NEAR { distance } else { otherwise }
    }
}

/// Asks for the length and the characters of a text.
///
/// # Safety
/// The word at `handle` can be read. It need not be the handle of a String.
#[inline]
pub(super) unsafe fn ask_text(handle: *const u8) {
    // SAFETY: the caller's promise.
    let first = unsafe { pointer_at(handle) };
    ask(first, -16);
    ask(first, 48);
}

/// Asks for the place in a Dictionary's hash table that a key of this hash will want.
///
/// # Safety
/// `private` is what a living Dictionary shares.
#[inline]
pub(super) unsafe fn ask_place(private: *const u8, known: &Dictionaries, hash: u32) {
    // SAFETY: the caller's promise; the words are in the private part, and what they say is only asked for.
    unsafe {
        let Some((places, hashes, capacity)) = known.table(private) else { return };
        let place = (hash % capacity) as isize;
        ask(hashes, place.wrapping_mul(4));
        ask(places, place.wrapping_mul(size_of::<usize>() as isize));
    }
}

/// Asks for where the nodes will be made that so many bytes are still to make, by two that were made one after another.
#[inline]
pub(super) fn ask_for_nodes(node: *const u8, next: *const u8, bytes: usize) {
    if bytes >= MANY_BYTES {
        let distance = next.addr().wrapping_sub(node.addr()).cast_signed();
        // The last one has none behind it.
        if distance.unsigned_abs() <= NEAR {
            ask(node, distance.wrapping_mul(NODES));
        }
    }
}

/// Asks for what lies so far from `at`.
#[inline]
pub(super) fn ask(at: *const u8, distance: isize) {
    if Trick::Prefetch.is_off() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of this processor, and asking for memory that is not there does nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(at.wrapping_offset(distance).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (at, distance);
}
