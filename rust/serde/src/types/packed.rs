//! Defines Godot's packed arrays, each around a `Vec`.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};
use variant_core::VariantType;

use super::GodotType;
use super::math::{Color, Real, Vector2, Vector3, Vector4};
use crate::mark::{Mark, read};

/// A newtype that is written and read by the mark of its type.
macro_rules! marked {
    ($name:ident [$($generic:ident)?]) => {
        impl$(<$generic: Real>)? Serialize for $name$(<$generic>)? {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(Mark::Own(VariantType::$name).name(), &self.0)
            }
        }

        impl<'de $(, $generic: Real)?> Deserialize<'de> for $name$(<$generic>)? {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let ty = VariantType::$name;
                read(Mark::Own(ty), ty, deserializer).map($name)
            }
        }

        impl$(<$generic>)? GodotType for $name$(<$generic>)? {
            const TYPE: VariantType = VariantType::$name;
        }
    };
}

pub(super) use marked;

macro_rules! packed {
    ($($(#[doc = $doc:literal])+ $name:ident [$($generic:ident)?] $item:ty;)*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Debug, PartialEq)]
            pub struct $name$(<$generic = f32>)?(pub Vec<$item>);

            impl$(<$generic: Real>)? Default for $name$(<$generic>)? {
                fn default() -> Self {
                    $name(Vec::new())
                }
            }

            impl$(<$generic: Real>)? From<Vec<$item>> for $name$(<$generic>)? {
                fn from(items: Vec<$item>) -> Self {
                    $name(items)
                }
            }

            marked! { $name [$($generic)?] }
        )*
    };
}

packed! {
    /// Godot's `PackedByteArray`. `serde_bytes` writes and reads the same from a `Vec<u8>` or `&[u8]`, in
    /// one go.
    PackedByteArray [] u8;
    /// Godot's `PackedInt32Array`.
    PackedInt32Array [] i32;
    /// Godot's `PackedInt64Array`.
    PackedInt64Array [] i64;
    /// Godot's `PackedFloat32Array`.
    PackedFloat32Array [] f32;
    /// Godot's `PackedFloat64Array`.
    PackedFloat64Array [] f64;
    /// Godot's `PackedStringArray`.
    PackedStringArray [] String;
    /// Godot's `PackedVector2Array`.
    PackedVector2Array [R] Vector2<R>;
    /// Godot's `PackedVector3Array`.
    PackedVector3Array [R] Vector3<R>;
    /// Godot's `PackedVector4Array`.
    PackedVector4Array [R] Vector4<R>;
    /// Godot's `PackedColorArray`.
    PackedColorArray [] Color;
}
