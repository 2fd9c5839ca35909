//! Records the golden values and their hashes anew from a running engine. The engine writes the files; this puts
//! them in their place.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::child::{self, Show};
use crate::engine;
use crate::engine::godot_3_release::Release;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, godot: Option<&Path>) -> Result<ExitCode> {
    let godot = engine::find(workspace, godot)?;
    let values = workspace.golden().join("godot4_6.json");
    record(workspace, &godot, "res://record.gd", &values, &values)?;
    record(workspace, &godot, "res://hashes.gd", &values, &workspace.golden().join("hashes.txt"))?;
    Ok(ExitCode::SUCCESS)
}

/// What an exported Godot 3 game writes for the same values as a debug build of its version.
pub(crate) fn run_godot_3(workspace: &Workspace) -> Result<ExitCode> {
    let engine = Release::open(workspace)?;
    let mut command = engine.script(&workspace.godot_3(), "res://record.gd");
    let file = workspace.golden().join("godot3_2_release.json");
    let part = file.with_added_extension("part");
    command.env("VARIANT_FROM", workspace.golden().join("godot3_2.json")).env("VARIANT_TO", &part);
    put(&mut command, &part, &file)?;
    Ok(ExitCode::SUCCESS)
}

/// One script, which reads one file and writes the other.
fn record(workspace: &Workspace, godot: &Path, script: &str, from: &Path, file: &Path) -> Result<()> {
    let part = file.with_added_extension("part");
    let mut command = engine::script(godot, &workspace.golden().join("record"), script);
    command.arg(format!("--from={}", from.display())).arg(format!("--to={}", part.display()));
    put(&mut command, &part, file)
}

/// Runs what writes the one file, and puts that in the place of the other.
fn put(command: &mut Command, part: &Path, file: &Path) -> Result<()> {
    let outcome = child::run(command, Show::Now, Some(Duration::from_secs(300)))?;
    if !outcome.success() || !part.is_file() {
        let _ = fs::remove_file(part);
        ensure!(false, "the engine recorded nothing, {} is as it was", file.display());
    }
    fs::rename(part, file)?;
    Ok(())
}
