//! Measures that a document whose heads were never seen costs little more than one whose heads were: a forger has others in each
//! packet, and a game may have many classes.

use std::hint::black_box;

use variant_core::{Limits, Rules, Value};
use variant_objects::{Class, Document, Property, Scratch, Table};
use variant_schema::Schema;

use crate::{case, claim};

const CLASSES: usize = 60;
const NAMES: [&str; 6] = ["n0", "n1", "n2", "n3", "n4", "n5"];

pub(crate) fn count() {
    let class = |number: usize| {
        let properties = NAMES.map(|name| Property::new(name, Schema::int().min(0).max(100)));
        Class::new(&format!("c{number}"), properties)
    };
    let table = Table::new((0..CLASSES).map(class).collect()).unwrap_or_else(|error| panic!("{error}"));
    let documents: Vec<Vec<u8>> = (0..CLASSES).map(document).collect();
    let rules = Rules::safe(Limits::network());
    let check = |scratch: &mut Scratch, bytes: &[u8]| {
        assert!(black_box(table.check(scratch, black_box(bytes), &rules, None)).is_ok());
    };
    let mut scratch = Scratch::default();
    case("document, heads seen before", || check(&mut scratch, &documents[2]));
    let mut scratch = Scratch::default();
    // The first of them is not counted, and has other heads.
    let mut next = documents[1..].iter();
    case("document, heads never seen", || check(&mut scratch, next.next().unwrap_or(&documents[0])));
    claim("10", "document, heads never seen", "document, heads seen before");
}

/// Makes a document of one object: of another class, and with other names in another order.
fn document(turn: usize) -> Vec<u8> {
    let mut names = NAMES;
    names.rotate_left(turn % NAMES.len());
    let names = &names[..1 + turn % 5];
    let mut document = Document::default();
    let row = names.iter().map(|_| Value::Int(7)).collect();
    document.value = document.add(&format!("c{turn}"), 1, names, row);
    document.to_value().encode().unwrap_or_else(|error| panic!("{error}"))
}
