//! Proves that the engine suites can fail, and that the addon works alone.
//!
//! Four short runs use copies of the project. The checkout itself is never touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::Compare;
use crate::build::library_in;
use crate::child::{self, Outcome, Show};
use crate::conformance;
use crate::engine;
use crate::files::{copy_tree, remove_tree};
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The number of values, which is small because the verdict is tested here and not the codec.
const CASES: u64 = 200;

pub(crate) fn run(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    let ground = workspace.target().join(format!("self-check-{}", std::process::id()));
    remove_tree(&ground)?;
    let tally = check_all(workspace, godot, &ground);
    remove_tree(&ground)?;
    tally
}

fn check_all(workspace: &Workspace, godot: &Path, ground: &Path) -> Result<Tally> {
    let bare = ground.join("bare");
    copy_tree(&workspace.project(), &bare, &[])?;
    fs::remove_file(library_in(&bare.join("addons/variant_stream"))?)?;
    // The project of a user who copied the addon into a new one: no `.godot` folder, nothing imported.
    let empty = ground.join("empty");
    copy_tree(&workspace.addon(), &empty.join("addons/variant_stream"), &[])?;
    fs::write(empty.join("project.godot"), "config_version=5\n")?;
    let mut suites = engine::script(godot, &bare, "res://tests/run.gd");
    let options = quick(None);
    let broken = quick(Some(broken_golden(workspace, &ground.join("golden"))?));

    let mut tally = Tally::default();
    let run = child::run(&mut suites, Show::Later, Some(Duration::from_secs(120)))?;
    tally += expect("the suites without the library end with 2", &run, run.code == Some(2));
    let compare = |project: &Path, options: &Compare| {
        conformance::compare(engine::script(godot, project, conformance::SCRIPT), options, Show::Later)
    };
    let run = compare(&bare, &options)?;
    tally += expect("the conformance run without the library ends with 2", &run, run.code == Some(2));
    let run = compare(&empty, &broken)?;
    tally += expect("a broken byte in a golden value ends with 1", &run, run.code == Some(1));
    let run = compare(&empty, &options)?;
    let name = "the addon alone, in an empty project that was never opened, ends with 0";
    tally += expect(name, &run, conformance::verdict(&run) == 0);
    Ok(tally)
}

fn expect(what: &str, run: &Outcome, met: bool) -> Tally {
    Tally::expect(what, met, || format!("     it ended with {:?} and said:\n{}", run.code, run.text()))
}

fn quick(golden: Option<PathBuf>) -> Compare {
    Compare { cases: Some(CASES), golden, ..Compare::default() }
}

/// Writes the golden files with one byte of one value changed.
fn broken_golden(workspace: &Workspace, to: &Path) -> Result<PathBuf> {
    fs::create_dir_all(to)?;
    let name = "godot4_6.json";
    let text = fs::read_to_string(workspace.golden().join(name))?;
    let broken = flip_last_digit(&text, "int_01").context("no case `int_01` with bytes")?;
    ensure!(broken != text, "the flipped digit changed nothing");
    fs::write(to.join(name), broken)?;
    Ok(to.to_owned())
}

/// Changes the last hexadecimal digit of the `hex` field of the case called `name`.
fn flip_last_digit(text: &str, name: &str) -> Option<String> {
    let case = text.find(&format!("\"name\": \"{name}\""))?;
    let field = "\"hex\": \"";
    let start = case + text[case..].find(field)? + field.len();
    let end = start + text[start..].find('"')?;
    let digit = text.as_bytes().get(end.checked_sub(1)?).filter(|_| end > start)?;
    let other = if *digit == b'0' { "1" } else { "0" };
    Some(format!("{}{other}{}", &text[..end - 1], &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::flip_last_digit;

    #[test]
    fn flips_one_digit_of_the_named_case() {
        let text = "{\"name\": \"a\",\n\"hex\": \"00\"}, {\"name\": \"b\",\n\"hex\": \"02ff\"}";
        let flipped = flip_last_digit(text, "b").unwrap();
        assert_eq!(flipped, "{\"name\": \"a\",\n\"hex\": \"00\"}, {\"name\": \"b\",\n\"hex\": \"02f0\"}");
        assert_eq!(flip_last_digit(text, "c"), None);
    }
}
