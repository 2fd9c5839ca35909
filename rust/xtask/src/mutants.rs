//! Runs cargo-mutants on the core, for `cargo xtask mutants`.
//!
//! It makes one change at a time and runs the tests; a change that no test notices is a gap in them. Changes
//! that no input can tell apart are listed with their reasons in `.cargo/mutants.toml`.
//!
//! There are two passes. The core's own tests build in seconds and notice most changes; the rest is left to
//! the tests that cross crates.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::child::{self, Show};
use crate::workspace::Workspace;

/// The version whose options and closing line are known here.
const VERSION: &str = "27.1.0";

/// The share of changes that the tests must notice, in percent.
const GOAL: f64 = 95.0;

/// The option that leaves out a test which takes longer than all others together without optimization.
const SLOW: [&str; 1] = ["--skip=ordinary_keys_pass"];

/// The options of the first pass. A test that runs longer than these seconds counts as an endless loop.
const OWN_TESTS: [&str; 5] =
    ["--test-package=variant-core", "--minimum-test-timeout=20", "--", "--lib", "--"];

/// The options of the second pass: it runs only the changes that the first has not noticed, without the
/// slowest tests; a change that only those notice counts as missed. The timeout is long because cargo-mutants
/// measures the tests of the core alone, and endless loops do not get here.
const ALL_TESTS: [&str; 7] = [
    "--iterate",
    "--test-package=variant-core,variant-testkit,variant-tests",
    "--timeout=1800",
    "--",
    "--",
    "--skip=every_bit_flip_of_a_rich_value_holds_every_property",
    "--skip=mutated_inputs_hold_every_property",
];

/// Runs all mutants, those of the named files, or the shard `k/n`; returns 1 below the goal.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let tool = installed(workspace)?;
    let folder = workspace.target().join("mutants");
    let first = pass(workspace, &tool, arguments, &OWN_TESTS)?;
    ensure!(first.tried > 0, "no mutant was tried");
    settle(&folder.join("mutants.out"))?;
    let second = match first.missed {
        0 => Tally::default(),
        _ => pass(workspace, &tool, arguments, &ALL_TESTS)?,
    };
    let missed = fs::read_to_string(folder.join("mutants.out/missed.txt")).unwrap_or_default();
    println!("\n{missed}the core's own tests: {first}\nall tests, on the rest: {second}");
    let percent = percent(&first, &second);
    let word = if percent >= GOAL { "PASS" } else { "FAIL" };
    println!("{word}  {percent:.1} % of the mutants are noticed, the goal is {GOAL} %");
    Ok(ExitCode::from(u8::from(percent < GOAL)))
}

/// Runs cargo-mutants once, in a target folder of its own, because its builds must not mix with others.
fn pass(workspace: &Workspace, tool: &Path, arguments: &Arguments, options: &[&str]) -> Result<Tally> {
    let mut mutants = Command::new(tool);
    mutants.current_dir(workspace.root()).env_remove("CARGO_TARGET_DIR").arg("mutants");
    mutants.args(["--package", "variant-core", "--no-shuffle", "--colors", "never", "--output"]);
    mutants.arg(workspace.target().join("mutants"));
    if let Some(shard) = &arguments.shard {
        mutants.args(["--shard", shard]);
    }
    if let Some(file) = &arguments.file {
        mutants.arg("--file").arg(format!("rust/core/src/{file}"));
    }
    let outcome = child::run(mutants.args(options).args(SLOW), Show::Now, None)?;
    let closing = outcome.lines.iter().rev().find_map(|line| Tally::read(line));
    closing.with_context(|| format!("cargo-mutants did not come to its end: {}", outcome.text()))
}

/// Marks changes that loop endlessly as noticed, so that the second pass does not wait for them again.
fn settle(results: &Path) -> Result<()> {
    let endless = fs::read_to_string(results.join("timeout.txt")).unwrap_or_default();
    let caught = results.join("caught.txt");
    let known = fs::read_to_string(&caught).unwrap_or_default();
    fs::write(&caught, known + &endless).with_context(|| format!("cannot write {}", caught.display()))
}

/// Returns the share of noticed changes. A change that the second pass leaves is missed; an endless loop is
/// noticed.
fn percent(first: &Tally, second: &Tally) -> f64 {
    let viable = first.tried - first.unviable;
    100.0 * f64::from(viable - second.missed.min(viable)) / f64::from(viable.max(1))
}

/// Returns the tool of this version, which is installed in the target folder first if it is not there.
fn installed(workspace: &Workspace) -> Result<PathBuf> {
    let root = workspace.target().join("tools");
    let tool = root.join("bin").join("cargo-mutants").with_extension(std::env::consts::EXE_EXTENSION);
    if is_of_version(&tool) {
        return Ok(tool);
    }
    let mut cargo = workspace.cargo();
    cargo.args(["install", "cargo-mutants", "--locked", "--version", VERSION, "--root"]).arg(&root);
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "cargo-mutants could not be installed");
    Ok(tool)
}

fn is_of_version(tool: &Path) -> bool {
    let outcome = child::run(Command::new(tool).args(["mutants", "--version"]), Show::Later, None);
    outcome.is_ok_and(|outcome| outcome.lines.iter().any(|line| line.ends_with(VERSION)))
}

/// Holds the counts of the closing line: `61 mutants tested in 9m: 3 missed, 50 caught, 7 unviable, 1
/// timeouts`.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    tried: u32,
    caught: u32,
    missed: u32,
    timeouts: u32,
    /// The changes that do not compile, which do not count.
    unviable: u32,
}

impl Tally {
    fn read(line: &str) -> Option<Self> {
        let (tried, counts) = line.split_once(" tested in ")?;
        let (_, counts) = counts.split_once(": ")?;
        let mut tally = Self { tried: tried.split_once(' ')?.0.parse().ok()?, ..Self::default() };
        for count in counts.split(", ") {
            let (number, what) = count.split_once(' ')?;
            let slot = match what {
                "missed" => &mut tally.missed,
                "caught" => &mut tally.caught,
                "timeouts" | "timeout" => &mut tally.timeouts,
                "unviable" => &mut tally.unviable,
                _ => continue,
            };
            *slot = number.parse().ok()?;
        }
        Some(tally)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tried, caught, missed, timeouts, unviable } = self;
        write!(
            f,
            "{tried} tried, {caught} caught, {timeouts} without end, {missed} missed, {unviable} do not compile"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_line_is_read() {
        let line = "61 mutants tested in 9m: 3 missed, 50 caught, 7 unviable, 1 timeouts";
        let tally = Tally::read(line).unwrap();
        assert_eq!(tally, Tally { tried: 61, caught: 50, missed: 3, timeouts: 1, unviable: 7 });
        assert_eq!(Tally::read("Found 61 mutants to test"), None);
    }

    #[test]
    fn only_what_both_passes_miss_is_missed() {
        let first = Tally { tried: 110, caught: 60, missed: 30, timeouts: 10, unviable: 10 };
        let second = Tally { tried: 40, caught: 34, missed: 2, timeouts: 4, unviable: 0 };
        assert!((percent(&first, &second) - 98.0).abs() < 1e-9);
        assert!((percent(&first, &Tally::default()) - 100.0).abs() < 1e-9);
    }
}
