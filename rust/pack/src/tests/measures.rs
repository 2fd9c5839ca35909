//! Tests what is measured of real values: errors within what the layout promises, and bits that nothing uses.

use variant_core::{Rules, Value};
use variant_schema::Schema;

use super::layout;
use crate::{Measurement, Packer};

fn schema() -> Schema {
    Schema::array(Schema::dict([
        ("pos", Schema::vector3().quantized_within(0.01, -512.0, 512.0)),
        ("rot", Schema::quaternion().bits(10)),
        ("hp", Schema::int().min(0).max(1000)),
        ("turn", Schema::angle(8)),
    ]))
}

fn samples(count: u32) -> Value {
    let sample = |at: u32| {
        let at = f64::from(at);
        let (sin, cos) = (at * 0.1).sin_cos();
        Value::from([
            ("pos", Value::Vector3([at * 3.333, 0.004, -at].into())),
            ("rot", Value::Quaternion([0.0, sin, 0.0, cos].into())),
            ("hp", Value::Int(if at < 1.0 { 0 } else { 7 })),
            ("turn", Value::Float(at)),
        ])
    };
    Value::from((0..count).map(sample).collect::<Vec<_>>())
}

#[test]
fn errors_are_within_what_is_promised() {
    let layout = layout(&schema());
    let bytes = samples(64).encode().unwrap();
    Packer::new().pack(&layout, &bytes, &Rules::default()).unwrap();
    let mut measured = Measurement::default();
    layout.measure(&bytes, &mut measured);
    let found = layout.deviations(&measured);
    let of = |path: &str| found.iter().find(|found| found.path == path).unwrap();
    assert_eq!(found.iter().map(|found| found.count).collect::<Vec<_>>(), [64; 4]);
    for promised in layout.precision() {
        let found = of(&promised.path);
        if let Some(most) = promised.max_error {
            let (worst, mean) = found.error.unwrap();
            assert!(worst <= most + 1e-4 && worst > most / 2.0, "{}: {worst} of {most}", found.path);
            assert!(mean > 0.0 && mean < worst);
        }
        if let Some(most) = promised.max_error_degrees {
            let (worst, mean) = found.degrees.unwrap();
            assert!(worst <= most && worst > most / 10.0, "{}: {worst} of {most}", found.path);
            assert!(mean > 0.0 && mean < worst);
        }
    }
    assert_eq!((of("[].hp").at_ends, of("[].pos").at_ends), (1, 0));
    // Twice the values, the same worst.
    layout.measure(&bytes, &mut measured);
    let twice = layout.deviations(&measured);
    let twice = twice.iter().find(|found| found.path == "[].pos").unwrap();
    assert_eq!((twice.count, twice.error.unwrap().0), (128, of("[].pos").error.unwrap().0));
}

#[test]
fn hints_name_bits_that_nothing_uses() {
    let layout = layout(&schema());
    let mut measured = Measurement::default();
    layout.measure(&samples(64).encode().unwrap(), &mut measured);
    let hints = layout.hints(&measured);
    assert_eq!(
        hints,
        [
            "[].hp needs 3 of 10 bits in 64 values",
            "[].pos.x needs 15 of 17 bits in 64 values",
            "[].pos.y needs 1 of 17 bits in 64 values",
            "[].pos.z needs 13 of 17 bits in 64 values",
        ]
    );
    let set = Schema::array(Schema::dict([("id", Schema::int().min(0).max(1000))])).keyed("id");
    let set = super::layout(&set);
    let entries = (0..20).map(|id| Value::from([("id", Value::Int(id))])).collect::<Vec<_>>();
    let mut keys = Measurement::default();
    set.measure(&Value::from(entries).encode().unwrap(), &mut keys);
    assert!(set.hints(&keys).is_empty(), "the key of a set has no bits of its own");
    let mut few = Measurement::default();
    layout.measure(&samples(7).encode().unwrap(), &mut few);
    assert!(layout.hints(&few).is_empty(), "a few use few bits by chance");
}
