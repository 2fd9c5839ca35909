//! Says why a FrameReader returns no value, as a type and in words.

use std::fmt::{self, Debug, Display};

use crate::error::Error;

/// Says why no value could be returned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop<E = Error> {
    /// All input was taken, and more is needed.
    NeedMore {
        /// The least number of bytes that are needed.
        at_least: u64,
    },
    /// This value is refused. The rest of its frame will be skipped; the next value is not concerned.
    Rejected(E),
    /// The stream cannot be read on. Every later call returns this error.
    Broken(E),
    /// The container that was entered has no more entries, or the stream that was closed no more values.
    End,
    /// There is no container to enter or to leave here. Nothing has changed.
    Misplaced,
}

impl<E> Stop<E> {
    /// Makes the same stop with another form of its error.
    pub fn map<F>(self, form: impl FnOnce(E) -> F) -> Stop<F> {
        match self {
            Stop::NeedMore { at_least } => Stop::NeedMore { at_least },
            Stop::Rejected(error) => Stop::Rejected(form(error)),
            Stop::Broken(error) => Stop::Broken(form(error)),
            Stop::End => Stop::End,
            Stop::Misplaced => Stop::Misplaced,
        }
    }
}

/// Prints one line, for an error that of the error. Stops that are no faults are described as well, for `?`
/// in programs that do not wait.
impl<E: Display> Display for Stop<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::NeedMore { at_least } => write!(f, "at least {at_least} more bytes are needed"),
            Stop::Rejected(error) => write!(f, "{error}"),
            Stop::Broken(error) => write!(f, "the stream cannot be read on: {error}"),
            Stop::End => f.write_str("there are no more values"),
            Stop::Misplaced => f.write_str("there is no container to enter or to leave"),
        }
    }
}

impl<E: Debug + Display> std::error::Error for Stop<E> {}
