//! Buffer: bytes that grow, first in scratch that is kept, then in the very PackedByteArray that is returned.
//!
//! What is small is copied once, into an array of just its size; what is large is never copied whole, only the
//! array's end is cut off. What that takes in memory, `cargo xtask bench memory` prints.

use godot::builtin::PackedByteArray;

use super::made;

/// Up to here bytes go into scratch.
const SCRATCH: usize = 64 * 1024;
/// Room that is always there beyond the cursor: the largest value that is written without asking (a Projection of
/// doubles), and what a kernel writes over.
pub(super) const SLACK: usize = 160;

/// Where encoded bytes go.
#[derive(Debug)]
pub(super) struct Buffer<'s> {
    /// INVARIANT: `start` to `end` plus [`SLACK`] is room in `scratch`, or in `result` once there is one;
    /// `cursor` lies in it.
    pub(super) cursor: *mut u8,
    start: *mut u8,
    pub(super) end: *mut u8,
    scratch: &'s mut Vec<u8>,
    result: Option<PackedByteArray>,
    /// Bytes after which there is no more growing.
    limit: usize,
}

impl<'s> Buffer<'s> {
    pub(super) fn new(scratch: &'s mut Vec<u8>, limit: usize) -> Buffer<'s> {
        scratch.clear();
        scratch.reserve(1024);
        let (start, room) = (scratch.as_mut_ptr(), scratch.capacity());
        let end = start.wrapping_add(room - SLACK);
        Buffer { cursor: start, start, end, scratch, result: None, limit }
    }

    /// Bytes written.
    #[inline]
    pub(super) fn used(&self) -> usize {
        self.cursor.addr() - self.start.addr()
    }

    /// Bytes up to the limit.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.limit.saturating_sub(self.used())
    }

    /// Makes room for so many bytes and [`SLACK`]. `None` when the limit is passed already.
    #[inline(always)]
    pub(super) fn reserve(&mut self, count: usize) -> Option<()> {
        if self.cursor.addr() + count <= self.end.addr() {
            return Some(());
        }
        self.grow(count)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Option<()> {
        let used = self.used();
        if used > self.limit {
            return None;
        }
        let needed = used.checked_add(count)?.checked_add(SLACK)?;
        let room = if needed <= SCRATCH {
            // SAFETY: `used` bytes of the scratch are written, which is what keeps them when it grows.
            unsafe { self.scratch.set_len(used) };
            self.scratch.reserve(needed.max(2 * used) - used);
            self.start = self.scratch.as_mut_ptr();
            self.scratch.capacity()
        } else {
            self.grow_result(used, needed)?
        };
        self.cursor = self.start.wrapping_add(used);
        self.end = self.start.wrapping_add(room - SLACK);
        Some(())
    }

    fn grow_result(&mut self, used: usize, needed: usize) -> Option<usize> {
        // Never much more than what is there already: what is not used counts as memory until the end.
        let room = needed.max(used + if used < 1 << 20 { used } else { used / 10 });
        let array = self.result.get_or_insert_default();
        let is_new = array.is_empty();
        array.resize(room);
        let bytes = array.as_mut_slice();
        if bytes.len() < room {
            return None;
        }
        if is_new {
            // SAFETY: the first `used` bytes of the scratch are written; `room` is larger.
            bytes[..used].copy_from_slice(unsafe { std::slice::from_raw_parts(self.start, used) });
        }
        self.start = bytes.as_mut_ptr();
        Some(room)
    }

    /// The bytes, unless they are more than the limit.
    pub(super) fn finish(self) -> Option<PackedByteArray> {
        let used = self.used();
        if used > self.limit {
            return None;
        }
        Some(match self.result {
            Some(mut array) => {
                array.resize(used);
                array
            }
            // SAFETY: so many bytes of the scratch are written.
            None => made::bytes(unsafe { std::slice::from_raw_parts(self.start, used) }),
        })
    }

    /// What is written, for the length of a call, unless it is more than the limit.
    pub(super) fn lend<R>(self, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let used = self.used();
        if used > self.limit {
            return None;
        }
        // SAFETY: so many bytes are written from the start on; scratch and result live until this returns.
        Some(take(unsafe { std::slice::from_raw_parts(self.start, used) }))
    }

    /// Writes a word and moves on.
    ///
    /// # Safety
    /// Room for it has been made.
    #[inline(always)]
    pub(super) unsafe fn put<T>(&mut self, value: T) {
        // SAFETY: the caller's promise.
        unsafe { self.cursor.cast::<T>().write_unaligned(value) };
        self.cursor = self.cursor.wrapping_add(size_of::<T>());
    }

    /// Copies bytes and moves on.
    ///
    /// # Safety
    /// `from` points to `count` bytes, and room for them has been made.
    #[inline(always)]
    pub(super) unsafe fn copy(&mut self, from: *const u8, count: usize) {
        // SAFETY: the caller's promise.
        unsafe { std::ptr::copy_nonoverlapping(from, self.cursor, count) };
        self.cursor = self.cursor.wrapping_add(count);
    }

    /// Zeros to the next multiple of 4 of what was written since `from`, an offset.
    ///
    /// # Safety
    /// Three bytes of room.
    #[inline(always)]
    pub(super) unsafe fn pad(&mut self, count: usize) {
        // SAFETY: the caller's promise; a word is within the slack.
        unsafe { self.cursor.cast::<u32>().write_unaligned(0) };
        self.cursor = self.cursor.wrapping_add(count.wrapping_neg() & 3);
    }

    /// Copies what was written before, again.
    ///
    /// # Safety
    /// `count` bytes from offset `at` on are written, and there is room for them.
    pub(super) unsafe fn repeat(&mut self, at: usize, count: usize) {
        // SAFETY: the caller's promise; the source ends before the cursor.
        unsafe { self.copy(self.start.add(at), count) }
    }

    /// The place of an offset that is written.
    pub(super) fn place(&self, at: usize) -> *mut u8 {
        self.start.wrapping_add(at)
    }
}
