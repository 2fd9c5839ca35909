//! Violation: what is wrong with a value, where, and what would have been right. Made when something is wrong,
//! never before.

use std::fmt::{self, Display};

use variant_core::{Error, ErrorKind, Path};

/// A single fault, by the schema or by the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The kind of the fault.
    pub kind: ErrorKind,
    /// The value at fault.
    pub path: Path,
    /// Byte offset of that value in the input; of a missing key, that of the Dictionary.
    pub offset: u64,
    /// A description of what would have been right.
    pub expected: String,
    /// A description of what was there: numbers and type names, never text from the input.
    pub got: String,
}

impl Violation {
    /// Path and reason, for a value that is no bytes.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Violation { kind, path, expected, got, .. } = self;
        if kind.is_of_schema() {
            format!("{path}: expected {expected}, got {got}")
        } else {
            // The format's own errors have words of their own.
            format!("{path}: {kind}")
        }
    }

    /// The reason, with its path only where that is a part of the value.
    #[must_use]
    pub fn reason(&self) -> String {
        let sentence = self.sentence();
        let is_whole = self.path.0.is_empty();
        sentence.strip_prefix("(root): ").filter(|_| is_whole).map_or_else(|| sentence.clone(), str::to_owned)
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.sentence(), self.offset)
    }
}

impl std::error::Error for Violation {}

impl From<&Error> for Violation {
    fn from(error: &Error) -> Violation {
        Violation {
            kind: error.kind(),
            path: error.path().clone(),
            offset: error.offset(),
            expected: error.kind().expected(),
            got: error.kind().got(),
        }
    }
}
