//! Draws values without children: numbers, texts, vectors, rotations, packed arrays.

use variant_core::wire::{Lane, Layout};
use variant_core::{NodePath, Value, VariantType};
use variant_schema::{Demands, Number, Schema};

use super::{Random, count, text};

/// The range of numbers without bounds.
const FAR: f64 = 100.0;
const WHOLE: i64 = 1 << 40;

pub(super) fn of_type(ty: VariantType, schema: &Schema, random: &mut Random) -> Value {
    let demands = schema.demands();
    match ty.layout() {
        Layout::Bool => Value::Bool(random.one_in(2)),
        Layout::Int => Value::Int(int(demands, random)),
        Layout::Float => Value::Float(float(demands, random)),
        Layout::Text if ty == VariantType::StringName => Value::StringName(text(schema, random)),
        Layout::Text => Value::String(text(schema, random)),
        Layout::NodePath => node_path(random),
        Layout::Math(..) => math(ty, &components(ty, schema, random)),
        Layout::Packed(..) | Layout::PackedStrings => packed(ty, schema, random),
        Layout::Array => Value::from(Vec::<Value>::new()),
        Layout::Dictionary => Value::Dictionary(Box::default()),
        _ => Value::Nil,
    }
}

fn int(demands: &Demands, random: &mut Random) -> i64 {
    let whole = |bound: Option<Number>| match bound {
        Some(Number::Int(bound)) => Some(bound),
        _ => None,
    };
    let step = whole(demands.multiple_of).unwrap_or(1).max(1);
    let (min, max) = (whole(demands.min), whole(demands.max));
    let low = min.unwrap_or_else(|| max.unwrap_or(WHOLE).saturating_sub(WHOLE));
    let high = max.unwrap_or_else(|| low.saturating_add(WHOLE));
    let (first, last) = (low.div_euclid(step), high.div_euclid(step));
    // The ends and small numbers are where codecs differ.
    let at = match random.below(6) {
        0 => first,
        1 => last,
        2 => first.saturating_add(1).min(last),
        3 if min.is_none() && max.is_none() => random.below(16) as i64 - 8,
        _ => first
            .wrapping_add_unsigned(random.below(last.wrapping_sub(first).cast_unsigned().wrapping_add(1))),
    };
    let number = at.saturating_mul(step);
    if number < low { number.saturating_add(step) } else { number }
}

fn float(demands: &Demands, random: &mut Random) -> f64 {
    let real = |bound: Option<Number>| match bound {
        Some(Number::Int(bound)) => Some(bound as f64),
        Some(Number::Float(bound)) => Some(bound),
        None => None,
    };
    let low = real(demands.min).unwrap_or_else(|| real(demands.max).map_or(-FAR, |max| max - FAR));
    let high = real(demands.max).unwrap_or(low + FAR);
    let number = random.within(low, high);
    if let Some(step) = real(demands.multiple_of) {
        return (number / step).round() * step;
    }
    // As many as 32 bits hold come often enough.
    let short = f64::from(number as f32);
    if (low..=high).contains(&short) && random.one_in(2) || demands.packing.width.is_some() {
        short
    } else {
        number
    }
}

fn node_path(random: &mut Random) -> Value {
    let names = ["root", "Player", "a b"].map(str::to_owned);
    Value::NodePath(Box::new(NodePath {
        absolute: random.one_in(2),
        names: names.iter().take(random.below(4) as usize).cloned().collect(),
        subnames: if random.one_in(2) { vec!["position".to_owned()] } else { Vec::new() },
    }))
}

/// Draws the numbers of a vector or what is made of vectors.
fn components(ty: VariantType, schema: &Schema, random: &mut Random) -> Vec<f64> {
    let demands = schema.demands();
    let Layout::Math(lane, count) = ty.layout() else { return Vec::new() };
    let region = demands.within.as_deref().unwrap_or_default();
    let (from, size) = region.split_at(region.len() / 2);
    let own = demands.packing.quantized.and_then(|grid| grid.range);
    let range = |at: usize| match (from.get(at).zip(size.get(at)), own) {
        (Some((from, size)), _) => (*from, from + size),
        (None, Some(range)) => range,
        (None, None) if ty == VariantType::Color => (0.0, 1.0),
        (None, None) => (-FAR, FAR),
    };
    let mut numbers: Vec<f64> = (0..usize::from(count))
        .map(|at| {
            let (min, max) = range(at);
            let number = random.within(min, max);
            if lane == Lane::I32 { number.round() } else { number }
        })
        .collect();
    match ty {
        VariantType::Quaternion => to_length(&mut numbers, 1.0),
        VariantType::Plane if demands.normalized => to_length(&mut numbers[..3], 1.0),
        VariantType::Basis => numbers = BASES[random.below(2) as usize].to_vec(),
        VariantType::Transform3D => numbers[..9].copy_from_slice(&BASES[random.below(2) as usize]),
        _ if demands.normalized => to_length(&mut numbers, 1.0),
        _ => {}
    }
    let length = length(&numbers);
    if let Some(most) = demands.max_length.filter(|most| length > *most) {
        to_length(&mut numbers, most * 0.99);
    }
    if let Some(least) = demands.min_length.filter(|least| length < *least) {
        to_length(&mut numbers, least * 1.01);
    }
    numbers
}

/// No turn, and a quarter of one.
const BASES: [[f64; 9]; 2] =
    [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]];

fn length(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}

fn to_length(numbers: &mut [f64], wanted: f64) {
    let now = length(numbers);
    if now > 0.0 {
        numbers.iter_mut().for_each(|number| *number *= wanted / now);
    } else if let Some(first) = numbers.first_mut() {
        *first = wanted;
    }
}

fn reals<const N: usize>(numbers: &[f64]) -> [f32; N] {
    std::array::from_fn(|at| numbers.get(at).map_or(0.0, |number| *number as f32))
}

fn ints<const N: usize>(numbers: &[f64]) -> [i32; N] {
    std::array::from_fn(|at| numbers.get(at).map_or(0, |number| *number as i32))
}

fn math(ty: VariantType, numbers: &[f64]) -> Value {
    match ty {
        VariantType::Vector2 => Value::Vector2(reals(numbers).into()),
        VariantType::Vector2i => Value::Vector2i(ints(numbers)),
        VariantType::Rect2 => Value::Rect2(reals(numbers).into()),
        VariantType::Rect2i => Value::Rect2i(ints(numbers)),
        VariantType::Vector3 => Value::Vector3(reals(numbers).into()),
        VariantType::Vector3i => Value::Vector3i(ints(numbers)),
        VariantType::Transform2D => Value::Transform2D(Box::new(reals(numbers).into())),
        VariantType::Vector4 => Value::Vector4(reals(numbers).into()),
        VariantType::Vector4i => Value::Vector4i(ints(numbers)),
        VariantType::Plane => Value::Plane(reals(numbers).into()),
        VariantType::Quaternion => Value::Quaternion(reals(numbers).into()),
        VariantType::Aabb => Value::Aabb(Box::new(reals(numbers).into())),
        VariantType::Basis => Value::Basis(Box::new(reals(numbers).into())),
        VariantType::Transform3D => Value::Transform3D(Box::new(reals(numbers).into())),
        VariantType::Projection => Value::Projection(Box::new(reals(numbers).into())),
        VariantType::Color => Value::Color(reals(numbers)),
        _ => Value::Nil,
    }
}

fn packed(ty: VariantType, schema: &Schema, random: &mut Random) -> Value {
    let demands = schema.demands();
    let count = count(random, demands.min_size, demands.max_size);
    let element = |by_default: Schema| demands.packing.elements.clone().unwrap_or(by_default);
    let whole = |least: i64, most: i64| element(Schema::int().min(least).max(most));
    match ty {
        VariantType::PackedByteArray => {
            let element = whole(0, 255);
            Value::PackedByteArray((0..count).map(|_| int(element.demands(), random) as u8).collect())
        }
        VariantType::PackedInt32Array => {
            let element = whole(i64::from(i32::MIN), i64::from(i32::MAX));
            Value::PackedInt32Array((0..count).map(|_| int(element.demands(), random) as i32).collect())
        }
        VariantType::PackedInt64Array => {
            let element = element(Schema::int());
            Value::PackedInt64Array((0..count).map(|_| int(element.demands(), random)).collect())
        }
        VariantType::PackedFloat32Array => {
            let element = element(Schema::float());
            Value::PackedFloat32Array((0..count).map(|_| float(element.demands(), random) as f32).collect())
        }
        VariantType::PackedFloat64Array => {
            let element = element(Schema::float());
            Value::PackedFloat64Array((0..count).map(|_| float(element.demands(), random)).collect())
        }
        VariantType::PackedStringArray => {
            let element = element(Schema::string());
            Value::PackedStringArray((0..count).map(|_| text(&element, random)).collect())
        }
        _ => vectors(ty, demands, count, random),
    }
}

fn vectors(ty: VariantType, demands: &Demands, count: u64, random: &mut Random) -> Value {
    let of = match ty {
        VariantType::PackedVector2Array => VariantType::Vector2,
        VariantType::PackedVector3Array => VariantType::Vector3,
        VariantType::PackedVector4Array => VariantType::Vector4,
        _ => VariantType::Color,
    };
    let element = demands.packing.elements.clone().unwrap_or_else(|| Schema::of_type(of));
    let rows: Vec<Vec<f64>> = (0..count).map(|_| components(of, &element, random)).collect();
    match of {
        VariantType::Vector2 => Value::PackedVector2Array(each::<2>(&rows).into()),
        VariantType::Vector3 => Value::PackedVector3Array(each::<3>(&rows).into()),
        VariantType::Vector4 => Value::PackedVector4Array(each::<4>(&rows).into()),
        _ => Value::PackedColorArray(each(&rows)),
    }
}

fn each<const N: usize>(rows: &[Vec<f64>]) -> Vec<[f32; N]> {
    rows.iter().map(|numbers| reals(numbers)).collect()
}
