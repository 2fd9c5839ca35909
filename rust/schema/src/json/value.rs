//! Values inside a schema (literals and defaults) as JSON: plain where JSON can say it, else their encoding.

use std::collections::HashSet;

use variant_core::{Array, Dictionary, ElementType, Limits, Rules, Value, decode};

use super::tree::Json;

/// The key of an object that stands for a value JSON has no form for: its bytes, as hexadecimal digits.
const ENCODED: &str = "$variant";

pub(super) fn write(value: &Value) -> Json {
    match value {
        Value::Nil => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(value) => Json::Int(*value),
        Value::Float(value) if value.is_finite() => Json::Float(*value),
        Value::String(text) => Json::text(text),
        Value::Array(array) if array.element == ElementType::None => Json::list(&array.items, write),
        Value::Dictionary(dictionary) => plain_dictionary(dictionary).unwrap_or_else(|| encoded(value)),
        other => encoded(other),
    }
}

fn plain_dictionary(dictionary: &Dictionary) -> Option<Json> {
    if (&dictionary.key, &dictionary.value) != (&ElementType::None, &ElementType::None) {
        return None;
    }
    let entries = dictionary.entries.iter().map(|(key, value)| match key {
        Value::String(key) if !key.starts_with('$') => Some((key.clone(), write(value))),
        _ => None,
    });
    entries.collect::<Option<_>>().map(Json::Map)
}

fn encoded(value: &Value) -> Json {
    let bytes = value.encode().unwrap_or_default();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Json::Map(vec![(ENCODED.to_owned(), Json::Text(digits))])
}

pub(super) fn read(json: &Json) -> Result<Value, String> {
    Ok(match json {
        Json::Null => Value::Nil,
        Json::Bool(value) => Value::Bool(*value),
        Json::Int(value) => Value::Int(*value),
        Json::Float(value) => Value::Float(*value),
        Json::Text(text) => Value::String(text.clone()),
        Json::List(items) => {
            let items = items.iter().map(read).collect::<Result<_, _>>()?;
            Value::Array(Box::new(Array { element: ElementType::None, items }))
        }
        Json::Map(entries) => match entries.as_slice() {
            [(key, Json::Text(digits))] if key == ENCODED => decoded(digits)?,
            entries => {
                no_twins(entries)?;
                let entries =
                    entries.iter().map(|(key, value)| Ok((Value::String(key.clone()), read(value)?)));
                let entries = entries.collect::<Result<_, String>>()?;
                Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
            }
        },
    })
}

/// A Dictionary has each key once.
fn no_twins(entries: &[(String, Json)]) -> Result<(), String> {
    let mut names = HashSet::new();
    match entries.iter().find(|(name, _)| !names.insert(name.as_str())) {
        Some((name, _)) => Err(format!("{} is there twice", crate::describe::quoted(name))),
        None => Ok(()),
    }
}

fn decoded(digits: &str) -> Result<Value, String> {
    let wrong = || "$variant needs an encoded value as hexadecimal digits".to_owned();
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let bytes: Option<Vec<u8>> = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(digits.get(at..at.checked_add(2)?)?, 16).ok())
        .collect();
    decode(&bytes.ok_or_else(wrong)?, &Rules::safe(Limits::engine())).map_err(|_| wrong())
}
