//! Runs every suite and prints its seconds and counts, for `cargo xtask test`.
//!
//! It counts what the runners report, and lets no suite pass that ran nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::arguments::{Arguments, Task};
use crate::build::{self, Profile};
use crate::child::{self, Outcome, Show};
use crate::tally::Tally;
use crate::workspace::Workspace;
use crate::{
    actionlint, asan, conformance, cross, dist, double, engine, foreign, packages, release_run, screenshots,
    self_check, shown,
};

/// Runs all suites, also after a failure, so that one run shows everything that is broken.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let mut report = Report { only: arguments.only.clone(), ..Report::default() };
    fs::create_dir_all(workspace.reports())?;
    report.suite("rust", || rust_tests(workspace, arguments.long));
    report.suite("packages", || packages::test(workspace));
    report.suite("actionlint", || actionlint::test(workspace, arguments.long));
    if arguments.long {
        report.suite("godot 3", || godot_3(workspace));
        report.suite("fresh", || packages::fresh(workspace));
        report.suite("cross", || cross::test(workspace));
    }
    let staged = build::run(workspace, Profile::Release)
        .and_then(|_| engine::find(workspace, arguments.godot.as_deref()));
    match staged {
        Ok(godot) => {
            report.suite("engine", || engine_tests(workspace, &godot, None, arguments.long));
            report.suite("gdvar", || gdvar_files(workspace, "VARIANT_GODOT", &godot));
            report.suite("serde", || serde_values(workspace, &godot));
            report.suite("rust server", || rust_server(workspace, &godot));
            report.suite("conformance", || compare(workspace, &godot));
            report.suite("release", || release_run::test(workspace, &godot, arguments.long));
            report.suite("off", || plainly(workspace, &godot, "off", arguments.long));
            report.suite("dist", || dist::suite::run(workspace, &godot, arguments.long));
            report.suite("example game", || dist::game::run(workspace, &godot, arguments.long));
            if arguments.long {
                report.suite("window", || screenshots::test(workspace));
            }
            report.suite("documents", || shown::test(workspace, &godot));
            report.suite("self-check", || self_check::run(workspace, &godot));
            if arguments.long {
                report.suite("asan", || asan::test(workspace, &godot));
                report.suite("double", || double::test(workspace));
                report.suite("foreign", || foreign::test(workspace));
            }
        }
        Err(error) => report.suite("engine", || Err(error)),
    }
    Ok(report.close())
}

/// Collects the results of the suites.
#[derive(Default)]
struct Report {
    /// The name of the suite to run; `None` runs all.
    only: Option<String>,
    lines: Vec<String>,
    total: Tally,
}

impl Report {
    fn suite(&mut self, name: &str, run: impl FnOnce() -> Result<Tally>) {
        if self.only.as_deref().is_some_and(|only| only != name) {
            return;
        }
        println!("\n=== {name}");
        let start = Instant::now();
        let tally = run().unwrap_or_else(|error| {
            eprintln!("{name}: {error:#}");
            Tally::new(0, 1)
        });
        self.total += tally;
        let (seconds, Tally { passed, failed }) = (start.elapsed().as_secs_f64(), tally);
        self.lines.push(format!("{name:<12} {passed:>8} passed {failed:>6} failed {seconds:>8.1} s"));
    }

    fn close(self) -> ExitCode {
        println!();
        for line in &self.lines {
            println!("{line}");
        }
        // No suite has the name that was given.
        let total = if self.lines.is_empty() { self.total.judged(false) } else { self.total };
        println!("{total}");
        ExitCode::from(u8::from(total.failed > 0))
    }
}

/// Runs the Rust tests by nextest where it is installed, then the doc tests, which it does not run; else by
/// `cargo test`.
fn rust_tests(workspace: &Workspace, long: bool) -> Result<Tally> {
    let nextest = ["nextest", "run", "--workspace", "--no-fail-fast"];
    let cargo_test = ["test", "--workspace", "--no-fail-fast"];
    let has_nextest =
        child::run(workspace.cargo().args(["nextest", "--version"]), Show::Later, None)?.success();
    if !has_nextest {
        let outcome = run_rust(workspace, &cargo_test, "--profile", long)?;
        return Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()));
    }
    let tests = run_rust(workspace, &nextest, "--cargo-profile", long)?;
    let doc_tests = run_rust(workspace, &[&cargo_test[..], &["--doc"]].concat(), "--profile", long)?;
    let mut tally = Tally::of_nextest(&tests.lines).judged(tests.success());
    tally += Tally::of_cargo_test(&doc_tests.lines);
    Ok(tally.judged(doc_tests.success()))
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

/// Runs the tests that need a running Godot 3: see tests/tests/godot_3_live.
fn godot_3(workspace: &Workspace) -> Result<Tally> {
    let godot = engine::godot_3::find(workspace, None)?;
    let mut cargo = workspace.cargo();
    cargo.args(["test", "-p", "variant-tests", "--test", "all", "godot_3_live::", "--", "--ignored"]);
    let outcome = child::run(cargo.env("VARIANT_GODOT3", &godot), Show::Now, Some(Duration::from_secs(900)))?;
    let mut tally = Tally::of_cargo_test(&outcome.lines).judged(outcome.success());
    tally += gdvar_files(workspace, "VARIANT_GODOT3", &godot)?;
    Ok(tally)
}

/// Tests that gdvar opens files that this engine writes: see rust/cli/tests/engine_files.rs.
fn gdvar_files(workspace: &Workspace, variable: &str, godot: &Path) -> Result<Tally> {
    let mut cargo = workspace.cargo();
    let which = if variable == "VARIANT_GODOT3" { "engine_files::godot_3" } else { "engine_files::godot_4" };
    cargo.args(["test", "-p", "gdvar", "--test", "all", which, "--", "--ignored"]);
    let outcome = child::run(cargo.env(variable, godot), Show::Now, Some(Duration::from_secs(900)))?;
    Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()))
}

/// Values of types that derive serde, to an engine and back: see tests/tests/serde.rs.
fn serde_values(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    let mut cargo = workspace.cargo();
    cargo.args(["test", "-p", "variant-tests", "--test", "all", "serde::the_engine", "--", "--ignored"]);
    let outcome = child::run(cargo.env("VARIANT_GODOT", godot), Show::Now, Some(Duration::from_secs(600)))?;
    Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()))
}

/// A client in the engine on a server in Rust: see rust/protocol/tests/server.rs.
fn rust_server(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    let mut cargo = workspace.cargo();
    cargo.args(["test", "-p", "variant-protocol", "--test", "server", "the_engine", "--", "--ignored"]);
    let outcome = child::run(cargo.env("VARIANT_GODOT", godot), Show::Now, Some(Duration::from_secs(600)))?;
    Ok(Tally::of_cargo_test(&outcome.lines).judged(outcome.success()))
}

/// Runs the suites in the engine, with less of its memory trusted if `raw` says so.
pub(crate) fn engine_tests(
    workspace: &Workspace,
    godot: &Path,
    raw: Option<&str>,
    long: bool,
) -> Result<Tally> {
    let limit = Duration::from_secs(if long { 7200 } else { 900 });
    engine_tests_within(limit, workspace, godot, raw, long)
}

/// Runs the suites with a time limit of its own, after which they are stopped.
pub(crate) fn engine_tests_within(
    limit: Duration,
    workspace: &Workspace,
    godot: &Path,
    raw: Option<&str>,
    long: bool,
) -> Result<Tally> {
    let mut command = engine::script(godot, &workspace.project(), "res://tests/run.gd");
    if raw.is_none() {
        command.arg(format!("--junit={}", workspace.reports().join("engine.xml").display()));
    }
    command.envs(raw.or_else(|| engine::raw_in(godot)).map(|raw| (engine::RAW, raw)));
    if long {
        command.arg("--long");
    }
    suites(&mut command, "engine", limit)
}

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

/// Runs the conformance run and the suites in the engine with nothing of its memory trusted: the code for one in which
/// every probe fails.
fn plainly(workspace: &Workspace, godot: &Path, raw: &str, long: bool) -> Result<Tally> {
    let mut tally = compare_plainly(workspace, godot, raw, long)?;
    tally += engine_tests(workspace, godot, Some(raw), false)?;
    Ok(tally)
}

fn compare_plainly(workspace: &Workspace, godot: &Path, raw: &str, long: bool) -> Result<Tally> {
    let mut arguments = Arguments::new(Task::Conformance);
    arguments.cases = Some(if long { 20_000 } else { 4_000 });
    let outcome = conformance::compare_plainly(godot, &workspace.project(), &arguments, raw)?;
    let ended_well = conformance::verdict(&outcome) == 0;
    if !ended_well {
        println!("{}", outcome.text());
    }
    Ok(Tally::of_engine(&outcome.lines).unwrap_or_default().judged(ended_well))
}

fn compare(workspace: &Workspace, godot: &Path) -> Result<Tally> {
    let mut arguments = Arguments::new(Task::Conformance);
    arguments.junit = Some(workspace.reports().join("conformance.xml"));
    let outcome = conformance::compare(godot, &workspace.project(), &arguments, Show::Now)?;
    let ended_well = conformance::verdict(&outcome) == 0;
    Ok(Tally::of_engine(&outcome.lines).unwrap_or_default().judged(ended_well))
}
