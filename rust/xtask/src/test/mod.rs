//! Runs every suite for `cargo xtask test`: everything is built first, then a few suites run at a time.
//!
//! Each suite is a process of its own, `cargo xtask test --only SUITE --staged`, whose output is printed whole when it ends. It
//! counts what the runners report, and lets no suite pass that ran nothing.

mod lanes;
mod suites;
mod table;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Result, ensure};

use crate::arguments::Test;
use crate::build::{self, Profile};
use crate::child::{self, Show};
use crate::engine;
use crate::tally::Tally;
use crate::workspace::Workspace;
use lanes::Report;
pub(crate) use suites::{in_own_folder, suites};
use table::{Suite, TABLE};

/// Holds the arguments of a suite.
#[derive(Debug)]
struct Stage<'a> {
    workspace: &'a Workspace,
    /// The engine; empty for suites that need none.
    godot: PathBuf,
    long: bool,
}

/// Runs all suites, also after a failure, so that one run shows everything that is broken.
pub(crate) fn run(workspace: &Workspace, options: &Test) -> Result<ExitCode> {
    fs::create_dir_all(workspace.reports())?;
    let is_chosen = |suite: &&Suite| match &options.only {
        Some(only) => suite.is_named(only),
        None => options.long || !suite.is_long,
    };
    let chosen: Vec<&Suite> = TABLE.iter().filter(is_chosen).collect();
    let tally = match &options.only {
        Some(_) => here(workspace, options, &chosen),
        None => all(workspace, options, &chosen)?,
    };
    tally.close()
}

/// Runs these suites in this process, one after the other.
fn here(workspace: &Workspace, options: &Test, chosen: &[&Suite]) -> Tally {
    let mut tally = Tally::default();
    for suite in chosen {
        let result = stage(workspace, options, suite.needs_engine).and_then(|stage| (suite.run)(&stage));
        tally += result.unwrap_or_else(|error| {
            eprintln!("{}: {error:#}", suite.name);
            Tally::new(0, 1)
        });
    }
    // No suite has the name that was given.
    if chosen.is_empty() { tally.judged(false) } else { tally }
}

/// Builds what a suite needs, unless the run around this one has.
fn stage<'a>(workspace: &'a Workspace, options: &Test, needs_engine: bool) -> Result<Stage<'a>> {
    let mut godot = PathBuf::new();
    if needs_engine {
        if !options.staged {
            build::run(workspace, Profile::Release)?;
        }
        godot = engine::find(workspace, options.godot.as_deref())?;
    }
    Ok(Stage { workspace, godot, long: options.long })
}

/// Builds everything, then runs these suites a few at a time, each in a process of its own.
fn all(workspace: &Workspace, options: &Test, chosen: &[&Suite]) -> Result<Tally> {
    let program = std::env::current_exe()?;
    let mut report = Report::default();
    // The library takes one core for most of its time, so that the tests are built beside it.
    let (staged, built) = thread::scope(|scope| {
        let tests = scope.spawn(|| suites::build_rust(workspace, options.long));
        let staged = build::run(workspace, Profile::Release)
            .and_then(|_| engine::find(workspace, options.godot.as_deref()));
        (staged, tests.join())
    });
    if !matches!(built, Ok(Ok(()))) {
        eprintln!("the Rust tests do not build; the suite `rust` says why");
    }
    let mut chosen = chosen.to_vec();
    let godot = match staged {
        Ok(godot) => Some(godot),
        Err(error) => {
            eprintln!("engine: {error:#}");
            chosen.retain(|suite| !suite.needs_engine);
            report.add("engine", Tally::new(0, 1), 0.0);
            None
        }
    };
    // Engine suites are shared out; other long ones measure memory, or change what lies in the addon.
    let lanes = if options.long { 1 } else { lanes::COUNT };
    lanes::run(&chosen, lanes, &mut report, &|suite| {
        let mut command = Command::new(&program);
        command.current_dir(workspace.root()).args(["test", "--staged", "--only", suite.name]);
        command.args(options.long.then_some("--long"));
        if let Some(godot) = &godot {
            command.arg("--godot").arg(godot);
        }
        let outcome = child::run(&mut command, Show::Later, None)?;
        ensure!(!outcome.lines.is_empty(), "it said nothing and ended with {:?}", outcome.code);
        Ok(outcome)
    });
    if godot.is_some() {
        report.check_once();
    }
    Ok(report.close())
}
