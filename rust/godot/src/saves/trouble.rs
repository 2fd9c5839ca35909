//! Says why a save was refused, in words that tell a player's game what to do.

use std::io;

use godot::global::Error;
use variant_core::{Dialect, ErrorKind};
use variant_save::{Fault, Kind, Refusal, Unplaced, Unwritten};

use crate::codec::Problem;
use crate::looks::Beginning;
use crate::problem::Said;
use crate::stream::outlet::of_io;

/// A refusal with these words.
fn told(kind: ErrorKind, message: String) -> Problem {
    let said = Said { expected: kind.expected(), got: kind.got(), message, ..Said::default() };
    Problem::of_call(kind).saying(said)
}

#[cold]
pub(crate) fn of_fault(fault: &Fault) -> Problem {
    let kind = match fault.kind {
        Kind::NotASave => ErrorKind::NotASave,
        Kind::CutShort => ErrorKind::SaveCutShort,
        Kind::Newer => ErrorKind::SaveNewer,
        Kind::WrongKey => ErrorKind::WrongKey,
        Kind::NotAuthentic => ErrorKind::NotAuthentic,
        Kind::TooLarge => ErrorKind::TooManyBytes { limit: 0, declared: 0 },
        _ => ErrorKind::SaveDamaged,
    };
    let mut problem = told(kind, fault.to_string());
    problem.byte_offset = i64::try_from(fault.at).unwrap_or(i64::MAX);
    problem
}

/// The problem with a whole file: of one that is no save, whoever asks is told what it looks like.
#[cold]
pub(super) fn of_file_fault(fault: &Fault, bytes: &[u8]) -> Problem {
    of_beginning(fault, || Beginning::of(bytes, Dialect::Godot4))
}

/// Returns it for a file of which only the first bytes were read.
#[cold]
pub(super) fn of_beginning(fault: &Fault, beginning: impl FnOnce() -> Beginning) -> Problem {
    let problem = of_fault(fault);
    if fault.kind == Kind::NotASave { problem.beginning(beginning()) } else { problem }
}

#[cold]
pub(super) fn of_unwritten(unwritten: &Unwritten) -> Problem {
    told(ErrorKind::InvalidArgument, unwritten.to_string())
}

#[cold]
pub(super) fn of_unplaced(unplaced: Unplaced<Problem>) -> Problem {
    match unplaced {
        Unplaced::Io(error) => of_io(&error),
        Unplaced::Locked(problem, refusal) => locked(&problem, refusal),
        Unplaced::Refused(problem) => problem,
        Unplaced::Busy => {
            told(ErrorKind::Busy, "another process writes this save at the same time".to_owned())
        }
        other => told(ErrorKind::FileFailed, other.to_string()),
    }
}

/// A save over a file that does not load, with what helps.
fn locked(problem: &Problem, refusal: Refusal) -> Problem {
    let helps = match refusal {
        Refusal::Damage => {
            "load() or recover() may get something out of it; save under another name, or set discard_damaged"
        }
        Refusal::Rule => "load it as it wants, save under another name, or set discard_refused",
        _ => "save under another name, or remove() it",
    };
    told(
        ErrorKind::SaveLocked,
        format!(
            "the file that is there does not load and is not replaced unasked: {}; {helps}",
            problem.message()
        ),
    )
}

/// Turns an error of the system about a file that is read into the engine's.
#[cold]
pub(super) fn of_read(error: &io::Error) -> Problem {
    let code = match error.kind() {
        io::ErrorKind::NotFound => Error::ERR_FILE_NOT_FOUND,
        io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Error::ERR_FILE_BAD_PATH,
        io::ErrorKind::PermissionDenied => Error::ERR_FILE_NO_PERMISSION,
        _ => Error::ERR_FILE_CANT_READ,
    };
    let mut problem = told(ErrorKind::FileFailed, format!("reading the file: {error}"));
    problem.error = code;
    problem
}

#[cold]
pub(super) fn of_removal(error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::NotFound {
        return missing();
    }
    let mut problem = told(ErrorKind::FileFailed, format!("removing the file: {error}"));
    problem.error = if error.kind() == io::ErrorKind::PermissionDenied {
        Error::ERR_FILE_NO_PERMISSION
    } else {
        Error::ERR_FILE_CANT_WRITE
    };
    problem
}

/// A save of objects in a game that names no classes.
#[cold]
pub(super) fn no_classes() -> Problem {
    let words =
        "this save holds objects of a game's classes: set classes to the VariantClassSet that allows them";
    told(ErrorKind::InvalidArgument, words.to_owned())
}

/// Names the file that a problem is about.
#[cold]
pub(crate) fn of_file(problem: &Problem, path: &str) -> Problem {
    reworded(problem, |message| format!("{path}: {message}"))
}

/// A file without protection where saves have some.
#[cold]
pub(super) fn not_protected() -> Problem {
    let words = "it is not protected, and this game's saves are; accept_unprotected takes such files";
    told(ErrorKind::NotAuthentic, words.to_owned())
}

#[cold]
pub(super) fn newer(version: u32, most: u32) -> Problem {
    told(
        ErrorKind::SaveNewer,
        format!(
            "a newer version of the game wrote it: its data has version {version}, this game reads up to {most}"
        ),
    )
}

#[cold]
pub(super) fn no_step(from: u32, to: u32) -> Problem {
    told(
        ErrorKind::MigrationMissing,
        format!(
            "its data has version {from}, this game reads version {to}, and there is no migrate({from}, ...)"
        ),
    )
}

#[cold]
pub(super) fn step_failed(from: u32, why: &str) -> Problem {
    told(ErrorKind::MigrationFailed, format!("migrate({from}) failed: {why}"))
}

#[cold]
pub(super) fn before_step(problem: &Problem, from: u32) -> Problem {
    let mut failed = reworded(problem, |message| format!("its data is not of version {from}: {message}"));
    failed.kind = i16::try_from(ErrorKind::MigrationFailed.code()).unwrap_or_default();
    failed
}

#[cold]
pub(super) fn after_steps(problem: &Problem) -> Problem {
    let mut failed = reworded(problem, |message| format!("the migrated data is refused: {message}"));
    failed.kind = i16::try_from(ErrorKind::MigrationFailed.code()).unwrap_or_default();
    failed
}

/// All that is there is lost.
#[cold]
pub(super) fn none_intact(newest: &Problem, backups: usize) -> Problem {
    let are = match backups {
        0 => "there is no backup".to_owned(),
        1 => "its backup is no better".to_owned(),
        _ => format!("its {backups} backups are no better"),
    };
    let mut problem =
        told(ErrorKind::NoIntactSave, format!("{}, and {are}; recover() may help", newest.message()));
    problem.byte_offset = newest.byte_offset;
    problem
}

#[cold]
pub(super) fn missing() -> Problem {
    let mut problem = told(ErrorKind::FileFailed, "there is no save of that name".to_owned());
    problem.error = Error::ERR_FILE_NOT_FOUND;
    problem
}

fn reworded(problem: &Problem, say: impl FnOnce(&str) -> String) -> Problem {
    let said = Said {
        path: problem.path().into_owned(),
        expected: problem.expected().into_owned(),
        got: problem.got().into_owned(),
        message: say(&problem.message()),
    };
    problem.clone().saying_all(said)
}
