//! Compares our verdict on each malformed input with that of Godot 4.6.3. The engine's verdicts are recorded
//! in FORMAT.md 5.4 and kept in `tests/golden/malformed.txt`. `depth.rs` tests depth.

use std::fmt::Write;
use std::path::Path;

use variant_core::{Rules, peek_type, validate};
use variant_testkit::hex::Hex;
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
    assert_eq!(rows.len(), 142);
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

/// Holds the lines of the script before its rows.
const HEAD: &str = "extends RefCounted
## Lists buffers that no encoder writes with Godot 4.6.3's verdict on each: name, bytes, size consumed (0 =
## refused), value. It is made of tests/golden/malformed.txt: BLESS=1 cargo test -p variant-tests --test all malformed

const ROWS: Array[Array] = [
";

/// A packed game cannot read the table, so that the rows for the engine are a script.
#[test]
fn the_script_has_the_rows_of_the_table() {
    let mut script = HEAD.to_owned();
    for row in malformed::rows().iter().filter(|row| !row.with_objects) {
        let size = row.engine.rsplit_once(' ').map_or("0", |(_, size)| size);
        let (name, value) = (row.name.replace('\\', "\\\\"), row.value.replace('"', "\\\""));
        writeln!(script, "\t[\"{name}\", \"{}\", {size}, \"{value}\"],", Hex(&row.bytes)).expect("text");
    }
    script.push_str("]\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../godot_project/tests/malformed_rows.gd");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &script).expect("the script is written");
    }
    let there = std::fs::read_to_string(&file).expect("the script is there").replace("\r\n", "\n");
    assert!(there == script, "malformed_rows.gd is not what the table makes: BLESS=1 writes it");
}
