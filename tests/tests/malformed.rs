//! Compares our verdict on each malformed input with that of Godot 4.6.3. The engine's verdicts are recorded
//! in FORMAT.md 5.4 and kept in `tests/golden/malformed.txt`. `depth.rs` tests depth.

use variant_core::{Rules, peek_type, validate};
use variant_testkit::malformed;
use variant_testkit::properties::{oracle_agrees, safe_is_within_engine, sinks_agree};

fn engine_verdict(bytes: &[u8], rules: &Rules) -> String {
    match validate(bytes, rules) {
        Ok(extent) => format!("{} {}", peek_type(bytes).expect("a type that was read"), extent.consumed),
        Err(error) => error.kind().name().to_owned(),
    }
}

fn safe_verdict(bytes: &[u8], rules: &Rules) -> String {
    validate(bytes, rules).map_or_else(|error| error.kind().name().to_owned(), |_| "ok".to_owned())
}

#[test]
fn verdicts_are_as_in_the_table() {
    let rows = malformed::rows();
    let mut wrong = Vec::new();
    for row in &rows {
        let engine = engine_verdict(&row.bytes, &row.engine_rules());
        let safe = safe_verdict(&row.bytes, &row.safe_rules());
        if (&engine, &safe) != (&row.engine, &row.safe) {
            wrong.push(format!("{}: {engine} | {safe}, not {} | {}", row.name, row.engine, row.safe));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert_eq!(rows.len(), 122);
    assert_eq!(rows.iter().filter(|row| row.with_objects).count(), 9);
}

#[test]
fn sinks_and_oracle_agree_on_the_table() {
    for row in malformed::rows() {
        let verdict = sinks_agree(&row.bytes, &row.engine_rules());
        assert_eq!(oracle_agrees(&row.bytes, row.with_objects), verdict.is_ok(), "{}", row.name);
        let _ = sinks_agree(&row.bytes, &row.safe_rules());
        safe_is_within_engine(&row.bytes);
    }
}
