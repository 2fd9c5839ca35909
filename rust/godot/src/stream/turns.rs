//! Turns: what is asked of one file is done in the order in which it was asked for. Different files wait for nobody.
//!
//! Who takes a turn waits for the one taken before it for the same file, and that one for the one before. It knows
//! neither threads nor bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::save::target_of;

/// The turns taken last, by file, as long as they are not over.
static LAST: Mutex<BTreeMap<PathBuf, Arc<Gate>>> = Mutex::new(BTreeMap::new());

/// Opens when a turn is over, and stays open.
#[derive(Debug, Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

/// A place in the line before a file. It is over when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    file: PathBuf,
    own: Arc<Gate>,
    before: Option<Arc<Gate>>,
}

impl Turn {
    /// The turn behind all that were taken for this file.
    pub(crate) fn take(path: &Path) -> Turn {
        let (file, own) = (target_of(path), Arc::new(Gate::default()));
        let before = last().insert(file.clone(), Arc::clone(&own));
        Turn { file, own, before }
    }

    /// Waits until the turns before it are over.
    pub(crate) fn wait(&mut self) {
        if let Some(before) = self.before.take() {
            before.pass();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Should it never have come to its turn: whoever is behind must not overtake whoever is before.
        self.wait();
        self.own.open();
        let mut last = last();
        if last.get(&self.file).is_some_and(|gate| Arc::ptr_eq(gate, &self.own)) {
            last.remove(&self.file);
        }
    }
}

impl Gate {
    fn open(&self) {
        *self.lock() = true;
        self.opened.notify_all();
    }

    fn pass(&self) {
        let mut is_open = self.lock();
        while !*is_open {
            is_open = self.opened.wait(is_open).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.is_open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn last() -> MutexGuard<'static, BTreeMap<PathBuf, Arc<Gate>>> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

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
            .map(|(number, mut turn)| {
                let tell = tell.clone();
                thread::spawn(move || {
                    turn.wait();
                    tell.send(number).ok();
                })
            })
            .collect();
        drop(tell);
        assert_eq!(told.iter().collect::<Vec<_>>(), (0..20).collect::<Vec<_>>());
        threads.into_iter().for_each(|thread| thread.join().expect("no thread panics"));
        assert!(!last().contains_key(&target_of(&file("order"))), "nothing is kept of turns that are over");
    }

    #[test]
    fn other_files_do_not_wait() {
        let held = Turn::take(&file("held"));
        Turn::take(&file("free")).wait();
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
        let given_up = thread::spawn(move || drop(second));
        waits_until(third, || drop(first));
        given_up.join().expect("no thread panics");
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
    fn waits_until(mut turn: Turn, done: impl FnOnce()) {
        let (tell, told) = mpsc::channel();
        let waiting = thread::spawn(move || {
            turn.wait();
            tell.send(()).ok();
        });
        assert!(told.recv_timeout(Duration::from_millis(20)).is_err(), "it does not wait");
        done();
        assert!(told.recv_timeout(Duration::from_secs(10)).is_ok(), "it waits for ever");
        waiting.join().expect("no thread panics");
    }
}
