//! Runs the suites and the conformance run in engines of other platforms and builds, for `cargo xtask foreign` and `cargo xtask
//! double`.
//!
//! The engines are of other processors, of Windows under Wine, of the web in a browser, and of double precision; each is tested
//! in each mode of trust in its memory. The engine for arm64 comes from Debian's packages and runs under QEMU. The others have to
//! be named, because no package has them; docs/RELEASING.md says how to build them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::arguments::{Compare, Foreign};
use crate::build;
use crate::child::{self, Show};
use crate::conformance;
use crate::cross;
use crate::engine::{self, ALL, ENGINE_VARIABLE, RAW};
use crate::flags;
use crate::tally::Tally;
use crate::test::suites;
use crate::web;
use crate::workspace::Workspace;

const ARM64: &str = "linux.arm64";
/// The key of engines that were built with `precision=double`, and the text that their version contains.
const DOUBLE: &str = "double";
const MARK: &str = ".double.";
/// The engines that have to be named: the library's key, and the environment variable that names the engine
/// where `--godot` does not.
const NAMED: [(&str, &str); 5] = [
    ("linux.x86_32", "GODOT_X86_32"),
    ("windows.x86_64", "GODOT_WINDOWS"),
    ("web.nothreads.wasm32", "GODOT_WEB"),
    (DOUBLE, "GODOT_DOUBLE"),
    (ARM64, "GODOT_ARM64"),
];
/// The modes of trust in the engine's memory; see docs/PERFORMANCE.md.
pub(crate) const MODES: [&str; 2] = [ALL, "off"];

/// The time limit of the suites, which take tens of times as long under an emulator.
const PATIENCE: Duration = Duration::from_secs(3600);

/// Returns 1 when something differs.
pub(crate) fn run(workspace: &Workspace, options: &Foreign) -> Result<ExitCode> {
    let key = options.target.as_deref().unwrap_or(ARM64);
    let named = options.compare.godot.clone().or_else(|| of_environment(key));
    tried(workspace, key, named.as_deref(), options)?.close()
}

/// Returns the options for an engine of double precision.
pub(crate) fn double(compare: Compare) -> Foreign {
    Foreign { target: Some(DOUBLE.to_owned()), compare, staged: false }
}

/// Runs the suite `foreign` of `cargo xtask test --long`: arm64, and every engine that is named.
pub(crate) fn test(workspace: &Workspace) -> Result<Tally> {
    let mut tally = Tally::default();
    for (key, variable) in NAMED {
        let named = of_environment(key);
        if named.is_none() && key != ARM64 {
            println!("{key}: not run: {variable} names no engine");
            continue;
        }
        tally += tried(workspace, key, named.as_deref(), &Foreign::default())?;
    }
    Ok(tally)
}

fn tried(workspace: &Workspace, key: &str, named: Option<&Path>, options: &Foreign) -> Result<Tally> {
    let godot = match named {
        Some(folder) if web::is_web(key) => folder.to_path_buf(),
        Some(godot) if !cfg!(windows) && godot.extension().is_some_and(|it| it == "exe") => {
            engine::find(workspace, Some(&cross::windows_launcher(workspace, godot)?))?
        }
        Some(_) => engine::find(workspace, named)?,
        None if key == ARM64 => engine::find_arm64(workspace)?,
        None => {
            bail!("which engine? --godot or {} names one for {key}", variable(key).unwrap_or("no variable"))
        }
    };
    let library = match key {
        DOUBLE => stage_double(workspace, &godot)?,
        _ => cross::stage(workspace, key, options.staged)?,
    };
    println!("{}", library.display());
    if web::is_web(key) {
        return web::in_all_modes(workspace, key, &godot, &library, &options.compare);
    }
    in_all_modes(workspace, &godot, &options.compare).with_context(|| format!("in the engine for {key}"))
}

/// Runs the suites once, and the conformance run in each mode. The library of this engine is staged already.
fn in_all_modes(workspace: &Workspace, godot: &Path, options: &Compare) -> Result<Tally> {
    let script = |script: &str, raw: &str| {
        let mut command = engine::script(godot, &workspace.project(), script);
        command.env(RAW, raw);
        command
    };
    let mut tally = suites(&mut script("res://tests/run.gd", ALL), "engine", PATIENCE)?;
    for raw in MODES {
        println!("\n=== {RAW}={raw}");
        tally += conformance::tally(script(conformance::SCRIPT, raw), options)?;
    }
    Ok(tally)
}

/// Builds the library for this engine of double precision.
fn stage_double(workspace: &Workspace, godot: &Path) -> Result<PathBuf> {
    // An engine of single precision would not load the library, and report it late.
    let mut version = Command::new(godot);
    version.args(["--headless", "--version"]);
    let version = child::run(&mut version, Show::Later, Some(Duration::from_secs(60)))?.text();
    ensure!(version.contains(MARK), "{} is no engine of double precision: {version}", godot.display());
    // The target folder is one of its own, because the binding is generated from the API that this engine prints.
    let target = workspace.target().join(DOUBLE);
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", "variant-stream", "--release", "--no-default-features"]);
    cargo.args(["--features", "double-precision", "--target-dir"]).arg(&target);
    cargo.env(ENGINE_VARIABLE, godot).env("CARGO_ENCODED_RUSTFLAGS", flags::of_release(workspace));
    ensure!(child::run(&mut cargo, Show::Now, None)?.success(), "the library does not build");
    build::stage_double(workspace, &build::built_in(&target.join("release"))?)
}

fn variable(key: &str) -> Option<&'static str> {
    NAMED.iter().find(|(of, _)| *of == key).map(|(_, variable)| *variable)
}

pub(crate) fn of_environment(key: &str) -> Option<PathBuf> {
    env::var_os(variable(key)?).filter(|value| !value.is_empty()).map(PathBuf::from)
}
