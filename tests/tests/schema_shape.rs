//! Uses schemas as a user of the crate does: a packet, its violations, its documents, its allocations.

use allocation_counter::measure;
use variant_core::{Dictionary, ElementType, ErrorKind, Limits, Reals, Rules, Value, VariantType};
use variant_schema::{Checker, Schema};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn dictionary<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (text(key), value)).collect();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn array<const N: usize>(items: [Value; N]) -> Value {
    Value::Array(Box::new(variant_core::Array { items: items.to_vec(), ..variant_core::Array::default() }))
}

/// Makes the schema of the packet in the public documents.
fn packet_schema() -> Schema {
    let item =
        Schema::dict([("id", Schema::int().min(1).max(4096)), ("count", Schema::int().min(1).max(99))]);
    Schema::dict([
        ("seq", Schema::int().min(0).max(0xFFFF_FFFF)),
        ("dir", Schema::of_type(VariantType::Vector2).max_length(1.01)),
        ("aim", Schema::float().min(-3.15).max(3.15)),
        ("act", Schema::enumeration(["none", "jump", "fire"].map(text))),
        ("items", Schema::array(item).max_size(16u64)),
        ("note", Schema::string().max_chars(64u64).default_value(text(""))),
    ])
}

fn packet(count: i64, act: &str) -> Value {
    dictionary([
        ("seq", Value::Int(7)),
        ("dir", Value::Vector2(Reals::Single([1.0, 0.0]))),
        ("aim", Value::Float(0.5)),
        ("act", text(act)),
        ("items", array([dictionary([("id", Value::Int(5)), ("count", Value::Int(count))])])),
    ])
}

#[test]
fn a_violation_says_where_and_what() {
    let program = packet_schema().compile().unwrap();
    let mut checker = Checker::new();
    let rules = Rules::safe(Limits::network());
    assert!(checker.validate(&program, &packet(1, "jump").encode().unwrap(), &rules).is_ok());
    let bytes = packet(250, "a secret").encode().unwrap();
    let first = checker.validate(&program, &bytes, &rules).unwrap_err();
    assert_eq!(
        first.to_string(),
        "act: expected one of \"none\", \"jump\", \"fire\", got String of 8 characters (byte 84)"
    );
    let all = checker.violations(&program, &bytes, &rules, 32);
    assert_eq!(all[0], *first);
    assert_eq!(all[1].to_string(), "items[0].count: expected int 1..99, got int 250 (byte 168)");
    assert_eq!(all.len(), 2);
    assert_eq!(checker.violations(&program, &bytes, &rules, 1), all[..1]);
}

#[test]
fn a_container_that_can_hold_nothing_right_says_so() {
    use variant_core::{ElementType, VariantType};
    let told = |schema: Schema, value: Value| {
        let program = schema.compile().unwrap();
        Checker::new().check(&program, &value).map_err(|violation| violation.to_string())
    };
    let of = ElementType::Builtin;
    let array =
        |element: ElementType| Value::Array(Box::new(variant_core::Array { element, items: Vec::new() }));
    let map = |key: ElementType, value: ElementType| {
        Value::Dictionary(Box::new(Dictionary { key, value, entries: Vec::new() }))
    };
    let ints = Schema::array(Schema::int().min(1).nullable());
    assert_eq!(
        told(ints.clone(), array(of(VariantType::Transform3D))).unwrap_err(),
        "(root): expected Array of null or int, got Array[Transform3D] (byte 0)"
    );
    assert_eq!(told(ints.clone(), array(of(VariantType::Int))), Ok(()));
    // A declaration of objects counts only if it names a class.
    assert_eq!(told(ints.clone(), array(of(VariantType::Object))), Ok(()));
    assert_eq!(told(ints, array(ElementType::None)), Ok(()));
    let named = Schema::dict([("a", Schema::map(Schema::string(), Schema::float()))]);
    let ages = map(of(VariantType::String), of(VariantType::Int));
    assert_eq!(
        told(named, dictionary([("a", ages)])).unwrap_err(),
        "a: expected Dictionary of String keys and float values, got Dictionary[String, int] (byte 20)"
    );
}

#[test]
fn keys_that_lack_or_are_too_many() {
    let program = Schema::dict([("hp", Schema::int())]).compile().unwrap();
    let value = dictionary([("hq", Value::Int(1))]);
    let found: Vec<_> =
        Checker::new().check_all(&program, &value, 8).iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "hq: expected only the key \"hp\", got another one (byte 8)",
            "(root): expected the key \"hp\", got none of that name (byte 0)"
        ]
    );
}

/// Tests keys that come twice: ENGINE keeps the last entry of a key; SAFE refuses the second one.
#[test]
fn keys_that_come_again_count_once() {
    let program = Schema::map(Schema::any(), Schema::int()).min_size(2u64).compile().unwrap();
    let name = |text: &str| Value::StringName(text.to_owned());
    let told = |keys: &[Value]| {
        let entries = keys.iter().map(|key| (key.clone(), Value::Int(1))).collect();
        let value = Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }));
        let bytes = value.encode().unwrap();
        Checker::new().validate(&program, &bytes, &Rules::engine()).map(drop).map_err(|it| it.to_string())
    };
    let few = "(root): expected Dictionary of at least 2 elements, got Dictionary of 1 key (byte 0)";
    assert_eq!(told(&[text("a"), text("b")]), Ok(()));
    assert_eq!(told(&[text("a"), text("a"), text("b")]), Ok(()));
    assert_eq!(told(&[text("a"), text("a")]), Err(few.to_owned()));
    assert_eq!(told(&[text("a"), name("a")]), Err(few.to_owned()));
    let list = array([Value::Int(1)]);
    assert_eq!(told(&[list.clone(), list.clone()]), Err(few.to_owned()));
    assert_eq!(told(&[list, Value::Int(1)]), Ok(()));
}

/// Tests that the elements of an example get one schema, with the keys in the order in which they first come.
#[test]
fn an_example_of_elements_that_differ() {
    let (int, text) = (Schema::int(), Schema::string());
    let entry = |id: i64| Value::from([("id", Value::Int(id)), ("name", Value::from("a"))]);
    let inside = |item: Value| Value::from([("id", Value::Int(1)), ("all", Value::from([item]))]);
    let cases = [
        (
            vec![entry(1), Value::from([("note", Value::Nil), ("id", Value::Float(0.5))])],
            Schema::dict([
                ("id", Schema::union([int.clone(), Schema::float()])),
                ("name?", text.clone()),
                ("note?", Schema::of_type(variant_core::VariantType::Nil)),
            ]),
        ),
        (
            vec![inside(entry(1)), inside(Value::from([("id", 1)])), inside(Value::Nil)],
            Schema::dict([
                ("id", int.clone()),
                ("all", Schema::array(Schema::dict([("id", int.clone()), ("name?", text)]).nullable())),
            ]),
        ),
        (vec![Value::Int(1), Value::Nil], int.nullable()),
        (vec![Value::from([Value::Int(1)]), Value::from([Value::Nil; 0])], Schema::array(int.clone())),
        (vec![Value::from([("a", 1)]), Value::from([(7, 1)])], {
            Schema::map(Schema::union([int.clone(), Schema::string()]), int)
        }),
        (vec![Value::Float(1.0), Value::Float(f64::NAN)], Schema::float().allow_non_finite()),
    ];
    for (items, wanted) in cases {
        let example = Value::from(items.into_iter().collect::<variant_core::Array>());
        assert_eq!(Schema::from_example(&example), Schema::array(wanted), "{example:?}");
    }
}

#[test]
fn an_empty_example_tells_what_it_declares() {
    use variant_core::{ElementType, VariantType};
    let of = ElementType::Builtin;
    let list = |element| Value::Array(Box::new(variant_core::Array { element, items: Vec::new() }));
    let map = |key, value| Value::Dictionary(Box::new(Dictionary { key, value, entries: Vec::new() }));
    let (ints, texts) = (of(VariantType::Int), of(VariantType::String));
    let cases = [
        (list(ints.clone()), Schema::array(Schema::int())),
        (list(of(VariantType::Array)), Schema::array(Schema::of_type(VariantType::Array))),
        (list(of(VariantType::Object)), Schema::array(Schema::any())),
        (list(ElementType::None), Schema::array(Schema::any())),
        (map(texts, ints.clone()), Schema::map(Schema::string(), Schema::int())),
        (map(ElementType::None, ints), Schema::map(Schema::any(), Schema::int())),
        (map(ElementType::None, ElementType::None), Schema::dict::<&str>([])),
    ];
    for (example, wanted) in cases {
        assert_eq!(Schema::from_example(&example), wanted, "{example:?}");
    }
}

#[test]
fn decoding_fills_in_what_is_missing() {
    let program = packet_schema().compile().unwrap();
    let bytes = packet(1, "jump").encode().unwrap();
    let value = Checker::new().decode(&program, &bytes, &Rules::default()).unwrap();
    let Value::Dictionary(dictionary) = value else { panic!("a dictionary") };
    assert_eq!(dictionary.entries.last().unwrap(), &(text("note"), text("")));
}

#[test]
fn json_comes_back_as_it_was() {
    let schema = packet_schema().describe("One move.").define("unused", Schema::any());
    let json = schema.to_json();
    let back = Schema::from_json(&json).unwrap();
    assert_eq!(back, schema, "{json}");
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_warm_checker_allocates_nothing() {
    let kinds = Schema::union([
        Schema::dict([("k", Schema::literal(Value::Int(1))), ("v", Schema::array(Schema::int()).unique())]),
        Schema::dict([("k", Schema::literal(Value::Int(2))), ("v", Schema::string().pattern("^a+$"))]),
    ]);
    let schema = Schema::dict([("packet", packet_schema()), ("kind", kinds)]);
    let program = schema.compile().unwrap();
    let numbers = array([Value::Int(3), Value::Int(4)]);
    // The kind stands last, so that it has to be searched for.
    let kind = dictionary([("v", numbers), ("k", Value::Int(1))]);
    let bytes = dictionary([("packet", packet(1, "none")), ("kind", kind)]).encode().unwrap();
    let (rules, mut checker) = (Rules::safe(Limits::network()), Checker::new());
    let mut run = || measure(|| assert!(checker.validate(&program, &bytes, &rules).is_ok()));
    assert!(run().count_total > 0, "the counter counts");
    assert_eq!(run().count_total, 0);
    assert_eq!(run().count_total, 0);
}

#[test]
fn what_contradicts_itself_is_told_with_its_place() {
    let told = |schema: &Schema| schema.compile().unwrap_err().to_string();
    let bad = Schema::dict([("a", Schema::array(Schema::int().min(5).max(4)))]);
    assert_eq!(told(&bad), "a[]: range: the least, 5, is over 4");
    assert_eq!(told(&Schema::reference("node")), "(root): nothing is defined as \"node\"");
    let twice = Schema::union([Schema::array(Schema::int()), Schema::array(Schema::float())]);
    assert_eq!(told(&twice), "(root): two alternatives are Array, and nothing tells them apart");
    let itself = Schema::reference("a").define("a", Schema::reference("a"));
    assert!(told(&itself).contains("refers to itself"));
    assert!(told(&Schema::string().pattern("(")).contains("does not compile"));
    let kind = ErrorKind::MissingKey;
    assert!(kind.is_of_schema() && !ErrorKind::TooManyProbes { limit: 1 }.is_of_schema());
}

/// Makes an Array that declares its element type.
fn typed_array(element: &ElementType, items: &[Value]) -> Value {
    Value::Array(Box::new(variant_core::Array { element: element.clone(), items: items.to_vec() }))
}

/// Makes a Dictionary of one entry that declares its key and value types.
fn typed_dictionary(key: &ElementType, value: &ElementType, entry: &Value) -> Value {
    let (key, value, entries) = (key.clone(), value.clone(), vec![(text("a"), entry.clone())]);
    Value::Dictionary(Box::new(Dictionary { key, value, entries }))
}

#[test]
fn coercion_keeps_types_that_are_right() {
    let of = ElementType::Builtin;
    let (int, float, texts) = (of(VariantType::Int), of(VariantType::Float), of(VariantType::String));
    let none = ElementType::None;
    let (one, one_float) = (Value::Int(1), Value::Float(1.0));
    let (some, some_floats) = ([one.clone()], [one_float.clone()]);
    let ints = Schema::array(Schema::int());
    let ages = Schema::map(Schema::string(), Schema::int());
    let both = Schema::dict([("a", Schema::int()), ("b", Schema::string().default_value(text("b")))]);
    let entries = [("a", one.clone()), ("b", text("b"))];
    let cases = [
        (ints.clone(), typed_array(&int, &some), typed_array(&int, &some)),
        (ints.clone(), typed_array(&int, &[]), typed_array(&int, &[])),
        (ints.clone(), typed_array(&float, &some_floats), typed_array(&none, &some)),
        (ints, typed_array(&float, &[]), typed_array(&none, &[])),
        (Schema::array(Schema::any()), typed_array(&float, &[]), typed_array(&float, &[])),
        (ages.clone(), typed_dictionary(&texts, &int, &one), typed_dictionary(&texts, &int, &one)),
        (ages, typed_dictionary(&texts, &float, &one_float), typed_dictionary(&texts, &none, &one)),
        (both, typed_dictionary(&texts, &int, &one), dictionary(entries)),
    ];
    for (schema, given, wanted) in cases {
        let program = schema.compile().unwrap();
        assert_eq!(Checker::new().coerce(&program, &given, 1), Ok(wanted), "{given:?}");
    }
}

#[test]
fn coercion_names_the_element_in_the_way() {
    let bytes = Schema::of_type(VariantType::PackedByteArray).max_size(3u64).nullable();
    let texts = Schema::of_type(VariantType::PackedStringArray);
    let points = Schema::of_type(VariantType::PackedVector2Array);
    let schema = Schema::dict([("a", Schema::array(bytes)), ("b", texts), ("c", points)]);
    let program = schema.compile().unwrap();
    let value = dictionary([
        ("a", array([array([]), array([Value::Int(1), Value::Int(300)])])),
        ("b", array([text("x"), array([])])),
        ("c", array([array([Value::Int(1), text("y")])])),
    ]);
    let found = Checker::new().coerce(&program, &value, 8).unwrap_err();
    assert_eq!(
        found.iter().map(variant_core::Rejection::sentence).collect::<Vec<_>>(),
        [
            "a[1][1]: expected int 0..255, got int 300",
            "b[1]: expected String, got Array",
            "c[0]: expected Vector2, got Array",
        ]
    );
}

/// Tests schemas that are near the contradictions but have values.
#[test]
fn what_some_value_is_like_is_no_contradiction() {
    let vector = Schema::of_type(VariantType::Vector2);
    let of_list = |schema: Schema| Schema::reference("a").define("a", schema);
    let again = || Schema::reference("a");
    let bools = || Schema::array(Schema::of_type(VariantType::Bool)).unique();
    let fine = [
        Schema::int().min(1).max(5).multiple_of(5),
        Schema::int().min(-4).max(0).multiple_of(5),
        Schema::float().min(0.25).max(0.3).multiple_of(0.1),
        Schema::float().min(f64::INFINITY).allow_non_finite(),
        vector.min_length(f64::INFINITY).allow_non_finite(),
        vector.normalized().max_length(1.0),
        vector.within(vec![1.0, 0.0, 1.0, 1.0]).normalized(),
        vector.within(vec![3.0, 4.0, 1.0, 1.0]).max_length(5.0),
        bools().min_size(2u64),
        Schema::array(Schema::of_type(VariantType::Bool).nullable()).unique().min_size(3u64),
        Schema::map(Schema::string(), Schema::any()).min_size(1000u64),
        of_list(Schema::dict([("next?", again())])),
        of_list(Schema::dict([("next", again().nullable())])),
        of_list(Schema::array(again())),
        of_list(Schema::union([Schema::int(), Schema::array(again()).min_size(2u64)])),
        of_list(Schema::tuple([Schema::int(), again().optional()])),
    ];
    for schema in fine {
        assert_eq!(schema.compile().map(drop), Ok(()), "{}", schema.to_json());
    }
}

#[test]
fn a_document_that_is_no_schema_keeps_its_place() {
    let told = |schema: &Schema| schema.compile().unwrap_err().to_string();
    let of = |json: &str| Schema::from_json(json).unwrap_or_else(Schema::mistaken);
    let wrong = of(r#"{"schema_version": 1, "type": "dict", "keys": {"a": {"type": "itn"}}}"#);
    assert_eq!(told(&wrong), "a: there is no type \"itn\"");
    let around = Schema::dict([("outer", Schema::array(wrong))]);
    assert_eq!(told(&around), "outer[].a: there is no type \"itn\"");
    // Read back from JSON, the schema has the same mistake.
    assert_eq!(told(&of(&around.to_json())), "outer[]: a: there is no type \"itn\"");
    let numbers = r#"{"schema_version": 1, "type": "vector2", "within": [1, "a"]}"#;
    assert_eq!(told(&of(numbers)), "(root): within has to be a list of numbers");
    assert!(told(&of("{")).starts_with("(root): not JSON: EOF while"));
}

#[test]
fn a_schema_may_refer_to_itself() {
    let node = Schema::dict([("value", Schema::int()), ("next?", Schema::reference("node").nullable())]);
    let program = Schema::reference("node").define("node", node).compile().unwrap();
    let end = dictionary([("value", Value::Int(1)), ("next", Value::Nil)]);
    let list = |value| dictionary([("value", value), ("next", end.clone())]);
    let mut checker = Checker::new();
    assert!(checker.check(&program, &list(Value::Int(2))).is_ok());
    let wrong = dictionary([("value", Value::Int(0)), ("next", list(Value::Bool(true)))]);
    let told = checker.check(&program, &wrong).unwrap_err().to_string();
    assert!(told.starts_with("next.value: expected int, got bool true"), "{told}");
}

#[test]
fn a_value_in_json_has_each_key_once() {
    let json = |default: &str| {
        let keys = format!("{{\"a\":{{\"type\":\"any\",\"default\":{default}}}}}");
        Schema::from_json(&format!("{{\"schema_version\":1,\"type\":\"dict\",\"keys\":{keys}}}"))
    };
    assert!(json(r#"{"x": 1, "y": {"x": 2}}"#).is_ok());
    let error = json(r#"{"x": 1, "y": 2, "x": 3}"#).unwrap_err().to_string();
    assert_eq!(error, "a: \"x\" is there twice");
}

/// Tests that a typed schema types its defaults as well, their parts, and what is filled into them.
#[test]
fn defaults_are_typed() {
    let ints = || Schema::array(Schema::int()).typed();
    let of_ints = |items: &[i64]| {
        let items = items.iter().copied().map(Value::Int).collect();
        let element = ElementType::Builtin(VariantType::Int);
        Value::Array(Box::new(variant_core::Array { element, items }))
    };
    let inner = Schema::dict([("of", ints()), ("more", ints().default_value(array([])))]);
    let program = Schema::dict([
        ("ids", ints().default_value(array([Value::Int(7)]))),
        ("deep", inner.default_value(dictionary([("of", array([]))]))),
        ("rows", Schema::tuple([Schema::any(), ints().default_value(array([Value::Int(1)]))])),
    ]);
    let program = program.compile().unwrap();
    let bytes = dictionary([("rows", array([Value::Nil]))]).encode().unwrap();
    let good = dictionary([
        ("rows", array([Value::Nil, of_ints(&[1])])),
        ("ids", of_ints(&[7])),
        ("deep", dictionary([("of", of_ints(&[])), ("more", of_ints(&[]))])),
    ]);
    let mut checker = Checker::new();
    assert_eq!(checker.decode(&program, &bytes, &Rules::safe(Limits::network())).unwrap(), good);
    let sent = dictionary([("rows", array([Value::Nil]))]);
    assert_eq!(checker.coerce(&program, &sent, 1).unwrap(), good);
    assert!(checker.check(&program, &good).is_ok());
}

#[test]
fn all_mistakes_are_told() {
    let places = |schema: &Schema| -> Vec<String> {
        schema.compile().unwrap_err().iter().map(ToString::to_string).collect()
    };
    let wrong = Schema::dict([
        ("hp", Schema::int().min(9).max(1)),
        ("name", Schema::float().pattern("a").min_chars(3u64)),
        ("friends", Schema::array(Schema::reference("friend"))),
        ("default", Schema::int().default_value(Value::Nil)),
    ]);
    assert_eq!(
        places(&wrong),
        [
            "hp: range: the least, 9, is over 1",
            "name: a number of characters is for string, string_name and packed_string_array; for arrays there are \
             min_size and max_size",
            "name: pattern is for string, string_name and packed_string_array",
            "friends[]: nothing is defined as \"friend\"",
        ]
    );
    let inside = Schema::tuple([Schema::mistaken(wrong.compile().unwrap_err())]);
    assert_eq!(places(&inside)[3], "[0].friends[]: nothing is defined as \"friend\"");
    let again = Schema::from_json(&inside.to_json()).expect("a document");
    assert_eq!(places(&again)[3], "[0]: friends[]: nothing is defined as \"friend\"");
    let many = Schema::tuple((0..70_000).map(|_| Schema::int().min(1).max(0)));
    assert_eq!(places(&many).len(), 100);
}

#[test]
fn all_mistakes_of_a_document_are_told() {
    let text = r#"{"schema_version": 1, "type": "dict", "min": "a", "keys": {"a": {"type": "itn"}, "b": {"type": "array",
        "items": {"type": "int", "mni": 1}}, "c": {"type": "discriminated", "by": "k", "cases": [{"is": {}}, 7]}}}"#;
    let wrong = Schema::from_json(text).unwrap_err();
    assert_eq!(
        wrong.lines(),
        "a: there is no type \"itn\"\nb[]: there is no \"mni\" here\nc(0): value is missing\n\
         c(1): a case has to be an object\nmin has to be a number"
    );
}
