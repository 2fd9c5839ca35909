//! Tests schemas: random ones with values near them, against a second checker that shares no code with the
//! first.

mod draw;
mod naive;
mod near;
mod random;
mod same;

pub use draw::Draw;
pub use naive::violations;
pub use same::same;

use std::collections::BTreeSet;
use std::sync::Arc;

use variant_core::{Cost, ErrorKind, Limits, Rejection, Rules, Skip, Strictness, ToValue, Value, Walker};
use variant_schema::{Checker, FilledBytes, Program, Schema, Sliced, Verdict};

/// More violations than any value of these tests has.
const ALL: usize = 10_000;

/// The kind and path of each violation.
pub type Found = BTreeSet<(&'static str, String)>;

/// Checks the properties of the schema and the value that these bytes lead to.
///
/// # Panics
/// Where a property does not hold.
pub fn check(data: &[u8]) {
    tried(data);
}

/// Checks like [`check`], and tells whether the value fits, or nothing if the schema is ill-formed or the
/// value cannot be written.
///
/// # Panics
/// Where a property does not hold.
pub fn tried(data: &[u8]) -> Option<bool> {
    let mut draw = Draw::new(data);
    let schema = random::schema(&mut draw);
    let value = near::value(&schema, &mut draw);
    check_documents(&schema);
    let program = Arc::new(schema.compile().ok()?);
    let mut checker = Checker::new();
    let found = checker.check_all(&program, &value, ALL);
    let ours: Found = found.iter().map(|it| (it.kind.name(), it.path.to_string())).collect();
    let told = || format!("{}\n{value:?}", schema.to_json());
    assert_eq!(ours, violations(&schema, &value), "{}", told());
    let bytes = value.encode().ok()?;
    let rules = Rules { full_objects: true, ..Rules::engine() };
    let verdict = checker.validate(&program, &bytes, &rules);
    assert_eq!(verdict.as_ref().err().map(|it| &**it), found.first(), "{}", told());
    check_straight(&program, &bytes, &mut checker);
    let decoded = checker.decode(&program, &bytes, &rules);
    check_sliced(&program, (&bytes, &rules), &decoded);
    assert_eq!(decoded.is_ok(), verdict.is_ok(), "{}", told());
    if let Ok(decoded) = decoded {
        // Elements that differ may be equal once defaults are filled in.
        let mut left = violations(&schema, &decoded);
        left.retain(|(kind, _)| *kind != "NOT_UNIQUE");
        assert_eq!(left, Found::new(), "what decoding makes fits: {}", told());
        check_declared(&bytes, &decoded, &told);
        check_charged(&program, &bytes, &decoded);
    }
    Some(verdict.is_ok())
}

/// Checks that decoding in slices (a token at once, a few, and all) gives the same value or violation.
fn check_sliced(
    program: &Arc<Program>,
    (bytes, rules): (&[u8], &Rules),
    decoded: &Result<Value, Box<Rejection>>,
) {
    for most in [1, 7, 64, usize::MAX] {
        let mut sliced = Sliced::new(Arc::clone(program), bytes.to_vec(), *rules, ToValue);
        let (mut calls, mut outcome) = (1, sliced.go_on(most));
        while outcome.is_none() {
            (calls, outcome) = (calls + 1, sliced.go_on(most));
        }
        assert!(calls <= 2 * (bytes.len() / most + 1), "{calls} calls for {} bytes", bytes.len());
        // The results are compared as text, since NaN is not equal to itself.
        let (made, wanted) = (format!("{outcome:?}"), format!("{:?}", Some(decoded)));
        assert_eq!(made, wanted, "{most} bytes at once: {}", program.schema().to_json());
        assert!(sliced.go_on(most).is_none(), "it is over");
    }
}

/// Checks that filled-in defaults keep to what containers declare: SAFE refuses elements that a typed
/// container would not keep.
fn check_declared(bytes: &[u8], decoded: &Value, told: &dyn Fn() -> String) {
    let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) };
    let is_safe = |bytes: &[u8]| Walker::new().decode(bytes, &rules, &mut Skip).map(drop);
    if let Ok(made) = decoded.encode()
        && is_safe(bytes).is_ok()
    {
        assert_eq!(is_safe(&made).map_err(|error| error.to_string()), Ok(()), "{}\n{decoded:?}", told());
    }
}

/// Checks that a built value costs at most what was charged, defaults included: limits one below its cost
/// refuse it, however the schema is applied, and under SAFE the exact limits accept it.
fn check_charged(program: &Arc<Program>, bytes: &[u8], decoded: &Value) {
    let Ok(Cost { values, heap }) = decoded.encode().and_then(|made| Walker::new().cost(&made)) else {
        return;
    };
    let (all, told) = (Limits::engine(), || format!("{}\n{decoded:?}", program.schema().to_json()));
    let is_safe = Checker::new().accepts(program, bytes, &Rules { full_objects: true, ..Rules::safe(all) });
    let strictnesses =
        if is_safe { &[Strictness::Engine, Strictness::Safe][..] } else { &[Strictness::Engine] };
    for strictness in strictnesses {
        let rules = |limits| Rules { full_objects: true, strictness: *strictness, limits, ..Rules::engine() };
        if let Some(max_values) = values.checked_sub(1) {
            let kind =
                refused(program, bytes, &rules(Limits { max_values, ..all })).expect("too many values");
            assert!(matches!(kind, ErrorKind::TooManyValues { .. }), "{kind:?}: {}", told());
        }
        if let Some(max_heap_bytes) = heap.checked_sub(1) {
            let kind = refused(program, bytes, &rules(Limits { max_heap_bytes, ..all })).expect("too much");
            assert!(matches!(kind, ErrorKind::TooMuchMemory { .. }), "{kind:?}: {}", told());
        }
        if *strictness == Strictness::Safe {
            let exact = rules(Limits { max_values: values, max_heap_bytes: heap, ..all });
            assert_eq!(refused(program, bytes, &exact), None, "{}", told());
        }
    }
}

/// Returns why bytes are refused, which is the same in a walk that builds, in one that does not, in slices
/// and without a walk.
fn refused(program: &Arc<Program>, bytes: &[u8], rules: &Rules) -> Option<ErrorKind> {
    let mut checker = Checker::new();
    let validated = checker.validate(program, bytes, rules).err();
    let decoded = checker.decode(program, bytes, rules).err();
    let mut sliced = Sliced::new(Arc::clone(program), bytes.to_vec(), *rules, ToValue);
    let sliced = std::iter::repeat_with(|| sliced.go_on(64)).find_map(|outcome| outcome);
    assert_eq!(validated, decoded, "{}", program.schema().to_json());
    assert_eq!(sliced.and_then(Result::err), decoded, "{}", program.schema().to_json());
    let kind = decoded.map(|violation| violation.kind);
    match program.reshape(bytes, rules, &mut FilledBytes::default()) {
        Some(Verdict::Fits { .. }) => assert_eq!(kind, None, "{}", program.schema().to_json()),
        Some(Verdict::Refused(verdict)) => {
            assert_eq!(kind, Some(verdict), "{}", program.schema().to_json());
        }
        None => {}
    }
    kind
}

/// Checks that the verdict without a walk is that of the walk, under every preset and under limits that entries and texts reach.
fn check_straight(program: &Program, bytes: &[u8], checker: &mut Checker) {
    let narrowed =
        |max_entries, max_string_bytes| Limits { max_entries, max_string_bytes, ..Limits::engine() };
    let narrowed = [narrowed(u64::MAX, 3), narrowed(1, u64::MAX), narrowed(7, 9)];
    for limits in [Limits::network(), Limits::save_file(), Limits::engine()].into_iter().chain(narrowed) {
        let rules = Rules::safe(limits);
        let walked = checker.violations(program, bytes, &rules, 1).pop();
        match program.straight(bytes, &rules) {
            Some(verdict @ Verdict::Fits { .. }) => {
                assert_eq!(walked, None, "{}", program.schema().to_json());
                check_reshaped(program, (bytes, &rules), verdict, checker);
            }
            Some(Verdict::Refused(kind)) => {
                assert_eq!(Some(kind), walked.map(|it| it.kind), "{}", program.schema().to_json());
            }
            None => {}
        }
    }
}

/// Checks that bytes with the schema's defaults and declarations written in are those of the value that
/// decoding makes.
fn check_reshaped(
    program: &Program,
    (bytes, rules): (&[u8], &Rules),
    verdict: Verdict,
    checker: &mut Checker,
) {
    let mut reshaped = FilledBytes::default();
    assert_eq!(program.reshape(bytes, rules, &mut reshaped), Some(verdict));
    let as_they_are = || Walker::new().decode(bytes, rules, &mut ToValue).map(|(value, _)| value);
    let made = checker.decode(program, bytes, rules).map_err(|it| it.to_string());
    let made = made.and_then(|value| value.encode().map_err(|error| error.to_string()));
    let wanted = match verdict {
        Verdict::Fits { reshapes: false } => as_they_are().and_then(|value| value.encode()),
        _ => Walker::new()
            .decode(reshaped.bytes(), &Rules::engine(), &mut ToValue)
            .and_then(|it| it.0.encode()),
    };
    assert_eq!(made, wanted.map_err(|error| error.to_string()), "{}", program.schema().to_json());
}

/// Checks that a schema comes back from JSON unchanged and with the same hash.
fn check_documents(schema: &Schema) {
    let json = schema.to_json();
    let back = Schema::from_json(&json).unwrap_or_else(|error| panic!("{error}\n{json}"));
    assert_eq!(back.to_json(), json);
    // A schema that holds a NaN is not equal to itself.
    let is_comparable = *schema == schema.clone();
    assert!(back == *schema || !is_comparable, "{json}");
    assert_eq!(back.hash(), schema.hash());
    assert!(schema.to_markdown().lines().count() >= 3);
}

/// Checks random schemas with arbitrary bytes: the verdict is that of the format, or of the second checker.
///
/// # Panics
/// Where a property does not hold.
pub fn check_bytes(data: &[u8]) {
    tried_bytes(data);
}

/// Checks like [`check_bytes`], and returns the verdict if the schema is well-formed.
///
/// # Panics
/// Where a property does not hold.
pub fn tried_bytes(data: &[u8]) -> Option<bool> {
    let (head, bytes) = data.split_at(data.len().min(64));
    let schema = random::schema(&mut Draw::new(head));
    let program = schema.compile().ok()?;
    let rules = Rules::safe(Limits::network());
    let mut checker = Checker::new();
    check_straight(&program, bytes, &mut checker);
    let verdict = checker.validate(&program, bytes, &rules).is_ok();
    let value: Option<Value> = Walker::new().decode(bytes, &rules, &mut ToValue).ok().map(|(value, _)| value);
    let wanted = value.is_some_and(|value| violations(&schema, &value).is_empty());
    assert_eq!(verdict, wanted, "{}\n{bytes:02x?}", schema.to_json());
    Some(verdict)
}
