//! Writes and names the launcher inside an install folder, which starts its engine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The executable for the console: the other one gives a calling program neither output nor exit code.
pub(super) const WINDOWS_BINARY: &str = "Godot_v4.6.3-stable_win64_console.exe";

/// Returns the path to start: a launcher script; on Windows, where there are none, the engine itself.
pub(super) fn path_in(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { WINDOWS_BINARY } else { "godot" })
}

/// Writes the launcher: a shell script that finds its engine beside itself, so that it works in a checkout
/// that was moved or copied. `start` is the line that runs the engine, with the folder in `$here`.
pub(super) fn write(folder: &Path, start: &str) -> Result<()> {
    if cfg!(windows) { Ok(()) } else { write_as(&path_in(folder), start) }
}

/// Writes a launcher of any program to the path `launcher`.
pub fn write_as(launcher: &Path, start: &str) -> Result<()> {
    fs::write(launcher, format!("#!/bin/sh\nhere=$(dirname -- \"$(readlink -f -- \"$0\")\")\n{start}"))?;
    make_executable(launcher)
}

#[cfg(unix)]
pub(super) fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", file.display()))
}

#[cfg(not(unix))]
pub(super) fn make_executable(_file: &Path) -> Result<()> {
    Ok(())
}
