//! Runs the addon's own conformance script in the bundled project, which compares our bytes with the
//! engine's.
//!
//! It compares nothing itself. It makes sure that a run that broke off is never reported as passed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;

use crate::arguments::Arguments;
use crate::build::{self, Profile};
use crate::child::{self, Outcome, Show};
use crate::engine;
use crate::tally::Tally;
use crate::workspace::Workspace;

pub(crate) const SCRIPT: &str = "res://addons/variant_stream/ci/conformance.gd";

/// Builds, finds an engine and compares. The exit code is the script's, and so is the last line.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    build::run(workspace, Profile::Release)?;
    let godot = engine::find(workspace, arguments.godot.as_deref())?;
    let outcome = compare(&godot, &workspace.project(), arguments, Show::Now)?;
    Ok(ExitCode::from(verdict(&outcome)))
}

/// Runs the script once in `project`.
pub(crate) fn compare(godot: &Path, project: &Path, arguments: &Arguments, show: Show) -> Result<Outcome> {
    compare_by(engine::script(godot, project, SCRIPT), arguments, show)
}

/// Runs the script with less of the engine's memory trusted, as `raw/layout/trust.rs` reads it.
pub(crate) fn compare_plainly(
    godot: &Path,
    project: &Path,
    arguments: &Arguments,
    raw: &str,
) -> Result<Outcome> {
    let mut command = engine::script(godot, project, SCRIPT);
    command.env(engine::RAW, raw);
    compare_by(command, arguments, Show::Later)
}

/// Runs the script by a command that has no options yet.
pub(crate) fn compare_by(mut command: Command, arguments: &Arguments, show: Show) -> Result<Outcome> {
    command.args(options(arguments));
    // The limit is ten minutes, and more for a long run: even a slow machine compares some thousand values a
    // second.
    let limit = Duration::from_secs(600 + arguments.cases.unwrap_or(0) / 500);
    child::run(&mut command, show, Some(limit))
}

/// Returns 0 when all is equal, 1 for differences, 2 when nothing was compared, 3 when the run was aborted.
pub(crate) fn verdict(outcome: &Outcome) -> u8 {
    if outcome.timed_out {
        eprintln!("conformance: no end after {:.0} s, stopped", outcome.seconds);
        return 3;
    }
    let code = match outcome.code {
        Some(code @ 0..=2) => code as u8,
        _ => return 3,
    };
    if let Some(line) = Tally::red_line(outcome) {
        eprintln!("conformance: red because of: {line}");
        return code.max(1);
    }
    match Tally::of_engine(&outcome.lines) {
        None if code == 0 => {
            eprintln!("conformance: the script ended without its closing line");
            3
        }
        Some(tally) if code == 0 && tally.passed == 0 => 2,
        Some(tally) if code == 0 && tally.failed > 0 => 1,
        _ => code,
    }
}

/// Returns the options in the form that the README shows: the name and the value are separate arguments.
fn options(arguments: &Arguments) -> Vec<OsString> {
    let number = |value: Option<u64>| value.map(|value| OsString::from(value.to_string()));
    let path = |value: &Option<PathBuf>| value.clone().map(OsString::from);
    let given = [
        ("--cases", number(arguments.cases)),
        ("--seed", number(arguments.seed)),
        ("--junit", path(&arguments.junit)),
        ("--golden", path(&arguments.golden)),
    ];
    given.into_iter().filter_map(|(name, value)| Some([name.into(), value?])).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Task;

    #[test]
    fn only_given_options_are_passed_on() {
        let arguments = Arguments { seed: Some(7), ..Arguments::new(Task::Conformance) };
        assert_eq!(options(&arguments), ["--seed", "7"]);
    }

    #[test]
    fn only_a_whole_run_without_differences_is_green() {
        let cases = [
            (Some(0), "== 20557 checks, 0 differences", 0),
            (Some(1), "== 20557 checks, 3 differences", 1),
            (Some(0), "== 20557 checks, 3 differences", 1),
            (Some(0), "== 0 checks, 0 differences", 2),
            (Some(0), "round trip 20 000 values", 3),
            (Some(0), "SCRIPT ERROR: x\n== 20557 checks, 0 differences", 1),
            (Some(2), "the library did not load", 2),
            (Some(134), "== 20557 checks, 0 differences", 3),
            (None, "== 20557 checks, 0 differences", 3),
        ];
        for (code, text, expected) in cases {
            let lines = text.lines().map(str::to_owned).collect();
            let outcome = Outcome { code, lines, seconds: 1.0, timed_out: false };
            assert_eq!(verdict(&outcome), expected, "{code:?} {text}");
        }
    }
}
