//! Checks bytes that lie as the schema predicts: they are checked without a walk, with the verdict of the
//! walk. The verdict is also that of the walk for everything near such bytes.

use variant_core::{Dictionary, ErrorKind, Limits, Reals, Rules, Value, VariantType};
use variant_schema::{Checker, Program, Schema, Shape, Verdict};

/// Makes a schema of every shape that can be checked without a walk.
fn schema() -> Schema {
    let text = |text: &str| Value::String(text.to_owned());
    let item =
        Schema::dict([("id", Schema::int().min(1).max(4096)), ("count", Schema::int().min(1).max(99))]);
    let far = Schema::dict([
        ("at", Schema::of_type(VariantType::Vector2i)),
        ("a name of more than 16", Schema::int()),
    ]);
    let near = Schema::dict([("by", Schema::float().nullable())]);
    Schema::dict([
        ("seq", Schema::int().min(0).max(0xFFFF_FFFF_i64)),
        ("dir", Schema::of_type(VariantType::Vector2).max_length(1.01)),
        ("aim", Schema::float().min(-3.0).max(3.0)),
        ("act", Schema::enumeration([text("none"), text("jump"), Value::Int(7)])),
        ("items", Schema::array(item).max_size(16u64)),
        ("move", Schema::discriminated("kind", [(text("far"), far), (text("near"), near)])),
        ("pair", Schema::tuple([Schema::of_type(VariantType::Bool), Schema::of_type(VariantType::Color)])),
        ("size", Schema::union([Schema::int().multiple_of(3), Schema::string().pattern("^[a-c]+$")])),
        ("turn", Schema::of_type(VariantType::Quaternion).normalized()),
        ("blob?", Schema::of_type(VariantType::PackedFloat32Array).max_size(3u64)),
        ("name", Schema::of_type(VariantType::StringName).max_chars(8u64)),
        ("any", Schema::any()),
        ("note", Schema::string().max_chars(8u64).default_value(text(""))),
    ])
}

fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.map(|(key, value)| (Value::String(key.to_owned()), value)).into();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(variant_core::Array { items, ..variant_core::Array::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn name(text: &str) -> Value {
    Value::StringName(text.to_owned())
}

fn entries() -> Vec<(&'static str, Value)> {
    vec![
        ("seq", Value::Int(4711)),
        ("dir", Value::Vector2(Reals::Single([0.6, -0.8]))),
        ("aim", Value::Float(1.3)),
        ("act", text("jump")),
        ("items", array(vec![dictionary([("id", Value::Int(5)), ("count", Value::Int(2))])])),
        (
            "move",
            dictionary([
                ("kind", text("far")),
                ("at", Value::Vector2i([1, 2])),
                ("a name of more than 16", Value::Int(1 << 40)),
            ]),
        ),
        ("pair", array(vec![Value::Bool(true), Value::Color([0.5; 4])])),
        ("size", text("abc")),
        ("turn", Value::Quaternion(Reals::Single([0.0, 0.0, 0.0, 1.0]))),
        ("blob", Value::PackedFloat32Array(vec![1.0, 2.0])),
        ("name", name("n\u{f6}rd")),
        ("any", name("x")),
        ("note", text("well d\u{f6}n")),
    ]
}

fn bytes(entries: Vec<(&str, Value)>) -> Vec<u8> {
    let entries = entries.into_iter().map(|(key, value)| (text(key), value)).collect();
    let value = Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }));
    value.encode().expect("a value")
}

/// Encodes the packet with another value under one key.
fn with(key: &str, value: Value) -> Vec<u8> {
    let mut entries = entries();
    entries.iter_mut().find(|(known, _)| *known == key).expect("a key").1 = value;
    bytes(entries)
}

fn without(key: &str) -> Vec<u8> {
    bytes(entries().into_iter().filter(|(known, _)| *known != key).collect())
}

const FITS: Option<Verdict> = Some(Verdict::Fits { reshapes: false });

#[track_caller]
fn agree(program: &Program, bytes: &[u8], limits: Limits) {
    let rules = Rules::safe(limits);
    let walked = Checker::new().violations(program, bytes, &rules, 1).pop();
    match program.straight(bytes, &rules) {
        Some(Verdict::Fits { .. }) => assert_eq!(walked, None, "{bytes:02x?}"),
        Some(Verdict::Refused(kind)) => assert_eq!(Some(kind), walked.map(|it| it.kind), "{bytes:02x?}"),
        None => {}
    }
}

#[test]
fn what_lies_as_foreseen_takes_no_walk() {
    let program = schema().compile().expect("well-formed");
    let rules = Rules::safe(Limits::network());
    let straight = |bytes: &[u8]| program.straight(bytes, &rules);
    assert_eq!(straight(&bytes(entries())), FITS);
    assert_eq!(straight(&bytes(entries().into_iter().rev().collect())), FITS, "in another order");
    assert_eq!(straight(&without("blob")), FITS);
    assert_eq!(straight(&without("note")), Some(Verdict::Fits { reshapes: true }), "a default is filled in");
    assert_eq!(straight(&with("act", Value::Int(7))), FITS);
    assert_eq!(straight(&with("size", Value::Int(9))), FITS);
    let near = dictionary([("kind", text("near")), ("by", Value::Nil)]);
    assert_eq!(straight(&with("move", near)), FITS);
    for (bytes, kind) in [
        (with("seq", Value::Int(-1)), ErrorKind::OutOfRange),
        (with("seq", Value::Float(1.0)), ErrorKind::WrongType),
        (with("dir", Value::Vector2(Reals::Single([1.0, 1.0]))), ErrorKind::OutOfRange),
        (with("dir", Value::Vector2([0.0, 9.0_f64].into())), ErrorKind::OutOfRange),
        (with("aim", Value::Float(f64::NAN)), ErrorKind::NotFinite),
        (with("act", text("fly")), ErrorKind::NotInEnum),
        (with("items", array(vec![Value::Int(1); 17])), ErrorKind::WrongSize),
        (with("items", Value::Nil), ErrorKind::WrongType),
        (with("pair", array(vec![Value::Bool(true)])), ErrorKind::WrongSize),
        (with("size", Value::Int(10)), ErrorKind::NotMultiple),
        (with("size", text("abd")), ErrorKind::PatternMismatch),
        (with("turn", Value::Quaternion(Reals::Single([1.0; 4]))), ErrorKind::NotNormalized),
        (with("blob", Value::PackedFloat32Array(vec![1.0; 4])), ErrorKind::WrongSize),
        (with("note", text("123456789")), ErrorKind::WrongSize),
        (with("name", name("123456789")), ErrorKind::WrongSize),
        (with("name", text("a")), ErrorKind::WrongType),
        (without("seq"), ErrorKind::MissingKey),
        (bytes(entries().into_iter().chain([("more", Value::Nil)]).collect()), ErrorKind::UnknownKey),
    ] {
        assert_eq!(straight(&bytes), Some(Verdict::Refused(kind)), "{bytes:02x?}");
        agree(&program, &bytes, Limits::network());
    }
}

#[test]
fn what_needs_a_walk_gets_one() {
    let bytes = bytes(entries());
    let program = schema().compile().expect("well-formed");
    for rules in
        [Rules::engine(), Rules { strictness: variant_core::Strictness::Canonical, ..Rules::default() }]
    {
        assert_eq!(program.straight(&bytes, &rules), None);
    }
    let twice = [&bytes[..], &bytes[..]].concat();
    assert_eq!(program.straight(&twice, &Rules::default()), None, "bytes after the value");
    for schema in [
        Schema::map(Schema::string(), Schema::int()),
        Schema::array(Schema::int()).unique(),
        Schema::enumeration([name("a")]),
        Schema::of_type(VariantType::Rid),
    ] {
        let program = Schema::array(schema).compile().expect("well-formed");
        let empty = array(Vec::new()).encode().expect("a value");
        assert_eq!(program.straight(&empty, &Rules::default()), None);
    }
}

/// Tests that leaves and small containers are taken where anything may stand, and twelve names in any number.
#[test]
fn any_value_and_few_names_take_no_walk() {
    let rules = Rules::safe(Limits::save_file());
    let any = Schema::array(Schema::any()).compile().expect("well-formed");
    let names = Schema::array(Schema::of_type(VariantType::StringName)).compile().expect("well-formed");
    let straight = |program: &Program, items: Vec<Value>| {
        let bytes = array(items).encode().expect("a value");
        agree(program, &bytes, Limits::save_file());
        program.straight(&bytes, &rules)
    };
    let of = |count: usize| (0..1000).map(|at| name(&format!("n{}", at % count))).collect::<Vec<_>>();
    for program in [&any, &names] {
        assert_eq!(straight(program, of(12)), FITS);
        assert_eq!(straight(program, of(13)), None, "one name too many");
        assert_eq!(straight(program, vec![name(&"x".repeat(65))]), None, "a long name");
    }
    assert_eq!(
        straight(&any, vec![Value::Nil, Value::Float(f64::NAN), Value::PackedByteArray(vec![1; 9])]),
        FITS
    );
    let nested = dictionary([("a", array(vec![dictionary([])])), ("b", Value::Nil)]);
    assert_eq!(straight(&any, vec![nested.clone(), nested.clone()]), FITS, "dictionaries of few texts");
    assert_eq!(straight(&names, vec![nested]), Some(Verdict::Refused(ErrorKind::WrongType)));
    let large = Value::from(Dictionary::from_iter((0..9).map(|at| (text(&format!("k{at}")), Value::Nil))));
    let keyed = Value::from(Dictionary::from_iter([(Value::Int(1), Value::Nil)]));
    for walked in [large, keyed, Value::Rid(1), Value::NodePath(Box::default())] {
        assert_eq!(straight(&any, vec![walked]), None);
    }
    // Where a name costs at each of its places, no more than twelve may come.
    let few = Limits { max_key_probes: 255, ..Limits::save_file() };
    let bytes = array(vec![name("a"); 13]).encode().expect("a value");
    assert_eq!(names.straight(&bytes, &Rules::safe(few)), None);
    let types = variant_core::TypeSet::ALL.without(variant_core::TypeSet::of(&[VariantType::Color]));
    let bytes = array(vec![Value::Color([0.5; 4])]).encode().expect("a value");
    assert_eq!(
        any.straight(&bytes, &Rules::safe(Limits { allowed_types: types, ..Limits::save_file() })),
        None
    );
}

/// Tests that the verdict is that of the walk, however the bytes are spoiled and whatever the limits are.
#[test]
fn it_says_what_the_walk_says() {
    let program = schema().compile().expect("well-formed");
    let good = bytes(entries());
    for end in 0..good.len() {
        agree(&program, &good[..end], Limits::network());
    }
    for at in 0..good.len() {
        for flip in [1, 2, 4, 16, 32, 0x80, 0xFF] {
            let mut spoiled = good.clone();
            spoiled[at] ^= flip;
            agree(&program, &spoiled, Limits::network());
        }
    }
    let size = good.len() as u64;
    for least in 0..size * 70 {
        let limits = Limits::network();
        for limits in [
            Limits { max_bytes: least, ..limits },
            Limits { max_depth: least, ..limits },
            Limits { max_values: least, ..limits },
            Limits { max_entries: least, ..limits },
            Limits { max_string_bytes: least, ..limits },
            Limits { max_heap_bytes: least, ..limits },
            Limits { max_key_probes: least, ..limits },
        ] {
            if least < size || limits.max_heap_bytes == least {
                agree(&program, &good, limits);
            }
        }
    }
    for id in 0..39 {
        let types = variant_core::TypeSet(!(1 << id));
        agree(&program, &good, Limits { allowed_types: types, ..Limits::network() });
        agree(&program, &good, Limits { allowed_key_types: types, ..Limits::network() });
    }
}

/// Tests that a key is a String, which has to be of an allowed type even where no value is a String.
#[test]
fn keys_are_values_too() {
    let program = Schema::dict([("x", Schema::int())]).compile().expect("well-formed");
    let bytes = dictionary([("x", Value::Int(1))]).encode().expect("a value");
    let types = variant_core::TypeSet::ALL.without(variant_core::TypeSet::of(&[VariantType::String]));
    let limits = Limits { allowed_types: types, ..Limits::network() };
    assert_eq!(program.straight(&bytes, &Rules::safe(Limits::network())), FITS);
    assert_eq!(program.straight(&bytes, &Rules::safe(limits)), None);
    agree(&program, &bytes, limits);
}

/// Tests that nesting is bounded, and so is the stack.
#[test]
fn what_is_deep_is_walked() {
    let nested = Schema::dict([("in?", Schema::reference("nested"))]);
    let program = Schema::reference("nested").define("nested", nested).compile().expect("well-formed");
    let mut value = dictionary([]);
    for level in 0..1000 {
        let bytes = value.encode().expect("a value");
        let said = program.straight(&bytes, &Rules::safe(Limits::engine()));
        assert_eq!(said, if level < 16 { FITS } else { None }, "{level}");
        agree(&program, &bytes, Limits::network());
        value = dictionary([("in", value)]);
    }
}

/// Tests the value that comes of defaults of nested dictionaries and tuples, and of arrays that become typed.
/// They are put into the bytes; the value is that which a walk would make.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_is_filled_in_is_what_a_walk_fills_in() {
    let ints = || Schema::array(Schema::int()).typed();
    let item = Schema::dict([
        ("id", Schema::int()),
        ("tags", ints()),
        ("name", Schema::string().default_value(text("?"))),
        ("of", Schema::dict([("x?", Schema::int().default_value(Value::Int(1 << 40)))])),
    ]);
    let pair = Schema::tuple([
        ints(),
        Schema::string().default_value(text("a")),
        Schema::float().default_value(Value::Float(0.5)),
    ]);
    let schema = Schema::dict([
        ("items", Schema::array(item)),
        ("pair", pair),
        ("last", Schema::int().nullable().default_value(Value::Nil)),
    ]);
    let program = schema.compile().expect("well-formed");
    let item = |name: Option<&str>, tags: Vec<Value>, x: Option<i64>| {
        let entries = [
            Some(("id", Value::Int(1))),
            Some(("tags", array(tags))),
            name.map(|name| ("name", text(name))),
            Some(("of", dictionary_of(x.map(|x| ("x", Value::Int(x))).into_iter().collect()))),
        ];
        dictionary_of(entries.into_iter().flatten().collect())
    };
    let numbers = |count: i64| (0..count).map(Value::Int).collect::<Vec<_>>();
    for bits in 0..32 {
        let has = |bit: u32| bits >> bit & 1 == 1;
        let items = [
            item(has(0).then_some("a name"), numbers(2), has(1).then_some(3)),
            item(None, numbers(0), None),
            item(has(2).then_some(""), numbers(3), Some(4)),
        ];
        let pair = [array(numbers(1)), text("b"), Value::Float(1.0)];
        let pair = array(pair.into_iter().take(1 + (bits >> 3 & 1) + (bits >> 4 & 1)).collect());
        let mut entries = vec![("items", array(items.to_vec())), ("pair", pair)];
        if has(4) {
            entries.push(("last", Value::Nil));
        }
        let bytes = bytes(entries);
        let (rules, mut reshaped) = (Rules::default(), variant_schema::FilledBytes::default());
        let verdict = program.reshape(&bytes, &rules, &mut reshaped);
        assert_eq!(verdict, Some(Verdict::Fits { reshapes: true }));
        let wanted = Checker::new().decode(&program, &bytes, &rules).expect("accepted");
        assert_eq!(reshaped.bytes(), wanted.encode().expect("a value"), "{bits}");
    }
}

fn dictionary_of(entries: Vec<(&str, Value)>) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (text(key), value)).collect();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

/// Tests values of another type than the predicted one, cut anywhere, and where their type is not allowed at
/// all.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn wrong_types_are_told_as_the_walk_tells_them() {
    let others = [
        Value::Int(5),
        Value::Int(1 << 40),
        Value::Float(0.5),
        Value::Float(0.1),
        text("a text"),
        text("\u{f6}"),
        Value::StringName("a name".to_owned()),
        Value::Bool(true),
        Value::Nil,
        Value::Vector2(Reals::Single([0.5; 2])),
        Value::Color([0.5; 4]),
        Value::NodePath(Box::new(variant_core::NodePath {
            names: vec!["a".to_owned(), "b".to_owned()],
            subnames: vec!["c".to_owned()],
            ..variant_core::NodePath::default()
        })),
    ];
    for wanted in [
        Schema::int(),
        Schema::float(),
        Schema::string(),
        Schema::of_type(VariantType::Vector2),
        Schema::string().nullable(),
        Schema::dict([("x?", Schema::int())]),
        Schema::enumeration([Value::Int(1), Value::Int(2)]),
        Schema::enumeration([text("a"), Value::Int(2)]),
        Schema::enumeration((0..20).map(Value::Int).collect::<Vec<_>>()),
    ] {
        let program = Schema::array(wanted).compile().expect("well-formed");
        for other in &others {
            let bytes = array(vec![other.clone()]).encode().expect("a value");
            for end in 0..=bytes.len() {
                agree(&program, &bytes[..end], Limits::network());
            }
            for at in 0..bytes.len() {
                for flip in [1, 2, 4, 0x40, 0x80, 0xFF] {
                    let mut spoiled = bytes.clone();
                    spoiled[at] ^= flip;
                    agree(&program, &spoiled, Limits::network());
                }
            }
            let limits = Limits::network();
            for id in 0..39 {
                let types = variant_core::TypeSet(!(1 << id));
                agree(&program, &bytes, Limits { allowed_types: types, ..limits });
            }
            for least in 0..200 {
                agree(&program, &bytes, Limits { max_key_probes: least, ..limits });
                agree(&program, &bytes, Limits { max_path_segments: least, ..limits });
                agree(&program, &bytes, Limits { max_depth: least, ..limits });
                agree(&program, &bytes, Limits { max_values: least, ..limits });
                agree(&program, &bytes, Limits { max_heap_bytes: least * 8, ..limits });
                agree(&program, &bytes, Limits { max_string_bytes: least, ..limits });
            }
        }
    }
}

/// Tests a container where another type is predicted, and the other way round: it is refused without a walk,
/// as by one.
#[test]
fn containers_in_the_wrong_place_take_no_walk() {
    let inner = || Schema::dict([("x?", Schema::int())]);
    let told = Schema::discriminated("x", [(Value::Int(1), Schema::dict([("y?", Schema::int())]))]);
    let containers =
        [dictionary([]), dictionary([("x", Value::Int(1))]), array(Vec::new()), array(vec![Value::Nil; 3])];
    let others = [Value::Int(5), text("a"), Value::Vector2(Reals::Single([0.5; 2]))];
    for wanted in [
        Schema::int(),
        Schema::string(),
        Schema::of_type(VariantType::Vector2),
        inner(),
        Schema::array(inner()),
        Schema::tuple([Schema::int()]),
        told,
    ] {
        let program = Schema::array(wanted).compile().expect("well-formed");
        for value in containers.iter().chain(&others) {
            let bytes = array(vec![value.clone()]).encode().expect("a value");
            let said = program.straight(&bytes, &Rules::safe(Limits::network()));
            // Without a known kind, the error has more to say, which only the walk does.
            let is_told = matches!((program.schema().shape(), value), (Shape::Array(item), Value::Dictionary(_))
                if matches!(item.shape(), Shape::Discriminated { .. }));
            assert!(said.is_some() || is_told, "{value:?} under {}", program.schema().to_json());
            for end in 0..=bytes.len() {
                agree(&program, &bytes[..end], Limits::network());
            }
            for least in 0..200 {
                let limits = Limits::network();
                agree(&program, &bytes, Limits { max_depth: least, ..limits });
                agree(&program, &bytes, Limits { max_values: least, ..limits });
                agree(&program, &bytes, Limits { max_entries: least, ..limits });
                agree(&program, &bytes, Limits { max_heap_bytes: least * 8, ..limits });
                let types = variant_core::TypeSet(!(1 << (least % 39)));
                agree(&program, &bytes, Limits { allowed_types: types, ..limits });
                agree(&program, &bytes, Limits { allowed_key_types: types, ..limits });
            }
        }
    }
}

/// Tests that the walk decides on a key that comes twice, and on keys that cost the engine's table too many
/// probes.
#[test]
fn keys_that_are_the_walks_to_tell() {
    let program = schema().compile().expect("a schema");
    let rules = Rules::safe(Limits::network());
    assert!(matches!(program.straight(&bytes(entries()), &rules), Some(Verdict::Fits { .. })));
    for key in ["seq", "blob", "note"] {
        let mut twice = entries();
        let (_, value) = twice.iter().find(|(name, _)| *name == key).expect("it is there").clone();
        twice.push((key, value));
        assert_eq!(program.straight(&bytes(twice), &rules), None, "{key} twice");
    }
    let dear = Rules::safe(Limits { max_key_probes: 0, ..Limits::network() });
    assert_eq!(program.straight(&bytes(entries()), &dear), None);
}
