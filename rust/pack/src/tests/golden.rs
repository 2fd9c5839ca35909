//! Pins the bits: a change here is another format.

use super::samples::*;
use super::*;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_bits_are_pinned() {
    let mut random = Random(1);
    let few = crowd(&mut random)[..2].to_vec();
    let rows = [
        (a_move(true), move_value(), "52324255040c010089070000"),
        (a_move(false), move_value(), "b264892ca40c3cffa39999f1d3ccccf41b300400241e0000"),
        (
            entities(true),
            state(5, &few),
            "21f1b59200711b047dd321945a8cbda3f602a51599fc26f3693db905a23554c4a9025f05000000",
        ),
        (
            chat(),
            chat_value(),
            "e9497fa5f3ca959dc9bdd5c18184d181d0a19581bcb1918188c9a5919d95b180d0ddbd81bc9981d0a195b58184c99581b0bddd81bcb981a09585b1d1a101",
        ),
        (inventory(), Value::from([("slots", Value::from(Vec::<Value>::new()))]), "01"),
    ];
    for (schema, value, bits) in rows {
        assert_eq!(hex(&round(&schema, &value).1), bits, "{}", schema.to_json());
    }
}

#[test]
fn the_bits_of_a_difference_are_pinned() {
    let layout = layout(&a_move(true));
    let base = pack(&layout, &move_value()).unwrap();
    let new = Value::from([
        ("seq", Value::Int(123_457)),
        ("dir", Value::Vector2([0.6_f32, -0.7].into())),
        ("aim", Value::Float(1.3)),
        ("act", Value::from("fire")),
        ("items", Value::from(Vec::<Value>::new())),
    ]);
    let new = pack(&layout, &new).unwrap();
    let delta = Packer::new().delta(&layout, &base, &new, &rules()).unwrap().to_vec();
    assert_eq!(hex(&delta), "bd7e1ac3010200");
}
