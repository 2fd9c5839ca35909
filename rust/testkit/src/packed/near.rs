//! Makes values near a schema that can be packed: at the ends of ranges and between, and now and then something else.

use variant_core::{Dictionary, NodePath, Value, VariantType as T};
use variant_schema::{Number as Bound, Presence, Schema, Shape};

use super::number::Num;
use super::parts;
use crate::schema::Draw;

/// Makes a value that mostly fits.
pub(super) fn value(schema: &Schema, draw: &mut Draw<'_>) -> Value {
    Near { root: schema }.value(schema, draw, 9)
}

struct Near<'s> {
    root: &'s Schema,
}

impl Near<'_> {
    fn value(&self, schema: &Schema, draw: &mut Draw<'_>, depth: usize) -> Value {
        if draw.one_in(60) {
            return literal(draw);
        }
        if schema.is_nullable() && (depth == 0 || draw.one_in(4)) {
            return Value::Nil;
        }
        let Some(below) = depth.checked_sub(1) else { return Value::Nil };
        match schema.shape() {
            Shape::Type(ty) => of_type(*ty, schema, draw),
            Shape::Enum(values) => values[draw.below(values.len())].clone(),
            Shape::Union(parts) => self.value(&parts[draw.below(parts.len())], draw, below),
            Shape::Ref(name) => match self.root.definitions().get(name) {
                Some(schema) => self.value(schema, draw, below),
                None => Value::Nil,
            },
            _ => self.parts(schema, draw, below),
        }
    }

    fn parts(&self, schema: &Schema, draw: &mut Draw<'_>, below: usize) -> Value {
        let size = |draw: &mut Draw<'_>| {
            let least = schema.demands().min_size.unwrap_or(0);
            least as usize + if draw.one_in(12) { draw.below(24) } else { draw.below(4) }
        };
        match schema.shape() {
            Shape::Array(item) if schema.demands().packing.keyed.is_some() => {
                let mut items: Vec<Value> = (0..size(draw)).map(|_| self.value(item, draw, below)).collect();
                self.renumber(schema, &mut items, draw);
                Value::from(items)
            }
            Shape::Array(item) => {
                Value::from((0..size(draw)).map(|_| self.value(item, draw, below)).collect::<Vec<_>>())
            }
            Shape::Tuple(items) => {
                let there = items
                    .iter()
                    .take_while(|item| *item.presence() == Presence::Required || draw.below(3) > 0);
                let there = there.count();
                Value::from(
                    items[..there].iter().map(|item| self.value(item, draw, below)).collect::<Vec<_>>(),
                )
            }
            Shape::Dict { keys, .. } => dictionary(self.entries(keys, draw, below), draw),
            Shape::Map(key, value) => {
                let count = size(draw);
                let entries =
                    (0..count).map(|_| (self.value(key, draw, below), self.value(value, draw, below)));
                let entries = entries.collect();
                dictionary(if draw.one_in(9) { entries } else { each_once(entries) }, draw)
            }
            Shape::Discriminated { key, cases } => {
                let (told, case) = &cases[draw.below(cases.len())];
                let Shape::Dict { keys, .. } = case.shape() else { return Value::Nil };
                let mut entries = self.entries(keys, draw, below);
                entries.push((Value::from(key.as_str()), told.clone()));
                dictionary(entries, draw)
            }
            _ => literal(draw),
        }
    }

    /// Gives most entries of a set a key of their own.
    fn renumber(&self, set: &Schema, entries: &mut [Value], draw: &mut Draw<'_>) {
        let Shape::Array(item) = set.shape() else { return };
        let Shape::Dict { keys, .. } = item.shape() else { return };
        let part = keys.iter().find(|(name, _)| name == "b").map(|(_, part)| part);
        let Some(Bound::Int(min)) = part.and_then(|part| part.demands().min) else { return };
        for (at, entry) in (0..).zip(entries) {
            if let Value::Dictionary(entry) = entry
                && !draw.one_in(12)
            {
                entry.insert("b", Value::Int(min + at));
            }
        }
    }

    fn entries(&self, keys: &[(String, Schema)], draw: &mut Draw<'_>, depth: usize) -> Vec<(Value, Value)> {
        let mut entries = Vec::new();
        for (name, part) in keys {
            let is_there = match part.presence() {
                Presence::Required => !draw.one_in(60),
                _ => draw.one_in(2),
            };
            if is_there {
                let value = match part.presence() {
                    Presence::Default(default) if draw.one_in(4) => default.clone(),
                    _ => self.value(part, draw, depth),
                };
                entries.push((Value::from(name.as_str()), value));
            }
        }
        entries
    }
}

/// Without keys that came before.
fn each_once(entries: Vec<(Value, Value)>) -> Vec<(Value, Value)> {
    let mut seen: Vec<(Value, Value)> = Vec::new();
    for entry in entries {
        if seen.iter().all(|(key, _)| *key != entry.0) {
            seen.push(entry);
        }
    }
    seen
}

fn dictionary(mut entries: Vec<(Value, Value)>, draw: &mut Draw<'_>) -> Value {
    if draw.one_in(3) {
        entries.reverse();
    }
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

/// A number between the ends, often one of them.
fn between(min: f64, max: f64, draw: &mut Draw<'_>) -> f64 {
    match draw.below(6) {
        0 => min,
        1 => max,
        2 => (min + max) / 2.0,
        3 => draw.float(),
        _ => min + (max - min) * (draw.below(256) as f64 * 256.0 + draw.below(256) as f64) / 65535.0,
    }
}

fn real(schema: &Schema, at: usize, draw: &mut Draw<'_>) -> f64 {
    let demands = schema.demands();
    let bound = |bound: Option<Bound>| match bound {
        Some(Bound::Float(bound)) => Some(bound),
        Some(Bound::Int(bound)) => Some(bound as f64),
        None => None,
    };
    let own = demands.packing.quantized.and_then(|grid| grid.range);
    let within = demands.within.as_deref().unwrap_or_default();
    let half = within.len() / 2;
    let edge = (at < half).then(|| (within[at], within[at] + within[half + at]));
    let (min, max) = own.or(edge).or(bound(demands.min).zip(bound(demands.max))).unwrap_or((-2.0, 2.0));
    between(min, max, draw)
}

fn whole_number(schema: &Schema, draw: &mut Draw<'_>) -> i64 {
    let demands = schema.demands();
    let whole = |bound: Option<Bound>| if let Some(Bound::Int(bound)) = bound { Some(bound) } else { None };
    let (min, max) = (whole(demands.min), whole(demands.max));
    let number = match (min, max, draw.below(8)) {
        (_, _, 0) => draw.int(),
        (Some(min), _, 1) => min,
        (_, Some(max), 2) => max,
        (Some(min), Some(max), _) => {
            let span = max.wrapping_sub(min).cast_unsigned();
            min.wrapping_add(
                (draw.below(256) as u64 * 0x0101_0101_0101_0101 % span.saturating_add(1).max(1))
                    .cast_signed(),
            )
        }
        (Some(min), None, _) => min.saturating_add(draw.below(200) as i64),
        (None, Some(max), _) => max.saturating_sub(draw.below(200) as i64),
        _ => draw.int(),
    };
    match whole(demands.multiple_of) {
        Some(multiple) if !draw.one_in(6) => number - number % multiple,
        _ => number,
    }
}

fn string(schema: &Schema, draw: &mut Draw<'_>) -> String {
    let least = schema.demands().min_chars.unwrap_or(0);
    let text = match &schema.demands().packing.alphabet {
        Some(alphabet) if !draw.one_in(9) => {
            let last = alphabet.chars().last().unwrap_or('a');
            (0..draw.below(5)).map(|_| if draw.one_in(2) { last } else { 'a' }).collect()
        }
        _ => draw.text(),
    };
    if (text.chars().count() as u64) < least && !draw.one_in(9) { text + "aa" } else { text }
}

fn numbers(ty: T, schema: &Schema, draw: &mut Draw<'_>) -> Vec<Num> {
    let count = match ty {
        T::Vector2 | T::Vector2i => 2,
        T::Vector3 | T::Vector3i => 3,
        T::Transform2D | T::Aabb => 6,
        T::Basis => 9,
        T::Transform3D => 12,
        T::Projection => 16,
        _ => 4,
    };
    let mut all: Vec<f64> = (0..count).map(|at| real(schema, at, draw)).collect();
    let is_unit = schema.demands().normalized || (ty == T::Quaternion && !draw.one_in(9));
    let length = all.iter().map(|n| n * n).sum::<f64>().sqrt();
    if is_unit && length > 0.0 {
        all.iter_mut().for_each(|n| *n /= length);
    }
    if schema.demands().packing.rigid.is_some() && !draw.one_in(9) {
        // A turn about an axis.
        let (sin, cos) = real(schema, 0, draw).sin_cos();
        all[..9].copy_from_slice(&[cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0]);
    }
    match ty {
        T::Vector2i | T::Vector3i | T::Vector4i | T::Rect2i => {
            all.iter().map(|n| Num::Int((*n as i64).clamp(-5, 20))).collect()
        }
        _ => all.into_iter().map(Num::Real).collect(),
    }
}

fn of_type(ty: T, schema: &Schema, draw: &mut Draw<'_>) -> Value {
    match ty {
        T::Nil => Value::Nil,
        T::Bool => Value::Bool(draw.one_in(2)),
        T::Int => Value::Int(whole_number(schema, draw)),
        T::Float => Value::Float(real(schema, 9, draw)),
        T::String => Value::String(string(schema, draw)),
        T::StringName => Value::StringName(string(schema, draw)),
        T::NodePath => {
            let names = (0..draw.below(3)).map(|_| format!("n{}", draw.below(9))).collect();
            let subnames = (0..draw.below(2)).map(|_| "x".to_owned()).collect();
            Value::NodePath(Box::new(NodePath { absolute: draw.one_in(2), names, subnames }))
        }
        T::PackedByteArray
        | T::PackedInt32Array
        | T::PackedInt64Array
        | T::PackedFloat32Array
        | T::PackedFloat64Array
        | T::PackedStringArray
        | T::PackedVector2Array
        | T::PackedVector3Array
        | T::PackedVector4Array
        | T::PackedColorArray => packed(ty, schema, draw),
        ty => parts::value(ty, &numbers(ty, schema, draw), draw.one_in(4)).unwrap_or(Value::Nil),
    }
}

fn packed(ty: T, schema: &Schema, draw: &mut Draw<'_>) -> Value {
    let any = Schema::int();
    let rows =
        schema.demands().min_size.unwrap_or(0) as usize + if draw.one_in(8) { 20 } else { draw.below(4) };
    let element = schema.demands().packing.elements.as_ref();
    match ty {
        T::PackedStringArray => {
            let of = element.unwrap_or(schema);
            Value::PackedStringArray((0..rows).map(|_| string(of, draw)).collect())
        }
        T::PackedByteArray | T::PackedInt32Array | T::PackedInt64Array => {
            let of = element.unwrap_or(&any);
            let (least, most) = match ty {
                T::PackedByteArray => (0, 255),
                T::PackedInt32Array => (i64::from(i32::MIN), i64::from(i32::MAX)),
                _ => (i64::MIN, i64::MAX),
            };
            let numbers: Vec<_> =
                (0..rows).map(|_| Num::Int(whole_number(of, draw).clamp(least, most))).collect();
            parts::value(ty, &numbers, true).unwrap_or(Value::Nil)
        }
        T::PackedFloat32Array | T::PackedFloat64Array => {
            let of = element.unwrap_or(&any);
            let numbers: Vec<_> = (0..rows).map(|_| Num::Real(real(of, 9, draw))).collect();
            parts::value(ty, &numbers, true).unwrap_or(Value::Nil)
        }
        T::PackedVector2Array | T::PackedVector3Array | T::PackedVector4Array | T::PackedColorArray => {
            let of = element.unwrap_or(&any);
            let inner = match ty {
                T::PackedVector2Array => T::Vector2,
                T::PackedVector3Array => T::Vector3,
                T::PackedVector4Array => T::Vector4,
                _ => T::Color,
            };
            let numbers: Vec<_> = (0..rows).flat_map(|_| numbers(inner, of, draw)).collect();
            parts::value(ty, &numbers, draw.one_in(4)).unwrap_or(Value::Nil)
        }
        _ => Value::Nil,
    }
}

pub(super) fn literal(draw: &mut Draw<'_>) -> Value {
    match draw.below(6) {
        0 | 1 => Value::Int(draw.int()),
        2 => Value::Float(draw.float()),
        3 => Value::String(draw.text()),
        4 => Value::StringName(draw.text()),
        _ => Value::Bool(draw.one_in(2)),
    }
}
