//! Reads the golden files, `tests/golden/*.json`: values that a real engine encoded. `cargo xtask golden`
//! records them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use variant_core::Rules;

use crate::hex;

/// Holds one recording: everything that one engine wrote in one run.
#[derive(Clone, Debug)]
pub struct File {
    /// The file's name without `.json`.
    pub name: String,
    /// The engine that wrote the bytes, in its own words.
    pub engine: String,
    /// The number of cases that the recorder counted.
    pub count: u64,
    /// The cases in the order of the file.
    pub cases: Vec<Case>,
}

/// Holds one value and its bytes.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name, unique within the file.
    pub name: String,
    /// The engine's name of the value's type. A null Object says `Object`, and is written as `Nil`.
    pub type_name: String,
    /// The engine's id of the value's type.
    pub type_id: u64,
    /// The bytes that the engine wrote.
    pub bytes: Vec<u8>,
    /// The bytes with zeros where the engine left heap bytes in a NodePath's padding.
    pub zero_padded: Option<Vec<u8>>,
    /// Whether `var_to_bytes_with_objects` wrote it.
    pub with_objects: bool,
    /// Whether the bytes hold an instance id, so that another run writes others.
    pub volatile: bool,
    /// Whether the engine, reading the bytes and writing again, wrote the same bytes. It is not known for
    /// volatile cases.
    pub roundtrip: Option<bool>,
    /// The bytes that it wrote instead.
    pub reencoded: Option<Vec<u8>>,
    /// The value's `var_to_str`, for most cases without objects.
    pub text: Option<String>,
}

impl Case {
    /// Returns the rules under which the engine itself reads these bytes.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules { full_objects: self.with_objects, ..Rules::engine() }
    }
}

/// Returns the folder of the golden files.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

/// Reads every golden file.
///
/// # Panics
/// When a file cannot be read or is not of the form.
#[must_use]
pub fn files() -> Vec<File> {
    let entries = fs::read_dir(folder()).expect("tests/golden is there");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "json")).collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

/// Reads the cases of one file, by its name without `.json`.
///
/// # Panics
/// When the file cannot be read or is not of the form.
#[must_use]
pub fn file(name: &str) -> File {
    read(&folder().join(name).with_extension("json"))
}

/// Returns the bytes of every case, as seeds for mutation.
///
/// # Panics
/// When a file cannot be read or is not of the form.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    files().into_iter().flat_map(|file| file.cases).map(|case| case.bytes).collect()
}

fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let json: Json =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let cases = json["cases"].as_array().unwrap_or_else(|| panic!("{name} has no cases"));
    File {
        engine: string(&json, "engine"),
        count: json["count"].as_u64().unwrap_or_else(|| panic!("{name} has no count")),
        cases: cases.iter().map(case).collect(),
        name,
    }
}

fn case(json: &Json) -> Case {
    Case {
        name: string(json, "name"),
        type_name: string(json, "type"),
        type_id: json["type_id"].as_u64().unwrap_or_else(|| panic!("no type_id in {json}")),
        bytes: hex::bytes(&string(json, "hex")),
        zero_padded: json["hex_zero_padded"].as_str().map(hex::bytes),
        with_objects: json["with_objects"].as_bool().unwrap_or(false),
        volatile: json["volatile"].as_bool().unwrap_or(false),
        roundtrip: json["roundtrip"].as_bool(),
        reencoded: json["reencoded_hex"].as_str().map(hex::bytes),
        text: json["text"].as_str().map(str::to_owned),
    }
}

fn string(json: &Json, field: &str) -> String {
    json[field].as_str().unwrap_or_else(|| panic!("no {field} in {json}")).to_owned()
}
