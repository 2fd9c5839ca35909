//! Defines arrays and dictionaries that say what they hold, as `Array[int]` and `Dictionary[String, int]`
//! in GDScript.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use variant_core::VariantType;

use super::text::NodePath;
use crate::mark::{Mark, read};

/// A type that is always the same type of Godot's, so that a container can declare it.
///
/// ```
/// use variant_serde::{GodotType, VariantType};
///
/// struct Player {
///     name: String,
/// }
///
/// impl GodotType for Player {
///     const TYPE: VariantType = VariantType::Dictionary;
/// }
/// ```
pub trait GodotType {
    /// The type that it is written as.
    const TYPE: VariantType;
}

macro_rules! godot_types {
    ($($ty:ident: $($rust:ty),*;)*) => {
        $($(
            impl GodotType for $rust {
                const TYPE: VariantType = VariantType::$ty;
            }
        )*)*
    };
}

godot_types! {
    Bool: bool;
    Int: i8, i16, i32, i64, u8, u16, u32, u64, isize, usize;
    Float: f32, f64;
    String: String, &str, char;
    NodePath: NodePath;
}

impl<T> GodotType for Vec<T> {
    const TYPE: VariantType = VariantType::Array;
}

impl<T> GodotType for Typed<T> {
    const TYPE: VariantType = VariantType::Array;
}

impl<M> GodotType for TypedMap<M> {
    const TYPE: VariantType = VariantType::Dictionary;
}

impl<K, V, S> GodotType for HashMap<K, V, S> {
    const TYPE: VariantType = VariantType::Dictionary;
}

impl<K, V> GodotType for BTreeMap<K, V> {
    const TYPE: VariantType = VariantType::Dictionary;
}

/// A typed Array: `Typed<Vec<i64>>` is `Array[int]`, and nothing else is read as one. A plain `Vec` reads
/// both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Typed<L>(pub L);

/// Names the elements of a list.
pub trait List {
    /// The type of its elements.
    type Item: GodotType;
}

impl<T: GodotType> List for Vec<T> {
    type Item = T;
}

impl<T: GodotType, const N: usize> List for [T; N] {
    type Item = T;
}

impl<T: GodotType> List for Box<[T]> {
    type Item = T;
}

impl<T: GodotType> List for std::collections::VecDeque<T> {
    type Item = T;
}

impl<L: List + Serialize> Serialize for Typed<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Mark::Element(L::Item::TYPE).name(), &self.0)
    }
}

impl<'de, L: List + Deserialize<'de>> Deserialize<'de> for Typed<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Typed<L>, D::Error> {
        let ty = L::Item::TYPE;
        read(Mark::Element(ty), ContainerTypes(None, ty), deserializer).map(Typed)
    }
}

/// A typed Dictionary: `TypedMap<HashMap<String, i64>>` is `Dictionary[String, int]`, and nothing else is
/// read as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypedMap<M>(pub M);

/// Names the keys and values of a map.
pub trait Map {
    /// The type of its keys.
    type Key: GodotType;
    /// The type of its values.
    type Value: GodotType;
}

impl<K: GodotType, V: GodotType, S> Map for HashMap<K, V, S> {
    type Key = K;
    type Value = V;
}

impl<K: GodotType, V: GodotType> Map for BTreeMap<K, V> {
    type Key = K;
    type Value = V;
}

/// The inner one of the two newtypes that a typed Dictionary is.
struct OfValues<T>(T);

impl<M: Map + Serialize> Serialize for OfValues<&M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Mark::Value(M::Value::TYPE).name(), self.0)
    }
}

impl<'de, M: Map + Deserialize<'de>> Deserialize<'de> for OfValues<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OfValues<M>, D::Error> {
        let types = ContainerTypes(Some(M::Key::TYPE), M::Value::TYPE);
        read(Mark::Value(M::Value::TYPE), types, deserializer).map(OfValues)
    }
}

impl<M: Map + Serialize> Serialize for TypedMap<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Mark::Key(M::Key::TYPE).name(), &OfValues(&self.0))
    }
}

impl<'de, M: Map + Deserialize<'de>> Deserialize<'de> for TypedMap<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TypedMap<M>, D::Error> {
        let types = ContainerTypes(Some(M::Key::TYPE), M::Value::TYPE);
        read(Mark::Key(M::Key::TYPE), types, deserializer).map(|OfValues(map)| TypedMap(map))
    }
}

/// Names a container by the types that it declares, of keys and of values.
struct ContainerTypes(Option<VariantType>, VariantType);

impl fmt::Display for ContainerTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(key) => write!(f, "Dictionary[{key}, {}]", self.1),
            None => write!(f, "Array[{}]", self.1),
        }
    }
}
