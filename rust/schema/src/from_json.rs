//! Makes vectors, colors and packed arrays of what JSON has instead: lists and objects of numbers, and texts.
//! It leaves a value as it is where the change would lose anything.

use variant_core::{PackedReals, RealWidth, Reals, Value, VariantType};

use crate::from_native;
use crate::from_text::{self, Num};

/// Returns the value of this type that a text stands for.
fn of_text(ty: VariantType, value: &Value, width: RealWidth) -> Option<Value> {
    let Value::String(text) = value else { return None };
    if ty == VariantType::PackedStringArray {
        return from_text::texts(text).map(Value::PackedStringArray);
    }
    match from_text::numbers(ty, text) {
        Some(numbers) => of(ty, &numbers, width),
        None if ty == VariantType::PackedByteArray => from_text::base64(text).map(Value::PackedByteArray),
        None => None,
    }
}

/// Returns the value of this type with these numbers, in the order of its bytes.
pub(crate) fn of(ty: VariantType, numbers: &[Num], width: RealWidth) -> Option<Value> {
    use VariantType as T;
    let n = numbers;
    Some(match ty {
        T::Vector2 => Value::Vector2(reals(all_reals(n)?, width)?),
        T::Vector2i => Value::Vector2i(ints(n)?),
        T::Rect2 => Value::Rect2(reals(all_reals(n)?, width)?),
        T::Rect2i => Value::Rect2i(ints(n)?),
        T::Vector3 => Value::Vector3(reals(all_reals(n)?, width)?),
        T::Vector3i => Value::Vector3i(ints(n)?),
        T::Transform2D => Value::Transform2D(boxed(n, width)?),
        T::Vector4 => Value::Vector4(reals(all_reals(n)?, width)?),
        T::Vector4i => Value::Vector4i(ints(n)?),
        T::Plane => Value::Plane(reals(all_reals(n)?, width)?),
        T::Quaternion => Value::Quaternion(reals(all_reals(n)?, width)?),
        T::Aabb => Value::Aabb(boxed(n, width)?),
        T::Basis => Value::Basis(boxed(n, width)?),
        T::Transform3D => Value::Transform3D(boxed(n, width)?),
        T::Projection => Value::Projection(boxed(n, width)?),
        T::Color => Value::Color(single(all_reals(n)?)?),
        T::PackedByteArray => Value::PackedByteArray(whole_list(n)?),
        T::PackedInt32Array => Value::PackedInt32Array(whole_list(n)?),
        T::PackedInt64Array => Value::PackedInt64Array(whole_list(n)?),
        T::PackedFloat32Array => {
            let each = n.iter().map(|number| single([to_real(*number)?]).map(|[number]| number));
            Value::PackedFloat32Array(each.collect::<Option<_>>()?)
        }
        T::PackedFloat64Array => {
            Value::PackedFloat64Array(n.iter().copied().map(to_real).collect::<Option<_>>()?)
        }
        T::PackedVector2Array => Value::PackedVector2Array(vectors(n, width)?),
        T::PackedVector3Array => Value::PackedVector3Array(vectors(n, width)?),
        T::PackedVector4Array => Value::PackedVector4Array(vectors(n, width)?),
        T::PackedColorArray => {
            let each = n.chunks(4).map(|four| single(all_reals(four)?));
            Value::PackedColorArray(each.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn boxed<const N: usize>(numbers: &[Num], width: RealWidth) -> Option<Box<Reals<N>>> {
    reals(all_reals(numbers)?, width).map(Box::new)
}

fn all_reals<const N: usize>(numbers: &[Num]) -> Option<[f64; N]> {
    let found: Vec<f64> = numbers.iter().copied().map(to_real).collect::<Option<_>>()?;
    found.try_into().ok()
}

fn ints<const N: usize>(numbers: &[Num]) -> Option<[i32; N]> {
    whole_list::<i32>(numbers)?.try_into().ok()
}

fn whole_list<T: TryFrom<i64>>(numbers: &[Num]) -> Option<Vec<T>> {
    let each = numbers.iter().map(|number| match number {
        Num::Int(number) => T::try_from(*number).ok(),
        Num::Real(number) => T::try_from(exact_int(*number)?).ok(),
    });
    each.collect()
}

fn vectors<const N: usize>(numbers: &[Num], width: RealWidth) -> Option<PackedReals<N>> {
    let each = numbers.chunks(N).map(all_reals);
    let vectors = each.collect::<Option<Vec<[f64; N]>>>()?;
    if width == RealWidth::Double {
        return Some(PackedReals::from(vectors));
    }
    vectors.into_iter().map(single).collect::<Option<Vec<_>>>().map(PackedReals::Single)
}

/// Returns a number as a float, unless it would be another number.
pub(crate) fn to_real(number: Num) -> Option<f64> {
    match number {
        Num::Int(number) => number_of(&Value::Int(number)),
        Num::Real(number) => Some(number),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "asked before: it is whole and in range")]
pub(crate) fn exact_int(number: f64) -> Option<i64> {
    // 2^63 itself is no i64, and -2^63 is one.
    let is_exact = number.trunc() == number
        && (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number);
    is_exact.then_some(number as i64)
}

/// Unless the float would be another number.
#[expect(clippy::cast_precision_loss, reason = "asked afterwards whether it is the same")]
pub(crate) fn to_float(number: i64) -> Value {
    let float = number as f64;
    if exact_int(float) == Some(number) { Value::Float(float) } else { Value::Int(number) }
}

pub(crate) fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(text),
        _ => None,
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Int(number) => match to_float(*number) {
            Value::Float(float) => Some(float),
            _ => None,
        },
        Value::Float(number) => Some(*number),
        _ => None,
    }
}

/// The numbers under these keys, or those of an Array of as many.
fn numbers<const N: usize>(value: &Value, keys: [&str; N], default: Option<f64>) -> Option<[f64; N]> {
    let mut found = [default.unwrap_or(0.0); N];
    match value {
        Value::Array(array) if array.items.len() == N => {
            for (slot, item) in found.iter_mut().zip(&array.items) {
                *slot = number_of(item)?;
            }
        }
        Value::Dictionary(dictionary) => {
            let is_known = |key: &Value| text_of(key).is_some_and(|key| keys.contains(&key));
            if !dictionary.entries.iter().all(|(key, _)| is_known(key)) {
                return None;
            }
            for (at, (slot, name)) in found.iter_mut().zip(keys).enumerate() {
                let entry = dictionary.entries.iter().find(|(key, _)| text_of(key) == Some(name));
                match entry {
                    Some((_, value)) => *slot = number_of(value)?,
                    // Only the last one, a color's alpha, may be left out.
                    None if at.saturating_add(1) == N && default.is_some() => {}
                    None => return None,
                }
            }
        }
        _ => return None,
    }
    Some(found)
}

/// `None` where a number would become infinite.
#[expect(clippy::cast_possible_truncation, reason = "as the engine keeps them: the nearest of 32 bits")]
fn single<const N: usize>(numbers: [f64; N]) -> Option<[f32; N]> {
    let singles = numbers.map(|number| number as f32);
    let is_kept = |(single, number): (&f32, &f64)| single.is_finite() || !number.is_finite();
    singles.iter().zip(&numbers).all(is_kept).then_some(singles)
}

fn reals<const N: usize>(numbers: [f64; N], width: RealWidth) -> Option<Reals<N>> {
    if width == RealWidth::Double { Some(Reals::from(numbers)) } else { single(numbers).map(Reals::Single) }
}

fn whole<const N: usize>(numbers: [f64; N]) -> Option<[i32; N]> {
    let mut ints = [0; N];
    for (slot, number) in ints.iter_mut().zip(numbers) {
        *slot = i32::try_from(exact_int(number)?).ok()?;
    }
    Some(ints)
}

/// Dictionaries and Arrays of numbers to vectors and colors.
pub(crate) fn to_math(ty: VariantType, value: Value, width: RealWidth) -> Value {
    use VariantType as T;
    if matches!(value, Value::String(_)) {
        return of_text(ty, &value, width).unwrap_or(value);
    }
    if let Some(made) = from_native::of_type(ty, &value, width) {
        return made;
    }
    let made = match ty {
        T::Vector2 => xy(&value).and_then(|n| reals(n, width)).map(Value::Vector2),
        T::Vector3 => xyz(&value).and_then(|n| reals(n, width)).map(Value::Vector3),
        T::Vector4 => xyzw(&value).and_then(|n| reals(n, width)).map(Value::Vector4),
        T::Quaternion => xyzw(&value).and_then(|n| reals(n, width)).map(Value::Quaternion),
        T::Vector2i => xy(&value).and_then(whole).map(Value::Vector2i),
        T::Vector3i => xyz(&value).and_then(whole).map(Value::Vector3i),
        T::Vector4i => xyzw(&value).and_then(whole).map(Value::Vector4i),
        T::Color => rgba(&value).and_then(single).map(Value::Color),
        _ => None,
    };
    made.unwrap_or(value)
}

fn xy(value: &Value) -> Option<[f64; 2]> {
    numbers(value, ["x", "y"], None)
}

fn xyz(value: &Value) -> Option<[f64; 3]> {
    numbers(value, ["x", "y", "z"], None)
}

fn xyzw(value: &Value) -> Option<[f64; 4]> {
    numbers(value, ["x", "y", "z", "w"], None)
}

fn rgba(value: &Value) -> Option<[f64; 4]> {
    numbers(value, ["r", "g", "b", "a"], Some(1.0))
}

/// Arrays of what a packed array holds.
pub(crate) fn to_packed(ty: VariantType, value: Value, width: RealWidth) -> Value {
    use VariantType as T;
    let array = match &value {
        Value::Array(array) => array,
        Value::String(_) => return of_text(ty, &value, width).unwrap_or(value),
        _ => return from_native::of_type(ty, &value, width).unwrap_or(value),
    };
    let items = &array.items;
    let ints = || all(items, |item| exact_int(number_of(item)?));
    let made = match ty {
        T::PackedByteArray => {
            all(items, |item| exact_int(number_of(item)?)?.try_into().ok()).map(Value::PackedByteArray)
        }
        T::PackedInt32Array => {
            all(items, |item| exact_int(number_of(item)?)?.try_into().ok()).map(Value::PackedInt32Array)
        }
        T::PackedInt64Array => ints().map(Value::PackedInt64Array),
        T::PackedFloat32Array => {
            let narrow = |item| single([number_of(item)?]).map(|[number]| number);
            all(items, narrow).map(Value::PackedFloat32Array)
        }
        T::PackedFloat64Array => all(items, number_of).map(Value::PackedFloat64Array),
        T::PackedStringArray => {
            all(items, |item| text_of(item).map(str::to_owned)).map(Value::PackedStringArray)
        }
        _ => to_vectors(ty, items, width),
    };
    made.unwrap_or(value)
}

/// Makes a packed array of vectors or colors.
fn to_vectors(ty: VariantType, items: &[Value], width: RealWidth) -> Option<Value> {
    use VariantType as T;
    match ty {
        T::PackedVector2Array => {
            let row = |item: &_| if let Value::Vector2(it) = item { there(it, width) } else { xy(item) };
            rows(items, row, width).map(Value::PackedVector2Array)
        }
        T::PackedVector3Array => {
            let row = |item: &_| if let Value::Vector3(it) = item { there(it, width) } else { xyz(item) };
            rows(items, row, width).map(Value::PackedVector3Array)
        }
        T::PackedVector4Array => {
            let row = |item: &_| if let Value::Vector4(it) = item { there(it, width) } else { xyzw(item) };
            rows(items, row, width).map(Value::PackedVector4Array)
        }
        T::PackedColorArray => {
            let row = |item: &_| if let Value::Color(it) = item { Some(*it) } else { single(rgba(item)?) };
            all(items, row).map(Value::PackedColorArray)
        }
        _ => None,
    }
}

fn all<'v, T>(items: &'v [Value], read: impl Fn(&'v Value) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(read).collect()
}

/// The numbers of a vector that is one already, if the width wanted has room for them.
fn there<const N: usize>(reals: &Reals<N>, width: RealWidth) -> Option<[f64; N]> {
    match reals {
        Reals::Single(numbers) => Some(numbers.map(f64::from)),
        Reals::Double(numbers) => (width == RealWidth::Double).then_some(**numbers),
    }
}

fn rows<const N: usize>(
    items: &[Value],
    read: impl Fn(&Value) -> Option<[f64; N]>,
    width: RealWidth,
) -> Option<PackedReals<N>> {
    if width == RealWidth::Double {
        return all(items, read).map(PackedReals::from);
    }
    all(items, |item| read(item).and_then(single)).map(PackedReals::Single)
}
