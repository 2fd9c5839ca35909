//! Says what is wrong with a value that is to be packed, or with packed bits: kind, path and place.

use std::fmt::{self, Display};

use variant_core::{ErrorKind, Path, Step};
use variant_schema::{Schema, Violation};

/// Where in the input something is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A byte of a value in Godot's format.
    Byte(u64),
    /// A bit of packed bytes, those of the tag included.
    Bit(u64),
}

impl Place {
    /// The byte.
    #[must_use]
    pub const fn byte(self) -> u64 {
        match self {
            Place::Byte(byte) => byte,
            Place::Bit(bit) => bit.wrapping_shr(3),
        }
    }
}

/// A thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of thing.
    pub kind: ErrorKind,
    /// The part of the value.
    pub path: Path,
    /// Where in the input.
    pub place: Place,
    /// Says what would have been right.
    pub expected: String,
    /// Says what was there: numbers and type names, never text from the input.
    pub got: String,
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, got {}", self.path, self.expected, self.got)?;
        match self.place {
            Place::Byte(byte) => write!(f, " (byte {byte})"),
            Place::Bit(bit) => write!(f, " (bit {bit})"),
        }
    }
}

impl std::error::Error for Problem {}

impl Problem {
    pub(crate) fn of(violation: Violation, place: Place) -> Box<Problem> {
        let Violation { kind, path, expected, got, .. } = violation;
        Box::new(Problem { kind, path, place, expected, got })
    }

    pub(crate) fn of_kind(kind: ErrorKind, place: Place) -> Box<Problem> {
        let (expected, got) = (kind.expected(), kind.got());
        Box::new(Problem { kind, path: Path::default(), place, expected, got })
    }
}

/// A thing that is wrong, on its way up.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// A byte, bit or code, as the pass counts them.
    pub(crate) at: u64,
    /// From the inside out.
    pub(crate) steps: Vec<Step>,
    pub(crate) expected: Option<String>,
    pub(crate) got: Option<String>,
}

pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

impl Fault {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: u64) -> Box<Fault> {
        Box::new(Fault { kind, at, steps: Vec::new(), expected: None, got: None })
    }

    /// More elements without bits than those that are there pay for.
    #[cold]
    pub(crate) fn without_bits(most: u64, at: u64) -> Box<Fault> {
        let mut fault = Fault::new(ErrorKind::WrongSize, at);
        fault.expected = Some(format!("at most {most} elements that take no bits, in so few bytes"));
        fault.got = Some("more".to_owned());
        fault
    }

    /// Adds what the schema says there.
    #[cold]
    pub(crate) fn against(mut self: Box<Self>, schema: &Schema, got: &str) -> Box<Fault> {
        if self.expected.is_none() && self.kind.is_of_schema() {
            (self.expected, self.got) = (Some(schema.accepts()), Some(got.to_owned()));
        }
        self
    }

    #[cold]
    pub(crate) fn below(mut self: Box<Self>, step: Step) -> Box<Fault> {
        self.steps.push(step);
        self
    }

    pub(crate) fn problem(self, place: Place) -> Box<Problem> {
        let Fault { kind, mut steps, expected, got, .. } = self;
        steps.reverse();
        let expected = expected.unwrap_or_else(|| kind.expected());
        let got = got.unwrap_or_else(|| kind.got());
        Box::new(Problem { kind, path: Path(steps), place, expected, got })
    }
}
