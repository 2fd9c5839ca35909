//! Plain loads from addresses that a probe has vouched for, or is about to judge.

/// Reads a `T` that may lie at any address.
///
/// # Safety
/// `at` points to `size_of::<T>()` readable, initialised bytes that make a valid `T`.
#[inline]
pub(in super::super) const unsafe fn read<T: Copy>(at: *const u8) -> T {
    // SAFETY: the caller's promise.
    unsafe { at.cast::<T>().read_unaligned() }
}

/// The pointer that stands at an address.
///
/// # Safety
/// It needs what [`read`] needs.
#[inline]
pub(in super::super) const unsafe fn pointer_at(at: *const u8) -> *const u8 {
    // SAFETY: the caller's promise; any word is a valid raw pointer.
    unsafe { read(at) }
}

/// The 32-bit word that stands at an address.
///
/// # Safety
/// It needs what [`read`] needs.
#[inline]
pub(in super::super) const unsafe fn word_at(at: *const u8) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { read(at) }
}
