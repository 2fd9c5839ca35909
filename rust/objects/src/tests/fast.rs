//! Tests that what is accepted without a walk is what the walks accept, with the same findings: whole documents, all of their
//! prefixes, and those with a byte that was changed.

use variant_core::{Array, Dictionary, Limits, Reals, Rules, Value, VariantType};
use variant_schema::Schema;

use crate::check::{DocumentCheck, rules_of};
use crate::judge::{Chunk, Edge};
use crate::*;

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

fn entries(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Value::Dictionary(Box::new(Dictionary {
        entries: entries.into_iter().collect(),
        ..Dictionary::default()
    }))
}

/// Classes all of whose rows can be followed.
fn table() -> Table {
    let unit = [
        Property::new("hp", Schema::int().min(0).max(100)),
        Property::new("name", Schema::string().max_chars(12_u8)),
        Property::new("at", Schema::of_type(VariantType::Vector2)),
        Property::new("items", Schema::array(Table::variable(Some("item"))).max_size(3_u8)),
        Property::new("rival", Table::variable(Some("unit"))),
        Property::new("some", Table::variable(None)),
        Property::new("any", Schema::any()),
    ];
    let item = [
        Property::new("count", Schema::int()),
        Property::new("is_new", Schema::of_type(VariantType::Bool)),
        Property::new(
            "look",
            Schema::dict([("size", Schema::float()), ("tint?", Schema::int().default_value(Value::Int(3)))]),
        ),
        Property::new(
            "either",
            Schema::union([object("unit"), Table::variable(Some("def")), Schema::string()]),
        ),
    ];
    let mut item = Class::new("item", item);
    item.aliases = vec!["weapon".to_owned()];
    let keys = Schema::enumeration([text("sword"), text("bow")]);
    Table::new(vec![
        Class::new("unit", unit),
        item,
        Class::by_key("def", keys),
        Class::by_key("raw", Schema::any()),
    ])
    .expect("a table without contradictions")
}

const UNIT: &[&str] = &["hp", "name", "at", "items", "rival", "some", "any"];
const ITEM: &[&str] = &["count", "is_new", "look", "either"];

fn of(class: u32, row: u32) -> Value {
    Value::Rid(Reference { class, row }.in_document())
}

fn unit(items: Value, rival: Value, some: Value, any: Value) -> Vec<Value> {
    let at = Value::Vector2(Reals::Single([1.5, -2.0]));
    vec![Value::Int(7), text("Ann"), at, items, rival, some, any]
}

fn item(look: Value, either: Value) -> Vec<Value> {
    vec![Value::Int(1 << 40), Value::Bool(true), look, either]
}

fn documents() -> Vec<Document> {
    let look = |more: bool| {
        let size = (text("size"), Value::Float(0.5));
        entries(std::iter::once(size).chain(more.then(|| (text("tint"), Value::Int(9)))))
    };
    let mut all = vec![Document::default()];
    let mut game = Document::default();
    let any =
        entries([(text("a"), list([of(0, 0), Value::Nil])), (text("b"), entries([(text("a"), of(2, 0))]))]);
    game.add("unit", 1, UNIT, unit(list([of(1, 0), Value::Nil, of(1, 0)]), of(0, 1), of(2, 0), any));
    game.add("unit", 1, UNIT, unit(list([]), of(0, 0), Value::Nil, Value::Float(2.5)));
    game.add("item", 1, ITEM, item(look(true), of(0, 1)));
    game.add("def", 0, &[], vec![text("bow")]);
    game.value = list([of(0, 0), of(0, 0)]);
    all.push(game.clone());
    game.classes[1].rows = vec![item(look(false), text("none"))];
    all.push(game.clone());
    game.value = of(0, 0);
    game.classes[1].rows = vec![item(look(false), of(2, 0))];
    all.push(game);
    let mut raw = Document::default();
    raw.add("raw", 0, &[], vec![list([Value::Int(3), text("x")])]);
    raw.value = entries([(text("k"), of(0, 0)), (text("other"), Value::Int(-1))]);
    all.push(raw);
    let mut many = Document::default();
    for n in 0..600 {
        many.add("unit", 1, UNIT, unit(list([]), of(0, (n + 1) % 600), Value::Nil, Value::Nil));
    }
    many.value = of(0, 0);
    all.push(many);
    all
}

type FoundRows = (CheckedDocument, Vec<Edge>, Vec<Chunk>, u64, bool);

fn found(scratch: &Scratch, checked: CheckedDocument) -> FoundRows {
    let (chunks, value) = scratch.chunks();
    // Which containers are around a reference, only walks see.
    let edges = scratch.edges.iter().map(|edge| Edge { levels: 1, ..*edge }).collect();
    (checked, edges, chunks.to_vec(), value, scratch.reshapes())
}

/// The findings without a walk, which the walks have to agree to; whether there are any.
fn agree(table: &Table, bytes: &[u8], (rules, value): (&Rules, Option<&Schema>)) -> bool {
    let rules = &rules_of(rules);
    let mut scratch = Scratch::default();
    let straight = DocumentCheck { table, scratch: &mut scratch, bytes, rules, value }.straight();
    let Some(checked) = straight else { return false };
    let straight = found(&scratch, checked);
    let mut scratch = Scratch::default();
    let walked = DocumentCheck { table, scratch: &mut scratch, bytes, rules, value }.walk();
    let walked = walked.unwrap_or_else(|refusal| panic!("{refusal} in {bytes:02x?}"));
    assert_eq!(straight, found(&scratch, walked), "{bytes:02x?}");
    true
}

fn bytes_of(document: &Document) -> Vec<u8> {
    document.to_value().encode().expect("a value that can be written")
}

#[test]
fn whole_documents_need_no_walk() {
    let table = table();
    for document in documents() {
        let bytes = bytes_of(&document);
        assert!(agree(&table, &bytes, (&Rules::safe(Limits::save_file()), None)), "{document:?}");
    }
    let listed = Schema::array(Table::variable(Some("unit")));
    let bytes = bytes_of(&documents()[1]);
    assert!(agree(&table, &bytes, (&Rules::default(), Some(&listed))));
    let other = Schema::array(Table::variable(Some("item")));
    assert!(!agree(&table, &bytes, (&Rules::default(), Some(&other))));
}

/// Whatever is changed in a document: if it is accepted without a walk, it is accepted by the walks, with the same findings.
#[test]
fn changed_documents_get_the_verdict_of_the_walks() {
    let table = table();
    let rules = Rules::safe(Limits::network());
    let mut accepted = 0;
    for document in
        documents().into_iter().filter(|document| document.classes.iter().all(|it| it.rows.len() < 9))
    {
        let bytes = bytes_of(&document);
        for end in 0..bytes.len() {
            assert!(!agree(&table, &bytes[..end], (&rules, None)), "a prefix is no document");
        }
        assert!(!agree(&table, &[&bytes[..], &[0; 4]].concat(), (&rules, None)));
        for at in 0..bytes.len() {
            for change in [1, 2, 3, 4, 7, 8, 16, 28, 64, 128, 255] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                accepted += u32::from(agree(&table, &changed, (&rules, None)));
            }
        }
    }
    assert!(accepted > 500, "{accepted}");
}

/// Each limit that can be too low for a document is one that the walks speak of, not a reader that counts nothing.
#[test]
fn limits_are_left_to_the_walks() {
    let table = table();
    let bytes = bytes_of(&documents()[1]);
    let least = |limits| Rules::safe(limits);
    let network = Limits::network();
    assert!(agree(&table, &bytes, (&least(network), None)));
    let no = |ty| network.allowed_types.without(variant_core::TypeSet::of(&[ty]));
    for limits in [
        Limits { max_objects: 3, ..network },
        Limits { max_bytes: 100, ..network },
        Limits { max_heap_bytes: 4 * 512, ..network },
        Limits { max_heap_bytes: bytes.len() as u64 * 48 + 4 * 512, ..network },
        Limits { max_values: bytes.len() as u64 / 4 + 2, ..network },
        Limits { max_depth: 6, ..network },
        Limits { allowed_types: no(VariantType::Dictionary), ..network },
        Limits { allowed_types: no(VariantType::Float), ..network },
        Limits { allowed_types: no(VariantType::PackedStringArray), ..network },
        Limits { allowed_key_types: variant_core::TypeSet::of(&[VariantType::Int]), ..network },
    ] {
        assert!(!agree(&table, &bytes, (&least(limits), None)), "{limits:?}");
    }
    // A type that stands only where any may stand.
    let raw = bytes_of(&documents()[4]);
    assert!(agree(&table, &raw, (&least(network), None)));
    let limits = Limits { allowed_types: no(VariantType::Dictionary), ..network };
    assert!(!agree(&table, &raw, (&least(limits), None)));
    let exact = Limits {
        max_heap_bytes: bytes.len() as u64 * 48 + 4 * (512 + 7 * 24),
        max_values: bytes.len() as u64 / 4 + 4,
        ..network
    };
    assert!(agree(&table, &bytes, (&least(exact), None)));
}

/// The RIDs by which schemas list classes name no object of a document. Found by their bytes alone, they would be taken.
#[test]
fn stand_ins_of_classes_are_no_references() {
    let table = table();
    let rules = Rules::safe(Limits::network());
    for (class, tag) in (0..).zip(["unit", "item"]) {
        let mut document = Document::default();
        document.add("def", 0, &[], vec![text("bow")]);
        document.value = list([Value::Rid(stand_in(class))]);
        let bytes = bytes_of(&document);
        for allowed in [object(tag), Table::variable(Some(tag)), any_object(), Schema::any()] {
            let listed = Schema::array(allowed);
            assert!(!agree(&table, &bytes, (&rules, Some(&listed))), "{tag}");
            let (rules, scratch) = (&rules_of(&rules), &mut Scratch::default());
            let mut checking =
                DocumentCheck { table: &table, scratch, bytes: &bytes, rules, value: Some(&listed) };
            checking.walk().expect_err("no such object");
        }
    }
}
