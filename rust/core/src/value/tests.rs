//! Value: round trips of hand-made trees, and the depth limit on writing.

use super::*;
use crate::{ErrorKind, Rules, decode};

#[track_caller]
fn round_trips(value: &Value) {
    let bytes = value.encode().unwrap();
    let rules = Rules { full_objects: true, ..Rules::engine() };
    assert_eq!(&decode(&bytes, &rules).unwrap(), value);
}

#[test]
fn trees_come_back() {
    let entries = vec![
        (Value::String("hp".into()), Value::Int(1 << 40)),
        (Value::Vector2(Reals::Single([1.0, -0.5])), Value::Projection(Box::new([0.1_f64; 16].into()))),
        (Value::Nil, Value::PackedStringArray(vec![String::new(), "ü".into()])),
    ];
    round_trips(&Value::Dictionary(Box::new(Dictionary {
        key: ElementType::None,
        value: ElementType::Builtin(VariantType::Int),
        entries,
    })));
    round_trips(&Value::NodePath(Box::new(NodePath {
        absolute: true,
        names: vec!["a".into(), String::new()],
        subnames: vec!["x/y:z".into()],
    })));
    let properties = vec![("script".to_owned(), Value::Nil), ("a".to_owned(), Value::Array(Box::default()))];
    round_trips(&Value::Object(Box::new(Object { class: "Node".into(), properties })));
    let items = vec![Value::PackedVector3Array(vec![[0.1_f64, 0.2, 0.3]].into()), Value::Color([0.5; 4])];
    round_trips(&Value::Array(Box::new(Array { element: ElementType::Class("Node".into()), items })));
}

fn nest(levels: usize) -> Value {
    (0..levels).fold(Value::Nil, |inner, _| {
        Value::Array(Box::new(Array { element: ElementType::None, items: vec![inner] }))
    })
}

#[test]
fn writing_stops_at_the_engines_depth() {
    assert_eq!(nest(1024).encode().unwrap().len(), 1024 * 8 + 4);
    let error = nest(1025).encode().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep { limit: 1025 });
    assert_eq!(error.path().0.len(), 1025);
}

#[test]
fn output_is_limited_before_it_is_written() {
    let value = Value::PackedByteArray(vec![0; 5000]);
    let mut output = Vec::new();
    let limits = crate::Limits { max_output_bytes: 4096, ..crate::Limits::engine() };
    let error = value.encode_into(&mut output, &limits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutputTooLarge { limit: 4096 });
    assert!(output.is_empty());
}

#[test]
fn a_nul_cuts_every_text_alike() {
    let cut =
        |value: &Value| decode(&value.encode().unwrap(), &Rules::safe(crate::Limits::engine())).unwrap();
    let text = || "a\0b".to_owned();
    assert_eq!(cut(&Value::String(text())), Value::String("a".into()));
    assert_eq!(cut(&Value::PackedStringArray(vec![text()])), Value::PackedStringArray(vec!["a".into()]));
    let path =
        |name: String| Value::NodePath(Box::new(NodePath { names: vec![name], ..NodePath::default() }));
    assert_eq!(cut(&path(text())), path("a".into()));
}

#[test]
fn an_object_without_a_class_is_not_written() {
    let properties = vec![("a".to_owned(), Value::Nil)];
    let object = Value::Object(Box::new(Object { class: String::new(), properties }));
    assert_eq!(object.encode().unwrap_err().kind(), ErrorKind::NotInstantiable);
}

/// A sink that is called in an order no walk has refuses, instead of building something else.
#[test]
fn what_no_walk_does_is_refused() {
    use crate::Sink;
    use crate::token::{Container, ContainerType, Lanes, Leaf, Text};
    use crate::wire::Lane;
    let refused = Err(ErrorKind::Refused);
    let opened = |container| ToValue.open(0, container, 0).unwrap();
    let untyped = ContainerType::None;
    let mut array = opened(Container::Array { element: untyped, count: 1 });
    let mut dictionary = opened(Container::Dictionary { key: untyped, value: untyped, count: 1 });
    let mut object = opened(Container::Object { class: Text::new("Node"), count: 1 });
    let mut path = opened(Container::NodePath { absolute: false, names: 1, subnames: 0 });
    assert_eq!(ToValue.text(&mut array, Text::new("a")), refused);
    assert_eq!(ToValue.text(&mut dictionary, Text::new("a")), refused);
    assert_eq!(ToValue.key(&mut array, Value::Nil), refused);
    assert_eq!(ToValue.item(&mut path, Value::Nil), refused);
    assert_eq!(ToValue.item(&mut dictionary, Value::Nil), refused, "a value without a key");
    assert_eq!(ToValue.item(&mut object, Value::Nil), refused, "a value without a name");
    let lanes = Lanes::new(&[0; 8], Lane::F32).unwrap();
    for leaf in [Leaf::Math(VariantType::Int, lanes), Leaf::Packed(VariantType::Vector2, lanes)] {
        assert_eq!(ToValue.leaf(0, leaf), Err(ErrorKind::Refused), "{leaf:?}");
    }
}

/// Which entry it is whose value cannot be written: by its key, its name or its number.
#[test]
fn errors_of_writing_lead_to_the_value() {
    let bad = || Value::Object(Box::default());
    let entry = |key, value| Dictionary {
        entries: vec![(Value::Nil, Value::Nil), (key, value)],
        ..Dictionary::default()
    };
    let object =
        Object { class: "Node".into(), properties: vec![("a".into(), Value::Nil), ("b c".into(), bad())] };
    let text = |key: &str| Value::String(key.into());
    for (value, path) in [
        (Value::Array(Box::new(Array { items: vec![Value::Nil, bad()], ..Array::default() })), "[1]"),
        (Value::Dictionary(Box::new(entry(text("hp"), bad()))), "hp"),
        (Value::Dictionary(Box::new(entry(Value::StringName("mp".into()), bad()))), "mp"),
        (Value::Dictionary(Box::new(entry(Value::Int(-7), bad()))), "[-7]"),
        (Value::Dictionary(Box::new(entry(Value::Vector2i([1, -2]), bad()))), "[Vector2i(1, -2)]"),
        (Value::Dictionary(Box::new(entry(Value::Bool(true), bad()))), "[entry 1]"),
        (Value::Dictionary(Box::new(entry(bad(), Value::Nil))), "[key 1]"),
        (Value::Object(Box::new(object)), "[\"b c\"]"),
        (bad(), "(root)"),
    ] {
        let error = value.encode().unwrap_err();
        assert_eq!((error.kind(), error.path().to_string().as_str()), (ErrorKind::NotInstantiable, path));
        assert_eq!(error.needed(), None, "nothing is missing");
    }
}

/// A key that cannot be written has no name yet.
#[test]
fn errors_of_keys_lead_to_the_key() {
    let limits = crate::Limits { max_output_bytes: 36, ..crate::Limits::engine() };
    for key in [Value::String("a key of more than thirty-six bytes, all of them".into()), Value::Int(7)] {
        let first = (Value::PackedByteArray(vec![0; 16]), Value::Nil);
        let entries = vec![first, (key, Value::Nil)];
        let value = Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }));
        let error = value.encode_into(&mut Vec::new(), &limits).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutputTooLarge { limit: 36 });
        assert_eq!(error.path().to_string(), "[key 1]");
    }
}

#[test]
fn packed_numbers_of_every_width_come_back() {
    round_trips(&Value::PackedByteArray(vec![1, 2, 255]));
    round_trips(&Value::PackedInt32Array(vec![1, -2]));
    round_trips(&Value::PackedInt64Array(vec![1 << 40, -2]));
    round_trips(&Value::PackedFloat32Array(vec![0.5, -1.5]));
    round_trips(&Value::PackedFloat64Array(vec![0.1, -1.5]));
    round_trips(&Value::PackedVector2Array(PackedReals::Single(vec![[0.5, 1.5]])));
    round_trips(&Value::PackedVector4Array(vec![[0.1_f64, 0.2, 0.3, 0.4]].into()));
    round_trips(&Value::PackedColorArray(vec![[0.5, 0.25, 1.0, 0.0]]));
}

/// Values as games send and save them are flat, and nothing of them is left to the walk; values that cannot
/// be flat are not.
#[test]
fn what_games_send_is_made_flat() {
    let text = |text: &str| Value::String(text.into());
    let dictionary = |entries| Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }));
    let array = |items| Value::Array(Box::new(Array { items, ..Array::default() }));
    let path = NodePath { absolute: true, names: vec!["a".into(), "b".into()], subnames: vec!["c".into()] };
    let value = dictionary(vec![
        (text("ints"), array(vec![Value::Int(1), Value::Int(1 << 40), Value::Nil, Value::Bool(true)])),
        (text("a key of more than 16 characters"), text("имя")),
        (text("paths"), array(vec![Value::NodePath(Box::new(path)), Value::StringName("name".into())])),
        (text("packed"), Value::PackedStringArray(vec!["a".into(), String::new(), "имя".into()])),
        (text("numbers"), Value::PackedVector2Array(vec![[1.0_f32, 2.0]].into())),
        (text("by number"), dictionary(vec![(Value::Int(7), Value::Vector3([1.0_f32, 2.0, 3.0].into()))])),
        (text("matrix"), Value::Basis(Box::new([0.5_f32; 9].into()))),
        (text("typed"), typed_ints()),
    ]);
    let rules = Rules::default();
    let bytes = value.encode().unwrap();
    assert_eq!(tree(&bytes, &rules).as_ref(), Some(&value));
    assert_eq!(tree(&bytes[..bytes.len() - 4], &rules), None);
    assert_eq!(tree(&[bytes.as_slice(), &[0; 4]].concat(), &rules), None, "more bytes");
    let twice = dictionary(vec![(text("a"), Value::Nil), (text("a"), Value::Nil)]);
    assert_eq!(tree(&twice.encode().unwrap(), &rules), None);
}

#[test]
fn reals_have_one_reading() {
    assert_eq!(Reals::from([0.5_f32, -0.0]).to_f64().map(f64::to_bits), [0.5, -0.0].map(f64::to_bits));
    assert_eq!(Reals::from([0.1_f64]).to_f64().map(f64::to_bits), [0.1_f64.to_bits()]);
}

/// Long texts are found valid in the walk, where that is not asked twice: what begins with one goes that way.
#[test]
fn what_begins_with_long_texts_is_walked() {
    let rules = Rules::default();
    let long = || Value::from("a text that is longer than what is looked at in one piece");
    let is_flat = |value: &Value| tree(&value.encode().unwrap(), &rules).is_some();
    let array = |items: Vec<Value>| Value::Array(Box::new(Array { element: ElementType::None, items }));
    assert!(!is_flat(&array(vec![long()])));
    assert!(is_flat(&array(vec![Value::Int(1), long()])), "only the first is looked at");
    assert!(is_flat(&array(vec![Value::from("short")])));
}

fn typed_ints() -> Value {
    let items = vec![Value::Int(1), Value::Int(2)];
    Value::Array(Box::new(Array { element: ElementType::Builtin(VariantType::Int), items }))
}

/// Trees of millions of them are held: twice as many bytes would be read and written.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_value_is_four_words() {
    assert_eq!(size_of::<Value>(), 32);
}
