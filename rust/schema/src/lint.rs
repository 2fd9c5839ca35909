//! Finds contradictions that one schema holds by itself. Those of references and alternatives `compiler.rs` finds.

use variant_core::VariantType as T;
use variant_core::wire::{Lane, Layout};

use crate::describe;
use crate::schema::{Demands, Number, Schema, Shape};

/// Far more than what rounding does to a number, as a part of it.
const NEARLY: f64 = 1e-6;
/// Somewhat more than a length may be from 1 and count as 1.
const UNIT: f64 = 0.001;

/// Returns what is wrong with the schema itself, its parts left aside.
pub(crate) fn check(schema: &Schema) -> Vec<String> {
    let (shape, demands) = (schema.shape(), schema.demands());
    let mut wrong = inapplicable(shape, demands);
    if wrong.is_empty() {
        let alone = ordered(demands).and_then(|()| sensible(shape, demands));
        wrong.extend(alone.and_then(|()| reachable(shape, demands)).err());
    }
    wrong.extend(crate::packing::check(shape, demands).err());
    let is_empty = match shape {
        Shape::Enum(values) if values.is_empty() => Some("an enum of no values accepts nothing"),
        Shape::Union(parts) if parts.is_empty() => Some("a union of no alternatives accepts nothing"),
        Shape::Discriminated { cases, .. } if cases.is_empty() => {
            Some("discriminated() without a case accepts nothing")
        }
        _ => None,
    };
    wrong.extend(is_empty.map(str::to_owned));
    if let Shape::Dict { keys, .. } = shape {
        wrong.extend(twins(keys.iter().map(|(key, _)| key.as_str()), "the key"));
    }
    wrong.extend(twins(schema.definitions().iter().map(|(name, _)| name), "the definition"));
    wrong
}

fn twins<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Vec<String> {
    let mut names: Vec<_> = names.collect();
    names.sort_unstable();
    let twins = names.windows(2).filter(|pair| pair.first() == pair.last()).filter_map(<[_]>::first);
    twins.map(|name| format!("{what} {} is there twice", describe::quoted(name))).collect()
}

/// Every demand with whether it was made and whether it means anything for the shape.
fn inapplicable(shape: &Shape, demands: &Demands) -> Vec<String> {
    let ty = type_of(shape);
    let (is_number, is_text) =
        (matches!(ty, T::Int | T::Float), matches!(ty, T::String | T::StringName | T::PackedStringArray));
    let (is_list, is_map) = (matches!(shape, Shape::Array(_)), matches!(shape, Shape::Map(..)));
    let is_sized = is_list || is_map || matches!(ty.layout(), Layout::Packed(..) | Layout::PackedStrings);
    let is_vector = is_point(ty) || matches!(ty, T::Vector4 | T::Vector4i);
    let has_unit = matches!(ty, T::Vector2 | T::Vector3 | T::Vector4 | T::Quaternion | T::Plane);
    let of_lengths = match (is_text, is_sized) {
        (true, _) => "vectors; for texts there are min_chars and max_chars",
        (_, true) => "vectors; for arrays, maps and packed arrays there are min_size and max_size",
        _ => "vectors",
    };
    let table = [
        (demands.min.is_some() || demands.max.is_some(), is_number, "a range of numbers", "int and float"),
        (demands.multiple_of.is_some(), is_number, "multiple_of", "int and float"),
        (
            demands.min_size.is_some() || demands.max_size.is_some(),
            is_sized,
            "a size",
            "array, map and packed arrays; for texts there are min_chars and max_chars",
        ),
        (
            demands.min_chars.is_some() || demands.max_chars.is_some(),
            is_text,
            "a number of characters",
            "string, string_name and packed_string_array; for arrays there are min_size and max_size",
        ),
        (demands.pattern.is_some(), is_text, "pattern", "string, string_name and packed_string_array"),
        (demands.min_length.is_some() || demands.max_length.is_some(), is_vector, "a length", of_lengths),
        (demands.within.is_some(), is_point(ty), "within", "vectors of 2 and 3 numbers"),
        (demands.normalized, has_unit, "normalized", "vectors, quaternion and plane"),
        (demands.allow_non_finite, is_real(ty), "allow_non_finite", "what holds floats"),
        (demands.unique, is_list, "unique", "array"),
        (demands.open, matches!(shape, Shape::Tuple(_)), "open", "dict and tuple"),
        (demands.typed, is_list || is_map, "typed", "array and map"),
    ];
    misplaced(&table).collect()
}

/// The type that a shape names by itself or by its parts; `Nil` for others.
const fn type_of(shape: &Shape) -> T {
    match shape {
        Shape::Type(ty) => *ty,
        Shape::Array(_) => T::Array,
        Shape::Map(..) => T::Dictionary,
        _ => T::Nil,
    }
}

const fn is_point(ty: T) -> bool {
    matches!(ty, T::Vector2 | T::Vector2i | T::Vector3 | T::Vector3i)
}

pub(crate) const fn is_real(ty: T) -> bool {
    matches!(
        ty.layout(),
        Layout::Float
            | Layout::Math(Lane::Real | Lane::F32, _)
            | Layout::Packed(Lane::Real | Lane::F32 | Lane::F64, _)
    )
}

fn ordered(demands: &Demands) -> Result<(), String> {
    let wrong =
        |min: String, max: String, what: &str| Err(format!("{what}: the least, {min}, is over {max}"));
    if let (Some(min), Some(max)) = (demands.min, demands.max)
        && is_over(min, max)
    {
        return wrong(describe::number(min), describe::number(max), "range");
    }
    let sizes =
        [(demands.min_size, demands.max_size, "size"), (demands.min_chars, demands.max_chars, "chars")];
    for (min, max, what) in sizes {
        if let (Some(min), Some(max)) = (min, max)
            && min > max
        {
            return wrong(min.to_string(), max.to_string(), what);
        }
    }
    match (demands.min_length, demands.max_length) {
        (Some(min), Some(max)) if min > max => wrong(describe::float(min), describe::float(max), "length"),
        _ => Ok(()),
    }
}

/// Numbers that are numbers, regions of the right dimension.
fn sensible(shape: &Shape, demands: &Demands) -> Result<(), String> {
    let of_int = matches!(shape, Shape::Type(T::Int));
    for (bound, name) in [(demands.min, "min"), (demands.max, "max"), (demands.multiple_of, "multiple_of")] {
        match bound {
            Some(Number::Float(bound)) if bound.is_nan() => return Err(format!("{name} is not a number")),
            Some(Number::Float(_)) if of_int => return Err(format!("{name} of an int has to be an int")),
            _ => {}
        }
    }
    let lengths = || [demands.min_length, demands.max_length].into_iter().flatten();
    first(&[
        (
            demands.multiple_of.map(as_f64).is_some_and(|step| step <= 0.0 || !step.is_finite()),
            "multiple_of has to be over 0",
        ),
        (lengths().any(f64::is_nan), "a length is not a number"),
        (lengths().any(|length| length < 0.0), "a length cannot be negative"),
    ])?;
    if let (Some(region), Shape::Type(ty)) = (&demands.within, shape) {
        let is_flat = matches!(ty, T::Vector2 | T::Vector2i);
        if region.len() != if is_flat { 4 } else { 6 } {
            return Err(format!("within: {} needs {}", ty, if is_flat { "a Rect2" } else { "an AABB" }));
        }
        let size = region.get(region.len() >> 1..).unwrap_or_default();
        let is_wrong = region.iter().any(|n| !n.is_finite()) || size.iter().any(|n| *n < 0.0);
        first(&[(is_wrong, "within: the box needs a finite position and a size of at least 0")])?;
    }
    Ok(())
}

/// Fails with the words for the first of these that holds.
pub(crate) fn first(table: &[(bool, &str)]) -> Result<(), String> {
    table.iter().find(|(holds, _)| *holds).map_or(Ok(()), |(_, words)| Err((*words).to_owned()))
}

/// Tells of each of these that is set and does not fit what it is for.
pub(crate) fn misplaced(table: &[(bool, bool, &str, &str)]) -> impl Iterator<Item = String> {
    let wrong = table.iter().filter(|(made, fits, ..)| *made && !fits);
    wrong.map(|(_, _, what, for_what)| format!("{what} is for {for_what}"))
}

/// Demands that are sound by themselves and leave nothing together. Where rounding could leave something, nothing is said.
fn reachable(shape: &Shape, demands: &Demands) -> Result<(), String> {
    let Shape::Type(ty) = shape else { return Ok(()) };
    match ty {
        T::Int => whole_numbers(demands),
        T::Float => numbers(demands),
        _ => lengths(*ty, demands),
    }
}

fn whole_numbers(demands: &Demands) -> Result<(), String> {
    let (min, max, step) = ints(demands);
    if multiples(min, max, step) > 0 {
        return Ok(());
    }
    Err(format!("multiple_of: no multiple of {step} is in the range {min}..{max}"))
}

/// The range of ints, and what they are multiples of.
pub(crate) const fn ints(demands: &Demands) -> (i64, i64, i64) {
    const fn whole(bound: Option<Number>, none: i64) -> i64 {
        if let Some(Number::Int(bound)) = bound { bound } else { none }
    }
    (whole(demands.min, i64::MIN), whole(demands.max, i64::MAX), whole(demands.multiple_of, 1))
}

/// How many multiples of a step lie in a range.
pub(crate) fn multiples(min: i64, max: i64, step: i64) -> i128 {
    let step = i128::from(step.max(1));
    let (below, last) =
        (i128::from(min).saturating_sub(1).div_euclid(step), i128::from(max).div_euclid(step));
    last.saturating_sub(below).max(0)
}

fn numbers(demands: &Demands) -> Result<(), String> {
    let min = demands.min.map_or(f64::NEG_INFINITY, as_f64);
    let max = demands.max.map_or(f64::INFINITY, as_f64);
    if !demands.allow_non_finite && (min == f64::INFINITY || max == f64::NEG_INFINITY) {
        return Err("range: no finite number is in it".to_owned());
    }
    let Some(step) = demands.multiple_of.map(as_f64) else { return Ok(()) };
    let off = |steps: f64| NEARLY + steps.abs() * NEARLY;
    let (first, last) = (min / step, max / step);
    if first.is_finite() && last.is_finite() && (first - off(first)).ceil() > (last + off(last)).floor() {
        let [step, min, max] = [step, min, max].map(describe::float);
        return Err(format!("multiple_of: no multiple of {step} is in the range {min}..{max}"));
    }
    Ok(())
}

/// Checks, for vectors, the least and the greatest length that each demand leaves.
fn lengths(ty: T, demands: &Demands) -> Result<(), String> {
    let (least, most) = (demands.min_length.unwrap_or(0.0), demands.max_length.unwrap_or(f64::INFINITY));
    if least == f64::INFINITY && !demands.allow_non_finite {
        return Err("length: no finite vector is so long".to_owned());
    }
    let is_apart = |from: f64, to: f64| from > most * (1.0 + NEARLY) || least > to * (1.0 + NEARLY);
    if demands.normalized && is_apart(1.0 - UNIT, 1.0 + UNIT) {
        return Err("normalized: a length of 1 is none of those that are wanted".to_owned());
    }
    if demands.within.is_none() {
        return Ok(());
    }
    let edges = || edges(demands);
    let is_whole = matches!(ty, T::Vector2i | T::Vector3i);
    if is_whole && edges().any(|(from, to)| from.ceil() > to.floor()) {
        return Err("within: no whole numbers are in the box".to_owned());
    }
    let of_squares = |axis: fn((f64, f64)) -> f64| edges().map(axis).map(|n| n * n).sum::<f64>().sqrt();
    let near = of_squares(|(from, to)| if from <= 0.0 && to >= 0.0 { 0.0 } else { from.abs().min(to.abs()) });
    let far = of_squares(|(from, to)| from.abs().max(to.abs()));
    let misses_unit = demands.normalized && (near > 1.0 + UNIT || far < 1.0 - UNIT);
    if misses_unit || is_apart(near, far) {
        return Err("within: nothing in the box has a length that is wanted".to_owned());
    }
    Ok(())
}

/// The ranges that a box leaves the numbers of a vector.
pub(crate) fn edges(demands: &Demands) -> impl Iterator<Item = (f64, f64)> {
    let region = demands.within.as_deref().unwrap_or_default();
    let (from, size) = region.split_at_checked(region.len() >> 1).unwrap_or((&[], &[]));
    from.iter().zip(size).map(|(from, size)| (*from, from + size))
}

/// Ints by their own order: large ones are the same float.
fn is_over(min: Number, max: Number) -> bool {
    match (min, max) {
        (Number::Int(min), Number::Int(max)) => min > max,
        _ => as_f64(min) > as_f64(max),
    }
}

#[expect(clippy::cast_precision_loss, reason = "bounds of floats are floats")]
pub(crate) fn as_f64(number: Number) -> f64 {
    match number {
        Number::Int(number) => number as f64,
        Number::Float(number) => number,
    }
}

#[cfg(test)]
mod tests {
    use super::multiples;

    #[test]
    fn multiples_are_counted_as_they_are_listed() {
        for min in -7..8 {
            for max in min..9 {
                for step in 1..6 {
                    let listed = (min..=max).filter(|n| n % step == 0).count();
                    assert_eq!(multiples(min, max, step), listed as i128, "{min}..{max} by {step}");
                }
            }
        }
        assert_eq!(multiples(i64::MIN, i64::MAX, 1), 1 << 64);
        assert_eq!(multiples(i64::MIN, i64::MIN, i64::MAX), 0);
    }
}
