//! Runs cargo-mutants on the core, for `cargo xtask mutants`.
//!
//! It makes one change at a time and runs the tests; a change that no test notices is a gap in them. Changes
//! that no input can tell apart are listed with their reasons in `.cargo/mutants.toml`.
//!
//! There are two passes. The core's own tests build in seconds and notice most changes; the rest is left to
//! the tests that cross crates.

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
    let results = workspace.target().join("mutants/mutants.out");
    let listed = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let count = |name: &str| listed(name).lines().count();
    pass(workspace, &tool, arguments, &OWN_TESTS)?;
    let viable = ["caught.txt", "missed.txt", "timeout.txt"].map(count).iter().sum();
    ensure!(viable > 0, "no mutant was tried");
    if count("missed.txt") > 0 {
        // Changes that loop endlessly count as noticed, so that the second pass does not wait for them again.
        let caught = results.join("caught.txt");
        fs::write(&caught, listed("caught.txt") + &listed("timeout.txt"))
            .with_context(|| format!("cannot write {}", caught.display()))?;
        pass(workspace, &tool, arguments, &ALL_TESTS)?;
    }
    let (missed, percent) = (listed("missed.txt"), percent(viable, count("missed.txt")));
    println!("\n{missed}{} of {viable} changes are missed", count("missed.txt"));
    let word = if percent >= GOAL { "PASS" } else { "FAIL" };
    println!("{word}  {percent:.1} % of the mutants are noticed, the goal is {GOAL} %");
    Ok(ExitCode::from(u8::from(percent < GOAL)))
}

/// Runs cargo-mutants once, in a target folder of its own, because its builds must not mix with others.
fn pass(workspace: &Workspace, tool: &Path, arguments: &Arguments, options: &[&str]) -> Result<()> {
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
    // The line counts what was tried; a run that broke off has none.
    let ended = outcome.lines.iter().any(|line| line.contains(" tested in "));
    ensure!(ended, "cargo-mutants did not come to its end: {}", outcome.text());
    Ok(())
}

/// Returns the share of noticed changes, in percent.
fn percent(viable: usize, missed: usize) -> f64 {
    100.0 * (1.0 - missed.min(viable) as f64 / viable.max(1) as f64)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_of_what_compiles() {
        assert!((percent(100, 2) - 98.0).abs() < 1e-9);
        assert!((percent(100, 0) - 100.0).abs() < 1e-9 && percent(0, 0) >= GOAL && percent(4, 9) < GOAL);
    }
}
