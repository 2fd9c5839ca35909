//! Checks that a few bytes under a schema with defaults build nothing that is not charged, however the schema
//! is applied.

use std::sync::Arc;

use allocation_counter::measure;
use variant_core::{
    Array, Cost, Dictionary, ElementType, ErrorKind, Limits, Rejection, Rules, ToValue, Value, VariantType,
    Walker,
};
use variant_schema::{Checker, FilledBytes, Program, Schema, Sliced, Verdict};
use variant_testkit::attack::{self, Flood};

/// The number of lines of `tests/attacks/schemas`.
const LINES: usize = 10;
/// The memory that a refusal may take beyond its limit: the tree of this crate is about as large as the
/// engine's, and reshaped bytes come beside it.
const FLAT: u64 = 1 << 20;

fn answer(found: Option<&Rejection>) -> String {
    found.map_or_else(|| "ok".to_owned(), |it| format!("{}@{}", it.kind.name(), it.offset()))
}

fn sliced(program: &Arc<Program>, bytes: &[u8], rules: &Rules, most: usize) -> Result<Value, Box<Rejection>> {
    let mut sliced = Sliced::new(Arc::clone(program), bytes.to_vec(), *rules, ToValue);
    std::iter::repeat_with(|| sliced.go_on(most)).find_map(|outcome| outcome).expect("it ends")
}

/// Checks that each way of applying the schema gives this answer, with a value that is within the limits.
#[track_caller]
fn check(name: &str, program: &Arc<Program>, bytes: &[u8], rules: &Rules, due: &str) {
    let mut checker = Checker::new();
    let mut made = None;
    let peak = measure(|| made = Some(checker.decode(program, bytes, rules))).bytes_max;
    let made = made.expect("it was measured");
    let most = rules.limits.max_heap_bytes + FLAT + 2 * u64::try_from(bytes.len()).expect("in memory");
    assert!(peak <= most, "{name}: {peak} bytes at once");
    assert_eq!(answer(made.as_ref().err().map(|it| &**it)), due, "{name}: decode");
    let validated = checker.validate(program, bytes, rules);
    assert_eq!(answer(validated.err().as_deref()), due, "{name}: validate");
    assert_eq!(checker.accepts(program, bytes, rules), due == "ok", "{name}: accepts");
    assert_eq!(answer(checker.violations(program, bytes, rules, 32).first()), due, "{name}: violations");
    let sliced = sliced(program, bytes, rules, 64);
    assert_eq!(sliced.as_ref().err(), made.as_ref().err(), "{name}: 64 bytes at once");
    let mut reshaped = FilledBytes::default();
    let verdict = program.reshape(bytes, rules, &mut reshaped);
    match verdict {
        Some(Verdict::Fits { .. }) => assert_eq!(due, "ok", "{name}: without a walk"),
        Some(Verdict::Refused(kind)) => assert!(due.starts_with(kind.name()), "{name}: without a walk"),
        None => {}
    }
    if let Ok(value) = made {
        let bytes = value.encode().expect("it was made");
        let Cost { values, heap } = Walker::new().cost(&bytes).expect("it was made");
        let limits = rules.limits;
        assert!(values <= limits.max_values && heap <= limits.max_heap_bytes, "{name}: {values}, {heap}");
    }
}

#[test]
fn floods_of_defaults_are_refused_at_their_dictionary() {
    let floods = attack::floods();
    assert_eq!(floods.len(), LINES, "lines of the corpus");
    for Flood { name, schema, bytes, answers } in floods {
        let program = Arc::new(schema.compile().expect("well-formed"));
        for (preset, due) in answers {
            check(&name, &program, &bytes, &Rules::safe(preset.limits()), &due);
        }
    }
}

fn int(default: i64) -> Schema {
    Schema::int().default_value(Value::Int(default))
}

fn empty() -> Value {
    Value::Dictionary(Box::default())
}

fn list(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { element: ElementType::None, items }))
}

/// Tests schemas with defaults in every kind of container, with a value that lacks them and the value with
/// them: limits of exactly its values and memory accept it, and lower ones do not.
#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases reads better whole")]
fn what_is_filled_in_counts_to_the_last_value_and_byte() {
    let names = Dictionary {
        key: ElementType::Builtin(VariantType::StringName),
        value: ElementType::None,
        entries: vec![(Value::StringName("n".to_owned()), Value::Int(1))],
    };
    let ints = || (0..70).map(|at| (format!("key {at}"), int(at)));
    let told = Schema::discriminated("k", [(Value::Int(1), Schema::dict([("a", int(1)), ("b", int(2))]))]);
    let case =
        Dictionary { entries: vec![(Value::String("k".to_owned()), Value::Int(1))], ..Dictionary::default() };
    let texts = Value::PackedStringArray(vec!["text".to_owned(); 9]);
    let texts = Schema::of_type(VariantType::PackedStringArray).default_value(texts);
    let inner = Schema::dict([("x", texts), ("y", int(2))]);
    let nested = Schema::dict([("p", inner.default_value(empty())), ("q", int(3))]);
    let elements = Schema::tuple([Schema::any(), int(1), int(2), int(3), int(4), int(5)]);
    let open = Schema::dict([("n", Schema::int()), ("a", int(1))]).open(true);
    let typed = Schema::array(Schema::int()).typed().default_value(list(vec![Value::Int(4); 40]));
    let cases = [
        ("one key", Schema::dict([("a", int(1))]), empty()),
        ("more keys than a word has bits", Schema::dict(ints()), empty()),
        ("elements", elements.clone(), list(vec![Value::Int(0)])),
        ("no elements", Schema::tuple([int(1), int(2)]), list(vec![])),
        ("elements of elements", Schema::array(elements), list(vec![list(vec![Value::Nil]); 9])),
        ("names", open.clone(), Value::Dictionary(Box::new(names))),
        ("a case", told.clone(), Value::Dictionary(Box::new(case.clone()))),
        ("cases", Schema::array(told), list(vec![Value::Dictionary(Box::new(case)); 3])),
        ("defaults of defaults", Schema::array(nested), list(vec![empty(); 5])),
        ("a typed list", Schema::dict([("t", typed)]), empty()),
    ];
    for (name, schema, value) in cases {
        let program = Arc::new(schema.compile().expect("well-formed"));
        let bytes = value.encode().expect("a value");
        let made = Checker::new().decode(&program, &bytes, &Rules::default()).expect(name);
        assert_ne!(made, value, "{name}: something is filled in");
        let whole = made.encode().expect("a value");
        let Cost { values, heap } = Walker::new().cost(&whole).expect("a value");
        let all = Limits::save_file();
        for (max_values, max_heap_bytes, due) in [
            (values, heap, None),
            (values - 1, heap, Some("TOO_MANY_VALUES")),
            (values, heap - 1, Some("TOO_MUCH_MEMORY")),
        ] {
            let rules = Rules::safe(Limits { max_values, max_heap_bytes, ..all });
            let outcome = Checker::new().decode(&program, &bytes, &rules);
            let kind = outcome.as_ref().err().map(|it| it.kind);
            assert_eq!(kind.map(ErrorKind::name), due, "{name}: {outcome:?}");
            check(name, &program, &bytes, &rules, &answer(outcome.err().as_deref()));
        }
    }
}

/// Tests the order of errors: a limit is reported before the schema's violation of the same Dictionary; an
/// earlier fault comes first.
#[test]
fn limits_come_before_what_is_missing() {
    let item = Schema::dict([("must", Schema::int()), ("a", int(1))]);
    let program = Arc::new(Schema::array(item).compile().expect("well-formed"));
    let rules = |max_values| Rules::safe(Limits { max_values, ..Limits::network() });
    let bytes = list(vec![empty(), empty()]).encode().expect("a value");
    check("both", &program, &bytes, &rules(3), "TOO_MANY_VALUES@8");
    check("the schema", &program, &bytes, &rules(4), "MISSING_KEY@8");
    let error = Checker::new().validate(&program, &bytes, &rules(3)).expect_err("too many");
    assert_eq!(
        error.to_string(),
        "[0]: expected at most 3 values (max_values), got 2 more elements (byte 8)"
    );
}

/// Tests that a copy which is made under limits keeps to them.
#[test]
fn coercion_keeps_to_its_limits() {
    let list_of = Schema::array(Schema::any()).default_value(list(vec![Value::Nil; 100]));
    let program = Schema::array(Schema::dict([("a", list_of)])).compile().expect("well-formed");
    let many = list(vec![empty(); 50]);
    let rules = Rules { limits: Limits { max_values: 1000, ..Limits::engine() }, ..Rules::engine() };
    let found = Checker::new().coerce_as(&program, &many, &rules, 1).expect_err("too many");
    assert_eq!(found.len(), 1);
    assert_eq!(answer(found.first()), "TOO_MANY_VALUES@80");
    assert!(Checker::new().coerce(&program, &many, 1).is_ok());
}
