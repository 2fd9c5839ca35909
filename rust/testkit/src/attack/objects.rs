//! Reads inputs that are hostile where classes are read, `tests/attacks/objects/*.txt`: documents of objects, and what the
//! engine writes with objects.

use std::fs;

use super::{Preset, folder, input};

/// Holds one line of these files.
#[derive(Clone, Debug)]
pub struct ObjectRow {
    /// The name, unique in its file.
    pub name: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// The answers under SAFE, by preset: `ok`, the kind of error and its byte, or the kind alone.
    pub answers: [(Preset, String); 3],
}

/// Reads `documents` or `engine`.
///
/// # Panics
/// When the file cannot be read or a line is not of the form.
#[must_use]
pub fn object_rows(file: &str) -> Vec<ObjectRow> {
    let path = folder().join("objects").join(file).with_extension("txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(row).collect()
}

fn row(line: &str) -> ObjectRow {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, input, answers, _] = columns[..] else { panic!("not four columns: {line}") };
    let words: Vec<&str> = answers.split_whitespace().collect();
    let words = match words[..] {
        [all] => [all; 3],
        [first, second, third] => [first, second, third],
        _ => panic!("one answer or three: {line}"),
    };
    let answers = std::array::from_fn(|at| (Preset::ALL[at], words[at].to_owned()));
    ObjectRow { name: name.to_owned(), bytes: input::bytes(input), answers }
}
