//! Finds the parts of a finished [`Value`] that an engine would lose. These are keys that come twice, and
//! elements that a typed container converts, drops or ignores. SAFE must refuse all such values.

use variant_core::{ElementType, Value, VariantType};

use crate::same_key::same_key;

/// Tells whether any dictionary in the tree has a key twice.
#[must_use]
pub fn has_duplicate_keys(value: &Value) -> bool {
    let twice =
        match value {
            Value::Dictionary(dictionary) => dictionary.entries.iter().enumerate().any(|(at, (key, _))| {
                dictionary.entries[..at].iter().any(|(earlier, _)| same_key(earlier, key))
            }),
            _ => false,
        };
    twice || children(value).into_iter().any(has_duplicate_keys)
}

/// Tells whether every typed container in the tree holds only elements of the declared type.
#[must_use]
pub fn holds_what_it_declares(value: &Value) -> bool {
    let holds = match value {
        Value::Array(array) => array.items.iter().all(|item| is(item, &array.element)),
        Value::Dictionary(dictionary) => dictionary
            .entries
            .iter()
            .all(|(key, value)| is(key, &dictionary.key) && is(value, &dictionary.value)),
        _ => true,
    };
    holds && children(value).into_iter().all(holds_what_it_declares)
}

/// Tells whether a value is of the declared type. A null object is written as nil, so nil counts as an
/// object.
fn is(value: &Value, declared: &ElementType) -> bool {
    match (declared, value.ty()) {
        (ElementType::None | ElementType::Builtin(VariantType::Nil), _) => true,
        (ElementType::Class(_) | ElementType::Script(_), ty) => {
            matches!(ty, VariantType::Object | VariantType::Nil)
        }
        (ElementType::Builtin(VariantType::Object), VariantType::Nil) => true,
        (ElementType::Builtin(declared), ty) => *declared == ty,
        _ => false,
    }
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(array) => array.items.iter().collect(),
        Value::Dictionary(dictionary) => {
            dictionary.entries.iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Value::Object(object) => object.properties.iter().map(|(_, value)| value).collect(),
        _ => Vec::new(),
    }
}
