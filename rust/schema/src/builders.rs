//! Builds a schema of every type by its name, as `VariantSchema` of GDScript has them.

use variant_core::VariantType;

use crate::schema::Schema;

macro_rules! builders {
    ($($name:ident $ty:ident)*) => {
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

        #[cfg(test)]
        const BUILT: &[(fn() -> Schema, VariantType)] = &[$((Schema::$name, VariantType::$ty)),*];
    };
}

builders! {
    null Nil
    bool Bool
    int Int
    float Float
    string String
    vector2 Vector2
    vector2i Vector2i
    rect2 Rect2
    rect2i Rect2i
    vector3 Vector3
    vector3i Vector3i
    transform2d Transform2D
    vector4 Vector4
    vector4i Vector4i
    plane Plane
    quaternion Quaternion
    aabb Aabb
    basis Basis
    transform3d Transform3D
    projection Projection
    color Color
    string_name StringName
    node_path NodePath
    rid Rid
    object Object
    callable Callable
    signal Signal
    packed_byte_array PackedByteArray
    packed_int32_array PackedInt32Array
    packed_int64_array PackedInt64Array
    packed_float32_array PackedFloat32Array
    packed_float64_array PackedFloat64Array
    packed_string_array PackedStringArray
    packed_vector2_array PackedVector2Array
    packed_vector3_array PackedVector3Array
    packed_color_array PackedColorArray
    packed_vector4_array PackedVector4Array
}

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
