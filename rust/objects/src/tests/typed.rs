//! Tests containers that are declared for objects of a class: what is accepted, what is built, and every way to be refused.

use variant_core::{Array, Dictionary, ElementType, Rules, Strictness, ToValue, Value, VariantType};
use variant_schema::Schema;

use crate::*;

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn entries(key: ElementType, entries: Vec<(Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary { key, value: ElementType::None, entries }))
}

/// Items, swords that are items too, pets that hold anything, heroes with declared items, and keys of resources.
fn table() -> Table {
    let count = || [Property::new("count", Schema::int())];
    let items = Property { is_typed: true, ..Property::new("items", Schema::array(object("item"))) };
    let mut old = Class::new("old", count());
    old.aliases = vec!["older".to_owned()];
    Table::new(vec![
        Class::new("item", count()),
        Class::new("sword", count()),
        Class::new("pet", [Property::new("any", Schema::any())]),
        Class::new("hero", [items]),
        Class::by_key("def", Schema::string()),
        Class::forgotten("gone"),
        old,
    ])
    .expect("a table without contradictions")
}

/// A value of two lists and a dictionary, of which the first list and the dictionary are declared for items.
fn bag() -> Document {
    let mut document = Document::default();
    let item = document.add("item", 1, &["count"], vec![Value::Int(1)]);
    let sword = document.add("sword", 1, &["count"], vec![Value::Int(2)]);
    let by_name = entries(
        ElementType::Builtin(VariantType::String),
        vec![(text("best"), sword.clone()), (text("none"), Value::Nil)],
    );
    document.value = list([list([item.clone(), sword, Value::Nil]), list([item]), by_name]);
    // The document, classes, a class, rows and a row of each, the value, and what is in it.
    document.containers = vec![("item".to_owned(), vec![9, 11])];
    document
}

fn check(document: &Value, strictness: Strictness) -> Result<CheckedDocument, String> {
    let (table, rules) = (table(), Rules { strictness, ..Rules::default() });
    let bytes = document.encode().expect("a value that can be written");
    let mut scratch = Scratch::default();
    let checked = table.check(&mut scratch, &bytes, &rules, None);
    let built = table.build(&mut scratch, &bytes, &rules, None, ToValue);
    assert_eq!(built.map(|(_, checked)| checked), checked, "a builder gives the same verdict");
    checked.map_err(|refusal| refusal.to_string().split(" (byte").next().unwrap_or_default().to_owned())
}

fn refused(document: &Document) -> String {
    check(&document.to_value(), Strictness::Safe).expect_err("it is refused")
}

#[test]
fn types_of_containers_are_kept_by_tags() {
    for strictness in [Strictness::Safe, Strictness::Engine, Strictness::Canonical] {
        let checked = check(&bag().to_value(), strictness).expect("accepted");
        assert!(checked.has_typed_containers() && checked.objects() == 2);
    }
    assert!(
        is_document(&bag().to_value()) && is_encoded_document(&bag().to_value().encode().expect("bytes"))
    );
    assert_eq!(Document::of_value(bag().to_value()), Some(bag()));
    // A tool that knows no game takes the classes that the document tells.
    let bytes = bag().to_value().encode().expect("bytes");
    let own = Table::of_document(&bytes, &Rules::default()).expect("few classes");
    assert!(own.check(&mut Scratch::default(), &bytes, &Rules::default(), None).is_ok());
    let mut empty = Document { value: list([list([])]), ..Document::default() };
    empty.containers = vec![("item".to_owned(), vec![3])];
    assert!(
        check(&empty.to_value(), Strictness::Canonical).is_ok(),
        "one that is empty, of a class without objects"
    );
}

#[test]
fn what_is_built_has_marks_which_are_taken_out_again() {
    let (table, bytes) = (table(), bag().to_value().encode().expect("bytes"));
    let mut scratch = Scratch::default();
    let built = table.build(&mut scratch, &bytes, &Rules::default(), None, ToValue).expect("accepted");
    let Value::Array(mut document) = built.0 else { panic!("an Array") };
    document.items.truncate(3);
    let marked = Value::Array(document);
    let Some(Document { value: Value::Array(value), .. }) = Document::of_value(marked.clone()) else {
        panic!("a document")
    };
    let Value::Array(first) = &value.items[0] else { panic!("a mark") };
    assert_eq!(first.items[0], Value::Rid(mark(0)));
    assert_eq!(class_of_mark(mark(0)), Some(0));
    assert_eq!(class_of_mark(Reference { class: 0, row: 0 }.in_document()), None);
    // References are those of the table in it: class 0 of the document is class 0, and class 1 is class 1.
    let marked = marked.encode().expect("bytes");
    let unmarked = table.unmarked(&marked).expect("valid bytes");
    let back =
        variant_core::Walker::new().decode(&unmarked, &Rules::engine(), &mut ToValue).expect("a value").0;
    assert_eq!(Document::of_value(back).map(|it| it.containers), Some(bag().containers));
    assert_eq!(unmarked.len(), bytes.len());
    assert_eq!(
        table.unmarked(&unmarked).expect("valid bytes").len(),
        bytes.len(),
        "nothing is left to take out"
    );
}

#[test]
fn a_document_may_tell_what_a_variable_declares_but_does_not() {
    let mut document = Document::default();
    let item = document.add("item", 1, &["count"], vec![Value::Int(1)]);
    let hero = document.add("hero", 1, &["items"], vec![list([item])]);
    document.classes.swap(0, 1);
    let swap = |value: Value| match value {
        Value::Rid(id) => Value::Rid(id ^ (3 << 32)),
        other => other,
    };
    document.classes[0].rows[0] = vec![list([Value::Rid(2 << 32)])];
    document.value = swap(hero);
    assert!(check(&document.to_value(), Strictness::Canonical).is_ok());
    document.containers = vec![("item".to_owned(), vec![5])];
    assert!(check(&document.to_value(), Strictness::Safe).is_ok());
    assert!(check(&document.to_value(), Strictness::Canonical).is_err());
}

#[test]
fn what_such_a_container_may_not_hold_is_refused_where_it_stands() {
    let with = |at: usize, item: Value| {
        let mut document = bag();
        let Value::Array(value) = &mut document.value else { panic!("an Array") };
        match &mut value.items[at] {
            Value::Array(list) => list.items.push(item),
            Value::Dictionary(dictionary) => dictionary.entries.push((text("more"), item)),
            _ => panic!("no container"),
        }
        document
    };
    assert_eq!(
        refused(&with(0, Value::Int(1))),
        "[0][3]: expected objects of the class that their container names, got another value"
    );
    assert_eq!(
        refused(&with(0, list([]))),
        "[0][3]: expected objects of the class that their container names, got another value"
    );
    assert_eq!(
        refused(&with(2, text("a text"))),
        "[2].more: expected objects of the class that their container names, got another value"
    );
    assert!(check(&with(1, Value::Int(1)).to_value(), Strictness::Safe).is_ok(), "one that is not declared");
}

#[test]
fn numbers_of_nothing_are_refused() {
    let with = |containers: &[(&str, &[i32])]| {
        let mut document = bag();
        document.containers =
            containers.iter().map(|(tag, numbers)| ((*tag).to_owned(), numbers.to_vec())).collect();
        refused(&document)
    };
    for numbers in [&[0][..], &[1], &[4], &[9, 12], &[9, 13], &[9, 1000], &[i32::MAX]] {
        assert!(
            with(&[("item", numbers)]).contains("expected the number of an untyped container"),
            "{numbers:?}"
        );
    }
    for numbers in [&[][..], &[9, 9], &[11, 9], &[-1]] {
        assert!(
            with(&[("item", numbers)]).contains("expected a tag with the numbers of containers"),
            "{numbers:?}"
        );
    }
    assert!(with(&[("item", &[9]), ("sword", &[9])]).contains("each container once"));
    assert!(with(&[("Node", &[9])]).contains("the class \"Node\" is not allowed"));
    let mut typed = bag();
    let Value::Array(value) = &mut typed.value else { panic!("an Array") };
    value.items[1] =
        Value::Array(Box::new(Array { element: ElementType::Builtin(VariantType::Int), items: vec![] }));
    typed.containers = vec![("item".to_owned(), vec![10])];
    assert!(refused(&typed).contains("the number of an untyped container"), "a type of its own");
    for fourth in [
        Value::Nil,
        list([]),
        entries(ElementType::None, vec![]),
        entries(ElementType::None, vec![(text("item"), list([]))]),
    ] {
        let Value::Array(mut document) = bag().to_value() else { panic!("an Array") };
        document.items[3] = fourth;
        let refusal = check(&Value::Array(document), Strictness::Safe).expect_err("it is refused");
        assert!(refusal.starts_with("containers"), "{refusal}");
    }
}

#[test]
fn names_of_before_and_classes_that_are_no_more_are_read() {
    for (tag, is_todays) in [("old", true), ("older", false), ("gone", false)] {
        let mut document = Document { value: list([list([Value::Nil])]), ..Document::default() };
        document.containers = vec![(tag.to_owned(), vec![3])];
        assert!(check(&document.to_value(), Strictness::Safe).is_ok(), "{tag}");
        assert_eq!(check(&document.to_value(), Strictness::Canonical).is_ok(), is_todays, "{tag}");
    }
}
