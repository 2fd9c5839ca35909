//! From the engine's instance pointer to the Rust state of that object, without a lock.
//!
//! gdext's own way locks a cell that tracks borrows. It stays the slow path; its
//! answer is remembered a thread at a time. No lock is taken here on the state: states bring their own.
//!
//! Why a remembered pointer is never stale: every end of an [`Anchor`] moves `GENERATION` on, before its
//! memory is freed, and an entry counts only in the generation it was made in. An object made later at the
//! same address reaches another thread through some synchronisation of the script's, so that thread sees the
//! new generation.
//!
//! Why what it points to outlives the call: a call may run scripts, and one of those may let go of the last reference to
//! the very object. State that a call is at work on is not freed with its object then; it [lingers](linger) until
//! that call has ended. To count the users of a state instead would take each call two locked instructions.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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

/// What an object's methods work on.
pub(crate) trait State: Send + Sync + 'static {
    /// Whether a call is at work on it that can run scripts.
    fn is_at_work(&self) -> bool;
}

/// The state of one object, at one address for as long as it lives.
pub(crate) struct Anchor<S> {
    state: Arc<S>,
    /// Of [`State`], which not every receiver has.
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
}

impl<S> Drop for Anchor<S> {
    fn drop(&mut self) {
        GENERATION.fetch_add(1, Ordering::AcqRel);
        release();
        (self.end)(&self.state);
    }
}

/// States whose objects ended during a call of theirs.
static LINGERING: Mutex<Vec<Arc<dyn State>>> = Mutex::new(Vec::new());
/// Whether there is any: asked at each end of an object.
static DO_LINGER: AtomicBool = AtomicBool::new(false);

#[cold]
fn linger(state: Arc<dyn State>) {
    LINGERING.lock().unwrap_or_else(PoisonError::into_inner).push(state);
    DO_LINGER.store(true, Ordering::Release);
}

/// Frees the states that linger and whose calls have ended. Asked when another object ends, and when the library is let
/// go of.
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
    // Scripts may run at the end of what a state holds: not under the lock.
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

/// The state of the object behind `instance`.
///
/// # Safety
/// `instance` belongs to a living object of class `T` (or one that extends it), which outlives `'a` unless it ends while
/// [`State::is_at_work`].
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
        let state = Arc::as_ptr(&anchor(&storage.get()).state).cast();
        slot.set(Entry { instance, generation, state });
        state
    });
    // SAFETY: Alive: by the entry's invariant the pointer is that of the object's own anchor, of which only
    // shared references exist outside. Should the object end during the call, its state lingers.
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
        // Tests beside this one may be at it as well.
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
