//! An engine of another processor, from Debian's packages under the target folder, run by QEMU as if it were this one's.

use std::path::PathBuf;

use anyhow::Result;

use super::{announce, check, debian, emulators, launcher, packages};
use crate::workspace::Workspace;

/// The engine for arm64, installed now if it is not there.
pub fn arm64(workspace: &Workspace) -> Result<PathBuf> {
    let folder = packages::folder(workspace, "engine-arm64", &debian::GODOT_4_ARM64, |_| Ok(()))?;
    // Each time: the emulator may be the system's now, or no longer.
    let emulator = emulators::program(workspace, "qemu-aarch64")?;
    debian::write_emulated(&debian::GODOT_4_ARM64, &folder, &emulator)?;
    let godot = launcher::path_in(&folder);
    let version = check(&godot)?;
    Ok(announce(godot, version, "Debian's packages, for arm64"))
}
