//! Runs the suites and the conformance run in engines of other platforms, for `cargo xtask foreign`.
//!
//! The engines are of other processors, of Windows under Wine, and of the web in a browser; each is tested in
//! each mode of trust in its memory. The engine for arm64 comes from Debian's packages and runs under QEMU.
//! The others have to be named, because no package has them; docs/RELEASING.md says how to build them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::arguments::{Compare, Foreign};
use crate::child::Show;
use crate::conformance;
use crate::cross;
use crate::engine::{self, ALL, RAW};
use crate::tally::Tally;
use crate::test::suites;
use crate::web;
use crate::workspace::Workspace;

const ARM64: &str = "linux.arm64";
/// The engines that have to be named: the library's key, and the environment variable that names the engine
/// where `--godot` does not.
const NAMED: [(&str, &str); 4] = [
    ("linux.x86_32", "GODOT_X86_32"),
    ("windows.x86_64", "GODOT_WINDOWS"),
    ("web.nothreads.wasm32", "GODOT_WEB"),
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

/// Runs the suites once, and the conformance run in each mode. The library of this engine is staged already.
pub(crate) fn in_all_modes(workspace: &Workspace, godot: &Path, options: &Compare) -> Result<Tally> {
    let script = |script: &str, raw: &str| {
        let mut command = engine::script(godot, &workspace.project(), script);
        command.env(RAW, raw);
        command
    };
    let mut tally = suites(&mut script("res://tests/run.gd", ALL), "engine", PATIENCE)?;
    for raw in MODES {
        println!("\n=== VARIANT_STREAM_RAW={raw}");
        let command = script(conformance::SCRIPT, raw);
        tally += conformance::tally(&conformance::compare(command, options, Show::Now)?);
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
    let library = cross::stage(workspace, key, options.staged)?;
    println!("{}", library.display());
    if web::is_web(key) {
        return web::in_all_modes(workspace, key, &godot, &library, &options.compare);
    }
    in_all_modes(workspace, &godot, &options.compare).with_context(|| format!("in the engine for {key}"))
}

fn variable(key: &str) -> Option<&'static str> {
    NAMED.iter().find(|(of, _)| *of == key).map(|(_, variable)| *variable)
}

pub(crate) fn of_environment(key: &str) -> Option<PathBuf> {
    env::var_os(variable(key)?).filter(|value| !value.is_empty()).map(PathBuf::from)
}
