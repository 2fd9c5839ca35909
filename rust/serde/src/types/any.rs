//! Holds a value of whatever type, in a field of a struct. Through other formats it is what it looks like.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};
use variant_core::wire::{Lane, Layout};
use variant_core::{Dictionary, Limits, Value};

use super::text::{EncodedVisitor, NodePath, TwoForms};
use crate::mark::Mark;

/// A value of any type, exactly as it was written: for what a struct passes on, or looks at later.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use variant_serde::{Any, Value};
///
/// #[derive(Serialize, Deserialize)]
/// struct Event {
///     kind: String,
///     payload: Any,
/// }
///
/// let bytes = Value::from([("kind", Value::from("hit")), ("payload", Value::Vector2i([3, 4]))]).encode()?;
/// let event: Event = variant_serde::from_slice(&bytes)?;
/// assert_eq!(event.payload.0, Value::Vector2i([3, 4]));
/// assert_eq!(variant_serde::to_vec(&event)?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Any(pub Value);

impl From<Value> for Any {
    fn from(value: Value) -> Any {
        Any(value)
    }
}

impl Serialize for Any {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // What cannot be encoded is told before it is asked for: bytes have no place for an error.
        if !serializer.is_human_readable() {
            self.0.encode_into(&mut Vec::new(), &Limits::engine()).map_err(S::Error::custom)?;
        }
        let encoded = || self.0.encode().unwrap_or_default();
        serializer.serialize_newtype_struct(Mark::Any.name(), &TwoForms(encoded, &Plain(&self.0)))
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Any, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(FromPlain).map(Any);
        }
        deserializer.deserialize_newtype_struct(Mark::Any.name(), EncodedVisitor).map(Any)
    }
}

/// A value as formats for people show it.
struct Plain<'v>(&'v Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Nil => serializer.serialize_unit(),
            Value::Bool(value) => serializer.serialize_bool(*value),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Float(value) => serializer.serialize_f64(*value),
            Value::String(text) | Value::StringName(text) => serializer.serialize_str(text),
            Value::PackedStringArray(texts) => texts.serialize(serializer),
            Value::Array(array) => {
                let mut items = serializer.serialize_seq(Some(array.items.len()))?;
                array.items.iter().try_for_each(|item| items.serialize_element(&Plain(item)))?;
                items.end()
            }
            Value::Dictionary(dictionary) => {
                let mut entries = serializer.serialize_map(Some(dictionary.entries.len()))?;
                for (key, value) in &dictionary.entries {
                    entries.serialize_entry(&Plain(key), &Plain(value))?;
                }
                entries.end()
            }
            Value::NodePath(path) => NodePath::from(path.as_ref()).to_string().serialize(serializer),
            Value::Rid(id) => serializer.serialize_u64(*id),
            other => match other.ty().layout() {
                Layout::Math(Lane::I32, _) | Layout::Packed(Lane::U8 | Lane::I32 | Lane::I64, _) => {
                    numbers::<Vec<i64>, S>(other, serializer)
                }
                Layout::Math(..) | Layout::Packed(_, 1) => numbers::<Vec<f64>, S>(other, serializer),
                _ => numbers::<Vec<Vec<f64>>, S>(other, serializer),
            },
        }
    }
}

fn numbers<T: Serialize + serde::de::DeserializeOwned, S: Serializer>(
    value: &Value,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    crate::from_value::<T>(value).map_err(S::Error::custom)?.serialize(serializer)
}

/// Builds a value of everything that formats for people can say.
struct FromPlain;

impl<'de> Visitor<'de> for FromPlain {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        let int = i64::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))?;
        Ok(Value::Int(int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Value::from(bytes.to_vec()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Any(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::from(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut dictionary = Dictionary::default();
        while let Some((Any(key), Any(value))) = entries.next_entry()? {
            dictionary.entries.push((key, value));
        }
        Ok(Value::from(dictionary))
    }
}
