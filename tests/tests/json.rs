//! Checks that tagged JSON is lossless: each recorded value, of every dialect, comes back as its encoded
//! bytes. A view of bytes goes exactly as far as decoding does.

use std::collections::BTreeSet;

use proptest::prelude::*;
use variant_core::{Dialect, Limits, Rules, Target, Value, decode};
use variant_testkit::hex::Hex;
use variant_testkit::{arbitrary, golden, malformed};
use variant_text::json::{self, JsonForm, from_json};

const FORMS: [JsonForm; 2] = [
    JsonForm { plain: false, compact: false, tags_floats: false },
    JsonForm { plain: false, compact: true, tags_floats: false },
];

fn to_json(bytes: &[u8], rules: &Rules, form: JsonForm) -> String {
    let mut output = Vec::new();
    let verdict = json::write(bytes, rules, form, &mut output).expect("a Vec takes everything");
    verdict.unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
    String::from_utf8(output).expect("JSON is UTF-8")
}

fn written(value: &Value, dialect: Dialect) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode_for(Target::newest(dialect), &mut bytes, &Limits::engine()).expect("it can be written");
    bytes
}

#[track_caller]
fn comes_back(name: &str, bytes: &[u8], rules: &Rules) {
    let value = decode(bytes, rules).unwrap_or_else(|error| panic!("{name}: {error}"));
    let want = written(&value, rules.dialect);
    for form in FORMS {
        let text = to_json(bytes, rules, form);
        let read =
            from_json(&text, &Limits::engine()).unwrap_or_else(|error| panic!("{name}: {error}: {text}"));
        let got = written(&read, rules.dialect);
        assert_eq!(Hex(&got).to_string(), Hex(&want).to_string(), "{name}: {text}");
    }
}

#[test]
fn every_recorded_value_comes_back() {
    let mut seen = BTreeSet::new();
    let mut the_very_same = 0;
    for file in golden::files() {
        let dialect = if file.name.starts_with("godot3") { Dialect::Godot3 } else { Dialect::Godot4 };
        for case in file.cases {
            let rules = Rules { full_objects: true, ..case.rules().of_dialect(dialect) };
            comes_back(&format!("{}/{}", file.name, case.name), &case.bytes, &rules);
            seen.insert(case.type_name);
            let value = decode(&case.bytes, &rules).unwrap();
            the_very_same += usize::from(written(&value, dialect) == case.bytes);
        }
    }
    assert!(seen.len() >= 39, "types: {seen:?}");
    assert!(the_very_same > 1000, "cases whose own bytes come back: {the_very_same}");
}

#[test]
fn the_published_ids_come_back() {
    let mut written = 0;
    for bytes in golden::file("godot4_6").cases.iter().map(|case| &case.bytes) {
        let Ok(value) = decode(bytes, &Rules::engine()) else { continue };
        let mut documented = Vec::new();
        let target = Target::newest(Dialect::Documented);
        if value.encode_for(target, &mut documented, &Limits::engine()).is_ok() {
            comes_back("documented", &documented, &Rules::engine().of_dialect(Dialect::Documented));
            written += 1;
        }
    }
    assert!(written > 100, "values that the published pages can say: {written}");
}

/// Tests that the JSON is standard: another reader accepts it too.
#[test]
fn every_form_is_json() {
    let mut too_deep = BTreeSet::new();
    for case in golden::file("godot4_6").cases {
        let rules = Rules { full_objects: true, ..case.rules() };
        for form in [FORMS[0], FORMS[1], JsonForm { plain: true, compact: false, tags_floats: false }] {
            let text = to_json(&case.bytes, &rules, form);
            let read: Result<serde_json::Value, _> = serde_json::from_str(&text);
            // The tree of `serde_json` ends at 128 levels.
            if deepest(&text) > 127 {
                too_deep.insert(case.name.clone());
            } else {
                assert!(read.is_ok(), "{}: {read:?}: {text}", case.name);
            }
            assert!(!form.compact || !text.contains('\n'), "{text}");
        }
    }
    assert!(too_deep.len() < 5, "{too_deep:?}");
}

/// Counts the brackets that are open at once; brackets in texts may make it too high, never too low.
fn deepest(text: &str) -> usize {
    let mut open = 0_usize;
    text.bytes().fold(0, |most, byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => (),
        }
        most.max(open)
    })
}

#[test]
fn deep_values_come_back() {
    let mut value = Value::Nil;
    for _ in 0..1024 {
        let entries = vec![(Value::Int(1), value)];
        value = Value::Dictionary(Box::new(variant_core::Dictionary { entries, ..Default::default() }));
    }
    let bytes = written(&value, Dialect::Godot4);
    comes_back("deep", &bytes, &Rules::engine());
    let text = to_json(&bytes, &Rules::engine(), FORMS[1]);
    let refused = from_json(&text, &Limits::save_file()).expect_err("64 levels are the most");
    assert!(refused.message.contains("max_depth"), "{refused}");
}

/// Tests as many levels as a save may have, in the form that takes the most stack, on a small thread's stack.
#[test]
fn levels_of_a_save_take_little_stack() {
    let text = "{\"$Dictionary[Array, Array]\":{\"$entries\":[[1,".repeat(63) + "1" + &"]]}}".repeat(63);
    let limits = Limits::save_file();
    let read = move || from_json(&text, &limits).map(drop);
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(read).expect("a thread");
    thread.join().expect("the stack is enough").expect("64 levels are allowed");
}

#[test]
fn floods_of_brackets_are_refused() {
    for text in ["[".repeat(1 << 20), "{\"a\":".repeat(1 << 20), "{\"$Array[int]\":".repeat(1 << 18)] {
        for limits in [Limits::network(), Limits::engine()] {
            from_json(&text, &limits).expect_err("it never ends");
        }
    }
    let many = format!("[{}0]", "0,".repeat(70_000));
    let refused = from_json(&many, &Limits::network()).expect_err("65 536 values are the most");
    assert!(refused.message.contains("max_values"), "{refused}");
}

/// Tests that an error names its place and never quotes the text.
#[test]
fn wrong_json_is_refused_in_words() {
    for (text, line, words) in [
        ("{\"$Vector2\": [1.0]}", 1, "as many numbers as the type has"),
        ("{\n\"$Vector2\": \"secret\"}", 2, "expected a list of numbers"),
        ("{\"$Secret\": 1}", 1, "a tag that names no type"),
        ("{\"$StringName\": \"x\", \"y\": 1}", 1, "only member"),
        ("{\"a\": 1, \"$b\": 1}", 1, "stands among $entries"),
        ("{\"$entries\": [[1]]}", 1, "a key and a value"),
        ("{\"$int\": \"secret\"}", 1, "a whole number that fits"),
        ("{\"$PackedByteArray\": \"0\"}", 1, "hexadecimal digits"),
        ("{\"$PackedInt32Array\": [2147483648]}", 1, "32 bits"),
        ("{\"$Object\": {\"properties\": {}}}", 1, "the class"),
        ("{\"$Color:64\": [1, 2, 3, 4]}", 1, "only a type of real numbers"),
        ("18446744073709551615", 1, "above 9223372036854775807"),
        ("18446744073709551616", 1, "above 9223372036854775807"),
        ("[1,\n-9223372036854775809]", 2, "below -9223372036854775808"),
        (
            "{\"a \\\" 18446744073709551616\":\n\n 100000000000000000000000000000}",
            3,
            "above 9223372036854775807",
        ),
        ("{\"$PackedInt64Array\": [18446744073709551616]}", 1, "64 bits"),
        ("[x, 18446744073709551616]", 1, "expected value"),
        ("[18446744073709551616, x]", 1, "above 9223372036854775807"),
        ("\"\\u0000\"", 1, "text without NUL"),
        ("[1, 2", 1, "EOF"),
        ("1 2", 1, "trailing characters"),
    ] {
        let refused = from_json(text, &Limits::save_file()).expect_err(text);
        assert!(refused.message.contains(words), "{text}: {refused}");
        assert!(!refused.message.contains("ecret"), "{refused}");
        assert_eq!(refused.line, line, "{text}: {refused}");
    }
}

/// Tests that a number with a point or an exponent is a float, however large, and that a text like a number
/// stays a text.
#[test]
fn floats_and_the_largest_ints_are_read() {
    for (text, value) in [
        ("9223372036854775807", Value::Int(i64::MAX)),
        ("-9223372036854775808", Value::Int(i64::MIN)),
        ("18446744073709551616.0", Value::Float(18_446_744_073_709_551_616.0)),
        ("-1e19", Value::Float(-1e19)),
        ("1E+30", Value::Float(1e30)),
        ("\"\\\\18446744073709551616\"", Value::String("\\18446744073709551616".to_owned())),
    ] {
        assert_eq!(from_json(text, &Limits::save_file()), Ok(value), "{text}");
    }
}

/// Tests that every view goes up to the error that decoding has, and reports that error.
#[test]
fn views_stop_where_decoding_stops() {
    let rules = variant_text::looking();
    let inputs = malformed::rows().into_iter().map(|row| row.bytes).chain(golden::seeds());
    for bytes in inputs {
        let want = decode(&bytes, &rules).map(drop);
        let mut output = Vec::new();
        let dump = variant_text::dump(&bytes, &rules, &mut output).unwrap().map(drop);
        assert_eq!(dump, want, "{}", Hex(&bytes));
        let text = String::from_utf8(output).expect("text");
        if let Err(error) = &want {
            let last = format!("{:08x} | ", error.offset());
            assert!(text.lines().last().unwrap().starts_with(&last), "{error}: {text}");
            assert!(text.ends_with(&format!("stopped here: {error}\n")), "{text}");
        }
        let mut ignored = Vec::new();
        assert_eq!(variant_text::outline(&bytes, &rules, usize::MAX, &mut ignored).unwrap().map(drop), want);
        assert_eq!(json::write(&bytes, &rules, FORMS[0], &mut ignored).unwrap().map(drop), want);
        assert_eq!(variant_text::scan(&bytes, &rules, &mut |_| Ok(())).unwrap(), want);
        match variant_text::sizes(&bytes, &rules) {
            Err(error) => assert_eq!(Err(error), want),
            Ok(report) => {
                let of_types: u64 = report.types.iter().map(|(_, tally)| tally.bytes).sum();
                let of_places: u64 = report.places.iter().map(|(_, tally)| tally.bytes).sum();
                assert_eq!((of_types, of_places), (report.total, report.total), "{}", Hex(&bytes));
            }
        }
    }
}

/// Tests that the lines of a dump follow each other without a gap, so that no byte is left out.
#[test]
fn a_dump_has_every_byte() {
    for case in golden::files().into_iter().filter(|file| file.name == "godot4_6").flat_map(|file| file.cases)
    {
        let mut output = Vec::new();
        let rules = variant_text::looking();
        variant_text::dump(&case.bytes, &rules, &mut output).unwrap().unwrap();
        let mut next = 0;
        for line in String::from_utf8(output).unwrap().lines() {
            let mut columns = line.splitn(3, " | ");
            let at = usize::from_str_radix(columns.next().unwrap(), 16).unwrap();
            assert_eq!(at, next, "{}: {line}", case.name);
            let hex = columns.next().unwrap();
            let (hex, more) = hex.split_once('+').unwrap_or((hex, "0"));
            let more: usize = more.trim().parse().unwrap();
            next += hex.split_whitespace().count() + more;
        }
        assert_eq!(next, case.bytes.len(), "{}", case.name);
    }
}

/// Tests that a dump has at most 40 characters for a byte, however deep the values and whatever their keys.
#[test]
fn a_dump_of_deep_values_stays_small() {
    let few =
        Value::Array(Box::new(variant_core::Array { items: vec![Value::Nil; 1000], ..Default::default() }));
    let entries = (0..500).map(|at| (Value::Int(at), Value::Nil)).collect();
    let ints = Value::Dictionary(Box::new(variant_core::Dictionary { entries, ..Default::default() }));
    let texts = Value::PackedStringArray(vec![String::new(); 1000]);
    for inner in [few, ints, texts] {
        for key in ["k".repeat(64), "\u{1}".repeat(64), "a".to_owned(), "\u{1F600}".repeat(64), String::new()]
        {
            for depth in [0, 1, 2, 3, 10, 62] {
                let mut value = inner.clone();
                for _ in 0..depth {
                    let entries = vec![(Value::String(key.clone()), value)];
                    value = Value::Dictionary(Box::new(variant_core::Dictionary {
                        entries,
                        ..Default::default()
                    }));
                }
                let bytes = written(&value, Dialect::Godot4);
                let mut output = Vec::new();
                variant_text::dump(&bytes, &variant_text::looking(), &mut output).unwrap().unwrap();
                let chars = String::from_utf8(output).unwrap().chars().count();
                assert!(chars <= 40 * bytes.len(), "{key:?}, {depth} levels: {chars} of {}", bytes.len());
            }
        }
    }
}

/// Tests that the JSON of a field that is a value gives that field's bytes, and that fields follow each other
/// without a gap.
#[test]
fn a_field_says_what_its_bytes_are() {
    let mut values = 0;
    for case in golden::file("godot4_6").cases {
        let rules = Rules { full_objects: true, ..case.rules() };
        let mut next = 0;
        let verdict = variant_text::fields(&case.bytes, &rules, &mut |field| {
            assert_eq!(field.offset, next, "{}: {field:?}", case.name);
            next += field.bytes.len() as u64;
            let mut text = Vec::new();
            if field.write_json(&mut text)? {
                let value = decode(field.bytes, &rules).unwrap();
                let read = from_json(std::str::from_utf8(&text).unwrap(), &Limits::engine()).unwrap();
                assert_eq!(read.encode().unwrap(), value.encode().unwrap(), "{field:?}");
                values += 1;
            }
            Ok(())
        });
        verdict.unwrap().unwrap();
        assert_eq!(next, case.bytes.len() as u64, "{}", case.name);
    }
    assert!(values > 500, "{values} values");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn every_value_comes_back(value in arbitrary::value()) {
        let bytes = value.encode().unwrap();
        comes_back("random", &bytes, &Rules { full_objects: true, ..Rules::engine() });
    }

    #[test]
    fn equal_values_do_not_differ(value in arbitrary::value(), other in arbitrary::value()) {
        let differences = |a: &Value, b: &Value| {
            let mut count = 0;
            let outcome: Result<(), ()> = variant_text::diff(a, b, &mut |_| { count += 1; Ok(()) });
            outcome.map(|()| count).unwrap()
        };
        prop_assert_eq!(differences(&value, &value), 0);
        let is_equal = value.encode().unwrap() == other.encode().unwrap();
        prop_assert!(is_equal || differences(&value, &other) > 0 || has_entries(&value));
    }
}

/// Tells whether the value has entries, whose order makes no difference.
fn has_entries(value: &Value) -> bool {
    matches!(value, Value::Dictionary(_) | Value::Object(_) | Value::Array(_))
}
