//! Guarded: what an object works on, for one call at a time. A second call is told so; nobody waits, since a call can
//! reach scripts, and those may call the same object.

use crate::raw::any_thread::AnyThread;
use crate::raw::try_lock::{TryLock, TryLockGuard};

/// A value with a lock that is never waited for.
#[derive(Default)]
pub(super) struct Guarded<T>(TryLock<AnyThread<T>>);

impl<T: Default> Guarded<T> {
    /// Whether a call is at work on it.
    pub(super) fn is_at_work(&self) -> bool {
        self.0.is_held()
    }

    /// The value, unless a call is at work on it. After a bug of ours broke off a call midway, a fresh one.
    #[inline]
    pub(super) fn enter(&self) -> Option<TryLockGuard<'_, AnyThread<T>>> {
        self.0.enter(AnyThread::default)
    }
}
