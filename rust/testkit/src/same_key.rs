//! Tells whether two values are one key to the engine's Dictionary (FORMAT.md 5.1 rule 12), by comparing them
//! part by part. It checks the core's key set, which compares normal forms. It assumes single precision, as
//! most builds have.

use variant_core::{Array, Dictionary, PackedReals, Reals, Value};

/// The levels of a key that the engine compares: below, two keys count as one.
const COMPARED_LEVELS: usize = 50;

/// Tells whether the second key would overwrite the first's entry.
#[must_use]
pub fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a) | Value::StringName(a), Value::String(b) | Value::StringName(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => same_double(*a, *b),
        _ => same(a, b, 0),
    }
}

/// Tells whether they are equal as parts of a key, `level` levels deep in it, where String and StringName differ, and a float that is NaN equals
/// nothing; in vectors and packed arrays it equals itself there too.
#[expect(clippy::float_cmp, reason = "0.0 and -0.0 are one key")]
fn same(a: &Value, b: &Value, level: usize) -> bool {
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b,
        (Value::ObjectId(a), Value::ObjectId(b)) => *a == 0 && *b == 0,
        // Each object that is read is a new one, so no two are equal.
        (Value::Object(_), _) | (_, Value::Object(_)) => false,
        (Value::Array(a), Value::Array(b)) => same_array(a, b, level),
        (Value::Dictionary(a), Value::Dictionary(b)) => same_dictionary(a, b, level),
        (Value::PackedFloat64Array(a), Value::PackedFloat64Array(b)) => all(a, b, |a, b| same_double(*a, *b)),
        _ if a.ty() == b.ty() => match (singles(a), singles(b)) {
            (Some(a), Some(b)) => all(&a, &b, |a, b| same_double(f64::from(*a), f64::from(*b))),
            _ => a == b,
        },
        _ => false,
    }
}

fn same_array(a: &Array, b: &Array, level: usize) -> bool {
    all(&a.items, &b.items, |a, b| level >= COMPARED_LEVELS || same(a, b, level + 1))
}

fn same_dictionary(a: &Dictionary, b: &Dictionary, level: usize) -> bool {
    let is_one = |a: &(Value, Value), b: &(Value, Value)| same_key(&a.0, &b.0) && same(&a.1, &b.1, level + 1);
    all(&a.entries, &b.entries, |a, b| level >= COMPARED_LEVELS || is_one(a, b))
}

fn all<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

#[expect(clippy::float_cmp, reason = "0.0 and -0.0 are one key")]
fn same_double(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Returns the numbers of a type that an engine of single precision holds in single precision.
fn singles(value: &Value) -> Option<Vec<f32>> {
    Some(match value {
        Value::Vector2(reals) => narrow(reals),
        Value::Rect2(reals) | Value::Vector4(reals) | Value::Plane(reals) | Value::Quaternion(reals) => {
            narrow(reals)
        }
        Value::Vector3(reals) => narrow(reals),
        Value::Transform2D(reals) | Value::Aabb(reals) => narrow(reals),
        Value::Basis(reals) => narrow(reals),
        Value::Transform3D(reals) => narrow(reals),
        Value::Projection(reals) => narrow(reals),
        Value::Color(rgba) => rgba.to_vec(),
        Value::PackedFloat32Array(floats) => floats.clone(),
        Value::PackedColorArray(colors) => colors.as_flattened().to_vec(),
        Value::PackedVector2Array(vectors) => narrow_all(vectors),
        Value::PackedVector3Array(vectors) => narrow_all(vectors),
        Value::PackedVector4Array(vectors) => narrow_all(vectors),
        _ => return None,
    })
}

fn narrow<const N: usize>(reals: &Reals<N>) -> Vec<f32> {
    match reals {
        Reals::Single(numbers) => numbers.to_vec(),
        Reals::Double(numbers) => numbers.iter().map(|n| narrowed(*n)).collect(),
    }
}

fn narrow_all<const N: usize>(vectors: &PackedReals<N>) -> Vec<f32> {
    match vectors {
        PackedReals::Single(vectors) => vectors.as_flattened().to_vec(),
        PackedReals::Double(vectors) => vectors.as_flattened().iter().map(|n| narrowed(*n)).collect(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "what a single-precision engine does")]
const fn narrowed(number: f64) -> f32 {
    number as f32
}
