//! Reads the attack corpus, `tests/attacks/*.txt`: hostile inputs and the answer due to each. The answers are
//! given under every preset and strictness, with the reason. Beside them it makes what is too regular for a
//! table, every bit flip and every truncation. It judges nothing.

mod input;
mod objects;
mod schemas;

pub use input::bytes as input_bytes;
pub use objects::{ObjectRow, object_rows};
pub use schemas::{Flood, floods};

use std::fs;
use std::path::{Path, PathBuf};

use variant_core::{Limits, Rules, Strictness};

use crate::golden;

/// Names a preset of limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// `VariantLimits.network()`.
    Network,
    /// `VariantLimits.save_file()`.
    SaveFile,
    /// `VariantLimits.engine()`.
    Engine,
}

impl Preset {
    /// Lists the presets in the order of the table's columns.
    pub const ALL: [Preset; 3] = [Preset::Network, Preset::SaveFile, Preset::Engine];

    /// Returns the limits of the preset.
    #[must_use]
    pub const fn limits(self) -> Limits {
        match self {
            Preset::Network => Limits::network(),
            Preset::SaveFile => Limits::save_file(),
            Preset::Engine => Limits::engine(),
        }
    }
}

/// Holds one line of the corpus.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of its file and of the line, unique in the corpus.
    pub name: String,
    /// The description of the input, as `input` reads it.
    input: String,
    /// The answers under ENGINE, by preset: `ok`, or the kind of error and its byte.
    pub engine: [String; 3],
    /// The answers under SAFE, by preset.
    pub safe: [String; 3],
    /// The answers under CANONICAL, by preset, for engines of single precision.
    pub canonical: [String; 3],
    /// The reason for the answers.
    pub reason: String,
}

impl Row {
    /// Makes the input. It is made only when asked for, because some are many megabytes.
    ///
    /// # Panics
    /// When the line is not of the form.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        input::bytes(&self.input)
    }

    /// Makes the input in two sizes: its largest repetition is cut or stretched to about `length` bytes, and
    /// to twice as many. Counts that are equal to the number of repetitions change with it. Returns `None`
    /// where nothing is repeated a thousand times.
    #[must_use]
    pub fn scaled(&self, length: usize) -> Option<[Vec<u8>; 2]> {
        let times = self.input.split(")*").skip(1);
        let times = times.filter_map(|rest| rest.split([' ', ')']).next()?.parse::<usize>().ok());
        let most = times.max().filter(|times| *times >= 1000)?;
        let with = |times: usize| {
            let words = [format!(")*{most}"), format!("={most}")];
            let text = self.input.replace(&words[0], &format!(")*{times}"));
            input::bytes(&text.replace(&words[1], &format!("={times}")))
        };
        let each = (with(2000).len() - with(1000).len()) / 1000;
        let times = (length / each.max(1)).max(100);
        Some([with(times), with(2 * times)])
    }

    /// Returns every setting with the answer that is due under it.
    #[must_use]
    pub fn answers(&self) -> [(Preset, Rules, &str); 9] {
        let columns = [
            (Strictness::Engine, &self.engine),
            (Strictness::Safe, &self.safe),
            (Strictness::Canonical, &self.canonical),
        ];
        std::array::from_fn(|at| {
            let (preset, (strictness, answers)) = (Preset::ALL[at % 3], columns[at / 3]);
            let rules = Rules { strictness, limits: preset.limits(), ..Rules::engine() };
            (preset, rules, answers[at % 3].as_str())
        })
    }
}

/// Returns the folder of the corpus.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/attacks")
}

/// Reads every line of every file.
///
/// # Panics
/// When a file cannot be read or a line is not of the form.
#[must_use]
pub fn rows() -> Vec<Row> {
    let entries = fs::read_dir(folder()).expect("tests/attacks is there");
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "txt")).collect();
    paths.sort();
    paths.iter().flat_map(|path| file(path)).collect()
}

fn file(path: &Path) -> Vec<Row> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let family = path.file_stem().unwrap_or_default().to_string_lossy();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| row(&family, line)).collect()
}

/// Reads a line of the corpus; panics where it is not one.
pub fn row(family: &str, line: &str) -> Row {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let [name, input, engine, safe, canonical, reason] = columns[..] else {
        panic!("not six columns: {line}")
    };
    Row {
        name: format!("{family}: {name}"),
        input: input.to_owned(),
        engine: answers(engine, line),
        safe: answers(safe, line),
        canonical: answers(canonical, line),
        reason: reason.to_owned(),
    }
}

/// Reads a column: one word for all presets, or one for each.
fn answers(column: &str, line: &str) -> [String; 3] {
    let words: Vec<String> = column.split_whitespace().map(str::to_owned).collect();
    match <[String; 3]>::try_from(words) {
        Ok(answers) => answers,
        Err(words) => match &words[..] {
            [all] => [all.clone(), all.clone(), all.clone()],
            _ => panic!("one answer or three: {line}"),
        },
    }
}

/// Makes the inputs of at most `longest` bytes, as seeds for fuzzing.
///
/// # Panics
/// When a file cannot be read or a line is not of the form.
#[must_use]
pub fn seeds(longest: usize) -> Vec<Vec<u8>> {
    let objects = ["documents", "engine"].into_iter().flat_map(object_rows).map(|row| row.bytes);
    rows().iter().map(Row::bytes).chain(objects).filter(|bytes| bytes.len() <= longest).collect()
}

/// Makes an Array of one recorded value of every type, the smallest that has a payload: about 2 KB.
///
/// # Panics
/// When the golden values cannot be read.
#[must_use]
pub fn rich() -> Vec<u8> {
    let cases = golden::file("godot4_6").cases;
    let smallest = |id: u64| {
        let of_type = cases.iter().filter(|case| case.type_id == id && !case.with_objects);
        let sizes = of_type.filter(|case| case.bytes.len() > 12 || id < 4).map(|case| &case.bytes);
        sizes.min_by_key(|bytes| bytes.len()).cloned()
    };
    let values: Vec<Vec<u8>> = (0..39).filter_map(smallest).collect();
    let count = u32::try_from(values.len()).unwrap_or(0);
    [28u32, count].into_iter().flat_map(u32::to_le_bytes).chain(values.into_iter().flatten()).collect()
}

/// Makes every input that differs from this one in a single bit.
pub fn flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len() * 8).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}
