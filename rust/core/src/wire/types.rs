//! Holds the one table of Variant types: id, name, payload layout. Every other list of the 39 is derived from
//! it.

/// Says what one number of a payload is. `Real` is 32 bits, or 64 when the header carries
/// [`WIDE`](super::WIDE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lane {
    /// A byte.
    U8,
    /// Signed 32 bits.
    I32,
    /// Signed 64 bits.
    I64,
    /// Single precision, whatever the build.
    F32,
    /// Double precision, whatever the build.
    F64,
    /// Godot's `real_t`: single precision, or double when the header is wide.
    Real,
}

impl Lane {
    /// Returns the bytes of one lane; a real counts as the single that most engines write.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Lane::U8 => 1,
            Lane::I32 | Lane::F32 | Lane::Real => 4,
            Lane::I64 | Lane::F64 => 8,
        }
    }
}

/// Names the layout of a payload. There is one reader, one writer and one sink arm per layout, not per type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Nothing follows the header.
    Nil,
    /// A u32, zero or one.
    Bool,
    /// i32, or i64 when wide.
    Int,
    /// f32, or f64 when wide.
    Float,
    /// u32 byte length, UTF-8, zero padding to a multiple of 4.
    Text,
    /// A fixed number of lanes.
    Math(Lane, u8),
    /// Name count, sub-name count, flags, then that many texts.
    NodePath,
    /// A u64.
    Rid,
    /// A u64 instance id, or class name and properties.
    Object,
    /// Nothing follows the header: the target is lost.
    Callable,
    /// A text and a u64 instance id.
    Signal,
    /// Descriptors, u32 count, key and value alternating.
    Dictionary,
    /// Descriptor, u32 count, elements.
    Array,
    /// u32 count, then that many elements of this many lanes each.
    Packed(Lane, u8),
    /// u32 count, then texts whose length counts a terminating NUL.
    PackedStrings,
}

/// Calls `$apply!` with one row per type: its id in Godot 4, in Godot 3 and in the published pages (`-`: it
/// has none there), Rust name, Godot's name, layout.
macro_rules! for_each_variant_type {
    ($apply:ident) => {
        $apply! {
            0 0 0 Nil "Nil" Layout::Nil,
            1 1 1 Bool "bool" Layout::Bool,
            2 2 2 Int "int" Layout::Int,
            3 3 3 Float "float" Layout::Float,
            4 4 4 String "String" Layout::Text,
            5 5 5 Vector2 "Vector2" Layout::Math(Lane::Real, 2),
            6 - - Vector2i "Vector2i" Layout::Math(Lane::I32, 2),
            7 6 6 Rect2 "Rect2" Layout::Math(Lane::Real, 4),
            8 - - Rect2i "Rect2i" Layout::Math(Lane::I32, 4),
            9 7 7 Vector3 "Vector3" Layout::Math(Lane::Real, 3),
            10 - - Vector3i "Vector3i" Layout::Math(Lane::I32, 3),
            11 8 8 Transform2D "Transform2D" Layout::Math(Lane::Real, 6),
            12 - - Vector4 "Vector4" Layout::Math(Lane::Real, 4),
            13 - - Vector4i "Vector4i" Layout::Math(Lane::I32, 4),
            14 9 9 Plane "Plane" Layout::Math(Lane::Real, 4),
            15 10 10 Quaternion "Quaternion" Layout::Math(Lane::Real, 4),
            16 11 11 Aabb "AABB" Layout::Math(Lane::Real, 6),
            17 12 12 Basis "Basis" Layout::Math(Lane::Real, 9),
            18 13 13 Transform3D "Transform3D" Layout::Math(Lane::Real, 12),
            19 - - Projection "Projection" Layout::Math(Lane::Real, 16),
            20 14 14 Color "Color" Layout::Math(Lane::F32, 4),
            21 - - StringName "StringName" Layout::Text,
            22 15 15 NodePath "NodePath" Layout::NodePath,
            23 16 - Rid "RID" Layout::Rid,
            24 17 17 Object "Object" Layout::Object,
            25 - - Callable "Callable" Layout::Callable,
            26 - - Signal "Signal" Layout::Signal,
            27 18 18 Dictionary "Dictionary" Layout::Dictionary,
            28 19 19 Array "Array" Layout::Array,
            29 20 20 PackedByteArray "PackedByteArray" Layout::Packed(Lane::U8, 1),
            30 21 21 PackedInt32Array "PackedInt32Array" Layout::Packed(Lane::I32, 1),
            31 - 22 PackedInt64Array "PackedInt64Array" Layout::Packed(Lane::I64, 1),
            32 22 23 PackedFloat32Array "PackedFloat32Array" Layout::Packed(Lane::F32, 1),
            33 - 24 PackedFloat64Array "PackedFloat64Array" Layout::Packed(Lane::F64, 1),
            34 23 25 PackedStringArray "PackedStringArray" Layout::PackedStrings,
            35 24 26 PackedVector2Array "PackedVector2Array" Layout::Packed(Lane::Real, 2),
            36 25 27 PackedVector3Array "PackedVector3Array" Layout::Packed(Lane::Real, 3),
            37 26 28 PackedColorArray "PackedColorArray" Layout::Packed(Lane::F32, 4),
            38 - - PackedVector4Array "PackedVector4Array" Layout::Packed(Lane::Real, 4),
        }
    };
}

macro_rules! id_or_none {
    (-) => {
        None
    };
    ($id:literal) => {
        Some($id)
    };
}

macro_rules! define_variant_type {
    ($($id:literal $godot_3:tt $documented:tt $name:ident $godot:literal $layout:expr,)*) => {
        /// Names Godot 4's `Variant.Type`, in the engine's order; the discriminant is the type id on the
        /// wire.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum VariantType {
            $(
                #[doc = concat!("`", $godot, "`, id ", stringify!($id), ".")]
                $name = $id,
            )*
        }

        impl VariantType {
            /// Lists every type, in id order.
            pub const ALL: &[VariantType] = &[$(VariantType::$name),*];

            /// Returns the type with this id, if there is one.
            #[must_use]
            pub const fn from_id(id: u8) -> Option<VariantType> {
                match id {
                    $($id => Some(VariantType::$name),)*
                    _ => None,
                }
            }

            /// Returns the type id on the wire, `Variant.Type` in GDScript.
            #[must_use]
            pub const fn id(self) -> u8 {
                match self {
                    $(VariantType::$name => $id,)*
                }
            }

            /// Returns the type id in Godot 3, or `None` where Godot 3 has no such type.
            pub(crate) const fn godot_3_id(self) -> Option<u8> {
                match self {
                    $(VariantType::$name => id_or_none!($godot_3),)*
                }
            }

            /// Returns the type id that the published pages print, or `None` for a type they leave out.
            pub(crate) const fn documented_id(self) -> Option<u8> {
                match self {
                    $(VariantType::$name => id_or_none!($documented),)*
                }
            }

            /// Returns the engine's name of the type, as `type_string()` gives it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(VariantType::$name => $godot,)*
                }
            }

            /// Returns the layout of its payload.
            #[must_use]
            pub const fn layout(self) -> Layout {
                match self {
                    $(VariantType::$name => $layout,)*
                }
            }
        }

        impl std::fmt::Display for VariantType {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

for_each_variant_type!(define_variant_type);
pub(crate) use for_each_variant_type;

/// The number of types: `TYPE_MAX` of Godot 4.3 to 4.7.
pub(crate) const VARIANT_TYPE_COUNT: u8 = 39;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_dense_and_come_back() {
        assert_eq!(VariantType::ALL.len(), usize::from(VARIANT_TYPE_COUNT));
        for (at, ty) in VariantType::ALL.iter().enumerate() {
            assert_eq!(usize::from(ty.id()), at);
            assert_eq!(VariantType::from_id(ty.id()), Some(*ty));
        }
        assert_eq!(VariantType::from_id(VARIANT_TYPE_COUNT), None);
        assert_eq!(VariantType::from_id(255), None);
    }
}
