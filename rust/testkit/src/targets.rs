//! Defines the fuzz targets: the properties, cut into parts that run fast enough by the million. `rust/fuzz`
//! wraps each for libFuzzer. A panic is a finding.

use std::cell::RefCell;

use variant_core::{
    Dialect, ErrorKind as Kind, Framing, Limits, Rules, Skip, Strictness, Target as Version, Walker,
};

use variant_text::json::{JsonForm, from_json, write};

use crate::arbitrary;
use crate::bounds;
use crate::build_check::build_check_agrees;
use crate::canonical::is_written_again;
use crate::loss::{has_duplicate_keys, holds_what_it_declares};
use crate::objects;
use crate::packed;
use crate::pieces::pieces_agree;
use crate::properties::{self, RULES, Used};
use crate::protocols;
use crate::saves;
use crate::schema;
use crate::streams;
use crate::typed;

/// A target: its name in `rust/fuzz/fuzz_targets`, and the function that checks an input.
pub type Target = (&'static str, fn(&[u8]));

/// Lists every target.
pub const ALL: [Target; 21] = [
    ("walk", walk),
    ("build_check", build_check),
    ("decode", decode),
    ("oracle", oracle),
    ("roundtrip", roundtrip),
    ("chunks", chunks),
    ("framing", framing),
    ("limits", limits),
    ("values", values),
    ("transcode", transcode),
    ("json", json),
    ("schema", schema::check),
    ("schema_bytes", schema::check_bytes),
    ("typed", typed),
    ("objects", objects::check_document),
    ("engine_objects", objects::check_engine),
    ("pack_unpack", packed::check),
    ("pack_delta", packed::check_delta),
    ("save_open", saves::check_open),
    ("save_recover", saves::check_recover),
    ("protocol", protocols::check_receive),
];

/// Checks that walkers which have read all earlier inputs give one verdict, whether they skip or write, that
/// accepted values lie within the input, and that CANONICAL accepts what was written. It does no more, so
/// that a run can try a thousand million inputs.
///
/// # Panics
/// When that does not hold.
pub fn walk(bytes: &[u8]) {
    thread_local!(static USED: RefCell<Used> = RefCell::default());
    USED.with_borrow_mut(|used| used.agree(bytes, chosen(bytes)));
}

/// Checks that a walk which goes before a builder stops where a walk alone does.
///
/// # Panics
/// When it does not.
pub fn build_check(bytes: &[u8]) {
    thread_local!(static USED: RefCell<Walker<()>> = RefCell::default());
    let rules = match sum(bytes) % 4 {
        0 => Rules { limits: bounds::tight(sum(bytes) as u64), ..RULES[4] },
        1 => RULES[5],
        2 => RULES[2],
        _ => RULES[4],
    };
    USED.with_borrow_mut(|walker| build_check_agrees(bytes, &rules, walker));
}

/// Checks that every sink answers alike, and that a walker which was used under ENGINE answers under SAFE as
/// a new one does.
///
/// # Panics
/// When they do not.
pub fn decode(bytes: &[u8]) {
    let rules = chosen(bytes);
    let verdict = properties::sinks_agree(bytes, rules);
    let mut used = Walker::new();
    // Another target checks this answer; here the call only changes the walker's state.
    let _ = used.decode(bytes, &RULES[0], &mut Skip);
    let again = used.decode(bytes, rules, &mut Skip).map(|((), extent)| extent);
    assert_eq!(again, verdict, "a used walker answers otherwise");
}

/// Checks that the core and the oracle agree, without full objects and with them.
///
/// # Panics
/// When they do not.
pub fn oracle(bytes: &[u8]) {
    properties::oracle_agrees(bytes, false);
    properties::oracle_agrees(bytes, true);
}

/// Checks that reading and writing settles, that SAFE is within ENGINE, that CANONICAL is what is written,
/// and that reported duplicate keys are real.
///
/// # Panics
/// When that does not hold.
pub fn roundtrip(bytes: &[u8]) {
    properties::reencoding_settles(bytes);
    properties::safe_is_within_engine(bytes);
    properties::canonical_is_what_is_written(bytes);
    properties::duplicates_are_real(bytes);
}

/// Checks that pieces give what the whole gives, cut as the input itself says, and that a prefix of a value
/// is incomplete.
///
/// # Panics
/// When they do not.
pub fn chunks(bytes: &[u8]) {
    // A limit on bytes is checked early in a whole decode and late in pieces.
    let limits = Limits { max_bytes: u64::MAX, ..chosen(bytes).limits };
    let rules = &Rules { limits, ..*chosen(bytes) };
    let sum = sum(bytes);
    pieces_agree(bytes, rules, &[1 + sum % 7, 1 + sum % 61, 1 + sum % 1400]);
    if let Ok(extent) = variant_core::validate(bytes, rules) {
        properties::prefix_is_incomplete(bytes, sum % bytes.len(), extent, rules);
    }
}

/// Checks that each message of a stream gives what it gives alone, however the stream is cut, and that
/// reading it by entries agrees.
///
/// # Panics
/// When it does not.
pub fn framing(bytes: &[u8]) {
    let sum = sum(bytes);
    let rules = &streams::enough_bytes(chosen(bytes), &[bytes], sum / 2);
    let lengths = [1 + sum % 5, 1 + sum % 67, 1 + sum % 1400];
    let framing = [Framing::U32, Framing::U32Be, Framing::Varint][sum % 3];
    streams::stream_agrees(&[bytes, bytes], rules, framing, &lengths);
    let messages = streams::messages(bytes);
    let rules_of_all = streams::enough_bytes(rules, &messages, sum / 4);
    streams::stream_agrees(&messages, &rules_of_all, framing, &lengths);
    streams::entries_agree(bytes, rules, &lengths);
}

/// Checks that small limits bound the value and change nothing else.
///
/// # Panics
/// When they do not.
pub fn limits(bytes: &[u8]) {
    let seed = bytes.iter().fold(7u64, |seed, byte| seed.wrapping_mul(31).wrapping_add(u64::from(*byte)));
    let tight = bounds::tight(seed ^ seed >> 32);
    for rules in [&RULES[1], &RULES[2]] {
        bounds::limits_hold(bytes, rules, &tight);
    }
}

/// Checks that a tree grown from the input comes back when it is written, and that CANONICAL accepts the
/// written bytes unless a key comes twice, a typed container holds what it does not declare, or an engine
/// would write it otherwise.
///
/// # Panics
/// When that does not hold.
pub fn values(bytes: &[u8]) {
    let value = arbitrary::grown(bytes);
    properties::value_comes_back(&value);
    let written = value.encode().unwrap_or_else(|error| panic!("{error}: {value:?}"));
    let canonical = Rules { strictness: Strictness::Canonical, ..RULES[2] };
    let is_plain =
        !has_duplicate_keys(&value) && holds_what_it_declares(&value) && is_written_again(&value, &canonical);
    assert_eq!(variant_core::validate(&written, &canonical).is_ok(), is_plain, "{value:?}");
}

/// Checks that transcoding bytes for another dialect or version gives what a tree in between gives, or
/// refuses where that does, and that transcoding the result again changes nothing.
///
/// # Panics
/// When that does not hold.
pub fn transcode(bytes: &[u8]) {
    let rules = chosen(bytes);
    let versions = ["4.0", "4.2", "4.3", "4.7"].map(|version| Version::godot_4(version).expect("a version"));
    let version = match sum(bytes) / RULES.len() % 6 {
        4 => Version::newest(Dialect::Godot3),
        5 => Version::newest(Dialect::Documented),
        at => versions[at],
    };
    // Scripts of objects are written differently in each dialect, and a tree does not know its dialect.
    let rules = &Rules { full_objects: rules.dialect == version.dialect() && rules.full_objects, ..*rules };
    let mut output = Vec::new();
    let tree = variant_core::decode(bytes, rules);
    let through_tree = tree
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|value| value.encode_for(version, &mut output, &rules.limits))
        .map(|()| output);
    let written = variant_core::transcode(bytes, rules, version);
    match (&written, &through_tree) {
        (Ok(written), Ok(expected)) => assert_eq!(written, expected, "{rules:?} for {version:?}"),
        (Err(error), Err(expected)) if error.kind() == expected.kind() => {
            assert_eq!(error.path(), expected.path(), "{rules:?} for {version:?}");
        }
        // If two things are wrong, a tree reports the one that reading refuses, and transcoding the one that
        // comes first.
        (Err(error), Err(_))
            if matches!(error.kind(), Kind::NotInDialect { .. } | Kind::OutputTooLarge { .. }) => {}
        _ => panic!("{written:?}, through a tree {through_tree:?}: {rules:?} for {version:?}"),
    }
    if let (Ok(written), Ok(tree)) = (written, tree) {
        let limits = Limits::engine();
        let again = Rules { limits, dialect: version.dialect(), ..*rules };
        let again = variant_core::transcode(&written, &again, version);
        let settles = again.as_ref() == Ok(&written) || properties::loses_a_mark(&tree);
        assert!(settles, "{again:?} of {written:?} for {version:?}");
    }
}

/// Checks that text which is JSON of a value is written, shown and read to the same bytes, and so are the
/// bytes of a value.
///
/// # Panics
/// When they are not.
pub fn json(bytes: &[u8]) {
    let limits = Limits::save_file();
    let value = match std::str::from_utf8(bytes).map(|text| from_json(text, &limits)) {
        Ok(Ok(value)) => value,
        _ => match variant_core::decode(bytes, &variant_text::looking()) {
            Ok(value) => value,
            Err(_) => return,
        },
    };
    // Only text can ask for values that cannot be written: an object without a class, more than the limits
    // allow.
    let Ok(written) = value.encode() else { return };
    for compact in [false, true] {
        let mut text = Vec::new();
        let form = JsonForm { plain: false, compact, tags_floats: false };
        let verdict =
            write(&written, &variant_text::looking(), form, &mut text).expect("a Vec takes everything");
        verdict.unwrap_or_else(|error| panic!("{error}: {value:?}"));
        let text = String::from_utf8(text).expect("JSON is UTF-8");
        let read = from_json(&text, &Limits::engine()).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(read.encode().as_deref(), Ok(without_marks(&written).as_slice()), "{text}");
    }
}

/// Returns the bytes that reading and writing leaves: a text's leading byte order mark is dropped.
fn without_marks(bytes: &[u8]) -> Vec<u8> {
    let value = variant_core::decode(bytes, &variant_text::looking()).expect("they were just written");
    value.encode().expect("it was written before")
}

/// Asserts that bytes which are read into types that derive serde get the codec's verdict, and that a value of such a type
/// comes back.
///
/// # Panics
/// When they do not.
pub fn typed(bytes: &[u8]) {
    typed::verdicts_agree(bytes, chosen(bytes));
    typed::comes_back(bytes, 0);
}

/// Chooses the rules for an input; changing any byte chooses others.
fn chosen(bytes: &[u8]) -> &'static Rules {
    &RULES[sum(bytes) % RULES.len()]
}

fn sum(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |sum, byte| sum + usize::from(*byte))
}
