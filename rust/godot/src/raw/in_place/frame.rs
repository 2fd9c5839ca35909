//! Holds a container that is being filled where it will stay, and the parts of it that are not there yet. It
//! walks nothing.

use godot::builtin::Variant;
use godot::sys;

use super::calls;
use super::slot::STRIDE;
use super::templates::{Keys, step};
use crate::raw::layout::dictionaries::KEY;
use crate::raw::layout::{PAYLOAD, pointer_at, proven};

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

/// Makes a Dictionary anew, of its first entries alone: the values are moved. On `None` it holds no value.
///
/// # Safety
/// A Variant that holds a living, untyped Dictionary of at least so many entries lies at `own`, and nobody else uses it.
#[cold]
#[inline(never)]
unsafe fn only_first(own: *mut u8, count: u32) -> Option<()> {
    let known = &proven()?.dictionaries;
    // SAFETY: the caller's promise. The old Dictionary is moved out, lives until the end, and what is in its nodes is
    // swapped with what is in the new one's slots; each slot is used before the next key is inserted.
    unsafe {
        let old = own.cast::<Variant>().replace(Variant::nil());
        calls::dictionary(own)?;
        let private = pointer_at(old.var_sys().cast::<u8>().add(PAYLOAD));
        let mut node = pointer_at(private.add(known.head));
        for _ in 0..count {
            let slot = calls::slot(own.add(PAYLOAD).cast(), node.add(KEY).cast_mut().cast())?;
            let (value, next) = step(node);
            std::ptr::swap(slot.cast::<Variant>(), value.cast::<Variant>());
            node = next;
        }
    }
    Some(())
}
