//! Stop: why a FrameReader gives nothing, as a value and in words.

use std::fmt::{self, Display};

use crate::error::Error;

/// Why nothing could be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// All input was taken, and more is to come.
    NeedMore {
        /// So many bytes at least.
        at_least: u64,
    },
    /// This value is refused. What is left of its frame will be passed over; the next one is not concerned.
    Rejected(Error),
    /// The stream cannot be read on. The same again from now on.
    Broken(Error),
    /// The container that was entered has no more entries, or the stream that was closed no more values.
    End,
    /// Not here: there is no container to enter or to leave. Nothing has changed.
    Misplaced,
}

/// One line, as of the error that it has. What is no fault is told as well, for `?` in programs that do not wait.
impl Display for Stop {
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

impl std::error::Error for Stop {}
