//! Starts the suites that have no file of their own: the Rust tests and the suites in the engine.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::Stage;
use crate::arguments::Compare;
use crate::child::{self, Outcome, Show};
use crate::cross::tools::works;
use crate::files::remove_tree;
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{conformance, engine};

/// Runs the Rust tests by nextest where it is installed, then the doc tests, which it does not run; else by
/// `cargo test`.
pub(super) fn rust_tests(workspace: &Workspace, long: bool) -> Result<Tally> {
    // Tests that pass over these say so where nobody looks.
    for (program, tests) in [("node", "JavaScript"), ("tsc", "types for TypeScript"), ("mcs", "C#")] {
        if !works(Path::new(program)) {
            println!("not run: what gdvar writes in {tests}: there is no {program}, see .ci/install");
        }
    }
    let nextest = ["nextest", "run", "--workspace", "--no-fail-fast"];
    let cargo_test = ["test", "--workspace", "--no-fail-fast"];
    if !has_nextest(workspace)? {
        let outcome = run_rust(workspace, &cargo_test, "--profile", long)?;
        return Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()));
    }
    let tests = run_rust(workspace, &nextest, "--cargo-profile", long)?;
    let doc_tests = run_rust(workspace, &[&cargo_test[..], &["--doc"]].concat(), "--profile", long)?;
    let mut tally = Tally::of_nextest(&tests.lines).judged(tests.success());
    tally += Tally::of_cargo_test(&doc_tests.lines);
    Ok(tally.judged(doc_tests.success()))
}

fn has_nextest(workspace: &Workspace) -> Result<bool> {
    Ok(child::run(workspace.cargo().args(["nextest", "--version"]), Show::Later, None)?.success())
}

/// Runs cargo. `profile` is the option by which cargo or nextest takes its profile.
fn run_rust(workspace: &Workspace, words: &[&str], profile: &str, long: bool) -> Result<Outcome> {
    let mut cargo = workspace.cargo();
    cargo.args(words);
    if long {
        cargo.args([profile, "long"]).env("VARIANT_LONG", "1");
    }
    child::run(&mut cargo, Show::Now, None)
}

/// Builds the Rust tests, so that they can run beside others.
pub(super) fn build_rust(workspace: &Workspace, long: bool) -> Result<()> {
    let (words, profile) = match has_nextest(workspace)? {
        true => (["nextest", "run", "--workspace", "--no-run"], "--cargo-profile"),
        false => (["test", "--workspace", "--no-run", "--quiet"], "--profile"),
    };
    ensure!(run_rust(workspace, &words, profile, long)?.success(), "they do not build");
    Ok(())
}

/// Runs the tests that need a running Godot 3: see tests/tests/godot_3_live.
pub(super) fn godot_3(stage: &Stage<'_>) -> Result<Tally> {
    let godot = engine::find_godot_3(stage.workspace, None)?;
    ignored(stage.workspace, "VARIANT_GODOT3", &godot, &["godot_3_live::", "engine_files::godot_3"])
}

/// Runs the Rust tests that need a running Godot 4: files that it writes (rust/cli/tests/engine_files.rs), values of types that
/// derive serde, there and back (tests/tests/serde.rs), a client in it on a server in Rust (rust/protocol/tests/server.rs).
pub(super) fn rust_with_engine(stage: &Stage<'_>) -> Result<Tally> {
    let names = ["engine_files::godot_4", "serde::the_engine", "the_engine"];
    let tally = ignored(stage.workspace, "VARIANT_GODOT", &stage.godot, &names)?;
    Ok(tally.judged(tally.passed >= 3))
}

/// Runs tests that are ignored elsewhere, with an engine. The whole workspace is named so that nothing is built for them: alone, a
/// crate is built with fewer features.
fn ignored(workspace: &Workspace, variable: &str, godot: &Path, names: &[&str]) -> Result<Tally> {
    let mut cargo = workspace.cargo();
    cargo.args(["test", "--workspace", "--tests", "--", "--ignored"]).args(names);
    let outcome = child::run(cargo.env(variable, godot), Show::Now, Some(Duration::from_secs(1200)))?;
    Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()))
}

/// Runs a share of the suites in the engine.
pub(super) fn engine_share(stage: &Stage<'_>, share: &str) -> Result<Tally> {
    let mut command = engine::script(&stage.godot, &stage.workspace.project(), "res://tests/run.gd");
    let report = format!("engine-{}.xml", share.replace('/', "-of-"));
    command.arg("--shard").arg(share).arg("--junit").arg(stage.workspace.reports().join(report));
    command.envs(engine::raw_in(&stage.godot).map(|raw| (engine::RAW, raw)));
    // Two engines at a time would write to the same files.
    let name = format!("engine-{}", share.replace('/', "-of-"));
    in_own_folder(&mut command, stage.workspace, &name)?;
    command.args(stage.long.then_some("--long"));
    suites(&mut command, "engine", PATIENCE * if stage.long { 8 } else { 1 })
}

/// Gives an engine a folder of its own for `user://`.
pub(crate) fn in_own_folder(command: &mut Command, workspace: &Workspace, name: &str) -> Result<()> {
    let folder = workspace.target().join("user").join(name);
    remove_tree(&folder)?;
    fs::create_dir_all(&folder)?;
    // On Linux, Windows and macOS.
    command.env("XDG_DATA_HOME", &folder).env("APPDATA", &folder);
    if cfg!(target_os = "macos") {
        command.env("HOME", &folder);
    }
    Ok(())
}

/// The time limit of a run of suites: a machine that does other things may take several times as long as an idle one.
const PATIENCE: Duration = Duration::from_secs(1200);

/// Runs a command that starts the suites, and judges how they end.
pub(crate) fn suites(command: &mut Command, name: &str, limit: Duration) -> Result<Tally> {
    let outcome = child::run(command, Show::Now, Some(limit))?;
    if outcome.timed_out {
        eprintln!("{name}: no end after {:.0} s, stopped", outcome.seconds);
    }
    let red = Tally::red_line_of_suites(&outcome);
    if let Some(line) = red {
        eprintln!("{name}: red because of: {line}");
    }
    let tally = Tally::of_engine(&outcome.lines).unwrap_or_default();
    Ok(tally.judged(outcome.success() && red.is_none()))
}

/// Runs the conformance run, and the suites that may depend on it, with nothing of the engine's memory trusted: the code for an
/// engine in which every probe fails.
pub(super) fn plainly(stage: &Stage<'_>) -> Result<Tally> {
    let script = |script: &str| {
        let mut command = engine::script(&stage.godot, &stage.workspace.project(), script);
        command.env(engine::RAW, "off");
        command
    };
    let options = Compare { cases: Some(if stage.long { 20_000 } else { 4_000 }), ..Compare::default() };
    let mut tally = conformance::tally(script(conformance::SCRIPT), &options)?;
    let mut command = script("res://tests/run.gd");
    in_own_folder(command.arg("--again"), stage.workspace, "off")?;
    tally += suites(&mut command, "off", PATIENCE)?;
    Ok(tally)
}

/// Runs the conformance run.
pub(super) fn compare(stage: &Stage<'_>) -> Result<Tally> {
    let junit = Some(stage.workspace.reports().join("conformance.xml"));
    let command = engine::script(&stage.godot, &stage.workspace.project(), conformance::SCRIPT);
    conformance::tally(command, &Compare { junit, ..Compare::default() })
}
