//! Holds encoded bytes while they grow: first in scratch that is kept, then in the very PackedByteArray that
//! is returned; or behind others in a vector.
//!
//! Few bytes are copied once, into an array of just their size; many are not copied, only the array's end is cut off, unless
//! room was made by what a container was expected to take, and much of it is left. `cargo xtask bench memory` prints what that
//! takes in memory.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;

use super::answer;
use super::cursor::Cursor;
use super::slot::STRIDE;

/// The most bytes of an answer that go into scratch.
pub(super) const SCRATCH: usize = 64 * 1024;
/// Room that is always there beyond the cursor: the largest value that is written without asking (a Projection of
/// doubles), and what a kernel writes over.
pub(super) const SLACK: usize = 160;

/// The bytes from which on memory that is not used counts.
const LARGE: usize = 1 << 20;

/// Receives encoded bytes. A [`Cursor`] knows how far they go.
#[derive(Debug)]
pub(super) struct Buffer<'s> {
    /// INVARIANT: `start` to `end` plus [`SLACK`] is room in `scratch`, or in `result` once there is one.
    start: *mut u8,
    end: *mut u8,
    scratch: &'s mut Vec<u8>,
    /// Bytes of the scratch that are not ours.
    before: usize,
    /// Bytes that go into scratch at most.
    most: usize,
    result: Option<PackedByteArray>,
    /// Bytes after which there is no more growing.
    limit: usize,
    /// The bytes that the answer will probably have; no more than are written where no container has many children.
    expected: usize,
    /// The bytes for which room may be made at once: what the children of the largest container take where they lie.
    at_once: usize,
}

impl<'s> Buffer<'s> {
    /// Makes a buffer for bytes that come behind those of `scratch`, of which `most` go there; the others go
    /// into an answer.
    #[inline]
    pub(super) fn new(scratch: &'s mut Vec<u8>, most: usize, limit: usize) -> Buffer<'s> {
        scratch.reserve(1024);
        let before = scratch.len();
        let start = scratch.as_mut_ptr().wrapping_add(before);
        let end = start.wrapping_add(scratch.capacity() - before - SLACK);
        Buffer { start, end, scratch, before, most, result: None, limit, expected: 0, at_once: 0 }
    }

    /// Notes how many bytes the answer has if the children of a container that are to come are as long as those that are
    /// `done`, of which the first stands at `start`.
    #[inline]
    pub(super) fn expect(&mut self, start: usize, to: Cursor, done: usize, count: usize) {
        let written = (self.used(to) - start).saturating_mul(count) / done.max(1);
        let whole = start.saturating_add(written).saturating_add(written / 32);
        self.expected = self.expected.max(whole).min(self.limit);
        self.at_once = self.at_once.max(start.saturating_add(count.saturating_mul(STRIDE)));
    }

    /// Returns where its first byte goes.
    #[inline]
    pub(super) fn start(&self) -> Cursor {
        // SAFETY: the scratch has room, and so an address.
        unsafe { Cursor::new(self.start) }
    }

    /// Returns how many bytes are written.
    #[inline]
    pub(super) fn used(&self, to: Cursor) -> usize {
        to.place().addr() - self.start.addr()
    }

    /// Returns how many bytes are written, unless they are more than the limit.
    #[inline]
    fn within_limit(&self, to: Cursor) -> Option<usize> {
        Some(self.used(to)).filter(|used| *used <= self.limit)
    }

    /// Returns how many bytes there are up to the limit.
    #[inline]
    pub(super) fn left(&self, to: Cursor) -> usize {
        self.limit.saturating_sub(self.used(to))
    }

    /// Returns how many bytes there is room for before [`SLACK`].
    #[inline]
    pub(super) fn room(&self, to: Cursor) -> usize {
        self.end.addr().saturating_sub(to.place().addr())
    }

    /// Makes room for so many bytes and [`SLACK`], and says where they go. `None` when the limit is passed already.
    #[inline]
    pub(super) fn reserve(&mut self, to: Cursor, count: usize) -> Option<Cursor> {
        // With 32 bits two gigabytes behind an address can be before it.
        if to.place().addr().checked_add(count).is_some_and(|end| end <= self.end.addr()) {
            return Some(to);
        }
        self.grow(to, count)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, to: Cursor, count: usize) -> Option<Cursor> {
        let used = self.used(to);
        if used > self.limit {
            return None;
        }
        let needed = used.checked_add(count)?.checked_add(SLACK)?;
        let room = if needed <= self.most {
            // SAFETY: `used` bytes of the scratch are written, which is what keeps them when it grows.
            unsafe { self.scratch.set_len(self.before + used) };
            self.scratch.reserve(needed.max(2 * used) - used);
            self.start = self.scratch.as_mut_ptr().wrapping_add(self.before);
            self.scratch.capacity() - self.before
        } else {
            self.grow_result(used, needed)?
        };
        self.end = self.start.wrapping_add(room - SLACK);
        // SAFETY: there is room, and so an address.
        Some(unsafe { Cursor::new(self.start.wrapping_add(used)) })
    }

    fn grow_result(&mut self, used: usize, needed: usize) -> Option<usize> {
        // What is not used counts as memory until the end: never much more than what is there already, or in the value.
        let step = if used < LARGE { used } else { used / 10 };
        let expected = self.expected.saturating_add(SLACK).min(used.saturating_mul(4).max(self.at_once));
        let room = needed.max(used + step).max(expected);
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

    /// Makes `into` a PackedByteArray of what was written, unless it is more than the limit.
    #[inline]
    pub(super) fn finish(&mut self, to: Cursor, into: &mut Variant) -> Option<()> {
        let used = self.within_limit(to)?;
        match &mut self.result {
            // The engine keeps room that is not used, if it is not very much.
            Some(array) if self.expected > self.most && array.len() > used + used / 8 => {
                *into = array.subarray(..used).to_variant()
            }
            Some(array) => {
                array.resize(used);
                *into = array.to_variant();
            }
            // SAFETY: so many bytes of the scratch are written.
            None => answer::put_bytes(unsafe { std::slice::from_raw_parts(self.start, used) }, into),
        }
        Some(())
    }

    /// Lends what was written, for the length of a call, unless it is more than the limit.
    pub(super) fn lend<R>(&self, to: Cursor, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let used = self.within_limit(to)?;
        // SAFETY: so many bytes are written from the start on; scratch and result live until this returns.
        Some(take(unsafe { std::slice::from_raw_parts(self.start, used) }))
    }

    /// Leaves what was written behind what was there, unless it is more than the limit; gives how much it is.
    #[inline]
    pub(super) fn keep(&mut self, to: Cursor) -> Option<usize> {
        let used = self.within_limit(to)?;
        // SAFETY: so many bytes of the scratch are written.
        unsafe { self.scratch.set_len(self.before + used) };
        Some(used)
    }

    /// Returns the place of an offset that is written.
    #[inline]
    pub(super) fn place(&self, at: usize) -> *mut u8 {
        self.start.wrapping_add(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On 32 bits such counts come up in games: two gigabytes are half of all addresses.
    #[test]
    fn there_is_no_room_behind_the_last_address() {
        let mut room = Vec::new();
        let mut buffer = Buffer::new(&mut room, usize::MAX, 0);
        let mut to = buffer.start();
        // SAFETY: there is room for it. It is more than the limit, so that nothing grows.
        unsafe { to.put(0_u8) };
        for count in [usize::MAX, usize::MAX - to.place().addr() + 1, usize::MAX / 2 + 1] {
            assert!(buffer.reserve(to, count).is_none(), "{count}");
        }
        let there = buffer.room(to);
        assert!(buffer.reserve(to, there).is_some());
        assert!(buffer.reserve(to, there + 1).is_none());
    }
}
