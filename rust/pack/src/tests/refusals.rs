//! Tests what is refused, with kind, path and bit.

use super::samples::*;
use super::*;
use crate::Tagging;

fn refused(schema: &Schema, bytes: &[u8]) -> String {
    let problem = unpack(&layout(schema), bytes).unwrap_err();
    format!("{} {problem}", problem.kind.name())
}

fn unpackable(schema: &Schema, value: &Value) -> String {
    let problem = pack(&layout(schema), value).unwrap_err();
    format!("{} {problem}", problem.kind.name())
}

fn int(min: i64, max: i64) -> Schema {
    Schema::int().min(min).max(max)
}

#[test]
fn bits_that_nothing_makes_are_refused() {
    let array = |item: Schema| Schema::array(item).max_size(3_u64);
    let cases = [
        (
            int(0, 100),
            &[113][..],
            "OUT_OF_RANGE (root): expected int 0..100, got bits of something else (bit 0)",
        ),
        (int(0, 100), &[0x80], "DIRTY_PADDING (root): expected padding of zeros, got other bytes (bit 8)"),
        (
            int(0, 100),
            &[0, 0],
            "TRAILING_BYTES (root): expected the end of the bytes, got 1 more byte (bit 7)",
        ),
        (int(0, 100), &[], "INCOMPLETE (root): expected 7 more bits, got the end (bit 0)"),
        (array(int(0, 100)), &[0b11], "INCOMPLETE (root): expected 15 more bits, got the end (bit 2)"),
        (
            array(int(0, 100)),
            &[0b1111_1101, 1],
            "OUT_OF_RANGE [0]: expected int 0..100, got bits of something else (bit 2)",
        ),
        (
            array(Schema::bool()).max_size(2_u64),
            &[3],
            "WRONG_SIZE (root): expected Array of at most 2 elements, got bits of something else (bit 0)",
        ),
    ];
    for (schema, bytes, words) in cases {
        assert_eq!(refused(&schema, bytes), words);
    }
}

#[test]
fn bits_of_no_value_are_refused() {
    let cases = [
        (
            Schema::enumeration([1.into(), 2.into(), 3.into()]),
            &[3][..],
            "NOT_IN_ENUM (root): expected one of 1, 2, 3, got bits of something else (bit 0)",
        ),
        (
            Schema::float(),
            &[0, 0, 0, 0, 0, 0, 0, 0, 0],
            "NOT_CANONICAL (root): expected the one form that engines write, got another form of the same value (bit 65)",
        ),
        (
            Schema::string(),
            &[0b0000_1000, 0b11_1111],
            "INVALID_UTF8 (root): expected text in UTF-8, got bytes that are not UTF-8 (bit 0)",
        ),
    ];
    for (schema, bytes, words) in cases {
        assert_eq!(refused(&schema, bytes), words);
    }
}

#[test]
fn other_forms_of_a_value_are_refused() {
    let float_nan = |bits: u64| {
        let mut writer = crate::bits::BitWriter::default();
        writer.bit(true);
        writer.put(bits, 32);
        writer.finish().to_vec()
    };
    let free = Schema::float().allow_non_finite();
    assert!(refused(&free, &float_nan(0xFFC0_0000)).starts_with("NOT_CANONICAL"));
    assert!(
        refused(&Schema::float().allow_non_finite().single(), &[0, 0, 0xC0, 0xFF])
            .starts_with("NOT_CANONICAL")
    );
    assert!(refused(&Schema::float().allow_non_finite().half(), &[0x01, 0x7E]).starts_with("NOT_CANONICAL"));
    let filled = Schema::dict([("a", int(0, 3).default_value(Value::Int(2)))]);
    assert!(refused(&filled, &[0b101]).starts_with("NOT_CANONICAL a: "));
    let filled = Schema::tuple([int(0, 3).default_value(Value::Int(2))]);
    assert!(refused(&filled, &[0b101]).starts_with("NOT_CANONICAL [0]: "));
    let union = Schema::union([int(0, 3), int(2, 9)]);
    assert!(refused(&union, &[0b011]).starts_with("NOT_CANONICAL (root): "), "3 by the second alternative");
    let null = Schema::union([Schema::null(), int(0, 3)]).nullable();
    assert!(refused(&null, &[0b01]).starts_with("NOT_CANONICAL (root): "));
    assert!(refused(&Schema::quaternion().bits(3), &[0b1111_1100, 0b111]).starts_with("NOT_CANONICAL"));
}

#[test]
fn a_map_has_each_key_once() {
    let map = Schema::map(int(0, 3), Schema::bool());
    let mut bits = crate::bits::BitWriter::default();
    bits.varint(2);
    for _ in 0..2 {
        bits.put(1, 2);
        bits.bit(true);
    }
    let words = refused(&map, bits.finish());
    assert!(words.starts_with("DUPLICATE_KEY"), "{words}");
}

/// A demand that the bits do not show is refused at a bit too.
#[test]
fn what_the_schema_says_is_judged() {
    let schema = Schema::dict([("a", int(0, 3)), ("b", Schema::string().pattern("^x".to_owned()))]);
    let free = Schema::dict([("a", int(0, 3)), ("b", Schema::string())]);
    let bytes = pack(&layout(&free), &Value::from([("a", Value::Int(1)), ("b", Value::from("y"))])).unwrap();
    let words = refused(&schema, &bytes);
    assert_eq!(
        words,
        "PATTERN_MISMATCH b: expected String matching \"^x\", got String of 1 character (bit 2)"
    );
}

#[test]
fn values_that_do_not_fit_are_refused() {
    let cases = [
        (int(0, 100), Value::Int(113), "OUT_OF_RANGE (root): expected int 0..100, got int 113 (byte 0)"),
        (int(0, 100), Value::Float(1.0), "WRONG_TYPE (root): expected int 0..100, got float 1.0 (byte 0)"),
        (
            Schema::float().single(),
            Value::Float(0.1),
            "OUT_OF_RANGE (root): expected float, got a value that does not fit (byte 0)",
        ),
        (
            Schema::float().half(),
            Value::Float(1e6),
            "OUT_OF_RANGE (root): expected float, got a value that does not fit (byte 0)",
        ),
        (
            Schema::string().alphabet("a-z"),
            Value::from("A"),
            "PATTERN_MISMATCH (root): expected String, got a value that does not fit (byte 0)",
        ),
        (
            Schema::quaternion().bits(9),
            Value::Quaternion([0.0_f32; 4].into()),
            "NOT_NORMALIZED (root): expected Quaternion, got a value that does not fit (byte 0)",
        ),
    ];
    for (schema, value, words) in cases {
        assert_eq!(unpackable(&schema, &value), words);
    }
    let missing = Schema::dict([("a", Schema::array(Schema::dict([("b", Schema::bool())])))]);
    let value = Value::from([("a", Value::from(vec![Value::Dictionary(Box::default())]))]);
    assert!(unpackable(&missing, &value).starts_with("MISSING_KEY a[0]"));
    let scaled = [2.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let scaled = Value::Transform3D(Box::new(scaled.into()));
    assert!(unpackable(&Schema::transform3d().rigid(0.1, 8), &scaled).starts_with("NOT_NORMALIZED"));
}

/// The third trap: a value that fits may not fit once it is rounded. The sender is told, not the receiver.
#[test]
fn the_value_that_arrives_is_judged() {
    let schema = Schema::vector2().max_length(1.01).quantized_within(0.005, -1.01, 1.01);
    let layout = layout(&schema);
    let mut random = Random(3);
    let mut refusals = 0;
    for _ in 0..4000 {
        let angle = random.within(0.0, std::f64::consts::TAU);
        let value = Value::Vector2([angle.cos() * 1.0099, angle.sin() * 1.0099].map(|n| n as f32).into());
        match pack(&layout, &value) {
            Ok(packed) => assert!(unpack(&layout, &packed).is_ok()),
            Err(problem) => {
                assert_eq!(problem.kind.name(), "OUT_OF_RANGE");
                refusals += 1;
            }
        }
    }
    assert!(refusals > 100, "{refusals}");
}

/// The trap of elements without bits: a claim of billions costs nothing, and what limits allow is charged.
#[test]
fn elements_without_bits_are_charged() {
    for item in
        [Schema::literal(Value::Int(1)), Schema::tuple([]), Schema::dict([("k".repeat(200), Schema::null())])]
    {
        let schema = Schema::array(item);
        let layout = layout(&schema);
        for claim in [70_000_u64, 1 << 31, u64::MAX >> 8] {
            let mut bits = crate::bits::BitWriter::default();
            bits.varint(claim);
            let problem = unpack(&layout, bits.finish()).unwrap_err();
            assert!(matches!(problem.kind.name(), "TOO_MANY_VALUES" | "OUTPUT_TOO_LARGE"), "{problem}");
        }
    }
    let bytes = Schema::packed_byte_array().elements(int(5, 5));
    let mut bits = crate::bits::BitWriter::default();
    bits.varint(1 << 30);
    assert!(refused(&bytes, bits.finish()).starts_with("OUTPUT_TOO_LARGE"));
}

#[test]
fn depth_is_limited() {
    let list = Schema::reference("l").define("l", Schema::array(Schema::reference("l")));
    let layout = layout(&list);
    let mut value = Value::from(Vec::<Value>::new());
    for _ in 0..300 {
        value = Value::from(vec![value]);
    }
    assert_eq!(pack(&layout, &value).unwrap_err().kind.name(), "TOO_DEEP");
    let mut bits = crate::bits::BitWriter::default();
    (0..100_000).for_each(|_| bits.varint(1));
    assert_eq!(unpack(&layout, bits.finish()).unwrap_err().kind.name(), "TOO_DEEP");
}

#[test]
fn every_changed_byte_is_refused_or_another_value() {
    let mut random = Random(11);
    for (schema, value) in [
        (a_move(true), move_value()),
        (a_move(false), move_value()),
        (entities(true), state(9, &crowd(&mut random)[..9])),
        (inventory(), inventory_value(&mut random)),
        (chat(), chat_value()),
    ] {
        let layout = layout(&schema);
        let packed = pack(&layout, &value).unwrap();
        let mut accepted = 0;
        for _ in 0..3000 {
            let mut bytes = packed.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            bytes.truncate(random.below(bytes.len() as u64 * 4) as usize + 1);
            if let Ok(value) = unpack(&layout, &bytes) {
                accepted += 1;
                assert_eq!(pack(&layout, &value).as_ref(), Ok(&bytes));
            }
        }
        assert!(accepted > 0);
    }
}

#[test]
fn tags_tell_layouts_and_bases_apart() {
    let (one, two) = (layout(&chat()), layout(&inventory()));
    let value = chat_value().encode().unwrap();
    for tagging in [Tagging::Short, Tagging::Long] {
        let mut packer = Packer::tagged(tagging);
        let packed = packer.pack(&one, &value, &rules()).unwrap().to_vec();
        assert_eq!(packer.unpack(&one, &packed, &rules()), Ok(&value[..]));
        let kind = |bytes: &[u8], layout: &Layout| {
            Packer::tagged(tagging).unpack(layout, bytes, &rules()).unwrap_err().kind.name()
        };
        assert_eq!(kind(&packed, &two), "SCHEMA_MISMATCH");
        assert_eq!(kind(&packed[..1], &one), "INCOMPLETE");
        assert_eq!(kind(&[packed[0] ^ 1, packed[1]], &one), "SCHEMA_MISMATCH");
        // A delta is no value.
        let delta = packer.pack_delta(&one, &packed, &value, &rules()).unwrap().to_vec();
        assert_eq!(kind(&delta, &one), "SCHEMA_MISMATCH");
    }
}

/// A key is refused the second time, also where it was left out as a default.
#[test]
fn keys_come_once() {
    let schema = Schema::dict([("a", int(0, 3).default_value(Value::Int(2))), ("b", int(0, 3))]);
    let twice = |first: i64, second: i64| {
        let entries = [("a", first), ("b", 1), ("a", second)];
        let entries = entries.map(|(key, value)| (Value::from(key), Value::Int(value))).to_vec();
        Value::Dictionary(Box::new(variant_core::Dictionary { entries, ..Default::default() }))
    };
    for (first, second) in [(1, 1), (2, 1), (1, 2), (2, 2)] {
        assert!(unpackable(&schema, &twice(first, second)).starts_with("DUPLICATE_KEY"), "{first} {second}");
    }
}

/// The engine counts the last padding of a byte array even where it is missing: what is passed over ends behind it.
#[test]
fn a_container_ends_behind_padding_that_is_missing() {
    let words = [28_u32, 1, 29, 1].map(u32::to_le_bytes).concat();
    let bytes = [words.as_slice(), &[5]].concat();
    let problem = Packer::new().pack(&layout(&Schema::any()), &bytes, &rules()).unwrap_err();
    assert_eq!(problem.kind.name(), "INCOMPLETE");
}
