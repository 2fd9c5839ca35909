//! QEMU's user-mode emulators with C libraries of other processors, from Debian's packages under the target folder.
//! They run programs of other processors as if they were this one's. No engine is started here.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Progress, debian};
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// An emulator and the folder of the C library that its programs want: the system's where both are installed, else
/// those under the target folder.
pub(crate) fn find(workspace: &Workspace, program: &str, libraries: &str) -> Result<(PathBuf, PathBuf)> {
    let in_root = |root: &Path| (root.join("usr/bin").join(program), root.join("usr").join(libraries));
    let (emulator, folder) = in_root(Path::new("/"));
    if emulator.is_file() && folder.join("lib").is_dir() {
        return Ok((emulator, folder));
    }
    let (emulator, folder) = in_root(&cached_or_new(workspace)?);
    ensure!(emulator.is_file() && folder.is_dir(), "Debian's packages have no {}", emulator.display());
    Ok((emulator, folder))
}

fn cached_or_new(workspace: &Workspace) -> Result<PathBuf> {
    let target = workspace.target();
    let folder = target.join("emulators");
    fs::create_dir_all(&target)?;
    let lock = File::create(target.join("emulators.lock"))?;
    lock.lock().context("cannot lock the folder of the emulators")?;
    if !folder.join("root").is_dir() {
        let part = target.join("emulators.part");
        remove_tree(&part)?;
        fs::create_dir_all(&part)?;
        debian::unpack(&debian::EMULATORS, &part, &Progress::start())
            .context("no QEMU from Debian's packages")?;
        remove_tree(&folder)?;
        fs::rename(&part, &folder).context("cannot put the emulators in their place")?;
    }
    Ok(folder.join("root"))
}
