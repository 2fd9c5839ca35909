//! Finds what contradicts itself in how a schema says that its values are packed.

use variant_core::VariantType;
use variant_core::wire::Layout;

use super::{Grid, Packing, Rigid, Width, alphabet_characters};
use crate::describe;
use crate::lint::{self, as_f64, edges, first};
use crate::schema::{Demands, Number, Presence, Schema, Shape};

/// How far from a whole number of steps a range may be.
const NEARLY: f64 = 1e-9;

/// Tells what is wrong, parts of the shape left aside.
pub(crate) fn check(shape: &Shape, demands: &Demands) -> Result<(), String> {
    let packing = &demands.packing;
    if packing.is_plain() {
        return Ok(());
    }
    let ty = if let Shape::Type(ty) = shape { *ty } else { VariantType::Nil };
    applies(shape, ty, packing)?;
    fits_together(ty, demands)?;
    if let Some(alphabet) = &packing.alphabet {
        alphabet_characters(alphabet)?;
    }
    if let Some(elements) = &packing.elements {
        of_elements(ty, elements)?;
    }
    if let (Some(bits), true) = (packing.bits, ty == VariantType::Int) {
        int_bits(demands, bits)?;
    }
    if let Some(grid) = &packing.quantized {
        grid_is_sound(ty, demands, *grid)?;
    }
    if let (Shape::Dict { keys, .. }, Some(names)) = (shape, &packing.growing) {
        growing(keys, names)?;
    }
    match (shape, &packing.keyed) {
        (Shape::Array(item), Some(key)) => keyed(item, key)?,
        (Shape::Map(key, _), Some(name)) => keyed_map(key, name)?,
        _ => {}
    }
    room(shape, packing)
}

fn applies(shape: &Shape, ty: VariantType, packing: &Packing) -> Result<(), String> {
    use VariantType as T;
    let is_text = matches!(ty, T::String | T::StringName | T::PackedStringArray);
    let is_packed = matches!(ty.layout(), Layout::Packed(..) | Layout::PackedStrings);
    let is_real = lint::is_real(ty) && !is_packed;
    let is_ranged = ty == T::Int || is_real;
    let table = [
        (packing.quantized.is_some(), is_real, "quantized", "float, vectors, rects, color and such"),
        (packing.bits.is_some(), is_ranged, "bits", "int, float, vectors, quaternion and such"),
        (packing.width.is_some(), is_real, "half, single or double", "float, vectors, rects and such"),
        (packing.lossy, ty == T::Float, "lossy", "float"),
        (packing.clamped, is_ranged, "clamped", "numbers and vectors with a range"),
        (packing.alphabet.is_some(), is_text, "alphabet", "string, string_name and packed_string_array"),
        (packing.elements.is_some(), is_packed, "elements", "packed arrays; array() has its element already"),
        (
            packing.keyed.is_some(),
            matches!(shape, Shape::Array(_) | Shape::Map(..)),
            "keyed",
            "array of dict, map",
        ),
        (
            packing.room_for.is_some(),
            matches!(shape, Shape::Enum(_) | Shape::Union(_)),
            "room_for",
            "enum, union",
        ),
        (packing.growing.is_some(), matches!(shape, Shape::Dict { .. }), "growing", "dict"),
        (packing.rigid.is_some(), ty == T::Transform3D, "rigid", "transform3d"),
        (packing.angle.is_some(), ty == T::Float, "angle", "float"),
    ];
    lint::misplaced(&table).next().map_or(Ok(()), Err)
}

fn fits_together(ty: VariantType, demands: &Demands) -> Result<(), String> {
    let packing = &demands.packing;
    let forms = [
        packing.quantized.is_some(),
        packing.bits.is_some(),
        packing.width.is_some(),
        packing.rigid.is_some(),
        packing.angle.is_some(),
    ];
    let rounds = packing.quantized.is_some() || packing.width == Some(Width::Half);
    let is_exact = packing.quantized.is_none() && packing.bits.is_none();
    let has_range = demands.min.is_some() || demands.max.is_some() || demands.multiple_of.is_some();
    let is_wrong = |rigid: Rigid| !(2..=16).contains(&rigid.bits) || !is_positive(rigid.step);
    first(&[
        (
            forms.iter().filter(|is_said| **is_said).count() > 1,
            "set only one of quantized, bits, half, single, double, rigid and angle",
        ),
        (demands.normalized && rounds, "normalized: a rounded vector may miss length 1; use bits()"),
        (
            packing.width == Some(Width::Double) && ty == VariantType::Color,
            "double: a color cannot have it, since its numbers have 32 bits",
        ),
        (packing.lossy && packing.width.is_none(), "lossy: set single or half as well"),
        (
            packing.clamped && is_exact && ty != VariantType::Int,
            "clamped: set quantized or bits as well, with a range",
        ),
        (packing.clamped && ty == VariantType::Int && !is_ranged(demands), "clamped needs a range"),
        (
            demands.allow_non_finite && !is_exact,
            "allow_non_finite: a rounded number can be neither inf nor nan",
        ),
        (packing.rigid.is_some_and(is_wrong), "rigid: needs a step over 0 and 2 to 16 bits"),
        (packing.angle.is_some_and(|bits| !(1..=32).contains(&bits)), "angle: needs 1 to 32 bits"),
        (
            packing.angle.is_some() && has_range,
            "angle: takes no range, since an angle is anywhere in -PI..PI",
        ),
    ])?;
    packing.bits.map_or(Ok(()), |bits| bits_fit(ty, demands, bits))
}

const fn is_ranged(demands: &Demands) -> bool {
    demands.min.is_some() && demands.max.is_some()
}

fn bits_fit(ty: VariantType, demands: &Demands, bits: u32) -> Result<(), String> {
    use VariantType as T;
    let allowed = match ty {
        T::Int => 1..=64,
        T::Quaternion => 2..=20,
        T::Vector2 | T::Vector3 if demands.normalized => 2..=16,
        T::Plane | T::Vector4 if demands.normalized => {
            return Err(
                "bits: of normalized types, only vector2, vector3 and quaternion can have it".to_owned()
            );
        }
        _ => 1..=32,
    };
    if !allowed.contains(&bits) {
        return Err(format!("bits: needs {} to {}", allowed.start(), allowed.end()));
    }
    let has_form = ty == T::Quaternion || ty == T::Color || demands.normalized || demands.within.is_some();
    let is_narrow = !matches!(ty, T::Int | T::Float | T::Quaternion) && !demands.normalized;
    let mut edges = edges(demands).chain((ty == T::Color).then_some((0.0, 1.0)));
    first(&[
        (ty == T::Float && !is_ranged(demands), "bits: a float needs a range"),
        (is_narrow && edges.any(|(min, max)| is_too_fine(bits, min, max)), TOO_FINE),
        (
            !matches!(ty, T::Int | T::Float) && !has_form,
            "bits: needs within() or normalized(); with a range, quantized(step, min, max) says the same",
        ),
    ])
}

/// Whether so many bits are more than numbers of 32 bits tell apart in a range: two codes would be one number.
fn is_too_fine(bits: u32, min: f64, max: f64) -> bool {
    let last = f64::from(bits).exp2() - 1.0;
    min < max && (max - min) / last < 2.0 * f64::from(f32::EPSILON) * min.abs().max(max.abs())
}

const TOO_FINE: &str = "bits: too many, since numbers of 32 bits are not so exact in this range";
/// Bits of an angle that a number of 32 bits tells apart.
const MOST_NARROW_ANGLE: u32 = 22;

fn is_positive(number: f64) -> bool {
    number > 0.0 && number.is_finite()
}

/// A range may be widened later only as far as its bits reach.
fn int_bits(demands: &Demands, bits: u32) -> Result<(), String> {
    let has_range = matches!((demands.min, demands.max), (Some(Number::Int(_)), Some(Number::Int(_))));
    first(&[(!has_range, "bits: an int needs a range")])?;
    let (min, max, multiple) = lint::ints(demands);
    // What is no step is told elsewhere.
    let multiple = multiple.max(1);
    let last = max.div_euclid(multiple).abs_diff(min.div_euclid(multiple));
    let needed = u64::BITS.saturating_sub(last.leading_zeros());
    if bits < needed { Err(format!("bits: the range needs {needed} bits")) } else { Ok(()) }
}

fn grid_is_sound(ty: VariantType, demands: &Demands, grid: Grid) -> Result<(), String> {
    let own = demands.min.zip(demands.max).map(|(min, max)| (as_f64(min), as_f64(max)));
    let mut ranges: Vec<(f64, f64)> = own.into_iter().chain(grid.range).collect();
    if grid.range.is_none() {
        ranges.extend(edges(demands));
    }
    first(&[
        (!is_positive(grid.step), "quantized: the step has to be over 0"),
        (demands.min.is_some() != demands.max.is_some(), "quantized: a range needs both ends"),
    ])?;
    ranges.iter().try_for_each(|(min, max)| range_is_sound(ty, grid.step, *min, *max))?;
    let Some(multiple) = demands.multiple_of.map(as_f64) else { return Ok(()) };
    first(&[
        (!is_whole(grid.step / multiple), "multiple_of: the step of quantized has to be a multiple of it"),
        (
            ranges.iter().any(|(min, _)| !is_whole(min / multiple)),
            "multiple_of: a quantized range has to begin at a multiple of it",
        ),
    ])
}

fn range_is_sound(ty: VariantType, step: f64, min: f64, max: f64) -> Result<(), String> {
    let is_wrong = min >= max || !min.is_finite() || !max.is_finite();
    first(&[(is_wrong, "quantized: the range has to be finite, and its least end below the other")])?;
    let steps = (max - min) / step;
    if !is_whole(steps) || steps < 0.5 {
        let [min, max, step] = [min, max, step].map(describe::float);
        return Err(format!("quantized: {min}..{max} is no whole number of steps of {step}"));
    }
    let epsilon = if ty == VariantType::Float { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let is_small = steps >= 4_503_599_627_370_496.0 || step < 2.0 * epsilon * min.abs().max(max.abs());
    first(&[(is_small, "quantized: the step is too small, numbers of this range are not so exact")])
}

fn is_whole(steps: f64) -> bool {
    (steps - steps.round()).abs() <= NEARLY * steps.abs().max(1.0)
}

/// The type of each element of a packed array.
pub(crate) fn element_type(ty: VariantType) -> VariantType {
    use VariantType as T;
    match ty {
        T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array => T::Int,
        T::PackedFloat32Array | T::PackedFloat64Array => T::Float,
        T::PackedStringArray => T::String,
        T::PackedVector2Array => T::Vector2,
        T::PackedVector3Array => T::Vector3,
        T::PackedVector4Array => T::Vector4,
        T::PackedColorArray => T::Color,
        other => other,
    }
}

fn of_elements(ty: VariantType, elements: &Schema) -> Result<(), String> {
    let wanted = element_type(ty);
    if *elements.shape() != Shape::Type(wanted) {
        return Err(format!("elements: those of {ty} are of type {wanted}"));
    }
    let may_lack = elements.is_nullable() || *elements.presence() != Presence::Required;
    first(&[(may_lack, "elements: an element is always there")])?;
    if ty == VariantType::PackedFloat32Array {
        narrow_elements(elements.demands()).map_err(|message| format!("elements: {message}"))?;
    }
    let wrong = lint::check(elements);
    wrong.first().map_or(Ok(()), |message| Err(format!("elements: {message}")))
}

/// Codes of floats that come out in 32 bits have to be as many numbers there.
fn narrow_elements(demands: &Demands) -> Result<(), String> {
    let packing = &demands.packing;
    if packing.angle.is_some_and(|bits| bits > MOST_NARROW_ANGLE) {
        return Err(format!("angle: at most {MOST_NARROW_ANGLE} bits, since these numbers have 32"));
    }
    let Some((min, max)) = demands.min.map(as_f64).zip(demands.max.map(as_f64)) else { return Ok(()) };
    first(&[(packing.bits.is_some_and(|bits| is_too_fine(bits, min, max)), TOO_FINE)])?;
    match &packing.quantized {
        Some(grid) => range_is_sound(VariantType::PackedFloat32Array, grid.step, min, max),
        None => Ok(()),
    }
}

/// Each name is a key that may be missing, once.
fn growing(keys: &[(String, Schema)], names: &[String]) -> Result<(), String> {
    for (at, name) in names.iter().enumerate() {
        let mut found = keys.iter().filter(|(key, _)| key == name);
        let is_there = found.next().is_some_and(|(_, part)| *part.presence() != Presence::Required);
        let is_twice =
            found.next().is_some() || names.iter().skip(at.saturating_add(1)).any(|other| other == name);
        if !is_there || is_twice {
            let name = describe::quoted(name);
            return Err(format!("growing: {name} has to be an optional key of the dict"));
        }
    }
    Ok(())
}

fn keyed(item: &Schema, key: &str) -> Result<(), String> {
    let name = describe::quoted(key);
    let Shape::Dict { keys, open: false } = item.shape() else {
        return Err("keyed: needs an array whose element is a dict(), not a ref(), and not open".to_owned());
    };
    let Some((_, part)) = keys.iter().find(|(name, _)| name == key) else {
        return Err(format!("keyed: the dict has no key {name}"));
    };
    if item.is_nullable() || *part.presence() != Presence::Required {
        return Err(format!("keyed: {name} may be neither optional nor nullable"));
    }
    is_place(part, &name)
}

fn keyed_map(key: &Schema, name: &str) -> Result<(), String> {
    first(&[(!name.is_empty(), "keyed: a map takes no name, since it is sorted by its own keys")])?;
    is_place(key, "the key of a map")
}

/// Whether ints of this schema may be places of a mask.
fn is_place(schema: &Schema, name: &str) -> Result<(), String> {
    let demands = schema.demands();
    let (Some(Number::Int(min)), Some(Number::Int(max))) = (demands.min, demands.max) else {
        return Err(format!("keyed: {name} has to be an int with a range"));
    };
    let is_plain = matches!(schema.shape(), Shape::Type(VariantType::Int))
        && !schema.is_nullable()
        && demands.multiple_of.is_none()
        && !demands.packing.clamped;
    if !is_plain || max.abs_diff(min) > u64::from(u32::MAX) {
        return Err(format!("keyed: {name} has to be plain, and in a range of at most 2^32"));
    }
    Ok(())
}

fn room(shape: &Shape, packing: &Packing) -> Result<(), String> {
    let there = match shape {
        Shape::Enum(values) => values.len(),
        Shape::Union(alternatives) => alternatives.len(),
        _ => 0,
    };
    match packing.room_for {
        Some(room) if usize::try_from(room).is_ok_and(|room| room < there) => {
            Err(format!("room_for: there are {there} already"))
        }
        Some(room) if room > 1 << 32 => Err("room_for: at most 2^32".to_owned()),
        _ => Ok(()),
    }
}
