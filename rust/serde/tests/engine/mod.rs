//! Reads the bytes that the engine wrote, by name: `engine.json`.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    name: String,
    hex: String,
}

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
}

/// The rows of the file.
pub(crate) struct Rows(BTreeMap<String, Vec<u8>>);

impl Rows {
    pub(crate) fn read() -> Rows {
        let file: File = serde_json::from_str(include_str!("../engine.json")).expect("a file of cases");
        Rows(file.cases.into_iter().map(|case| (case.name, bytes(&case.hex))).collect())
    }

    /// The bytes of a row, once.
    #[track_caller]
    pub(crate) fn take(&mut self, name: &str) -> Vec<u8> {
        self.0.remove(name).unwrap_or_else(|| panic!("{name} is not recorded, or was taken"))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    (0..hex.len()).step_by(2).map(digit).collect()
}
