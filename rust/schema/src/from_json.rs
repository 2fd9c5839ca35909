//! Makes vectors, colors and packed arrays of what JSON has instead: lists and objects of numbers, and texts.
//! It leaves a value as it is where the change would lose anything.

use variant_core::token::Lanes;
use variant_core::wire::{Lane, Layout};
use variant_core::{RealWidth, Reals, Value, VariantType};

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
    let (Layout::Math(lane, _) | Layout::Packed(lane, _)) = ty.layout() else { return None };
    let lane = match (lane, width) {
        (Lane::Real, RealWidth::Single) => Lane::F32,
        (Lane::Real, RealWidth::Double) => Lane::F64,
        (other, _) => other,
    };
    let mut payload = Vec::with_capacity(numbers.len().saturating_mul(lane.size()));
    numbers.iter().try_for_each(|number| put(*number, lane, &mut payload))?;
    Value::of_numbers(ty, &Lanes::new(&payload, lane)?)
}

/// Appends a number as it is kept, unless it would be another one.
fn put(number: Num, lane: Lane, payload: &mut Vec<u8>) -> Option<()> {
    let whole = || match number {
        Num::Int(number) => Some(number),
        Num::Real(number) => exact_int(number),
    };
    match lane {
        Lane::U8 => payload.push(u8::try_from(whole()?).ok()?),
        Lane::I32 => payload.extend(i32::try_from(whole()?).ok()?.to_le_bytes()),
        Lane::I64 => payload.extend(whole()?.to_le_bytes()),
        Lane::F64 => payload.extend(to_real(number)?.to_le_bytes()),
        _ => payload.extend(single(to_real(number)?)?.to_le_bytes()),
    }
    Some(())
}

/// Returns a number as a float, unless it would be another number.
pub(crate) fn to_real(number: Num) -> Option<f64> {
    match number {
        Num::Int(number) => match to_float(number) {
            Value::Float(float) => Some(float),
            _ => None,
        },
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

/// Returns the number that a value is.
pub(crate) fn number_of(value: &Value) -> Option<Num> {
    match value {
        Value::Int(number) => Some(Num::Int(*number)),
        Value::Float(number) => Some(Num::Real(*number)),
        _ => None,
    }
}

/// Returns the keys of a vector or color, or of an element of a packed array, and the number that the last one may leave out.
fn keys(ty: VariantType) -> Option<(&'static [&'static str], Option<Num>)> {
    use VariantType as T;
    Some(match ty {
        T::Vector2 | T::Vector2i | T::PackedVector2Array => (&["x", "y"], None),
        T::Vector3 | T::Vector3i | T::PackedVector3Array => (&["x", "y", "z"], None),
        T::Vector4 | T::Vector4i | T::Quaternion | T::PackedVector4Array => (&["x", "y", "z", "w"], None),
        T::Color | T::PackedColorArray => (&["r", "g", "b", "a"], Some(Num::Int(1))),
        _ => return None,
    })
}

/// The numbers under the keys of this type, or those of an Array of as many.
fn under_keys(ty: VariantType, value: &Value) -> Option<Vec<Num>> {
    let (keys, default) = keys(ty)?;
    match value {
        Value::Array(array) if array.items.len() == keys.len() => array.items.iter().map(number_of).collect(),
        Value::Dictionary(dictionary) => {
            let is_known = |key: &Value| key.as_str().is_some_and(|key| keys.contains(&key));
            if !dictionary.entries.iter().all(|(key, _)| is_known(key)) {
                return None;
            }
            let number = |name: &&str| {
                let entry = dictionary.entries.iter().find(|(key, _)| key.as_str() == Some(name));
                match entry {
                    Some((_, value)) => number_of(value),
                    None => default.filter(|_| keys.last() == Some(name)),
                }
            };
            keys.iter().map(number).collect()
        }
        _ => None,
    }
}

/// `None` where a number would become infinite.
#[expect(clippy::cast_possible_truncation, reason = "as the engine keeps them: the nearest of 32 bits")]
fn single(number: f64) -> Option<f32> {
    let single = number as f32;
    (single.is_finite() || !number.is_finite()).then_some(single)
}

/// Dictionaries and Arrays of numbers to vectors and colors.
pub(crate) fn to_math(ty: VariantType, value: Value, width: RealWidth) -> Value {
    if matches!(value, Value::String(_)) {
        return of_text(ty, &value, width).unwrap_or(value);
    }
    if let Some(made) = from_native::of_type(ty, &value, width) {
        return made;
    }
    under_keys(ty, &value).and_then(|numbers| of(ty, &numbers, width)).unwrap_or(value)
}

/// Arrays of what a packed array holds.
pub(crate) fn to_packed(ty: VariantType, value: Value, width: RealWidth) -> Value {
    let items = match &value {
        Value::Array(array) => &array.items,
        Value::String(_) => return of_text(ty, &value, width).unwrap_or(value),
        _ => return from_native::of_type(ty, &value, width).unwrap_or(value),
    };
    let made = if ty == VariantType::PackedStringArray {
        let texts = items.iter().map(|item| item.as_str().map(str::to_owned));
        texts.collect::<Option<_>>().map(Value::PackedStringArray)
    } else {
        let mut numbers = Vec::with_capacity(items.len());
        let put = items.iter().try_for_each(|item| element(ty, item, width, &mut numbers));
        put.and_then(|()| of(ty, &numbers, width))
    };
    made.unwrap_or(value)
}

/// Appends the numbers of an element of a packed array, which may be a vector already if the width wanted has room for it.
fn element(ty: VariantType, item: &Value, width: RealWidth, numbers: &mut Vec<Num>) -> Option<()> {
    use VariantType as T;
    match (ty, item) {
        (T::PackedVector2Array, Value::Vector2(reals)) => numbers.extend(there(reals, width)?),
        (T::PackedVector3Array, Value::Vector3(reals)) => numbers.extend(there(reals, width)?),
        (T::PackedVector4Array, Value::Vector4(reals)) => numbers.extend(there(reals, width)?),
        (T::PackedColorArray, Value::Color(color)) => {
            numbers.extend(color.map(|number| Num::Real(number.into())));
        }
        _ if keys(ty).is_some() => numbers.extend(under_keys(ty, item)?),
        _ => numbers.push(number_of(item)?),
    }
    Some(())
}

fn there<const N: usize>(reals: &Reals<N>, width: RealWidth) -> Option<[Num; N]> {
    let numbers = match reals {
        Reals::Single(numbers) => numbers.map(f64::from),
        Reals::Double(numbers) => Some(**numbers).filter(|_| width == RealWidth::Double)?,
    };
    Some(numbers.map(Num::Real))
}
