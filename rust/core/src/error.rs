//! Defines the error that users see of a failure: kind, byte offset, path, and one sentence to act on.

use std::fmt::{self, Display};

use crate::fault::{ErrorKind, Fault, Part};
use crate::path::Path;
use crate::wire::VariantType;

/// Holds the reason for a refused decode or encode. It is one word; the details are boxed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    fault: Fault,
    path: Path,
}

impl Error {
    /// Adds a path to a fault.
    #[cold]
    #[must_use]
    pub fn new(fault: Fault, path: Path) -> Error {
        Error(Box::new(Details { fault, path }))
    }

    /// Returns the kind of the error.
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.0.fault.kind
    }

    /// Returns the byte offset in the input (decoding) or in the output so far (encoding).
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.0.fault.at
    }

    /// Returns the path of the value at fault.
    #[must_use]
    pub const fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the number of missing bytes, when that is the fault.
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        match self.kind() {
            ErrorKind::Incomplete { needed, .. } => Some(u64::from(needed)),
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

impl std::error::Error for ErrorKind {}

impl ErrorKind {
    /// Describes what would have been right.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            ErrorKind::Incomplete { part, declared, .. } => part.amount(declared),
            ErrorKind::WrongElementType { expected, .. } => expected.name().to_owned(),
            ErrorKind::TooManyBytes { limit, .. } => at_most(limit, "byte", "max_bytes"),
            ErrorKind::TooDeep { limit } => at_most(limit, "level", "max_depth"),
            ErrorKind::TooManyValues { limit, .. } => at_most(limit, "value", "max_values"),
            ErrorKind::TooManyEntries { limit, .. } => at_most(limit, "entry", "max_entries"),
            ErrorKind::StringTooLong { limit, .. } => at_most(limit, "byte", "max_string_bytes"),
            ErrorKind::PathTooLong { limit, .. } => at_most(limit, "name", "max_path_segments"),
            ErrorKind::OutputTooLarge { limit } => at_most(limit, "byte", "max_output_bytes"),
            ErrorKind::TooManyProbes { limit } => {
                format!("at most {} to find each key or name (max_key_probes)", count(limit, "step"))
            }
            ErrorKind::TooMuchMemory { limit } => at_most(limit, "byte", "max_heap_bytes"),
            ErrorKind::TooManyObjects { limit } => at_most(limit, "object", "max_objects"),
            other => match other.words().0 {
                "" if other.is_of_schema() => "what the schema says".to_owned(),
                "" => "a value that can be built".to_owned(),
                rule => rule.to_owned(),
            },
        }
    }

    /// Describes what was there instead: numbers and type names only, never text from the bytes.
    #[must_use]
    pub fn got(self) -> String {
        match self {
            ErrorKind::UnknownType { id } => format!("type id {id}"),
            ErrorKind::InvalidElementType { id } => format!("type id {id}"),
            ErrorKind::Incomplete { part, left, .. } => part.amount(left),
            ErrorKind::InvalidLength { declared, ty } => format!("{ty} of {declared}"),
            ErrorKind::TooManyValues { declared, .. } if declared > 0 => {
                count(u64::from(declared), "more element")
            }
            ErrorKind::TooManyBytes { declared, .. } if declared > 0 => count(u64::from(declared), "byte"),
            ErrorKind::TooManyEntries { declared, .. } => count(u64::from(declared), "entry"),
            ErrorKind::StringTooLong { declared, .. } => count(u64::from(declared), "byte"),
            ErrorKind::PathTooLong { declared, .. } => count(u64::from(declared), "name"),
            ErrorKind::UnknownFlags { bits } => format!("bits 0x{bits:08x}"),
            ErrorKind::InvalidBool { found } => format!("bool {found}"),
            ErrorKind::WrongElementType { got, .. } => got.name().to_owned(),
            ErrorKind::TrailingBytes { count: more } => count(more, "more byte"),
            ErrorKind::NotInDialect { ty: VariantType::Object } => "an object with a script".to_owned(),
            ErrorKind::TypeNotAllowed { ty }
            | ErrorKind::KeyTypeNotAllowed { ty }
            | ErrorKind::NotInDialect { ty } => ty.name().to_owned(),
            other => match other.words().1 {
                "" if other.is_of_schema() => "something else".to_owned(),
                "" => "more".to_owned(),
                breach => breach.to_owned(),
            },
        }
    }
}

fn at_most(limit: u64, unit: &str, name: &str) -> String {
    format!("at most {} ({name})", count(limit, unit))
}

fn count(count: u64, unit: &str) -> String {
    match (count, unit.strip_suffix('y')) {
        (1, _) => format!("1 {unit}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {unit}s"),
    }
}

impl Part {
    /// Formats an amount of it, with its unit.
    fn amount(self, amount: u32) -> String {
        count(
            u64::from(amount),
            match self {
                Part::Children(VariantType::Dictionary) => "entry",
                Part::Children(VariantType::Object) => "property",
                Part::Children(VariantType::NodePath) => "name",
                Part::Children(VariantType::PackedStringArray) => "string",
                Part::Children(_) => "element",
                _ => "byte",
            },
        )
    }

    /// Names the part in which the bytes end.
    const fn name(self) -> &'static str {
        match self {
            Part::Header => "header",
            Part::Frame => "value",
            Part::Text(VariantType::StringName) => "StringName",
            Part::Text(VariantType::NodePath | VariantType::Object | VariantType::Signal) => "name",
            Part::Text(_) => "string",
            Part::Field(ty) | Part::Numbers(ty) | Part::Children(ty) => ty.name(),
        }
    }
}

/// `string is truncated: 64 bytes declared, 12 left`; `int is truncated: 8 bytes needed, 3 left`; `value is cut off: 16 bytes
/// declared, 11 there`.
fn write_truncated(f: &mut fmt::Formatter<'_>, part: Part, declared: u32, left: u32) -> fmt::Result {
    let how = if part == Part::Frame { "cut off" } else { "truncated" };
    write!(f, "{} is {how}: {} ", part.name(), part.amount(declared))?;
    match part {
        Part::Header | Part::Field(_) => write!(f, "needed, {left} left"),
        Part::Children(_) | Part::Frame => write!(f, "declared, {left} there"),
        // Only padding is missing.
        Part::Text(_) | Part::Numbers(_) if left >= declared => {
            write!(f, "and padding declared, {left} left")
        }
        Part::Text(_) | Part::Numbers(_) => write!(f, "declared, {left} left"),
    }
}

/// Prints `expected int, got String`.
impl Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ErrorKind::Incomplete { part, declared, left, .. } => write_truncated(f, part, declared, left),
            other => write!(f, "expected {}, got {}", other.expected(), other.got()),
        }
    }
}

#[cfg(test)]
mod tests;
