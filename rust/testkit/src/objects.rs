//! Checks documents of objects, and what the engine writes with objects, against the classes of a small game: the corpus in
//! `tests/attacks/objects` is for the same ones, and so is `object_attacks_test.gd`.

use std::cell::RefCell;

use variant_core::{Limits, Rejection, Rules, Strictness, ToValue, Value, VariantType, Walker};
use variant_objects::{
    Class, ClassKind, Document, EngineClass, Property, Scratch, Table, TranslatedDocument, engine_rules_of,
    is_encoded_document, rules_of,
};
use variant_schema::Schema;

/// The bytes with which documents begin, but for those that tell of containers.
const HEAD: [u8; 36] = *b"\x1c\0\0\0\x03\0\0\0\x04\0\0\0\x11\0\0\0variant_objects/1\0\0\0";

/// Makes the classes: heroes with items and a rival, items that have a past, and resources by key.
///
/// # Panics
/// Never: they do not contradict each other.
#[must_use]
pub fn table() -> (Table, Vec<EngineClass>) {
    let any = Schema::map(Schema::string(), Schema::any());
    let hero = Class::new(
        "hero",
        [
            Property::new("hp", Schema::int().min(0).max(100)),
            Property::new("items", Schema::array(Table::variable(Some("item")))),
            Property::new("rival", Table::variable(Some("hero"))),
            Property::new("any", any),
        ],
    );
    let item = Class {
        tag: "item".to_owned(),
        aliases: vec!["weapon".to_owned()],
        kind: ClassKind::Properties {
            version: 3,
            properties: vec![Property::new("count", Schema::int())],
            renames: vec![("amount".to_owned(), "count".to_owned())],
            forgotten: vec!["weight".to_owned()],
            steps: Vec::new(),
        },
    };
    let keys = ["sword", "bow"].map(|key| Value::String(key.to_owned()));
    let by_key = Class::by_key("def", Schema::enumeration(keys));
    let named = |base: &str, path: &str| EngineClass {
        base: base.to_owned(),
        paths: vec![path.to_owned()],
        ..Default::default()
    };
    let names = vec![
        named("RefCounted", "res://tests/objects/corpus_hero.gd"),
        named("Resource", "res://tests/objects/corpus_item.gd"),
        EngineClass::default(),
    ];
    (Table::new(vec![hero, item, by_key]).expect("classes without contradictions"), names)
}

thread_local! {
    static GAME: (Table, Vec<EngineClass>) = table();
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Gives the verdict on a document: the number of its objects.
///
/// # Errors
/// The first thing wrong.
///
/// # Panics
/// When a check and a builder do not agree.
pub fn judge_document(bytes: &[u8], rules: &Rules) -> Result<u32, Rejection> {
    GAME.with(|(table, _)| {
        SCRATCH.with_borrow_mut(|scratch| {
            let checked = table.check(scratch, bytes, rules, None);
            let built = table.build(scratch, bytes, rules, None, ToValue);
            assert_eq!(built.map(|(_, checked)| checked), checked, "a builder gives the same verdict");
            checked.map(|checked| checked.objects())
        })
    })
}

/// Gives the verdict on what the engine wrote with objects.
///
/// # Errors
/// The first thing wrong, at a byte of what was given.
///
/// # Panics
/// When the document that is made of it is none.
pub fn judge_engine(bytes: &[u8], rules: &Rules) -> Result<u32, Rejection> {
    GAME.with(|(table, names)| {
        let made = table.translate(names, bytes, rules)?;
        let value = Walker::new().decode(&made.bytes, &Rules::engine(), &mut ToValue).map(|(value, _)| value);
        assert!(Document::of_value(value.expect("a value")).is_some(), "it is of the form of a document");
        let judged = judge_document(&made.bytes, &TranslatedDocument::rules(rules));
        judged.map_err(|refusal| table.located(names, bytes, rules, refusal))
    })
}

/// Checks any bytes as a document: those that are none are put behind the beginning of one.
///
/// # Panics
/// When a verdict is another one for a builder or in a used scratch, a limit is not kept, CANONICAL accepts another form than
/// the one that is written, or a document that is accepted by the game is not by the classes that it tells.
pub fn check_document(bytes: &[u8]) {
    let whole = match is_encoded_document(bytes) {
        true => bytes.to_vec(),
        false => [&HEAD, bytes].concat(),
    };
    let mut limits = Limits::network();
    limits.max_objects = 64;
    let safe = judge_document(&whole, &Rules::safe(limits));
    let canonical = Rules { strictness: Strictness::Canonical, ..Rules::safe(limits) };
    let canonical = judge_document(&whole, &canonical);
    let fresh = GAME.with(|(table, _)| {
        table
            .check(&mut Scratch::default(), &whole, &Rules::safe(limits), None)
            .map(|checked| checked.objects())
    });
    assert_eq!(fresh, safe, "a used scratch gives the same verdict");
    let Ok(objects) = safe else {
        assert!(canonical.is_err(), "CANONICAL is within SAFE");
        return;
    };
    assert!(u64::from(objects) <= limits.max_objects, "{objects} objects");
    let table = Table::of_document(&whole, &Rules::safe(limits)).expect("few classes");
    let own = table.check(&mut Scratch::default(), &whole, &Rules::safe(limits), None);
    assert_eq!(own.map(|checked| checked.objects()), Ok(objects), "by the classes that it tells");
    let value =
        Walker::new().decode(&whole, &rules_of(&Rules::safe(limits)), &mut ToValue).expect("a value").0;
    let document = Document::of_value(value).expect("a document");
    if canonical.is_ok() {
        assert_eq!(document.to_value().encode().as_deref(), Ok(&whole[..]), "one graph, one encoding");
    }
}

/// Checks any bytes as what the engine wrote with objects.
///
/// # Panics
/// When what is made of them is no document, a refusal points behind them, objects are lost or added, or SAFE accepts what
/// ENGINE refuses.
pub fn check_engine(bytes: &[u8]) {
    let mut limits = Limits::network();
    limits.max_objects = 64;
    let safe = judge_engine(bytes, &Rules::safe(limits));
    let engine = judge_engine(bytes, &Rules::engine());
    for refusal in [&safe, &engine].into_iter().filter_map(|verdict| verdict.as_ref().err()) {
        assert!(refusal.offset() <= bytes.len() as u64, "{refusal}");
    }
    let Ok(objects) = safe else { return };
    assert!(u64::from(objects) <= limits.max_objects, "{objects} objects");
    assert_eq!(engine, Ok(objects), "SAFE is within ENGINE");
    let rules = engine_rules_of(&Rules::safe(limits));
    let value = Walker::new().decode(bytes, &rules, &mut ToValue).expect("it was accepted").0;
    assert_eq!(objects_in(&value), objects, "every object is there once");
}

/// Counts the objects that are not null.
fn objects_in(value: &Value) -> u32 {
    match value {
        Value::Object(object) => {
            1 + object.properties.iter().map(|(_, value)| objects_in(value)).sum::<u32>()
        }
        Value::Array(array) => array.items.iter().map(objects_in).sum(),
        Value::Dictionary(dictionary) => {
            dictionary.entries.iter().map(|(key, value)| objects_in(key) + objects_in(value)).sum()
        }
        other => u32::from(other.ty() == VariantType::Object && !matches!(other, Value::ObjectId(0))),
    }
}
