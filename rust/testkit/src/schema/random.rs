//! Makes random schemas of every kind with every demand, mostly without contradictions.

use variant_core::{Value, VariantType};
use variant_schema::{Number, Schema, Shape};

use super::Draw;

const DEPTH: usize = 4;
/// Lists the keys that dictionaries have, so that values come near them.
pub(super) const KEYS: [&str; 5] = ["a", "b", "kind", "long key", "z"];

/// Makes a schema, with a definition that it may refer to.
pub(super) fn schema(draw: &mut Draw<'_>) -> Schema {
    let root = of_depth(draw, DEPTH);
    // The definition may refer to itself below a key that may be missing, so that values of it can end.
    let loops = Schema::dict([("a", Schema::int()), ("z?", Schema::reference("loop").nullable())]);
    let root = if draw.one_in(4) { Schema::array(Schema::reference("loop")) } else { root };
    root.define("loop", loops)
}

fn of_depth(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let schema = if depth == 0 { leaf(draw) } else { shape(draw, depth - 1) };
    let schema = if draw.one_in(6) { schema.nullable() } else { schema };
    if draw.one_in(8) { schema.describe("of a test") } else { schema }
}

fn shape(draw: &mut Draw<'_>, depth: usize) -> Schema {
    match draw.below(12) {
        0..=2 => leaf(draw),
        3 | 4 => dict(draw, depth),
        5 => {
            let item = of_depth(draw, depth);
            let array = sized(draw, Schema::array(item));
            if draw.one_in(3) { array.unique() } else { array }
        }
        6 => {
            let count = draw.below(3);
            let mut items: Vec<_> = (0..count).map(|_| of_depth(draw, depth)).collect();
            if draw.one_in(3) {
                items.push(of_depth(draw, depth).optional());
            }
            if draw.one_in(3) {
                items.push(of_depth(draw, depth).nullable().default_value(Value::Nil));
            }
            let tuple = Schema::tuple(items);
            if draw.one_in(4) { tuple.open(true) } else { tuple }
        }
        7 => {
            let key = if draw.one_in(3) { Schema::int().min(0) } else { Schema::string().max_chars(3u64) };
            let value = of_depth(draw, depth);
            sized(draw, Schema::map(key, value))
        }
        8 | 9 => union(draw, depth),
        10 => {
            let count = draw.below(3) + 1;
            let cases = (0..count).map(|at| (case_value(draw, at), plain_dict(draw, depth)));
            Schema::discriminated("kind", cases.collect::<Vec<_>>())
        }
        _ => Schema::any(),
    }
}

fn case_value(draw: &mut Draw<'_>, at: usize) -> Value {
    if draw.one_in(3) {
        Value::String(format!("case {at}"))
    } else {
        Value::Int(i64::try_from(at).unwrap_or(0))
    }
}

fn dict(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let dict = plain_dict(draw, depth);
    dict.open(draw.one_in(3))
}

/// Makes a dict of some of the keys, in their order or not.
fn plain_dict(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let mut keys = Vec::new();
    for at in 0..KEYS.len() {
        let name = KEYS[if draw.one_in(8) { KEYS.len() - 1 - at } else { at }];
        if draw.below(2) == 1 && !keys.iter().any(|(known, _)| *known == name) && name != "kind" {
            let schema = of_depth(draw, depth);
            let schema = match draw.below(6) {
                0 => schema.optional(),
                1 => schema.nullable().default_value(Value::Nil),
                _ => schema,
            };
            keys.push((name, schema));
        }
    }
    Schema::dict(keys)
}

/// Makes a union of alternatives of different types, or of dictionaries or tuples with a literal each.
fn union(draw: &mut Draw<'_>, depth: usize) -> Schema {
    if draw.one_in(4) {
        let cases = (0..draw.below(3) + 1).map(|at| {
            let mut items = vec![Schema::literal(case_value(draw, at))];
            items.extend((0..draw.below(3)).map(|_| of_depth(draw, depth)));
            if draw.one_in(3) {
                items.push(of_depth(draw, depth).nullable().default_value(Value::Nil));
            }
            let tuple = Schema::tuple(items);
            if draw.one_in(4) { tuple.open(true) } else { tuple }
        });
        return Schema::union(cases.collect::<Vec<_>>());
    }
    if draw.one_in(3) {
        let cases = (0..draw.below(3) + 1).map(|at| {
            let literal = Schema::literal(Value::Int(i64::try_from(at).unwrap_or(0)));
            let Shape::Dict { keys, .. } = plain_dict(draw, depth).shape().clone() else {
                return Schema::any();
            };
            let keys = keys.into_iter().chain([("kind".to_owned(), literal)]);
            Schema::new(Shape::Dict { keys: keys.collect(), open: false })
        });
        return Schema::union(cases.collect::<Vec<_>>());
    }
    let mut alternatives: Vec<Schema> = Vec::new();
    for _ in 0..draw.below(4) + 1 {
        // An alternative may come twice, as it is or in a union of its own.
        let again = if draw.one_in(8) { alternatives.last().cloned() } else { None };
        alternatives.push(match again {
            Some(schema) if draw.one_in(2) => Schema::union([schema]),
            Some(schema) => schema.describe("again"),
            None => of_depth(draw, depth),
        });
    }
    Schema::union(alternatives)
}

fn sized(draw: &mut Draw<'_>, schema: Schema) -> Schema {
    let count = |draw: &mut Draw<'_>| u64::try_from(draw.below(4)).unwrap_or(0);
    let schema = if draw.one_in(4) { schema.min_size(count(draw)) } else { schema };
    if draw.one_in(3) { schema.max_size(count(draw)) } else { schema }
}

fn leaf(draw: &mut Draw<'_>) -> Schema {
    match draw.below(10) {
        0 | 1 => {
            let int = Schema::int();
            let int = if draw.one_in(2) { int.min(draw.int()) } else { int };
            let int = if draw.one_in(2) { int.max(draw.int()) } else { int };
            if draw.one_in(4) { int.multiple_of(draw.int()) } else { int }
        }
        2 => {
            let float = Schema::float();
            let float = if draw.one_in(2) { float.min(draw.float()) } else { float };
            let float = if draw.one_in(2) { float.max(Number::Float(draw.float())) } else { float };
            let float = if draw.one_in(4) { float.multiple_of(Number::Float(draw.step())) } else { float };
            if draw.one_in(3) { float.allow_non_finite() } else { float }
        }
        3 | 4 => text(draw, VariantType::String),
        5 => text(draw, VariantType::StringName),
        6 => {
            let count = draw.below(3) + 1;
            let values = (0..count).map(|_| literal(draw));
            Schema::enumeration(values.collect::<Vec<_>>())
        }
        7 => vector(draw),
        8 => packed(draw),
        _ => Schema::of_type(VariantType::ALL[draw.below(VariantType::ALL.len())]),
    }
}

fn text(draw: &mut Draw<'_>, ty: VariantType) -> Schema {
    let schema = Schema::of_type(ty);
    let schema =
        if draw.one_in(3) { schema.max_chars(u64::try_from(draw.below(4)).unwrap_or(0)) } else { schema };
    let schema = if draw.one_in(4) { schema.min_chars(1u64) } else { schema };
    if draw.one_in(3) { schema.pattern("^[ab ]*c?$") } else { schema }
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

fn vector(draw: &mut Draw<'_>) -> Schema {
    use VariantType as T;
    let ty = [T::Vector2, T::Vector3, T::Vector2i, T::Quaternion, T::Color, T::Plane][draw.below(6)];
    let schema = Schema::of_type(ty);
    match draw.below(5) {
        1 => schema.max_length(f64::from(u8::try_from(draw.below(5)).unwrap_or(0))),
        2 => schema.within(vec![0.0, 0.0, 2.0, 1.5]),
        3 => schema.normalized(),
        4 => schema.allow_non_finite(),
        _ => schema,
    }
}

fn packed(draw: &mut Draw<'_>) -> Schema {
    use VariantType as T;
    let ty = [T::PackedByteArray, T::PackedFloat32Array, T::PackedVector2Array, T::PackedStringArray];
    let ty = ty[draw.below(4)];
    let schema = sized(draw, Schema::of_type(ty));
    match ty {
        T::PackedStringArray if draw.one_in(2) => schema.max_chars(2u64),
        T::PackedFloat32Array if draw.one_in(2) => schema.allow_non_finite(),
        _ => schema,
    }
}
