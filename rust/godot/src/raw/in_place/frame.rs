//! Holds a container that is being filled where it will stay, and the parts of it that are not there yet. It
//! walks nothing.

use godot::sys;

use super::calls;
use super::slot::STRIDE;
use super::templates::{Keys, only_first};
use crate::raw::layout::PAYLOAD;

/// An unfinished container of `ToSlots`. `own` is the slot that it lies in, or will.
#[derive(Debug)]
pub(crate) enum Frame {
    Array {
        own: *mut u8,
        end: *mut u8,
    },
    /// `there`: entries so far.
    Dictionary {
        own: *mut u8,
        count: u32,
        there: u32,
        keys: Keys,
    },
    Path {
        own: *mut u8,
    },
    /// INVARIANT: as many empty texts as are `left` lie from `next` on, in the PackedStringArray of the slot, and
    /// nobody else uses them.
    Strings {
        own: *mut u8,
        next: *mut u8,
        left: u32,
    },
}

impl Frame {
    pub(super) const fn own(&self) -> *mut u8 {
        match self {
            Frame::Array { own, .. }
            | Frame::Dictionary { own, .. }
            | Frame::Path { own }
            | Frame::Strings { own, .. } => *own,
        }
    }

    /// Puts a key into the Dictionary: where its value goes. `None`: it is there already.
    ///
    /// # Safety
    /// A living key.
    #[inline(always)]
    pub(super) unsafe fn insert(&mut self, key: sys::GDExtensionConstVariantPtr) -> Option<*mut u8> {
        let Frame::Dictionary { own, there, keys, .. } = self else { return None };
        // SAFETY: the caller's promise; the Dictionary is new and ours alone.
        unsafe {
            if let Keys::Copied(..) = keys {
                only_first(*own, *there)?;
                *keys = Keys::OneByOne;
            }
            let dictionary = own.add(PAYLOAD);
            let slot = calls::slot(dictionary.cast(), key)?;
            if calls::length(dictionary)? != u64::from(*there) + 1 {
                return None;
            }
            *there += 1;
            Some(slot)
        }
    }

    /// Returns where the child after the one at `slot` goes. A key, and what is one too many, goes to `key`.
    #[inline(always)]
    pub(super) fn next(&self, slot: *mut u8, key: *mut u8) -> *mut u8 {
        match self {
            Frame::Array { end, .. } => {
                let next = slot.wrapping_add(STRIDE);
                if next < *end { next } else { key }
            }
            _ => key,
        }
    }
}
