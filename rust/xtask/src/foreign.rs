//! Runs the suites and the conformance run in engines of other platforms, for `cargo xtask foreign`.
//!
//! The engines are of other processors, of Windows under Wine, and of the web in a browser; each is tested in
//! each mode of trust in its memory. The engine for arm64 comes from Debian's packages and runs under QEMU.
//! The others have to be named, because no package has them; docs/RELEASING.md says how to build them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::arguments::{Arguments, Task};
use crate::child::Show;
use crate::conformance;
use crate::cross;
use crate::engine::{self, ALL, RAW};
use crate::tally::Tally;
use crate::test::engine_tests_within;
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
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let key = arguments.target.as_deref().unwrap_or(ARM64);
    let named = arguments.godot.clone().or_else(|| of_environment(key));
    let tally = tried(workspace, key, named.as_deref(), arguments)?;
    println!("{tally}");
    Ok(ExitCode::from(u8::from(tally.failed > 0)))
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
        tally += tried(workspace, key, named.as_deref(), &Arguments::new(Task::Foreign))?;
    }
    Ok(tally)
}

/// Runs the suites once, and the conformance run in each mode. The library of this engine is staged already.
pub(crate) fn in_all_modes(workspace: &Workspace, godot: &Path, arguments: &Arguments) -> Result<Tally> {
    let mut tally = engine_tests_within(PATIENCE, workspace, godot, ALL)?;
    for raw in MODES {
        println!("\n=== VARIANT_STREAM_RAW={raw}");
        let mut command = engine::script(godot, &workspace.project(), conformance::SCRIPT);
        command.env(RAW, raw);
        let outcome = conformance::compare_by(command, arguments, Show::Now)?;
        let ended_well = conformance::verdict(&outcome) == 0;
        tally += Tally::of_engine(&outcome.lines).unwrap_or_default().judged(ended_well);
    }
    Ok(tally)
}

fn tried(workspace: &Workspace, key: &str, named: Option<&Path>, arguments: &Arguments) -> Result<Tally> {
    let godot = match named {
        Some(folder) if web::is_web(key) => folder.to_path_buf(),
        Some(godot) if !cfg!(windows) && godot.extension().is_some_and(|it| it == "exe") => {
            engine::find(workspace, Some(&cross::windows_launcher(workspace, godot)?))?
        }
        Some(_) => engine::find(workspace, named)?,
        None if key == ARM64 => engine::foreign::arm64(workspace)?,
        None => {
            let variable = NAMED.iter().find(|(of, _)| *of == key).map_or("no variable", |(_, name)| name);
            anyhow::bail!("which engine? --godot or {variable} names one for {key}");
        }
    };
    let library = library(workspace, key, arguments)?;
    println!("{}", library.display());
    if web::is_web(key) {
        return web::in_all_modes(workspace, key, &godot, &library, arguments);
    }
    in_all_modes(workspace, &godot, arguments).with_context(|| format!("in the engine for {key}"))
}

/// Builds the library, or takes the one that is in the addon.
pub(crate) fn library(workspace: &Workspace, key: &str, arguments: &Arguments) -> Result<PathBuf> {
    if arguments.staged { cross::staged(workspace, key) } else { cross::stage(workspace, key) }
}

pub(crate) fn of_environment(key: &str) -> Option<PathBuf> {
    let (_, variable) = NAMED.iter().find(|(of, _)| *of == key)?;
    env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}
