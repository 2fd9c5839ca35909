//! Tests that passing over what may be anything changes no verdict, no place and no cost.

use variant_core::{Array, Dictionary, Limits, Rules, Strictness, Value, Walker};

use super::{Scratch, Validator};
use crate::{Program, Schema};

fn list(items: impl IntoIterator<Item = Value>) -> Value {
    Value::Array(Box::new(Array { items: items.into_iter().collect(), ..Array::default() }))
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.map(|(key, value)| (Value::String(key.to_owned()), value));
    Value::Dictionary(Box::new(Dictionary { entries: entries.into(), ..Dictionary::default() }))
}

/// Containers of all kinds under a part that may be anything, in front of one that may not.
fn program() -> Program {
    let item =
        Schema::dict([("left", Schema::any()), ("right?", Schema::int().default_value(Value::Int(3)))]);
    Schema::dict([
        ("any", Schema::any()),
        ("unique", Schema::array(Schema::any()).unique()),
        ("pair", Schema::tuple([Schema::any(), Schema::int().max(9)])),
        ("map", Schema::map(Schema::string(), Schema::any())),
        ("either", Schema::union([Schema::int(), Schema::array(Schema::any())])),
        ("items", Schema::array(item)),
        ("last", Schema::int().min(0).max(5)),
    ])
    .compile()
    .expect("a schema without contradictions")
}

fn value() -> Value {
    let nested = || {
        let keyed = Dictionary { entries: vec![(list([Value::Int(1)]), list([]))], ..Dictionary::default() };
        list([Value::Dictionary(Box::new(keyed)), entries([("a", list([Value::Nil]))]), Value::Int(7)])
    };
    let item = entries([("left", nested())]);
    entries([
        ("any", nested()),
        ("unique", list([nested(), list([]), Value::Int(1)])),
        ("pair", list([nested(), Value::Int(9)])),
        ("map", entries([("x", nested()), ("y", Value::Int(2))])),
        ("either", nested()),
        ("items", list([item, entries([("left", Value::Int(0)), ("right", Value::Int(1))])])),
        ("last", Value::Int(5)),
    ])
}

type Outcome = Result<(u64, bool), (String, u64)>;

fn outcome(program: &Program, bytes: &[u8], rules: &Rules, passes: bool) -> Outcome {
    let mut scratch = Scratch::default();
    let validator = Validator::new(program, &mut scratch, bytes, rules);
    let mut validator = if passes { validator.passing_over() } else { validator };
    match Walker::new().decode(bytes, rules, &mut validator) {
        Ok(((), extent)) => Ok((extent.consumed, validator.reshapes())),
        Err(error) => Err((format!("{:?}", error.kind()), error.offset())),
    }
}

#[test]
fn passing_over_changes_nothing() {
    let program = program();
    let bytes = value().encode().expect("a value that can be written");
    let all = |strictness| Rules { strictness, ..Rules::safe(Limits::engine()) };
    let (mut accepted, mut refused) = (0, 0);
    for rules in [all(Strictness::Safe), all(Strictness::Engine), all(Strictness::Canonical)] {
        assert_eq!(outcome(&program, &bytes, &rules, false), Ok((bytes.len() as u64, true)));
        for at in 0..bytes.len() {
            for change in [1, 2, 4, 8, 27, 28, 31, 64, 255] {
                let mut changed = bytes.clone();
                changed[at] ^= change;
                let whole = outcome(&program, &changed, &rules, false);
                assert_eq!(outcome(&program, &changed, &rules, true), whole, "byte {at} by {change}");
                *(if whole.is_ok() { &mut accepted } else { &mut refused }) += 1;
            }
        }
    }
    assert!(accepted > 500 && refused > 5000, "{accepted} accepted, {refused} refused");
}

/// A limit counts what is passed over, and what is filled in beside it.
#[test]
fn limits_count_what_is_passed_over() {
    let program = program();
    let bytes = value().encode().expect("a value that can be written");
    for most in 0..200 {
        for limits in [
            Limits { max_values: most, ..Limits::engine() },
            Limits { max_depth: most, ..Limits::engine() },
            Limits { max_heap_bytes: most * 64, ..Limits::engine() },
        ] {
            let rules = Rules::safe(limits);
            let whole = outcome(&program, &bytes, &rules, false);
            assert_eq!(outcome(&program, &bytes, &rules, true), whole, "{most}");
        }
    }
}
