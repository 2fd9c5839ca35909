//! Job: a file that is loaded or saved on a thread of its own, with what it tells and can be told meanwhile.
//! `load.rs` finds the value in a file.
//!
//! Values are built on that thread: the engine's containers may be made anywhere, and so nothing of it is
//! left for the main thread to do. A value to be saved is encoded before the thread begins, since the game
//! may change it at any time.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use godot::builtin::Variant;
use godot::global::Error;
use variant_core::ErrorKind;
use variant_save::{OldFile, Replacement};

use super::ending::{self, Scripts};
use super::file_queue::{self, Number, SelfWait, Turn};
use super::main_thread;
use super::output::of_io;
use super::persist::tell_of_change;
use super::{CHUNK, trouble};
use crate::call::problem::Problem;
use crate::raw::any_thread::AnyThread;

/// Returns the problem of a caller that would wait for itself.
#[cold]
pub(crate) fn entangled(_: SelfWait) -> Problem {
    trouble(
        ErrorKind::Busy,
        Error::ERR_BUSY,
        "this would wait for ever: a check_with() that a load runs cannot wait for that load, nor for what is behind it",
    )
}

/// The stack of a job's thread: as much as a main thread has. Checks of schemas run scripts in scripts there, and an engine
/// without optimization needs several times as much for each.
const STACK_BYTES: usize = 8 << 20;

/// Jobs whose threads may still run: they have to end before the engine does.
static RUNNING: Mutex<Vec<(Arc<Job>, JoinHandle<()>)>> = Mutex::new(Vec::new());

thread_local! {
    /// The job that this thread does.
    static AT_WORK: RefCell<Option<Arc<Job>>> = const { RefCell::new(None) };
}

/// Says whether a job loads or saves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Load,
    /// Its schema asks scripts.
    LoadByScripts,
    Save,
}

/// The state that both sides of a job share.
pub(crate) struct Job {
    task: Task,
    turn: Number,
    /// The bits of an f64.
    progress: AtomicU64,
    is_cancelled: AtomicBool,
    outcome: Mutex<AnyThread<Option<Outcome>>>,
    ended: Condvar,
}

/// How a job ended.
#[derive(Clone)]
pub(crate) struct Outcome {
    pub(crate) data: Variant,
    pub(crate) problem: Option<Problem>,
}

impl Job {
    pub(crate) fn new(task: Task, turn: &Turn) -> Job {
        Job {
            task,
            turn: turn.number(),
            progress: AtomicU64::default(),
            is_cancelled: AtomicBool::default(),
            outcome: Mutex::default(),
            ended: Condvar::new(),
        }
    }

    pub(crate) fn progress(&self) -> f64 {
        f64::from_bits(self.progress.load(Ordering::Relaxed))
    }

    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// How it ended, if it has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.lock().0.clone()
    }

    /// Waits for the end. A job that has ended is not waited for, though its turn may still wait for another. Fails if the job
    /// itself waits for this thread.
    pub(crate) fn wait(&self) -> Result<(), SelfWait> {
        if self.lock().is_none() {
            file_queue::wait(self.turn, meanwhile())?;
        }
        let mut outcome = self.lock();
        while outcome.is_none() {
            outcome = self.ended.wait(outcome).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// Does the work on a thread of its own when its turn has come, and afterwards tells of it. Where there are no threads, does
    /// it here.
    pub(crate) fn start(
        self: &Arc<Job>,
        turn: Turn,
        work: impl FnOnce(&Job) -> Result<Variant, Problem> + Send + 'static,
        tell: impl FnOnce() + Send + 'static,
    ) {
        let (job, task) = (Arc::clone(self), Mutex::new(Some((turn, work, tell))));
        let task = Arc::new(task);
        let run = {
            let (job, task) = (Arc::clone(&job), Arc::clone(&task));
            move || job.run(&task)
        };
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let ended: Vec<_> = running.extract_if(.., |(_, thread)| thread.is_finished()).collect();
        // Under the lock: whoever ends what runs finds this job there, or it finds that they came before it.
        if self.may_have_thread()
            && let Ok(thread) =
                Builder::new().name("VariantJob".to_owned()).stack_size(STACK_BYTES).spawn(run)
        {
            running.push((job, thread));
            drop(running);
            // What they loaded may end with them, and run scripts that begin jobs: not under the lock.
            drop(ended);
            return;
        }
        drop(running);
        drop(ended);
        job.run(&task);
    }

    /// Whether a thread of its own can do it. Where scripts end at this moment, nobody does it. A library that is built without
    /// threads makes no values on another one, whatever the engine has.
    fn may_have_thread(&self) -> bool {
        if cfg!(not(feature = "threads")) {
            return false;
        }
        if self.task != Task::LoadByScripts {
            return true;
        }
        let scripts = ending::scripts(end_with_scripts);
        if scripts == Scripts::Over {
            self.cancel();
        }
        scripts == Scripts::Watched
    }

    fn run<W, T>(self: &Arc<Self>, task: &Mutex<Option<(Turn, W, T)>>)
    where
        W: FnOnce(&Job) -> Result<Variant, Problem>,
        T: FnOnce(),
    {
        let Some((turn, work, tell)) = task.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        // Nothing of ours panics on data. Should it ever, whoever waits is told.
        let in_turn = || {
            self.check()?;
            turn.come(meanwhile(), || work(self)).unwrap_or_else(|it| Err(entangled(it)))
        };
        let before = AT_WORK.replace(Some(Arc::clone(self)));
        let ended = catch_unwind(AssertUnwindSafe(in_turn));
        AT_WORK.set(before);
        let outcome = match ended
            .unwrap_or_else(|_| Err(trouble(ErrorKind::Refused, Error::FAILED, "the job broke off")))
        {
            Ok(data) => Outcome { data, problem: None },
            Err(problem) => Outcome { data: Variant::nil(), problem: Some(problem) },
        };
        if outcome.problem.is_none() {
            self.is_at(1.0);
        }
        self.lock().0 = Some(outcome);
        self.ended.notify_all();
        drop(turn);
        tell();
    }

    pub(crate) fn is_at(&self, progress: f64) {
        self.progress.store(progress.to_bits(), Ordering::Relaxed);
    }

    pub(crate) fn check(&self) -> Result<(), Problem> {
        match self.is_cancelled.load(Ordering::Relaxed) {
            true => Err(trouble(ErrorKind::Cancelled, Error::ERR_SKIP, "the job was cancelled")),
            false => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, AnyThread<Option<Outcome>>> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns what this thread does while it waits for a turn: the main thread does the work that jobs have for it.
pub(crate) fn meanwhile() -> Option<&'static dyn Fn()> {
    main_thread::is_here().then_some(&main_thread::work_off)
}

/// Whether this thread does a job, and the main thread is another one.
pub(crate) fn has_main_thread_elsewhere() -> bool {
    AT_WORK.with_borrow(Option::is_some) && !main_thread::is_here()
}

/// Runs this on the main thread, for at most `budget` a frame, where this thread does a job. Fails if the job was cancelled.
pub(crate) fn on_main_thread(
    budget: Duration,
    slice: impl FnMut(Instant) -> bool + 'static,
) -> Result<(), Problem> {
    let Some(job) = AT_WORK.with_borrow(Clone::clone) else { return Ok(()) };
    let is_cancelled = || job.is_cancelled.load(Ordering::Relaxed);
    match main_thread::run(Box::new(slice), budget, job.turn, &is_cancelled) {
        true => Ok(()),
        false => job.check(),
    }
}

/// Whether this thread does a job that nobody waits for any more: what takes long in it asks, and stops.
pub(crate) fn is_given_up() -> bool {
    AT_WORK.with_borrow(|job| job.as_ref().is_some_and(|job| job.is_cancelled.load(Ordering::Relaxed)))
}

/// Hears in time that scripts end.
pub(crate) fn settle() {
    ending::watch_later(end_with_scripts);
}

/// Cancels the loads that ask scripts, and waits for them: no script can run soon.
fn end_with_scripts() {
    let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let (ending, others) =
        std::mem::take(&mut *running).into_iter().partition(|(job, _)| job.task == Task::LoadByScripts);
    *running = others;
    // A check that runs may begin jobs of its own.
    drop(running);
    end(ending);
}

/// Waits for what still runs: what a thread holds must go before the engine does. Nobody will look at what is loaded, so
/// that is cancelled; what is saved, somebody relies on.
pub(crate) fn release() {
    end(std::mem::take(&mut *RUNNING.lock().unwrap_or_else(PoisonError::into_inner)));
}

fn end(running: Vec<(Arc<Job>, JoinHandle<()>)>) {
    for (job, _) in running.iter().filter(|(job, _)| job.task != Task::Save) {
        job.cancel();
    }
    for (_, thread) in running {
        let _ = thread.join();
    }
}

/// Puts bytes under a name.
pub(crate) fn save(job: &Job, path: &Path, bytes: &[u8], old: OldFile) -> Result<Variant, Problem> {
    let mut save = Replacement::begin(path).map_err(|error| of_io(&error))?;
    let mut written = 0;
    for chunk in bytes.chunks(CHUNK) {
        job.check()?;
        save.append(chunk).map_err(|error| of_io(&error))?;
        written += chunk.len();
        // The last hundredth is for the disk.
        job.is_at(0.99 * written as f64 / bytes.len() as f64);
    }
    job.check()?;
    save.finish(old).map_err(|error| of_io(&error))?;
    tell_of_change();
    Ok(Variant::nil())
}
