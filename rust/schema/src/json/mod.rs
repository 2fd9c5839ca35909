//! JSON: schemas as text. docs/SCHEMA_JSON.md describes the form; what is written comes back as the same schema.

mod demands;
mod read;
mod tree;
mod value;
mod write;

pub(crate) use tree::Json;
pub(crate) use write::plain;

use variant_core::Mistakes;

use crate::schema::Schema;
use crate::trail::mistake_of_whole;

/// The version of the form, written at the root. A reader refuses a later one.
pub(crate) const VERSION: i64 = 1;

impl Schema {
    /// The schema that a JSON text describes. Its contradictions `compile` finds.
    ///
    /// # Errors
    /// Text that is no JSON, and parts that are no schema, with their path.
    pub fn from_json(text: &str) -> Result<Schema, Mistakes> {
        let json: Json =
            serde_json::from_str(text).map_err(|error| mistake_of_whole(&format!("not JSON: {error}")))?;
        read::schema(&json)
    }

    /// The schema as JSON text, two spaces a level. Checks of `check_with` are left out: they are code.
    #[must_use]
    pub fn to_json(&self) -> String {
        write::root(self).pretty()
    }
}
