//! Lets a value be used from several threads together with the object that owns it.
//!
//! It adds no lock: the value must be behind one.

use std::ops::{Deref, DerefMut};

/// Wraps Godot handles (Variant, `Gd`), which gdext keeps on one thread, so that a Mutex may own them.
#[derive(Default)]
pub(crate) struct AnyThread<T>(pub(crate) T);

// SAFETY: Engine contract: handles are reference counted atomically, and the engine itself passes objects
// that own them between threads. No handle in here has thread-local parts, and the Mutex around it lets one
// thread in at a time.
unsafe impl<T> Send for AnyThread<T> {}

impl<T> Deref for AnyThread<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for AnyThread<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Wraps Godot handles that several threads read at the same time and nobody changes.
pub(crate) struct Constant<T>(T);

impl<T> Constant<T> {
    pub(crate) const fn new(value: T) -> Constant<T> {
        Constant(value)
    }
}

// SAFETY: as for `AnyThread`.
unsafe impl<T> Send for Constant<T> {}
// SAFETY: only `&T` is ever given out. What threads do with a shared handle is to clone it or to call the engine with it;
// references are counted atomically, and the engine's methods that are called (`new`, `set`, Callables) may be called from
// any thread.
unsafe impl<T> Sync for Constant<T> {}

impl<T> Deref for Constant<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
