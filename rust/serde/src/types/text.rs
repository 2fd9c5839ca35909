//! Defines `StringName`, `NodePath` and `RID`.

use std::fmt::{self, Display};

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};
use variant_core::{Rules, Value, VariantType};

use super::GodotType;
use super::packed::marked;
use crate::mark::{Mark, read};

/// Godot's `StringName`, which a plain `String` is read from as well, but never written as.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringName(pub String);

impl From<&str> for StringName {
    fn from(text: &str) -> StringName {
        StringName(text.to_owned())
    }
}

impl From<String> for StringName {
    fn from(text: String) -> StringName {
        StringName(text)
    }
}

marked! { StringName [] }

/// Godot's `NodePath`: `/root/Main:position:x` as text, and through other formats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NodePath {
    /// Whether it begins with a slash.
    pub absolute: bool,
    /// The names of nodes.
    pub names: Vec<String>,
    /// The names of properties, after the colons.
    pub subnames: Vec<String>,
}

impl NodePath {
    pub(crate) fn encoded(&self) -> Vec<u8> {
        let NodePath { absolute, names, subnames } = self.clone();
        let path = variant_core::NodePath { absolute, names, subnames };
        Value::from(path).encode().unwrap_or_default()
    }
}

impl From<&variant_core::NodePath> for NodePath {
    fn from(path: &variant_core::NodePath) -> NodePath {
        let variant_core::NodePath { absolute, names, subnames } = path.clone();
        NodePath { absolute, names, subnames }
    }
}

/// As Godot cuts a text: names between slashes, where empty ones are none, then what stands behind colons.
impl From<&str> for NodePath {
    fn from(text: &str) -> NodePath {
        NodePath::from(&variant_core::NodePath::from(text))
    }
}

impl Display for NodePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.absolute { "/" } else { "" })?;
        f.write_str(&self.names.join("/"))?;
        self.subnames.iter().try_for_each(|name| write!(f, ":{name}"))
    }
}

impl Serialize for NodePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = Mark::Own(VariantType::NodePath).name();
        serializer.serialize_newtype_struct(name, &TwoForms(|| self.encoded(), &self.to_string()))
    }
}

impl<'de> Deserialize<'de> for NodePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<NodePath, D::Error> {
        deserializer.deserialize_newtype_struct(Mark::Own(VariantType::NodePath).name(), PathVisitor)
    }
}

struct PathVisitor;

impl<'de> Visitor<'de> for PathVisitor {
    type Value = NodePath;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(VariantType::NodePath.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<NodePath, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_string(self)
        } else {
            deserializer.deserialize_bytes(self)
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<NodePath, E> {
        Ok(NodePath::from(text))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<NodePath, E> {
        match EncodedVisitor.visit_bytes(bytes)? {
            Value::NodePath(path) => Ok(NodePath::from(path.as_ref())),
            _ => Err(E::invalid_type(Unexpected::Other("another value"), &self)),
        }
    }
}

/// Shows formats for people a text or a number, and ours the bytes of the value.
pub(super) struct TwoForms<'t, F, T: ?Sized>(pub(super) F, pub(super) &'t T);

impl<F: Fn() -> Vec<u8>, T: Serialize + ?Sized> Serialize for TwoForms<'_, F, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            self.1.serialize(serializer)
        } else {
            serializer.serialize_bytes(&(self.0)())
        }
    }
}

/// Reads a value from its bytes, which were judged before or are what a program has written itself.
pub(super) struct EncodedVisitor;

impl<'de> Visitor<'de> for EncodedVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value of Godot's")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_bytes(self)
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Value, E> {
        let rules = Rules { full_objects: true, ..Rules::engine() };
        variant_core::decode(bytes, &rules).map_err(E::custom)
    }
}

/// Godot's `RID`: the number of something in a running game. SAFE's presets refuse it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rid(pub u64);

marked! { Rid [] }
