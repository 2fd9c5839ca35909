//! Tests what comes back of values of every kind, and in how many bits.

use variant_core::{NodePath, PackedReals};

use super::*;

/// Packs a value that comes back as it is, in so many bits.
fn same(schema: &Schema, value: &Value, bits: usize) {
    let (back, packed) = round(schema, value);
    assert_eq!(&back, value, "{}", schema.to_json());
    assert_eq!(packed.len(), bits.div_ceil(8), "{}", schema.to_json());
}

/// Packs a value that comes back as another.
fn other(schema: &Schema, value: &Value, wanted: &Value) {
    let (back, _) = round(schema, value);
    assert_eq!(&back, wanted, "{}", schema.to_json());
}

fn int(min: i64, max: i64) -> Schema {
    Schema::int().min(min).max(max)
}

#[test]
fn whole_numbers_come_back() {
    for number in [i64::MIN, -1, 0, 1, 7, 8, 1 << 40, i64::MAX] {
        same(
            &Schema::int(),
            &Value::Int(number),
            if number.unsigned_abs() < 4 { 6 } else { 0 }
                .max(crate::bits::varint_bits(crate::bits::zigzag(number)) as usize),
        );
        same(&int(i64::MIN, i64::MAX), &Value::Int(number), 64);
    }
    same(&int(-5, 5), &Value::Int(-5), 4);
    same(&int(3, 3), &Value::Int(3), 0);
    same(&int(0, 100).bits(32), &Value::Int(100), 32);
    same(&Schema::int().min(-9), &Value::Int(-9), 6);
    same(&Schema::int().min(i64::MIN), &Value::Int(i64::MAX), 67);
    same(&Schema::int().max(9), &Value::Int(-1000), 13);
    same(&int(0, 1000).multiple_of(250), &Value::Int(750), 3);
    same(&int(-1000, 1000).multiple_of(250), &Value::Int(-750), 4);
    same(&Schema::int().multiple_of(10), &Value::Int(-30), 6);
    other(&int(0, 100).clamped(), &Value::Int(250), &Value::Int(100));
    same(&Schema::bool(), &Value::Bool(true), 1);
    same(&Schema::null(), &Value::Nil, 0);
    same(&Schema::literal(Value::from("a")), &Value::from("a"), 0);
}

#[test]
fn real_numbers_come_back() {
    let float = Schema::float().allow_non_finite();
    for number in [0.0, -0.0, 1.5, f64::INFINITY, f64::MIN_POSITIVE] {
        same(&float, &Value::Float(number), if number == f64::MIN_POSITIVE { 65 } else { 33 });
    }
    same(&float, &Value::Float(0.1), 65);
    let (back, packed) = round(&float, &Value::Float(-f64::NAN));
    assert!(matches!(back, Value::Float(number) if number.is_nan()));
    assert_eq!(packed.len(), 5);
    same(&Schema::float().single(), &Value::Float(0.5), 32);
    other(&Schema::float().single().lossy(), &Value::Float(0.1), &Value::Float(f64::from(0.1_f32)));
    same(&Schema::float().double(), &Value::Float(0.1), 64);
    same(&Schema::float().half(), &Value::Float(0.25), 16);
    let unit = Schema::float().min(0.0).max(1.0);
    same(&unit.quantized(0.25), &Value::Float(0.75), 3);
    other(&unit.quantized(0.25), &Value::Float(0.8), &Value::Float(0.75));
    same(&unit.bits(8), &Value::Float(1.0), 8);
    same(&Schema::float().quantized(0.5), &Value::Float(-1000.5), 18);
    other(&unit.quantized(0.25).clamped(), &Value::Float(9.0), &Value::Float(1.0));
    other(
        &Schema::angle(8),
        &Value::Float(3.5),
        &Value::Float((143.0 - 256.0) * (std::f64::consts::TAU / 256.0)),
    );
    same(&Schema::angle(2), &Value::Float(-std::f64::consts::PI), 2);
}

#[test]
fn vectors_come_back() {
    let v2 = |x: f32, y: f32| Value::Vector2([x, y].into());
    same(&Schema::vector2(), &v2(0.1, -7.5), 64);
    same(&Schema::vector2().half(), &v2(0.5, -7.5), 32);
    same(&Schema::vector2().double(), &Value::Vector2([0.1_f64, 2.0].into()), 128);
    other(&Schema::vector2(), &Value::Vector2([0.1_f64, 2.0].into()), &v2(0.1, 2.0));
    same(&Schema::vector2().quantized_within(0.5, -1.0, 1.0), &v2(0.5, -1.0), 6);
    same(&Schema::vector2().quantized(0.5), &v2(0.5, -1.0), 12);
    same(&Schema::vector2().within(vec![0.0, 0.0, 4.0, 8.0]).bits(4), &v2(4.0, 8.0), 8);
    same(&Schema::vector2i(), &Value::Vector2i([-5, i32::MAX]), 64);
    same(&Schema::vector2i().within(vec![0.0, 0.0, 7.0, 15.0]), &Value::Vector2i([7, 15]), 7);
    same(&Schema::rect2i(), &Value::Rect2i([1, -2, 3, 4]), 128);
    same(&Schema::color().bits(8), &Value::Color([1.0, 0.0, 1.0, 1.0]), 32);
    same(&Schema::color(), &Value::Color([0.1, 0.2, 0.3, 7.0]), 128);
    let basis = Value::Basis(Box::new([0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].into()));
    same(&Schema::basis(), &basis, 288);
    same(&Schema::vector3().normalized().bits(8), &Value::Vector3([0.0_f32, 0.0, -1.0].into()), 16);
    same(&Schema::vector2().normalized().bits(8), &v2(0.0, -1.0), 9);
    same(&Schema::quaternion().bits(10), &Value::Quaternion([0.0_f32, 0.0, 0.0, 1.0].into()), 32);
    let at = [1.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, -1.0, 2.0];
    same(&Schema::transform3d().rigid(0.5, 10), &Value::Transform3D(Box::new(at.into())), 18 + 32);
}

#[test]
fn texts_come_back() {
    for text in ["", "a", "12345678", "überall 🙂"] {
        same(&Schema::string(), &Value::from(text), if text.len() < 8 { 6 } else { 9 } + 8 * text.len());
        same(
            &Schema::string_name(),
            &Value::StringName(text.to_owned()),
            if text.len() < 8 { 6 } else { 9 } + 8 * text.len(),
        );
    }
    let names = Schema::string().alphabet("a-z0-9_");
    same(&names.max_chars(16_u64), &Value::from("player_1"), 5 + 8 * 6);
    same(&names, &Value::from(""), 6);
    same(&Schema::string().alphabet("ü"), &Value::from("üü"), 6);
    let path = NodePath {
        absolute: true,
        names: vec!["root".to_owned(), "A".to_owned()],
        subnames: vec!["x".to_owned()],
    };
    same(&Schema::node_path(), &Value::NodePath(Box::new(path)), 1 + 12 + 18 + 48);
    let strings = Value::PackedStringArray(vec!["a".to_owned(), String::new()]);
    same(&Schema::packed_string_array(), &strings, 6 + 14 + 6);
    same(
        &Schema::packed_string_array().elements(Schema::string().alphabet("a-d").max_chars(3_u64)),
        &strings,
        6 + 4 + 2,
    );
}

#[test]
fn containers_come_back() {
    let two = Value::from(vec![Value::Int(1), Value::Int(3)]);
    same(&Schema::array(int(0, 3)), &two, 6 + 4);
    same(&Schema::array(int(0, 3)).min_size(2_u64).max_size(2_u64), &two, 4);
    same(&Schema::array(Schema::literal(Value::Int(7))), &Value::from(vec![Value::Int(7); 5]), 6);
    same(&Schema::tuple([int(0, 3), int(0, 3)]), &two, 4);
    same(&Schema::tuple([int(0, 3), int(0, 3).optional()]), &two, 5);
    let filled = Schema::tuple([int(0, 3), int(0, 3).default_value(Value::Int(3))]);
    let (back, packed) = round(&filled, &two);
    assert_eq!((back, packed.len()), (Value::from(vec![Value::Int(1)]), 1));
    let map = Value::from([("b", Value::Int(1)), ("a", Value::Int(2))]);
    same(&Schema::map(Schema::string(), int(0, 3)), &map, 6 + 2 * (14 + 2));
    same(
        &Schema::dict([("a", int(0, 3)), ("b", int(0, 3))]),
        &Value::from([("a", Value::Int(2)), ("b", Value::Int(1))]),
        4,
    );
    let some = Schema::dict([("a?", int(0, 3)), ("b?", int(0, 3)), ("c", Schema::int().nullable())]);
    same(&some, &Value::from([("b", Value::Int(1)), ("c", Value::Nil)]), 5);
    let defaults = Schema::dict([("a", int(0, 3).default_value(Value::Int(2)))]);
    other(&defaults, &Value::from([("a", Value::Int(2))]), &Value::Dictionary(Box::default()));
    same(&defaults, &Value::from([("a", Value::Int(3))]), 3);
    same(&Schema::any(), &map, 9 + 8 * map.encode().unwrap().len());
}

#[test]
fn packed_arrays_come_back() {
    same(&Schema::packed_byte_array(), &Value::PackedByteArray(vec![1, 255]), 22);
    same(&Schema::packed_int32_array(), &Value::PackedInt32Array(vec![-1]), 38);
    same(&Schema::packed_int64_array(), &Value::PackedInt64Array(vec![i64::MIN]), 70);
    same(&Schema::packed_int64_array().elements(Schema::int()), &Value::PackedInt64Array(vec![1]), 12);
    same(&Schema::packed_byte_array().elements(int(0, 3)), &Value::PackedByteArray(vec![1, 3]), 10);
    same(&Schema::packed_float32_array(), &Value::PackedFloat32Array(vec![0.1]), 38);
    same(&Schema::packed_float64_array(), &Value::PackedFloat64Array(vec![0.1]), 70);
    same(&Schema::packed_color_array(), &Value::PackedColorArray(vec![[0.1, 0.2, 0.3, 1.0]]), 134);
    let vectors = Value::PackedVector2Array(PackedReals::from(vec![[0.5_f32, 1.0], [2.0, 4.0]]));
    same(&Schema::packed_vector2_array(), &vectors, 6 + 128);
    same(&Schema::packed_vector2_array().elements(Schema::vector2().half()), &vectors, 6 + 64);
}

#[test]
fn sets_are_sorted_by_their_key() {
    let schema = Schema::array(Schema::dict([("id", int(1, 8)), ("hp?", int(0, 3))])).keyed("id");
    let entry = |id: i64, hp: i64| Value::from([("id", Value::Int(id)), ("hp", Value::Int(hp))]);
    let (back, packed) = round(&schema, &Value::from(vec![entry(8, 1), entry(1, 2), entry(3, 0)]));
    assert_eq!(back, Value::from(vec![entry(1, 2), entry(3, 0), entry(8, 1)]));
    assert_eq!(packed.len(), (1 + 8 + 3 * 3_usize).div_ceil(8));
    let twice = pack(&layout(&schema), &Value::from(vec![entry(3, 1), entry(3, 1)])).unwrap_err();
    assert_eq!(twice.kind.name(), "DUPLICATE_KEY");
}

#[test]
fn choices_come_back() {
    let union = Schema::union([int(0, 3), Schema::string(), int(2, 100), Schema::array(Schema::bool())]);
    same(&union, &Value::Int(3), 4);
    same(&union, &Value::Int(99), 2 + 7);
    same(&union, &Value::from("a"), 2 + 14);
    same(&union, &Value::from(vec![Value::Bool(true)]), 2 + 7);
    let case = |kind: &str, key: &str| {
        Schema::dict([("kind", Schema::literal(Value::from(kind))), (key, Schema::bool())])
    };
    // A first element that may be null tells its tuple as any other value of it does.
    let first = Schema::enumeration([7.into(), 8.into()]).nullable();
    let tuples = Schema::union([Schema::tuple([first, int(0, 3)]), int(0, 3)]);
    same(&tuples, &Value::from(vec![Value::Nil, Value::Int(2)]), 4);
    same(&tuples, &Value::from(vec![Value::Int(8), Value::Int(2)]), 5);
    let told = Schema::union([case("a", "x"), case("b", "y"), Schema::null()]);
    let b = Value::from([("kind", Value::from("b")), ("y", Value::Bool(true))]);
    same(&told, &b, 3);
    same(&told, &Value::Nil, 2);
    let cases = Schema::discriminated(
        "kind",
        [
            (Value::from("a"), Schema::dict([("x", Schema::bool())])),
            (Value::from("b"), Schema::dict([("y", Schema::bool())])),
        ],
    );
    same(&cases, &b, 2);
    same(&Schema::enumeration([Value::from("a"), Value::Float(0.5)]).room_for(5), &Value::Float(0.5), 3);
}

#[test]
fn references_come_back() {
    let tree = Schema::reference("tree").define(
        "tree",
        Schema::dict([("value", int(0, 3)), ("below", Schema::array(Schema::reference("tree")))]),
    );
    let leaf = |value: i64, below: Vec<Value>| {
        Value::from([("value", Value::Int(value)), ("below", Value::from(below))])
    };
    same(&tree, &leaf(1, vec![leaf(2, vec![]), leaf(3, vec![leaf(0, vec![])])]), 4 * 8);
    let maybe = Schema::reference("a").nullable().define("a", int(0, 3));
    same(&maybe, &Value::Nil, 1);
    same(&maybe, &Value::Int(2), 3);
}

#[test]
fn what_has_no_bits_is_no_layout() {
    for (schema, path) in [
        (Schema::rid(), "(root)"),
        (Schema::dict([("a", Schema::array(Schema::callable()))]), "a[]"),
        (Schema::dict([("a", Schema::dict([("b", Schema::bool())]).open(true))]), "a"),
        (Schema::tuple([Schema::signal()]), "[0]"),
        (Schema::object(), "(root)"),
    ] {
        let mistakes = Layout::compile(Arc::new(schema.compile().unwrap())).unwrap_err();
        assert_eq!(mistakes.first().path, path);
        assert_eq!(mistakes.iter().count(), 1, "{mistakes:?}");
    }
}

#[test]
fn all_parts_without_bits_are_told() {
    let paths = |schema: &Schema| {
        let mistakes = Layout::compile(Arc::new(schema.compile().unwrap())).unwrap_err();
        mistakes.iter().map(|mistake| mistake.path.clone()).collect::<Vec<_>>()
    };
    let open = Schema::dict([("x", Schema::bool())]).open(true);
    let schema = Schema::dict([
        ("a", Schema::array(Schema::callable())),
        ("b", Schema::tuple([Schema::signal(), Schema::bool(), open.clone()])),
        ("c", Schema::map(Schema::rid(), open)),
        ("d", Schema::reference("d").optional()),
    ]);
    let schema = schema.define("d", Schema::dict([("e", Schema::object())]));
    assert_eq!(paths(&schema), ["a[]", "b[0]", "b[2]", "c{key}", "c{value}", "d.e"]);
    let many: Vec<(String, Schema)> = (0..150).map(|at| (format!("k{at:03}"), Schema::rid())).collect();
    assert_eq!(paths(&Schema::dict(many)).len(), 100);
}

/// Layouts are the same for another order of keys, and others where the bits are.
#[test]
fn hashes_are_those_of_the_bits() {
    let schema = |most: i64, name: &str| Schema::dict([("b", int(0, most)), (name, Schema::string())]);
    let hash = |schema: &Schema| layout(schema).hash();
    let one = hash(&schema(3, "a"));
    assert_eq!(one, hash(&Schema::dict([("a", Schema::string()), ("b", int(0, 3))])));
    assert_eq!(
        one,
        hash(&Schema::dict([
            ("a", Schema::string().pattern("^x".to_owned())),
            ("b", int(0, 3).describe("of it"))
        ]))
    );
    assert_ne!(one, hash(&schema(4, "a")));
    assert_ne!(one, hash(&schema(3, "c")));
    // A change here locks out peers of earlier releases: only with a new number of the format.
    assert_eq!(one, 5_831_138_279_857_045_953);
}

/// A dict that has grown is read by those that know less, and reads what they write; hashes are the same, but differences are
/// refused.
#[test]
fn dicts_grow() {
    let old = Schema::dict([("a", int(0, 3))]).growing::<&str>([]);
    let new = Schema::dict([("a", int(0, 3))]).growing([
        ("z", int(0, 9)),
        ("b", Schema::array(Schema::dict([("n", int(0, 300))]))),
        ("c", int(0, 3).default_value(Value::Int(1))),
    ]);
    let (older, newer) = (layout(&old), layout(&new));
    assert_eq!(older.hash(), newer.hash());
    assert_ne!(older.full_hash(), newer.full_hash());
    assert_eq!(older.hash(), older.full_hash());
    assert_ne!(older.hash(), layout(&Schema::dict([("a", int(0, 3))])).hash());
    let item = Value::from(vec![Value::from([("n", Value::Int(300))])]);
    let value = Value::from([("a", Value::Int(2)), ("z", Value::Int(9)), ("b", item)]);
    let plain = Value::from([("a", Value::Int(2))]);
    let bits = 2 + 9 + (1 + 4) + (1 + 6 + 9);
    same(&new, &value, bits);
    same(&new, &plain, 2 + 6);
    same(&old, &plain, 2 + 6);
    let packed = pack(&newer, &value).unwrap();
    assert_eq!(unpack(&older, &packed).as_ref(), Ok(&plain));
    assert_eq!(unpack(&newer, &pack(&older, &plain).unwrap()).as_ref(), Ok(&plain));
    let mut packer = Packer::tagged(crate::Tagging::Short);
    let [base, next] = [&plain, &value]
        .map(|value| packer.pack(&newer, &value.encode().unwrap(), &rules()).unwrap().to_vec());
    let delta = packer.delta(&newer, &base, &next, &rules()).unwrap().to_vec();
    assert_eq!(packer.apply(&newer, &base, &delta, &rules()), Ok(&next[..]));
    assert_eq!(packer.apply(&older, &base, &delta, &rules()).unwrap_err().kind.name(), "SCHEMA_MISMATCH");
}

/// The tail of a dict that has grown has one form, and its bits are there.
#[test]
fn tails_are_judged() {
    let schema = Schema::dict([("a", Schema::bool())]).growing([("z", int(0, 9)), ("y", Schema::bool())]);
    let refused = |tail: &[(u64, u32)], bits: u64| {
        let mut writer = crate::bits::BitWriter::default();
        writer.bit(true);
        writer.varint(bits);
        tail.iter().for_each(|(number, width)| writer.put(*number, *width));
        unpack(&layout(&schema), writer.finish()).map_err(|problem| problem.kind.name())
    };
    assert!(refused(&[(1, 1), (9, 4)], 5).is_ok());
    assert_eq!(refused(&[(0, 1)], 1), Err("NOT_CANONICAL"));
    assert_eq!(refused(&[(1, 1), (9, 4), (0, 1)], 6), Err("NOT_CANONICAL"));
    assert_eq!(refused(&[(1, 1), (9, 4)], 3), Err("NOT_CANONICAL"));
    assert_eq!(refused(&[(1, 1), (10, 4)], 5), Err("OUT_OF_RANGE"));
    assert_eq!(refused(&[], 1 << 40), Err("INCOMPLETE"));
    // What a newer schema has behind them.
    assert!(refused(&[(1, 1), (9, 4), (0, 1), (21, 7)], 13).is_ok());
}

/// No second look is needed at a value that the schema's program has accepted, whether it took a walk or not.
#[test]
fn what_was_judged_is_complete() {
    let list = |is_unique: bool| {
        let list = Schema::array(Schema::int().min(0).max(9)).max_size(5u64);
        if is_unique { list.unique() } else { list }
    };
    for (schema, value, is_complete) in [
        (Schema::dict([("a", list(false))]), Value::from([("a", Value::from(vec![Value::Int(3)]))]), true),
        (Schema::dict([("a", list(true))]), Value::from([("a", Value::from(vec![Value::Int(3)]))]), true),
        (
            Schema::dict([("a", list(true).typed())]),
            Value::from([("a", Value::from(vec![Value::Int(3)]))]),
            false,
        ),
    ] {
        let layout = layout(&schema);
        let packed = pack(&layout, &value).unwrap();
        let mut packer = Packer::new();
        packer.fills = true;
        packer.unpack(&layout, &packed, &rules()).unwrap();
        assert_eq!(packer.is_complete(), is_complete, "{}", schema.to_json());
    }
}

#[test]
fn a_case_may_bring_the_definitions_that_it_refers_to() {
    let part = Schema::dict([("hp", int(0, 7))]);
    let schema = Schema::discriminated(
        "kind",
        [
            (Value::from("a"), Schema::reference("part").define("part", part.clone())),
            (Value::from("b"), part),
        ],
    );
    let value = |kind: &str| Value::from([("kind", Value::from(kind)), ("hp", Value::Int(5))]);
    same(&schema, &value("a"), 4);
    same(&schema, &value("b"), 4);
}

/// A key that has the same value in all is no help, wherever it stands.
#[test]
fn dictionaries_are_told_by_the_key_whose_values_differ() {
    for same in [Schema::null(), Schema::literal(Value::Int(7))] {
        let value = if same == Schema::null() { Value::Nil } else { Value::Int(7) };
        let case = |kind: Value| Schema::dict([("a", same.clone()), ("kind", Schema::enumeration([kind]))]);
        let schema = Schema::union([case(Value::from("one")), case(Value::Int(1))]);
        for kind in [Value::from("one"), Value::Int(1)] {
            round(&schema, &Value::from([("a", value.clone()), ("kind", kind)]));
        }
    }
}
