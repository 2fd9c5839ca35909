//! Guarded: what an object works on, for one call at a time. A second call is told so; nobody waits, since a call can
//! reach scripts, and those may call the same object.

use std::sync::{Mutex, MutexGuard, TryLockError};

use crate::raw::any_thread::AnyThread;

/// A value with a lock that is never waited for.
#[derive(Default)]
pub(super) struct Guarded<T>(Mutex<AnyThread<T>>);

impl<T: Default> Guarded<T> {
    /// The value, unless a call is at work on it.
    pub(super) fn enter(&self) -> Option<MutexGuard<'_, AnyThread<T>>> {
        match self.0.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(poisoned)) => {
                // A bug of ours broke off a call midway: start afresh.
                let mut value = poisoned.into_inner();
                value.0 = T::default();
                self.0.clear_poison();
                Some(value)
            }
        }
    }
}
