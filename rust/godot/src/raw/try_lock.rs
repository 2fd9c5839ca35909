//! TryLock: a lock that nobody waits for. One locked instruction a call, where a Mutex takes two: it has to look whether
//! somebody waits.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

/// Nobody is in there.
const FREE: u8 = 0;
const HELD: u8 = 1;
/// Whoever was in there panicked midway.
const BROKEN: u8 = 2;

/// A value for one user at a time.
#[derive(Default)]
pub(crate) struct TryLock<T> {
    /// INVARIANT: only who has made it `HELD` reaches the value, and makes it something else when done.
    state: AtomicU8,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time reaches the value, and each sees what the one before left: it is as if the value were sent
// from thread to thread.
unsafe impl<T: Send> Sync for TryLock<T> {}

impl<T> TryLock<T> {
    pub(crate) const fn new(value: T) -> TryLock<T> {
        TryLock { state: AtomicU8::new(FREE), value: UnsafeCell::new(value) }
    }

    /// The value, unless somebody has it; made afresh when whoever had it panicked.
    #[inline]
    pub(crate) fn enter(&self, fresh: impl FnOnce() -> T) -> Option<Entered<'_, T>> {
        let before = self.state.swap(HELD, Ordering::Acquire);
        if before == HELD {
            return None;
        }
        let mut entered = Entered { lock: self, value: PhantomData };
        if before == BROKEN {
            renew(&mut *entered, fresh);
        }
        Some(entered)
    }
}

/// Out of line: what is locked takes kilobytes, which would be on the stack of every call.
#[cold]
#[inline(never)]
fn renew<T>(value: &mut T, fresh: impl FnOnce() -> T) {
    *value = fresh();
}

/// The value, for as long as this lives.
pub(crate) struct Entered<'l, T> {
    lock: &'l TryLock<T>,
    /// It is no more for other threads than such a reference would be.
    value: PhantomData<&'l mut T>,
}

impl<T> Deref for Entered<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by the lock's invariant nobody else reaches the value.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Entered<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above, and this is borrowed for as long.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Entered<'_, T> {
    #[inline]
    fn drop(&mut self) {
        let after = if thread::panicking() { BROKEN } else { FREE };
        self.lock.state.store(after, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn one_at_a_time() {
        let lock = TryLock::new(5);
        let held = lock.enter(|| 0).unwrap();
        assert!(lock.enter(|| 0).is_none());
        assert!(lock.enter(|| 0).is_none(), "still held after an attempt");
        drop(held);
        *lock.enter(|| 0).unwrap() += 1;
        assert_eq!(*lock.enter(|| 0).unwrap(), 6);
    }

    #[test]
    fn what_a_panic_left_is_made_afresh() {
        let lock = TryLock::new(5);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut held = lock.enter(|| 0).unwrap();
            *held = 7;
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err());
        assert_eq!(*lock.enter(|| 1).unwrap(), 1);
        assert_eq!(*lock.enter(|| 2).unwrap(), 1, "once");
    }

    #[test]
    fn no_two_threads_are_in_there() {
        let lock = TryLock::new(0_u64);
        let entered: u64 = thread::scope(|scope| {
            let work =
                || (0..20_000).filter(|_| lock.enter(|| 0).map(|mut held| *held += 1).is_some()).count();
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap() as u64).sum()
        });
        assert_eq!(*lock.enter(|| 0).unwrap(), entered);
    }
}
