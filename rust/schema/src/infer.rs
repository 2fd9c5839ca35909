//! Infer: the schema of an example: its types and keys, and no bounds, which no example shows.

use variant_core::Value;

use crate::samples::Samples;
use crate::schema::Schema;

impl Schema {
    /// A schema that accepts values like this one, and this one itself. Elements of an Array are described together: of
    /// Dictionaries, a key that some lack is optional; of several types, any of them will do. An empty container says what
    /// types it declares. A Dictionary with other keys than text is a map.
    ///
    /// ```
    /// use variant_core::Value;
    /// use variant_schema::Schema;
    ///
    /// let example = Value::from([Value::from([("id", 1)]), Value::from([("id", 2), ("hp", 80)])]);
    /// let wanted = Schema::array(Schema::dict([("id", Schema::int()), ("hp?", Schema::int())]));
    /// assert_eq!(Schema::from_example(&example), wanted);
    /// ```
    #[must_use]
    pub fn from_example(value: &Value) -> Schema {
        let mut samples = Samples::of_types();
        samples.add(value);
        samples.schema()
    }
}
