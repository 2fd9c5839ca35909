//! Reads parts of values: text, numbers as text, a NodePath, an object.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, MapAccess, Visitor};
use variant_core::{NodePath, Object, Value};

use super::tagged::wrong;
use super::{AnySeed, Seed};
use crate::json::path::path_parts;

pub(super) fn text<E: de::Error>(text: String) -> Result<String, E> {
    if text.contains('\0') {
        return wrong("text without NUL, which Godot's strings cannot hold");
    }
    Ok(text)
}

/// Reads a whole number that is written as text, since not every reader of JSON keeps it.
pub(super) fn number<T: FromStr, E: de::Error>(digits: &str) -> Result<T, E> {
    digits.parse().or_else(|_| wrong("a whole number that fits, as text"))
}

pub(super) struct PathParts;

impl<'de> Visitor<'de> for PathParts {
    type Value = NodePath;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path as text, or absolute, names and subnames")
    }

    fn visit_str<E: de::Error>(self, path: &str) -> Result<NodePath, E> {
        text(path.to_owned()).map(|path| path_parts(&path))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<NodePath, A::Error> {
        let mut path = NodePath::default();
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "absolute" => path.absolute = members.next_value()?,
                "names" => path.names = members.next_value()?,
                "subnames" => path.subnames = members.next_value()?,
                _ => return wrong("absolute, names and subnames"),
            }
        }
        if path.names.iter().chain(&path.subnames).any(|name| text::<A::Error>(name.clone()).is_err()) {
            return wrong("names that Godot's strings can hold");
        }
        Ok(path)
    }
}

/// Reads an object: its instance id as text, or its class and properties.
pub(super) struct ObjectParts<'l>(pub(super) Seed<'l>);

impl<'de> Visitor<'de> for ObjectParts<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an instance id as text, or class and properties")
    }

    fn visit_str<E: de::Error>(self, id: &str) -> Result<Value, E> {
        number(id).map(Value::ObjectId)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Object::default();
        while let Some(name) = members.next_key::<String>()? {
            match name.as_str() {
                "class" => object.class = text(members.next_value()?)?,
                "properties" => object.properties = members.next_value_seed(AnySeed(Properties(self.0)))?,
                _ => return wrong("class and properties"),
            }
        }
        if object.class.is_empty() {
            wrong("the class of the object")
        } else {
            Ok(Value::Object(Box::new(object)))
        }
    }
}

struct Properties<'l>(Seed<'l>);

impl<'de> Visitor<'de> for Properties<'_> {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with properties")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut properties = Vec::new();
        while let Some(name) = members.next_key::<String>()? {
            properties.push((text(name)?, members.next_value_seed(self.0)?));
        }
        Ok(properties)
    }
}
