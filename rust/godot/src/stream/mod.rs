//! The engine room of VariantReader, VariantWriter and VariantJob: values from streams and into streams.
//!
//! It knows no class of the extension and takes no lock; that is `api/`'s part. Peers are called by name, so that the
//! binding needs none of their classes.

mod connection;
pub(crate) mod ending;
pub(crate) mod file_queue;
mod foreign;
pub(crate) mod framed;
pub(crate) mod job;
pub(crate) mod load;
mod main_thread;
pub(crate) mod open_container;
pub(crate) mod output;
mod packet_bound;
mod packets;
pub(crate) mod peer;
pub(crate) mod persist;
pub(crate) mod pieces;
pub(crate) mod reading;
pub(crate) mod shaping;
mod stream_window;
pub(crate) mod writing;

use godot::builtin::StringName;
use godot::global::Error;
use godot::obj::EngineEnum;
use variant_core::ErrorKind;

use crate::call::problem::Problem;
use crate::call::problem::ProblemText;

/// Bytes that are asked of a file or handed to one at a time.
pub(crate) const CHUNK: usize = 1 << 16;

/// Something outside the bytes went wrong: a file, a peer, the order of calls.
#[cold]
pub(crate) fn trouble(kind: ErrorKind, error: Error, message: &str) -> Problem {
    let said = ProblemText { message: message.to_owned(), ..ProblemText::default() };
    let mut problem = Problem::of_call(kind).saying(said);
    problem.error = error;
    problem
}

/// The engine's answer as an error, with what was tried.
#[cold]
pub(crate) fn failed(kind: ErrorKind, error: Error, what: &str) -> Problem {
    let name = StringName::from(error.as_str());
    let message = match error {
        Error::ERR_FILE_NOT_FOUND => format!("{what}: there is none of that name ({name})"),
        Error::ERR_FILE_CANT_OPEN => format!("{what}: it may be a folder, or not to be read ({name})"),
        _ => format!("{what}: the engine says {name}"),
    };
    trouble(kind, error, &message)
}

/// A file that was given as an object, and closed.
#[cold]
pub(crate) fn file_closed() -> Problem {
    trouble(ErrorKind::FileFailed, Error::ERR_UNCONFIGURED, "the file was closed")
}
