//! Every combinator over every kind of schema: what comes out is well-formed and judges as the kind alone does, or says in
//! one sentence why it cannot be; and no message or document has a name in it that nobody gave.

use std::sync::Arc;

use variant_core::{Array, Dictionary, ElementType, Limits, Rules, ToValue, Value, VariantType};
use variant_schema::{Checker, Schema, Sliced, Verdict};

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { element: ElementType::None, items: items.into_iter().collect() }))
}

fn dict(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let entries = entries.into_iter().map(|(key, value)| (text(key), value)).collect();
    Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
}

/// A kind of schema, a value of it, and one that is of its type and wrong, with the path of what is wrong there.
struct Kind {
    name: &'static str,
    schema: Schema,
    good: Value,
    wrong: (Value, &'static str),
}

fn kind(name: &'static str, schema: Schema, good: Value, wrong: (Value, &'static str)) -> Kind {
    Kind { name, schema, good, wrong }
}

/// As `from_script()` makes them: a reference that brings its own definitions, which need one another.
fn of_script(version: i64) -> Schema {
    let version = Schema::literal(Value::Int(version));
    let item =
        Schema::dict([("id", Schema::int().min(0)), ("next?", Schema::reference("Item 1").nullable())]);
    let save = [("version", version), ("hp", Schema::int().min(0)), ("item?", Schema::reference("Item 1"))];
    Schema::reference("Save 0").define("Save 0", Schema::dict(save)).define("Item 1", item)
}

fn save(version: i64, hp: i64) -> Value {
    dict([("version", Value::Int(version)), ("hp", Value::Int(hp)), ("item", dict([("id", Value::Int(3))]))])
}

fn from_json(schema: &Schema) -> Schema {
    Schema::from_json(&schema.to_json()).expect("a schema's JSON is one")
}

#[rustfmt::skip]
fn kinds() -> Vec<Kind> {
    let int = || Schema::int().min(0);
    let plain = || Schema::dict([("hp", int())]);
    let move_or_chat = Schema::union([
        Schema::tuple([Schema::literal(text("move")), int(), int()]),
        Schema::tuple([Schema::literal(text("chat")), Schema::string()]),
    ]);
    let told = Schema::discriminated("kind", [(text("a"), plain()), (text("b"), Schema::dict([("mp", int())]))]);
    let bad = || Value::Int(-1);
    let defined = Schema::array(Schema::reference("n")).define("n", int());
    vec![
        kind("a type", int(), Value::Int(1), (bad(), "")),
        kind("a text", Schema::string().max_chars(2_u64), text("ab"), (text("abc"), "")),
        kind("an enum", Schema::enumeration([Value::Int(1), text("x")]), text("x"), (text("y"), "")),
        kind("a literal", Schema::literal(Value::Int(1)), Value::Int(1), (Value::Int(2), "")),
        kind("an array", Schema::array(int()), list([Value::Int(1)]), (list([bad()]), "[0]")),
        kind("a tuple", Schema::tuple([int()]), list([Value::Int(1)]), (list([bad()]), "[0]")),
        kind("tuples told apart", move_or_chat, list([text("chat"), text("hi")]), (list([text("move"), Value::Int(1), bad()]), "[2]")),
        kind("a dict", plain(), dict([("hp", Value::Int(1))]), (dict([("hp", bad())]), "hp")),
        kind("an open dict", plain().open(true), dict([("hp", Value::Int(1)), ("x", Value::Nil)]), (dict([("hp", bad())]), "hp")),
        kind("a map", Schema::map(Schema::string(), int()), dict([("k", Value::Int(1))]), (dict([("k", bad())]), "k")),
        kind("a union", Schema::union([int(), Schema::string()]), text("x"), (bad(), "")),
        kind("nullable", plain().nullable(), Value::Nil, (dict([("hp", bad())]), "hp")),
        kind("discriminated", told.clone(), dict([("kind", text("b")), ("mp", Value::Int(1))]), (dict([("kind", text("a")), ("hp", bad())]), "hp")),
        kind("any", Schema::any(), Value::Bool(true), (Value::Callable, "?")),
        kind("definitions", defined.clone(), list([Value::Int(1)]), (list([bad()]), "[0]")),
        kind("of a script", of_script(1), save(1, 1), (save(1, -1), "hp")),
        kind("of a script, open", of_script(1).open(true), save(1, 1), (save(1, -1), "hp")),
        kind("of a script, described", of_script(1).describe("a save"), save(1, 1), (save(1, -1), "hp")),
        kind("of JSON", from_json(&plain()), dict([("hp", Value::Int(1))]), (dict([("hp", bad())]), "hp")),
        kind("of JSON with definitions", from_json(&defined), list([Value::Int(1)]), (list([bad()]), "[0]")),
        kind("of JSON of a script", from_json(&of_script(1)), save(1, 1), (save(1, -1), "hp")),
        kind("of JSON of cases", from_json(&told), dict([("kind", text("b")), ("mp", Value::Int(1))]), (dict([("kind", text("a")), ("hp", bad())]), "hp")),
    ]
}

/// Describes a way to put a schema into another one, its values likewise, and where such a value then stands.
struct Combinator {
    name: &'static str,
    schema: fn(&Schema) -> Schema,
    value: fn(Value) -> Value,
    place: &'static str,
}

const fn combinator(
    name: &'static str,
    schema: fn(&Schema) -> Schema,
    value: fn(Value) -> Value,
    place: &'static str,
) -> Combinator {
    Combinator { name, schema, value, place }
}

const fn same(value: Value) -> Value {
    value
}

/// With `{"version": 2}` or the like in front, as a case has it.
fn as_case(value: Value) -> Value {
    match value {
        Value::Dictionary(mut it) => {
            it.entries.retain(|(key, _)| *key != text("told"));
            it.entries.insert(0, (text("told"), Value::Int(1)));
            Value::Dictionary(it)
        }
        other => other,
    }
}

#[rustfmt::skip]
const COMBINATORS: [Combinator; 17] = [
    combinator("itself", Schema::clone, same, ""),
    combinator("array()", |it| Schema::array(it.clone()), |it| list([it]), "[0]"),
    combinator("array().unique()", |it| Schema::array(it.clone()).unique(), |it| list([it]), "[0]"),
    combinator("tuple()", |it| Schema::tuple([Schema::int(), it.clone()]), |it| list([Value::Int(1), it]), "[1]"),
    combinator("tuple(), optional", |it| Schema::tuple([it.optional()]), |it| list([it]), "[0]"),
    combinator("dict()", |it| Schema::dict([("k", it.clone())]), |it| dict([("k", it)]), "k"),
    combinator("dict(), optional", |it| Schema::dict([("k", it.optional())]), |it| dict([("k", it)]), "k"),
    combinator("dict(), key?", |it| Schema::dict([("k?", it.clone())]), |it| dict([("k", it)]), "k"),
    combinator("map()", |it| Schema::map(Schema::string(), it.clone()), |it| dict([("k", it)]), "k"),
    combinator("union() with bool", |it| Schema::union([Schema::of_type(VariantType::Bool), it.clone()]), same, ""),
    combinator("union() with null", |it| Schema::union([Schema::of_type(VariantType::Nil), it.clone()]), same, ""),
    combinator("union() of one", |it| Schema::union([it.clone()]), same, ""),
    combinator("nullable()", Schema::nullable, same, ""),
    combinator("ref() and define()", |it| Schema::dict([("k", Schema::reference("x"))]).define("x", it.clone()), |it| dict([("k", it)]), "k"),
    combinator("from_json(to_json())", from_json, same, ""),
    combinator("discriminated()", |it| Schema::discriminated("told", [(Value::Int(1), it.clone()), (Value::Int(2), Schema::dict([("x", Schema::int())]))]), as_case, ""),
    combinator("discriminated() in a dict", |it| Schema::dict([("k", Schema::discriminated("told", [(Value::Int(1), it.clone())]))]), |it| dict([("k", as_case(it))]), "k"),
];

/// Why a combinator does not take a kind, in the words of the build error.
fn excuse(kind: &str, combinator: &str) -> Option<&'static str> {
    let is_dict = [
        "a dict",
        "an open dict",
        "of a script",
        "of a script, open",
        "of a script, described",
        "of JSON",
        "of JSON of a script",
    ];
    match (kind, combinator) {
        ("nullable", "discriminated()" | "discriminated() in a dict") => {
            Some("a case is never null: nullable() is for the discriminated() around it")
        }
        (kind, "discriminated()" | "discriminated() in a dict") if !is_dict.contains(&kind) => {
            Some("every case of discriminated() has to be a dict()")
        }
        ("any", "union() with bool" | "union() with null") => {
            Some("any() beside other alternatives makes them pointless")
        }
        _ => None,
    }
}

/// Asks for the verdict in every way that there is.
fn verdict(schema: &Schema, value: &Value, told: &str) -> Result<Value, String> {
    let program = Arc::new(schema.compile().unwrap_or_else(|error| panic!("{told}: {error}")));
    let (rules, mut checker) = (Rules::safe(Limits::engine()), Checker::new());
    let bytes = value.encode().unwrap_or_else(|error| panic!("{told}: {error}"));
    let decoded = checker.decode(&program, &bytes, &rules);
    let mut sliced = Sliced::new(Arc::clone(&program), bytes.clone(), rules, ToValue);
    let sliced = std::iter::repeat_with(|| sliced.go_on(16)).find_map(|outcome| outcome).expect("it ends");
    assert_eq!(sliced, decoded, "{told}: a part at a time");
    let is_good = decoded.is_ok();
    assert_eq!(checker.validate(&program, &bytes, &rules).is_ok(), is_good, "{told}: validate");
    assert_eq!(checker.check(&program, value).is_ok(), is_good, "{told}: check");
    match program.straight(&bytes, &rules) {
        Some(Verdict::Fits { .. }) => assert!(is_good, "{told}: without a walk"),
        Some(Verdict::Refused(_)) => assert!(!is_good, "{told}: without a walk"),
        None => {}
    }
    if is_good {
        assert_eq!(checker.coerce(&program, value, 1), Ok(value.clone()), "{told}: coerce");
    }
    decoded.map_err(|violation| {
        for inner in ["Save 0", "Item 1"] {
            assert!(!violation.to_string().contains(inner), "{told}: {violation}");
        }
        format!("{}", violation.path)
    })
}

fn joined(place: &str, inner: &str) -> String {
    match (place, inner) {
        ("", "") => "(root)".to_owned(),
        (place, inner) if place.is_empty() || inner.is_empty() || inner.starts_with('[') => {
            format!("{place}{inner}")
        }
        _ => format!("{place}.{inner}"),
    }
}

#[test]
fn every_combinator_takes_every_kind() {
    let (mut tried, mut excused) = (0, 0);
    for Kind { name, schema, good, wrong: (bad, at) } in kinds() {
        for Combinator { name: of, schema: combine, value: wrap, place } in COMBINATORS {
            let (combined, told) = (combine(&schema), format!("{of} over {name}"));
            tried += 1;
            if let Some(why) = excuse(name, of) {
                let error = combined.compile().expect_err(&told);
                assert_eq!(error.first().message, why, "{told}");
                excused += 1;
                continue;
            }
            assert_eq!(verdict(&combined, &wrap(good.clone()), &told), Ok(wrap(good.clone())), "{told}");
            if at != "?" {
                let outcome = verdict(&combined, &wrap(bad.clone()), &told);
                assert_eq!(outcome, Err(joined(place, at)), "{told}");
            }
            // Something of no type that any kind has.
            if name != "any" {
                let other = Value::Rid(5);
                assert!(verdict(&combined, &wrap(other), &told).is_err(), "{told}");
            }
            assert_eq!(from_json(&combined), combined, "{told}: as a document");
            assert!(combined.to_markdown().lines().count() > 2, "{told}");
        }
    }
    assert_eq!((tried, excused), (22 * 17, 32), "pairs, and those that say why not");
}

/// Tests the schemas that were never well formed before.
#[test]
fn versions_of_a_save_are_told_apart() {
    let saves = |schema: fn(i64) -> Schema| {
        Schema::discriminated("version", [(Value::Int(1), schema(1)), (Value::Int(2), schema(2))])
    };
    let union = Schema::union([of_script(1), of_script(2), Schema::int()]);
    let all = [
        saves(of_script),
        saves(|it| of_script(it).open(true)),
        saves(|it| from_json(&of_script(it))),
        union,
    ];
    for schema in all {
        for version in [1, 2] {
            assert_eq!(verdict(&schema, &save(version, 5), "a save"), Ok(save(version, 5)));
            assert_eq!(verdict(&schema, &save(version, -5), "a save"), Err("hp".to_owned()));
        }
        assert_eq!(verdict(&schema, &save(3, 5), "a save"), Err("version".to_owned()));
    }
}

#[test]
fn references_say_what_they_lead_to() {
    let message = |schema: &Schema, value: Value| {
        let program = schema.compile().expect("well-formed");
        Checker::new().check(&program, &value).expect_err("refused").sentence()
    };
    let five = Value::Int(5);
    assert_eq!(message(&of_script(1), five.clone()), "(root): expected Dictionary, got int 5");
    assert_eq!(
        message(&of_script(1).nullable(), five.clone()),
        "(root): expected Dictionary or null, got int 5"
    );
    let either = Schema::union([of_script(1), Schema::string()]);
    assert_eq!(message(&either, five.clone()), "(root): expected Dictionary or String, got int 5");
    let both = Schema::union([of_script(1), of_script(2)]);
    assert_eq!(message(&both, five), "(root): expected Dictionary with a known \"version\", got int 5");
    let number = Schema::dict([("n", Schema::reference("n").nullable())]).define("n", Schema::int().max(9));
    assert_eq!(message(&number, dict([("n", text("x"))])), "n: expected int <= 9 or null, got String");
    assert_eq!(message(&number, dict([("n", Value::Int(10))])), "n: expected int <= 9 or null, got int 10");
}

/// A part that is no schema says why, whatever it is put into.
#[test]
fn a_mistake_is_told_as_it_was() {
    let wrong = Schema::mistake("script: variable x has no type");
    for Combinator { name, schema, place, .. } in COMBINATORS {
        let schema = schema(&wrong);
        let error = schema.compile().expect_err(name);
        assert_eq!(error.first().message, "script: variable x has no type", "{name}: {place}");
    }
    assert_eq!(
        wrong.open(true).compile().expect_err("open").first().message,
        "script: variable x has no type"
    );
}

/// Only what is meant becomes open: what refers to the same definition stays closed.
#[test]
fn a_reference_is_opened_where_it_stands() {
    let open = of_script(1).open(true);
    let with = |at: &str, value: Value| {
        let Value::Dictionary(mut it) = save(1, 1) else { panic!("a save") };
        if at == "item" {
            it.entries[2].1 = dict([("id", Value::Int(1)), ("more", value)]);
        } else {
            it.entries.push((text(at), value));
        }
        Value::Dictionary(it)
    };
    assert!(verdict(&open, &with("more", Value::Nil), "open").is_ok());
    assert_eq!(verdict(&of_script(1), &with("more", Value::Nil), "closed"), Err("more".to_owned()));
    assert_eq!(verdict(&open, &with("item", Value::Nil), "inside"), Err("item.more".to_owned()));
    assert_eq!(verdict(&open.open(false), &with("more", Value::Nil), "again"), Err("more".to_owned()));
    let elsewhere = Schema::dict([("k", Schema::reference("x").open(true))])
        .define("x", Schema::dict([("a", Schema::int())]));
    let error = elsewhere.compile().expect_err("it is not known there");
    assert_eq!(
        error.to_string(),
        "k: open() and closed() are for dict() and tuple(): say it where the reference leads to"
    );
    assert_eq!(
        Schema::int().open(true).compile().expect_err("an int").first().message,
        "open() and closed() are for dict() and tuple()"
    );
}

/// A word that is no type is answered with those that are nearest to it.
#[test]
fn types_that_are_near_are_named() {
    let error = |word: &str| {
        let json = format!("{{\"schema_version\": 1, \"type\": {}}}", serde_json::json!(word));
        Schema::from_json(&json).expect_err("no type").first().message.clone()
    };
    for (word, near) in [
        ("strng", "; near it: \"string\""),
        ("Int", "; near it: \"int\""),
        ("integer", "; near it: \"int\""),
        ("number", "; near it: \"float\""),
        ("object", "; near it: \"dict\""),
        ("vector_2", "; near it: \"vector2\", \"vector2i\", \"vector3\""),
        ("dictionary", "; near it: \"dict\""),
        ("discriminate", "; near it: \"discriminated\""),
        ("quark", ""),
        ("", ""),
    ] {
        assert_eq!(error(word), format!("there is no type {}{near}", serde_json::json!(word)));
    }
    assert!(error(&"x".repeat(1 << 20)).starts_with("there is no type"));
}

/// Keys, names and texts of a schema may come from a file: none of them begins a line, or turns one round.
#[test]
fn names_stay_on_their_line() {
    let bad = "a\nb\u{202e}c\u{9b}31m";
    let wrong = || Schema::int().min(2).max(1);
    let errors = [
        Schema::dict([(bad, wrong())]).compile().expect_err("a key").to_string(),
        Schema::reference(bad).compile().expect_err("a reference").to_string(),
        Schema::any().define(bad, wrong()).compile().expect_err("a definition").to_string(),
        Schema::dict([(bad, Schema::int()), (bad, Schema::int())]).compile().expect_err("twice").to_string(),
        Schema::discriminated("k", [(text(bad), wrong())]).compile().expect_err("a case").to_string(),
        Schema::string().pattern(format!("({bad}")).compile().expect_err("a pattern").to_string(),
        Schema::mistake(bad).compile().expect_err("a mistake").to_string(),
        Schema::from_json(&format!("{{\"schema_version\":1,\"type\":{}}}", serde_json::json!(bad)))
            .expect_err("a type")
            .to_string(),
        Schema::from_json(&format!(
            "{{\"schema_version\":1,\"type\":\"dict\",\"keys\":{{{}:5}}}}",
            serde_json::json!(bad)
        ))
        .expect_err("a part")
        .to_string(),
    ];
    let refusal = |schema: Schema, value: Value| {
        Checker::new()
            .check(&schema.compile().expect("well-formed"), &value)
            .expect_err("refused")
            .to_string()
    };
    let refusals = [
        refusal(Schema::enumeration([text(bad), text("x")]), text("y")),
        refusal(Schema::dict([(bad, Schema::int())]), dict([])),
        refusal(Schema::dict([(bad, Schema::int())]), dict([("x", Value::Nil)])),
        refusal(Schema::string().pattern(bad), text("y")),
    ];
    let markdown = Schema::dict([(bad, Schema::literal(text(bad)).describe(bad))])
        .define(bad, Schema::any())
        .to_markdown();
    assert_eq!(markdown.lines().count(), 5, "{markdown}");
    for told in errors.iter().chain(&refusals).chain([&markdown.replace('\n', "")]) {
        assert!(!told.contains(['\n', '\u{202e}', '\u{9b}']), "{told:?}");
        assert!(told.contains("\\u202e"), "{told:?}");
    }
}

/// Tuples of one union: what is wrong is told as of the one that is meant.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases reads better whole")]
fn tuples_are_told_apart_by_what_stands_first() {
    let point = Schema::tuple([
        Schema::literal(text("at")),
        Schema::int(),
        Schema::int().default_value(Value::Int(7)),
    ]);
    let chat = Schema::tuple([Schema::enumeration([text("say"), text("shout")]), Schema::string()]);
    let schema = Schema::union([point, chat, Schema::int()]);
    let program = schema.compile().expect("well-formed");
    let check = |items: Vec<Value>| Checker::new().check(&program, &list(items)).map_err(|it| it.sentence());
    let decode = |items: Vec<Value>| {
        let bytes = list(items).encode().expect("a value");
        Checker::new().decode(&program, &bytes, &Rules::default()).expect("accepted")
    };
    let (one, hi) = (Value::Int(1), text("hi"));
    assert_eq!(decode(vec![text("at"), one.clone()]), list([text("at"), one.clone(), Value::Int(7)]));
    assert_eq!(decode(vec![text("shout"), hi.clone()]), list([text("shout"), hi.clone()]));
    let wrong = [
        (
            vec![],
            "(root): expected Array of 2..3 elements or Array of 2 elements or int, got Array of 0 elements",
        ),
        (vec![text("at")], "(root): expected Array of 2..3 elements, got Array of 1 element"),
        (
            vec![text("say"), hi.clone(), hi.clone()],
            "(root): expected Array of 2 elements, got Array of 3 elements",
        ),
        (
            vec![text("go"), hi.clone()],
            "[0]: expected one of \"at\", \"say\", \"shout\", got String of 2 characters",
        ),
        (vec![one.clone(), hi.clone()], "[0]: expected one of \"at\", \"say\", \"shout\", got int 1"),
        (vec![list([]), hi.clone()], "[0]: expected one of \"at\", \"say\", \"shout\", got Array"),
        (vec![text("at"), hi], "[1]: expected int, got String"),
    ];
    for (items, message) in wrong {
        assert_eq!(check(items.clone()), Err(message.to_owned()), "{items:?}");
    }
    // A name is no text, but coercion makes one of the other.
    let named = list([Value::StringName("at".to_owned()), Value::Float(1.0)]);
    assert_eq!(Checker::new().coerce(&program, &named, 1), Ok(list([text("at"), one, Value::Int(7)])));
    let two = |first: Schema| {
        Schema::union([Schema::tuple([first.clone()]), Schema::tuple([first, Schema::int()])])
    };
    let error = two(Schema::literal(text("a"))).compile().expect_err("the same literal");
    assert_eq!(
        error.first().message,
        "two alternatives are Array, and nothing tells them apart; give each tuple a literal of its own as its first element"
    );
}
