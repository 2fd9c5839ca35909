//! Reads inputs that are hostile only under a schema, `tests/attacks/schemas/*.txt`: a few bytes that ask for
//! many defaults.

use std::fs;
use std::path::PathBuf;

use variant_schema::Schema;

use super::{Preset, folder, input};

/// Holds one line of these files.
#[derive(Clone, Debug)]
pub struct Flood {
    /// The name, unique in its file.
    pub name: String,
    /// The schema under which the bytes are decoded.
    pub schema: Schema,
    /// The input.
    pub bytes: Vec<u8>,
    /// The answers under SAFE: `ok`, or the kind of error and its byte.
    pub answers: [(Preset, String); 2],
}

/// Reads every line of every such file.
///
/// # Panics
/// When a file cannot be read or a line is not of the form.
#[must_use]
pub fn floods() -> Vec<Flood> {
    let entries = fs::read_dir(folder().join("schemas")).expect("tests/attacks/schemas is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read_to_string(path).expect("a text"));
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| flood(&line)).collect()
}

fn flood(line: &str) -> Flood {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, schema, input, network, save_file, _] = columns[..] else { panic!("not six columns: {line}") };
    let schema = Schema::from_json(&spelled(schema)).unwrap_or_else(|error| panic!("{error}: {name}"));
    Flood {
        name: name.to_owned(),
        schema,
        bytes: input::bytes(input),
        answers: [(Preset::Network, network.to_owned()), (Preset::SaveFile, save_file.to_owned())],
    }
}

/// Returns the JSON with the digits of each input in it.
fn spelled(schema: &str) -> String {
    let mut parts = schema.split('<');
    let mut json = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (input, rest) = part.split_once('>').expect("an end of the input");
        json.extend(input::bytes(input).iter().map(|byte| format!("{byte:02x}")));
        json.push_str(rest);
    }
    json
}
