//! Finds QEMU's user-mode emulators and the C libraries of other processors, from the system or Debian's
//! packages.
//!
//! The emulators run programs of other processors as if they were this one's. No engine is started here.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use super::{debian, packages};
use crate::workspace::Workspace;

/// Returns an emulator and the folder of the C library that its programs need: the system's where both are
/// installed, else those under the target folder.
pub fn find(workspace: &Workspace, program: &str, libraries: &str) -> Result<(PathBuf, PathBuf)> {
    let in_root = |root: &Path| (root.join("usr/bin").join(program), root.join("usr").join(libraries));
    let (emulator, folder) = in_root(Path::new("/"));
    if emulator.is_file() && folder.join("lib").is_dir() {
        return Ok((emulator, folder));
    }
    let (emulator, folder) = in_root(&root(workspace)?);
    ensure!(emulator.is_file() && folder.is_dir(), "Debian's packages have no {}", emulator.display());
    Ok((emulator, folder))
}

/// Returns the emulator of a processor, without the folder of a C library.
pub(super) fn program(workspace: &Workspace, program: &str) -> Result<PathBuf> {
    let in_root = |root: &Path| root.join("usr/bin").join(program);
    let system = in_root(Path::new("/"));
    if system.is_file() { Ok(system) } else { Ok(in_root(&root(workspace)?)) }
}

fn root(workspace: &Workspace) -> Result<PathBuf> {
    Ok(packages::folder(workspace, "emulators", &debian::EMULATORS, |_| Ok(()))?.join("root"))
}
