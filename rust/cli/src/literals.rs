//! Writes values as source text of another language, by the parts of a schema. The words of a language are its
//! own ([`Syntax`]); it knows none.

use variant_core::wire::Layout;
use variant_core::{Rules, ToValue, Value, VariantType, Walker};
use variant_pack::Layout as PackedLayout;
use variant_pack::parts::{Dict, KeyedEntries, Node, Tuple, Wire};

/// The words of a language for values and tables. Items and entries come as texts in that language.
pub(crate) trait Syntax {
    const NULL: &'static str = "null";
    /// The words for NaN, infinity and the negative one.
    const NOT_FINITE: [&'static str; 3];
    const FLOAT_MARK: &'static str;
    /// The place of this language among the names of a member.
    const NAME: usize;

    fn int(number: i64) -> String;
    /// Writes a float, as short as it can be and the same number again.
    fn float(number: f64) -> String {
        let [nan, most, least] = Self::NOT_FINITE;
        match number {
            f64::INFINITY => most.to_owned(),
            f64::NEG_INFINITY => least.to_owned(),
            _ if number.is_nan() => nan.to_owned(),
            _ => format!("{number:?}{}", Self::FLOAT_MARK),
        }
    }
    fn bytes(bytes: &[u8]) -> String;
    fn list(items: &[String]) -> String;
    /// Writes a table with keys of any type.
    fn map(entries: &[(String, String)]) -> String;
    /// Writes a table whose keys are the texts of a Dictionary's fields.
    fn fields(entries: &[(String, String)]) -> String;
    fn object(class: &str, members: &[String]) -> String;
    fn array(of: &str, items: impl IntoIterator<Item = String>) -> String;
    /// Writes a member of an object, by its name in JavaScript.
    fn member(name: &str, value: &str) -> String;
    /// Writes the parts that another is made of, each under its own name or all under one.
    fn children(names: &[&str], parts: &[usize]) -> String;
    /// Writes a value that is neither a scalar, a text nor packed numbers or texts.
    fn other(value: &Value) -> Result<String, String>;
    /// Writes a value that is compared with others.
    fn listed(part: &Node, value: &Value) -> Result<String, String>;
    /// Writes a default that is made when it is needed.
    fn lazy(value: String) -> String;
    fn count(number: u64) -> String;
    /// Writes a count that may be larger than what is held in memory.
    fn far(number: u64) -> String;
    /// Writes the last of the keys that entries may have.
    fn last_key(part: &Node, last: u64) -> Result<String, String>;
}

/// Returns how many numbers a value has, or an element of a packed array.
pub(crate) fn size(ty: VariantType) -> u8 {
    match ty.layout() {
        Layout::Math(_, count) | Layout::Packed(_, count) => count,
        _ => 1,
    }
}

pub(crate) fn place(part: &Node) -> &str {
    if part.path.is_empty() { "(root)" } else { &part.path }
}

/// Writes a text. JSON's escapes are those of JavaScript and of C#.
pub(crate) fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

pub(crate) fn read(bytes: &[u8]) -> Result<Value, String> {
    let decoded = Walker::new().decode(bytes, &Rules::engine(), &mut ToValue);
    decoded.map(|(value, _)| value).map_err(|error| error.to_string())
}

fn encoded(value: &Value) -> Result<Vec<u8>, String> {
    value.encode().map_err(|error| error.to_string())
}

pub(crate) fn of_part<W: Syntax>(layout: &PackedLayout, at: usize, value: &Value) -> Result<String, String> {
    let Some(part) = layout.node(at) else { return plain::<W>(value) };
    match (&part.wire, value) {
        (_, Value::Nil) => Ok(W::NULL.to_owned()),
        (Wire::Same(other), _) => of_part::<W>(layout, *other, value),
        (Wire::Any, _) => Ok(W::bytes(&encoded(value)?)),
        (
            Wire::Map { key, value: of, .. } | Wire::Keyed(KeyedEntries { key: Some(key), item: of, .. }),
            Value::Dictionary(dictionary),
        ) => {
            let entries = dictionary.entries.iter().map(|(name, value)| {
                Ok((of_part::<W>(layout, *key, name)?, of_part::<W>(layout, *of, value)?))
            });
            Ok(W::map(&entries.collect::<Result<Vec<_>, String>>()?))
        }
        (Wire::Dict(Dict { keys, .. }), Value::Dictionary(dictionary)) => {
            let entries = dictionary.entries.iter().map(|(name, value)| {
                let Value::String(name) = name else { return Err("a key that is no text".to_owned()) };
                let key = keys.iter().find(|key| key.name == *name);
                let value =
                    key.map_or_else(|| plain::<W>(value), |key| of_part::<W>(layout, key.node, value));
                Ok((text(name), value?))
            });
            Ok(W::fields(&entries.collect::<Result<Vec<_>, String>>()?))
        }
        (Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { item, .. }), Value::Array(array)) => {
            let items = array.items.iter().map(|value| of_part::<W>(layout, *item, value));
            Ok(W::list(&items.collect::<Result<Vec<_>, _>>()?))
        }
        (Wire::Tuple(Tuple { items, .. }), Value::Array(array)) => {
            let items = items.iter().zip(&array.items);
            let items = items.map(|(item, value)| of_part::<W>(layout, *item, value));
            Ok(W::list(&items.collect::<Result<Vec<_>, _>>()?))
        }
        (Wire::Cases { .. } | Wire::Union { .. }, Value::Dictionary(_) | Value::Array(_)) => {
            Err(format!("{}: a default of several kinds has no form here", place(part)))
        }
        _ => plain::<W>(value),
    }
}

/// Writes a value that needs no part to be told from others.
pub(crate) fn plain<W: Syntax>(value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Nil => W::NULL.to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => W::int(*value),
        Value::Float(value) => W::float(*value),
        Value::String(value) | Value::StringName(value) => text(value),
        Value::PackedByteArray(items) => list::<W, _>(items, |item| W::int(i64::from(*item))),
        Value::PackedInt32Array(items) => list::<W, _>(items, |item| W::int(i64::from(*item))),
        Value::PackedInt64Array(items) => list::<W, _>(items, |item| W::int(*item)),
        Value::PackedFloat64Array(items) => list::<W, _>(items, |item| W::float(*item)),
        Value::PackedFloat32Array(items) => list::<W, _>(items, |item| W::float(f64::from(*item))),
        Value::PackedStringArray(items) => list::<W, _>(items, |item| text(item)),
        other => W::other(other)?,
    })
}

fn list<W: Syntax, T>(items: &[T], write: impl Fn(&T) -> String) -> String {
    W::list(&items.iter().map(write).collect::<Vec<_>>())
}

/// Reads the numbers of a vector or of what is made of vectors: JSON without tags has them as a list.
pub(crate) fn numbers(value: &Value) -> Result<serde_json::Value, String> {
    let mut json = Vec::new();
    let form = variant_text::json::JsonForm { plain: true, compact: true, tags_floats: false };
    let written = variant_text::json::write(&encoded(value)?, &Rules::engine(), form, &mut json);
    written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())?;
    serde_json::from_slice(&json).map_err(|error| error.to_string())
}
