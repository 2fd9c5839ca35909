//! Layout: where the engine keeps the parts of a value, as far as a probe at load has seen it with its own
//! eyes.
//!
//! Nothing here is believed because a version number says so. Each fact is tried on real values through
//! official calls first; a fact that does not hold switches off what would need it, and the fallbacks
//! (`read/` and `build/` of `engine/`) do the work. It writes no values but its own.

mod asked;
mod buffers;
pub(super) mod dictionaries;
mod search;
mod texts;
mod trust;
mod variants;

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

pub(crate) use buffers::Buffers;
pub(crate) use dictionaries::Dictionaries;
pub(crate) use trust::Trust;

/// Distance from a Variant's start to what it holds, and so from one kind of fact to the next.
pub(super) const PAYLOAD: usize = 8;

/// Null until the probes have found something, and where that turned out wrong.
static LAYOUT: AtomicPtr<MemoryLayout> = AtomicPtr::new(ptr::null_mut());

/// The facts that the probe has seen. Where there is a layout, every Variant has its type's number in its
/// first word and its payload at [`PAYLOAD`], or behind a pointer there.
#[derive(Debug)]
pub(crate) struct MemoryLayout {
    /// The private parts of texts, arrays and packed arrays.
    pub(super) buffers: Buffers,
    /// The private parts of dictionaries.
    pub(super) dictionaries: Dictionaries,
    /// Whether the payload of an object begins with its instance id.
    pub(super) object_ids: bool,
}

/// Looks, once, when the extension loads.
pub(crate) fn probe(trust: Trust) {
    // Payloads are written out as they lie, which only a little-endian machine may do.
    if trust != Trust::Nothing
        && cfg!(target_endian = "little")
        && variants::are_as_expected()
        && let Some(buffers) = Buffers::probed()
        && let Some(dictionaries) = Dictionaries::probed()
    {
        let layout = MemoryLayout { buffers, dictionaries, object_ids: variants::have_object_ids() };
        LAYOUT.store(Box::into_raw(Box::new(layout)), Ordering::Release);
    }
}

/// Forgets all of it: official calls are made from now on. Only before values are lent in place to anybody.
pub(crate) fn withdraw() {
    LAYOUT.store(ptr::null_mut(), Ordering::Release);
}

/// Lists the facts that the probe has not found, so that official calls are made instead.
pub(crate) fn missing() -> Vec<&'static str> {
    let layout = proven();
    let buffers = layout.map(|it| &it.buffers);
    let dictionaries = layout.map(|it| &it.dictionaries);
    let facts = [
        ("values, texts, arrays and dictionaries", layout.is_some()),
        ("types of arrays", buffers.is_some_and(Buffers::knows_types)),
        ("names", buffers.is_some_and(|it| it.name_text.is_some())),
        ("ids of objects", layout.is_some_and(|it| it.object_ids)),
        ("packed arrays", buffers.is_some_and(|it| it.packed.is_some() && it.packed_in_handle.is_some())),
        ("types of dictionaries", dictionaries.is_some_and(Dictionaries::knows_types)),
        ("tables of dictionaries", dictionaries.is_some_and(Dictionaries::has_table)),
    ];
    facts.into_iter().filter(|(_, is_found)| !is_found).map(|(name, _)| name).collect()
}

/// The layout, if values may be read where they lie.
#[inline]
pub(crate) fn proven() -> Option<&'static MemoryLayout> {
    // SAFETY: null, or what `probe` has made, which is never let go.
    unsafe { LAYOUT.load(Ordering::Acquire).as_ref() }
}

/// Reads a `T` that may lie at any address.
///
/// # Safety
/// `at` points to `size_of::<T>()` readable, initialised bytes that make a valid `T`.
#[inline]
pub(super) const unsafe fn read<T: Copy>(at: *const u8) -> T {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<T>().read_unaligned() }
}

/// The pointer that stands at an address.
///
/// # Safety
/// It needs what [`read`] needs.
#[inline]
pub(super) const unsafe fn pointer_at(at: *const u8) -> *const u8 {
    // SAFETY: the caller's promise; any word is a valid raw pointer.
    unsafe { read(at) }
}

/// The 32-bit word that stands at an address.
///
/// # Safety
/// It needs what [`read`] needs.
#[inline]
pub(super) const unsafe fn word_at(at: *const u8) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { read(at) }
}
