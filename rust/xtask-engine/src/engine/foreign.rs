//! Installs an engine of another processor from Debian's packages under the target folder; QEMU runs it.

use std::path::PathBuf;

use anyhow::Result;

use super::{announce, check, debian, emulators, launcher, packages};
use crate::workspace::Workspace;

/// Returns the engine for arm64, which is installed first if it is not there.
pub fn arm64(workspace: &Workspace) -> Result<PathBuf> {
    let folder = packages::folder(workspace, "engine-arm64", &debian::GODOT_4_ARM64, |_| Ok(()))?;
    // The launcher is written each time, because the system's emulator may have come or gone.
    let emulator = emulators::program(workspace, "qemu-aarch64")?;
    debian::write_emulated(&debian::GODOT_4_ARM64, &folder, &emulator)?;
    let godot = launcher::path_in(&folder);
    let version = check(&godot)?;
    Ok(announce(godot, version, "Debian's packages, for arm64"))
}
