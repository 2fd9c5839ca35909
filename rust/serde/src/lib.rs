//! Reads and writes Rust structs in Godot's binary Variant format, within limits, by serde.
//!
#![doc = include_str!("../README.md")]
//!
//! | you want to | call |
//! |---|---|
//! | read bytes | [`from_slice`], [`from_slice_with`] for packets, [`Reader`] again and again |
//! | write bytes | [`to_vec`]; [`append`] within limits, for a target, with variants as ints |
//! | read a stream | [`FrameReader`], or `Codec` with the feature `tokio` |
//! | go by a tree | [`from_value`], [`to_value`], and [`Any`] for a part of it |
//! | check by a schema before | `CheckedReader` and `schema_of` with the feature `schema` |
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod de;
mod error;
mod frames;
#[cfg(any(
    feature = "glam_0_29",
    feature = "glam_0_30",
    feature = "glam_0_31",
    feature = "glam_0_32",
    feature = "glam_0_33",
    feature = "glam_0_34"
))]
pub mod glam;
mod mark;
#[cfg(feature = "schema")]
mod schema;
mod ser;
#[cfg(feature = "tokio")]
mod tokio;
mod types;

use std::io::{Read, Write};

use serde::de::{Deserialize, DeserializeOwned};
use serde::ser::Serialize;

pub use de::{Deserializer, DeserializerMemory, MAX_RECURSION};
pub use error::{Cause, Error};
pub use frames::{FrameReader, Stop, write_framed};
#[cfg(feature = "schema")]
pub use schema::{CheckedReader, TraceError, closed_schema_of, schema_of};
pub use ser::{Compound, Serializer, Variants, Writing};
#[cfg(feature = "tokio")]
pub use tokio::{Codec, TransportError};
pub use types::*;
pub use variant_core::{Framing, Limits, Rules, Strictness, Target, Value, VariantType};

/// Reads the value that `bytes` are, with the rules that everybody gets who asks for no others: SAFE
/// strictness and the limits of save files. For packets take [`from_slice_with`] and
/// `Rules::safe(Limits::network())`.
///
/// Texts and bytes can be borrowed from the input.
///
/// ```
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Hello<'a> {
///     name: &'a str,
/// }
///
/// // var_to_bytes({"name": "Ann"})
/// let bytes = [27, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, b'n', b'a', b'm', b'e', 4, 0, 0, 0, 3, 0, 0, 0, b'A', b'n', b'n', 0];
/// assert_eq!(variant_serde::from_slice::<Hello>(&bytes)?.name, "Ann");
/// # Ok::<(), variant_serde::Error>(())
/// ```
///
/// # Errors
/// The first thing wrong: what the codec refuses, or what the type does not take. It has kind, byte and path.
pub fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    from_slice_with(bytes, &Rules::default())
}

/// Reads a value by rules of the caller's: limits, strictness and dialect.
///
/// # Errors
/// The errors are those of [`from_slice`].
pub fn from_slice_with<'de, T: Deserialize<'de>>(bytes: &'de [u8], rules: &Rules) -> Result<T, Error> {
    de::whole(&mut DeserializerMemory::new(), bytes, rules, MAX_RECURSION)
}

/// Reads the value that a reader gives until it ends. No more than `rules.limits.max_bytes` and one are
/// asked of it.
///
/// # Errors
/// The errors are those of [`from_slice`] and those of the reader.
pub fn from_reader<T: DeserializeOwned>(reader: impl Read, rules: &Rules) -> Result<T, Error> {
    let mut bytes = Vec::new();
    reader.take(rules.limits.max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    from_slice_with(&bytes, rules)
}

/// Makes a type of a tree that is there already. It goes through the tree's encoding, so that there is one
/// mapping; bytes of errors are those of the encoding.
///
/// # Errors
/// The errors are those of [`from_slice`], but every value that can be written is read.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    let bytes = value.encode().map_err(|error| Error::of_format(&error))?;
    let rules = Rules { full_objects: true, ..Rules::engine() };
    from_slice_with(&bytes, &rules)
}

/// Reads one value after another and keeps the memory that this takes, where it takes any.
#[derive(Debug)]
pub struct Reader {
    rules: Rules,
    scratch: DeserializerMemory,
    recursion: usize,
}

impl Reader {
    /// A reader that goes by these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Reader {
        Reader { rules, scratch: DeserializerMemory::new(), recursion: MAX_RECURSION }
    }

    /// Allows types that hold themselves so many levels: see [`Deserializer::recursing`].
    #[must_use]
    pub const fn recursing(mut self, levels: usize) -> Reader {
        self.recursion = levels;
        self
    }

    /// Reads the value that `bytes` are.
    ///
    /// # Errors
    /// The errors are those of [`from_slice`].
    #[inline]
    pub fn read<'de, T: Deserialize<'de>>(&mut self, bytes: &'de [u8]) -> Result<T, Error> {
        de::whole(&mut self.scratch, bytes, &self.rules, self.recursion)
    }
}

/// Writes a value as `var_to_bytes()` does.
///
/// # Errors
/// Values that Godot cannot hold are refused with byte and path: an int beyond 64 bits, a text with a NUL,
/// too many levels.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    // What a packet takes: a vector that grows from nothing moves five times until then.
    let mut output = Vec::with_capacity(256);
    append(value, &mut output, &Writing::default())?;
    Ok(output)
}

/// Appends a value to a buffer, within limits, for another target, or with variants as ints. A refusal
/// leaves the buffer as it was.
///
/// # Errors
/// The errors are those of [`to_vec`]; `OutputTooLarge`, and `NotInDialect` for what the target cannot read.
pub fn append<T: Serialize + ?Sized>(
    value: &T,
    output: &mut Vec<u8>,
    writing: &Writing,
) -> Result<(), Error> {
    let before = output.len();
    let mut serializer = Serializer::new(output, writing);
    let written = value.serialize(&mut serializer).and_then(|()| serializer.finish().map(drop));
    if written.is_err() {
        output.truncate(before);
    }
    written
}

/// Writes a value into a writer, in one piece.
///
/// # Errors
/// The errors are those of [`to_vec`] and those of the writer.
pub fn to_writer<T: Serialize + ?Sized>(mut writer: impl Write, value: &T) -> Result<(), Error> {
    writer.write_all(&to_vec(value)?)?;
    Ok(())
}

/// The tree that a value is written as.
///
/// # Errors
/// The errors are those of [`to_vec`].
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    let rules = Rules { full_objects: true, ..Rules::engine() };
    variant_core::decode(&to_vec(value)?, &rules).map_err(|error| Error::of_format(&error))
}
