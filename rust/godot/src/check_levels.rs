//! Check levels: how deep the game's own checks stand in one another on a thread. A check may ask a schema, its own too, and
//! what it asks about may come from bytes: the stack must not end before an error says so.

use std::cell::Cell;

/// Levels of values that the checks of one thread go down, all that stand in one another together: as many as one value may
/// have, and some for the last call. A level takes about 1 KiB of the stack, of which a thread has 2 MiB or less.
const MOST: usize = 1025 + 2 * OF_CALL;
/// What a call of a script takes of the stack, with all that it calls before the next check begins, as such levels.
const OF_CALL: usize = 32;

thread_local! {
    static TAKEN: Cell<usize> = const { Cell::new(0) };
}

/// So many levels may stand in one another; a walk of checks begins at those that are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    taken: usize,
}

impl Levels {
    /// What is left of them on this thread.
    pub(crate) fn of_thread() -> Levels {
        Levels { taken: TAKEN.get() }
    }

    /// Whether a check may be asked about a value so many levels down.
    pub(crate) fn reach(self, depth: usize) -> bool {
        self.taken + depth + OF_CALL <= MOST
    }

    /// Runs a script there.
    pub(crate) fn call<T>(self, depth: usize, script: impl FnOnce() -> T) -> T {
        // Back even if it unwinds: what comes after on this thread has all of its levels.
        let _back = Back(TAKEN.replace(self.taken + depth + OF_CALL));
        script()
    }
}

struct Back(usize);

impl Drop for Back {
    fn drop(&mut self) {
        TAKEN.set(self.0);
    }
}
