//! Builds the library for other platforms and runs the core's tests on other processors, for `cargo xtask
//! cross`.
//!
//! Without `--target` it covers every target whose tools come from package registries: zig links, QEMU and
//! Wine run. Android, iOS and the web need the kits of their makers and are built only by name.

mod glibc;
mod kits;
pub(crate) mod rows;
pub(crate) mod tools;
mod wine;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::arguments::Cross;
use crate::child::{self, Show};
pub(crate) use crate::cross::glibc::{FLOOR, needed as needed_glibc};
use crate::cross::rows::{Kit, ROWS, Row, Runner};
use crate::cross::tools::{Tools, runner};
use crate::dist;
use crate::files::replace;
use crate::tally::{Tally, unless_excused};
use crate::workspace::Workspace;

/// The tests of `tests/` that run on other processors: those that depend on the order of bytes or the width
/// of words. An emulator takes tens of times as long, so floods and random trees run on the host only. A name takes along those
/// that end in it: `packed_golden` by `golden`.
const EMULATED: &str =
    "golden:: golden_text:: malformed:: hashes:: errors:: streams:: dialects:: targets:: schema_cases::";

/// Builds and tests; `--tests` and `--libraries` narrow what is done, `--target` for which target.
pub(crate) fn run(workspace: &Workspace, options: &Cross) -> Result<ExitCode> {
    let rows = match options.target.as_deref() {
        None => local(),
        Some(key) => Row::of(key).into_iter().collect(),
    };
    let keys: Vec<&str> = ROWS.iter().map(|row| row.key).collect();
    ensure!(!rows.is_empty(), "no such target; there are {}", keys.join(", "));
    let both = options.tests == options.libraries;
    let tally = all(workspace, &rows, both || options.libraries, both || options.tests);
    // A request that could not be carried out counts as a failure.
    tally.judged(true).close()
}

/// Runs the suite `cross` of `cargo xtask test --long`: everything that needs no kit.
pub(crate) fn test(workspace: &Workspace) -> Tally {
    all(workspace, &local(), true, true)
}

/// Returns the targets that need no kit of a maker.
fn local() -> Vec<&'static Row> {
    ROWS.iter().filter(|row| row.kit == Kit::Zig).collect()
}

fn all(workspace: &Workspace, rows: &[&Row], libraries: bool, tests: bool) -> Tally {
    let mut tally = Tally::default();
    for row in rows {
        if libraries && row.library().is_some() {
            tally += step(row, "library", || library(workspace, row).map(|_| Tally::one(true)));
        }
        if tests && row.runner().is_some() {
            tally += step(row, "core's tests", || core_tests(workspace, row));
        }
    }
    tally
}

fn step(row: &Row, what: &str, run: impl FnOnce() -> Result<Tally>) -> Tally {
    let start = Instant::now();
    match run() {
        Ok(counts) => {
            println!("{:<16} {what}: {counts}, {} s", row.key, start.elapsed().as_secs());
            counts
        }
        Err(error) => {
            println!("{:<16} {what}: FAIL {error:#}", row.key);
            Tally::one(false)
        }
    }
}

/// Builds the library of this key into the addon, or returns the one that is there already, built before or elsewhere.
pub(crate) fn stage(workspace: &Workspace, key: &str, is_staged: bool) -> Result<PathBuf> {
    let row = Row::of(key).with_context(|| format!("no such target: {key}"))?;
    if !is_staged {
        return library(workspace, row);
    }
    let names = row.library().context("a row without a library")?;
    let staged = workspace.addon().join("bin").join(names.staged);
    ensure!(staged.is_file(), "{} is not there", staged.display());
    Ok(staged)
}

/// Makes a script that starts an engine for Windows on another system.
pub(crate) fn windows_launcher(workspace: &Workspace, godot: &Path) -> Result<PathBuf> {
    let folder = folder(workspace);
    fs::create_dir_all(&folder)?;
    wine::launcher(godot, &folder, Tools::find(workspace)?.zig())
}

/// Builds the library, checks it, and stages it in the addon.
fn library(workspace: &Workspace, row: &Row) -> Result<PathBuf> {
    let names = row.library().context("a row without a library")?;
    let built = kits::build(workspace, row, &folder(workspace))?;
    let staged = workspace.addon().join("bin").join(&names.staged);
    check(workspace, &built)?;
    replace(&built, &staged)?;
    println!("{:<16} {:>9} bytes  {}", row.key, fs::metadata(&staged)?.len(), names.staged);
    Ok(staged)
}

fn check(workspace: &Workspace, library: &Path) -> Result<()> {
    if let Some(text) = dist::privacy::finding(workspace, library)? {
        anyhow::bail!("it tells where it was built: {text}");
    }
    if let Some(needed) = needed_glibc(&fs::read(library)?) {
        ensure!(needed <= FLOOR, "it needs glibc {needed}, the floor is {FLOOR}");
    }
    Ok(())
}

/// Runs the crates' tests that need no engine in the row's emulator; none where there is no emulator.
fn core_tests(workspace: &Workspace, row: &Row) -> Result<Tally> {
    let tools = Tools::find(workspace)?;
    let runner = unless_excused(runner(workspace, row), false)?;
    let Some(runner) = runner else { return Ok(Tally::default()) };
    let mut own =
        "-p variant-core -p variant-schema -p variant-pack -p variant-text -p variant-save".to_owned();
    if row.library().is_some() {
        // The plugin's tests are those of its kernels, which depend on the processor. The core also runs where Godot does not.
        own += " -p variant-stream";
    }
    // The skipped one starts its own program, which only the emulator can run.
    own += " --lib -- --skip s15_two_processes";
    let across = format!("-p variant-tests --test all -- {EMULATED}");
    let mut tally = Tally::default();
    for words in [own, across] {
        let mut cargo = tools.cargo(workspace, row)?;
        cargo.args(["test", "--no-fail-fast", "--target", &row.for_zig(), "--target-dir"]);
        cargo.arg(folder(workspace)).args(words.split(' '));
        let variable = row.target.to_uppercase().replace('-', "_");
        cargo.env(format!("CARGO_TARGET_{variable}_RUNNER"), &runner);
        if row.runner() == Some(Runner::Wine) {
            wine::prepare(&mut cargo, &folder(workspace), tools.zig())?;
        }
        let outcome = child::run(&mut cargo, Show::Later, None)?;
        let counted = Tally::of_cargo_test(&outcome.lines).judged(outcome.success());
        if counted.failed > 0 {
            println!("{}", outcome.text());
        }
        tally += counted;
    }
    Ok(tally)
}

/// Returns a target folder apart from the host's, because flags and linkers differ.
fn folder(workspace: &Workspace) -> PathBuf {
    workspace.target().join("cross")
}
