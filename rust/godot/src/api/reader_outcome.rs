//! The outcome of a reader's last call, as a script is told of it.

use godot::builtin::{PackedByteArray, Variant};
use godot::global::Error;
use variant_core::ErrorKind;

use super::tap;
use crate::call::problem::Problem;
use crate::raw::in_place;
use crate::stream::reading::{ReadStop, Reading};
use crate::stream::trouble;

/// `VariantReader.Status`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Status {
    #[default]
    Ready,
    NeedMore,
    Busy,
    Rejected,
    Broken,
    End,
}

/// The outcome of the last call that read.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) data: Variant,
    pub(super) key: Variant,
    pub(super) problem: Option<Problem>,
    pub(super) status: Status,
    pub(super) needed: u64,
}

impl Outcome {
    /// Becomes what a call came to, unless all there is to change is there already, as for most values. Returns its code, the bytes
    /// that were refused and why, where a debugger watches, and what was here before, with a value that was refused. `misplaced` is
    /// the message for a call that cannot come here.
    pub(super) fn replaced(
        &mut self,
        reading: &mut Reading,
        asked: Result<Result<(), Problem>, ReadStop>,
        misplaced: &str,
    ) -> (Error, Option<(PackedByteArray, String)>, Option<Outcome>) {
        // The key of an entry that is still being read stays there until its value comes.
        let key = if asked.is_ok() { reading.frames.take_key() } else { None };
        let asked = asked.and_then(|told| told.map_err(ReadStop::Rejected));
        let is_plain =
            self.status == Status::Ready && self.needed == 0 && self.problem.is_none() && self.key.is_nil();
        if is_plain && key.is_none() && asked.is_ok() {
            return (Error::OK, None, None);
        }
        let (code, mut told) = match asked {
            Ok(()) => (Error::OK, Outcome { data: in_place::take(&mut self.data), ..Outcome::default() }),
            Err(halt) => stopped(halt, misplaced),
        };
        told.key = key.unwrap_or_default();
        let shown = if tap::is_watched() { told.refusal(self, reading) } else { None };
        (code, shown, Some(std::mem::replace(self, told)))
    }

    /// Returns the bytes that were refused, and why. A stream that was broken before shows nothing again.
    #[cold]
    fn refusal(&self, before: &Outcome, reading: &mut Reading) -> Option<(PackedByteArray, String)> {
        let is_new = match self.status {
            Status::Rejected => true,
            Status::Broken => before.status != Status::Broken,
            _ => false,
        };
        let problem = self.problem.as_ref().filter(|_| is_new)?;
        Some((reading.refused_bytes()?, problem.to_text().to_string()))
    }
}

/// Returns what a script is told that asks a reader to which nothing was given.
#[cold]
pub(super) fn nothing_open() -> (Error, Outcome) {
    let problem = trouble(
        ErrorKind::InvalidArgument,
        Error::ERR_UNCONFIGURED,
        "nothing is open: open_file(), feed() or another feed comes first",
    );
    (problem.error, Outcome { problem: Some(problem), ..Outcome::default() })
}

/// Returns what a script is told when there is no value. `misplaced`: the message for a call that cannot come
/// here.
fn stopped(halt: ReadStop, misplaced: &str) -> (Error, Outcome) {
    let with = |status| Outcome { status, ..Outcome::default() };
    match halt {
        ReadStop::NeedMore(needed) => (Error::ERR_UNAVAILABLE, Outcome { needed, ..with(Status::NeedMore) }),
        ReadStop::Busy => (Error::ERR_BUSY, with(Status::Busy)),
        ReadStop::End => (Error::ERR_FILE_EOF, with(Status::End)),
        ReadStop::Misplaced => {
            let problem = trouble(ErrorKind::InvalidArgument, Error::ERR_DOES_NOT_EXIST, misplaced);
            (problem.error, Outcome { problem: Some(problem), ..Outcome::default() })
        }
        ReadStop::Rejected(problem) => {
            (problem.error, Outcome { problem: Some(problem), ..with(Status::Rejected) })
        }
        ReadStop::Broken(problem) => {
            (problem.error, Outcome { problem: Some(problem), ..with(Status::Broken) })
        }
    }
}
