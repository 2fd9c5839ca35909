//! Tests what the engine wrote with objects against an allow-list: it becomes a document, or is refused with byte and path.

use variant_core::{Array, ElementType, Limits, Object, Rejection, Rules, Strictness, Value, decode};
use variant_schema::Schema;

use crate::*;

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn object(class: &str, properties: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let properties = properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(Box::new(Object { class: class.to_owned(), properties }))
}

/// An item as the engine writes a Resource, with properties that no class of the game has.
fn item(count: i64) -> Value {
    let plain = [
        ("resource_local_to_scene", Value::Bool(false)),
        ("resource_name", text("")),
        ("script", text("res://item.gd")),
        ("amount", Value::Int(count)),
        ("weight", list([Value::Int(1)])),
        ("metadata/editor", list([text("x")])),
    ];
    object("Resource", plain)
}

fn hero(items: Value) -> Value {
    object("RefCounted", [("script", text("res://hero.gd")), ("hp", Value::Int(7)), ("items", items)])
}

fn table() -> (Table, Vec<EngineClass>) {
    let hero = Class::new(
        "hero",
        [
            Property::new("hp", Schema::int().min(0).max(100)),
            Property::new("items", Schema::array(Table::variable(Some("item")))),
        ],
    );
    let item = Class {
        tag: "item".to_owned(),
        aliases: Vec::new(),
        kind: ClassKind::Properties {
            version: 1,
            properties: vec![Property::new("count", Schema::int())],
            renames: vec![("amount".to_owned(), "count".to_owned())],
            forgotten: vec!["weight".to_owned()],
            steps: Vec::new(),
        },
    };
    let key = Class::by_key("def", Schema::string());
    let named = |base: &str, paths: &[&str]| EngineClass {
        base: base.to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        ..EngineClass::default()
    };
    let names = vec![
        named("RefCounted", &["res://hero.gd"]),
        named("Resource", &["res://new_item.gd", "res://item.gd"]),
        EngineClass::default(),
    ];
    (Table::new(vec![hero, item, key]).expect("a table without contradictions"), names)
}

fn judged(bytes: &[u8], rules: &Rules) -> Result<(Document, CheckedDocument), Rejection> {
    let (table, names) = table();
    let translated = table.translate(&names, bytes, rules)?;
    let checked =
        table.check(&mut Scratch::default(), &translated.bytes, &TranslatedDocument::rules(rules), None);
    let checked = checked.map_err(|refusal| table.located(&names, bytes, rules, refusal))?;
    let value = decode(&translated.bytes, &Rules::engine()).expect("a value");
    Ok((Document::of_value(value).expect("a document"), checked))
}

fn refused(value: &Value) -> String {
    let bytes = value.encode().expect("a value that can be written");
    judged(&bytes, &Rules::default()).expect_err("it is refused").to_string()
}

#[test]
fn objects_become_rows_breadth_first() {
    let typed = Array { element: ElementType::Script("res://item.gd".to_owned()), items: vec![item(3)] };
    let value =
        list([hero(Value::Array(Box::new(typed))), hero(list([item(4), Value::ObjectId(0)])), item(5)]);
    let bytes = value.encode().expect("bytes");
    let (document, checked) = judged(&bytes, &Rules::default()).unwrap_or_else(|it| panic!("{it}"));
    assert_eq!(checked.objects(), 5);
    let mut expected = Document::default();
    let items = |row: u32, more: &[Value]| {
        list(std::iter::once(Value::Rid(Reference { class: 1, row }.in_document())).chain(more.to_vec()))
    };
    let mut value = Vec::new();
    value.push(expected.add("hero", 1, &["hp", "items"], vec![Value::Int(7), items(1, &[])]));
    value.push(expected.add("hero", 1, &["hp", "items"], vec![Value::Int(7), items(2, &[Value::Nil])]));
    for count in [5, 3, 4] {
        let row = vec![Value::Int(count), list([Value::Int(1)])];
        value.push(expected.add("item", 1, &["amount", "weight"], row));
    }
    value.truncate(3);
    expected.value = list(value);
    assert_eq!(document, expected);
}

fn script(class: &str, path: Value) -> Value {
    object(class, [("script", path)])
}

fn of_hero(properties: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    object("RefCounted", std::iter::once(("script", text("res://hero.gd"))).chain(properties))
}

/// Scripts and classes that are not allowed.
fn of_scripts() -> Vec<(Value, &'static str)> {
    let source = object("GDScript", [("source_code", text("func _init(): pass"))]);
    let typed = |element| Value::Array(Box::new(Array { element, items: Vec::new() }));
    vec![
        (
            source.clone(),
            "expected no script but those of allowed classes, by their paths, got a script (byte 0)",
        ),
        (list([script("RefCounted", source)]), "got a script (byte 44)"),
        (script("RefCounted", Value::PackedByteArray(vec![1])), "got PackedByteArray (byte 36)"),
        (script("RefCounted", text("uid://b")), "got a path that is no script's of the game (byte 36)"),
        (
            script("RefCounted", text("res://../hero.gd")),
            "got a path that is no script's of the game (byte 36)",
        ),
        (
            script("RefCounted", text("res://evil.gd")),
            "the script \"res://evil.gd\" is not allowed (byte 36)",
        ),
        (script("Resource", text("res://hero.gd")), "the script \"res://hero.gd\" is not allowed (byte 32)"),
        (script("Node", text("res://hero.gd")), "the class \"Node\" is not allowed (byte 0)"),
        (script("RefCounted", Value::Nil), "an object without a script is not allowed (byte 0)"),
        (typed(ElementType::Class("Node".to_owned())), "the class \"Node\" is not allowed (byte 0)"),
        (
            typed(ElementType::Script("res://x.gd".to_owned())),
            "the script \"res://x.gd\" is not allowed (byte 0)",
        ),
        (typed(ElementType::Script("user://x.gd".to_owned())), "got a path that is no script's of the game"),
    ]
}

/// Properties and values that no class takes.
fn of_properties() -> Vec<(Value, &'static str)> {
    let unknown = of_hero([("evil", Value::Int(1))]);
    let early = object("Resource", [("evil", Value::Int(1)), ("script", text("res://item.gd"))]);
    let twice = of_hero([("hp", Value::Int(1)), ("hp", Value::Int(2))]);
    let others = "the properties that the first object of the class has, got others, or another order";
    let meta = object("RefCounted", [("metadata/a", item(1)), ("script", text("res://hero.gd"))]);
    vec![
        (unknown, "expected a property of \"hero\", got \"evil\" (byte 60)"),
        (early, "script: expected a property of \"item\", got \"evil\" (byte 48)"),
        (twice, "expected each property once, got one that is there already (byte 76)"),
        (list([hero(list([])), of_hero([("hp", Value::Int(1))])]), others),
        (meta, "the class \"Resource\" is not allowed (byte 40)"),
        (Value::ObjectId(7), "got Object (byte 0)"),
        (Value::Rid(7), "got RID (byte 0)"),
        (
            hero(Value::Rid(1 << 32)),
            "items: expected a type that the limits allow (allowed_types), got RID (byte 88)",
        ),
        // These are refused as documents, and pointed at in the engine's bytes.
        (
            hero(list([Value::Int(1)])),
            "hero[0].items[0]: expected an object \"item\" or null, got int 1 (byte 96)",
        ),
        (
            list([hero(list([hero(list([]))]))]),
            "[0].items[0]: expected an object \"item\", got \"hero\" (byte 104)",
        ),
    ]
}

#[test]
fn refusals_have_kind_path_and_byte() {
    let all = of_scripts().into_iter().chain(of_properties());
    let said = all.map(|(value, sentence)| (refused(&value), sentence));
    let others: Vec<_> = said.filter(|(said, sentence)| !said.contains(sentence)).collect();
    assert_eq!(others, []);
}

#[test]
fn limits_count_objects_and_their_memory() {
    let bytes = list((0..100).map(item)).encode().expect("bytes");
    let with = |change: fn(&mut Limits)| {
        let mut rules = Rules::default();
        change(&mut rules.limits);
        judged(&bytes, &rules).map(drop).map_err(|refusal| refusal.kind.name())
    };
    assert_eq!(with(|limits| limits.max_objects = 100), Ok(()));
    assert_eq!(with(|limits| limits.max_objects = 99), Err("TOO_MANY_OBJECTS"));
    assert_eq!(with(|limits| limits.max_heap_bytes = 51_200), Err("TOO_MUCH_MEMORY"));
    // The document that is made of the bytes is charged for its objects, whatever they were charged.
    let (table, names) = table();
    let made = table.translate(&names, &bytes, &Rules::default()).expect("a document");
    let least = |is_within: &dyn Fn(&Rules) -> bool| {
        let by = |max_heap_bytes| Rules::safe(Limits { max_heap_bytes, ..Limits::default() });
        let enough = |heap: &u64| is_within(&rules_of(&TranslatedDocument::rules(&by(*heap))));
        (0..).step_by(100).find(enough).expect("some budget is enough")
    };
    let alone = least(&|rules| variant_core::validate(&made.bytes, rules).is_ok());
    let checked = least(&|rules| table.check(&mut Scratch::default(), &made.bytes, rules, None).is_ok());
    assert!(checked >= alone + 100 * 512, "{checked} bytes for 100 objects, {alone} without them");
    assert_eq!(with(|limits| limits.max_depth = 4), Ok(()));
    assert_eq!(with(|limits| limits.max_depth = 2), Err("TOO_DEEP"));
    let canonical = Rules { strictness: Strictness::Canonical, ..Rules::default() };
    assert_eq!(judged(&bytes, &canonical).map_err(|it| it.kind.name()).err(), Some("NOT_CANONICAL"));
}

#[test]
fn names_before_the_script_are_bounded() {
    let names: Vec<(String, Value)> = (0..1000).map(|n| (format!("p{n}"), Value::Nil)).collect();
    let many = Value::Object(Box::new(Object { class: "Resource".to_owned(), properties: names }));
    assert!(refused(&many).contains("expected properties of a class that is allowed, got more of them"));
}

#[test]
fn every_change_of_a_byte_and_every_cut_is_judged_within_the_bytes() {
    let bytes = list([hero(list([item(3)])), item(5)]).encode().expect("bytes");
    for rules in [Rules::safe(Limits::network()), Rules::engine()] {
        for at in 0..bytes.len() {
            let mut all = vec![bytes[..at].to_vec()];
            for change in [1_u8, 2, 3, 16, 23, 24, 28, 128, 255] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                all.push(changed);
            }
            for changed in all {
                if let Err(refusal) = judged(&changed, &rules) {
                    assert!(refusal.offset() <= changed.len() as u64, "{refusal}");
                }
            }
        }
    }
}
