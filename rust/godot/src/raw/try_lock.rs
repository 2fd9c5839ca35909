//! TryLock: a lock that nobody waits for. One locked instruction a call, where a Mutex takes two: it has to look whether
//! somebody waits. And one for a single thread, which takes none: such an instruction waits until all that was written
//! before it has left the processor, 6 ns of the 67 that a small packet takes.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
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
        // SAFETY: made `HELD`, and by nobody else if it was something else.
        unsafe { self.entered(before, fresh) }
    }

    /// Whether somebody has the value.
    pub(crate) fn is_held(&self) -> bool {
        self.state.load(Ordering::Relaxed) == HELD
    }

    /// The same as `enter` without a locked instruction.
    ///
    /// # Safety
    /// No other thread ever enters.
    #[inline]
    unsafe fn enter_alone(&self, fresh: impl FnOnce() -> T) -> Option<Entered<'_, T>> {
        let before = self.state.load(Ordering::Relaxed);
        self.state.store(HELD, Ordering::Relaxed);
        // SAFETY: as above: nobody else is there to come between.
        unsafe { self.entered(before, fresh) }
    }

    /// # Safety
    /// The caller has made the state `HELD`, which was `before`.
    #[inline(always)]
    unsafe fn entered(&self, before: u8, fresh: impl FnOnce() -> T) -> Option<Entered<'_, T>> {
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

/// A value for the one thread that claims it, which takes no locked instruction at all. The plain twin is [`TryLock`].
#[derive(Default)]
pub(crate) struct Home<T> {
    /// INVARIANT: entered by way of its one [`Claimed`] only.
    lock: TryLock<T>,
    is_claimed: AtomicBool,
}

/// A home, for the thread that has claimed it: it cannot be sent to another one.
pub(crate) struct Claimed<T: 'static> {
    home: &'static Home<T>,
    not_send: PhantomData<*const ()>,
}

impl<T> Home<T> {
    pub(crate) const fn new(value: T) -> Home<T> {
        Home { lock: TryLock::new(value), is_claimed: AtomicBool::new(false) }
    }

    /// Makes it this thread's, once and for all. `None`: it is some thread's already.
    pub(crate) fn claim(&'static self) -> Option<Claimed<T>> {
        let is_free = !self.is_claimed.swap(true, Ordering::AcqRel);
        is_free.then_some(Claimed { home: self, not_send: PhantomData })
    }
}

impl<T> Claimed<T> {
    /// The value, unless this thread is at it already; made afresh when whatever was at it panicked.
    #[inline]
    pub(crate) fn enter(self, fresh: impl FnOnce() -> T) -> Option<Entered<'static, T>> {
        // SAFETY: the home is claimed once, and a `Claimed` stays on its thread, as do all copies of it.
        unsafe { self.home.lock.enter_alone(fresh) }
    }
}

impl<T> Clone for Claimed<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Claimed<T> {}

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
