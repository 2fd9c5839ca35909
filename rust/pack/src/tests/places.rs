//! Tests where the values of packed bytes are said to lie.

use variant_core::Value;
use variant_schema::Schema;

use super::{layout, rules};
use crate::{Extent, Packer, Tagging};

fn places(schema: &Schema, value: &Value, tagging: Tagging) -> Vec<(u64, u64)> {
    let layout = layout(schema);
    let mut packer = Packer::tagged(tagging);
    let packed = packer.pack(&layout, &value.encode().unwrap(), &rules()).unwrap().to_vec();
    let places = packer.places(&layout, &packed, &rules()).unwrap();
    let made = packer.made().to_vec();
    // Each begins where a value begins, the outer ones first.
    assert!(places.windows(2).all(|pair| pair[0].byte <= pair[1].byte));
    assert_eq!(places[0].byte, 0);
    assert!(places.iter().all(|place| usize::try_from(place.byte).unwrap() < made.len()));
    places.into_iter().map(|Extent { start, end, .. }| (start, end)).collect()
}

#[test]
fn parts_lie_inside_of_each_other() {
    let schema = Schema::dict([
        ("hp", Schema::int().min(0).max(100)),
        ("items", Schema::array(Schema::int().min(0).max(255)).max_size(4_u64)),
        ("at", Schema::vector2().quantized_within(0.5, -2.0, 2.0)),
    ]);
    let value = Value::from([
        ("hp", Value::Int(80)),
        ("items", Value::from(vec![Value::Int(1), Value::Int(2)])),
        ("at", Value::Vector2([1.0, 0.5].into())),
    ]);
    // at 8, hp 7, a count of 3 and 8 each; the value has them as declared.
    let wanted = [(0, 34), (8, 15), (15, 34), (18, 26), (26, 34), (0, 8)];
    assert_eq!(places(&schema, &value, Tagging::Bare), wanted);
    let behind = wanted.map(|(start, end)| (start + 16, end + 16));
    assert_eq!(places(&schema, &value, Tagging::Short), behind);
}

#[test]
fn keys_of_sets_take_no_bits() {
    let entry = Schema::dict([("id", Schema::int().min(0).max(7)), ("hp", Schema::int().min(0).max(3))]);
    let schema = Schema::array(entry).keyed("id");
    let entry = |id, hp| Value::from([("id", Value::Int(id)), ("hp", Value::Int(hp))]);
    let value = Value::from(vec![entry(5, 1), entry(2, 3)]);
    // A mask of 1 and 8 bits, then 2 each.
    let wanted = [(0, 13), (9, 11), (9, 9), (9, 11), (11, 13), (11, 11), (11, 13)];
    assert_eq!(places(&schema, &value, Tagging::Bare), wanted);
}
