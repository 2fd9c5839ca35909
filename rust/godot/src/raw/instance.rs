//! Finds the Rust state of an object from the engine's instance pointer, without a lock.
//!
//! gdext's own function locks a cell that tracks borrows. It is the fallback, and its result is cached for
//! each thread. The state itself is not locked here: each state has its own lock.
//!
//! A cached pointer is never stale: every drop of an [`Anchor`] increments `GENERATION` before its memory is
//! freed, and an entry counts only in the generation in which it was made. An object that is made later at
//! the same address reaches another thread through some synchronisation by the script, so that thread sees
//! the new generation.
//!
//! The state outlives the call: a call may run scripts, and a script may release the last reference to the
//! very object. The state of a running call is not freed with its object then; it [lingers](linger) until
//! that call has ended. Counting the users of a state instead would cost each call two locked instructions.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use godot::obj::GodotClass;
use godot::private::{Storage, as_storage};
use godot::sys::GDExtensionClassInstancePtr;

/// The number of anchors that were dropped, plus one: 0 is for entries that were never filled.
static GENERATION: AtomicU64 = AtomicU64::new(1);

/// The number of objects that a thread can use at a time before two share an entry; a power of two.
const ENTRIES: usize = 64;

thread_local! {
    static FOUND: [Cell<Entry>; ENTRIES] = const { [const { Cell::new(Entry::EMPTY) }; ENTRIES] };
}

/// Describes the state that an object's methods work on.
pub(crate) trait State: Send + Sync + 'static {
    /// Tells whether a call that can run scripts is working on it.
    fn is_at_work(&self) -> bool;
}

/// Owns the state of one object, at one address for the object's lifetime.
pub(crate) struct Anchor<S> {
    state: Arc<S>,
    /// Handles the end of the object. It is a pointer because not every receiver has a [`State`].
    end: fn(&Arc<S>),
}

impl<S: State> Anchor<S> {
    pub(crate) fn new(state: S) -> Self {
        let end = |state: &Arc<S>| {
            if state.is_at_work() {
                linger(Arc::clone(state) as Arc<dyn State>);
            }
        };
        Self { state: Arc::new(state), end }
    }

    pub(crate) fn state(&self) -> &S {
        &self.state
    }

    /// Returns the state for an owner who may outlive the object.
    pub(crate) fn shared(&self) -> Arc<S> {
        Arc::clone(&self.state)
    }
}

impl<S> Drop for Anchor<S> {
    fn drop(&mut self) {
        GENERATION.fetch_add(1, Ordering::AcqRel);
        release();
        (self.end)(&self.state);
    }
}

/// The states whose objects ended during a call on them.
static LINGERING: Mutex<Vec<Arc<dyn State>>> = Mutex::new(Vec::new());
/// Whether there are any such states; it is read at the end of each object.
static DO_LINGER: AtomicBool = AtomicBool::new(false);

#[cold]
fn linger(state: Arc<dyn State>) {
    LINGERING.lock().unwrap_or_else(PoisonError::into_inner).push(state);
    DO_LINGER.store(true, Ordering::Release);
}

/// Frees the lingering states whose calls have ended. It is called when another object ends, and when the
/// library is unloaded.
pub(crate) fn release() {
    if DO_LINGER.swap(false, Ordering::AcqRel) {
        release_ended();
    }
}

#[cold]
fn release_ended() {
    let mut lingering = LINGERING.lock().unwrap_or_else(PoisonError::into_inner);
    let ended: Vec<_> = lingering.extract_if(.., |state| !state.is_at_work()).collect();
    DO_LINGER.fetch_or(!lingering.is_empty(), Ordering::AcqRel);
    drop(lingering);
    // Dropping a state may run scripts, so it happens outside of the lock.
    drop(ended);
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

/// Returns the state of the object behind `instance`.
///
/// # Safety
/// `instance` belongs to a living object of class `T` (or one that extends it), which outlives `'a` unless it
/// ends while [`State::is_at_work`] is true.
pub(super) unsafe fn find<'a, T: GodotClass, S>(
    instance: GDExtensionClassInstancePtr,
    anchor: fn(&T) -> &Anchor<S>,
) -> &'a S {
    // The generation is read before the fallback: if an anchor is dropped meanwhile, the entry merely is
    // stale at once.
    let generation = GENERATION.load(Ordering::Acquire);
    let state = FOUND.with(|found| {
        let slot = &found[slot_of(instance)];
        let entry = slot.get();
        if entry.instance == instance && entry.generation == generation {
            return entry.state;
        }
        // SAFETY: the caller's promise is the whole contract of `as_storage`.
        let storage = unsafe { as_storage::<T>(instance) };
        let state = Arc::as_ptr(&anchor(&storage.get()).state).cast();
        slot.set(Entry { instance, generation, state });
        state
    });
    // SAFETY: Alive: by the entry's invariant the pointer is that of the object's own anchor, to which only
    // shared references exist outside. If the object ends during the call, its state lingers.
    unsafe { &*state.cast::<S>() }
}

/// Returns the entry of an instance. Instances are heap blocks of over 64 bytes, so neighbours differ from
/// bit 6 on.
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
        drop(Anchor::new(Bench::default()));
        assert!(GENERATION.load(Ordering::Acquire) > before);
    }

    #[derive(Default)]
    struct Bench(AtomicBool);

    impl State for Bench {
        fn is_at_work(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn what_is_at_work_ends_after_its_call() {
        let anchor = Anchor::new(Bench::default());
        let state = Arc::downgrade(&anchor.state);
        anchor.state().0.store(true, Ordering::Relaxed);
        drop(anchor);
        release();
        let at_work = state.upgrade().expect("it lingers");
        at_work.0.store(false, Ordering::Relaxed);
        drop(at_work);
        drop(Anchor::new(Bench::default()));
        // Other tests may have changed the list meanwhile.
        while state.strong_count() > 0 {
            release();
        }
    }

    #[test]
    fn neighbouring_blocks_do_not_share_an_entry() {
        let block = |i: usize| slot_of(ptr::without_provenance_mut(0x7F00_1000 + i * 192));
        let distinct: std::collections::HashSet<_> = (0..16).map(block).collect();
        assert!(distinct.len() >= 14, "{distinct:?}");
    }
}
