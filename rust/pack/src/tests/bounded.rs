//! Tests that work is bounded by the bits that come: elements without bits, levels, unions whose key comes last.

use super::*;

fn refused(outcome: Result<impl Sized, Box<Rejection>>) -> String {
    outcome.err().map(|problem| format!("{} {problem}", problem.kind.name())).unwrap_or_default()
}

/// Makes a value of so many elements.
type Many = fn(usize) -> Value;

/// Elements that take no bits, of each kind that there is.
fn without_bits() -> Vec<(Schema, Many)> {
    let five = Schema::int().min(5).max(5);
    vec![
        (Schema::array(Schema::null()), |count| Value::from(vec![Value::Nil; count])),
        (Schema::array(five.clone()), |count| Value::from(vec![Value::Int(5); count])),
        (Schema::array(Schema::dict([("kind", Schema::literal(Value::from("a")))])), |count| {
            Value::from(vec![Value::from([("kind", Value::from("a"))]); count])
        }),
        (Schema::packed_byte_array().elements(five), |count| Value::PackedByteArray(vec![5; count])),
        (Schema::string().alphabet("x"), |count| Value::from("x".repeat(count))),
    ]
}

/// 64 come free, and 64 more for each byte that comes: a count of 64 and more takes two.
#[test]
fn elements_without_bits_are_paid_for_by_bits() {
    for (schema, value) in without_bits() {
        let layout = layout(&schema);
        let text = schema.to_json();
        for count in [0, 64, 128, 192] {
            round(&schema, &value(count));
        }
        for count in [193, 5000, 60_000] {
            let refused = refused(pack(&layout, &value(count)));
            assert!(
                refused.starts_with("WRONG_SIZE") && refused.contains("elements that take no bits"),
                "{refused}: {text}"
            );
        }
        // A count of 65 535 in three bytes.
        let refused = refused(unpack(&layout, &[0x1c, 0xbe, 0x03]));
        assert!(refused.starts_with("WRONG_SIZE"), "{refused}: {text}");
    }
}

#[test]
fn bits_beside_them_pay() {
    let schema = Schema::dict([("none", Schema::array(Schema::null())), ("text", Schema::string())]);
    let value = |count: usize, text: usize| {
        Value::from([("none", Value::from(vec![Value::Nil; count])), ("text", Value::from("a".repeat(text)))])
    };
    let layout = layout(&schema);
    round(&schema, &value(1000, 20));
    assert!(pack(&layout, &value(1000, 2)).is_err());
    // A difference may add what the new value pays for, and no more.
    let base = pack(&layout, &value(0, 20)).unwrap();
    let mut packer = Packer::new();
    let value = |count| value(count, 20).encode().unwrap();
    let delta = packer.pack_delta(&layout, &base, &value(1000), &rules()).unwrap().to_vec();
    let new = packer.apply(&layout, &base, &delta, &rules()).unwrap().to_vec();
    assert_eq!(unpack(&layout, &new).unwrap().encode(), Ok(value(1000)));
    assert!(packer.pack_delta(&layout, &base, &value(5000), &rules()).is_err());
    // 60 000 more, in a difference of four bytes.
    let mut bits = crate::bits::BitWriter::default();
    [true, false, true, false, true].into_iter().for_each(|bit| bits.bit(bit));
    bits.varint(60_000);
    bits.bit(false);
    let refused = refused(packer.apply(&layout, &base, bits.finish(), &rules()));
    assert!(refused.starts_with("WRONG_SIZE"), "{refused}");
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(Value::Int(3), |value, _| Value::from(vec![value]))
}

/// A limit of levels means the same as for plain bytes: a reference, a union or a case is none.
#[test]
fn levels_are_those_of_the_plain_value() {
    let number = Schema::int().min(0).max(9);
    let list = Schema::array(Schema::reference("l"));
    let schema = Schema::reference("l").define("l", Schema::union([list, number]));
    let layout = layout(&schema);
    for limit in [1, 2, 30, 64, 120] {
        let rules = Rules::safe(Limits { max_depth: limit, ..Limits::network() });
        let mut packer = Packer::new();
        let value = |levels: u64| nested(levels as usize).encode().unwrap();
        let packed = packer.pack(&layout, &value(limit), &rules).map(<[u8]>::to_vec);
        let packed = packed.unwrap_or_else(|problem| panic!("{limit} levels: {problem}"));
        assert_eq!(packer.unpack(&layout, &packed, &rules), Ok(&value(limit)[..]), "{limit}");
        let base = packer.pack(&layout, &value(1), &rules).unwrap().to_vec();
        for (base, new) in [(&base, &packed), (&packed, &base), (&packed, &packed)] {
            let delta = packer.delta(&layout, base, new, &rules).unwrap().to_vec();
            assert_eq!(packer.apply(&layout, base, &delta, &rules), Ok(&new[..]), "{limit}");
        }
        assert!(refused(packer.pack(&layout, &value(limit + 1), &rules)).starts_with("TOO_DEEP"), "{limit}");
        let wide = Rules::safe(Limits { max_depth: limit + 1, ..Limits::network() });
        if let Ok(deeper) = packer.pack(&layout, &value(limit + 1), &wide).map(<[u8]>::to_vec) {
            assert!(refused(packer.unpack(&layout, &deeper, &rules)).starts_with("TOO_DEEP"), "{limit}");
        }
    }
}

/// A reference is no value of its own, so that a limit of values means the same too.
#[test]
fn values_are_those_of_the_plain_value() {
    let item = Schema::union([Schema::int().min(0).max(9), Schema::bool()]);
    let schema = Schema::array(Schema::reference("item")).define("item", item);
    let value = Value::from(vec![Value::Int(4); 40]);
    let rules = Rules::safe(Limits { max_values: 41, ..Limits::network() });
    let packed = Packer::new().pack(&layout(&schema), &value.encode().unwrap(), &rules).map(<[u8]>::to_vec);
    let packed = packed.unwrap_or_else(|problem| panic!("{problem}"));
    assert!(Packer::new().unpack(&layout(&schema), &packed, &rules).is_ok());
}

/// Unions within unions, told by a key that is first, last or between.
#[test]
fn the_key_of_a_union_may_come_anywhere() {
    let case = |kind: i64| {
        Schema::dict([
            ("a", Schema::reference("u").nullable()),
            ("kind", Schema::enumeration([Value::Int(kind), Value::Int(kind + 100)])),
            ("z", Schema::reference("u").nullable()),
        ])
    };
    let union = Schema::union((0..20).map(case));
    let schema = Schema::reference("u").define("u", union);
    let mut random = samples::Random(5);
    let value = (0..40).fold(Value::Nil, |inner, level| {
        let kind = random.below(20) as i64 + if level % 3 == 0 { 100 } else { 0 };
        let other = Value::from([("kind", Value::Int(1)), ("z", Value::Nil), ("a", Value::Nil)]);
        let kind = ("kind", Value::Int(kind));
        match level % 3 {
            0 => Value::from([kind, ("a", inner), ("z", other)]),
            1 => Value::from([("z", inner), kind, ("a", other)]),
            _ => Value::from([("a", other), ("z", inner), kind]),
        }
    });
    let (_, packed) = round(&schema, &value);
    let base =
        pack(&layout(&schema), &Value::from([("a", Value::Nil), ("kind", Value::Int(7)), ("z", Value::Nil)]));
    let mut packer = Packer::new();
    let layout = layout(&schema);
    let delta = packer.delta(&layout, &base.clone().unwrap(), &packed, &rules()).unwrap().to_vec();
    assert_eq!(packer.apply(&layout, &base.unwrap(), &delta, &rules()), Ok(&packed[..]));
}
