//! Says what is wrong with a value that is to be packed, or with packed bits: kind, path and place.

use variant_core::{ErrorKind, Part, Path, Place, Rejection, Step};
use variant_schema::Schema;

use crate::bits::MissingBits;

/// A thing that is wrong with all of the input.
#[cold]
pub(crate) fn rejected(kind: ErrorKind, place: Place) -> Box<Rejection> {
    Box::new(Rejection::of_kind(kind, place))
}

/// A thing that is wrong, on its way up.
#[derive(Debug, PartialEq)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// A byte, bit or code, as the pass counts them, or that it is not placed yet.
    pub(crate) at: u64,
    /// From the inside out.
    pub(crate) steps: Vec<Step>,
    pub(crate) expected: Option<String>,
    pub(crate) got: Option<String>,
}

/// The place of a fault that has none yet: who knows where the pass stands gives it one.
const UNPLACED: u64 = u64::MAX;

pub(crate) type Outcome<T> = Result<T, Box<Fault>>;

impl From<ErrorKind> for Box<Fault> {
    #[cold]
    fn from(kind: ErrorKind) -> Box<Fault> {
        Fault::new(kind, UNPLACED)
    }
}

impl From<MissingBits> for Box<Fault> {
    #[cold]
    fn from(MissingBits(bits): MissingBits) -> Box<Fault> {
        let needed = u32::try_from(bits.div_ceil(8)).unwrap_or(u32::MAX);
        let kind = ErrorKind::Incomplete { needed, part: Part::Header, declared: needed, left: 0 };
        let (expected, got) = (Some(format!("{bits} more bits")), Some("the end".to_owned()));
        Box::new(Fault { kind, at: UNPLACED, steps: Vec::new(), expected, got })
    }
}

/// The answer of a packer: something made, or what is wrong.
pub(crate) type Answer<T> = Result<T, Box<Rejection>>;

impl Fault {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: u64) -> Box<Fault> {
        Box::new(Fault { kind, at, steps: Vec::new(), expected: None, got: None })
    }

    /// More elements without bits than those that are there pay for.
    #[cold]
    pub(crate) fn without_bits(most: u64) -> Box<Fault> {
        let mut fault = Box::<Fault>::from(ErrorKind::WrongSize);
        fault.expected = Some(format!("at most {most} elements that take no bits, in so few bytes"));
        fault.got = Some("more".to_owned());
        fault
    }

    pub(crate) fn placed(mut self: Box<Self>, at: u64) -> Box<Fault> {
        if self.at == UNPLACED {
            self.at = at;
        }
        self
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

    pub(crate) fn rejection(self, place: Place) -> Box<Rejection> {
        let Fault { kind, mut steps, expected, got, .. } = self;
        steps.reverse();
        let expected = expected.unwrap_or_else(|| kind.expected());
        let got = got.unwrap_or_else(|| kind.got());
        Box::new(Rejection { kind, path: Path(steps), place, expected, got })
    }
}
