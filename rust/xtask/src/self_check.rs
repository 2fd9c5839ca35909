//! Proves that the engine suites can fail, and that the addon works alone.
//!
//! Four short runs use copies of the project. The checkout itself is never touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
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
    // Both streams go to one pipe, where a line of one could land inside a line of the other.
    let command = in_one_pipe(&engine::script(godot, &empty, conformance::SCRIPT));
    let run = conformance::compare(command, &options, Show::Later)?;
    let name = "the addon alone, in an empty project that was never opened, ends with 0";
    tally += expect(name, &run, conformance::verdict(&run) == 0);
    tally += expect("the table of that run has whole lines", &run, has_whole_lines(&run.lines));
    Ok(tally)
}

/// Returns the command with its errors in the pipe of its output.
fn in_one_pipe(command: &Command) -> Command {
    if cfg!(windows) {
        let mut same = Command::new(command.get_program());
        same.args(command.get_args());
        return same;
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", "exec \"$@\" 2>&1", "sh"]).arg(command.get_program()).args(command.get_args());
    shell
}

/// Tells whether each part of the conformance run has a line for itself, and one for its seconds: `           0.4 s, 3 018 checks`.
fn has_whole_lines(lines: &[String]) -> bool {
    let parts = ["round trip", "objects", "malformed", "keys", "golden"];
    let times = lines.iter().filter(|line| line.contains(" s, ") && line.contains(" checks"));
    let is_time = |line: &str| {
        let words = line.strip_prefix("           ").and_then(|rest| rest.strip_suffix(" checks"));
        words.is_some_and(|words| words.chars().all(|c| c.is_ascii_digit() || ". s,".contains(c)))
    };
    let is_part = |part: &str| lines.iter().filter(|line| line.starts_with(part)).count() == 1;
    parts.iter().all(|part| is_part(part))
        && times.clone().count() == parts.len()
        && times.clone().all(|line| is_time(line))
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
    use super::{flip_last_digit, has_whole_lines};

    #[test]
    fn lines_inside_lines_are_found() {
        let table = "VariantStream 0.1.0\n\
            round trip      200 values    0 differences\n           0.1 s, 4 018 checks\n\
            objects          20 graphs    0 differences\n           0.2 s, 18 checks\n\
            malformed       122 buffers   0 differences\n           0.3 s, 122 checks\n\
            keys             30 pairs     0 differences\n           0.4 s, 30 checks\n\
            golden          557 values    0 differences\n           0.5 s, 557 checks\n\
            == 4745 checks, 0 differences";
        let is_whole = |text: &str| has_whole_lines(&text.lines().map(str::to_owned).collect::<Vec<_>>());
        assert!(is_whole(table));
        // This is what two streams made of it.
        assert!(!is_whole(&table.replace("0.1 s, 4 018 checks\nobjects", "0.1 s, 4 018 checksobjects")));
        assert!(!is_whole(&table.replace("0.5 s, 557 checks\n", "0.5 s, 557 checks")));
        assert!(!is_whole(&table.replace("           0.3 s, 122 checks\n", "")));
    }

    #[test]
    fn flips_one_digit_of_the_named_case() {
        let text = "{\"name\": \"a\",\n\"hex\": \"00\"}, {\"name\": \"b\",\n\"hex\": \"02ff\"}";
        let flipped = flip_last_digit(text, "b").unwrap();
        assert_eq!(flipped, "{\"name\": \"a\",\n\"hex\": \"00\"}, {\"name\": \"b\",\n\"hex\": \"02f0\"}");
        assert_eq!(flip_last_digit(text, "c"), None);
    }
}
