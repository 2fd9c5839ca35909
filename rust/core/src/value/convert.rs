//! Converts between Rust's types and Values: enough to answer a packet without naming each variant. It
//! changes no number and no text: an int is no float here, as it is none in the bytes.

use super::{Array, Dictionary, NodePath, Object, Signal, Value};

/// Looking into a tree.
///
/// ```
/// use variant_core::{Rules, Value, decode};
///
/// let packet = Value::from([("seq", Value::from(7)), ("say", Value::from("hello"))]).encode()?;
/// let packet = decode(&packet, &Rules::default())?;
/// let packet = packet.as_dictionary().ok_or("no Dictionary")?;
/// assert_eq!(packet.get("seq").and_then(Value::as_int), Some(7));
/// assert_eq!(packet.get("say").and_then(Value::as_str), Some("hello"));
/// assert_eq!(packet.get("to"), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Value {
    /// Whether it is null.
    #[must_use]
    pub const fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }
}

macro_rules! value_as {
    ($($(#[doc = $doc:literal])+ $name:ident $of:ty: $variant:pat => $value:expr;)*) => {
        impl Value {
            $(
                $(#[doc = $doc])+
                #[must_use]
                pub const fn $name(&self) -> Option<$of> {
                    match self {
                        $variant => Some($value),
                        _ => None,
                    }
                }
            )*
        }
    };
}

value_as! {
    /// The bool that it is, if it is one.
    as_bool bool: Value::Bool(value) => *value;
    /// The int that it is, if it is one.
    as_int i64: Value::Int(value) => *value;
    /// The float that it is, if it is one. An int is none: Godot writes `1` and `1.0` as two types.
    as_float f64: Value::Float(value) => *value;
    /// The text that it is, if it is a String or a StringName.
    as_str &str: Value::String(text) | Value::StringName(text) => text.as_str();
    /// The bytes that it is, if it is a PackedByteArray.
    as_bytes &[u8]: Value::PackedByteArray(bytes) => bytes.as_slice();
    /// The Array that it is, if it is one. Packed arrays are none.
    as_array &Array: Value::Array(array) => &**array;
    /// The Dictionary that it is, if it is one.
    as_dictionary &Dictionary: Value::Dictionary(dictionary) => &**dictionary;
}

impl Dictionary {
    /// Returns the value under this text, be its key a String or a StringName: one key to Godot. Where a key
    /// comes twice, which only ENGINE reads, the last one counts, as in the engine. It looks at each entry;
    /// for many keys make a map of them.
    ///
    /// ```
    /// use variant_core::{Dictionary, Value};
    ///
    /// let hero: Dictionary = [("hp", 80), ("level", 3)].into_iter().collect();
    /// assert_eq!(hero.get("hp"), Some(&Value::Int(80)));
    /// ```
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entries.iter().rev().find(|(name, _)| name.as_str() == Some(key)).map(|(_, value)| value)
    }
}

/// A value of each of these types is the variant of its name, a number that of its kind.
macro_rules! value_from {
    ($($from:ty => $value:expr;)*) => {
        $(impl From<$from> for Value {
            fn from(value: $from) -> Value {
                #[allow(clippy::redundant_closure_call, reason = "it names the argument")]
                $value(value)
            }
        })*
    };
}

value_from! {
    bool => Value::Bool;
    i8 => |value| Value::Int(i64::from(value));
    i16 => |value| Value::Int(i64::from(value));
    i32 => |value| Value::Int(i64::from(value));
    u8 => |value| Value::Int(i64::from(value));
    u16 => |value| Value::Int(i64::from(value));
    u32 => |value| Value::Int(i64::from(value));
    i64 => Value::Int;
    f32 => |value| Value::Float(f64::from(value));
    f64 => Value::Float;
    &str => |value: &str| Value::String(value.to_owned());
    String => Value::String;
    Vec<u8> => Value::PackedByteArray;
    Vec<Value> => |items| Value::from(Array { items, ..Array::default() });
    Array => |value| Value::Array(Box::new(value));
    Dictionary => |value| Value::Dictionary(Box::new(value));
    NodePath => |value| Value::NodePath(Box::new(value));
    Signal => |value| Value::Signal(Box::new(value));
    Object => |value| Value::Object(Box::new(value));
}

/// An untyped Array.
///
/// ```
/// # use variant_core::Value;
/// let both = Value::from([Value::from(1), Value::from("one")]);
/// assert_eq!(both.as_array().map(|array| array.items.len()), Some(2));
/// ```
impl<const N: usize> From<[Value; N]> for Value {
    fn from(items: [Value; N]) -> Value {
        Value::from(Vec::from(items))
    }
}

/// An untyped Dictionary, in this order. Nobody looks whether a key comes twice.
///
/// ```
/// # use variant_core::Value;
/// let bytes = Value::from([("hp", 80)]).encode()?;
/// assert_eq!(bytes.len(), 28);
/// # Ok::<(), variant_core::Error>(())
/// ```
impl<K: Into<Value>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Value {
    fn from(entries: [(K, V); N]) -> Value {
        Value::from(Dictionary::from_iter(entries))
    }
}

/// An untyped one.
///
/// ```
/// # use variant_core::{Array, Value};
/// let squares: Array = (1..=3).map(|number| number * number).collect();
/// assert_eq!(squares.items, [Value::Int(1), Value::Int(4), Value::Int(9)]);
/// ```
impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Array {
        Array { items: items.into_iter().map(Into::into).collect(), ..Array::default() }
    }
}

/// An untyped one, in this order.
impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Dictionary {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Dictionary {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect();
        Dictionary { entries, ..Dictionary::default() }
    }
}

/// Cuts a text as Godot does: names between slashes, where empty ones are none, then what stands behind colons.
impl From<&str> for NodePath {
    fn from(text: &str) -> NodePath {
        let (path, rest) = text.split_once(':').unwrap_or((text, ""));
        let parts = |text: &str, by: char| {
            text.split(by).filter(|part| !part.is_empty()).map(str::to_owned).collect()
        };
        NodePath { absolute: path.starts_with('/'), names: parts(path, '/'), subnames: parts(rest, ':') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_what_it_was_made_of_and_nothing_else() {
        let values = [
            Value::Nil,
            true.into(),
            7.into(),
            7_u32.into(),
            (1_i64 << 40).into(),
            0.5.into(),
            0.5_f32.into(),
            "text".into(),
            String::from("text").into(),
            Value::StringName("text".into()),
            vec![1_u8, 2].into(),
            Array::default().into(),
            vec![Value::Nil].into(),
            Dictionary::default().into(),
        ];
        let told = |value: &Value| {
            [
                value.is_nil(),
                value.as_bool() == Some(true),
                matches!(value.as_int(), Some(7 | 0x100_0000_0000)),
                value.as_float() == Some(0.5),
                value.as_str() == Some("text"),
                value.as_bytes() == Some(&[1, 2]),
                value.as_array().is_some(),
                value.as_dictionary().is_some(),
            ]
        };
        let kinds: Vec<Option<usize>> =
            values.iter().map(|value| told(value).iter().position(|it| *it)).collect();
        let wanted = [0, 1, 2, 2, 2, 3, 3, 4, 4, 4, 5, 6, 6, 7].map(Some);
        assert_eq!(kinds, wanted);
        assert!(values.iter().all(|value| told(value).iter().filter(|it| **it).count() == 1));
    }

    #[test]
    fn boxes_are_made_for_what_has_them() {
        let path = NodePath { absolute: true, ..NodePath::default() };
        assert_eq!(Value::from(path.clone()), Value::NodePath(Box::new(path)));
        assert_eq!(Value::from(Signal::default()), Value::Signal(Box::default()));
        assert_eq!(Value::from(Object::default()), Value::Object(Box::default()));
    }

    #[test]
    fn the_last_of_two_equal_keys_is_found() {
        let entries = [(Value::from("a"), 1), (Value::StringName("a".into()), 2), (Value::from(5), 3)];
        let dictionary: Dictionary = entries.into_iter().collect();
        assert_eq!(dictionary.get("a"), Some(&Value::Int(2)));
        assert_eq!(dictionary.get("5"), None);
    }
}
