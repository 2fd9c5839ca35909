//! Builds a schema of every type by its name, as `VariantSchema` of GDScript and the JSON of schemas have them.

use variant_core::VariantType;

use crate::schema::Schema;

/// Calls a macro with every type that has a builder of its own: the builder's name here, its name in GDScript and in JSON, and the
/// type. In GDScript those of numbers have arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! type_builders {
    ($call:ident) => {
        $call! {
            [int int Int; float float Float;]
            null nil Nil;
            bool bool Bool;
            string string String;
            vector2 vector2 Vector2;
            vector2i vector2i Vector2i;
            rect2 rect2 Rect2;
            rect2i rect2i Rect2i;
            vector3 vector3 Vector3;
            vector3i vector3i Vector3i;
            transform2d transform2d Transform2D;
            vector4 vector4 Vector4;
            vector4i vector4i Vector4i;
            plane plane Plane;
            quaternion quaternion Quaternion;
            aabb aabb Aabb;
            basis basis Basis;
            transform3d transform3d Transform3D;
            projection projection Projection;
            color color Color;
            string_name string_name StringName;
            node_path node_path NodePath;
            rid rid Rid;
            object object_id Object;
            callable callable Callable;
            signal signal Signal;
            packed_byte_array packed_byte_array PackedByteArray;
            packed_int32_array packed_int32_array PackedInt32Array;
            packed_int64_array packed_int64_array PackedInt64Array;
            packed_float32_array packed_float32_array PackedFloat32Array;
            packed_float64_array packed_float64_array PackedFloat64Array;
            packed_string_array packed_string_array PackedStringArray;
            packed_vector2_array packed_vector2_array PackedVector2Array;
            packed_vector3_array packed_vector3_array PackedVector3Array;
            packed_color_array packed_color_array PackedColorArray;
            packed_vector4_array packed_vector4_array PackedVector4Array;
        }
    };
}

macro_rules! builders {
    ([$($number:ident $number_word:ident $number_type:ident;)*] $($name:ident $word:ident $ty:ident;)*) => {
        builders! { $($number $number_word $number_type)* $($name $word $ty)* }
    };
    ($($name:ident $word:ident $ty:ident)*) => {
        /// A schema of every type by its name, but for the few that take arguments. Types have to agree: an int is no float, and
        /// a String is no StringName.
        ///
        /// ```
        /// use variant_schema::Schema;
        ///
        /// let at = Schema::dict([("cell", Schema::vector2i()), ("color", Schema::color()), ("on", Schema::bool())]);
        /// assert!(at.compile().is_ok());
        /// ```
        impl Schema {
            $(
                #[doc = concat!("A value of the type `", stringify!($ty), "`.")]
                #[must_use]
                pub fn $name() -> Schema {
                    Schema::of_type(VariantType::$ty)
                }
            )*
        }

        /// The word for each type: the name of its builder in GDScript.
        pub(crate) const TYPE_WORDS: &[(&str, VariantType)] = &[
            $((stringify!($word), VariantType::$ty),)*
            ("any_array", VariantType::Array),
            ("any_dictionary", VariantType::Dictionary),
        ];

        #[cfg(test)]
        const BUILT: &[(fn() -> Schema, VariantType)] = &[$((Schema::$name, VariantType::$ty)),*];
    };
}

type_builders! { builders }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Shape;

    /// Every type has a builder: these, and `array` and `dict`.
    #[test]
    fn every_type_has_a_builder() {
        let built = BUILT.iter().map(|(build, ty)| {
            assert_eq!(build().shape(), &Shape::Type(*ty));
            *ty
        });
        let mut all: Vec<VariantType> = built.collect();
        all.extend([VariantType::Array, VariantType::Dictionary]);
        all.sort_unstable();
        assert_eq!(all, VariantType::ALL);
    }
}
