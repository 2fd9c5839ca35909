//! Checks by a schema before a type is read, and the schemas that types tell of themselves.
#![cfg(feature = "schema")]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use variant_schema::{Checker, Schema};
use variant_serde::*;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Player {
    name: String,
    hp: u8,
    mood: Mood,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Mood {
    Calm,
    Angry { at: Vec<String>, since: Option<f64> },
    Numb(Inner),
    Split(Inner, Vector3),
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Inner {
    A,
    B(u32),
}

fn player() -> Player {
    let mood = Mood::Angry { at: vec!["Bob".into()], since: None };
    Player { name: "Ann".into(), hp: 80, mood }
}

/// A checker and a reader say one sentence of the same bytes, whatever was spoiled.
#[test]
fn a_violation_is_told_as_by_the_checker() {
    let program = schema_of::<Player>().unwrap().compile().unwrap();
    let rules = Rules::safe(Limits::network());
    let (mut checker, mut reader) = (Checker::new(), CheckedReader::new(rules));
    let bytes = to_vec(&player()).unwrap();
    assert_eq!(reader.read::<Player>(&program, &bytes).unwrap(), player());
    let (mut refused, mut by_schema) = (0, 0);
    for at in 0..bytes.len() {
        for flip in [1, 0x10, 0x81] {
            let mut spoiled = bytes.clone();
            spoiled[at] ^= flip;
            let verdict = checker.validate(&program, &spoiled, &rules);
            match (reader.read::<Player>(&program, &spoiled), verdict) {
                (Ok(_), verdict) => assert!(verdict.is_ok(), "{at} {flip:#x}"),
                (Err(error), Err(violation)) => {
                    refused += 1;
                    by_schema += u32::from(matches!(error.kind(), Cause::Schema { .. }));
                    assert_eq!(error.to_string(), violation.to_string(), "{at} {flip:#x}");
                }
                (Err(error), Ok(_)) => panic!("{error}: the type refuses what its schema accepts"),
            }
        }
    }
    assert!(refused > 200 && by_schema > 20, "{refused}, {by_schema}");
}

/// The schema refuses first, where it stands, a value that the type would take.
#[test]
fn a_schema_may_ask_for_more() {
    let program = Schema::dict([("name", Schema::string()), ("hp", Schema::int().max(50))]).open(true);
    let program = program.compile().unwrap();
    let bytes = to_vec(&player()).unwrap();
    let error = CheckedReader::new(Rules::default()).read::<Player>(&program, &bytes).unwrap_err();
    assert_eq!(error.to_string(), "hp: expected int <= 50, got int 80 (byte 44)");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Everything {
    ints: (i8, i16, i32, i64, u8, u16, u32, u64),
    floats: [f32; 2],
    text: String,
    letter: char,
    unit: (),
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    map: BTreeMap<String, Vec<i64>>,
    typed: Typed<Vec<i64>>,
    typed_map: TypedMap<BTreeMap<String, i64>>,
    colors: PackedColorArray,
    texts: PackedStringArray,
    name: StringName,
    path: NodePath,
    #[serde(default)]
    later: Vec<Color>,
}

/// A type's own values are what its schema accepts.
#[test]
fn what_a_type_writes_its_schema_accepts() {
    let program = schema_of::<Everything>().unwrap().compile().unwrap();
    let mut reader = CheckedReader::new(Rules::engine());
    let default = Everything { letter: 'x', ..Everything::default() };
    let full = Everything {
        map: BTreeMap::from([("a".to_owned(), vec![1, 2])]),
        typed: Typed(vec![1]),
        typed_map: TypedMap(BTreeMap::from([("a".to_owned(), 1)])),
        later: vec![Color::new(0.0, f32::INFINITY, 0.0, 1.0)],
        letter: 'é',
        ..Everything::default()
    };
    for value in [default, full] {
        let bytes = to_vec(&value).unwrap();
        assert_eq!(reader.read::<Everything>(&program, &bytes).unwrap(), value);
    }
    let schema = schema_of::<Everything>().unwrap();
    let variant_schema::Shape::Dict { keys, open: true } = schema.shape() else { panic!("{schema:?}") };
    let missing: Vec<&str> = keys
        .iter()
        .filter(|(_, schema)| *schema.presence() != variant_schema::Presence::Required)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(missing, ["later"]);
}

/// Every variant is asked for, also those within another one, and every field of each.
#[test]
fn enums_are_told_variant_by_variant() {
    let inner = Schema::union([
        Schema::enumeration([Value::from("A")]),
        Schema::dict([("B", Schema::int().min(0).max(i64::from(u32::MAX)))]),
    ]);
    let vector = Schema::of_type(VariantType::Vector3).allow_non_finite();
    let angry = Schema::dict([
        ("at", Schema::array(Schema::string())),
        ("since?", Schema::float().allow_non_finite().nullable()),
    ]);
    let values = Schema::dict([
        ("Angry?", angry.open(true)),
        ("Numb?", inner.clone()),
        ("Split?", Schema::tuple([inner, vector])),
    ]);
    let mood = Schema::union([Schema::enumeration([Value::from("Calm")]), values]);
    assert_eq!(schema_of::<Mood>().unwrap(), mood);
}

#[test]
fn what_serde_does_not_tell_is_refused() {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "nothing is read")]
    struct Tree {
        children: Vec<Tree>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "nothing is read")]
    enum Untagged {
        Number(i64),
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "nothing is read")]
    struct Flat {
        #[serde(flatten)]
        rest: BTreeMap<String, i64>,
    }
    let told = [schema_of::<Tree>(), schema_of::<Untagged>(), schema_of::<Flat>()]
        .map(|told| told.unwrap_err().to_string());
    assert!(told[0].contains("it holds itself"), "{told:?}");
    assert!(told[1].contains("it reads whatever comes"), "{told:?}");
    assert!(told[2].contains("its keys are not told"), "{told:?}");
    assert_eq!(schema_of::<Any>().unwrap(), Schema::any());
}

/// Closed are structs in lists, in maps, under null and in variants, too.
#[test]
fn a_closed_schema_is_closed_all_the_way_down() {
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "nothing is read")]
    struct Outer {
        list: Vec<Leaf>,
        map: BTreeMap<String, Leaf>,
        maybe: Option<Leaf>,
        choice: Choice,
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "nothing is read")]
    struct Leaf {
        id: u16,
    }
    #[derive(Deserialize)]
    #[expect(dead_code, reason = "nothing is read")]
    enum Choice {
        Fields { leaf: Leaf },
    }
    let leaf = || Schema::dict([("id", Schema::int().min(0).max(i64::from(u16::MAX)))]);
    let by_hand = Schema::dict([
        ("list", Schema::array(leaf())),
        ("map", Schema::map(Schema::string(), leaf())),
        ("maybe?", leaf().nullable()),
        ("choice", Schema::dict([("Fields", Schema::dict([("leaf", leaf())]))])),
    ]);
    assert_eq!(closed_schema_of::<Outer>().unwrap(), by_hand);
    assert_ne!(schema_of::<Outer>().unwrap(), by_hand);
}
