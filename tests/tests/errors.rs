//! Causes every kind of error and checks its kind, path, byte and sentence. Errors that only the engine's
//! side can cause (a getter, a script, a lock) come here from a sink that refuses; `error_examples.gd` has
//! the real ones.

use std::collections::BTreeSet;

use variant_core::token::{Container, Leaf, Text};
use variant_core::{
    Dialect, Encoder, Error, ErrorKind, Limits, Path, Refusal, Rules, Sink, Skip, Strictness, Target, Value,
    VariantType, Walker, validate,
};
use variant_testkit::hex::bytes;

/// Every type that a public function of a public crate answers as its error goes with `?` into any other error.
#[test]
fn every_public_error_is_an_error() {
    fn named<T: std::error::Error + Send + Sync + 'static>() -> &'static str {
        let name = std::any::type_name::<T>().split('<').next().unwrap_or_default();
        name.rsplit("::").next().unwrap_or(name)
    }
    let errors = BTreeSet::from([
        named::<variant_core::Error>(),
        named::<variant_core::ErrorKind>(),
        named::<variant_core::Fault>(),
        named::<variant_core::Mistake>(),
        named::<variant_core::Mistakes>(),
        named::<variant_core::Rejection>(),
        named::<variant_core::Stop>(),
        named::<variant_core::cursor::Shortage>(),
        named::<variant_protocol::Mismatch>(),
        named::<variant_protocol::Refusal>(),
        named::<variant_protocol::typed::SendFailure>(),
        named::<variant_protocol::SendError>(),
        named::<variant_protocol::WrongPeer>(),
        named::<variant_save::SaveFault>(),
        named::<variant_save::PlaceError<std::io::Error>>(),
        named::<variant_save::WriteError>(),
        named::<variant_save::container::Refusal>(),
        named::<variant_serde::Error>(),
        named::<variant_serde::Stop>(),
        named::<variant_serde::TraceError>(),
        named::<variant_text::json::JsonError>(),
    ]);
    // Of a feature that is not built here.
    let others = ["TransportError"];
    let answered = answered();
    assert!(answered.len() > 80, "{}", answered.len());
    for name in &answered {
        assert!(errors.contains(name.as_str()) || others.contains(&name.as_str()), "{name} is no Error");
    }
}

/// The names of our types that public functions answer as their errors, once for each function, out of the lists of what the
/// crates offer.
fn answered() -> Vec<String> {
    let mut found = Vec::new();
    for list in std::fs::read_dir("../docs/api").unwrap() {
        let list = std::fs::read_to_string(list.unwrap().path()).unwrap();
        let answers =
            list.lines().filter_map(|line| line.split_once("core::result::Result<")?.1.strip_suffix('>'));
        let ours =
            answers.filter_map(|types| types.rsplit(", ").next()).filter(|ty| ty.starts_with("variant_"));
        let names = ours.filter(|ty| !ty.contains(['<', '(', '['])).filter_map(|ty| ty.rsplit(':').next());
        found.extend(names.map(|name| name.trim_end_matches(['>', ')']).to_owned()));
    }
    found
}

/// Lists bytes with the error that SAFE reports of them under the limits of a save file.
const SAID: [(&str, &str, &str); 24] = [
    ("INCOMPLETE", "", "(root): header is truncated: 4 bytes needed, 0 left (byte 0)"),
    ("INCOMPLETE", "0200", "(root): header is truncated: 4 bytes needed, 2 left (byte 0)"),
    ("INCOMPLETE", "02000100 01", "(root): int is truncated: 8 bytes needed, 1 left (byte 4)"),
    ("INCOMPLETE", "09000000 00000000", "(root): Vector3 is truncated: 12 bytes needed, 4 left (byte 4)"),
    (
        "INCOMPLETE",
        "1c000000 e8030000 00000000 00000000 00",
        "[2]: Array is truncated: 1000 elements declared, 2 there (byte 16)",
    ),
    (
        "INCOMPLETE",
        "22000000 03000000 02000000 61000000",
        "[1]: PackedStringArray is truncated: 3 strings declared, 1 there (byte 16)",
    ),
    (
        "INCOMPLETE",
        "1e000000 64000000 01000000 02000000 03000000",
        "(root): PackedInt32Array is truncated: 400 bytes declared, 12 left (byte 8)",
    ),
    (
        "INCOMPLETE",
        "1d000000 05000000 0102030405",
        "(root): PackedByteArray is truncated: 3 bytes needed, 0 left (byte 13)",
    ),
    ("UNKNOWN_TYPE", "27000000", "(root): expected a known type id, got type id 39 (byte 0)"),
    ("INVALID_LENGTH", "04000000 ffffffff", "(root): expected a possible length, got String of -1 (byte 4)"),
    (
        "INVALID_UTF8",
        "04000000 01000000 80000000",
        "(root): expected text in UTF-8, got bytes that are not UTF-8 (byte 8)",
    ),
    (
        "INVALID_NODE_PATH",
        "16000000 03000000 612f6200",
        "(root): expected a NodePath as Godot writes it since 3.1, got an older form, or impossible counts (byte 4)",
    ),
    (
        "INVALID_ELEMENT_TYPE",
        "1c000100 27000000 00000000",
        "(root): expected a type id of 0 to 38, got type id 39 (byte 4)",
    ),
    (
        "UNKNOWN_FLAGS",
        "00010000",
        "(root): expected only flag bits that engines write, got bits 0x00000100 (byte 0)",
    ),
    ("INVALID_BOOL", "01000000 02000000", "(root): expected bool 0 or 1, got bool 2 (byte 4)"),
    (
        "DIRTY_PADDING",
        "04000000 03000000 616263ff",
        "(root): expected padding of zeros, got other bytes (byte 11)",
    ),
    (
        "LEADING_BOM",
        "04000000 04000000 efbbbf78",
        "(root): expected text without a leading byte order mark, got one, which Godot would drop (byte 8)",
    ),
    (
        "EMBEDDED_NUL",
        "04000000 03000000 61006200",
        "(root): expected text without NUL, got one, at which Godot would cut the text (byte 8)",
    ),
    (
        "DUPLICATE_KEY",
        "1b000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000",
        "[1]: expected each key once, got a key that is there already (byte 20)",
    ),
    (
        "WRONG_ELEMENT_TYPE",
        "1c000100 02000000 01000000 04000000 01000000 78000000",
        "[0]: expected int, got String (byte 12)",
    ),
    (
        "TRAILING_BYTES",
        "00000000 00000000",
        "(root): expected the end of the bytes, got 4 more bytes (byte 4)",
    ),
    (
        "TYPE_NOT_ALLOWED",
        "17000000 07000000 00000000",
        "(root): expected a type that the limits allow (allowed_types), got RID (byte 0)",
    ),
    (
        "STRING_TOO_LONG",
        "04000000 ffffff7f",
        "(root): expected at most 16777216 bytes (max_string_bytes), got 2147483647 bytes (byte 4)",
    ),
    (
        "PATH_TOO_LONG",
        "16000000 ffffff80 00000000 00000000",
        "(root): expected at most 1024 names (max_path_segments), got 16777215 names (byte 4)",
    ),
];

/// Tests the sentence of the issue that asked for such sentences, to the letter.
#[test]
fn a_truncated_string_deep_inside_says_so() {
    let string = |text: &str| Value::String(text.to_owned());
    let entries = vec![(string("name"), string(&"x".repeat(64)))];
    let item = Value::Dictionary(Box::new(variant_core::Dictionary { entries, ..Default::default() }));
    let mut items = vec![string(&"y".repeat(68)), Value::Int(1), Value::Nil];
    items.push(item);
    let items = Value::Array(Box::new(variant_core::Array { items, ..Default::default() }));
    let entries = vec![(string("items"), items)];
    let save = Value::Dictionary(Box::new(variant_core::Dictionary { entries, ..Default::default() }));
    let bytes = save.encode().unwrap();
    let error = validate(&bytes[..bytes.len() - 52], &Rules::default()).unwrap_err();
    let expected = "items[3].name: string is truncated: 64 bytes declared, 12 left (byte 148)";
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.needed(), error.kind().name()), (Some(52), "INCOMPLETE"));
}

fn under(hex: &str, limits: Limits) -> Error {
    validate(&bytes(hex), &Rules::safe(limits)).unwrap_err()
}

fn written(leaf: &Leaf<'_>, limits: Limits, target: Target) -> Error {
    let mut output = Vec::new();
    let fault = Encoder::new(&mut output, &limits).for_target(target).leaf(leaf).unwrap_err();
    assert!(output.is_empty(), "nothing of a refused leaf is written");
    Error::new(fault, Path::default())
}

/// Causes the kinds that need a limit, a strictness or a writer.
fn made() -> Vec<(&'static str, Error)> {
    let save = Limits::save_file();
    let nils = "1c000000 02000000 00000000 00000000";
    let entry = "1b000000 01000000 02000000 07000000 00000000";
    let wide = "02000100 07000000 00000000";
    let canonical = Rules { strictness: Strictness::Canonical, ..Rules::default() };
    let objects = "18000000 04000000 4e6f6465 00000000";
    let text = Leaf::Text(VariantType::String, Text::new("a long text"));
    let newest = Target::default();
    vec![
        ("TOO_MANY_BYTES", under(nils, Limits { max_bytes: 12, ..save })),
        ("TOO_DEEP", under(nils, Limits { max_depth: 1, ..save })),
        ("TOO_MANY_VALUES", under(nils, Limits { max_values: 2, ..save })),
        ("TOO_MANY_ENTRIES", under(entry, Limits { max_entries: 0, ..save })),
        ("TOO_MUCH_MEMORY", under(nils, Limits { max_heap_bytes: 64, ..save })),
        ("TOO_MANY_PROBES", flooded()),
        (
            "KEY_TYPE_NOT_ALLOWED",
            under(entry, Limits { allowed_key_types: variant_core::TypeSet::NONE, ..save }),
        ),
        ("OBJECT_NOT_ALLOWED", validate(&bytes(objects), &Rules::engine()).unwrap_err()),
        ("NOT_CANONICAL", validate(&bytes(wide), &canonical).unwrap_err()),
        ("OUTPUT_TOO_LARGE", written(&text, Limits { max_output_bytes: 8, ..Limits::engine() }, newest)),
        (
            "NOT_IN_DIALECT",
            written(&Leaf::Signal(Text::new("s"), 1), Limits::engine(), Target::newest(Dialect::Godot3)),
        ),
    ]
}

/// Writes more than a length field can say. No slice is that long on 32 bits.
#[cfg(target_pointer_width = "64")]
fn too_long() -> Option<(&'static str, Error)> {
    use variant_core::token::Lanes;
    use variant_core::wire::Lane;

    // Pages of zeros that nothing reads take no memory.
    let huge = vec![0; 1 << 31];
    let huge = Leaf::Packed(VariantType::PackedByteArray, Lanes::new(&huge, Lane::U8).unwrap());
    let limits = Limits { max_output_bytes: u64::MAX, ..Limits::engine() };
    Some(("TOO_LONG", written(&huge, limits, Target::default())))
}

#[cfg(not(target_pointer_width = "64"))]
fn too_long() -> Option<(&'static str, Error)> {
    None
}

fn flooded() -> Error {
    let keys: String = (0..2000).map(|n: u32| format!("02000000 {:08x} 00000000", n.swap_bytes())).collect();
    under(&format!("1b000000 d0070000 {keys}"), Limits { max_key_probes: 0, ..Limits::save_file() })
}

/// Refuses every leaf, with the refusal that it holds.
struct Refusing(Refusal);

impl Sink for Refusing {
    type Output = ();
    type Frame = ();

    fn leaf(&mut self, _: u64, _: Leaf<'_>) -> Result<(), Refusal> {
        Err(self.0)
    }
    fn open(&mut self, _: u64, _: Container<'_>, _: usize) -> Result<(), Refusal> {
        Ok(())
    }
    fn close(&mut self, (): ()) -> Result<(), Refusal> {
        Ok(())
    }
}

const FROM_SINKS: [ErrorKind; 9] = [
    ErrorKind::Refused,
    ErrorKind::NotInstantiable,
    ErrorKind::ScriptWithoutPath,
    ErrorKind::ChangedWhileEncoding,
    ErrorKind::InvalidArgument,
    ErrorKind::Busy,
    ErrorKind::FileFailed,
    ErrorKind::PeerFailed,
    ErrorKind::Cancelled,
];

fn refused(kind: ErrorKind) -> (&'static str, Error) {
    let array = bytes("1c000000 02000000 1c000000 00000000 00000000");
    let error = Walker::new().decode(&array, &Rules::default(), &mut Refusing(kind)).unwrap_err();
    assert_eq!((error.path().to_string().as_str(), error.offset()), ("[1]", 16), "{kind:?}");
    (kind.name(), error)
}

#[test]
fn every_kind_is_brought_about_and_says_what_to_do() {
    let mut seen = BTreeSet::new();
    for (name, hex, sentence) in SAID {
        let error = validate(&bytes(hex), &Rules::default()).unwrap_err();
        assert_eq!((error.kind().name(), error.to_string().as_str()), (name, sentence));
        seen.insert(name);
    }
    for (name, error) in made().into_iter().chain(too_long()).chain(FROM_SINKS.map(refused)) {
        let (kind, said) = (error.kind(), error.to_string());
        assert_eq!(kind.name(), name, "{said}");
        assert!(said.contains(&kind.expected()) && said.contains(&kind.got()), "{said}");
        assert!(!kind.expected().is_empty() && !kind.got().is_empty(), "{said}");
        seen.insert(name);
    }
    if cfg!(not(target_pointer_width = "64")) {
        seen.insert("TOO_LONG");
    }
    // schema_cases.rs causes the kinds of a schema, save_test.gd and error_examples.gd those of saves, and the tests of
    // variant-objects those of documents.
    let of_schema = ErrorKind::WrongType.code()..=ErrorKind::IllFormedSchema.code();
    let of_saves = ErrorKind::NotASave.code()..=ErrorKind::SaveLocked.code();
    let of_objects = ErrorKind::NotADocument.code()..=ErrorKind::NotConstructed.code();
    // pack_test.gd and protocol_test.gd bring about the last ones.
    let of_packets = ErrorKind::Unpackable.code()..=ErrorKind::PeerNotHeard.code();
    let of_engine_objects = ErrorKind::ScriptInData.code()..=ErrorKind::ScriptInData.code();
    let of_circles = ErrorKind::CircularReference.code()..=ErrorKind::CircularReference.code();
    let elsewhere = [of_circles, of_engine_objects, of_schema, of_saves, of_objects, of_packets];
    let table = ErrorKind::TABLE.iter();
    let table = table.filter(|(_, code, _)| !elsewhere.iter().any(|codes| codes.contains(code)));
    let table: BTreeSet<&str> = table.map(|(name, ..)| *name).collect();
    assert_eq!(seen, table, "one kind is not brought about, or is not in the table");
}

#[test]
fn a_sentence_never_holds_what_the_bytes_hold() {
    const PAYLOAD: &str = "hunter2";
    let text = Value::String(PAYLOAD.to_owned()).encode().unwrap();
    let mut array = bytes("1c000000 02000000");
    array.extend(&text);
    array.extend(&text);
    let mut errors = 0;
    for cut in 0..array.len() {
        for bit in 0..8 {
            let mut spoiled = array.clone();
            spoiled[cut] ^= 1 << bit;
            for bytes in [&spoiled[..], &array[..cut]] {
                if let Err(error) = Walker::new().decode(bytes, &Rules::default(), &mut Skip) {
                    assert!(!error.to_string().contains("unter"), "{error}");
                    errors += 1;
                }
            }
        }
    }
    assert!(errors > 200, "{errors} errors were looked at");
}
