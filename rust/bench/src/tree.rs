//! Defines the tree that JSON and MessagePack get: as many nodes as a `Value`, entries in order, no hashing.
//! Vectors are lists of numbers, as those formats have none. It knows neither format.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use variant_core::{Reals, Value};

/// Holds a value of either format.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Tree {
    /// Converts a value, or returns `None` for a type that neither format has, or a key that is not text as
    /// JSON wants it.
    pub(crate) fn of(value: &Value) -> Option<Tree> {
        Some(match value {
            Value::Nil => Tree::Nil,
            Value::Bool(value) => Tree::Bool(*value),
            Value::Int(value) => Tree::Int(*value),
            Value::Float(value) => Tree::Float(*value),
            Value::String(text) | Value::StringName(text) => Tree::Text(text.clone()),
            Value::Vector3(Reals::Single(numbers)) => numbers_of(numbers),
            Value::Color(numbers) => numbers_of(numbers),
            Value::PackedFloat32Array(numbers) => numbers_of(numbers),
            Value::Array(array) => Tree::List(array.items.iter().map(Tree::of).collect::<Option<_>>()?),
            Value::Dictionary(dictionary) => {
                let entry = |(key, value): &(Value, Value)| Some((key_of(key)?, Tree::of(value)?));
                Tree::Map(dictionary.entries.iter().map(entry).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

fn numbers_of(numbers: &[f32]) -> Tree {
    Tree::List(numbers.iter().map(|number| Tree::Float(f64::from(*number))).collect())
}

fn key_of(key: &Value) -> Option<String> {
    match key {
        Value::String(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        _ => None,
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Tree::Nil => serializer.serialize_unit(),
            Tree::Bool(value) => serializer.serialize_bool(*value),
            Tree::Int(value) => serializer.serialize_i64(*value),
            // Both formats read a whole number back as an int unless it was written as a float, which both
            // do.
            Tree::Float(value) => serializer.serialize_f64(*value),
            Tree::Text(text) => serializer.serialize_str(text),
            Tree::List(items) => serializer.collect_seq(items),
            Tree::Map(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                entries.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(AnyTree)
    }
}

struct AnyTree;

impl<'de> Visitor<'de> for AnyTree {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        Ok(Tree::Nil)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tree, E> {
        i64::try_from(value).map(Tree::Int).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Tree, E> {
        Ok(Tree::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        // The count is trusted up to a bound, as serde itself does.
        let mut items = Vec::with_capacity(list.size_hint().unwrap_or(0).min(4096));
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::with_capacity(map.size_hint().unwrap_or(0).min(4096));
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Tree::Map(entries))
    }
}
