//! Limits how deep a game's own checks may be nested on a thread, so that the stack does not overflow before
//! an error.
//!
//! A check may ask a schema, even its own, and the values that it asks about may come from bytes.

use std::cell::Cell;

/// The most levels of values that the nested checks of one thread may visit together: as many as one value
/// may have, and some for the last call. A level takes about 1 KiB of the stack, of which a thread has 2 MiB
/// or less.
const MOST: usize = 1025 + 2 * OF_CALL;
/// The levels that stand for the stack of a call of a script, with everything that it calls before the next
/// check begins.
const OF_CALL: usize = 32;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// Holds the number of levels that are in use where a walk of checks begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    taken: usize,
}

impl Levels {
    /// Returns the levels in use on this thread.
    pub(crate) fn of_thread() -> Levels {
        Levels { taken: TAKEN.get() }
    }

    /// Tells whether a check may be called for a value at this depth.
    pub(crate) fn reach(self, depth: usize) -> bool {
        self.taken + depth + OF_CALL <= MOST
    }

    /// Runs a script at this depth.
    pub(crate) fn call<T>(self, depth: usize, script: impl FnOnce() -> T) -> T {
        // The guard restores the number even on unwinding, so that later calls on this thread have all of
        // their levels.
        let _back = RestoreLevels(TAKEN.replace(self.taken + depth + OF_CALL));
        script()
    }
}

struct RestoreLevels(usize);

impl Drop for RestoreLevels {
    fn drop(&mut self) {
        TAKEN.set(self.0);
    }
}
