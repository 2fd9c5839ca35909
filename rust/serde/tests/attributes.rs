//! Checks serde's attributes, and types of ours through the copies that serde makes for them: `flatten`,
//! `untagged`, tags, defaults.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use variant_serde::*;

#[track_caller]
fn round<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let bytes = to_vec(value).unwrap();
    assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
    variant_core::decode(&bytes, &Rules::default()).unwrap()
}

#[test]
fn defaults_and_renames() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE", default)]
    struct Settings {
        volume: f32,
        #[serde(rename = "key map", skip_serializing_if = "BTreeMap::is_empty")]
        keys: BTreeMap<String, i32>,
        #[serde(alias = "old")]
        name: String,
        #[serde(skip)]
        cache: u64,
    }
    impl Default for Settings {
        fn default() -> Settings {
            Settings { volume: 0.5, keys: BTreeMap::new(), name: "none".into(), cache: 7 }
        }
    }
    let settings = Settings { volume: 1.0, ..Settings::default() };
    assert_eq!(round(&settings), Value::from([("VOLUME", Value::from(1.0)), ("NAME", "none".into())]));
    assert_eq!(
        from_value::<Settings>(&Value::from(variant_core::Dictionary::default())).unwrap(),
        Settings::default()
    );
    let old = Value::from([("old", "Ann")]);
    assert_eq!(from_value::<Settings>(&old).unwrap().name, "Ann");
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Odd {
    #[serde(rename(serialize = "out", deserialize = "in"))]
    renamed: i64,
    #[serde(skip_deserializing, default = "seven")]
    written: i64,
    #[serde(skip_serializing, default = "seven")]
    read: i64,
    #[serde(serialize_with = "as_text", deserialize_with = "of_text")]
    coded: i64,
    #[serde(flatten)]
    rest: BTreeMap<String, Any>,
}

fn seven() -> i64 {
    7
}

fn as_text<S: serde::Serializer>(number: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

fn of_text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    <&str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

/// Fields under other names in each direction, written alone or read alone, with defaults and codes of their own.
#[test]
fn fields_have_two_directions() {
    let rest = BTreeMap::from([("more".to_owned(), Any(Value::Vector2i([1, 2])))]);
    let odd = Odd { renamed: 1, written: 2, read: 3, coded: 4, rest };
    let written = variant_core::decode(&to_vec(&odd).unwrap(), &Rules::default()).unwrap();
    let expected = [
        ("out", Value::from(1)),
        ("written", Value::from(2)),
        ("coded", "4".into()),
        ("more", Value::Vector2i([1, 2])),
    ];
    assert_eq!(written, Value::from(expected));
    let given = [
        ("in", Value::from(1)),
        ("read", Value::from(3)),
        ("coded", "4".into()),
        ("more", Value::Vector2i([1, 2])),
    ];
    // A flattened value comes by serde's copy, which holds rows and no vectors: docs/RUST.md says so.
    let rest = BTreeMap::from([("more".to_owned(), Any(Value::from([Value::from(1), Value::from(2)])))]);
    assert_eq!(from_value::<Odd>(&Value::from(given.clone())).unwrap(), Odd { written: 7, rest, ..odd });
    let [renamed, _, coded, more] = given;
    assert_eq!(from_value::<Odd>(&Value::from([renamed, coded, more])).unwrap().read, 7, "its default");
}

/// Types that stand for others.
#[test]
fn types_stand_for_others() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(transparent)]
    struct Meters {
        length: f64,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(into = "Vector2", from = "Vector2")]
    struct Wind(f32, f32);
    impl From<Vector2> for Wind {
        fn from(wind: Vector2) -> Wind {
            Wind(wind.x, wind.y)
        }
    }
    impl From<Wind> for Vector2 {
        fn from(wind: Wind) -> Vector2 {
            Vector2::new(wind.0, wind.1)
        }
    }
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(try_from = "i64")]
    struct Percent(u8);
    impl TryFrom<i64> for Percent {
        type Error = &'static str;
        fn try_from(number: i64) -> Result<Percent, &'static str> {
            u8::try_from(number).ok().filter(|number| *number <= 100).map(Percent).ok_or("no percentage")
        }
    }
    assert_eq!(round(&Meters { length: 1.5 }), Value::Float(1.5));
    assert_eq!(round(&Wind(1.0, 2.0)), Value::Vector2([1.0_f32, 2.0].into()));
    assert_eq!(from_value::<Percent>(&Value::Int(100)).unwrap(), Percent(100));
    let refused = from_value::<Vec<Percent>>(&Value::from([Value::from(101)])).unwrap_err();
    assert_eq!(refused.to_string(), "[0]: no percentage (byte 8)");
}

#[test]
fn variants_have_other_names() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "mode", rename_all = "kebab-case", rename_all_fields = "camelCase")]
    enum Mode {
        FreeFlight {
            top_speed: i64,
        },
        #[serde(rename = "off", alias = "parked")]
        Off,
        #[serde(other)]
        Unknown,
    }
    let flight = Value::from([("mode", Value::from("free-flight")), ("topSpeed", Value::from(9))]);
    assert_eq!(round(&Mode::FreeFlight { top_speed: 9 }), flight);
    assert_eq!(round(&Mode::Off), Value::from([("mode", "off")]));
    assert_eq!(from_value::<Mode>(&Value::from([("mode", "parked")])).unwrap(), Mode::Off);
    assert_eq!(from_value::<Mode>(&Value::from([("mode", "from a newer game")])).unwrap(), Mode::Unknown);
}

#[test]
fn what_is_not_known_is_passed_over() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Known {
        a: i64,
    }
    let entries = [
        (Value::from("junk"), Value::from([Value::from([("deep", 1)]), Value::Rid(0)])),
        (Value::from(0), Value::from("an int is no field's number")),
        (Value::from([Value::from(1)]), Value::Nil),
        (Value::from("a"), Value::from(7)),
        (Value::Bool(true), Value::NodePath(Box::default())),
    ];
    let bytes = Value::from(entries).encode().unwrap();
    assert_eq!(from_slice_with::<Known>(&bytes, &Rules::engine()).unwrap(), Known { a: 7 });
    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[expect(dead_code, reason = "it is refused before")]
        a: i64,
    }
    let error = from_slice_with::<Strict>(&bytes, &Rules::engine()).unwrap_err();
    assert_eq!(error.kind(), &Cause::UnknownField { expected: &["a"] });
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Body {
    pos: Vector3,
    cell: Vector2i,
    color: Color,
    state: StringName,
    target: NodePath,
    trail: PackedVector2Array,
    #[serde(with = "serde_bytes")]
    raw: Vec<u8>,
    tint: Option<Color>,
    any: Any,
}

fn body() -> Body {
    Body {
        pos: Vector3::new(1.0, 2.0, 3.0),
        cell: Vector2i::new(-1, 2),
        color: Color::new(0.0, 0.5, 1.0, 1.0),
        state: "walk".into(),
        target: "/root/A:x".into(),
        trail: vec![Vector2::new(1.0, 2.0)].into(),
        raw: vec![1, 2, 3],
        tint: None,
        any: Any(Value::from("text")),
    }
}

/// Godot's types come through the copies that serde makes of a value before it knows what it is.
#[test]
fn godots_types_are_flattened() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Entity {
        id: u32,
        #[serde(flatten)]
        body: Body,
        #[serde(flatten)]
        rest: BTreeMap<String, i64>,
    }
    let entity = Entity { id: 7, body: body(), rest: BTreeMap::from([("more".to_owned(), 1)]) };
    let tree = round(&entity);
    let entries = tree.as_dictionary().unwrap();
    assert_eq!(entries.entries.len(), 11);
    assert_eq!(entries.get("pos"), Some(&Value::Vector3([1.0_f32, 2.0, 3.0].into())));
    assert_eq!(entries.get("state"), Some(&Value::StringName("walk".into())));
    assert_eq!(entries.get("target").map(Value::ty), Some(VariantType::NodePath));
    assert_eq!(entries.get("raw"), Some(&Value::PackedByteArray(vec![1, 2, 3])));
}

#[test]
fn every_tagging_holds_godots_types() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "type")]
    enum Internal {
        Spawn(Body),
        Stop,
        Look { at: Vector3, up: Plane },
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Spawn(Body),
        Stop,
        Pair(Vector2i, StringName),
        Look { at: NodePath },
    }
    let up = Plane { normal: Vector3::new(0.0, 1.0, 0.0), d: 0.0 };
    round(&Internal::Spawn(body()));
    round(&Internal::Stop);
    round(&Internal::Look { at: Vector3::new(1.0, 2.0, 3.0), up });
    round(&Adjacent::Spawn(body()));
    round(&Adjacent::Stop);
    round(&Adjacent::Pair(Vector2i::new(1, 2), "a".into()));
    round(&Adjacent::Look { at: "a/b".into() });
}

/// Variants without a tag are told by what they hold.
#[test]
fn variants_without_a_tag_hold_godots_types() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Untagged {
        Nothing,
        Number(i64),
        Text(String),
        Spawn(Body),
        Point(Vector3),
        Row(Vec<Vector2i>),
    }
    for value in [
        Untagged::Nothing,
        Untagged::Number(7),
        Untagged::Text("text".into()),
        Untagged::Spawn(body()),
        Untagged::Point(Vector3::new(1.0, 2.0, 3.0)),
        Untagged::Row(vec![Vector2i::new(1, 2), Vector2i::new(3, 4)]),
    ] {
        round(&value);
    }
}

/// Maps whose keys are ints, behind `flatten`, keep them.
#[test]
fn int_keys_are_flattened() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Numbered {
        name: String,
        #[serde(flatten)]
        slots: BTreeMap<i64, String>,
    }
    let entries = [(Value::from("name"), "bag"), (Value::from(3), "sword")];
    let read: Numbered = from_value(&Value::from(entries)).unwrap();
    assert_eq!(read, Numbered { name: "bag".into(), slots: BTreeMap::from([(3, "sword".to_owned())]) });
}

/// A length that serde tells need not be true: the count is that of the elements that came.
#[test]
fn counts_are_those_of_what_came() {
    struct Liar(Option<usize>);
    impl Serialize for Liar {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut seq = serializer.serialize_seq(self.0)?;
            seq.serialize_element(&1)?;
            seq.serialize_element(&2)?;
            seq.end()
        }
    }
    struct Map(Option<usize>);
    impl Serialize for Map {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeMap;
            let mut map = serializer.serialize_map(self.0)?;
            map.serialize_key("a")?;
            map.serialize_value(&Liar(None))?;
            map.end()
        }
    }
    let two = to_vec(&[1, 2]).unwrap();
    for told in [None, Some(0), Some(1), Some(2), Some(9)] {
        assert_eq!(to_vec(&Liar(told)).unwrap(), two, "{told:?}");
        assert_eq!(
            to_value(&Map(told)).unwrap(),
            Value::from([("a", Value::from([Value::from(1), 2.into()]))])
        );
    }
}

/// Through a format for people, types of Godot's are plain, and come back.
#[test]
fn json_is_plain() {
    let text = serde_json::to_string(&body()).unwrap();
    let expected = r#"{"pos":[1.0,2.0,3.0],"cell":[-1,2],"color":[0.0,0.5,1.0,1.0],"state":"walk","target":"/root/A:x","#;
    assert!(text.starts_with(expected), "{text}");
    assert!(text.ends_with(r#""trail":[[1.0,2.0]],"raw":[1,2,3],"tint":null,"any":"text"}"#), "{text}");
    assert_eq!(serde_json::from_str::<Body>(&text).unwrap(), body());
    let typed = (Typed(vec![1, 2]), TypedMap(BTreeMap::from([("a".to_owned(), 1)])), Rid(3));
    let text = serde_json::to_string(&typed).unwrap();
    assert_eq!(text, r#"[[1,2],{"a":1},3]"#);
    assert_eq!(
        serde_json::from_str::<(Typed<Vec<i64>>, TypedMap<BTreeMap<String, i64>>, Rid)>(&text).unwrap(),
        typed
    );
    let any = Any(Value::from([
        Value::Vector2([1.5_f32, 2.0].into()),
        Value::Vector2i([1, 2]),
        Value::PackedVector2Array(vec![[1.0_f32, 2.0]].into()),
        Value::PackedStringArray(vec!["a".into()]),
        Value::NodePath(Box::new(variant_core::NodePath { names: vec!["a".into()], ..Default::default() })),
        Value::from([("k", Value::Nil)]),
    ]));
    assert_eq!(serde_json::to_string(&any).unwrap(), r#"[[1.5,2.0],[1,2],[[1.0,2.0]],["a"],"a",{"k":null}]"#);
}

/// A value that nobody can write is refused, not lost.
#[test]
fn what_cannot_be_written_is_refused() {
    let deep = (0..1030).fold(Value::Nil, |inner, _| Value::from(vec![inner]));
    assert!(to_vec(&Any(deep)).is_err());
    let inner = (0..1023).fold(Value::Nil, |inner, _| Value::from(vec![inner]));
    assert!(to_vec(&[Any(inner.clone())]).is_ok());
    assert!(to_vec(&[[Any(inner)]]).is_err(), "one level too many, together");
}
