//! Reports what went wrong between bytes and a type of the user's: kind, byte, path, and what to do.

use std::fmt::{self, Display};

use serde::de::{Expected, Unexpected};
use variant_core::{ErrorKind, EscapedText, Path, Step, VariantType};

/// Reports a refused read or write. It takes a single word; the details are boxed.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    kind: Cause,
    /// The byte, once it is known.
    offset: Option<u64>,
    /// From the value at fault to the root.
    steps: Vec<Step>,
    is_whole: bool,
    /// Whether a type was refused in a document of objects.
    is_document: bool,
}

/// Names everything that can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The codec refuses the bytes, or cannot write the value: what [`variant_core::decode`] would say of it.
    Format(ErrorKind),
    /// A schema refuses the value.
    Schema {
        /// The kind of violation.
        kind: ErrorKind,
        /// The right value, in words.
        expected: String,
        /// The value that was there, in words.
        got: String,
    },
    /// The Dictionary lacks a key that the struct needs.
    MissingField(&'static str),
    /// Two keys are the same field.
    DuplicateField(&'static str),
    /// The Dictionary has a key that the struct does not know, and denies.
    UnknownField {
        /// The keys that it knows.
        expected: &'static [&'static str],
    },
    /// No variant of the enum has this name.
    UnknownVariant {
        /// The variants that it has.
        expected: &'static [&'static str],
    },
    /// The value has another type than the one asked for.
    WrongType {
        /// The value that was asked for, in words.
        expected: String,
        /// The value that was there: the name of its type, and the number of an int or float.
        got: String,
    },
    /// The value has the right type and cannot be one of those asked for.
    WrongValue {
        /// The value that was asked for, in words.
        expected: String,
        /// The value that was there, in words.
        got: String,
    },
    /// An Array has more or fewer elements than asked for.
    WrongLength {
        /// The value that was asked for, in words.
        expected: String,
        /// Elements there.
        got: usize,
    },
    /// A type that holds itself is nested deeper than the stack should be asked for.
    TooRecursive {
        /// Levels that are allowed.
        limit: usize,
    },
    /// An int that Godot's 64 bits cannot hold.
    IntTooLarge,
    /// Anything that only serde or the type itself can say, in its words.
    Message(String),
    /// The reader or writer failed.
    Io(std::io::ErrorKind, String),
}

/// The words for bytes that have the form of such a document.
const DOCUMENT: &str = "a document of objects, which variant_objects::Document reads";
/// Characters of a message of somebody else's that are shown.
const SHOWN: usize = 200;
const LISTED: usize = 12;

impl Error {
    #[cold]
    pub(crate) fn new(kind: Cause) -> Error {
        let (offset, steps) = (None, Vec::new());
        Error(Box::new(Details { kind, offset, steps, is_whole: false, is_document: false }))
    }

    #[cold]
    pub(crate) fn of_format(error: &variant_core::Error) -> Error {
        Error::with_path(Cause::Format(error.kind()), error.offset(), error.path().clone())
    }

    /// A key that is a row of numbers is refused where a tuple is wanted: it would be written as an Array, which is another key.
    #[cold]
    pub(crate) fn tuple_key(ty: VariantType) -> Error {
        let name = ty.name();
        let expected =
            format!("a key of the type {name}, such as that of this crate; a tuple is written as an Array");
        Error::new(Cause::WrongType { expected, got: name.to_owned() })
    }

    #[cold]
    pub(crate) fn with_path(kind: Cause, offset: u64, path: Path) -> Error {
        let mut steps = path.0;
        steps.reverse();
        let offset = Some(offset);
        Error(Box::new(Details { kind, offset, steps, is_whole: true, is_document: false }))
    }

    /// Says where the value begins, if nobody did, and what type it has.
    #[cold]
    pub(crate) fn at(mut self, offset: u64, ty: VariantType) -> Error {
        if self.0.offset.is_none()
            && let Cause::WrongType { got, .. } = &mut self.0.kind
            && !matches!(ty, VariantType::Int | VariantType::Float | VariantType::Bool)
        {
            *got = type_name(ty).to_owned();
        }
        self.at_byte(offset)
    }

    /// Says of what does not fit a document of objects what those bytes are: that they are an Array of three, or have references,
    /// says little. The codec's own verdict stays what it is.
    #[cold]
    pub(crate) fn of_document(mut self, bytes: &[u8]) -> Error {
        let is_document = bytes.first() == Some(&28)
            && bytes.get(16..).is_some_and(|text| text.starts_with(b"variant_objects/"));
        match self.0.kind {
            Cause::WrongType { .. } | Cause::WrongLength { .. } | Cause::Message(_) if is_document => {
                let kind = Cause::WrongType { expected: "one value".to_owned(), got: DOCUMENT.to_owned() };
                return Error::with_path(kind, 0, Path(Vec::new()));
            }
            Cause::Format(ErrorKind::TypeNotAllowed { .. }) => self.0.is_document = is_document,
            _ => {}
        }
        self
    }

    #[cold]
    pub(crate) fn at_byte(mut self, offset: u64) -> Error {
        self.0.offset.get_or_insert(offset);
        self
    }

    #[cold]
    pub(crate) fn within(mut self, step: impl FnOnce() -> Step) -> Error {
        if !self.0.is_whole {
            self.0.steps.push(step());
        }
        self
    }

    /// Returns the kind of the mistake.
    #[must_use]
    pub const fn kind(&self) -> &Cause {
        &self.0.kind
    }

    /// Byte offset in the input (reading) or in the output so far (writing).
    #[must_use]
    pub const fn offset(&self) -> u64 {
        match self.0.offset {
            Some(offset) => offset,
            None => 0,
        }
    }

    /// The value at fault.
    #[must_use]
    pub fn path(&self) -> Path {
        Path(self.0.steps.iter().rev().cloned().collect())
    }
}

/// `players[3].hp: expected u8, got int 300 (byte 148)`.
impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = if self.0.is_document { format!("; this is {DOCUMENT}") } else { String::new() };
        write!(f, "{}: {} (byte {}){told}", self.path(), self.kind(), self.offset())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", self.kind())
            .field("offset", &self.offset())
            .field("path", &self.path().to_string())
            .finish()
    }
}

impl std::error::Error for Error {}

impl Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Format(kind) => write!(f, "{kind}"),
            Cause::MissingField(name) => write!(
                f,
                "expected the key \"{name}\", got a Dictionary without it; a field that may be missing wants \
                 Option or #[serde(default)]"
            ),
            Cause::DuplicateField(name) => write!(f, "expected the key \"{name}\" once, got it twice"),
            Cause::UnknownField { expected } => {
                f.write_str("expected ")?;
                list(f, expected, "no key at all")?;
                f.write_str(", got another key")
            }
            Cause::UnknownVariant { expected } => {
                f.write_str("expected ")?;
                list(f, expected, "no variant at all")?;
                f.write_str(", got another name")
            }
            Cause::Schema { expected, got, .. }
            | Cause::WrongType { expected, got }
            | Cause::WrongValue { expected, got } => write!(f, "expected {expected}, got {got}"),
            Cause::WrongLength { expected, got } => write!(f, "expected {expected}, got {got} elements"),
            Cause::TooRecursive { limit } => write!(
                f,
                "expected at most {limit} levels of a type that holds itself, got more; a reader may allow more"
            ),
            Cause::IntTooLarge => f.write_str("expected an int of 64 bits with a sign, got a larger one"),
            Cause::Message(message) => f.write_str(message),
            Cause::Io(_, message) => write!(f, "expected a reader or writer that works, got: {message}"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, names: &[&str], none: &str) -> fmt::Result {
    let shown = names.get(..LISTED).unwrap_or(names);
    match shown {
        [] => return f.write_str(none),
        [only] => return write!(f, "\"{only}\""),
        _ => f.write_str("one of ")?,
    }
    for (at, name) in shown.iter().enumerate() {
        write!(f, "{}\"{name}\"", if at == 0 { "" } else { ", " })?;
    }
    match names.len().saturating_sub(shown.len()) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}

/// Names a value that was asked to be something else. No text is repeated: it may be a stranger's.
fn called(unexpected: Unexpected<'_>) -> String {
    match unexpected {
        Unexpected::Bool(value) => format!("bool {value}"),
        Unexpected::Unsigned(value) => format!("int {value}"),
        Unexpected::Signed(value) => format!("int {value}"),
        Unexpected::Float(value) => format!("float {value}"),
        Unexpected::Char(_) | Unexpected::Str(_) => "String".to_owned(),
        Unexpected::Bytes(_) => "PackedByteArray".to_owned(),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "Array".to_owned(),
        Unexpected::Map => "Dictionary".to_owned(),
        Unexpected::UnitVariant => "a variant's name alone".to_owned(),
        Unexpected::NewtypeVariant | Unexpected::TupleVariant | Unexpected::StructVariant => {
            "a variant with a value".to_owned()
        }
        Unexpected::NewtypeStruct | Unexpected::Enum => "another value".to_owned(),
        Unexpected::Other(what) => printable(what),
    }
}

/// A type's name as users of Godot write it.
pub(crate) const fn type_name(ty: VariantType) -> &'static str {
    match ty {
        VariantType::Nil => "null",
        other => other.name(),
    }
}

/// Text of somebody else's, which may be a stranger's: nothing in it breaks a line, and it ends somewhere.
fn printable(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", EscapedText(text.get(..end).unwrap_or_default())),
        None => EscapedText(text).to_string(),
    }
}

impl serde::de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(Cause::Message(printable(&message.to_string())))
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(Cause::WrongType { expected: expected.to_string(), got: called(unexpected) })
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Error {
        Error::new(Cause::WrongValue { expected: expected.to_string(), got: called(unexpected) })
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Error {
        Error::new(Cause::WrongLength { expected: expected.to_string(), got: length })
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Error {
        Error::new(Cause::UnknownVariant { expected })
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Error {
        Error::new(Cause::UnknownField { expected })
    }

    fn missing_field(field: &'static str) -> Error {
        Error::new(Cause::MissingField(field))
    }

    fn duplicate_field(field: &'static str) -> Error {
        Error::new(Cause::DuplicateField(field))
    }
}

impl serde::ser::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new(Cause::Message(printable(&message.to_string())))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::new(Cause::Io(error.kind(), printable(&error.to_string())))
    }
}
