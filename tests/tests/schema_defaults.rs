//! Checks defaults that lack keys themselves: their own schema fills them in, once and for every use.

use std::fmt::Write;
use std::sync::Arc;

use variant_core::{Array, Dictionary, ElementType, Limits, Rules, ToValue, Value, VariantType};
use variant_schema::{Checker, FilledBytes, Schema, Sliced, Verdict};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn list(items: &[Value]) -> Value {
    Value::Array(Box::new(Array { element: ElementType::None, items: items.to_vec() }))
}

fn dict(entries: &[(&str, Value)]) -> Value {
    let entries = entries.iter().map(|(key, value)| (text(key), value.clone())).collect();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

fn int(default: i64) -> Schema {
    Schema::int().default_value(Value::Int(default))
}

/// Decodes a value at once, in slices, without a walk, and by coercion, and checks that the results are
/// equal.
#[track_caller]
fn made(schema: &Schema, value: &Value) -> Value {
    let program = Arc::new(schema.compile().expect("well-formed"));
    let (bytes, rules) = (value.encode().expect("a value"), Rules::safe(Limits::network()));
    let made = Checker::new().decode(&program, &bytes, &rules).expect("accepted");
    assert_eq!(Checker::new().coerce(&program, value, 1), Ok(made.clone()));
    let mut sliced = Sliced::new(Arc::clone(&program), bytes.clone(), rules, ToValue);
    let sliced = std::iter::repeat_with(|| sliced.go_on(7)).find_map(|outcome| outcome);
    assert_eq!(sliced, Some(Ok(made.clone())));
    let mut reshaped = FilledBytes::default();
    if let Some(verdict) = program.reshape(&bytes, &rules, &mut reshaped) {
        assert_eq!(verdict, Verdict::Fits { reshapes: true });
        assert_eq!(reshaped.bytes(), made.encode().expect("a value"));
    }
    made
}

#[track_caller]
fn mistake(schema: &Schema) -> String {
    schema.compile().expect_err("a mistake").to_string()
}

#[test]
fn a_default_is_filled_in_itself() {
    let empty = dict(&[]);
    let place = Schema::dict([("x", int(1)), ("y?", Schema::int())]).default_value(empty.clone());
    let near = Schema::dict([("place", place.clone()), ("name", Schema::string())]);
    let near = near.default_value(dict(&[("name", text("home"))]));
    let schema = Schema::dict([("place", place), ("near", near)]);
    let there = dict(&[("x", Value::Int(1))]);
    let near = dict(&[("name", text("home")), ("place", there.clone())]);
    let whole = dict(&[("place", there.clone()), ("near", near.clone())]);
    assert_eq!(made(&schema, &empty), whole);
    let other = dict(&[("x", Value::Int(5))]);
    assert_eq!(made(&schema, &dict(&[("place", other.clone())])), dict(&[("place", other), ("near", near)]));
}

/// Tests defaults in arrays, tuples, maps, cases and definitions, and where the schema types them.
#[test]
fn whatever_it_stands_in() {
    let point = Schema::dict([("x", int(1))]);
    let empty = dict(&[]);
    let there = dict(&[("x", Value::Int(1))]);
    let filled = |schema: Schema, default: Value| {
        let schema = Schema::dict([("a", schema.default_value(default))]);
        let Value::Dictionary(made) = made(&schema, &dict(&[])) else { panic!("a dictionary") };
        made.entries[0].1.clone()
    };
    let two = list(&[empty.clone(), dict(&[("x", Value::Int(2))])]);
    let both = list(&[there.clone(), dict(&[("x", Value::Int(2))])]);
    assert_eq!(filled(Schema::array(point.clone()), two.clone()), both);
    let typed = filled(Schema::array(point.clone()).typed(), two);
    let Value::Array(typed) = typed else { panic!("an array") };
    assert_eq!(typed.element, ElementType::Builtin(VariantType::Dictionary));
    assert_eq!(typed.items[0], there);
    let pair = Schema::tuple([Schema::int(), point.clone().default_value(empty.clone())]);
    assert_eq!(filled(pair, list(&[Value::Int(7)])), list(&[Value::Int(7), there.clone()]));
    let map = Schema::map(Schema::string(), point.clone());
    assert_eq!(filled(map, dict(&[("k", empty.clone())])), dict(&[("k", there.clone())]));
    let told = Schema::discriminated("kind", [(text("p"), point.clone())]);
    let case = dict(&[("kind", text("p")), ("x", Value::Int(1))]);
    assert_eq!(filled(told, dict(&[("kind", text("p"))])), case);
    let by_name = Schema::reference("point").define("point", point);
    assert_eq!(filled(by_name, empty), there);
}

#[test]
fn a_default_that_needs_itself_is_a_mistake() {
    let empty = dict(&[]);
    let next = Schema::reference("node").default_value(empty.clone());
    let node = Schema::dict([("next", next)]);
    let error = mistake(&Schema::reference("node").define("node", node));
    assert!(error.starts_with("next: the default is filled in with itself again"), "{error}");
    // It ends where the default already has the key that would begin anew.
    let next = Schema::reference("node").nullable().default_value(Value::Nil);
    let node = Schema::dict([("next", next)]);
    let ends = Schema::dict([("a", Schema::reference("node").default_value(empty.clone()))]);
    let inner = dict(&[("next", Value::Nil)]);
    assert_eq!(made(&ends.define("node", node), &empty), dict(&[("a", inner)]));
}

#[test]
fn a_circle_of_any_number_of_defaults_is_told_as_one() {
    for count in [2, 64, 65, 66, 200] {
        let mut node = Schema::reference("d0");
        for at in 0..count {
            let next = Schema::reference(&format!("d{}", (at + 1) % count)).default_value(dict(&[]));
            // A default beside it that leads nowhere is looked at first.
            let plain = Schema::dict([("x", Schema::int())]).optional();
            node = node.define(&format!("d{at}"), Schema::dict([("a", plain), ("next", next)]));
        }
        let error = mistake(&node);
        assert!(error.contains("the default is filled in with itself again"), "{count}: {error}");
    }
}

/// Makes a chain of definitions, each of which has the next under these keys with `{}` as a default.
fn chain(count: usize, keys: &[&str]) -> Schema {
    let mut json = String::from(r#"{"schema_version":1,"type":"ref","name":"d0","define":{"#);
    for at in 0..count {
        let one = |key: &&str| format!(r#""{key}":{{"type":"ref","name":"d{}","default":{{}}}}"#, at + 1);
        let keys: Vec<_> = keys.iter().map(one).collect();
        write!(json, r#""d{at}":{{"type":"dict","keys":{{{}}}}},"#, keys.join(","))
            .expect("a String takes all");
    }
    write!(json, r#""d{count}":{{"type":"dict","keys":{{}}}}}}}}"#).expect("a String takes all");
    Schema::from_json(&json).expect("a schema")
}

#[test]
fn defaults_that_grow_without_measure_are_a_mistake() {
    let few = (0..60).fold(dict(&[]), |inner, _| dict(&[("a", inner)]));
    assert_eq!(made(&chain(60, &["a"]), &dict(&[])), few);
    assert!(mistake(&chain(3000, &["a"])).contains("the default becomes too large"));
    assert!(chain(12, &["a", "b"]).compile().is_ok());
    assert!(mistake(&chain(50, &["a", "b"])).contains("the default becomes too large"));
    // These defaults are simple, but there are many of them in each of many.
    let long = Schema::string().default_value(text(&"long".repeat(4000)));
    let long = Schema::dict([("a", long)]);
    let many = Schema::array(long).default_value(list(&vec![dict(&[]); 4000]));
    assert_eq!(
        mistake(&Schema::dict([("b", many)])),
        "b: the default becomes too large with the defaults that are filled into it"
    );
    // Containers among them count as they are filled in, with the key, before they are: long keys, and many short ones.
    let (key, short) = ("k".repeat(64_000), (0..8_000).map(|at| format!("{at}")).collect::<Vec<_>>());
    let empty = Schema::array(Schema::any()).default_value(list(&[]));
    for keys in [vec![key.as_str()], short.iter().map(String::as_str).collect()] {
        let item = Schema::dict(keys.into_iter().map(|key| (key, empty.clone())));
        let many = Schema::array(item).default_value(list(&vec![dict(&[]); 4000]));
        assert!(mistake(&Schema::dict([("b", many)])).starts_with("b: the default becomes too large"));
    }
}
