//! Builds the library for engines with `precision=double` and tests it in such an engine, for `cargo xtask
//! double`.
//!
//! The suites and the conformance run are run in each mode of trust in the engine's memory. No package has
//! such an engine; docs/RELEASING.md says how to build it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::arguments::{Arguments, Task};
use crate::build;
use crate::child::{self, Show};
use crate::engine::{self, ENGINE_VARIABLE};
use crate::flags;
use crate::foreign;
use crate::tally::Tally;
use crate::workspace::Workspace;

/// The environment variable that names the engine where `--godot` does not.
const VARIABLE: &str = "GODOT_DOUBLE";
/// The text that the version of such an engine contains.
const MARK: &str = ".double.";

/// Returns 1 when something differs.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let named = arguments.godot.clone().or_else(of_environment).with_context(|| {
        format!("which engine? --godot or {VARIABLE} names one that was built with precision=double")
    })?;
    let tally = tried(workspace, &named, arguments)?;
    println!("{tally}");
    Ok(ExitCode::from(u8::from(tally.failed > 0)))
}

/// Runs the suite `double` of `cargo xtask test --long`; it does nothing where no such engine is named.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally> {
    let Some(named) = of_environment() else {
        println!("not run: {VARIABLE} names no engine of double precision");
        return Ok(Tally::default());
    };
    tried(workspace, &named, &Arguments::new(Task::Double))
}

fn of_environment() -> Option<PathBuf> {
    env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn tried(workspace: &Workspace, named: &Path, arguments: &Arguments) -> Result<Tally> {
    let godot = engine::find(workspace, Some(named))?;
    check(&godot)?;
    println!("{}", build::stage_double(workspace, &compile(workspace, &godot)?)?.display());
    foreign::in_all_modes(workspace, &godot, arguments)
}

/// Checks that the engine has double precision. An engine of single precision would not load the library, and
/// report it late.
fn check(godot: &Path) -> Result<()> {
    let mut command = Command::new(godot);
    let outcome =
        child::run(command.args(["--headless", "--version"]), Show::Later, Some(Duration::from_secs(60)))?;
    let is_double = outcome.lines.iter().any(|line| line.contains(MARK));
    ensure!(is_double, "{} is no engine of double precision: {}", godot.display(), outcome.text().trim());
    Ok(())
}

/// Builds in a target folder of its own, because the binding is generated from the API that this engine
/// prints.
fn compile(workspace: &Workspace, godot: &Path) -> Result<PathBuf> {
    let target = workspace.target().join("double");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--release", "--no-default-features"]);
    cargo.args(["--features", "double-precision", "--target-dir"]).arg(&target);
    cargo.env(ENGINE_VARIABLE, godot).env("CARGO_ENCODED_RUSTFLAGS", flags::without_folders(workspace));
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the library does not build");
    build::built_in(&target.join("release"))
}
