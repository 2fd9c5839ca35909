//! Tests the sizes that the documents give.

use super::samples::*;
use super::*;

#[test]
fn packets_are_as_small_as_documents_say() {
    let mut random = Random(7);
    let crowd = state(77, &crowd(&mut random));
    let rows = [
        (a_move(true), move_value(), 12),
        (a_move(false), move_value(), 24),
        (entities(true), crowd.clone(), 830),
        (entities(false), crowd, 2150),
        (inventory(), inventory_value(&mut random), 120),
        (chat(), chat_value(), 62),
    ];
    for (schema, value, most) in rows {
        let engine = value.encode().unwrap().len();
        let (_, packed) = round(&schema, &value);
        println!("{engine} bytes become {}", packed.len());
        assert!(packed.len() <= most, "{} bytes, more than {most}", packed.len());
    }
}

/// 90 bits: 32 + 9 + 9 + 13 + 2 + 5 + 12 + 7 + 1, in the order of the keys' names.
#[test]
fn a_move_takes_90_bits() {
    let size = layout(&a_move(true)).size();
    let (_, packed) = round(&a_move(true), &move_value());
    assert_eq!((packed.len(), size.min_bits), (12, 71));
    assert_eq!(size.max_bits, Some(71 + 16 * 19 + 13 + 64 * 4 * 8));
}

#[test]
fn reports_name_what_is_large() {
    let mut random = Random(7);
    let layout = layout(&entities(true));
    let value = state(77, &crowd(&mut random)).encode().unwrap();
    let shares = Packer::new().report(&layout, &value, &rules()).unwrap();
    let of = |path: &str| shares.iter().find(|share| share.path == path).unwrap();
    assert_eq!((of("entities[].pos").bits, of("entities[].pos").bytes), (50 * 49, 50 * 16));
    assert_eq!(of("entities[].rot").bits, 50 * 32);
    assert_eq!(of("tick").bits, 32);
    assert!(of("").bits > 6400 && shares[0].path.is_empty());
    assert_eq!(layout.largest_part(), "entities");
}

#[test]
fn precision_is_told() {
    let layout = layout(&entities(true));
    let all = layout.precision();
    let of = |path: &str| all.iter().find(|part| part.path == path).unwrap();
    let pos = of("entities[].pos");
    assert_eq!((pos.bits, pos.step, pos.max_error), (Some(49), Some(0.01), Some(0.005)));
    let rot = of("entities[].rot");
    assert_eq!(rot.bits, Some(32));
    assert!((rot.max_error_degrees.unwrap() - 0.27).abs() < 0.01);
    assert_eq!(all.len(), 3);
}
