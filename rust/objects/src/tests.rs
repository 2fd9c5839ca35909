//! Tests documents against an allow-list: what is accepted, and every way to be refused, with byte and path.

mod changes;
mod depth;
mod engine;
mod fast;
mod graph;
mod typed;

use variant_core::{Array, Dictionary, ElementType, Limits, Rejection, Rules, Strictness, ToValue, Value};
use variant_schema::Schema;

use crate::*;

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// Heroes with items and a rival, items, pets; assets by key.
fn table() -> Table {
    let hero = Class::new(
        "hero",
        [
            Property::new("hp", Schema::int().min(0).max(100)),
            Property::new("items", Schema::array(Table::variable(Some("item")))),
            Property::new("pet", Table::variable(Some("pet"))),
            Property::new("rival", Table::variable(Some("hero"))),
            Property::new("tags", Schema::map(Schema::string(), Schema::int()).typed()),
        ],
    );
    let mut item = Class::new("item", [Property::new("count", Schema::int())]);
    item.aliases = vec!["weapon".to_owned()];
    item.kind = ClassKind::Properties {
        version: 3,
        properties: item.properties().to_vec(),
        renames: vec![("amount".to_owned(), "number".to_owned()), ("number".to_owned(), "count".to_owned())],
        forgotten: vec!["weight".to_owned()],
        steps: vec![1],
    };
    let pet =
        Class::new("pet", [Property::new("name", Schema::string()), Property::new("any", Schema::any())]);
    let keys = Schema::enumeration([text("sword"), text("bow")]);
    Table::new(vec![hero, item, pet, Class::by_key("def", keys)]).expect("a table without contradictions")
}

const HERO: &[&str] = &["hp", "items", "pet", "rival", "tags"];

fn tags() -> Value {
    let (key, value) = (
        ElementType::Builtin(variant_core::VariantType::String),
        ElementType::Builtin(variant_core::VariantType::Int),
    );
    Value::Dictionary(Box::new(Dictionary { key, value, entries: Vec::new() }))
}

/// The reference to the first objects of the first classes.
fn of(class: u32, row: u32) -> Value {
    Value::Rid(Reference { class, row }.in_document())
}

/// Two heroes that are rivals and share a pet; the pet holds the first hero in an array.
fn heroes() -> Document {
    let mut document = Document::default();
    let hero = |rival: u32, items: Value| vec![Value::Int(7), items, of(1, 0), of(0, rival), tags()];
    document.add("hero", 1, HERO, hero(1, list([])));
    document.add("hero", 1, HERO, hero(0, list([of(2, 0), of(2, 0)])));
    document.add("pet", 1, &["name", "any"], vec![text("Rex"), list([of(0, 0), Value::Nil])]);
    document.add("item", 3, &["count"], vec![Value::Int(3)]);
    document.value = list([of(0, 0), of(0, 0)]);
    document
}

fn check_by(document: &Value, rules: &Rules) -> Result<CheckedDocument, Rejection> {
    let bytes = document.encode().expect("a value that can be written");
    let table = table();
    let mut scratch = Scratch::default();
    let checked = table.check(&mut scratch, &bytes, rules, None);
    // A builder gives the same verdict.
    let built = table.build(&mut scratch, &bytes, rules, None, ToValue);
    assert_eq!(built.map(|(_, checked)| checked), checked);
    checked
}

fn refused(document: &Value) -> String {
    check_by(document, &Rules::default()).expect_err("it is refused").to_string()
}

/// The document with one part of it replaced, by a path of indices.
fn changed(path: &[usize], to: Value) -> Value {
    let mut document = heroes().to_value();
    *at(&mut document, path) = to;
    document
}

fn at<'v>(value: &'v mut Value, path: &[usize]) -> &'v mut Value {
    path.iter().fold(value, |value, step| match value {
        Value::Array(array) => &mut array.items[*step],
        _ => panic!("no array"),
    })
}

#[test]
fn a_graph_with_cycles_and_sharing_is_accepted_by_all_rules() {
    let document = heroes().to_value();
    for rules in [
        Rules::default(),
        Rules::engine(),
        Rules::safe(Limits { circles: true, ..Limits::network() }),
        Rules { strictness: Strictness::Canonical, ..Rules::default() },
    ] {
        let checked = check_by(&document, &rules).unwrap_or_else(|refusal| panic!("{rules:?}: {refusal}"));
        assert_eq!(checked.objects(), 4);
        let rows: Vec<_> = checked.heads.iter().map(|head| (head.class, head.version, head.rows)).collect();
        assert_eq!(rows, [(0, 1, 2), (2, 1, 1), (1, 3, 1)]);
    }
    assert!(is_document(&document));
    assert_eq!(Document::of_value(document.clone()).map(|it| it.to_value()), Some(document));
}

#[test]
fn what_is_built_names_classes_by_the_table() {
    let bytes = heroes().to_value().encode().expect("bytes");
    let table = table();
    let (built, _) =
        table.build(&mut Scratch::default(), &bytes, &Rules::default(), None, ToValue).expect("good");
    let mut built = built;
    let Value::Rid(item) = at(&mut built, &[1, 0, 3, 1, 1, 1]) else { panic!("no reference") };
    assert_eq!(Reference::of_checked(*item), Reference { class: 1, row: 0 });
    assert_eq!(table.class(1).map(|class| class.tag.as_str()), Some("item"));
}

#[test]
#[expect(clippy::too_many_lines, reason = "one row a refusal")]
fn refusals_have_kind_path_and_byte() {
    let expected = [
        (Value::Int(1), "(root): expected an Array of 3 or 4 elements, got int (byte 0)"),
        (list([]), "(root): expected an Array of 3 or 4 elements, got Array of 0 (byte 0)"),
        (
            changed(&[0], text("variant_objects/2")),
            "(root): expected the form variant_objects/1, got another version of it (byte 8)",
        ),
        (changed(&[0], text("else")), "(root): expected the text \"variant_objects/1\", got String (byte 8)"),
        (changed(&[1], Value::Nil), "classes: expected an untyped Array of classes, got Nil (byte 36)"),
        (changed(&[1, 0, 0], text("shop")), "classes[0]: the class \"shop\" is not allowed (byte 52)"),
        (
            changed(&[1, 1, 0], text("hero")),
            "classes[1]: expected each class once, got one that is there already (byte 300)",
        ),
        (
            changed(&[1, 0, 1], Value::Int(2)),
            "classes[0]: expected \"hero\" of version 1 or an older one, got version 2 (byte 64)",
        ),
        (
            changed(&[1, 0, 1], Value::Int(0)),
            "classes[0]: expected a version from 1 on, got version 0 (byte 64)",
        ),
        (
            changed(&[1, 1, 2], Value::PackedStringArray(vec!["name".into(), "script".into()])),
            "classes[1]: expected a property of \"pet\", got \"script\" (byte 340)",
        ),
        (
            changed(&[1, 1, 2], Value::PackedStringArray(vec!["name".into(), "name".into()])),
            "classes[1]: expected each property once, got one that is there already (byte 340)",
        ),
        (changed(&[1, 1, 3, 0], list([])), "pet[0]: expected a row of 2 values, got one of 0 (byte 356)"),
        (changed(&[1, 1, 3, 0], Value::Nil), "pet[0]: expected a row, an untyped Array, got Nil (byte 356)"),
        (
            changed(&[1, 0, 3, 1, 0], Value::Int(9999)),
            "hero[1].hp: expected int 0..100, got int 9999 (byte 212)",
        ),
        (
            changed(&[1, 0, 3, 1, 1, 1], of(1, 0)),
            "[0].rival.items[1]: expected an object \"item\", got \"pet\" (byte 240)",
        ),
        (changed(&[1, 0, 3, 0, 2], of(0, 0)), "[0].pet: expected an object \"pet\", got \"hero\" (byte 164)"),
        (
            changed(&[1, 0, 3, 0, 0], of(1, 0)),
            "hero[0].hp: expected int 0..100, got an object \"pet\" (byte 148)",
        ),
        (
            changed(&[1, 0, 3, 0, 2], of(1, 1)),
            "hero[0].pet: expected a reference to an object of the document, got one to nothing (byte 164)",
        ),
        (
            changed(&[1, 0, 3, 0, 2], of(7, 0)),
            "hero[0].pet: expected a reference to an object of the document, got one to nothing (byte 164)",
        ),
        (
            changed(&[2, 0], Value::Rid(0)),
            "[0]: expected a reference to an object of the document, got one to nothing (byte 480)",
        ),
        (
            changed(&[1, 0, 3, 1, 1], list([])),
            "item[0]: expected only objects that the value leads to, got one that nothing refers to (byte 432)",
        ),
    ];
    for (document, sentence) in expected {
        let said = refused(&document);
        assert_eq!(said, sentence);
    }
}

#[test]
fn old_tags_names_and_versions_are_read() {
    let mut document = Document::default();
    document.value = document.add("weapon", 2, &["amount", "weight"], vec![Value::Int(3), text("x")]);
    let checked = check_by(&document.to_value(), &Rules::default()).expect("it is read");
    let columns = [("count", Some(0)), ("weight", None)];
    let columns = columns.map(|(name, property)| Column { name: name.to_owned(), property }).into();
    let head = &checked.heads[0];
    assert_eq!((head.class, head.version, &head.columns, head.migrates), (1, 2, &columns, false));
    // A step leads from version 1: what it is given is not held to the properties yet.
    document.classes[0].version = 1;
    document.classes[0].rows[0][0] = text("three");
    assert!(check_by(&document.to_value(), &Rules::default()).expect("it is read").heads[0].migrates);
    document.classes[0].version = 2;
    assert!(refused(&document.to_value()).starts_with("item[0].count: expected int, got String"));
    // What has another form than a writer of today gives it is not canonical.
    document.classes[0].rows[0][0] = Value::Int(3);
    let canonical = Rules { strictness: Strictness::Canonical, ..Rules::default() };
    let refusal = check_by(&document.to_value(), &canonical).expect_err("it is old");
    assert_eq!(refusal.kind, variant_core::ErrorKind::NotCanonical);
}

#[test]
fn a_step_may_leave_anything_out_and_nothing_wrong() {
    let table = table();
    let mut scratch = Scratch::default();
    let mut document = Document::default();
    document.value = document.add("item", 1, &["count"], vec![Value::Nil]);
    let bytes = document.to_value().encode().expect("bytes");
    let rules = Rules::default();
    let checked = table.check(&mut scratch, &bytes, &rules, None).expect("it is read");
    let mut judged = |entries: Vec<(Value, Value)>| {
        let object = Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }));
        let bytes = object.encode().expect("bytes");
        table.check_object(&mut scratch, &checked, 1, &bytes, &rules).map_err(|it| it.to_string())
    };
    assert_eq!(judged(Vec::new()), Ok(()));
    assert_eq!(judged(vec![(text("count"), Value::Int(1))]), Ok(()));
    let wrong = judged(vec![(text("count"), Value::Float(1.0))]);
    assert_eq!(wrong, Err("count: expected int, got float 1.0 (byte 24)".to_owned()));
    let nobodys = Value::Rid(Reference { class: 1, row: 1 }.checked());
    assert!(judged(vec![(text("count"), nobodys)]).is_err_and(|it| it.contains("one to nothing")));
    let unknown = judged(vec![(text("script"), Value::Nil)]);
    assert!(
        unknown.is_err_and(|it| it.starts_with("script: expected only known keys") || it.contains("script"))
    );
}

#[test]
fn objects_are_counted_and_charged_before_any_is_made() {
    let mut document = Document::default();
    let items: Vec<Value> =
        (0..100).map(|n| document.add("item", 3, &["count"], vec![Value::Int(n)])).collect();
    document.value = list(items);
    let document = document.to_value();
    let with = |change: fn(&mut Limits)| {
        let mut rules = Rules::default();
        change(&mut rules.limits);
        check_by(&document, &rules).map_err(|refusal| refusal.kind.name())
    };
    assert!(with(|limits| limits.max_objects = 100).is_ok());
    assert_eq!(with(|limits| limits.max_objects = 99).err(), Some("TOO_MANY_OBJECTS"));
    // 100 objects of one property cost 53 600 bytes beside their rows.
    assert!(with(|limits| limits.max_heap_bytes = 90_000).is_ok());
    assert_eq!(with(|limits| limits.max_heap_bytes = 60_000).err(), Some("TOO_MUCH_MEMORY"));
}

#[test]
fn objects_are_no_keys_and_stand_in_untyped_containers() {
    let key = Value::Dictionary(Box::new(Dictionary {
        entries: vec![(of(0, 0), Value::Nil)],
        ..Dictionary::default()
    }));
    assert!(
        refused(&changed(&[2], key))
            .contains("expected a key of a type that the limits allow (allowed_key_types), got RID")
    );
    let rids = Array { element: ElementType::Builtin(variant_core::VariantType::Rid), items: vec![of(0, 0)] };
    let typed = changed(&[2], Value::Array(Box::new(rids)));
    assert!(refused(&typed).contains("expected objects in an untyped container"), "{}", refused(&typed));
    assert!(
        refused(&changed(&[2], Value::ObjectId(7)))
            .contains("expected a type that the limits allow (allowed_types), got Object")
    );
}

#[test]
fn rows_are_found_again_some_at_a_time() {
    let mut document = Document::default();
    let items: Vec<Value> =
        (0..600).map(|n| document.add("item", 3, &["count"], vec![Value::Int(n)])).collect();
    let key = document.add("def", 0, &[], vec![text("bow")]);
    document.value = list(items.into_iter().chain([key]));
    let bytes = document.to_value().encode().expect("bytes");
    let mut scratch = Scratch::default();
    table().check(&mut scratch, &bytes, &Rules::default(), None).expect("it is good");
    let (chunks, value) = scratch.chunks();
    let found: Vec<_> = chunks.iter().map(|it| (it.class, it.first, it.count)).collect();
    assert_eq!(found, [(0, 0, 256), (0, 256, 256), (0, 512, 88), (1, 0, 1)]);
    for chunk in chunks {
        let range = usize::try_from(chunk.start).unwrap()..usize::try_from(chunk.end).unwrap();
        let rows = &document.classes[usize::try_from(chunk.class).unwrap()].rows;
        let from = usize::try_from(chunk.first).unwrap();
        let rows = rows[from..from + usize::try_from(chunk.count).unwrap()].iter().cloned();
        let rows = rows.map(|row| if chunk.class == 1 { row[0].clone() } else { list(row) });
        assert_eq!(bytes[range], list(rows).encode().expect("bytes")[8..]);
    }
    let value = usize::try_from(value).unwrap();
    assert_eq!(bytes[value..], document.value.encode().expect("bytes"));
}

#[test]
fn a_document_is_checked_by_the_classes_that_it_tells() {
    let judged = |document: &Value| {
        let bytes = document.encode().expect("bytes");
        let table = Table::of_document(&bytes, &Rules::default()).expect("a table");
        table.check(&mut Scratch::default(), &bytes, &Rules::default(), None).map_err(|it| it.to_string())
    };
    assert_eq!(judged(&heroes().to_value()).map(|checked| checked.objects()), Ok(4));
    let dangling = judged(&changed(&[2, 0], of(7, 0))).expect_err("a reference to nothing");
    assert!(dangling.contains("got one to nothing (byte 480)"), "{dangling}");
    let twice = judged(&changed(&[1, 1, 0], text("hero"))).expect_err("a class twice");
    assert!(twice.contains("expected each class once"), "{twice}");
    let nameless = judged(&changed(&[1, 1, 0], text(""))).expect_err("no tag");
    assert!(nameless.contains("the class \"\" is not allowed"), "{nameless}");
}

#[test]
fn a_table_tells_its_own_mistakes() {
    let class = |tag: &str| Class::new(tag, [Property::new("a", Schema::int())]);
    let mistake = |classes: Vec<Class>| Table::new(classes).expect_err("a mistake").to_string();
    assert_eq!(mistake(vec![class("x"), class("x")]), "x: the tag is there already");
    let mut aliased = class("x");
    aliased.aliases.push("y".to_owned());
    assert_eq!(mistake(vec![aliased, class("y")]), "y: the tag is there already");
    let with = |property: Schema| mistake(vec![Class::new("x", [Property::new("a", property)])]);
    assert_eq!(with(Schema::int().min(2).max(1)), "x.a: range: the least, 2, is over 1");
    assert_eq!(with(object("y")), "x.a: nothing is defined as \"object y\"");
    let checked = Schema::int().check_with(variant_schema::Check::new(()));
    assert!(with(checked).contains("check_with()"));
    let of = |renames: &[(&str, &str)], forgotten: &[&str]| {
        let owned = |it: &&str| (*it).to_owned();
        let mut class = class("x");
        class.kind = ClassKind::Properties {
            version: 1,
            properties: class.properties().to_vec(),
            renames: renames.iter().map(|(old, new)| (owned(old), owned(new))).collect(),
            forgotten: forgotten.iter().map(owned).collect(),
            steps: Vec::new(),
        };
        mistake(vec![class])
    };
    assert_eq!(of(&[], &["a"]), "x.a: the name is a property already, and cannot be a forgotten name too");
    assert_eq!(of(&[("b", "c")], &[]), "x.b: is renamed to \"c\", which is no property");
    assert_eq!(
        of(&[("b", "c"), ("c", "b")], &[]),
        "x.b: is renamed to \"c\", which is no property (and 1 more)"
    );
    let keyed = mistake(vec![class("x"), Class::by_key("k", object("x"))]);
    assert_eq!(keyed, "k: the value that stands for an object cannot hold objects");
    let hidden = Schema::array(Schema::reference("it")).define("it", object("x"));
    assert_eq!(mistake(vec![class("x"), Class::by_key("k", hidden)]), keyed);
}

#[test]
fn a_key_refers_to_the_definitions_around_it() {
    let is_key = |schema: Schema| Table::new(vec![Class::new("x", []), Class::by_key("k", schema)]).is_ok();
    let it = || Schema::reference("it");
    let inner = |of: Schema| Schema::array(it()).define("it", of);
    assert!(!is_key(Schema::tuple([inner(object("x")), it()]).define("it", Schema::int())));
    assert!(!is_key(Schema::tuple([it(), inner(object("x"))]).define("it", Schema::int())));
    assert!(!is_key(Schema::tuple([inner(Schema::int()), it()]).define("it", object("x"))));
    assert!(is_key(inner(Schema::int()).nullable().define("that", object("x"))));
    assert!(is_key(Schema::tuple([inner(Schema::int())]).define("it", object("x"))));
    // One part under two definitions of the name that it refers to.
    let shared = inner(Schema::reference("that"));
    let under = |of: Schema| Schema::tuple([shared.clone()]).define("that", of);
    assert!(is_key(Schema::tuple([under(Schema::int()), under(Schema::int())])));
    assert!(!is_key(Schema::tuple([under(Schema::int()), under(object("x"))])));
    assert!(!is_key(Schema::tuple([under(object("x")), under(Schema::int())])));
    assert!(is_key(Schema::array(it().nullable()).define("it", Schema::array(it().nullable()))));
}

#[test]
fn every_change_of_a_byte_and_every_cut_is_judged_alike_by_check_and_build() {
    let bytes = heroes().to_value().encode().expect("bytes");
    let table = table();
    let mut scratch = Scratch::default();
    let rules = Rules::safe(Limits::network());
    let mut judge = |bytes: &[u8]| {
        let checked = table.check(&mut scratch, bytes, &rules, None);
        let built = table.build(&mut scratch, bytes, &rules, None, ToValue);
        assert_eq!(built.map(|(_, checked)| checked), checked, "{bytes:?}");
    };
    for at in 0..bytes.len() {
        judge(&bytes[..at]);
        for change in [1_u8, 2, 3, 16, 23, 28, 128, 255] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            judge(&changed);
        }
    }
}

/// A schema beside a document tells what the game's class set would: who may stand where, and how properties have to be.
#[test]
fn a_schema_says_what_properties_of_classes_have_to_be() {
    let any = Schema::any;
    let hero =
        |hp: Schema| Schema::dict([("hp", hp), ("items", any()), ("pet", object("pet")), ("rival", any())]);
    let judged = |value: Schema, hero: Schema| {
        let schema = value.define("class hero", hero);
        with_objects_as(&schema, variant_core::VariantType::Rid)
            .compile()
            .expect("it compiles without a table");
        let bytes = heroes().to_value().encode().expect("bytes");
        let table = Table::of_document_by(&bytes, &Rules::default(), &schema).expect("a table");
        let checked = table.check(&mut Scratch::default(), &bytes, &Rules::default(), Some(&schema));
        checked.map(|checked| checked.objects()).map_err(|refusal| refusal.sentence())
    };
    let refused = |value, hero| judged(value, hero).expect_err("it is refused");
    let heroes = || Schema::array(object("hero"));
    let open = hero(Schema::int()).open(true);
    assert_eq!(judged(heroes(), open.clone()), Ok(4));
    assert_eq!(
        refused(Schema::array(object("item")), open.clone()),
        "[0]: expected an object \"item\", got \"hero\""
    );
    assert_eq!(
        refused(Schema::array(object("dragon")), open),
        "[0]: expected an object \"dragon\", got \"hero\""
    );
    let low = hero(Schema::int().max(3)).open(true);
    assert_eq!(refused(heroes(), low), "hero[0].hp: expected int <= 3, got int 7");
    // The class may bring definitions of its own, which hide those around it.
    let own = hero(Schema::reference("low")).open(true).define("low", Schema::int().max(3));
    let around = heroes().define("low", Schema::string());
    assert_eq!(refused(around, own), "hero[0].hp: expected int <= 3, got int 7");
    let closed = hero(Schema::int());
    assert!(refused(heroes(), closed).contains("expected a property of \"hero\", got \"tags\""));
}

#[test]
fn an_object_is_read_into_a_struct_by_its_reference() {
    #[derive(serde::Deserialize, PartialEq, Debug)]
    struct Hero {
        hp: u8,
    }
    let mut document = Document::default();
    document.value = document.add("hero", 1, &["hp", "mana"], vec![Value::Int(7), Value::Nil]);
    let many = document.add("hero", 1, &["hp", "mana"], vec![Value::Int(300), Value::Nil]);
    let stone = document.add("tile", 0, &[], vec![Value::from("stone")]);
    assert_eq!(document.read::<Hero>(&document.value).unwrap(), Hero { hp: 7 });
    assert_eq!(document.read::<String>(&stone).unwrap(), "stone");
    assert_eq!(document.read::<Hero>(&many).unwrap_err().path().to_string(), "hp");
    for wrong in [Value::Nil, Value::Rid(7), Value::Rid(9 << 32)] {
        let error = document.read::<Hero>(&wrong).unwrap_err().to_string();
        assert!(error.starts_with("(root): expected an object of this document, got "), "{error}");
    }
}
