//! Defines arrays and dictionaries that say what they hold, as `Array[int]` and `Dictionary[String, int]`
//! in GDScript.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use variant_core::VariantType;

use super::math::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use super::packed::{
    PackedByteArray, PackedColorArray, PackedFloat32Array, PackedFloat64Array, PackedInt32Array,
    PackedInt64Array, PackedStringArray, PackedVector2Array, PackedVector3Array, PackedVector4Array,
};
use super::text::{NodePath, Rid, StringName};
use crate::mark::Mark;

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
    Vector2i: Vector2i;
    Rect2i: Rect2i;
    Vector3i: Vector3i;
    Vector4i: Vector4i;
    Color: Color;
    StringName: StringName;
    NodePath: NodePath;
    Rid: Rid;
    PackedByteArray: PackedByteArray;
    PackedInt32Array: PackedInt32Array;
    PackedInt64Array: PackedInt64Array;
    PackedFloat32Array: PackedFloat32Array;
    PackedFloat64Array: PackedFloat64Array;
    PackedStringArray: PackedStringArray;
    PackedColorArray: PackedColorArray;
}

macro_rules! of_reals {
    ($($name:ident)*) => {
        $(
            impl<R> GodotType for $name<R> {
                const TYPE: VariantType = VariantType::$name;
            }
        )*
    };
}

of_reals! {
    Vector2 Vector3 Vector4 Rect2 Transform2D Plane Quaternion Aabb Basis Transform3D Projection
    PackedVector2Array PackedVector3Array PackedVector4Array
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
        let what = InnerReader::<L>(None, L::Item::TYPE, PhantomData);
        deserializer.deserialize_newtype_struct(Mark::Element(L::Item::TYPE).name(), what).map(Typed)
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
        let what = InnerReader::<M>(Some(M::Key::TYPE), M::Value::TYPE, PhantomData);
        deserializer.deserialize_newtype_struct(Mark::Value(M::Value::TYPE).name(), what).map(OfValues)
    }
}

impl<M: Map + Serialize> Serialize for TypedMap<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(Mark::Key(M::Key::TYPE).name(), &OfValues(&self.0))
    }
}

impl<'de, M: Map + Deserialize<'de>> Deserialize<'de> for TypedMap<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TypedMap<M>, D::Error> {
        let what = InnerReader::<OfValues<M>>(Some(M::Key::TYPE), M::Value::TYPE, PhantomData);
        deserializer
            .deserialize_newtype_struct(Mark::Key(M::Key::TYPE).name(), what)
            .map(|map| TypedMap(map.0))
    }
}

/// Reads what a newtype is around. The types of keys and values are for the message.
struct InnerReader<T>(Option<VariantType>, VariantType, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for InnerReader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(key) => write!(f, "Dictionary[{key}, {}]", self.1),
            None => write!(f, "Array[{}]", self.1),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}
