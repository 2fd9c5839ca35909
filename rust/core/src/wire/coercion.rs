//! Decides what a typed container does with an element of another type: keep, convert or drop it.
//!
//! The table is FORMAT.md 5.3, recorded from 4.6.3. Only ENGINE strictness ever converts or drops; everywhere
//! else a mismatch is an error.

use super::types::{Layout, VariantType};

/// Says what the engine does with an element whose type is not the declared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coercion {
    /// The element has the declared type.
    Same,
    /// A strict conversion exists; the engine applies it.
    Convert,
    /// No conversion exists: the engine logs an error and drops the element.
    Drop,
}

/// Returns what Godot 4.6 does with a value of type `actual` in a container declared to hold `declared`.
///
/// `Nil` into `Object` counts as [`Coercion::Same`]: it is how the engine writes a null object.
#[must_use]
pub const fn coercion(declared: VariantType, actual: VariantType) -> Coercion {
    use VariantType as T;
    if declared.id() == actual.id() {
        return Coercion::Same;
    }
    let converts = match (declared, actual) {
        (T::Object, T::Nil) => return Coercion::Same,
        (T::Bool, T::Int | T::Float) | (T::Int, T::Bool | T::Float) | (T::Float, T::Bool | T::Int) => true,
        (T::String, T::StringName | T::NodePath) | (T::StringName | T::NodePath, T::String) => true,
        (T::Vector2, T::Vector2i) | (T::Vector2i, T::Vector2) => true,
        (T::Vector3, T::Vector3i) | (T::Vector3i, T::Vector3) => true,
        (T::Vector4, T::Vector4i) | (T::Vector4i, T::Vector4) => true,
        (T::Rect2, T::Rect2i) | (T::Rect2i, T::Rect2) => true,
        (T::Transform2D, T::Transform3D) => true,
        (T::Transform3D, T::Transform2D | T::Basis | T::Quaternion | T::Projection) => true,
        (T::Projection, T::Transform3D) => true,
        (T::Basis, T::Quaternion) | (T::Quaternion, T::Basis) => true,
        (T::Color, T::Int | T::String) | (T::Rid, T::Object) => true,
        (T::Array, other) | (other, T::Array) => is_packed(other),
        _ => false,
    };
    if converts { Coercion::Convert } else { Coercion::Drop }
}

const fn is_packed(ty: VariantType) -> bool {
    matches!(ty.layout(), Layout::Packed(..) | Layout::PackedStrings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use VariantType as T;

    #[test]
    fn rows_of_format_5_3() {
        assert_eq!(coercion(T::Int, T::Float), Coercion::Convert);
        assert_eq!(coercion(T::Int, T::String), Coercion::Drop);
        assert_eq!(coercion(T::Array, T::PackedColorArray), Coercion::Convert);
        assert_eq!(coercion(T::PackedStringArray, T::Array), Coercion::Convert);
        assert_eq!(coercion(T::PackedStringArray, T::PackedByteArray), Coercion::Drop);
        assert_eq!(coercion(T::Object, T::Nil), Coercion::Same);
        assert_eq!(coercion(T::Int, T::Nil), Coercion::Drop);
        assert_eq!(coercion(T::Color, T::Int), Coercion::Convert);
        assert_eq!(coercion(T::Int, T::Color), Coercion::Drop);
    }

    /// Tests FORMAT.md 5.3 whole: the listed conversions exist, and no others.
    #[test]
    fn every_pair_is_in_the_table_or_drops() {
        let table: &[(T, &[T])] = &[
            (T::Bool, &[T::Int, T::Float]),
            (T::Int, &[T::Bool, T::Float]),
            (T::Float, &[T::Bool, T::Int]),
            (T::String, &[T::StringName, T::NodePath]),
            (T::StringName, &[T::String]),
            (T::NodePath, &[T::String]),
            (T::Vector2, &[T::Vector2i]),
            (T::Vector2i, &[T::Vector2]),
            (T::Vector3, &[T::Vector3i]),
            (T::Vector3i, &[T::Vector3]),
            (T::Vector4, &[T::Vector4i]),
            (T::Vector4i, &[T::Vector4]),
            (T::Rect2, &[T::Rect2i]),
            (T::Rect2i, &[T::Rect2]),
            (T::Transform2D, &[T::Transform3D]),
            (T::Transform3D, &[T::Transform2D, T::Basis, T::Quaternion, T::Projection]),
            (T::Projection, &[T::Transform3D]),
            (T::Basis, &[T::Quaternion]),
            (T::Quaternion, &[T::Basis]),
            (T::Color, &[T::Int, T::String]),
            (T::Rid, &[T::Object]),
        ];
        let packed = |ty: T| ty.name().starts_with("Packed");
        for declared in VariantType::ALL {
            for actual in VariantType::ALL {
                let is_listed = table.iter().any(|(to, from)| to == declared && from.contains(actual));
                let is_array =
                    *declared == T::Array && packed(*actual) || *actual == T::Array && packed(*declared);
                let expected = match (is_listed || is_array, declared == actual) {
                    (_, true) => Coercion::Same,
                    (true, _) => Coercion::Convert,
                    _ if (*declared, *actual) == (T::Object, T::Nil) => Coercion::Same,
                    _ => Coercion::Drop,
                };
                assert_eq!(coercion(*declared, *actual), expected, "{declared} from {actual}");
            }
        }
    }
}
