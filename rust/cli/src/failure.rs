//! Lists how a command can end: its verdicts and failures, and the exit code of each.

use std::fmt::{self, Display};
use std::io;
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value as Json, json};
use variant_core::{ErrorKind, Rejection};

use crate::input_name;

/// The number of bytes kept behind the place of an error; twice as many are kept before it.
const EXCERPT: usize = 16;

/// The name of the standard output in messages.
const OUTPUT: &str = "the output";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Good,
    /// Bad data or a difference was found, and was reported already.
    Bad,
    /// The only file could not be used, which was reported already.
    Unused,
}

impl Outcome {
    pub(crate) const fn of(is_good: bool) -> Outcome {
        if is_good { Outcome::Good } else { Outcome::Bad }
    }

    pub(crate) fn exit_code(self) -> ExitCode {
        ExitCode::from(match self {
            Outcome::Good => 0,
            Outcome::Bad => 1,
            Outcome::Unused => 2,
        })
    }
}

#[derive(Debug)]
pub(crate) enum Failure {
    Data(Box<BadData>),
    Misuse(String),
    File(String, io::Error),
}

/// Describes what is wrong with data, with the bytes around the place.
#[derive(Debug, Default)]
pub(crate) struct BadData {
    pub(crate) message: String,
    /// The error with its kind, path and byte, for scripts.
    pub(crate) error: Option<variant_core::Error>,
    /// The violations of a schema, for scripts, as many as are to be shown; `message` lists them, too.
    pub(crate) violations: Option<Vec<Rejection>>,
    pub(crate) are_more: bool,
    /// The number of the value in its input, for scripts.
    pub(crate) value: Option<u64>,
    /// The bytes to show beside the message, with the place in them.
    pub(crate) excerpt: Option<Excerpt>,
    pub(crate) hint: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Excerpt {
    pub(crate) bytes: Vec<u8>,
    pub(crate) start: u64,
    pub(crate) at: u64,
}

impl Excerpt {
    /// Takes two lines of 16 bytes before the place, and one behind it.
    pub(crate) fn around(bytes: &[u8], at: u64) -> Excerpt {
        let end = usize::try_from(at).unwrap_or(usize::MAX).saturating_add(EXCERPT);
        let start = end.saturating_sub(EXCERPT * 3) / 16 * 16;
        let around = bytes.get(start..end.min(bytes.len())).unwrap_or_default().to_vec();
        Excerpt { bytes: around, start: start as u64, at }
    }
}

impl BadData {
    pub(crate) fn refusal(error: &variant_core::Error, excerpt: Excerpt) -> BadData {
        BadData {
            message: error.to_string(),
            error: Some(error.clone()),
            excerpt: Some(excerpt),
            ..BadData::default()
        }
    }
}

impl Failure {
    pub(crate) fn misuse(message: impl Display) -> Failure {
        Failure::Misuse(message.to_string())
    }

    pub(crate) fn of_path(path: &Path, why: impl Display) -> Failure {
        Failure::Misuse(format!("{}: {why}", input_name::shown(path)))
    }

    pub(crate) fn data(message: impl Display) -> Failure {
        Failure::Data(Box::new(BadData { message: message.to_string(), ..BadData::default() }))
    }

    /// Describes what a schema refused of encoded bytes: at most `most` violations. The excerpt shows the
    /// first in the bytes, the others are listed below it.
    pub(crate) fn violations(mut violations: Vec<Rejection>, most: usize, bytes: &[u8]) -> Failure {
        let are_more = violations.len() > most;
        violations.truncate(most);
        let mut lines: Vec<String> = violations.iter().map(Rejection::to_string).collect();
        if are_more {
            let more = if lines.is_empty() { "not what the schema says" } else { "and more" };
            lines.push(format!("{more} (--most shows more)"));
        }
        let excerpt = violations.first().map(|first| Excerpt::around(bytes, first.offset()));
        Failure::Data(Box::new(BadData {
            message: lines.join("\n  "),
            violations: Some(violations),
            are_more,
            excerpt,
            ..BadData::default()
        }))
    }

    /// Puts a place in front of the message, if the data is bad.
    pub(crate) fn at(mut self, place: impl Display) -> Failure {
        if let Failure::Data(data) = &mut self {
            data.message = format!("{place}: {}", data.message);
        }
        self
    }

    pub(crate) fn file(path: &Path, error: io::Error) -> Failure {
        Failure::File(input_name::shown(path), error)
    }

    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Failure::File(name, error) if name == OUTPUT && error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn is_too_large(&self) -> bool {
        let Failure::Data(data) = self else { return false };
        data.error.as_ref().is_some_and(|error| matches!(error.kind(), ErrorKind::TooManyBytes { .. }))
    }

    pub(crate) fn is_of_output(&self) -> bool {
        matches!(self, Failure::File(name, _) if name == OUTPUT)
    }

    /// Writes the failure as one object, with the name of the file. Rejections of a schema are a list in it.
    pub(crate) fn for_scripts(&self, name: &str) -> Json {
        let mut line = json!({ "file": name, "ok": false });
        if let Failure::Data(data) = self
            && let Some(violations) = &data.violations
        {
            line["violations"] = violations.iter().map(violation).collect();
            line["more"] = data.are_more.into();
        } else {
            line["error"] = as_json(self);
        }
        if let Failure::Data(data) = self
            && let Some(value) = data.value
        {
            line["value"] = value.into();
        }
        line
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Data(_) => 1,
            Failure::Misuse(_) | Failure::File(..) => 2,
        })
    }
}

/// Takes an error of the standard output: it was closed or is full.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::File(OUTPUT.to_owned(), error)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Data(data) => f.write_str(&data.message),
            Failure::Misuse(message) => f.write_str(message),
            Failure::File(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

/// Writes a failure's message, and its kind, path, offset and hint if it has them, for scripts.
fn as_json(failure: &Failure) -> Json {
    let mut line = json!({ "message": failure.to_string() });
    if let Failure::Data(data) = failure {
        if let Some(error) = &data.error {
            line["kind"] = error.kind().name().into();
            line["path"] = error.path().to_string().into();
            line["byte_offset"] = error.offset().into();
        }
        if let Some(hint) = &data.hint {
            line["hint"] = hint.as_str().into();
        }
    }
    line
}

fn violation(found: &Rejection) -> Json {
    json!({
        "kind": found.kind.name(),
        "path": found.path.to_string(),
        "byte_offset": found.offset(),
        "expected": found.expected,
        "got": found.got,
        "message": found.to_string(),
    })
}
