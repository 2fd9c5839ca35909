//! Prints the reports of files that are worked on in parallel in the order of the files.
//!
//! A file's report is kept until those before it are printed, and from then on it is written through, so that
//! it may have any length.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use indicatif::ProgressBar;
use serde_json::{Value as Json, json};

use crate::arguments::Format;
use crate::failure::{Failure, Outcome};
use crate::paint;

/// The most bytes that are kept of the report of a file that has to wait for its turn.
const MOST_KEPT: usize = 1 << 18;
/// The number of files that may be ahead of the one whose turn it is.
const MOST_AHEAD: u64 = 128;

/// Collects the reports of all files and prints them.
pub(crate) struct BatchReport {
    state: Mutex<ReportState>,
    moved: Condvar,
}

struct ReportState {
    output: io::BufWriter<anstream::AutoStream<io::Stdout>>,
    bar: ProgressBar,
    is_on_terminal: bool,
    /// The file whose turn it is.
    turn: u64,
    /// The files that are done before their turn.
    done: BTreeMap<u64, BufferedText>,
    is_good: bool,
    /// Something could not be read, where that is no verdict.
    is_trouble: bool,
    /// The number of files that could not be used.
    unused: u64,
    /// Why nothing more is done: the output is closed or full, or a worker is gone.
    stopped: Option<Failure>,
    is_stopped: bool,
}

/// Keeps text for the standard output and the standard error in the order in which it came.
#[derive(Default)]
struct BufferedText {
    parts: Vec<(To, Vec<u8>)>,
    bytes: usize,
    is_bad: bool,
    is_trouble: bool,
    is_unused: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Output,
    Error,
}

impl BatchReport {
    pub(crate) fn new(bar: ProgressBar) -> BatchReport {
        let state = ReportState {
            output: io::BufWriter::new(anstream::stdout()),
            bar,
            is_on_terminal: io::stdout().is_terminal(),
            turn: 0,
            done: BTreeMap::new(),
            is_good: true,
            is_trouble: false,
            unused: 0,
            stopped: None,
            is_stopped: false,
        };
        BatchReport { state: Mutex::new(state), moved: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, ReportState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the file is not too far ahead. Returns false if the work has stopped.
    pub(crate) fn admit(&self, number: u64) -> bool {
        let state = self.state();
        let is_ahead = |state: &mut ReportState| !state.is_stopped && number > state.turn + MOST_AHEAD;
        let state = self.moved.wait_while(state, is_ahead).unwrap_or_else(PoisonError::into_inner);
        !state.is_stopped
    }

    /// Ends the output when all files are reported, and returns the verdict on all of them.
    pub(crate) fn close(self) -> Result<Outcome, Failure> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.bar.finish_and_clear();
        if let Some(failure) = state.stopped {
            return Err(failure);
        }
        state.output.flush()?;
        match (state.unused, state.turn) {
            (0, _) if state.is_good && state.is_trouble => Ok(Outcome::Unused),
            (0, _) => Ok(Outcome::of(state.is_good)),
            (1, 1) => Ok(Outcome::Unused),
            _ => Err(Failure::misuse("not every file could be used")),
        }
    }
}

impl ReportState {
    fn write(&mut self, kept: &mut BufferedText) -> io::Result<()> {
        let output = &mut self.output;
        let parts = std::mem::take(&mut kept.parts);
        kept.bytes = 0;
        let is_beside_bar = self.is_on_terminal || parts.iter().any(|(to, _)| *to == To::Error);
        let mut write = || {
            for (to, text) in &parts {
                match to {
                    To::Output => output.write_all(text)?,
                    To::Error => {
                        // This keeps the order of the two outputs.
                        output.flush()?;
                        paint::told(text);
                    }
                }
            }
            Ok(())
        };
        // Taking the bar away and bringing it back costs more than most files.
        if is_beside_bar { self.bar.suspend(write) } else { write() }
    }

    /// Prints the rest of the report of the file whose turn it is, and the reports behind it that are done.
    fn tell(&mut self, kept: BufferedText) {
        let mut next = Some(kept);
        while let Some(mut kept) = next {
            if let Err(error) = self.write(&mut kept) {
                self.stop(Some(error.into()));
                return;
            }
            self.is_good &= !kept.is_bad;
            self.is_trouble |= kept.is_trouble;
            self.unused += u64::from(kept.is_unused);
            self.bar.inc(1);
            self.turn += 1;
            next = self.done.remove(&self.turn);
        }
    }

    fn stop(&mut self, failure: Option<Failure>) {
        self.is_stopped = true;
        if self.stopped.is_none() {
            self.stopped = failure;
        }
    }
}

/// Writes the report of one file.
pub(crate) struct Account<'d> {
    desk: &'d BatchReport,
    number: u64,
    name: String,
    format: Format,
    kept: BufferedText,
    is_closed: bool,
}

impl<'d> Account<'d> {
    pub(crate) fn new(desk: &'d BatchReport, number: u64, name: String, format: Format) -> Account<'d> {
        Account { desk, number, name, format, kept: BufferedText::default(), is_closed: false }
    }

    /// Marks the file as bad. The reason has been reported already.
    pub(crate) const fn is_bad(&mut self) {
        self.kept.is_bad = true;
    }

    /// Reports a finding: for people as text, for scripts as members of an object beside the file's name.
    pub(crate) fn tell(&mut self, text: &str, members: impl FnOnce() -> Json) -> io::Result<()> {
        if !self.format.is_json() {
            return self.say(text);
        }
        self.begin(members())?;
        self.write_all(b"}\n")
    }

    /// Writes what scripts do not get.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        if self.format.is_json() { Ok(()) } else { self.write_all(text.as_bytes()) }
    }

    /// Writes the beginning of an object with the file's name. The caller writes more members and the end.
    pub(crate) fn begin(&mut self, members: Json) -> io::Result<()> {
        let mut line = json!({ "file": self.name });
        if let (Some(line), Json::Object(members)) = (line.as_object_mut(), members) {
            line.extend(members);
        }
        let line = paint::shown(&line.to_string());
        self.write_all(line.strip_suffix('}').unwrap_or(&line).as_bytes())
    }

    /// Warns of something that stopped nothing. Scripts find it among the members of the object.
    pub(crate) fn warn(&mut self, message: &str) -> io::Result<()> {
        if self.format.is_json() {
            return Ok(());
        }
        let mut text = Vec::new();
        paint::warning(&mut text, &self.name, message);
        self.keep(To::Error, &text)
    }

    /// Reports what could not be read, for a command whose verdict is about something else.
    pub(crate) fn trouble(&mut self, failure: &Failure) -> io::Result<()> {
        let was_bad = self.kept.is_bad;
        self.fail(failure)?;
        self.kept.is_bad = was_bad;
        self.kept.is_trouble = true;
        Ok(())
    }

    /// Reports a failure of the file, or of a value in it.
    pub(crate) fn fail(&mut self, failure: &Failure) -> io::Result<()> {
        self.kept.is_bad = true;
        self.kept.is_unused |= !matches!(failure, Failure::Data(_));
        if self.format.is_json() {
            let line = failure.for_scripts(&self.name);
            return writeln!(self, "{}", paint::shown(&line.to_string()));
        }
        let mut text = Vec::new();
        paint::failure(&mut text, Some(&self.name), failure);
        self.keep(To::Error, &text)
    }

    /// Ends the report of the file. If its failure cannot be written, all work stops.
    pub(crate) fn close(mut self, outcome: Result<(), Failure>) {
        if let Err(failure) = outcome
            && !failure.is_of_output()
        {
            // If this fails, the output is gone, which the desk knows already.
            let _ = self.fail(&failure);
        }
        self.is_closed = true;
        let kept = std::mem::take(&mut self.kept);
        let mut state = self.desk.state();
        if state.turn == self.number {
            state.tell(kept);
            self.desk.moved.notify_all();
        } else {
            state.done.insert(self.number, kept);
        }
    }

    /// Prints what was reported so far, if the file has its turn: somebody may wait for it at the end of a pipe.
    pub(crate) fn send(&mut self) -> io::Result<()> {
        let mut state = self.desk.state();
        if state.turn != self.number {
            return Ok(());
        }
        state.write(&mut self.kept)?;
        state.output.flush()
    }

    fn keep(&mut self, to: To, text: &[u8]) -> io::Result<()> {
        match self.kept.parts.last_mut() {
            Some((last, part)) if *last == to => part.extend_from_slice(text),
            _ => self.kept.parts.push((to, text.to_vec())),
        }
        self.kept.bytes += text.len();
        if self.kept.bytes < MOST_KEPT {
            return Ok(());
        }
        let number = self.number;
        let waits = |state: &mut ReportState| !state.is_stopped && state.turn != number;
        let state = self.desk.moved.wait_while(self.desk.state(), waits);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.is_stopped {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        state.write(&mut self.kept).inspect_err(|error| {
            state.stop(Some(io::Error::from(error.kind()).into()));
            self.desk.moved.notify_all();
        })
    }
}

/// Takes text for the standard output.
impl Write for Account<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.keep(To::Output, text).map(|()| text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Stops the work if a worker is gone before it closed the report: the others must not wait for it.
impl Drop for Account<'_> {
    fn drop(&mut self) {
        if !self.is_closed {
            self.desk.state().stop(None);
            self.desk.moved.notify_all();
        }
    }
}
