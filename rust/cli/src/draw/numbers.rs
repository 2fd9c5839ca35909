//! Draws values without children: numbers, texts, vectors, rotations, packed arrays.

use variant_core::token::Lanes;
use variant_core::wire::{Lane, Layout};
use variant_core::{NodePath, Value, VariantType};
use variant_schema::{Demands, Number, Schema};

use super::{Random, count, text};

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
        Layout::Math(..) => {
            let mut payload = Vec::new();
            put(ty, &components(ty, schema, random), &mut payload);
            of_payload(ty, &payload)
        }
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

fn of_payload(ty: VariantType, payload: &[u8]) -> Value {
    let (Layout::Math(lane, _) | Layout::Packed(lane, _)) = ty.layout() else { return Value::Nil };
    Lanes::new(payload, narrow(lane)).and_then(|lanes| Value::of_numbers(ty, &lanes)).unwrap_or(Value::Nil)
}

/// Vectors are drawn as engines of single precision have them.
fn narrow(lane: Lane) -> Lane {
    if lane == Lane::Real { Lane::F32 } else { lane }
}

fn put(ty: VariantType, numbers: &[f64], payload: &mut Vec<u8>) {
    let is_whole = matches!(ty.layout(), Layout::Math(Lane::I32, _));
    let bytes = |number: &f64| {
        if is_whole { (*number as i32).to_le_bytes() } else { (*number as f32).to_le_bytes() }
    };
    payload.extend(numbers.iter().flat_map(bytes));
}

fn packed(ty: VariantType, schema: &Schema, random: &mut Random) -> Value {
    let demands = schema.demands();
    let count = count(random, demands.min_size, demands.max_size);
    let (of, by_default) = match ty {
        VariantType::PackedByteArray => (ty, Schema::int().min(0).max(255)),
        VariantType::PackedInt32Array => {
            (ty, Schema::int().min(i64::from(i32::MIN)).max(i64::from(i32::MAX)))
        }
        VariantType::PackedInt64Array => (ty, Schema::int()),
        VariantType::PackedFloat32Array | VariantType::PackedFloat64Array => (ty, Schema::float()),
        VariantType::PackedStringArray => (ty, Schema::string()),
        VariantType::PackedVector2Array => (VariantType::Vector2, Schema::of_type(VariantType::Vector2)),
        VariantType::PackedVector3Array => (VariantType::Vector3, Schema::of_type(VariantType::Vector3)),
        VariantType::PackedVector4Array => (VariantType::Vector4, Schema::of_type(VariantType::Vector4)),
        _ => (VariantType::Color, Schema::of_type(VariantType::Color)),
    };
    let element = demands.packing.elements.clone().unwrap_or(by_default);
    let Layout::Packed(lane, each) = ty.layout() else {
        return Value::PackedStringArray((0..count).map(|_| text(&element, random)).collect());
    };
    let mut payload = Vec::new();
    for _ in 0..count {
        match lane {
            Lane::U8 | Lane::I32 | Lane::I64 => {
                payload.extend(&int(element.demands(), random).to_le_bytes()[..lane.size()]);
            }
            _ if each > 1 => put(of, &components(of, &element, random), &mut payload),
            Lane::F64 => payload.extend(float(element.demands(), random).to_le_bytes()),
            _ => payload.extend((float(element.demands(), random) as f32).to_le_bytes()),
        }
    }
    of_payload(ty, &payload)
}
