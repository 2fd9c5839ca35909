//! Puts the work on one file into the order in which it was asked for, by turns. Different files do not wait for each other.
//!
//! A turn waits for the one taken before it for the same file, and that one for the one before. Scripts run
//! in the middle of turns, in checks of a schema, and may wait for other turns: a script that would wait for
//! itself, over however many between, is told so and does not wait. It knows neither bytes nor jobs.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use variant_save::target_of;

static LINES: Mutex<Lines> = Mutex::new(Lines { turns: BTreeMap::new(), last: BTreeMap::new(), taken: 0 });
/// Signals that a turn is over.
static OVER: Condvar = Condvar::new();

thread_local! {
    /// The turns that this thread is in the middle of. They are not over before what it does now is.
    static WITHIN: RefCell<Vec<Number>> = const { RefCell::new(Vec::new()) };
}

/// The time between two calls of what a thread does while it waits.
const BREATH: Duration = Duration::from_millis(1);

/// The number of a turn, for those that wait for it.
pub(crate) type Number = u64;

/// All turns that are not over.
struct Lines {
    turns: BTreeMap<Number, State>,
    /// Those taken last, by file.
    last: BTreeMap<PathBuf, Number>,
    taken: Number,
}

#[derive(Default)]
struct State {
    file: Option<PathBuf>,
    /// The turn that has to be over before this one: the one taken before it, or one that is waited for in
    /// the middle of it.
    waits_for: Option<Number>,
    /// Those that are given up and were behind it: they are over when it is.
    given_up: Vec<Number>,
}

/// A place in the line before a file. It is over when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn(Number);

/// The error of a turn that would wait for itself.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SelfWait;

impl Turn {
    /// The turn behind all that were taken for this file.
    pub(crate) fn take(path: &Path) -> Turn {
        let file = target_of(path);
        let mut lines = lines();
        let number = lines.next();
        let before = lines.last.insert(file.clone(), number);
        let state = State { file: Some(file), waits_for: before, given_up: Vec::new() };
        lines.turns.insert(number, state);
        Turn(number)
    }

    /// Takes a turn that waits for nobody.
    pub(crate) fn alone() -> Turn {
        let mut lines = lines();
        let number = lines.next();
        lines.turns.insert(number, State::default());
        Turn(number)
    }

    pub(crate) const fn number(&self) -> Number {
        self.0
    }

    /// Waits until the turns before it are over, and does this in the middle of it. `meanwhile` is what [`wait`] calls.
    /// Fails, with nothing done, if a turn before it waits for this one.
    pub(crate) fn come<R>(
        &self,
        meanwhile: Option<&dyn Fn()>,
        work: impl FnOnce() -> R,
    ) -> Result<R, SelfWait> {
        let _left = self.begin(meanwhile)?;
        Ok(work())
    }

    /// Waits until the turns before it are over. The thread is in the middle of this one until the answer is dropped.
    /// Fails if a turn before it waits for this one.
    pub(crate) fn begin(&self, meanwhile: Option<&dyn Fn()>) -> Result<LeaveTurn, SelfWait> {
        let before = lines().turns.get(&self.0).and_then(|state| state.waits_for);
        if let Some(before) = before {
            wait(before, meanwhile)?;
            lines().set_waiting(&[self.0], None);
        }
        WITHIN.with_borrow_mut(|within| within.push(self.0));
        Ok(LeaveTurn)
    }
}

/// Does this in the middle of a turn that has come, for the thread that has it.
pub(crate) fn within<R>(number: Number, work: impl FnOnce() -> R) -> R {
    WITHIN.with_borrow_mut(|within| within.push(number));
    let _left = LeaveTurn;
    work()
}

/// Leaves the middle of a turn.
pub(crate) struct LeaveTurn;

impl Drop for LeaveTurn {
    fn drop(&mut self) {
        WITHIN.with_borrow_mut(Vec::pop);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        lines().end(self.0);
        OVER.notify_all();
    }
}

/// Waits until a turn is over. While it waits, it calls `meanwhile` each millisecond where it is given.
/// Fails if it waits for one that this thread is in the middle of.
pub(crate) fn wait(number: Number, meanwhile: Option<&dyn Fn()>) -> Result<(), SelfWait> {
    let within = WITHIN.with_borrow(Clone::clone);
    let mut lines = lines();
    let outcome = loop {
        if !lines.turns.contains_key(&number) {
            break Ok(());
        }
        if lines.chain(number).any(|on_the_way| within.contains(&on_the_way)) {
            break Err(SelfWait);
        }
        lines.set_waiting(&within, Some(number));
        lines = match meanwhile {
            None => OVER.wait(lines).unwrap_or_else(PoisonError::into_inner),
            Some(meanwhile) => {
                drop(lines);
                meanwhile();
                let waited = OVER.wait_timeout(self::lines(), BREATH);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        };
    };
    lines.set_waiting(&within, None);
    outcome
}

impl Lines {
    const fn next(&mut self) -> Number {
        self.taken += 1;
        self.taken
    }

    /// Lists a turn, the one that it waits for, and so on. No circle is ever entered.
    fn chain(&self, first: Number) -> impl Iterator<Item = Number> {
        std::iter::successors(Some(first), |number| self.turns.get(number)?.waits_for)
    }

    fn set_waiting(&mut self, turns: &[Number], waits_for: Option<Number>) {
        for number in turns {
            if let Some(state) = self.turns.get_mut(number) {
                state.waits_for = waits_for;
            }
        }
    }

    /// Ends a turn. A turn that never came lets nobody behind it overtake those before it.
    fn end(&mut self, number: Number) {
        let before = self.turns.get(&number).and_then(|state| state.waits_for);
        if let Some(state) = before.and_then(|before| self.turns.get_mut(&before)) {
            state.given_up.push(number);
            return;
        }
        let mut over = vec![number];
        while let Some(number) = over.pop() {
            let Some(state) = self.turns.remove(&number) else { continue };
            over.extend(state.given_up);
            if let Some(file) = state.file
                && self.last.get(&file) == Some(&number)
            {
                self.last.remove(&file);
            }
        }
    }
}

fn lines() -> MutexGuard<'static, Lines> {
    LINES.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    fn file(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("variant_stream_turns_{name}"))
    }

    #[test]
    fn turns_of_a_file_come_in_the_order_they_were_taken() {
        let turns: Vec<Turn> = (0..20).map(|_| Turn::take(&file("order"))).collect();
        let (tell, told) = mpsc::channel();
        let threads: Vec<_> = turns
            .into_iter()
            .enumerate()
            .rev()
            .map(|(number, turn)| {
                let tell = tell.clone();
                thread::spawn(move || turn.come(None, || tell.send(number)).is_ok())
            })
            .collect();
        drop(tell);
        assert_eq!(told.iter().collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
        assert!(threads.into_iter().all(|thread| thread.join().expect("no thread panics")));
        assert!(
            !lines().last.contains_key(&target_of(&file("order"))),
            "nothing is kept of turns that are over"
        );
    }

    #[test]
    fn other_files_do_not_wait() {
        let held = Turn::take(&file("held"));
        assert_eq!(Turn::take(&file("free")).come(None, || 7), Ok(7));
        drop(held);
    }

    #[test]
    fn one_file_has_one_line_whatever_its_path() {
        let folder = std::env::temp_dir();
        let again = folder.join("..").join(folder.file_name().expect("no root"));
        let first = Turn::take(&folder.join("variant_stream_turns_names"));
        let second = Turn::take(&again.join("variant_stream_turns_names"));
        waits_until(second, || drop(first));
    }

    #[test]
    fn who_never_comes_to_a_turn_lets_nobody_overtake() {
        let turns = || Turn::take(&file("given_up"));
        let (first, second, third) = (turns(), turns(), turns());
        drop(second);
        waits_until(third, || drop(first));
    }

    #[test]
    fn who_is_done_leaves_the_line_to_those_behind() {
        let turns = || Turn::take(&file("done"));
        let (first, second) = (turns(), turns());
        drop(first);
        waits_until(turns(), || drop(second));
    }

    /// It is not this turn's time before that was done, and then it is.
    #[track_caller]
    fn waits_until(turn: Turn, done: impl FnOnce()) {
        let (tell, told) = mpsc::channel();
        let waiting = thread::spawn(move || turn.come(None, || tell.send(())).is_ok());
        assert!(told.recv_timeout(Duration::from_millis(20)).is_err(), "it does not wait");
        done();
        assert!(told.recv_timeout(Duration::from_secs(10)).is_ok(), "it waits for ever");
        assert!(waiting.join().expect("no thread panics"));
    }

    #[test]
    fn nobody_waits_for_itself() {
        let own = Turn::take(&file("own"));
        let behind = Turn::take(&file("own"));
        let further = Turn::take(&file("own"));
        let free = Turn::alone();
        let inside = own.come(None, || {
            let outcomes = [own.number(), behind.number(), further.number()].map(|number| wait(number, None));
            assert_eq!(outcomes, [Err(SelfWait), Err(SelfWait), Err(SelfWait)]);
            assert_eq!(behind.come(None, || ()), Err(SelfWait));
            let number = free.number();
            drop(free);
            wait(number, None)
        });
        assert_eq!(inside, Ok(Ok(())));
        waits_until(behind, || drop(own));
        assert_eq!(further.come(None, || ()), Ok(()));
    }

    /// Each in the middle of its own turn waits for the other: one of them is told.
    #[test]
    fn two_do_not_wait_for_each_other() {
        for _ in 0..20 {
            let (one, other) = (Turn::alone(), Turn::alone());
            let (of_one, of_other) = (one.number(), other.number());
            let waiting = [(one, of_other), (other, of_one)].map(|(turn, number)| {
                thread::spawn(move || turn.come(None, || wait(number, None)).expect("it is behind nobody"))
            });
            let outcomes = waiting.map(|thread| thread.join().expect("no thread panics"));
            assert!(outcomes.contains(&Ok(())), "{outcomes:?}");
        }
    }
}
