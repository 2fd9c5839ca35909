//! Infer: the schema of an example: its types and keys, and no bounds, which no example shows.

use variant_core::{Array, Dictionary, ElementType, Value, VariantType};

use crate::schema::Schema;

/// Levels of an example; what is deeper may be anything.
const MAX_LEVELS: usize = 32;

impl Schema {
    /// A schema that accepts values like this one. Elements of an Array have to be alike; an empty Array says
    /// nothing about them but the type that it declares. A Dictionary with other keys than text is a map.
    #[must_use]
    pub fn from_example(value: &Value) -> Schema {
        of(value, 0)
    }
}

fn of(value: &Value, level: usize) -> Schema {
    if level > MAX_LEVELS {
        return Schema::any();
    }
    match value {
        Value::Array(array) => of_array(array, level),
        Value::Dictionary(dictionary) => of_dictionary(dictionary, level),
        other => Schema::of_type(other.ty()),
    }
}

fn of_array(array: &Array, level: usize) -> Schema {
    let is_empty = array.items.is_empty();
    Schema::array(if is_empty { declared(&array.element) } else { all_of(array.items.iter(), level) })
}

/// What an empty container tells of its elements. Objects are declared by class, of which a schema knows nothing.
fn declared(element: &ElementType) -> Schema {
    match element {
        ElementType::Builtin(ty) if !matches!(ty, VariantType::Nil | VariantType::Object) => {
            Schema::of_type(*ty)
        }
        _ => Schema::any(),
    }
}

fn of_dictionary(dictionary: &Dictionary, level: usize) -> Schema {
    let (key, value) = (declared(&dictionary.key), declared(&dictionary.value));
    if dictionary.entries.is_empty() && (key != Schema::any() || value != Schema::any()) {
        return Schema::map(key, value);
    }
    let names = dictionary.entries.iter().map(|(key, value)| match key {
        Value::String(name) | Value::StringName(name) => Some((name.as_str(), value)),
        _ => None,
    });
    match names.collect::<Option<Vec<_>>>() {
        Some(entries) => {
            let keys = entries
                .into_iter()
                .map(|(name, value)| (name.to_owned(), of(value, level.saturating_add(1))));
            Schema::new(crate::schema::Shape::Dict { keys: keys.collect(), open: false })
        }
        None => {
            let keys = dictionary.entries.iter().map(|(key, _)| key);
            let values = dictionary.entries.iter().map(|(_, value)| value);
            Schema::map(all_of(keys, level), all_of(values, level))
        }
    }
}

/// The one schema of all these, or a union of those that differ. Where values with children differ, anything goes.
fn all_of<'v>(values: impl Iterator<Item = &'v Value>, level: usize) -> Schema {
    let mut schemas: Vec<Schema> = Vec::new();
    for value in values {
        let schema = of(value, level.saturating_add(1));
        if !schemas.contains(&schema) {
            schemas.push(schema);
        }
    }
    match schemas.as_slice() {
        [] => Schema::any(),
        [one] => one.clone(),
        _ => {
            let union = Schema::union(schemas);
            if union.compile().is_ok() { union } else { Schema::any() }
        }
    }
}
