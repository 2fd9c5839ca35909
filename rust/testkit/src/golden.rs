//! Golden files: values a real engine encoded, read from `tests/golden/*.json`. Recording them is `cargo
//! xtask golden`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use variant_core::Rules;

use crate::hex;

/// One recording: everything one engine wrote in one run.
#[derive(Clone, Debug)]
pub struct File {
    /// File name without `.json`.
    pub name: String,
    /// The engine that wrote the bytes, in its own words.
    pub engine: String,
    /// How many cases the recorder counted.
    pub count: u64,
    /// In the order of the file.
    pub cases: Vec<Case>,
}

/// One value and its bytes.
#[derive(Clone, Debug)]
pub struct Case {
    /// Unique within the file.
    pub name: String,
    /// The engine's name of the value's type. A null Object says `Object`, and is written as `Nil`.
    pub type_name: String,
    /// The engine's id of the value's type.
    pub type_id: u64,
    /// What the engine wrote.
    pub bytes: Vec<u8>,
    /// The same with zeros where the engine left heap bytes in a NodePath's padding.
    pub zero_padded: Option<Vec<u8>>,
    /// Written by `var_to_bytes_with_objects`.
    pub with_objects: bool,
    /// The bytes hold an instance id: another run writes others.
    pub volatile: bool,
    /// Whether the engine, reading the bytes and writing again, wrote the same. Not known for volatile cases.
    pub roundtrip: Option<bool>,
    /// What it wrote instead.
    pub reencoded: Option<Vec<u8>>,
    /// `var_to_str` of the value, for most cases without objects.
    pub text: Option<String>,
}

impl Case {
    /// The rules under which the engine itself reads these bytes.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        Rules { full_objects: self.with_objects, ..Rules::engine() }
    }
}

/// Where golden files live.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden")
}

/// Every golden file.
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

/// The cases of one file, by its name without `.json`.
///
/// # Panics
/// As [`files`].
#[must_use]
pub fn file(name: &str) -> File {
    read(&folder().join(name).with_extension("json"))
}

/// The bytes of every case there is: seeds for mutation.
///
/// # Panics
/// As [`files`].
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
