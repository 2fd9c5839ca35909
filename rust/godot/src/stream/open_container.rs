//! Holds a container that is written entry by entry, and says what may come next in it. It writes nothing.

use godot::global::Error;
use variant_core::ErrorKind;

use super::trouble;
use crate::call::problem::Problem;

/// The containers that can be begun.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenKind {
    Array,
    Dictionary,
}

/// The parts of a container, one of which comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NextPart {
    Key,
    /// A value of a Dictionary, or an element.
    Value,
}

/// A container that was begun.
pub(super) struct OpenContainer {
    pub(super) kind: OpenKind,
    /// How many entries it was said to have.
    pub(super) declared: Option<u32>,
    /// Where its count stands in the stream.
    pub(super) count_at: u64,
    pub(super) done: u32,
    /// A key is written, and its value comes next.
    pub(super) has_key: bool,
}

impl OpenContainer {
    /// Whether a part may come now.
    pub(super) fn check_next(&self, next: NextPart) -> Result<(), Problem> {
        match (self.kind, self.has_key, next) {
            (OpenKind::Array, _, NextPart::Key) => {
                Err(misplaced("an Array has no keys: write() adds an element"))
            }
            (OpenKind::Dictionary, false, NextPart::Value) => {
                Err(misplaced("in a Dictionary the key comes first: write_key(), or write_entry() for both"))
            }
            (OpenKind::Dictionary, true, NextPart::Key) => Err(misplaced(VALUE_MISSING)),
            _ if !self.has_key && self.declared.is_some_and(|declared| self.done >= declared) => {
                let message = format!("{} entries were promised, and this is one more", self.done);
                Err(trouble(ErrorKind::InvalidArgument, Error::ERR_INVALID_DATA, &message))
            }
            _ if self.done >= i32::MAX.cast_unsigned() => {
                Err(misplaced("no container holds more than 2147483647 entries"))
            }
            _ => Ok(()),
        }
    }

    /// Whether it may end now.
    pub(super) fn check_end(&self) -> Result<(), Problem> {
        match self.declared {
            _ if self.has_key => Err(misplaced(VALUE_MISSING)),
            Some(declared) if declared != self.done => {
                let message = format!("{declared} entries were promised, {} are written", self.done);
                Err(trouble(ErrorKind::InvalidArgument, Error::ERR_INVALID_DATA, &message))
            }
            _ => Ok(()),
        }
    }
}

const VALUE_MISSING: &str = "the value of the last key is missing: write() adds it";

#[cold]
pub(super) fn misplaced(message: &str) -> Problem {
    trouble(ErrorKind::InvalidArgument, Error::ERR_INVALID_PARAMETER, message)
}
