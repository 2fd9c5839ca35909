//! Writes values as JavaScript.

use variant_core::{Rules, ToValue, Value, Walker};
use variant_pack::parts::{Kind, Part};

/// Whole numbers beyond this are bigints.
const SAFE: u64 = (1 << 53) - 1;

/// Names a part by its place in the schema.
pub(super) fn place(part: &Part) -> &str {
    if part.path.is_empty() { "(root)" } else { &part.path }
}

/// Writes a text. JSON's form is JavaScript's.
pub(super) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Writes a whole number, as a bigint where a number would not be exact.
pub(super) fn int(number: impl Into<i128>) -> String {
    let number = number.into();
    let suffix = if number.unsigned_abs() > u128::from(SAFE) { "n" } else { "" };
    format!("{number}{suffix}")
}

pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()
    } else {
        // As short as it can be and the same number again.
        format!("{number:?}")
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Reads a value of Godot's format.
pub(super) fn read(bytes: &[u8]) -> Result<Value, String> {
    let decoded = Walker::new().decode(bytes, &Rules::engine(), &mut ToValue);
    decoded.map(|(value, _)| value).map_err(|error| error.to_string())
}

/// Writes the value of a part.
pub(super) fn of_part(parts: &[Part], at: usize, value: &Value) -> Result<String, String> {
    let Some(part) = parts.get(at) else { return plain(value) };
    match (&part.kind, value) {
        (_, Value::Nil) => Ok("null".to_owned()),
        (Kind::Same(other), _) => of_part(parts, *other, value),
        (Kind::Any, _) => {
            let bytes = value.encode().map_err(|error| error.to_string())?;
            Ok(format!("Uint8Array.from({})", list(bytes.iter().map(u8::to_string))))
        }
        (
            Kind::Map { key, value: of, .. } | Kind::KeyedMap { key, value: of, .. },
            Value::Dictionary(dictionary),
        ) => {
            let entries = dictionary.entries.iter().map(|(name, value)| {
                Ok(format!("[{}, {}]", of_part(parts, *key, name)?, of_part(parts, *of, value)?))
            });
            Ok(format!("new Map({})", list(entries.collect::<Result<Vec<_>, String>>()?.into_iter())))
        }
        (Kind::Dict { keys, .. }, Value::Dictionary(dictionary)) => {
            let entries = dictionary.entries.iter().map(|(name, value)| {
                let Value::String(name) = name else { return Err("a key that is no text".to_owned()) };
                let key = keys.iter().find(|key| key.name == *name);
                let value = key.map_or_else(|| plain(value), |key| of_part(parts, key.part, value))?;
                Ok(format!("[{}]: {value}", text(name)))
            });
            Ok(format!("{{ {} }}", entries.collect::<Result<Vec<_>, String>>()?.join(", ")))
        }
        (Kind::Array { item, .. } | Kind::Keyed { item, .. }, Value::Array(array)) => {
            let items = array.items.iter().map(|value| of_part(parts, *item, value));
            Ok(list(items.collect::<Result<Vec<_>, _>>()?.into_iter()))
        }
        (Kind::Tuple { items, .. }, Value::Array(array)) => {
            let items = items.iter().zip(&array.items).map(|(item, value)| of_part(parts, *item, value));
            Ok(list(items.collect::<Result<Vec<_>, _>>()?.into_iter()))
        }
        (Kind::Cases { .. } | Kind::Union { .. }, Value::Dictionary(_) | Value::Array(_)) => {
            Err(format!("{}: a default of several kinds has no form here", place(part)))
        }
        _ => plain(value),
    }
}

/// Writes a value that needs no part to be told from others.
pub(super) fn plain(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Nil => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => int(*value),
        Value::Float(value) => float(*value),
        Value::String(value) | Value::StringName(value) => text(value),
        Value::NodePath(path) => {
            let names = |names: &[String]| list(names.iter().map(|name| text(name)));
            let (absolute, names, subnames) = (path.absolute, names(&path.names), names(&path.subnames));
            format!("{{ absolute: {absolute}, names: {names}, subnames: {subnames} }}")
        }
        Value::Array(array) => {
            list(array.items.iter().map(plain).collect::<Result<Vec<_>, _>>()?.into_iter())
        }
        Value::PackedByteArray(items) => list(items.iter().map(u8::to_string)),
        Value::PackedInt32Array(items) => list(items.iter().map(i32::to_string)),
        Value::PackedInt64Array(items) => list(items.iter().map(|item| int(*item))),
        Value::PackedFloat64Array(items) => list(items.iter().map(|item| float(*item))),
        Value::PackedFloat32Array(items) => list(items.iter().map(|item| float(f64::from(*item)))),
        Value::PackedStringArray(items) => list(items.iter().map(|item| text(item))),
        other => from_tagged(other)?,
    })
}

/// Writes vectors and what is made of them: tagged JSON has their numbers as a list.
fn from_tagged(value: &Value) -> Result<String, String> {
    let bytes = value.encode().map_err(|error| error.to_string())?;
    let mut json = Vec::new();
    let form = variant_text::json::Form { plain: true, compact: true };
    let written = variant_text::json::write(&bytes, &Rules::engine(), form, &mut json);
    written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    let tree: serde_json::Value = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    if tree.is_array() { Ok(tree.to_string()) } else { Err("a Dictionary among listed values".to_owned()) }
}
