//! Shows a value on one line, much as GDScript writes it. Text is escaped, and long packed arrays are cut.

use std::fmt::{self, Display};

use super::source::Numbers;
use super::{Array, Dictionary, NodePath, Object, Value};
use crate::quote::QuotedText;
use crate::wire::VariantType;

/// Numbers or texts of a packed array that are shown.
const SHOWN: usize = 16;

/// `{"hp": 80, "pos": Vector2(1.5, -2)}`. For people: JSON that is read again makes `variant-text`.
///
/// ```
/// use variant_core::Value;
///
/// let hero = Value::from([("hp", Value::from(80)), ("pos", Value::Vector2([1.5_f32, -2.0].into()))]);
/// assert_eq!(hero.to_string(), r#"{"hp": 80, "pos": Vector2(1.5, -2)}"#);
/// ```
impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => f.write_str("null"),
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            // As GDScript does, so that it is no int: 1.0.
            Value::Float(value) => write!(f, "{value:?}"),
            Value::String(text) => write!(f, "{}", QuotedText::whole(text)),
            Value::StringName(text) => write!(f, "&{}", QuotedText::whole(text)),
            Value::NodePath(path) => write!(f, "^{}", QuotedText::whole(&path.to_string())),
            Value::Rid(id) => write!(f, "RID({id})"),
            Value::ObjectId(id) => write!(f, "Object({id})"),
            Value::Object(object) => write!(f, "{object}"),
            Value::Callable => f.write_str("Callable()"),
            Value::Signal(signal) => write!(f, "Signal({})", QuotedText::whole(&signal.name)),
            Value::Array(array) => write!(f, "{array}"),
            Value::Dictionary(dictionary) => write!(f, "{dictionary}"),
            Value::PackedStringArray(texts) => {
                let shown = texts.iter().map(|text| QuotedText::whole(text));
                packed(f, VariantType::PackedStringArray, shown, texts.len())
            }
            numbers => write_numbers(f, numbers),
        }
    }
}

impl Display for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        separated(f, &self.items)?;
        f.write_str("]")
    }
}

impl Display for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (key, value)) in self.entries.iter().enumerate() {
            write!(f, "{}{key}: {value}", if at == 0 { "" } else { ", " })?;
        }
        f.write_str("}")
    }
}

impl Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Object({}", QuotedText::whole(&self.class))?;
        for (name, value) in &self.properties {
            write!(f, ", {}: {value}", QuotedText::whole(name))?;
        }
        f.write_str(")")
    }
}

impl Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.absolute { "/" } else { "" })?;
        f.write_str(&self.names.join("/"))?;
        self.subnames.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

fn separated(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = impl Display>) -> fmt::Result {
    for (at, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
    }
    Ok(())
}

fn packed(
    f: &mut fmt::Formatter<'_>,
    ty: VariantType,
    items: impl Iterator<Item = impl Display>,
    count: usize,
) -> fmt::Result {
    write!(f, "{ty}(")?;
    separated(f, items.take(SHOWN))?;
    match count.checked_sub(SHOWN) {
        Some(more) if more > 0 => write!(f, ", and {more} more)"),
        _ => f.write_str(")"),
    }
}

/// The numbers of a vector, matrix or packed array.
fn write_numbers(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    let ty = value.ty();
    match Numbers::of(value) {
        Some(Numbers::U8(bytes)) => packed(f, ty, bytes.iter(), bytes.len()),
        Some(Numbers::I32(ints)) => packed(f, ty, ints.iter(), ints.len()),
        Some(Numbers::I64(ints)) => packed(f, ty, ints.iter(), ints.len()),
        Some(Numbers::F32(floats)) => packed(f, ty, floats.iter(), floats.len()),
        Some(Numbers::F64(floats)) => packed(f, ty, floats.iter(), floats.len()),
        None => write!(f, "{ty}()"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_shown() {
        let path =
            NodePath { absolute: true, names: vec!["a".into(), "b".into()], subnames: vec!["c".into()] };
        let object = Object { class: "Node".into(), properties: vec![("hp".into(), Value::Int(1))] };
        let shown = [
            (Value::Nil, "null"),
            (Value::from(1.0), "1.0"),
            (Value::from("a\n\""), r#""a\n\"""#),
            (Value::StringName("walk".into()), r#"&"walk""#),
            (Value::from(path), r#"^"/a/b:c""#),
            (Value::from(object), r#"Object("Node", "hp": 1)"#),
            (Value::Rid(3), "RID(3)"),
            (Value::Callable, "Callable()"),
            (Value::Vector3i([1, -2, 3]), "Vector3i(1, -2, 3)"),
            (Value::Color([0.5, 0.0, 1.0, 1.0]), "Color(0.5, 0, 1, 1)"),
            (
                Value::PackedByteArray(vec![0; 20]),
                "PackedByteArray(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, and 4 more)",
            ),
            (Value::PackedStringArray(vec!["a".into()]), r#"PackedStringArray("a")"#),
            (Value::from([(Value::Int(7), Value::from([Value::Nil, true.into()]))]), "{7: [null, true]}"),
            (Value::from(Array::default()), "[]"),
        ];
        for (value, text) in shown {
            assert_eq!(value.to_string(), text);
        }
    }
}
