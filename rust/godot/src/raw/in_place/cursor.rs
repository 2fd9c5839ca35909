//! Holds the place where the next byte goes. It is handed from function to function and back, so that it
//! stays in a register. It does not know how much room there is.

use std::ptr::NonNull;

/// A place in a [`Buffer`](super::buffer::Buffer).
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Cursor(NonNull<u8>);

impl Cursor {
    /// # Safety
    /// `at` is not null.
    #[inline]
    pub(super) const unsafe fn new(at: *mut u8) -> Cursor {
        // SAFETY: the caller's promise.
        Cursor(unsafe { NonNull::new_unchecked(at) })
    }

    #[inline]
    pub(super) const fn place(self) -> *mut u8 {
        self.0.as_ptr()
    }

    /// Writes a word and moves on.
    ///
    /// # Safety
    /// Room for it has been made.
    #[inline]
    pub(super) const unsafe fn put<T>(&mut self, value: T) {
        // SAFETY: the caller's promise.
        unsafe {
            self.0.cast::<T>().write_unaligned(value);
            self.move_on(size_of::<T>());
        }
    }

    /// Copies bytes and moves on.
    ///
    /// # Safety
    /// `from` points to `count` bytes, and room for them has been made.
    #[inline]
    pub(super) const unsafe fn copy(&mut self, from: *const u8, count: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            std::ptr::copy_nonoverlapping(from, self.place(), count);
            self.move_on(count);
        }
    }

    /// Zeros to the next multiple of 4, after so many bytes.
    ///
    /// # Safety
    /// Four bytes of room.
    #[inline]
    pub(super) const unsafe fn pad(&mut self, count: usize) {
        // SAFETY: the caller's promise.
        unsafe {
            self.0.cast::<u32>().write_unaligned(0);
            self.move_on(count.wrapping_neg() & 3);
        }
    }

    /// Leaves what has been written there.
    ///
    /// # Safety
    /// Room for so many bytes has been made.
    #[inline]
    pub(super) const unsafe fn move_on(&mut self, count: usize) {
        // SAFETY: the caller's promise; the end of the room is within or right behind it.
        self.0 = unsafe { self.0.add(count) };
    }
}
