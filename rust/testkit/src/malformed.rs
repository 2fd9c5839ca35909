//! Reads the table of malformed inputs, `tests/golden/malformed.txt`, with the verdicts of Godot 4.6.3 and of
//! SAFE.

use std::fs;

use variant_core::{Limits, Rules};

use crate::golden;
use crate::hex;

/// Holds one line of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name, which says what is wrong with the input.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// Whether it is read with full objects, as `bytes_to_var_with_objects` does.
    pub with_objects: bool,
    /// ENGINE's verdict: type and bytes consumed, or the kind of error.
    pub engine: String,
    /// SAFE's verdict: `ok` or the kind of error.
    pub safe: String,
    /// The value as the engine's `var_to_str` tells it, or nothing.
    pub value: String,
}

impl Row {
    /// Returns the rules of ENGINE strictness for this row.
    #[must_use]
    pub const fn engine_rules(&self) -> Rules {
        Rules { full_objects: self.with_objects, ..Rules::engine() }
    }

    /// Returns the rules of SAFE strictness for this row, with no limits but the engine's own.
    #[must_use]
    pub const fn safe_rules(&self) -> Rules {
        Rules { full_objects: self.with_objects, ..Rules::safe(Limits::engine()) }
    }
}

/// Reads every line of the table.
///
/// # Panics
/// When it cannot be read or a line is not of the form.
#[must_use]
pub fn rows() -> Vec<Row> {
    let text = fs::read_to_string(golden::folder().join("malformed.txt")).expect("malformed.txt is there");
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(row).collect()
}

fn row(line: &str) -> Row {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, hex, engine, safe, value] = columns[..] else { panic!("not five columns: {line}") };
    let bare = name.strip_prefix("[o] ");
    Row {
        name: bare.unwrap_or(name).to_owned(),
        bytes: hex::bytes(hex),
        with_objects: bare.is_some(),
        engine: engine.to_owned(),
        safe: safe.to_owned(),
        value: value.to_owned(),
    }
}
