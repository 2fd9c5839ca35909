//! Makes the values to encode: the packet and the saves of godot_project/bench, and a list without arrays. It
//! times nothing.

use variant_core::{Array, Dictionary, Reals, Value};

/// Makes a typical packet: five entries, 132 bytes.
pub(crate) fn packet() -> Value {
    record([
        ("t", Value::Int(1)),
        ("pos", vector([1.5, 2.5, 3.5])),
        ("vel", vector([0.1, 0.2, 0.3])),
        ("id", Value::Int(12345)),
        ("name", text("player")),
    ])
}

/// Makes a typical save: 16 entries an entity, about 480 bytes.
pub(crate) fn save(entities: i64) -> Value {
    let mut random = Random(20240);
    let entities = (0..entities).map(|i| entity(i, &mut random)).collect();
    record([
        ("version", Value::Int(3)),
        ("seed", Value::Int(123_456_789_012)),
        ("entities", array(entities)),
        ("flags", record([("intro", Value::Bool(true)), ("boss", Value::Bool(false))])),
    ])
}

/// Makes entities by number, in dictionaries alone, because the published crate has no arrays.
pub(crate) fn flat(entities: i64) -> Value {
    let mut random = Random(7);
    let entry = |i: i64| {
        let entity = record([
            ("name", text(&format!("entity_{i}"))),
            ("pos", position(&mut random)),
            ("hp", Value::Int(random.below(101))),
            ("alive", Value::Bool(i % 7 != 0)),
        ]);
        (Value::Int(i), entity)
    };
    dictionary((0..entities).map(entry).collect())
}

/// Makes numbers one after another, whose encoding is longer than memory only by its header.
pub(crate) fn floats(count: usize) -> Value {
    Value::PackedFloat32Array((0..count).map(|i| i as f32 * 0.5).collect())
}

fn entity(i: i64, random: &mut Random) -> Value {
    let kinds = ["orc", "elf", "crate", "door"];
    record([
        ("id", Value::Int(i)),
        ("name", text(&format!("entity_{i}"))),
        ("kind", text(kinds[i as usize % 4])),
        ("pos", position(random)),
        ("rot", Value::Float(f64::from(random.unit()))),
        ("hp", Value::Int(random.below(101))),
        ("alive", Value::Bool(i % 7 != 0)),
        ("tags", array(vec![text("a"), text(&format!("b{}", i % 10))])),
        ("inv", record([("gold", Value::Int(random.below(1000))), ("potions", Value::Int(i % 3))])),
        ("owner", if i % 5 == 0 { text("player") } else { Value::Nil }),
        ("vel", position(random)),
        ("speed", Value::Float(f64::from(random.unit()))),
        ("level", Value::Int(1 + random.below(99))),
        ("color", Value::Color([random.unit(), 0.5, 0.25, 1.0])),
        ("faction", Value::StringName(format!("faction_{}", i % 6))),
        ("seen", Value::Bool(i % 3 == 0)),
    ])
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn vector(numbers: [f32; 3]) -> Value {
    Value::Vector3(Reals::Single(numbers))
}

fn position(random: &mut Random) -> Value {
    vector([random.unit(), random.unit() * 100.0, random.unit() - 0.5])
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

fn dictionary(entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn record<const N: usize>(entries: [(&str, Value); N]) -> Value {
    dictionary(entries.into_iter().map(|(key, value)| (text(key), value)).collect())
}

/// Generates random numbers, equal in every run.
struct Random(u64);

impl Random {
    /// Returns a number below 2^24, which a single holds.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 40
    }

    fn unit(&mut self) -> f32 {
        self.next() as f32 / (1 << 24) as f32
    }

    fn below(&mut self, end: i64) -> i64 {
        self.next() as i64 % end
    }
}
