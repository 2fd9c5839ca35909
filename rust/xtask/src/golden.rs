//! Records the golden values anew from a running engine. The engine writes the file; this puts it in its
//! place.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::child::{self, Show};
use crate::engine;
use crate::workspace::Workspace;

pub(crate) fn run(workspace: &Workspace, godot: Option<&Path>) -> Result<ExitCode> {
    let godot = engine::find(workspace, godot)?;
    let file = workspace.golden().join("godot4_6.json");
    let part = file.with_added_extension("part");
    let mut command = engine::script(&godot, &workspace.golden().join("record"), "res://record.gd");
    command.arg(format!("--from={}", file.display())).arg(format!("--to={}", part.display()));
    let outcome = child::run(&mut command, Show::Now, Some(Duration::from_secs(300)))?;
    if !outcome.success() || !part.is_file() {
        let _ = fs::remove_file(&part);
        ensure!(false, "the engine recorded nothing, {} is as it was", file.display());
    }
    fs::rename(&part, &file)?;
    Ok(ExitCode::SUCCESS)
}
