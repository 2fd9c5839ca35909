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

use crate::arguments::Compare;
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
pub(crate) fn run(workspace: &Workspace, options: &Compare) -> Result<ExitCode> {
    let named = options.godot.clone().or_else(of_environment).with_context(|| {
        format!("which engine? --godot or {VARIABLE} names one that was built with precision=double")
    })?;
    tried(workspace, &named, options)?.close()
}

/// Runs the suite `double` of `cargo xtask test --long`; it does nothing where no such engine is named.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally> {
    let Some(named) = of_environment() else {
        println!("not run: {VARIABLE} names no engine of double precision");
        return Ok(Tally::default());
    };
    tried(workspace, &named, &Compare::default())
}

fn of_environment() -> Option<PathBuf> {
    env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn tried(workspace: &Workspace, named: &Path, options: &Compare) -> Result<Tally> {
    let godot = engine::find(workspace, Some(named))?;
    // An engine of single precision would not load the library, and report it late.
    let mut version = Command::new(&godot);
    version.args(["--headless", "--version"]);
    let version = child::run(&mut version, Show::Later, Some(Duration::from_secs(60)))?.text();
    ensure!(version.contains(MARK), "{} is no engine of double precision: {version}", godot.display());
    // The target folder is one of its own, because the binding is generated from the API that this engine prints.
    let target = workspace.target().join("double");
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--release", "--no-default-features"]);
    cargo.args(["--features", "double-precision", "--target-dir"]).arg(&target);
    cargo.env(ENGINE_VARIABLE, &godot).env("CARGO_ENCODED_RUSTFLAGS", flags::without_folders(workspace));
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the library does not build");
    let library = build::built_in(&target.join("release"))?;
    println!("{}", build::stage_double(workspace, &library)?.display());
    foreign::in_all_modes(workspace, &godot, options)
}
