//! Checks the sentences about mistakes that people make: where in the value, at which byte, what was
//! expected and what came.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use variant_serde::*;

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Player {
    name: String,
    hp: u8,
    #[serde(default)]
    guild: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct World {
    players: Vec<Player>,
    #[serde(default = "one")]
    round: i64,
}

fn one() -> i64 {
    1
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[expect(dead_code, reason = "it is refused before")]
    a: i64,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
enum Action {
    Idle,
    Move(Vector2),
    Hit(u32, i16),
    Say { text: String },
}

#[derive(Deserialize, Debug)]
#[serde(untagged)]
enum Either {
    #[expect(dead_code, reason = "it is refused before")]
    Number(i64),
    #[expect(dead_code, reason = "it is refused before")]
    Names(Vec<String>),
}

fn dict<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::from(entries)
}

fn int(value: i64) -> Value {
    Value::Int(value)
}

/// Returns the sentence of reading a value as this type.
#[track_caller]
fn told<T: for<'de> Deserialize<'de> + Debug>(value: &Value) -> String {
    from_slice::<T>(&value.encode().unwrap()).unwrap_err().to_string()
}

fn world(player: Value) -> Value {
    let good = dict([("name", "Ann".into()), ("hp", int(80))]);
    dict([("players", Value::from([good.clone(), good.clone(), good, player]))])
}

#[test]
fn mistakes_of_beginners() {
    let player = |hp: Value| world(dict([("name", "Ann".into()), ("hp", hp)]));
    let sentences = [
        (told::<World>(&player(int(300))), "players[3].hp: expected u8, got int 300 (byte 232)"),
        (told::<World>(&player(int(-1))), "players[3].hp: expected u8, got int -1 (byte 232)"),
        (told::<World>(&player(Value::Float(1.5))), "players[3].hp: expected u8, got float 1.5 (byte 232)"),
        (told::<World>(&player("80".into())), "players[3].hp: expected u8, got String (byte 232)"),
        (told::<World>(&player(Value::Nil)), "players[3].hp: expected u8, got null (byte 232)"),
        (
            told::<World>(&player(Value::Vector2([1.0_f32, 2.0].into()))),
            "players[3].hp: expected u8, got Vector2 (byte 232)",
        ),
        (
            told::<World>(&world(dict([("name", "Ann".into())]))),
            "players[3]: expected the key \"hp\", got a Dictionary without it; a field that may be missing wants \
             Option or #[serde(default)] (byte 188)",
        ),
        (told::<World>(&world(int(7))), "players[3]: expected struct Player, got int 7 (byte 188)"),
        (told::<World>(&int(7)), "(root): expected struct World, got int 7 (byte 0)"),
        (told::<World>(&Value::from([int(1)])), "(root): expected struct World, got Array (byte 0)"),
        (
            told::<[i64; 3]>(&Value::from([int(1)])),
            "(root): expected an array of length 3, got 1 elements (byte 0)",
        ),
        (
            told::<[i64; 1]>(&Value::from([int(1), int(2)])),
            "(root): expected 1 elements, got 2 elements (byte 0)",
        ),
    ];
    for (got, expected) in sentences {
        assert_eq!(got, expected);
    }
}

#[test]
fn mistakes_with_keys_and_numbers() {
    let sentences = [
        (
            told::<Strict>(&dict([("a", int(1)), ("b\n", int(2))])),
            "[\"b\\n\"]: expected \"a\", got another key (byte 28)",
        ),
        (told::<BTreeMap<i64, i64>>(&dict([("x", int(1))])), "[key 0]: expected i64, got String (byte 8)"),
        (
            told::<BTreeMap<String, u8>>(&dict([("x y", int(256))])),
            "[\"x y\"]: expected u8, got int 256 (byte 20)",
        ),
        (
            told::<f64>(&int((1 << 53) + 1)),
            "(root): expected a float, which holds ints up to 2^53, got int 9007199254740993 (byte 0)",
        ),
        (told::<char>(&"ab".into()), "(root): expected a character, got String (byte 0)"),
        (told::<bool>(&int(1)), "(root): expected a boolean, got int 1 (byte 0)"),
        (told::<Vec<i64>>(&dict([])), "(root): expected a sequence, got Dictionary (byte 0)"),
        (told::<Vec<u8>>(&Value::PackedInt32Array(vec![1, 256])), "[1]: expected u8, got int 256 (byte 0)"),
        (told::<serde_bytes::ByteBuf>(&"text".into()), "(root): expected byte array, got String (byte 0)"),
        (
            told::<Either>(&Value::Bool(true)),
            "(root): data did not match any variant of untagged enum Either (byte 0)",
        ),
    ];
    for (got, expected) in sentences {
        assert_eq!(got, expected);
    }
}

#[test]
fn mistakes_with_godots_types() {
    let sentences = [
        (
            told::<Vector3>(&Value::Vector2([1.0_f32, 2.0].into())),
            "(root): expected Vector3, got Vector2 (byte 0)",
        ),
        (told::<Color>(&Value::Vector4([0.0_f32; 4].into())), "(root): expected Color, got Vector4 (byte 0)"),
        (told::<StringName>(&int(1)), "(root): expected StringName, got int (byte 0)"),
        (told::<NodePath>(&"a".into()), "(root): expected NodePath, got String (byte 0)"),
        (
            told::<PackedStringArray>(&Value::from([int(1)])),
            "(root): expected PackedStringArray, got Array (byte 0)",
        ),
        (told::<Typed<Vec<i64>>>(&Value::from([int(1)])), "(root): expected Array[int], got Array (byte 0)"),
        (
            told::<TypedMap<BTreeMap<String, i64>>>(&dict([("a", int(1))])),
            "(root): expected Dictionary[String, int], got Dictionary (byte 0)",
        ),
        (
            told::<Typed<Vec<String>>>(&to_value(&Typed(vec![1])).unwrap()),
            "(root): expected Array[String], got Array[int] (byte 0)",
        ),
    ];
    for (got, expected) in sentences {
        assert_eq!(got, expected);
    }
}

#[test]
fn mistakes_with_variants() {
    let tagged = |name: &str, value: Value| Value::from([(name, value)]);
    let sentences = [
        (
            told::<Action>(&"Jump".into()),
            "(root): expected one of \"Idle\", \"Move\", \"Hit\", \"Say\", got another name (byte 0)",
        ),
        (told::<Action>(&int(9)), "(root): expected variant index 0 <= i < 4, got int 9 (byte 0)"),
        (told::<Action>(&int(-9)), "(root): expected the number of a variant, got int -9 (byte 0)"),
        (
            told::<Action>(&"Move".into()),
            "(root): expected a Dictionary of one entry, the variant's name with its value, got the name alone (byte 0)",
        ),
        (told::<Action>(&tagged("Move", int(1))), "Move: expected Vector2, got int (byte 20)"),
        (
            told::<Action>(&tagged("Hit", Value::from([int(1), int(40_000)]))),
            "Hit[1]: expected i16, got int 40000 (byte 36)",
        ),
        (
            told::<Action>(&tagged("Say", dict([("text", int(1))]))),
            "Say.text: expected a string, got int 1 (byte 40)",
        ),
        (
            told::<Action>(&tagged("Idle", int(1))),
            "Idle: expected null, as the variant has no value, got int (byte 20)",
        ),
        (
            told::<Action>(&dict([("Idle", Value::Nil), ("Move", Value::Nil)])),
            "(root): expected a Dictionary of one entry for a variant of Action, got 2 elements (byte 0)",
        ),
        (
            told::<Action>(&Value::Bool(true)),
            "(root): expected a variant of Action: its name, or a Dictionary of one entry under its name, got bool (byte 0)",
        ),
    ];
    for (got, expected) in sentences {
        assert_eq!(got, expected);
    }
    assert_eq!(from_value::<Action>(&tagged("Idle", Value::Nil)).unwrap(), Action::Idle);
}

/// The codec's refusals are told in its words, wherever the reading of the type is by then.
#[test]
fn what_the_codec_refuses_is_told_as_by_it() {
    let mut bytes = world(dict([("name", "Ann".into()), ("hp", int(80))])).encode().unwrap();
    let end = bytes.len();
    for cut in 0..end {
        let error = from_slice::<World>(&bytes[..cut]).unwrap_err();
        let expected = variant_core::decode(&bytes[..cut], &Rules::default()).unwrap_err();
        assert_eq!(error.to_string(), expected.to_string());
        assert_eq!((error.kind(), error.offset()), (&Cause::Format(expected.kind()), expected.offset()));
        assert_eq!(&error.path(), expected.path());
    }
    bytes.extend([0; 4]);
    let error = from_slice::<World>(&bytes).unwrap_err();
    assert_eq!(error.to_string(), variant_core::decode(&bytes, &Rules::default()).unwrap_err().to_string());
    assert!(from_slice_with::<World>(&bytes, &Rules::engine()).is_ok(), "ENGINE reads what stands first");
}

/// Spoiled anywhere, bytes are never read that the codec refuses, and its refusals are told as by it.
#[test]
fn spoiled_bytes_get_the_codecs_verdict() {
    let value = dict([
        ("players", Value::from([dict([("name", "Ann".into()), ("hp", int(80)), ("guild", Value::Nil)])])),
        ("round", int(1 << 40)),
        ("state", Value::StringName("walk".into())),
    ]);
    let bytes = value.encode().unwrap();
    let (mut read, mut told) = (0, 0);
    for at in 0..bytes.len() {
        for flip in [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0xFF] {
            let mut spoiled = bytes.clone();
            spoiled[at] ^= flip;
            for rules in [Rules::default(), Rules::engine(), Rules::safe(Limits::network())] {
                let decoded = variant_core::decode(&spoiled, &rules);
                match (from_slice_with::<World>(&spoiled, &rules), decoded) {
                    (Ok(_), decoded) => {
                        assert!(decoded.is_ok(), "{at} {flip:#x}: {decoded:?}");
                        read += 1;
                    }
                    (Err(error), decoded) if matches!(error.kind(), Cause::Format(_)) => {
                        assert_eq!(
                            Err(error.to_string()),
                            decoded.map_err(|error| error.to_string()).map(drop)
                        );
                        told += 1;
                    }
                    (Err(error), Err(refused)) => {
                        assert!(error.offset() <= refused.offset().max(1), "{error}")
                    }
                    (Err(_), Ok(_)) => {}
                }
            }
        }
    }
    assert!(read > 100 && told > 100, "{read} read, {told} told");
}

#[test]
fn mistakes_in_writing() {
    #[derive(Serialize)]
    struct Save {
        players: Vec<BTreeMap<String, u64>>,
    }
    let save = Save { players: vec![BTreeMap::new(), BTreeMap::from([("gold".to_owned(), u64::MAX)])] };
    let error = to_vec(&save).unwrap_err();
    assert_eq!(
        error.to_string(),
        "players[1].gold: expected an int of 64 bits with a sign, got a larger one (byte 60)"
    );
    assert_eq!(to_vec(&i128::MIN).unwrap_err().kind(), &Cause::IntTooLarge);
    assert_eq!(to_vec(&Action::Say { text: "a\0b".into() }).unwrap_err().path().to_string(), "Say.text");
    let error = to_vec("a\0b").unwrap_err();
    assert_eq!(
        error.to_string(),
        "(root): expected text without NUL, got one, at which Godot would cut the text (byte 0)"
    );
    assert_eq!(to_vec("\u{FEFF}b").unwrap_err().kind(), &Cause::Format(variant_core::ErrorKind::LeadingBom));
    // Nothing half written stays behind what was there.
    let mut output = vec![1, 2, 3];
    assert!(append(&("fine", u64::MAX), &mut output, &Writing::default()).is_err());
    assert_eq!(output, [1, 2, 3]);
    let few = Writing { limits: Limits { max_output_bytes: 20, ..Limits::engine() }, ..Writing::default() };
    let error = append(&[1, 2, 3], &mut output, &few).unwrap_err();
    assert_eq!(error.to_string(), "[2]: expected at most 20 bytes (max_output_bytes), got more (byte 24)");
    let godot3 = Writing { target: Target::newest(variant_core::Dialect::Godot3), ..Writing::default() };
    let error = append(&[StringName::from("a")], &mut output, &godot3).unwrap_err();
    assert_eq!(error.path().to_string(), "[0]");
}

/// A stranger's text is repeated nowhere but in a path, where it is escaped and cut.
#[test]
fn nothing_of_a_text_is_repeated() {
    #[derive(Debug)]
    struct Picky;
    impl<'de> Deserialize<'de> for Picky {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Picky, D::Error> {
            let text = String::deserialize(deserializer)?;
            Err(serde::de::Error::custom(format!("no such thing: {text}")))
        }
    }
    let text = format!("\u{202E}\n\u{1b}[31m{}", "x".repeat(5000));
    let told = told::<BTreeMap<String, Picky>>(&dict([("a", text.as_str().into())]));
    assert!(told.len() < 300 && !told.contains(['\n', '\u{1b}', '\u{202E}']), "{told}");
    assert!(told.starts_with("a: no such thing: ") && told.ends_with("... (byte 20)"), "{told}");
}

/// A type that holds itself is refused before the stack ends, and a reader with more stack may allow more.
#[test]
fn types_that_hold_themselves_end() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Nest(Vec<Nest>);
    let nested = |levels: usize| {
        (1..levels).fold(Value::from(Vec::<Value>::new()), |inner, _| Value::from(vec![inner]))
    };
    let bytes = |levels| nested(levels).encode().unwrap();
    let read = |levels| from_slice_with::<Nest>(&bytes(levels), &Rules::engine());
    assert!(read(MAX_RECURSION).is_ok());
    let error = read(MAX_RECURSION + 1).unwrap_err();
    assert_eq!(error.kind(), &Cause::TooRecursive { limit: MAX_RECURSION });
    assert_eq!(error.path().0.len(), MAX_RECURSION);
    assert!(Reader::new(Rules::engine()).recursing(200).read::<Nest>(&bytes(200)).is_ok());
    // What is passed over costs no stack.
    assert!(from_slice_with::<serde::de::IgnoredAny>(&bytes(1024), &Rules::engine()).is_ok());
    let thread = std::thread::Builder::new().stack_size(1 << 20);
    let deep = thread.spawn(move || Any::deserialize_deep(&nested(1024))).unwrap();
    deep.join().unwrap();
}

trait Deep {
    fn deserialize_deep(value: &Value);
}

impl Deep for Any {
    /// A field that holds anything is read by the core, which does not recurse.
    fn deserialize_deep(value: &Value) {
        let bytes = value.encode().unwrap();
        let Any(read) = from_slice_with(&bytes, &Rules::engine()).unwrap();
        assert_eq!(read.encode().unwrap(), bytes);
    }
}

/// A claim of many elements asks for no memory, and the limits are those of the rules.
#[test]
fn limits_hold() {
    let bomb = [0x1c, 0, 0, 0, 0x00, 0x94, 0x35, 0x77];
    let network = Rules::safe(Limits::network());
    for error in [
        from_slice_with::<Vec<u64>>(&bomb, &network).unwrap_err(),
        from_slice_with::<serde::de::IgnoredAny>(&bomb, &network).unwrap_err(),
    ] {
        assert_eq!(error.to_string(), variant_core::decode(&bomb, &network).unwrap_err().to_string());
    }
    let wide = Rules::engine();
    let used = allocation_counter::measure(|| {
        assert!(from_slice_with::<Vec<[u64; 4]>>(&bomb, &wide).is_err());
    });
    assert!(used.bytes_total < 8192, "{used:?}");
    let many = to_vec(&vec![0; 100]).unwrap();
    let few = Rules::safe(Limits { max_values: 50, ..Limits::network() });
    let error = from_slice_with::<Vec<i32>>(&many, &few).unwrap_err();
    assert_eq!(error.to_string(), variant_core::decode(&many, &few).unwrap_err().to_string());
    let error =
        from_reader::<Vec<i32>>(many.as_slice(), &Rules::safe(Limits { max_bytes: 99, ..Limits::network() }));
    assert!(matches!(error.unwrap_err().kind(), Cause::Format(variant_core::ErrorKind::TooManyBytes { .. })));
}

/// A document of objects fits no struct, and the message says what it is instead of what its Array lacks.
#[test]
fn a_document_of_objects_is_told() {
    #[derive(Debug, serde::Deserialize)]
    struct Hero {
        #[expect(dead_code, reason = "it is never read")]
        name: String,
    }
    let classes = Value::from(Vec::<Value>::new());
    let document = Value::from([Value::from("variant_objects/1"), classes, Value::Nil]).encode().unwrap();
    let told = "(root): expected one value, got a document of objects, which variant_objects::Document reads (byte 0)";
    assert_eq!(from_slice::<Hero>(&document).unwrap_err().to_string(), told);
    assert_eq!(from_slice::<u64>(&document).unwrap_err().to_string(), told);
    assert_eq!(from_slice::<(u8, u8)>(&document).unwrap_err().to_string(), told);
    assert!(from_slice::<variant_serde::Any>(&document).is_ok());
    // Whoever has objects has references to them, which are no type of a save: that is the codec's verdict, and stays it.
    let error = from_slice::<Hero>(include_bytes!("../../../tests/cli/files/heroes.bin")).unwrap_err();
    let refused =
        Cause::Format(variant_core::ErrorKind::TypeNotAllowed { ty: variant_serde::VariantType::Rid });
    assert_eq!((error.kind(), error.offset()), (&refused, 144));
    let told = "got RID (byte 144); this is a document of objects, which variant_objects::Document reads";
    assert!(error.to_string().ends_with(told), "{error}");
}
