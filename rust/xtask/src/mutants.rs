//! Runs cargo-mutants on the core, for `cargo xtask mutants`.
//!
//! It makes one change at a time and runs the tests; a change that no test notices is a gap in them. Changes
//! that no input can tell apart are listed with their reasons in `.cargo/mutants.toml`.
//!
//! There are two passes. The core's own tests build in seconds and notice most changes; the rest is left to
//! the tests that cross crates.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::arguments::Mutants;
use crate::child::{self, Show};
use crate::cross::tools::of_cargo;
use crate::tally::ended;
use crate::workspace::Workspace;

/// The version whose options and closing line are known here.
const VERSION: &str = "27.1.0";

/// The share of changes that the tests must notice, in percent.
const GOAL: f64 = 95.0;

/// The options of the first pass. A test that runs longer than these seconds counts as an endless loop. The skipped test takes
/// longer than all others together without optimization.
const OWN_TESTS: &str =
    "--test-package=variant-core --minimum-test-timeout=20 -- --lib -- --skip=ordinary_keys_pass";

/// The options of the second pass: it runs only the changes that the first has not noticed, without the
/// slowest tests; a change that only those notice counts as missed. The timeout is long because cargo-mutants
/// measures the tests of the core alone, and endless loops do not get here.
const ALL_TESTS: &str = "--iterate --test-package=variant-core,variant-testkit,variant-tests --timeout=1800 -- -- \
    --skip=every_bit_flip_of_a_rich_value_holds_every_property --skip=mutated_inputs_hold_every_property \
    --skip=ordinary_keys_pass";

/// Runs all mutants, those of the named files, or the shard `k/n`; returns 1 below the goal.
pub(crate) fn run(workspace: &Workspace, options: &Mutants) -> Result<ExitCode> {
    let tool = of_cargo(workspace, "cargo-mutants", VERSION)?;
    let results = workspace.target().join("mutants/mutants.out");
    let listed = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let count = |name: &str| listed(name).lines().count();
    pass(workspace, &tool, options, OWN_TESTS)?;
    let viable: usize = ["caught.txt", "missed.txt", "timeout.txt"].map(count).iter().sum();
    ensure!(viable > 0, "no mutant was tried");
    if count("missed.txt") > 0 {
        // Changes that loop endlessly count as noticed, so that the second pass does not wait for them again.
        let caught = results.join("caught.txt");
        fs::write(&caught, listed("caught.txt") + &listed("timeout.txt"))
            .with_context(|| format!("cannot write {}", caught.display()))?;
        pass(workspace, &tool, options, ALL_TESTS)?;
    }
    let missed = count("missed.txt");
    let percent = 100.0 * (1.0 - missed as f64 / viable as f64);
    println!("\n{}{missed} of {viable} changes are missed", listed("missed.txt"));
    let word = if percent >= GOAL { "PASS" } else { "FAIL" };
    println!("{word}  {percent:.1} % of the mutants are noticed, the goal is {GOAL} %");
    ended(percent >= GOAL)
}

/// Runs cargo-mutants once, in a target folder of its own, because its builds must not mix with others.
fn pass(workspace: &Workspace, tool: &Path, options: &Mutants, words: &str) -> Result<()> {
    let mut mutants = Command::new(tool);
    mutants.current_dir(workspace.root()).env_remove("CARGO_TARGET_DIR").arg("mutants");
    mutants.args(["--package", "variant-core", "--no-shuffle", "--colors", "never", "--output"]);
    mutants.arg(workspace.target().join("mutants"));
    mutants.args(options.shard.iter().flat_map(|shard| ["--shard", shard]));
    mutants.args(options.file.iter().map(|file| format!("--file=rust/core/src/{file}")));
    let outcome = child::run(mutants.args(words.split(' ')), Show::Now, None)?;
    // The line counts what was tried; a run that broke off has none.
    let ended = outcome.lines.iter().any(|line| line.contains(" tested in "));
    ensure!(ended, "cargo-mutants did not come to its end: {}", outcome.text());
    Ok(())
}
