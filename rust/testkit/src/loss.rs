//! What an engine that builds a [`Value`] would lose of it: keys that come twice, elements a typed container
//! converts, drops or looks away from. SAFE must refuse all of it; here it is found in the finished tree.

use variant_core::{ElementType, Value, VariantType};

use crate::same_key::same_key;

/// Whether any dictionary in the tree has a key twice.
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

/// Whether every typed container in the tree holds nothing but what it declares.
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

/// A null object is written as nil, so nil is an object too.
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
