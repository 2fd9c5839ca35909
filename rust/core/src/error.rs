//! Error: what users see of a failure: kind, byte offset, path, and one sentence to act on.

use std::fmt::{self, Display};

use crate::fault::{ErrorKind, Fault};
use crate::path::Path;

/// A refused decode or encode. One word; the details are boxed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    fault: Fault,
    path: Path,
}

impl Error {
    /// Puts a path to a fault.
    #[cold]
    #[must_use]
    pub fn new(fault: Fault, path: Path) -> Error {
        Error(Box::new(Details { fault, path }))
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.0.fault.kind
    }

    /// Byte offset in the input (decoding) or in the output so far (encoding).
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.0.fault.at
    }

    /// The value at fault.
    #[must_use]
    pub const fn path(&self) -> &Path {
        &self.0.path
    }

    /// Bytes missing, when that is what is wrong.
    #[must_use]
    pub const fn needed(&self) -> Option<u64> {
        match self.kind() {
            ErrorKind::Incomplete { needed } => Some(needed),
            _ => None,
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (byte {})", self.path(), self.kind(), self.offset())
    }
}

impl std::error::Error for Error {}

impl ErrorKind {
    /// What would have been right, where one thing would have been.
    #[must_use]
    pub fn expected(self) -> Option<String> {
        Some(match self {
            ErrorKind::Incomplete { needed } => format!("at least {}", bytes(needed, "more byte")),
            ErrorKind::UnknownType { .. } | ErrorKind::InvalidElementType { .. } => {
                "a type id of 0 to 38".into()
            }
            ErrorKind::InvalidBool { .. } => "bool 0 or 1".into(),
            ErrorKind::WrongElementType { expected, .. } => expected.name().into(),
            ErrorKind::TrailingBytes { .. } => "the end of the bytes".into(),
            ErrorKind::TooManyBytes { limit } | ErrorKind::OutputTooLarge { limit } => {
                format!("at most {}", bytes(limit, "byte"))
            }
            ErrorKind::StringTooLong { limit } => format!("a string of at most {}", bytes(limit, "byte")),
            ErrorKind::TooDeep { limit } => format!("at most {}", bytes(limit, "level")),
            ErrorKind::TooManyValues { limit } => format!("at most {}", bytes(limit, "value")),
            ErrorKind::TooManyEntries { limit } => format!("at most {limit} entries"),
            ErrorKind::PathTooLong { limit } => format!("at most {}", bytes(limit, "name")),
            _ => return None,
        })
    }

    /// What was there instead. Numbers and type names only, never text from the bytes.
    #[must_use]
    pub fn got(self) -> Option<String> {
        Some(match self {
            ErrorKind::UnknownType { id } => format!("type id {id}"),
            ErrorKind::InvalidElementType { id } => format!("type id {id}"),
            ErrorKind::InvalidLength { declared } => format!("{declared}"),
            ErrorKind::UnknownFlags { bits } => format!("bits 0x{bits:08x}"),
            ErrorKind::InvalidBool { found } => format!("bool {found}"),
            ErrorKind::WrongElementType { got, .. } => got.name().into(),
            ErrorKind::TrailingBytes { count } => bytes(count, "more byte"),
            ErrorKind::TypeNotAllowed { ty } | ErrorKind::KeyTypeNotAllowed { ty } => ty.name().into(),
            _ => return None,
        })
    }

    const fn sentence(self) -> &'static str {
        match self {
            ErrorKind::Incomplete { .. } => "the bytes end in the middle of the value",
            ErrorKind::UnknownType { .. } => "no such type",
            ErrorKind::InvalidLength { .. } => "length or count out of range",
            ErrorKind::InvalidUtf8 => "text is not valid UTF-8",
            ErrorKind::InvalidNodePath => "NodePath counts are not of the current form",
            ErrorKind::InvalidElementType { .. } => "container declared for no such type",
            ErrorKind::UnknownFlags { .. } => "flag bits that no engine writes",
            ErrorKind::InvalidBool { .. } => "not a bool",
            ErrorKind::DirtyPadding => "padding is not zero",
            ErrorKind::MissingPadding => "the last padding is missing",
            ErrorKind::LeadingBom => "text begins with a byte order mark, which Godot would drop",
            ErrorKind::EmbeddedNul => "text holds a NUL, at which Godot would cut it",
            ErrorKind::DuplicateKey => "the dictionary already has this key",
            ErrorKind::WrongElementType { .. } => "not of the type its container declares",
            ErrorKind::TrailingBytes { .. } => "bytes follow the value",
            ErrorKind::TooManyBytes { .. } => "over max_bytes",
            ErrorKind::TooDeep { .. } => "nested too deep, or in a circle",
            ErrorKind::TooManyValues { .. } => "over max_values",
            ErrorKind::TooManyEntries { .. } => "over max_entries",
            ErrorKind::StringTooLong { .. } => "over max_string_bytes",
            ErrorKind::PathTooLong { .. } => "over max_path_segments",
            ErrorKind::OutputTooLarge { .. } => "over max_output_bytes",
            ErrorKind::TypeNotAllowed { .. } => "type not in allowed_types",
            ErrorKind::KeyTypeNotAllowed { .. } => "key type not in allowed_key_types",
            ErrorKind::ObjectNotAllowed => "an object with class and properties, which is not read here",
            ErrorKind::NotInstantiable => "an object of a class that cannot be instantiated",
            ErrorKind::ScriptWithoutPath => "the object's script has no res:// path",
            ErrorKind::ChangedWhileEncoding => "the container changed while it was being encoded",
            ErrorKind::TooLong => "more than 2147483647 bytes or elements",
            ErrorKind::Refused => "the value could not be built",
            ErrorKind::InvalidArgument => "an argument of the wrong type",
            ErrorKind::Busy => "the codec is in use by another thread or an unfinished call",
        }
    }
}

fn bytes(count: u64, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The sentence: `not a bool: expected bool 0 or 1, got bool 7`.
impl Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.expected(), self.got()) {
            (Some(expected), Some(got)) => write!(f, "expected {expected}, got {got}: {}", self.sentence()),
            (Some(expected), None) => write!(f, "expected {expected}: {}", self.sentence()),
            (None, Some(got)) => write!(f, "got {got}: {}", self.sentence()),
            (None, None) => f.write_str(self.sentence()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::Step;
    use crate::wire::VariantType;

    #[test]
    fn an_error_is_one_word() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
    }

    #[test]
    fn sentences_name_path_and_byte() {
        let kind = ErrorKind::WrongElementType { expected: VariantType::Int, got: VariantType::String };
        let error = Error::new(Fault::new(kind, 148), Path(vec![Step::Key("items".into()), Step::Index(3)]));
        assert_eq!(
            error.to_string(),
            "items[3]: expected int, got String: not of the type its container declares (byte 148)"
        );
        let error = Error::new(Fault::new(ErrorKind::Incomplete { needed: 1 }, 4), Path::default());
        assert_eq!(
            error.to_string(),
            "(root): expected at least 1 more byte: the bytes end in the middle of the value (byte 4)"
        );
    }
}
