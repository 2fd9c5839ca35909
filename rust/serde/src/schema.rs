//! Reads bytes that a schema accepts into a type, and makes the schema of a type.

mod trace;

use serde::de::{Deserialize, DeserializeOwned};
use variant_core::{Rejection, Rules};
use variant_schema::{Checker, Program, Schema};

use crate::de::{DeserializerMemory, MAX_RECURSION, whole};
use crate::error::{Cause, Error};
pub use trace::TraceError;

/// Reads values that a schema accepts. Nothing of a value is built that the schema refuses.
///
/// Defaults of the schema are not filled in: for those a type has `#[serde(default)]`.
///
/// ```
/// use serde::Deserialize;
/// use variant_schema::Schema;
/// use variant_serde::{CheckedReader, Limits, Rules};
///
/// #[derive(Deserialize, Debug)]
/// struct Move {
///     seq: u32,
///     name: String,
/// }
///
/// let program = Schema::dict([("seq", Schema::int()), ("name", Schema::string().max_chars(4u64))]).compile()?;
/// let mut reader = CheckedReader::new(Rules::safe(Limits::network()));
/// let long = variant_serde::Value::from([("seq", 7.into()), ("name", variant_serde::Value::from("Annabel"))]);
/// let refused = reader.read::<Move>(&program, &long.encode()?).unwrap_err();
/// assert_eq!(refused.to_string(), "name: expected String of at most 4 characters, got String of 7 characters (byte 40)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CheckedReader {
    rules: Rules,
    checker: Checker,
    scratch: DeserializerMemory,
}

impl CheckedReader {
    /// A reader that goes by these rules.
    #[must_use]
    pub fn new(rules: Rules) -> CheckedReader {
        CheckedReader { rules, checker: Checker::new(), scratch: DeserializerMemory::new() }
    }

    /// Reads the value that `bytes` are, if the program accepts it.
    ///
    /// # Errors
    /// The first violation; the errors of [`from_slice`](crate::from_slice) where there is none.
    pub fn read<'de, T: Deserialize<'de>>(
        &mut self,
        program: &Program,
        bytes: &'de [u8],
    ) -> Result<T, Error> {
        match self.checker.validate(program, bytes, &self.rules) {
            Ok(_) => whole(&mut self.scratch, bytes, &self.rules, MAX_RECURSION),
            Err(violation) => Err(refused(*violation)),
        }
    }
}

#[cold]
fn refused(violation: Rejection) -> Error {
    let (offset, Rejection { kind, path, expected, got, .. }) = (violation.offset(), violation);
    let is_of_schema = kind.is_of_schema();
    let cause = if is_of_schema { Cause::Schema { kind, expected, got } } else { Cause::Format(kind) };
    Error::with_path(cause, offset, path)
}

/// Says what a schema asks of keys that a struct does not know.
#[derive(Clone, Copy, Default, PartialEq)]
enum TracedKeys {
    /// They are let pass, as serde does.
    #[default]
    All,
    /// They are refused, in every struct.
    Known,
}

/// The schema of the values that a type writes, as far as serde can tell it: names, types, bounds of ints,
/// and which keys may be missing when it is read. Serde does not tell the checks of a type itself, such as
/// a length: add those with the schema's own modifiers. Other keys than those of a struct are let pass, as
/// serde does. Where several variants of an enum hold values, the schema asks for a Dictionary of their
/// names, and only the type for one entry.
///
/// Not told are enums whose tag stands inside or which have none, `flatten`, types that read whatever
/// comes, and types that hold themselves: for those, and for all that has to be exact, write the schema by
/// hand.
///
/// ```
/// use serde::Deserialize;
/// use variant_schema::Schema;
/// use variant_serde::{Value, VariantType, Vector2i, schema_of};
///
/// #[derive(Deserialize)]
/// enum Mood { Calm, Angry { at: String } }
///
/// #[derive(Deserialize)]
/// struct Player {
///     hp: u8,
///     name: Option<String>,
///     #[serde(default)]
///     cell: Vector2i,
///     moods: Vec<Mood>,
/// }
///
/// let mood = Schema::union([
///     Schema::enumeration([Value::from("Calm")]),
///     Schema::dict([("Angry", Schema::dict([("at", Schema::string())]).open(true))]),
/// ]);
/// let by_hand = Schema::dict([
///     ("hp", Schema::int().min(0).max(255)),
///     ("name?", Schema::string().nullable()),
///     ("cell?", Schema::of_type(VariantType::Vector2i)),
///     ("moods", Schema::array(mood)),
/// ]);
/// assert_eq!(schema_of::<Player>()?, by_hand.open(true));
/// # Ok::<(), variant_serde::TraceError>(())
/// ```
///
/// # Errors
/// Why serde cannot tell.
pub fn schema_of<T: DeserializeOwned>() -> Result<Schema, TraceError> {
    trace::schema_of::<T>(TracedKeys::All)
}

/// Makes the schema that [`schema_of`] makes, but no struct has other keys than its own, those within others neither. A message
/// of a protocol is declared so: only such a schema can be packed.
///
/// ```
/// use serde::Deserialize;
/// use variant_schema::Schema;
/// use variant_serde::closed_schema_of;
///
/// #[derive(Deserialize)]
/// struct Move { seq: u16, from: Cell }
///
/// #[derive(Deserialize)]
/// struct Cell { row: u8 }
///
/// let cell = Schema::dict([("row", Schema::int().min(0).max(255))]);
/// let by_hand = Schema::dict([("seq", Schema::int().min(0).max(65_535)), ("from", cell)]);
/// assert_eq!(closed_schema_of::<Move>()?, by_hand);
/// # Ok::<(), variant_serde::TraceError>(())
/// ```
///
/// # Errors
/// Why serde cannot tell.
pub fn closed_schema_of<T: DeserializeOwned>() -> Result<Schema, TraceError> {
    trace::schema_of::<T>(TracedKeys::Known)
}
