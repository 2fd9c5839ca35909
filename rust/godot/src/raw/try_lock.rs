//! Provides locks that nothing waits for, and a variant for a single thread.
//!
//! [`TryLock`] takes one locked instruction for a call, where a Mutex takes two, because it has to test for
//! waiting threads. [`Home`] takes none: such an instruction waits until all writes before it have left the
//! processor, 6 ns of the 67 that a small packet takes.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;

/// The state of a lock that is not held.
const FREE: u8 = 0;
const HELD: u8 = 1;
/// The state of a lock whose holder panicked.
const BROKEN: u8 = 2;

/// Holds a value for one user at a time.
#[derive(Default)]
pub(crate) struct TryLock<T> {
    /// INVARIANT: only the caller that changed the state to `HELD` reaches the value, and it changes the
    /// state again when it is done.
    state: AtomicU8,
    value: UnsafeCell<T>,
}

// SAFETY: one thread at a time reaches the value, and sees the writes of the one before: it is as if the
// value were sent from thread to thread.
unsafe impl<T: Send> Sync for TryLock<T> {}

impl<T> TryLock<T> {
    pub(crate) const fn new(value: T) -> TryLock<T> {
        TryLock { state: AtomicU8::new(FREE), value: UnsafeCell::new(value) }
    }

    /// Returns the value, unless it is in use; it is made again by `fresh` if its last user panicked.
    #[inline]
    pub(crate) fn enter(&self, fresh: impl FnOnce() -> T) -> Option<TryLockGuard<'_, T>> {
        let before = self.state.swap(HELD, Ordering::Acquire);
        // SAFETY: the state is `HELD`, and this call has made it so if it was something else.
        unsafe { self.entered(before, fresh) }
    }

    /// Tells whether the value is in use.
    pub(crate) fn is_held(&self) -> bool {
        self.state.load(Ordering::Relaxed) == HELD
    }

    /// Returns the value as `enter` does, without a locked instruction.
    ///
    /// # Safety
    /// No other thread ever enters.
    #[inline]
    unsafe fn enter_alone(&self, fresh: impl FnOnce() -> T) -> Option<TryLockGuard<'_, T>> {
        let before = self.state.load(Ordering::Relaxed);
        self.state.store(HELD, Ordering::Relaxed);
        // SAFETY: the state is `HELD`, and no other thread can come between.
        unsafe { self.entered(before, fresh) }
    }

    /// # Safety
    /// The caller has changed the state from `before` to `HELD`.
    #[inline]
    unsafe fn entered(&self, before: u8, fresh: impl FnOnce() -> T) -> Option<TryLockGuard<'_, T>> {
        if before == HELD {
            return None;
        }
        let mut entered = TryLockGuard { lock: self, value: PhantomData };
        if before == BROKEN {
            renew(&mut *entered, fresh);
        }
        Some(entered)
    }
}

/// Holds a value for the one thread that claims it, without any locked instruction. The fallback is
/// [`TryLock`].
#[derive(Default)]
pub(crate) struct Home<T> {
    /// INVARIANT: it is entered only through its one [`Claim`].
    lock: TryLock<T>,
    is_claimed: AtomicBool,
}

/// Gives the thread that has claimed a home access to it. It cannot be sent to another thread.
pub(crate) struct Claim<T: 'static> {
    home: &'static Home<T>,
    not_send: PhantomData<*const ()>,
}

impl<T> Home<T> {
    pub(crate) const fn new(value: T) -> Home<T> {
        Home { lock: TryLock::new(value), is_claimed: AtomicBool::new(false) }
    }

    /// Claims the home for this thread, for good. Returns `None` if it is claimed already.
    pub(crate) fn claim(&'static self) -> Option<Claim<T>> {
        let is_free = !self.is_claimed.swap(true, Ordering::AcqRel);
        is_free.then_some(Claim { home: self, not_send: PhantomData })
    }
}

impl<T> Claim<T> {
    /// Returns the value, unless this thread is using it already; it is made again by `fresh` if its last
    /// user panicked.
    #[inline]
    pub(crate) fn enter(self, fresh: impl FnOnce() -> T) -> Option<TryLockGuard<'static, T>> {
        // SAFETY: the home is claimed once, and a `Claim` stays on its thread, as do all its copies.
        unsafe { self.home.lock.enter_alone(fresh) }
    }
}

impl<T> Clone for Claim<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Claim<T> {}

/// Makes the value again. It is out of line because the value takes kilobytes, which would be on the stack of
/// every call.
#[cold]
#[inline(never)]
fn renew<T>(value: &mut T, fresh: impl FnOnce() -> T) {
    *value = fresh();
}

/// Gives access to the value while it lives.
pub(crate) struct TryLockGuard<'l, T> {
    lock: &'l TryLock<T>,
    /// Makes this type as unfit for other threads as such a reference would be.
    value: PhantomData<&'l mut T>,
}

impl<T> Deref for TryLockGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: by the lock's invariant nothing else reaches the value.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for TryLockGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: by the lock's invariant nothing else reaches the value, and `self` is borrowed as long.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for TryLockGuard<'_, T> {
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
        assert!(lock.is_held());
        drop(held);
        assert!(!lock.is_held());
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
    fn a_home_is_one_threads() {
        let home: &'static Home<u64> = Box::leak(Box::new(Home::new(5)));
        let claimed = home.claim().unwrap();
        assert!(home.claim().is_none(), "once and for all");
        assert!(thread::scope(|scope| scope.spawn(|| home.claim().is_none()).join().unwrap()));
        let held = claimed.enter(|| 0).unwrap();
        assert!(claimed.enter(|| 0).is_none());
        assert!(claimed.enter(|| 0).is_none(), "still held after an attempt");
        drop(held);
        *claimed.enter(|| 0).unwrap() += 1;
        assert_eq!(*claimed.enter(|| 0).unwrap(), 6);
    }

    #[test]
    fn what_a_panic_left_at_home_is_made_afresh() {
        let home: &'static Home<u64> = Box::leak(Box::default());
        let claimed = home.claim().unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            *claimed.enter(|| 0).unwrap() = 7;
            let _held = claimed.enter(|| 0).unwrap();
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err());
        assert_eq!(*claimed.enter(|| 1).unwrap(), 1);
        assert_eq!(*claimed.enter(|| 2).unwrap(), 1, "once");
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
