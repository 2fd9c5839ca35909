//! Takes the numbers out of values, and makes values of numbers.

use variant_core::{PackedReals, Reals, Value, VariantType as T};

use super::number::Num;

fn reals<const N: usize>(reals: &Reals<N>) -> Vec<Num> {
    reals.to_f64().into_iter().map(Num::Real).collect()
}

fn many<const N: usize>(rows: &PackedReals<N>) -> Vec<Num> {
    match rows {
        PackedReals::Single(rows) => rows.iter().flatten().map(|n| Num::Real(f64::from(*n))).collect(),
        PackedReals::Double(rows) => rows.iter().flatten().map(|n| Num::Real(*n)).collect(),
    }
}

/// Returns the numbers of a value that is nothing but numbers, packed arrays included.
pub(super) fn numbers(value: &Value) -> Option<Vec<Num>> {
    let int = |n: &i32| Num::Int(i64::from(*n));
    let real = |n: &f32| Num::Real(f64::from(*n));
    Some(match value {
        Value::Vector2(n) => reals(n),
        Value::Rect2(n) | Value::Vector4(n) | Value::Plane(n) | Value::Quaternion(n) => reals(n),
        Value::Vector3(n) => reals(n),
        Value::Transform2D(n) | Value::Aabb(n) => reals(n),
        Value::Basis(n) => reals(n),
        Value::Transform3D(n) => reals(n),
        Value::Projection(n) => reals(n),
        Value::Color(n) => n.iter().map(real).collect(),
        Value::Vector2i(n) => n.iter().map(int).collect(),
        Value::Vector3i(n) => n.iter().map(int).collect(),
        Value::Vector4i(n) | Value::Rect2i(n) => n.iter().map(int).collect(),
        Value::PackedByteArray(n) => n.iter().map(|n| Num::Int(i64::from(*n))).collect(),
        Value::PackedInt32Array(n) => n.iter().map(int).collect(),
        Value::PackedInt64Array(n) => n.iter().map(|n| Num::Int(*n)).collect(),
        Value::PackedFloat32Array(n) => n.iter().map(real).collect(),
        Value::PackedFloat64Array(n) => n.iter().map(|n| Num::Real(*n)).collect(),
        Value::PackedColorArray(n) => n.iter().flatten().map(real).collect(),
        Value::PackedVector2Array(n) => many(n),
        Value::PackedVector3Array(n) => many(n),
        Value::PackedVector4Array(n) => many(n),
        _ => return None,
    })
}

fn wide<const N: usize>(numbers: &[Num]) -> Option<[f64; N]> {
    let all: Vec<f64> = numbers.iter().map(|n| if let Num::Real(n) = n { *n } else { f64::NAN }).collect();
    all.try_into().ok()
}

fn ints<const N: usize>(numbers: &[Num]) -> Option<[i32; N]> {
    let all: Option<Vec<i32>> = numbers.iter().map(|n| i32::try_from(int(n)).ok()).collect();
    all?.try_into().ok()
}

fn int(number: &Num) -> i64 {
    if let Num::Int(n) = number { *n } else { 0 }
}

fn made<const N: usize>(numbers: &[Num], is_wide: bool) -> Option<Reals<N>> {
    let numbers = wide::<N>(numbers)?;
    Some(if is_wide { numbers.into() } else { numbers.map(|n| n as f32).into() })
}

fn rows<const N: usize>(numbers: &[Num], is_wide: bool) -> Option<PackedReals<N>> {
    let rows: Option<Vec<[f64; N]>> = numbers.chunks(N).map(wide).collect();
    Some(if is_wide {
        rows?.into()
    } else {
        PackedReals::Single(rows?.into_iter().map(|row| row.map(|n| n as f32)).collect())
    })
}

/// Makes a value of this type; `is_wide` for numbers of 64 bits where the engine's build decides.
pub(super) fn value(ty: T, n: &[Num], is_wide: bool) -> Option<Value> {
    let small = |n: &[Num]| wide(n).map(|n: [f64; 4]| n.map(|n| n as f32));
    Some(match ty {
        T::Vector2 => Value::Vector2(made(n, is_wide)?),
        T::Rect2 => Value::Rect2(made(n, is_wide)?),
        T::Vector4 => Value::Vector4(made(n, is_wide)?),
        T::Plane => Value::Plane(made(n, is_wide)?),
        T::Quaternion => Value::Quaternion(made(n, is_wide)?),
        T::Vector3 => Value::Vector3(made(n, is_wide)?),
        T::Transform2D => Value::Transform2D(Box::new(made(n, is_wide)?)),
        T::Aabb => Value::Aabb(Box::new(made(n, is_wide)?)),
        T::Basis => Value::Basis(Box::new(made(n, is_wide)?)),
        T::Transform3D => Value::Transform3D(Box::new(made(n, is_wide)?)),
        T::Projection => Value::Projection(Box::new(made(n, is_wide)?)),
        T::Color => Value::Color(small(n)?),
        T::Vector2i => Value::Vector2i(ints(n)?),
        T::Vector3i => Value::Vector3i(ints(n)?),
        T::Vector4i => Value::Vector4i(ints(n)?),
        T::Rect2i => Value::Rect2i(ints(n)?),
        T::PackedByteArray => {
            Value::PackedByteArray(n.iter().map(|n| u8::try_from(int(n)).ok()).collect::<Option<_>>()?)
        }
        T::PackedInt32Array => {
            Value::PackedInt32Array(n.iter().map(|n| i32::try_from(int(n)).ok()).collect::<Option<_>>()?)
        }
        T::PackedInt64Array => Value::PackedInt64Array(n.iter().map(int).collect()),
        T::PackedFloat32Array => Value::PackedFloat32Array(real(n).map(|n| n as f32).collect()),
        T::PackedFloat64Array => Value::PackedFloat64Array(real(n).collect()),
        T::PackedColorArray => Value::PackedColorArray(n.chunks(4).map(small).collect::<Option<_>>()?),
        T::PackedVector2Array => Value::PackedVector2Array(rows(n, is_wide)?),
        T::PackedVector3Array => Value::PackedVector3Array(rows(n, is_wide)?),
        T::PackedVector4Array => Value::PackedVector4Array(rows(n, is_wide)?),
        _ => return None,
    })
}

fn real(numbers: &[Num]) -> impl Iterator<Item = f64> + '_ {
    numbers.iter().map(|n| if let Num::Real(n) = n { *n } else { f64::NAN })
}
