//! Finds a Godot 3 for the tests: the one that is named, else the headless one of Debian's packages.
//!
//! There is no other source; without a Godot 3 the long tests fail.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::version::Version;
use super::{Progress, announce, debian, launcher, packages, version_of};
use crate::workspace::Workspace;

/// The environment variable that names a Godot 3, as `GODOT4_BIN` names a Godot 4.
const VARIABLE: &str = "GODOT3_BIN";

/// Returns the engine that is named, else the cached one, else a new install.
pub fn find(workspace: &Workspace, named: Option<&Path>) -> Result<PathBuf> {
    let of_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = named.map(|path| (path.to_owned(), "--godot"));
    if let Some((godot, by)) = chosen.or(of_environment.map(|path| (path, VARIABLE))) {
        let version = check(&godot).with_context(|| format!("{by} names {}", godot.display()))?;
        return Ok(announce(std::path::absolute(godot)?, version, by));
    }
    cached_or_new(&workspace.target())
}

fn cached_or_new(target: &Path) -> Result<PathBuf> {
    let installed = packages::cached_or_new(
        target,
        "engine3",
        |folder| check(&launcher::path_in(folder)),
        |part| {
            debian::install(&debian::GODOT_3, part, &Progress::start())
                .context("no Godot 3 from Debian's packages")
        },
    )?;
    Ok(announce(launcher::path_in(&installed.folder), installed.told, installed.origin))
}

/// Returns the version of a Godot 3; an error says why it is none.
fn check(godot: &Path) -> Result<Version> {
    let version = version_of(&mut Command::new(godot))?;
    if !version.is_godot_3() {
        bail!("it is Godot {version}, a Godot 3 is needed");
    }
    Ok(version)
}
