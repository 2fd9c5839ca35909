//! Reads and writes every golden value through every sink. A case in which our answer is not simply the
//! engine's bytes stands in a table below with the reason, and the tables must be exact: a case too many or
//! too few is red. `golden_text.rs` checks the meaning of the values.

use std::collections::HashSet;

use variant_core::{
    ErrorKind, Extent, Limits, Rules, ToValue, Value, VariantType, Walker, peek_type, validate,
};
use variant_testkit::golden::{self, Case};
use variant_testkit::hex::Hex;
use variant_testkit::pieces::pieces_agree;
use variant_testkit::properties;

/// Names texts that begin with a byte order mark: the engine writes the mark and drops it when reading
/// (FORMAT.md 3.2), so what it writes again is shorter. Our Value and Encoder do as the engine does; SAFE
/// refuses, since data is lost.
const DROPPED_MARK: [&str; 4] = ["string_34", "string_35", "string_36", "packed_string_09"];

/// Names typed dictionaries with a script type. An engine bug (FORMAT.md 5.1 rule 17) drops the value's
/// script or puts the key's in its place, so the engine writes other bytes. A Value keeps the bytes' meaning.
const SCRIPT_TYPE_LOST: [&str; 4] = [
    "typed_dict_empty_22_objects",
    "typed_dict_empty_23_objects",
    "typed_dict_empty_25_objects",
    "typed_dict_empty_26_objects",
];

/// Names cases in which a null or freed Object is an Object to the engine, and is written as nil (FORMAT.md
/// 3.5).
const NULL_OBJECT: [&str; 4] =
    ["object_null_as_object", "object_freed", "object_null_with_objects", "object_freed_with_objects"];

/// The digest of names and bytes of all cases that are equal in every run. When a recording from another
/// engine differs on purpose, the failure prints the number to put here; read the difference of the files
/// first.
const DIGEST: u64 = 0x4413_4C9C_C989_30D6;

fn cases() -> Vec<Case> {
    golden::file("godot4_6").cases
}

fn value_of(case: &Case) -> (Value, Extent) {
    let read = Walker::new().decode(&case.bytes, &case.rules(), &mut ToValue);
    read.unwrap_or_else(|error| panic!("{}: {error}: {}", case.name, Hex(&case.bytes)))
}

/// Checks that the names of the cases which are not as expected are exactly these.
#[track_caller]
fn exceptions(expected: &[&str], is_expected: impl Fn(&Case) -> bool) {
    let cases = cases();
    let found: Vec<&str> =
        cases.iter().filter(|case| !is_expected(case)).map(|case| case.name.as_str()).collect();
    assert_eq!(found.iter().collect::<HashSet<_>>(), expected.iter().collect());
    assert_eq!(found.len(), expected.len(), "no name twice");
}

#[test]
fn the_file_is_whole() {
    let file = golden::file("godot4_6");
    assert!(file.engine.starts_with("Godot 4.6.3"), "{}", file.engine);
    assert_eq!((file.cases.len(), file.count), (557, 557));
    let names: HashSet<&str> = file.cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), 557, "names are unique");
    let types: HashSet<u64> = file.cases.iter().map(|case| case.type_id).collect();
    assert_eq!(types, VariantType::ALL.iter().map(|ty| u64::from(ty.id())).collect(), "every type is there");
    assert_eq!(file.cases.iter().filter(|case| case.volatile).count(), 6);
    assert_eq!(file.cases.iter().filter(|case| case.with_objects).count(), 52);
}

/// Tests the digest of the recording. Without an engine, a wrong digit of an Object's properties cannot be
/// noticed; a changed one can.
#[test]
fn recorded_bytes_are_these() {
    let mut digest: u64 = 0xCBF2_9CE4_8422_2325;
    for case in cases().iter().filter(|case| !case.volatile) {
        for byte in case.name.bytes().chain(case.bytes.iter().copied()) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    assert_eq!(digest, DIGEST, "the recording has changed: its digest is {digest:#018x}");
}

#[test]
fn every_sink_reads_every_case_to_its_end() {
    let cases = cases();
    for case in &cases {
        let consumed = u64::try_from(case.bytes.len()).unwrap();
        let verdict = properties::sinks_agree(&case.bytes, &case.rules());
        assert_eq!(verdict, Ok(Extent { consumed, trailing: 0 }), "{}", case.name);
        assert!(properties::oracle_agrees(&case.bytes, case.with_objects), "{}", case.name);
        properties::reencoding_settles(&case.bytes);
        properties::safe_is_within_engine(&case.bytes);
    }
    assert_eq!(cases.len(), 557);
}

#[test]
fn every_prefix_of_every_case_is_incomplete() {
    for case in cases() {
        properties::prefixes_are_incomplete(&case.bytes, &case.rules());
    }
}

#[test]
fn every_cut_of_every_case_gives_the_whole() {
    for case in cases() {
        let safe = Rules { full_objects: true, ..Rules::safe(Limits::engine()) };
        for cut in 1..case.bytes.len() {
            pieces_agree(&case.bytes, &case.rules(), &[cut, case.bytes.len()]);
        }
        for piece in [1, 3] {
            pieces_agree(&case.bytes, &case.rules(), &[piece]);
            pieces_agree(&case.bytes, &safe, &[piece]);
        }
    }
}

/// Tests that values write the very bytes that they were read from, 553 of 557.
#[test]
fn values_write_the_engines_bytes() {
    exceptions(&DROPPED_MARK, |case| value_of(case).0.encode().unwrap() == case.bytes);
}

/// Tests that we write after reading what the engine writes after reading.
#[test]
fn values_write_what_the_engine_writes_again() {
    let reencoded = |case: &Case| case.reencoded.clone().unwrap_or_else(|| case.bytes.clone());
    exceptions(&SCRIPT_TYPE_LOST, |case| value_of(case).0.encode().unwrap() == reencoded(case));
}

/// Tests that the tables name every case that the engine itself does not bring back, and no other.
#[test]
fn every_case_the_engine_changes_has_a_reason() {
    let changed = [DROPPED_MARK, SCRIPT_TYPE_LOST].concat();
    exceptions(&changed, |case| case.roundtrip != Some(false));
    exceptions(&changed, |case| case.reencoded.is_none());
}

/// Tests that SAFE accepts what an engine wrote. The limits are the engine's, since the cases hold objects,
/// RIDs and deep nesting.
#[test]
fn safe_accepts_what_the_engine_wrote() {
    let safe = |case: &Case| Rules { full_objects: case.with_objects, ..Rules::safe(Limits::engine()) };
    exceptions(&DROPPED_MARK, |case| match validate(&case.bytes, &safe(case)) {
        Ok(extent) => {
            assert_eq!(extent.consumed, u64::try_from(case.bytes.len()).unwrap(), "{}", case.name);
            true
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::LeadingBom, "{}: {error}", case.name);
            false
        }
    });
}

#[test]
fn types_have_the_engines_names_and_ids() {
    exceptions(&NULL_OBJECT, |case| {
        let ty = value_of(case).0.ty();
        assert_eq!(peek_type(&case.bytes), Some(ty), "{}", case.name);
        (ty.name(), u64::from(ty.id())) == (case.type_name.as_str(), case.type_id)
    });
    exceptions(&NULL_OBJECT, |case| case.type_name != "Object" || case.bytes != [0; 4]);
}

/// Tests the engine's other switch: without `full_objects` the bytes are refused exactly where an object is.
#[test]
fn full_objects_are_refused_when_not_asked_for() {
    let holds_object =
        |case: &Case| case.with_objects && format!("{:?}", value_of(case).0).contains("Object {");
    let mut refused = 0;
    for case in cases() {
        match validate(&case.bytes, &Rules::engine()) {
            Ok(_) => assert!(!holds_object(&case), "{}", case.name),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::ObjectNotAllowed, "{}: {error}", case.name);
                assert!(holds_object(&case), "{}", case.name);
                refused += 1;
            }
        }
    }
    assert_eq!(refused, 27);
}

/// Tests that a limit of exactly the size is enough, for every type, and a byte less is not.
#[test]
fn output_limits_are_exact() {
    for case in cases() {
        let value = value_of(&case).0;
        let size = u64::try_from(value.encode().expect("what was read can be written").len()).unwrap();
        let written = |max_output_bytes: u64| {
            value.encode_into(&mut Vec::new(), &Limits { max_output_bytes, ..Limits::engine() })
        };
        assert_eq!(written(size), Ok(()), "{}", case.name);
        let kind = written(size - 1).expect_err("a byte more than allowed").kind();
        assert_eq!(kind, ErrorKind::OutputTooLarge { limit: size - 1 }, "{}", case.name);
    }
}
