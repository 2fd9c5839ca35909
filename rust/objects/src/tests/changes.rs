//! Tests what a document costs that has other classes and names than today's, and classes that are no more.

use variant_core::{Array, Limits, Rules, ToValue, Value};
use variant_schema::Schema;

use crate::*;

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

fn many_classes() -> Table {
    let classes = (0..60).map(|number| {
        let next = Table::variable(Some(&format!("c{}", (number + 1) % 60)));
        let numbers = (0..6).map(|at| Property::new(&format!("n{at}"), Schema::int().min(0).max(100)));
        Class::new(&format!("c{number}"), numbers.chain([Property::new("next", next)]))
    });
    Table::new(classes.collect()).expect("a table without contradictions")
}

/// Tests that a program costs by what a document has in it, and not by how many classes there are: heads that were never seen
/// before may come with every packet.
#[test]
fn only_what_a_schema_refers_to_is_defined() {
    let table = many_classes();
    assert!(table.defined(&Schema::any()).definitions().is_empty());
    let one = table.defined(&Schema::array(object("c7").nullable()));
    assert_eq!(one.definitions().iter().map(|(name, _)| name).collect::<Vec<_>>(), ["object c7"]);
    let both = table.defined(&Schema::dict([("a", object("c1")), ("b?", any_object())]));
    assert_eq!(both.definitions().iter().count(), 2);
}

/// Tests that heads with some of the properties in any order are read, and each refusal is at its place.
#[test]
fn partial_heads_of_many_classes_are_read() {
    let table = many_classes();
    let mut scratch = Scratch::default();
    for seed in 0..50_usize {
        let names: Vec<String> =
            (0..6).filter(|at| (seed >> at) & 1 == 1).map(|at| format!("n{at}")).rev().collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut document = Document::default();
        let row = names.iter().map(|_| Value::Int(7)).collect();
        document.value = document.add(&format!("c{seed}"), 1, &names, row);
        let bytes = document.to_value().encode().expect("bytes");
        let checked = table.check(&mut scratch, &bytes, &Rules::safe(Limits::network()), None);
        assert_eq!(checked.map(|checked| checked.objects()), Ok(1), "{names:?}");
        if names.is_empty() {
            continue;
        }
        document.classes[0].rows[0][0] = Value::Int(700);
        let bytes = document.to_value().encode().expect("bytes");
        let refusal = table
            .check(&mut scratch, &bytes, &Rules::safe(Limits::network()), None)
            .expect_err("out of range");
        assert_eq!(refusal.path.to_string(), format!("c{seed}[0].{}", names[0]));
    }
}

/// Tests that rows of a class that is no more are dropped, and null stands for its objects.
#[test]
fn a_class_that_is_no_more_is_null() {
    let item = Class::new("item", [Property::new("held", Schema::array(Schema::any()))]);
    let table = Table::new(vec![item, Class::forgotten("pet")]).expect("a table");
    let mut document = Document::default();
    let inner = document.add("item", 1, &["held"], vec![array(vec![])]);
    let pet = document.add("pet", 7, &["a", "b", "a"], vec![Value::Int(1), inner, Value::Nil]);
    let outer = document.add("item", 1, &["held"], vec![array(vec![pet.clone(), Value::Int(5)])]);
    document.value = array(vec![outer, pet]);
    let bytes = document.to_value().encode().expect("bytes");
    let rules = Rules::default();
    let mut scratch = Scratch::default();
    let checked = table.check(&mut scratch, &bytes, &rules, None).expect("it is read");
    assert_eq!(checked.objects(), 3);
    let built = table.build(&mut scratch, &bytes, &rules, None, ToValue).expect("it is built").0;
    let Value::Array(built) = built else { panic!("no document") };
    let Value::Array(value) = &built.items[2] else { panic!("no value") };
    assert_eq!(value.items[1], Value::Nil, "null in its place");
    // By version 0 a row is one value.
    document.classes[1].version = 0;
    document.classes[1].names.clear();
    document.classes[1].rows = vec![vec![Value::Int(3)]];
    document.classes[0].rows.truncate(2);
    document.classes[0].rows.remove(0);
    let bytes = {
        document.classes[0].rows[0] = vec![array(vec![])];
        let outer = Value::Rid(Reference { class: 0, row: 0 }.in_document());
        let pet = Value::Rid(Reference { class: 1, row: 0 }.in_document());
        document.value = array(vec![outer, pet]);
        document.to_value().encode().expect("bytes")
    };
    assert_eq!(table.check(&mut scratch, &bytes, &rules, None).map(|it| it.objects()), Ok(2));
}
