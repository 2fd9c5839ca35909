//! From the engine's instance pointer to the Rust state of that object, without a lock.
//!
//! gdext's own way locks a cell that tracks borrows. It stays the slow path; its
//! answer is remembered a thread at a time. No lock is taken here on the state: states bring their own.
//!
//! Why a remembered pointer is never stale: every end of an [`Anchor`] moves `GENERATION` on, before its
//! memory is freed, and an entry counts only in the generation it was made in. An object made later at the
//! same address reaches another thread through some synchronisation of the script's, so that thread sees the
//! new generation.

use std::cell::Cell;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::obj::GodotClass;
use godot::private::{Storage, as_storage};
use godot::sys::GDExtensionClassInstancePtr;

/// How many anchors have ended, plus one: 0 is for entries never filled.
static GENERATION: AtomicU64 = AtomicU64::new(1);

/// Objects in use at a time and thread before two share an entry; a power of two.
const ENTRIES: usize = 64;

thread_local! {
    static FOUND: [Cell<Entry>; ENTRIES] = const { [const { Cell::new(Entry::EMPTY) }; ENTRIES] };
}

/// The state of one object, at one address for as long as it lives.
pub(crate) struct Anchor<S>(Arc<S>);

impl<S: Send + Sync> Anchor<S> {
    pub(crate) fn new(state: S) -> Self {
        Self(Arc::new(state))
    }

    pub(crate) fn state(&self) -> &S {
        &self.0
    }
}

impl<S> Drop for Anchor<S> {
    fn drop(&mut self) {
        GENERATION.fetch_add(1, Ordering::AcqRel);
    }
}

#[derive(Clone, Copy)]
struct Entry {
    instance: GDExtensionClassInstancePtr,
    generation: u64,
    /// INVARIANT: points to the state of `instance` while `GENERATION` equals `generation`.
    state: *const (),
}

impl Entry {
    const EMPTY: Self = Self { instance: ptr::null_mut(), generation: 0, state: ptr::null() };
}

/// The state of the object behind `instance`.
///
/// # Safety
/// `instance` belongs to a living object of class `T` (or one that extends it), which outlives `'a`.
pub(super) unsafe fn find<'a, T: GodotClass, S>(
    instance: GDExtensionClassInstancePtr,
    anchor: fn(&T) -> &Anchor<S>,
) -> &'a S {
    // Read before the slow path: if an anchor ends meanwhile, the entry is merely old at once.
    let generation = GENERATION.load(Ordering::Acquire);
    let state = FOUND.with(|found| {
        let slot = &found[slot_of(instance)];
        let entry = slot.get();
        if entry.instance == instance && entry.generation == generation {
            return entry.state;
        }
        // SAFETY: the caller's promise is as_storage's whole contract.
        let storage = unsafe { as_storage::<T>(instance) };
        let state = Arc::as_ptr(&anchor(&storage.get()).0).cast();
        slot.set(Entry { instance, generation, state });
        state
    });
    // SAFETY: Alive: by the entry's invariant the pointer is that of the object's own anchor, of which only
    // shared references exist outside.
    unsafe { &*state.cast::<S>() }
}

/// Instances are heap blocks of over 64 bytes, so neighbours differ from bit 6 on.
fn slot_of(instance: GDExtensionClassInstancePtr) -> usize {
    let address = instance.addr();
    (address >> 6 ^ address >> 12) % ENTRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_an_anchor_starts_a_new_generation() {
        let before = GENERATION.load(Ordering::Acquire);
        drop(Anchor::new(5));
        assert!(GENERATION.load(Ordering::Acquire) > before);
    }

    #[test]
    fn neighbouring_blocks_do_not_share_an_entry() {
        let block = |i: usize| slot_of(ptr::without_provenance_mut(0x7f00_0000_1000 + i * 192));
        let distinct: std::collections::HashSet<_> = (0..16).map(block).collect();
        assert!(distinct.len() >= 14, "{distinct:?}");
    }
}
