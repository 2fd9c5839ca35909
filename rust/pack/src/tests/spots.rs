//! Tests where parts stand in packed bits.

use super::samples::*;
use super::*;
use variant_core::Value;
use variant_schema::Schema;

use crate::{ErrorLocation, Tagging};

/// Every bit of a dict belongs to a part of it, in the order of the keys' names, not in that in which they are unpacked.
#[test]
fn every_bit_belongs_to_a_part() {
    let layout = layout(&a_move(true));
    for (tagging, head) in [(Tagging::Bare, 0), (Tagging::Short, 16), (Tagging::Long, 72)] {
        let mut packer = Packer::tagged(tagging);
        let packed = packer.pack(&layout, &move_value().encode().unwrap(), &rules()).unwrap().to_vec();
        let (value, spots) = packer.spots(&layout, &packed, &rules()).unwrap();
        assert_eq!(value, packer.unpack(&layout, &packed, &rules()).unwrap());
        // All of it; seq, dir, aim, act, and items with the item, its id and its count, as they are declared.
        let bits: Vec<_> = spots.iter().map(|spot| (spot.bit - head, spot.bits)).collect();
        assert_eq!(
            bits,
            [(0, 90), (58, 32), (16, 18), (3, 13), (1, 2), (34, 24), (39, 19), (46, 12), (39, 7)]
        );
        assert!(spots.is_sorted_by_key(|spot| spot.byte));
        assert!(spots.iter().all(|spot| spot.byte < value.len() as u64));
    }
}

/// The key of a set stands in its mask, and a literal nowhere.
#[test]
fn what_follows_from_something_else_has_no_bits() {
    let kind = Schema::literal(Value::from("k"));
    let entry = Schema::dict([("id", Schema::int().min(0).max(6)), ("kind", kind), ("on", Schema::bool())]);
    let layout = layout(&Schema::array(entry).keyed("id"));
    let value = Value::from(vec![Value::from([
        ("id", Value::Int(5)),
        ("kind", Value::from("k")),
        ("on", Value::Bool(true)),
    ])]);
    let packed = pack(&layout, &value).unwrap();
    let (_, spots) = Packer::new().spots(&layout, &packed, &rules()).unwrap();
    let bits: Vec<_> = spots.iter().map(|spot| (spot.bit, spot.bits)).collect();
    assert_eq!(bits, [(0, 9), (8, 1), (8, 0), (8, 0), (8, 1)]);
}

fn spots(schema: &Schema, value: &Value, tagging: Tagging) -> Vec<(u64, u64)> {
    let layout = layout(schema);
    let mut packer = Packer::tagged(tagging);
    let packed = packer.pack(&layout, &value.encode().unwrap(), &rules()).unwrap().to_vec();
    let (made, spots) = packer.spots(&layout, &packed, &rules()).unwrap();
    // Each begins where a value begins, the outer ones first.
    assert!(spots.windows(2).all(|pair| pair[0].byte <= pair[1].byte));
    assert_eq!(spots[0].byte, 0);
    assert!(spots.iter().all(|spot| usize::try_from(spot.byte).unwrap() < made.len()));
    spots.into_iter().map(|ErrorLocation { bit, bits, .. }| (bit, bit + bits)).collect()
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
    assert_eq!(spots(&schema, &value, Tagging::Bare), wanted);
    let behind = wanted.map(|(start, end)| (start + 16, end + 16));
    assert_eq!(spots(&schema, &value, Tagging::Short), behind);
}

#[test]
fn keys_of_sets_take_no_bits() {
    let entry = Schema::dict([("id", Schema::int().min(0).max(7)), ("hp", Schema::int().min(0).max(3))]);
    let schema = Schema::array(entry).keyed("id");
    let entry = |id, hp| Value::from([("id", Value::Int(id)), ("hp", Value::Int(hp))]);
    let value = Value::from(vec![entry(5, 1), entry(2, 3)]);
    // A mask of 1 and 8 bits, then 2 each.
    let wanted = [(0, 13), (9, 11), (9, 9), (9, 11), (11, 13), (11, 11), (11, 13)];
    assert_eq!(spots(&schema, &value, Tagging::Bare), wanted);
}
