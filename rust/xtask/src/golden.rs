//! Records the golden values and their hashes again from a running engine, for `cargo xtask golden`.
//!
//! The engine writes the files; this puts them in their place.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::child::{self, Show};
use crate::engine;
use crate::engine::window::Window;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, godot: Option<&Path>) -> Result<ExitCode> {
    let godot = engine::find(workspace, godot)?;
    let values = workspace.golden().join("godot4_6.json");
    record(workspace, &godot, "res://record.gd", &values, &values)?;
    let mapping = workspace.root().join("rust/serde/tests/engine.json");
    record(workspace, &godot, "res://record.gd", &mapping, &mapping)?;
    record(workspace, &godot, "res://hashes.gd", &values, &workspace.golden().join("hashes.txt"))?;
    Ok(ExitCode::SUCCESS)
}

/// Records the values of the debug build again in an exported Godot 3 game of the same version.
pub(crate) fn run_godot_3(workspace: &Workspace) -> Result<ExitCode> {
    let engine = Window::of_godot_3_release(workspace)?;
    let mut command = engine.godot_3_script(&workspace.root().join("tests/godot3"), "res://record.gd");
    let file = workspace.golden().join("godot3_2_release.json");
    let part = file.with_added_extension("part");
    command.env("VARIANT_FROM", workspace.golden().join("godot3_2.json")).env("VARIANT_TO", &part);
    put(&mut command, &part, &file)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs a script that reads the file `from` and writes `file`.
fn record(workspace: &Workspace, godot: &Path, script: &str, from: &Path, file: &Path) -> Result<()> {
    let part = file.with_added_extension("part");
    let mut command = engine::script(godot, &workspace.golden().join("record"), script);
    command.arg(format!("--from={}", from.display())).arg(format!("--to={}", part.display()));
    put(&mut command, &part, file)
}

/// Runs a command that writes `part`, and puts that file in the place of `file`.
fn put(command: &mut Command, part: &Path, file: &Path) -> Result<()> {
    let outcome = child::run(command, Show::Now, Some(Duration::from_secs(300)))?;
    if !outcome.success() || !part.is_file() {
        let _ = fs::remove_file(part);
        ensure!(false, "the engine recorded nothing, {} is as it was", file.display());
    }
    fs::rename(part, file)?;
    Ok(())
}
