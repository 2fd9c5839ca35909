//! Tells when the second checker takes two values for equal, and lists the numbers of a value.

use variant_core::{PackedReals, Reals, Value};

/// Tells whether two values are equal in type and content; NaN equals NaN, 0.0 equals -0.0.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
        (Value::Array(a), Value::Array(b)) => {
            a.items.len() == b.items.len() && a.items.iter().zip(&b.items).all(|(a, b)| same(a, b))
        }
        (Value::Dictionary(a), Value::Dictionary(b)) => {
            a.entries.len() == b.entries.len()
                && a.entries.iter().zip(&b.entries).all(|(a, b)| same(&a.0, &b.0) && same(&a.1, &b.1))
        }
        (a, b) if a.ty() != b.ty() => false,
        (Value::PackedStringArray(_), _) => a == b,
        (a, b) => match (parts(a), parts(b)) {
            // Empty arrays of both widths are equal.
            ((_, Some(0)), (_, Some(0))) => true,
            ((a_numbers, _), (b_numbers, _)) if !a_numbers.is_empty() || !b_numbers.is_empty() => {
                let same = |a: &f64, b: &f64| a == b || (a.is_nan() && b.is_nan());
                a_numbers.len() == b_numbers.len()
                    && a_numbers.iter().zip(&b_numbers).all(|(a, b)| same(a, b))
            }
            _ => a == b,
        },
    }
}

/// Returns the numbers of a value, and how many elements it has if it is a packed array.
pub(super) fn parts(value: &Value) -> (Vec<f64>, Option<usize>) {
    match value {
        Value::Vector2(reals) => (wide(reals), None),
        Value::Rect2(reals) | Value::Vector4(reals) | Value::Plane(reals) | Value::Quaternion(reals) => {
            (wide(reals), None)
        }
        Value::Vector3(reals) => (wide(reals), None),
        Value::Transform2D(reals) | Value::Aabb(reals) => (wide(reals), None),
        Value::Basis(reals) => (wide(reals), None),
        Value::Transform3D(reals) => (wide(reals), None),
        Value::Projection(reals) => (wide(reals), None),
        Value::Color(rgba) => (rgba.iter().map(|n| f64::from(*n)).collect(), None),
        Value::Vector2i(ints) => (ints.iter().map(|n| f64::from(*n)).collect(), None),
        Value::Vector3i(ints) => (ints.iter().map(|n| f64::from(*n)).collect(), None),
        Value::Vector4i(ints) | Value::Rect2i(ints) => (ints.iter().map(|n| f64::from(*n)).collect(), None),
        Value::PackedByteArray(bytes) => (Vec::new(), Some(bytes.len())),
        Value::PackedInt32Array(ints) => (Vec::new(), Some(ints.len())),
        Value::PackedInt64Array(ints) => (Vec::new(), Some(ints.len())),
        Value::PackedFloat32Array(floats) => {
            (floats.iter().map(|n| f64::from(*n)).collect(), Some(floats.len()))
        }
        Value::PackedFloat64Array(floats) => (floats.clone(), Some(floats.len())),
        Value::PackedVector2Array(vectors) => rows(vectors),
        Value::PackedVector3Array(vectors) => rows(vectors),
        Value::PackedVector4Array(vectors) => rows(vectors),
        Value::PackedColorArray(colors) => {
            (colors.iter().flatten().map(|n| f64::from(*n)).collect(), Some(colors.len()))
        }
        _ => (Vec::new(), None),
    }
}

fn wide<const N: usize>(reals: &Reals<N>) -> Vec<f64> {
    match reals {
        Reals::Single(numbers) => numbers.iter().map(|number| f64::from(*number)).collect(),
        Reals::Double(numbers) => numbers.to_vec(),
    }
}

fn rows<const N: usize>(rows: &PackedReals<N>) -> (Vec<f64>, Option<usize>) {
    match rows {
        PackedReals::Single(rows) => {
            (rows.iter().flatten().map(|n| f64::from(*n)).collect(), Some(rows.len()))
        }
        PackedReals::Double(rows) => (rows.iter().flatten().copied().collect(), Some(rows.len())),
    }
}
