//! Tells from a finished tree whether an engine would write it back unchanged. CANONICAL must refuse each
//! tree that an engine would change, though this crate writes it as it was read, and nothing else that is
//! written back unchanged.

use variant_core::{ElementType, PackedReals, RealWidth, Reals, Rules, Value, VariantType};

/// Tells whether an engine that reads this tree under these rules writes it back unchanged.
#[must_use]
pub fn is_written_again(value: &Value, rules: &Rules) -> bool {
    match value {
        Value::ObjectId(_) => false,
        Value::Signal(_) => rules.limits.live_references,
        Value::Array(array) => {
            is_declared_again(&array.element, rules)
                && array.items.iter().all(|item| is_written_again(item, rules))
        }
        Value::Dictionary(dictionary) => {
            let entries = &dictionary.entries;
            is_declared_again(&dictionary.key, rules)
                && is_declared_again(&dictionary.value, rules)
                && entries
                    .iter()
                    .all(|(key, value)| is_written_again(key, rules) && is_written_again(value, rules))
        }
        Value::Object(object) => object.properties.iter().all(|(_, value)| is_written_again(value, rules)),
        other => is_wide(other).is_none_or(|is_wide| is_wide == (rules.reals == RealWidth::Double)),
    }
}

fn is_declared_again(declared: &ElementType, rules: &Rules) -> bool {
    let is_live = rules.limits.live_references;
    match declared {
        ElementType::Builtin(VariantType::Nil) => false,
        ElementType::Builtin(VariantType::Object) => rules.full_objects,
        ElementType::Builtin(VariantType::Signal) => is_live,
        ElementType::Class(name) if rules.full_objects => !name.is_empty(),
        ElementType::Class(name) => is_live && name == "EncodedObjectAsID",
        ElementType::Script(path) => rules.full_objects && path.starts_with("res://"),
        _ => true,
    }
}

/// Tells whether its numbers have the width of double precision; returns `None` for a value without such
/// numbers.
fn is_wide(value: &Value) -> Option<bool> {
    Some(match value {
        Value::Vector2(it) => of(it),
        Value::Rect2(it) | Value::Vector4(it) | Value::Plane(it) | Value::Quaternion(it) => of(it),
        Value::Vector3(it) => of(it),
        Value::Transform2D(it) | Value::Aabb(it) => of(it),
        Value::Basis(it) => of(it),
        Value::Transform3D(it) => of(it),
        Value::Projection(it) => of(it),
        Value::PackedVector2Array(it) => of_packed(it),
        Value::PackedVector3Array(it) => of_packed(it),
        Value::PackedVector4Array(it) => of_packed(it),
        _ => return None,
    })
}

const fn of<const N: usize>(numbers: &Reals<N>) -> bool {
    matches!(numbers, Reals::Double(_))
}

const fn of_packed<const N: usize>(vectors: &PackedReals<N>) -> bool {
    matches!(vectors, PackedReals::Double(_))
}
