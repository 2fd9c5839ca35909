//! Says what is wrong with a value that is to be packed, or with packed bits: kind, path and place.

use variant_core::{ErrorKind, Path, Place, Rejection, Step};
use variant_schema::Schema;

/// A thing that is wrong with all of the input.
#[cold]
pub(crate) fn rejected(kind: ErrorKind, place: Place) -> Box<Rejection> {
    Box::new(Rejection::of_kind(kind, place))
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

/// The answer of a packer: something made, or what is wrong.
pub(crate) type Answer<T> = Result<T, Box<Rejection>>;

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

    pub(crate) fn rejection(self, place: Place) -> Box<Rejection> {
        let Fault { kind, mut steps, expected, got, .. } = self;
        steps.reverse();
        let expected = expected.unwrap_or_else(|| kind.expected());
        let got = got.unwrap_or_else(|| kind.got());
        Box::new(Rejection { kind, path: Path(steps), place, expected, got })
    }
}
