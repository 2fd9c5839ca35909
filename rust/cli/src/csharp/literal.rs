//! Writes values as C#, in the plain form that the runtime works with.

use variant_core::{Rules, ToValue, Value, Walker};
use variant_pack::parts::{Kind, Part};

/// Names a part by its place in the schema.
pub(super) fn place(part: &Part) -> &str {
    if part.path.is_empty() { "(root)" } else { &part.path }
}

/// Writes a text. JSON's escapes are those of C#.
pub(super) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

pub(super) fn int(number: i64) -> String {
    // The least number has no literal: its digits alone are too large.
    if number == i64::MIN { "long.MinValue".to_owned() } else { format!("{number}L") }
}

pub(super) fn float(number: f64) -> String {
    if number.is_nan() {
        "double.NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 { "double.PositiveInfinity" } else { "double.NegativeInfinity" }.to_owned()
    } else {
        format!("{number:?}d")
    }
}

/// Reads a value of Godot's format.
pub(super) fn read(bytes: &[u8]) -> Result<Value, String> {
    let decoded = Walker::new().decode(bytes, &Rules::engine(), &mut ToValue);
    decoded.map(|(value, _)| value).map_err(|error| error.to_string())
}

fn objects(items: impl Iterator<Item = Result<String, String>>) -> Result<String, String> {
    let items: Vec<String> = items.collect::<Result<_, _>>()?;
    Ok(if items.is_empty() {
        "new List<object>()".to_owned()
    } else {
        format!("new List<object> {{ {} }}", items.join(", "))
    })
}

/// Writes the value of a part.
pub(super) fn of_part(parts: &[Part], at: usize, value: &Value) -> Result<String, String> {
    let Some(part) = parts.get(at) else { return plain(value) };
    match (&part.kind, value) {
        (_, Value::Nil) => Ok("null".to_owned()),
        (Kind::Same(other), _) => of_part(parts, *other, value),
        (Kind::Any, _) => {
            let bytes = value.encode().map_err(|error| error.to_string())?;
            let bytes: Vec<String> = bytes.iter().map(u8::to_string).collect();
            Ok(format!("new byte[] {{ {} }}", bytes.join(", ")))
        }
        (
            Kind::Map { key, value: of, .. } | Kind::KeyedMap { key, value: of, .. },
            Value::Dictionary(dictionary),
        ) => objects(dictionary.entries.iter().map(|(name, value)| {
            let (name, value) = (of_part(parts, *key, name)?, of_part(parts, *of, value)?);
            Ok(format!("new KeyValuePair<object, object>({name}, {value})"))
        })),
        (Kind::Dict { keys, .. }, Value::Dictionary(dictionary)) => {
            let entries = dictionary.entries.iter().map(|(name, value)| {
                let Value::String(name) = name else { return Err("a key that is no text".to_owned()) };
                let key = keys.iter().find(|key| key.name == *name);
                let value = key.map_or_else(|| plain(value), |key| of_part(parts, key.part, value))?;
                Ok(format!("{{ {}, {value} }}", text(name)))
            });
            let entries = entries.collect::<Result<Vec<_>, String>>()?.join(", ");
            Ok(format!("new Dictionary<string, object> {{ {entries} }}"))
        }
        (Kind::Array { item, .. } | Kind::Keyed { item, .. }, Value::Array(array)) => {
            objects(array.items.iter().map(|value| of_part(parts, *item, value)))
        }
        (Kind::Tuple { items, .. }, Value::Array(array)) => {
            objects(items.iter().zip(&array.items).map(|(item, value)| of_part(parts, *item, value)))
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
        Value::Vector2i(numbers) => longs(numbers),
        Value::Vector3i(numbers) => longs(numbers),
        Value::Vector4i(numbers) | Value::Rect2i(numbers) => longs(numbers),
        Value::PackedByteArray(items) => objects(items.iter().map(|item| Ok(int(i64::from(*item)))))?,
        Value::PackedInt32Array(items) => objects(items.iter().map(|item| Ok(int(i64::from(*item)))))?,
        Value::PackedInt64Array(items) => objects(items.iter().map(|item| Ok(int(*item))))?,
        Value::PackedFloat64Array(items) => objects(items.iter().map(|item| Ok(float(*item))))?,
        Value::PackedFloat32Array(items) => objects(items.iter().map(|item| Ok(float(f64::from(*item)))))?,
        Value::PackedStringArray(items) => objects(items.iter().map(|item| Ok(text(item))))?,
        other => doubles(other)?,
    })
}

fn longs(numbers: &[i32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| int(i64::from(*number))).collect();
    format!("new long[] {{ {} }}", numbers.join(", "))
}

/// Writes vectors and what is made of them: JSON without tags has their numbers as a list.
fn doubles(value: &Value) -> Result<String, String> {
    let is_math = !matches!(
        value,
        Value::Dictionary(_)
            | Value::Array(_)
            | Value::NodePath(_)
            | Value::PackedVector2Array(_)
            | Value::PackedVector3Array(_)
            | Value::PackedVector4Array(_)
            | Value::PackedColorArray(_)
    );
    if !is_math {
        return Err("a value that has parts among listed values or defaults".to_owned());
    }
    let bytes = value.encode().map_err(|error| error.to_string())?;
    let mut json = Vec::new();
    let form = variant_text::json::Form { plain: true, compact: true };
    let written = variant_text::json::write(&bytes, &Rules::engine(), form, &mut json);
    written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    let tree: serde_json::Value = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
    let numbers = tree.as_array().ok_or("a value that is no list of numbers")?;
    // Numbers of 32 bits are written as short as those allow.
    let numbers = numbers.iter().map(|number| float(f64::from(number.as_f64().unwrap_or(0.0) as f32)));
    Ok(format!("new double[] {{ {} }}", numbers.collect::<Vec<_>>().join(", ")))
}
