//! Runs the addon's own conformance script in the bundled project, which compares our bytes with the
//! engine's.
//!
//! It compares nothing itself. It makes sure that a run that broke off is never reported as passed.

use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;

use crate::arguments::Compare;
use crate::build::{self, Profile};
use crate::child::{self, Outcome, Show};
use crate::engine;
use crate::tally::Tally;
use crate::workspace::Workspace;

pub(crate) const SCRIPT: &str = "res://addons/variant_stream/ci/conformance.gd";

/// Builds, finds an engine and compares. The exit code is the script's, and so is the last line.
pub(crate) fn run(workspace: &Workspace, options: &Compare) -> Result<ExitCode> {
    build::run(workspace, Profile::Release)?;
    let godot = engine::find(workspace, options.godot.as_deref())?;
    let outcome = compare(engine::script(&godot, &workspace.project(), SCRIPT), options, Show::Now)?;
    Ok(ExitCode::from(verdict(&outcome)))
}

/// Runs the script by a command that has no options yet.
pub(crate) fn compare(mut command: Command, options: &Compare, show: Show) -> Result<Outcome> {
    let Compare { cases, seed, junit, golden, .. } = options;
    for (name, number) in [("--cases", cases), ("--seed", seed)] {
        command.args(number.iter().flat_map(|number| [name.to_owned(), number.to_string()]));
    }
    for (name, path) in [("--junit", junit), ("--golden", golden)] {
        command.args(path.iter().flat_map(|path| [name.as_ref(), path.as_os_str()]));
    }
    // Even a slow machine compares some thousand values a second.
    let limit = Duration::from_secs(600 + options.cases.unwrap_or(0) / 500);
    child::run(&mut command, show, Some(limit))
}

/// Runs the script, prints what it says, and returns its counts as they are judged.
pub(crate) fn tally(command: Command, options: &Compare) -> Result<Tally> {
    let outcome = compare(command, options, Show::Now)?;
    Ok(Tally::of_engine(&outcome.lines).unwrap_or_default().judged(verdict(&outcome) == 0))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_given_options_are_passed_on() {
        let options = Compare { seed: Some(7), ..Compare::default() };
        let outcome = compare(Command::new("echo"), &options, Show::Later).unwrap();
        assert_eq!(outcome.lines, ["--seed 7"]);
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
            assert_eq!(verdict(&Outcome::sample(code, text)), expected, "{code:?} {text}");
        }
    }
}
