//! Says why a save was refused, in words that tell a player's game what to do.

use std::io;

use godot::global::Error;
use variant_core::{ErrorKind, VariantType};
use variant_save::{FileError, Kind, PlaceError, Refusal, SaveFault, WriteError};

use crate::call::problem::Problem;
use crate::call::problem::ProblemText;
use crate::call::sniff::Beginning;
use crate::stream::output::of_io;

#[cold]
fn told(kind: ErrorKind, message: impl Into<String>) -> Problem {
    Problem::told(kind, String::new(), message.into())
}

/// A failure of the system, which the engine calls by this code.
#[cold]
fn of_system(code: Error, message: impl Into<String>) -> Problem {
    let mut problem = told(ErrorKind::FileFailed, message);
    problem.error = code;
    problem
}

impl From<SaveFault> for Problem {
    fn from(fault: SaveFault) -> Problem {
        let kind = match fault.kind {
            Kind::NotASave => ErrorKind::NotASave,
            Kind::CutShort => ErrorKind::SaveCutShort,
            Kind::Newer => ErrorKind::SaveNewer,
            Kind::WrongKey => ErrorKind::WrongKey,
            Kind::NotAuthentic => ErrorKind::NotAuthentic,
            Kind::TooLarge => ErrorKind::TooManyBytes { limit: 0, declared: 0 },
            _ => ErrorKind::SaveDamaged,
        };
        let advice = if fault.kind == Kind::WrongKey { "; set password or key" } else { "" };
        let mut problem = told(kind, format!("{fault}{advice}"));
        problem.byte_offset = i64::try_from(fault.at).unwrap_or(i64::MAX);
        problem
    }
}

impl FileError for Problem {
    fn of_fault(fault: SaveFault) -> Problem {
        fault.into()
    }

    fn of_disk(error: &io::Error) -> Problem {
        let code = match error.kind() {
            io::ErrorKind::NotFound => Error::ERR_FILE_NOT_FOUND,
            io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename => Error::ERR_FILE_BAD_PATH,
            io::ErrorKind::PermissionDenied => Error::ERR_FILE_NO_PERMISSION,
            _ => Error::ERR_FILE_CANT_READ,
        };
        of_system(code, format!("reading the file: {error}"))
    }
}

/// The problem with a file, which begins so: of one that is no save, whoever asks is told what it looks like.
pub(super) fn of_file_fault(fault: SaveFault, beginning: impl FnOnce() -> Beginning) -> Problem {
    let is_other = fault.kind == Kind::NotASave;
    let problem = Problem::from(fault);
    if is_other { problem.beginning(beginning()) } else { problem }
}

pub(super) fn of_unwritten(unwritten: &WriteError) -> Problem {
    told(ErrorKind::InvalidArgument, unwritten.to_string())
}

pub(super) fn of_unplaced(unplaced: PlaceError<Problem>) -> Problem {
    match unplaced {
        PlaceError::Io(error) => of_io(&error),
        PlaceError::Locked(problem, refusal) => locked(&problem, refusal),
        PlaceError::Refused(problem) => problem,
        PlaceError::Busy => told(ErrorKind::Busy, "another process writes this save at the same time"),
        other => told(ErrorKind::FileFailed, other.to_string()),
    }
}

/// A save over a file that does not load, with what helps.
fn locked(problem: &Problem, refusal: Refusal) -> Problem {
    let helps = match refusal {
        Refusal::Damage => {
            "load() or recover() may get something out of it; save under another name, or set discard_damaged"
        }
        Refusal::Rule => "load it with what it needs, save under another name, or set discard_refused",
        _ => "save under another name, or remove() it",
    };
    let why = problem.message();
    let message = format!("the file that is there does not load, so it is not replaced: {why}; {helps}");
    told(ErrorKind::SaveLocked, message)
}

/// Turns an error of the system about a save that is removed or moved into the engine's.
pub(super) fn of_change(error: &io::Error, doing: &str) -> Problem {
    let code = match error.kind() {
        io::ErrorKind::NotFound => return missing(),
        io::ErrorKind::AlreadyExists => Error::ERR_ALREADY_EXISTS,
        io::ErrorKind::PermissionDenied => Error::ERR_FILE_NO_PERMISSION,
        _ => Error::ERR_FILE_CANT_WRITE,
    };
    of_system(code, format!("{doing}: {error}"))
}

pub(super) fn onto_itself() -> Problem {
    told(ErrorKind::InvalidArgument, "both names lead to the same file")
}

pub(super) fn no_classes() -> Problem {
    let words =
        "this save holds objects of a game's classes: set classes to the VariantClassSet that allows them";
    told(ErrorKind::InvalidArgument, words)
}

pub(crate) fn of_file(problem: &Problem, path: &str) -> Problem {
    reworded(problem, |message| format!("{path}: {message}"))
}

pub(super) fn not_protected() -> Problem {
    let words = "it has no password or key, and this game's saves have one; accept_unprotected = true loads such files";
    told(ErrorKind::NotAuthentic, words)
}

pub(super) fn newer(version: u32, most: u32) -> Problem {
    let reads = format!("its data has version {version}, this game reads up to {most}");
    told(ErrorKind::SaveNewer, format!("a newer version of the game wrote it: {reads}"))
}

pub(super) fn no_step(from: u32, to: u32) -> Problem {
    let reads = format!("its data has version {from}, this game reads version {to}, and no step leads on");
    let steps = format!("add rename({from}, ...), forget({from}, ...) or migrate({from}, ...)");
    told(ErrorKind::MigrationMissing, format!("{reads}: {steps}"))
}

pub(super) fn step_failed(from: u32, place: Option<&str>, why: &str) -> Problem {
    let of = place.map(|place| format!(" of {place}")).unwrap_or_default();
    let (path, message) =
        (place.unwrap_or_default().to_owned(), format!("migrate({from}){of} failed: {why}"));
    Problem::told(ErrorKind::MigrationFailed, path, message)
}

pub(super) fn step_of_no_class(from: u32, tag: &str) -> Problem {
    let tag = variant_core::QuotedText::whole(tag);
    let message = format!("a step from version {from} is for the class {tag}, which `classes` does not have");
    told(ErrorKind::MigrationFailed, message)
}

pub(super) fn uneven(tag: &str, row: usize, name: &str) -> Problem {
    let name = variant_core::QuotedText::whole(name);
    let message = format!("{tag}[{row}]: a step gave other objects of its class {name}, and this one none");
    told(ErrorKind::MigrationFailed, message)
}

pub(super) fn endless() -> Problem {
    let message = "a step returned a value with more levels than max_depth, or a container that holds itself";
    told(ErrorKind::MigrationFailed, message)
}

pub(super) fn no_rows(tag: &str) -> Problem {
    let tag = variant_core::QuotedText::whole(tag);
    let message = format!(
        "expected the properties of an object of {tag}, a class of allow(), as a Dictionary, or an Array of such"
    );
    told(ErrorKind::InvalidArgument, message)
}

pub(super) fn of_versions(tag: &str) -> Problem {
    let tag = variant_core::QuotedText::whole(tag);
    let message = format!(
        "objects of {tag} are there in two versions of the class: in a save, its version counts everything; say \
         migrate(1, step, {tag}) to the VariantSave"
    );
    told(ErrorKind::MigrationFailed, message)
}

pub(super) fn no_document() -> Problem {
    told(ErrorKind::NotADocument, "its objects are in a form that this library does not know")
}

pub(super) fn several(count: usize, what: &str) -> Problem {
    let message =
        format!("it holds {count} {what}, one after another: set unversioned_array to load them as an Array");
    told(ErrorKind::TrailingBytes { count: 0 }, message)
}

pub(super) fn asking_for_unversioned(problem: &Problem, what: &str, and: &str) -> Problem {
    reworded(problem, |message| {
        let message = message.split(';').next().unwrap_or(message);
        format!("{message}; it looks like {what}: unversioned = 1{and} loads it as data of version 1")
    })
}

pub(super) fn asking_for_classes_to_read(problem: &Problem) -> Problem {
    reworded(problem, |message| {
        let how = "set `classes` to a VariantClassSet with VariantClassSet.allow(\"Player\", Player), and \
                   read_engine_objects";
        format!("{message}; it was stored with objects: {how}")
    })
}

pub(super) fn asking_for_classes_to_write(problem: Problem) -> Problem {
    let ty = VariantType::Object;
    if !problem.is_any(&[ErrorKind::ObjectNotAllowed, ErrorKind::TypeNotAllowed { ty }]) {
        return problem;
    }
    reworded(&problem, |message| {
        let how = "set `classes` to a VariantClassSet with VariantClassSet.allow(\"Player\", Player)";
        format!("{message}; to save objects of your classes, {how}")
    })
}

pub(super) fn of_object_id(problem: &Problem) -> Problem {
    reworded(problem, |message| {
        format!(
            "{message}; an id alone is there: store_var() without full_objects saves no object. limits.allowed_types \
             with the bit of TYPE_OBJECT loads the rest, with ids as ints"
        )
    })
}

pub(super) fn before_step(problem: &Problem, from: u32) -> Problem {
    of_migration(problem, |message| format!("its data is not of version {from}: {message}"))
}

pub(super) fn after_steps(problem: &Problem) -> Problem {
    of_migration(problem, |message| format!("the migrated data is refused: {message}"))
}

fn of_migration(problem: &Problem, say: impl FnOnce(&str) -> String) -> Problem {
    let mut failed = reworded(problem, say);
    failed.kind = i16::try_from(ErrorKind::MigrationFailed.code()).unwrap_or_default();
    failed
}

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

pub(super) fn missing() -> Problem {
    of_system(Error::ERR_FILE_NOT_FOUND, "there is no save of that name")
}

#[cold]
fn reworded(problem: &Problem, say: impl FnOnce(&str) -> String) -> Problem {
    let said = ProblemText {
        path: problem.path().into_owned(),
        expected: problem.expected().into_owned(),
        got: problem.got().into_owned(),
        message: say(&problem.message()),
    };
    problem.clone().saying_all(said)
}
