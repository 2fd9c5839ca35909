//! Defines the rejection: what is wrong with a value, where, and what would have been right.
//!
//! Schemas, packed bits, documents of objects and protocols return it. A walk alone returns an [`Error`], which is smaller and
//! makes its words when somebody asks.

use std::fmt::{self, Display};

use crate::error::Error;
use crate::fault::ErrorKind;
use crate::path::Path;

/// Says where in the input a value is at fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// The value is no bytes.
    #[default]
    None,
    /// A byte of a value in Godot's format; of a missing key, that of its Dictionary.
    Byte(u64),
    /// A bit of packed bytes, those of the tag included.
    Bit(u64),
}

impl Place {
    /// Returns the byte, which is 0 where the value is no bytes.
    #[must_use]
    pub const fn byte(self) -> u64 {
        match self {
            Place::None => 0,
            Place::Byte(byte) => byte,
            Place::Bit(bit) => bit.wrapping_shr(3),
        }
    }
}

/// Says what is wrong with a value: by the format, a limit, a schema or a table of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The kind of the fault.
    pub kind: ErrorKind,
    /// The value at fault.
    pub path: Path,
    /// Where that value begins.
    pub place: Place,
    /// Describes what would have been right.
    pub expected: String,
    /// Describes what was there: numbers and type names, never text from the input.
    pub got: String,
}

impl Rejection {
    /// Makes the rejection of a whole value in the kind's own words.
    #[must_use]
    pub fn of_kind(kind: ErrorKind, place: Place) -> Rejection {
        Rejection { kind, path: Path::default(), place, expected: kind.expected(), got: kind.got() }
    }

    /// Returns the rejection with another place.
    #[must_use]
    pub fn at(self, place: Place) -> Rejection {
        Rejection { place, ..self }
    }

    /// Returns the byte at which the value begins, or the one that its first bit is in.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.place.byte()
    }

    /// Returns path and reason, without the place.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.path, Reason(self))
    }

    /// Returns the reason, with its path only where that is a part of the value.
    #[must_use]
    pub fn reason(&self) -> String {
        if self.path.is_root() { Reason(self).to_string() } else { self.sentence() }
    }

    /// Returns the whole sentence about a value that has a name: `hit.target: expected int, got String (byte 12)`.
    #[must_use]
    pub fn sentence_in(&self, name: &str) -> String {
        format!("{}: {}{}", self.path.within(name), Reason(self), self.place)
    }
}

/// `players[3].hp: expected int 0..100, got int 300 (byte 148)`.
impl Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}{}", self.path, Reason(self), self.place)
    }
}

impl std::error::Error for Rejection {}

impl From<&Error> for Rejection {
    fn from(error: &Error) -> Rejection {
        let path = error.path().clone();
        Rejection { path, ..Rejection::of_kind(error.kind(), Place::Byte(error.offset())) }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::None => Ok(()),
            Place::Byte(byte) => write!(f, " (byte {byte})"),
            Place::Bit(bit) => write!(f, " (bit {bit})"),
        }
    }
}

/// Writes what would have been right and what was there.
struct Reason<'r>(&'r Rejection);

impl Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rejection { kind, place, expected, got, .. } = self.0;
        match kind {
            ErrorKind::ClassNotAllowed => write!(f, "{got} is not allowed"),
            // Bytes that are cut off have words of their own.
            ErrorKind::Incomplete { .. } if !matches!(place, Place::Bit(_)) => kind.fmt(f),
            _ => write!(f, "expected {expected}, got {got}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Step;

    fn rejection(path: &[Step], place: Place) -> Rejection {
        let (expected, got) = ("int".to_owned(), "String".to_owned());
        Rejection { kind: ErrorKind::WrongType, path: Path(path.to_vec()), place, expected, got }
    }

    #[test]
    fn it_says_path_reason_and_place() {
        let part = rejection(&[Step::Key("hp".into())], Place::Byte(12));
        assert_eq!(part.to_string(), "hp: expected int, got String (byte 12)");
        assert_eq!(part.sentence(), "hp: expected int, got String");
        assert_eq!(part.reason(), "hp: expected int, got String");
        let whole = rejection(&[], Place::Bit(17));
        assert_eq!(whole.to_string(), "(root): expected int, got String (bit 17)");
        assert_eq!(whole.reason(), "expected int, got String");
        assert_eq!(whole.offset(), 2);
        assert_eq!(whole.at(Place::None).to_string(), "(root): expected int, got String");
    }

    #[test]
    fn a_name_stands_for_the_whole_value() {
        let told = |path: &[Step]| rejection(path, Place::None).sentence_in("hit");
        assert_eq!(told(&[]), "hit: expected int, got String");
        assert_eq!(told(&[Step::Key("hp".into())]), "hit.hp: expected int, got String");
        assert_eq!(told(&[Step::Index(3)]), "hit[3]: expected int, got String");
        assert_eq!(told(&[Step::Key("a b".into())]), "hit[\"a b\"]: expected int, got String");
    }
}
