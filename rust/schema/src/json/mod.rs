//! JSON: schemas as text. docs/SCHEMA_JSON.md describes the form; what is written comes back as the same schema.

mod demands;
mod read;
mod tree;
mod value;
mod write;

use variant_core::Mistakes;

use self::tree::Json;
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

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Schema {
    /// Two peers with the same number mean the same by a packet. It is the same on every platform and in every release: FNV-1a of
    /// the compact JSON without what is for people. The order in which keys were written and checks of `check_with` do not count.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let text = write::plain(self).compact();
        text.bytes().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change here means that peers of two releases no longer agree: only with a new `schema_version`.
    #[test]
    fn the_number_is_pinned() {
        let schema = Schema::dict([("hp", Schema::int().min(0).max(99)), ("name?", Schema::string())]);
        assert_eq!(schema.hash(), 1_123_523_652_738_234_813);
        assert_eq!(Schema::float().min(-0.1).max(1e300).hash(), 7_708_420_975_570_009_310);
        let other_order = Schema::dict([("name?", Schema::string()), ("hp", Schema::int().min(0).max(99))]);
        assert_eq!(schema.hash(), other_order.describe("of a player").hash());
        assert_ne!(schema.hash(), schema.open(true).hash());
    }
}
