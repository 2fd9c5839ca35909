//! Runs the part of a job that belongs on the main thread there, in slices, so that a frame is not held up: the game's own code
//! may use the scene tree.
//!
//! The job's thread waits meanwhile. A main thread that waits for jobs itself does all of their work at once.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use godot::classes::{Engine, Os};
use godot::obj::Singleton;

use super::ending::once_idle;
use super::file_queue::{self, Number};
use crate::raw::any_thread::AnyThread;

/// Between two looks of the waiting thread at whether its work is still wanted, and whether a frame has passed.
const BREATH: Duration = Duration::from_millis(1);

/// Works until it is done or the time has come, and says whether it is done.
pub(super) type Slice = Box<dyn FnMut(Instant) -> bool>;

/// Work that the main thread may take up.
struct Work {
    turn: Number,
    state: Mutex<AnyThread<State>>,
    changed: Condvar,
}

/// Says who has the work.
enum State {
    /// Nobody is at it.
    Waiting(Slice),
    /// The main thread is in the middle of a slice.
    UnderWay,
    Done,
}

/// All work that waits for the main thread.
static WAITING: Mutex<Vec<Arc<Work>>> = Mutex::new(Vec::new());

/// Tells whether this is the main thread.
pub(crate) fn is_here() -> bool {
    let os = Os::singleton();
    os.get_thread_caller_id() == os.get_main_thread_id()
}

/// Does all work that waits for this thread: it waits itself, so that no frame comes before that is done.
pub(crate) fn work_off() {
    let waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for work in waiting {
        while work.take_up(Duration::MAX) {}
    }
}

/// Runs this on the main thread, for at most `budget` a frame, in the middle of a turn. Returns `false` where it was given up
/// before its end; it is let go of on this thread then.
pub(crate) fn run(slice: Slice, budget: Duration, turn: Number, is_given_up: &dyn Fn() -> bool) -> bool {
    let state = Mutex::new(AnyThread(State::Waiting(slice)));
    let work = Arc::new(Work { turn, state, changed: Condvar::new() });
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&work));
    let is_done = work.wait(budget, is_given_up);
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, &work));
    is_done
}

impl Work {
    /// Asks for a slice each frame until the work is done.
    fn wait(self: &Arc<Self>, budget: Duration, is_given_up: &dyn Fn() -> bool) -> bool {
        let mut asked_in = None;
        let mut state = self.lock();
        loop {
            match &state.0 {
                State::Done => return true,
                State::Waiting(_) if is_given_up() => {
                    let given_up = std::mem::replace(&mut state.0, State::Done);
                    drop(state);
                    // Objects go with it, and their scripts may run.
                    drop(given_up);
                    return false;
                }
                State::Waiting(_) => {
                    let frame = Engine::singleton().get_process_frames();
                    if asked_in != Some(frame) {
                        asked_in = Some(frame);
                        let work = Arc::clone(self);
                        once_idle("VariantJob builds objects", move |_| {
                            work.take_up(budget);
                        });
                    }
                }
                State::UnderWay => {}
            }
            let waited = self.changed.wait_timeout(state, BREATH);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Does a slice on this thread. Returns whether there is more to do here: not where it is under way further down the stack.
    fn take_up(&self, budget: Duration) -> bool {
        let mut state = self.lock();
        let taken = std::mem::replace(&mut state.0, State::UnderWay);
        let State::Waiting(mut slice) = taken else {
            state.0 = taken;
            return false;
        };
        drop(state);
        let now = Instant::now();
        // A script that would wait for this very job is told so.
        let is_done = file_queue::within(self.turn, || slice(now.checked_add(budget).unwrap_or(now + FAR)));
        self.lock().0 = if is_done { State::Done } else { State::Waiting(slice) };
        self.changed.notify_all();
        !is_done
    }

    fn lock(&self) -> MutexGuard<'_, AnyThread<State>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As good as no limit.
const FAR: Duration = Duration::from_secs(86_400);
