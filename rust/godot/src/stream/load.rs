//! Load: the one value of a file, with its length before it as `store_var` and save jobs write it, or without as writers
//! and `store_buffer` do. Files of more than one value are a reader's.
//!
//! The first 4 bytes tell which of both it is: a length is the number of bytes left in the file. Few values
//! begin with such a number by chance, `[1, 2, 3]` is one; bytes that are wrong with a length before them are
//! then right without. Where both readings are right, the length counts, as it always has; a chain of several
//! such values counts too, and is refused. Two values are read so: the empty text, which is a framed null as well, and an Array[Array] of 65 568 bytes, which comes
//! out as an Array.

use std::time::Duration;

use godot::builtin::{GString, Variant};
use godot::classes::FileAccess;
use godot::classes::file_access::ModeFlags;
use godot::global::Error;
use godot::obj::Gd;
use variant_core::{ErrorKind, Framing, Part};

use super::foreign::{self, ForeignHead};
use super::framed::{MOST_LENGTHS, lengths};
use super::job::Job;
use super::reading::{ReadStop, Reading};
use super::{failed, trouble};
use crate::call::codec::Codec;
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;

/// Between two looks at whether it is still wanted.
const BREATH: Duration = Duration::from_millis(2);

/// Reads the one value of a file.
pub(crate) fn load(
    job: &Job,
    path: &str,
    s: &Settings,
    schema: Option<&BoundSchema>,
) -> Result<Variant, Problem> {
    let by = By { job, settings: s, schema };
    let file = FileAccess::open(&GString::from(path), ModeFlags::READ);
    let mut file =
        file.ok_or_else(|| failed(ErrorKind::FileFailed, FileAccess::get_open_error(), "opening the file"))?;
    let head = ForeignHead::of(&mut file, 0);
    if head.is_empty() {
        return Err(match file.get_error() {
            Error::OK | Error::ERR_FILE_EOF => empty(),
            other => failed(ErrorKind::FileFailed, other, "reading the file"),
        });
    }
    let declared = head.declared(Framing::U32);
    if declared == Some(head.left()) {
        let framed = by.one(Framing::U32, &mut file);
        return framed
            .or_else(|problem| by.one(Framing::None, &mut file).map_err(|_| head.within(problem, s)));
    }
    if by.is_chain(&mut file)? {
        return Err(several());
    }
    let bare = by.one(Framing::None, &mut file);
    match (bare, declared) {
        (Err(problem), Some(declared)) if is_no_beginning(&problem) && declared > head.left() => {
            Err(foreign::problem(&head, Framing::U32, s))
        }
        (Err(problem), Some(_)) if is_no_beginning(&problem) => by.one(Framing::U32, &mut file),
        (bare, _) => bare.map_err(|problem| head.whole(problem, s)),
    }
}

/// Whether it was refused because no value begins like this.
fn is_no_beginning(problem: &Problem) -> bool {
    let kinds = [ErrorKind::UnknownType { id: 0 }, ErrorKind::UnknownFlags { bits: 0 }];
    problem.byte_offset == 0 && problem.is_any(&kinds)
}

#[cold]
fn empty() -> Problem {
    let kind = ErrorKind::Incomplete { needed: 4, part: Part::Header, declared: 4, left: 0 };
    trouble(kind, Error::ERR_FILE_EOF, "the file is empty")
}

#[cold]
fn several() -> Problem {
    let words = "the file goes on after its value: a VariantReader reads more than one";
    trouble(ErrorKind::TrailingBytes { count: 0 }, Error::ERR_INVALID_DATA, words)
}

/// The settings and rooms that read a file.
struct By<'a> {
    job: &'a Job,
    settings: &'a Settings,
    schema: Option<&'a BoundSchema>,
}

impl By<'_> {
    /// The one value of a file that is framed so.
    fn one(&self, framing: Framing, file: &mut Gd<FileAccess>) -> Result<Variant, Problem> {
        self.job.check()?;
        file.seek(0);
        let mut reading = Reading::of_file(framing, self.settings, file.clone());
        let value = self.ask(&mut reading, self.schema)?;
        let value = value.ok_or_else(empty)?;
        let behind = self.ask(&mut reading, None);
        self.job.check()?;
        match behind {
            Ok(None) => Ok(value),
            _ => Err(several()),
        }
    }

    /// Whether the file is several values, each with its length before it: then what its first bytes say as a value of
    /// another type is chance.
    fn is_chain(&self, file: &mut Gd<FileAccess>) -> Result<bool, Problem> {
        let size = file.get_length();
        let count = lengths(file, 0, size, Framing::U32).unwrap_or(0);
        // So many lengths do not add up by chance.
        if count < 2 || count == MOST_LENGTHS {
            return Ok(count == MOST_LENGTHS);
        }
        file.seek(0);
        let mut reading = Reading::of_file(Framing::U32, self.settings, file.clone());
        loop {
            match self.ask(&mut reading, None) {
                Ok(Some(_)) => {}
                Ok(None) => return Ok(true),
                Err(_) => {
                    self.job.check()?;
                    return Ok(false);
                }
            }
        }
    }

    /// The next value, or none at the end of the file.
    fn ask(&self, reading: &mut Reading, schema: Option<&BoundSchema>) -> Result<Option<Variant>, Problem> {
        let mut codec = Codec::new();
        loop {
            self.job.check()?;
            let asked = reading.ask(self.settings, Some(BREATH), |frames, input| match schema {
                Some(held) => {
                    let bytes = frames.next_bytes(input)?;
                    let settings = Settings::new(*frames.rules());
                    Ok(codec.value(&Call::under(&settings, Some(held)), &bytes))
                }
                None => frames.next(input).map(Ok),
            });
            match asked.map_err(|halt| reading.first_fault(self.settings, schema, halt)) {
                Ok(value) => return value.map(Some),
                Err(ReadStop::Busy) => self.job.is_at(reading.progress()),
                Err(ReadStop::Rejected(problem) | ReadStop::Broken(problem)) => return Err(problem),
                Err(ReadStop::End | ReadStop::NeedMore(_) | ReadStop::Misplaced) => return Ok(None),
            }
        }
    }
}
