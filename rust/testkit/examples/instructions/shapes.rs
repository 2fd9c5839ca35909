//! Makes the values that the workloads encode and decode.

use variant_core::{Array, Dictionary, Reals, Value};

pub(crate) fn text(text: impl Into<String>) -> Value {
    Value::String(text.into())
}

pub(crate) fn array(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

pub(crate) fn dictionary(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
    let entries = entries.into_iter().collect();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn record(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    dictionary(entries.into_iter().map(|(key, value)| (text(key), value)))
}

/// Makes an Array of ints.
pub(crate) fn ints(count: i64) -> Value {
    array((0..count).map(Value::Int))
}

/// Makes a typical save: an Array of dictionaries with six entries and 200 bytes each.
pub(crate) fn save(count: i64) -> Value {
    array((0..count).map(|n| {
        let number = n as f32;
        record([
            ("id", Value::Int(n)),
            ("name", text(format!("entity number {n}"))),
            ("position", Value::Vector3(Reals::Single([number, 0.5, -number]))),
            ("health", Value::Float(0.1 * n as f64)),
            ("is_alive", Value::Bool(n % 3 == 0)),
            ("items", array((0..3).map(|item| Value::Int(n + item)))),
        ])
    }))
}

/// Makes a typical packet: a Dictionary of 132 bytes.
pub(crate) fn packet() -> Value {
    let vector = |x| Value::Vector3(Reals::Single([x, 2.0, 3.0]));
    record([
        ("t", Value::Int(1)),
        ("pos", vector(1.0)),
        ("vel", vector(0.5)),
        ("id", Value::Int(12345)),
        ("name", text("player")),
    ])
}

/// Makes an Array of strings of 40 characters each.
pub(crate) fn texts(count: usize, sample: &str) -> Value {
    let pattern: Vec<char> = sample.chars().collect();
    let spell = |n: usize| (0..40).map(|at| pattern[(n + at) % pattern.len()]).collect::<String>();
    array((0..count).map(|n| text(spell(n))))
}

pub(crate) const ASCII: &str = "the quick brown fox jumps over a lazy dog. ";
pub(crate) const CYRILLIC: &str = "съешь ещё этих мягких французских булок ";

/// Makes an Array of one large packed array of each element width.
pub(crate) fn packed(count: usize) -> Value {
    let numbers = || (0..count).map(|n| n as f32);
    array([
        Value::PackedByteArray(vec![7; count]),
        Value::PackedInt32Array((0..count as i32).collect()),
        Value::PackedInt64Array((0..count as i64).collect()),
        Value::PackedFloat32Array(numbers().collect()),
        Value::PackedFloat64Array(numbers().map(f64::from).collect()),
        Value::PackedColorArray(numbers().map(|n| [n; 4]).collect()),
        Value::PackedStringArray((0..count / 16).map(|n| format!("string {n}")).collect()),
    ])
}

/// Makes a Dictionary of `count` keys of one kind.
pub(crate) fn keyed(count: i64, key: fn(i64) -> Value) -> Value {
    dictionary((0..count).map(|n| (key(n), Value::Int(n))))
}
