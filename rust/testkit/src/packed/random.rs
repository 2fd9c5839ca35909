//! Makes random schemas of everything that can be packed, with every modifier.

use variant_core::{Value, VariantType as T};
use variant_schema::Schema;

use super::near::{literal, value};
use crate::schema::Draw;

const DEPTH: usize = 4;
const KEYS: [&str; 5] = ["b", "a", "kind", "\u{e4}", "long key"];

/// Makes a schema, with a definition that it may refer to.
pub(super) fn schema(draw: &mut Draw<'_>) -> Schema {
    let root = of_depth(draw, DEPTH);
    let root = match draw.below(12) {
        10 => Schema::array(Schema::reference("loop")),
        11 => Schema::reference("loop").nullable(),
        _ => root,
    };
    let loops = Schema::dict([("n", ranged(draw)), ("z?", Schema::reference("loop").nullable())]);
    root.define("loop", loops)
}

fn of_depth(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let schema = if depth == 0 { leaf(draw) } else { shape(draw, depth - 1) };
    if draw.one_in(7) { schema.nullable() } else { schema }
}

fn count(draw: &mut Draw<'_>, below: usize) -> u64 {
    draw.below(below) as u64
}

fn sized(draw: &mut Draw<'_>, schema: Schema) -> Schema {
    let schema = if draw.one_in(4) { schema.min_size(count(draw, 3)) } else { schema };
    match draw.below(4) {
        2 => schema.max_size(3 + count(draw, 4)),
        3 => schema.max_size(1000_u64),
        _ => schema,
    }
}

fn shape(draw: &mut Draw<'_>, depth: usize) -> Schema {
    match draw.below(14) {
        0..=2 => leaf(draw),
        3 => Schema::dict(keys(draw, depth, 5)),
        4 => {
            let dict = Schema::dict(keys(draw, depth, 2));
            let appended: Vec<_> =
                ["y", "x"][..draw.below(3)].iter().map(|name| (*name, of_depth(draw, depth))).collect();
            dict.growing(appended)
        }
        5 => {
            let item = of_depth(draw, depth);
            sized(draw, Schema::array(item))
        }
        6 => tuple(draw, depth),
        7 => {
            let key = if draw.one_in(2) { ranged(draw) } else { text(draw) };
            let value = of_depth(draw, depth);
            let map = sized(draw, Schema::map(key.clone(), value));
            if key.demands().min.is_some() && draw.one_in(2) { map.keyed("") } else { map }
        }
        8 => union(draw, depth),
        9 => {
            let cases: Vec<_> =
                (0..draw.below(3) + 1).map(|at| (told(at), Schema::dict(keys(draw, depth, 2)))).collect();
            Schema::discriminated("kind", cases)
        }
        10..=12 => {
            let mut entry = keys(draw, depth, 3);
            entry.retain(|(name, _)| *name != "b");
            entry.insert(draw.below(entry.len() + 1), ("b", ranged(draw)));
            sized(draw, Schema::array(Schema::dict(entry)).keyed("b"))
        }
        _ => Schema::any(),
    }
}

fn told(at: usize) -> Value {
    if at == 1 { Value::Int(1) } else { Value::String(format!("case {at}")) }
}

fn presence(draw: &mut Draw<'_>, schema: Schema) -> Schema {
    match draw.below(6) {
        0 => schema.optional(),
        1 => schema.nullable().default_value(Value::Nil),
        2 => {
            let default = value(&schema, draw);
            schema.default_value(default)
        }
        _ => schema,
    }
}

fn keys(draw: &mut Draw<'_>, depth: usize, most: usize) -> Vec<(&'static str, Schema)> {
    let mut keys = Vec::new();
    for name in KEYS.iter().take(most) {
        if *name != "kind" && draw.below(3) > 0 {
            let schema = of_depth(draw, depth);
            keys.push((*name, presence(draw, schema)));
        }
    }
    keys
}

fn tuple(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let mut items: Vec<_> = (0..draw.below(3)).map(|_| of_depth(draw, depth)).collect();
    for _ in 0..draw.below(3) {
        let item = of_depth(draw, depth);
        items.push(match draw.below(3) {
            0 => item.optional(),
            1 => item.nullable().default_value(Value::Nil),
            _ => {
                let default = value(&item, draw);
                item.default_value(default)
            }
        });
    }
    Schema::tuple(items)
}

fn union(draw: &mut Draw<'_>, depth: usize) -> Schema {
    let room = |draw: &mut Draw<'_>, union: Schema| {
        if draw.one_in(4) { union.room_for(9) } else { union }
    };
    if draw.one_in(4) {
        let cases = (0..draw.below(3) + 1).map(|at| {
            let mut keys = keys(draw, depth, 2);
            keys.push(("kind", Schema::literal(told(at))));
            Schema::dict(keys)
        });
        let union = Schema::union(cases.collect::<Vec<_>>());
        return room(draw, union);
    }
    if draw.one_in(4) {
        let cases = (0..draw.below(3) + 1).map(|at| {
            let mut items = vec![Schema::literal(told(at))];
            items.extend((0..draw.below(3)).map(|_| of_depth(draw, depth)));
            Schema::tuple(items)
        });
        let union = Schema::union(cases.collect::<Vec<_>>());
        return room(draw, union);
    }
    let alternatives: Vec<_> = (0..draw.below(4) + 1).map(|_| of_depth(draw, depth)).collect();
    let union = Schema::union(alternatives);
    room(draw, union)
}

/// An int with a range.
fn ranged(draw: &mut Draw<'_>) -> Schema {
    const SPANS: [i64; 8] = [9, 0, 1, 15, 16, 100, 1000, 65535];
    let min = draw.int().clamp(-1_000_000_000, 1_000_000_000);
    Schema::int().min(min).max(min + SPANS[draw.below(8)])
}

fn int(draw: &mut Draw<'_>) -> Schema {
    let schema = match draw.below(9) {
        0 => Schema::int(),
        1 => Schema::int().min(draw.int()),
        2 => Schema::int().max(draw.int()),
        3 => Schema::int().min(i64::MIN).max(i64::MAX),
        4 => ranged(draw).clamped(),
        5 => ranged(draw).bits(17),
        6 => Schema::int().min(-(1_i64 << draw.below(63))).max(1_i64 << draw.below(63)),
        _ => ranged(draw),
    };
    if draw.one_in(5) { schema.multiple_of(1 + draw.below(9) as i64) } else { schema }
}

/// The step of a grid and its ends.
fn grid(draw: &mut Draw<'_>) -> (f64, f64, f64) {
    let step = draw.step();
    let steps = 1.0 + draw.below(256) as f64 * if draw.one_in(3) { 40.0 } else { 1.0 };
    let min = if draw.one_in(3) { -(steps / 2.0) * step } else { (draw.below(60) as f64 - 30.0) * step };
    (step, min, min + steps * step)
}

fn float(draw: &mut Draw<'_>) -> Schema {
    let (step, min, max) = grid(draw);
    let ranged = Schema::float().min(min).max(max);
    match draw.below(12) {
        0 => Schema::float(),
        1 => Schema::float().allow_non_finite(),
        2 => Schema::float().half(),
        3 => Schema::float().half().allow_non_finite(),
        4 => Schema::float().single(),
        5 => Schema::float().single().lossy().allow_non_finite(),
        6 => Schema::float().double().allow_non_finite(),
        7 => ranged.quantized(step),
        8 => ranged.quantized(step).clamped(),
        9 => ranged.bits(1 + draw.below(32) as u32),
        10 => Schema::float().quantized(step),
        _ => Schema::angle(1 + draw.below(32) as u32),
    }
}

/// A schema of a few numbers.
fn solid(draw: &mut Draw<'_>, ty: Option<T>) -> Schema {
    const TYPES: [T; 12] = [
        T::Vector3,
        T::Vector2,
        T::Quaternion,
        T::Color,
        T::Vector4,
        T::Rect2,
        T::Plane,
        T::Transform2D,
        T::Aabb,
        T::Basis,
        T::Transform3D,
        T::Projection,
    ];
    let ty = ty.unwrap_or_else(|| TYPES[draw.below(TYPES.len())]);
    let schema = Schema::of_type(ty);
    let (step, min, max) = grid(draw);
    let bits = 2 + draw.below(15) as u32;
    match (ty, draw.below(10)) {
        (T::Vector2, 0) => schema.within(vec![min, 0.0, max - min, 8.0 * step]).quantized(step),
        (T::Vector2, 1) => schema.within(vec![min, -4.0, max - min, 8.0]).bits(bits),
        (T::Vector3, 0) => {
            schema.within(vec![min, 0.0, min, max - min, 8.0 * step, max - min]).quantized(step)
        }
        (T::Vector3, 1) => schema.within(vec![min, -4.0, 0.0, max - min, 8.0, 3.0]).bits(bits),
        (T::Vector2 | T::Vector3, 2 | 3) => schema.normalized().bits(bits),
        (T::Quaternion, 0..=4) => schema.bits(bits),
        (T::Color, 0..=2) => schema.bits(bits),
        (T::Transform3D, 0..=5) => schema.rigid(step, bits),
        (_, 4) => schema.quantized_within(step, min, max),
        (_, 5) => schema.quantized_within(step, min, max).clamped(),
        (_, 6) => schema.quantized(step),
        (_, 7) => schema.half().allow_non_finite(),
        (T::Color, 8) => schema.single(),
        (_, 8) => schema.double(),
        (_, 9) => schema.allow_non_finite(),
        _ => schema,
    }
}

fn whole(draw: &mut Draw<'_>) -> Schema {
    let ty = [T::Vector2i, T::Vector3i, T::Vector4i, T::Rect2i][draw.below(4)];
    let schema = Schema::of_type(ty);
    match ty {
        T::Vector2i if draw.one_in(2) => schema.within(vec![-3.5, 0.0, 7.0, 15.0]),
        _ => schema,
    }
}

fn text(draw: &mut Draw<'_>) -> Schema {
    let schema = if draw.one_in(3) { Schema::string_name() } else { Schema::string() };
    limited(draw, schema)
}

fn limited(draw: &mut Draw<'_>, schema: Schema) -> Schema {
    const ALPHABETS: [&str; 5] = ["a-z0-9_ ", "ab", "a", "\u{e4}\u{1F600}a-c", "-x"];
    let schema = if draw.one_in(3) { schema.max_chars(2 + count(draw, 80)) } else { schema };
    let schema = if draw.one_in(5) { schema.min_chars(1 + count(draw, 2)) } else { schema };
    if draw.one_in(3) { schema.alphabet(ALPHABETS[draw.below(5)]) } else { schema }
}

fn packed(draw: &mut Draw<'_>) -> Schema {
    const TYPES: [T; 10] = [
        T::PackedByteArray,
        T::PackedInt32Array,
        T::PackedInt64Array,
        T::PackedFloat32Array,
        T::PackedFloat64Array,
        T::PackedStringArray,
        T::PackedVector2Array,
        T::PackedVector3Array,
        T::PackedVector4Array,
        T::PackedColorArray,
    ];
    let ty = TYPES[draw.below(10)];
    let schema = sized(draw, Schema::of_type(ty));
    if draw.one_in(3) {
        return schema;
    }
    let element = match ty {
        T::PackedByteArray => Schema::int().min(draw.below(9) as i64).max(9 + draw.below(200) as i64),
        T::PackedInt32Array => ranged(draw),
        T::PackedInt64Array => int(draw),
        T::PackedFloat32Array | T::PackedFloat64Array => float(draw),
        T::PackedStringArray => {
            let text = Schema::string();
            limited(draw, text)
        }
        T::PackedVector2Array => solid(draw, Some(T::Vector2)),
        T::PackedVector3Array => solid(draw, Some(T::Vector3)),
        T::PackedVector4Array => solid(draw, Some(T::Vector4)),
        _ => solid(draw, Some(T::Color)),
    };
    schema.elements(element)
}

fn leaf(draw: &mut Draw<'_>) -> Schema {
    match draw.below(16) {
        0 => Schema::bool(),
        1..=3 => int(draw),
        4 | 5 => float(draw),
        6 | 7 => text(draw),
        8 | 9 => solid(draw, None),
        10 => whole(draw),
        11 | 12 => packed(draw),
        13 => {
            let values: Vec<_> = (0..draw.below(5) + 1).map(|_| literal(draw)).collect();
            let listed = Schema::enumeration(values);
            if draw.one_in(3) { listed.room_for(5 + count(draw, 30)) } else { listed }
        }
        14 => Schema::node_path(),
        _ => Schema::null(),
    }
}
