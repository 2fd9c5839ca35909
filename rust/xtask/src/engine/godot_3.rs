//! A Godot 3 for the library to talk to in tests: the one that is named, else the headless one of Debian's packages
//! under the target folder. There is no other source; without one the long tests are red.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::version::Version;
use super::{Progress, announce, debian, launcher};
use crate::child::{self, Show};
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// Names a Godot 3, as `GODOT4_BIN` names a Godot 4.
const VARIABLE: &str = "GODOT3_BIN";

/// The named one, else the cached one, else a new install.
pub(crate) fn find(workspace: &Workspace, named: Option<&Path>) -> Result<PathBuf> {
    let of_environment = env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    let chosen = named.map(|path| (path.to_owned(), "--godot"));
    if let Some((godot, by)) = chosen.or(of_environment.map(|path| (path, VARIABLE))) {
        let version = check(&godot).with_context(|| format!("{by} names {}", godot.display()))?;
        return Ok(announce(std::path::absolute(godot)?, version, by));
    }
    cached_or_new(&workspace.target())
}

fn cached_or_new(target: &Path) -> Result<PathBuf> {
    let folder = target.join("engine3");
    fs::create_dir_all(target)?;
    let lock = File::create(target.join("engine3.lock"))?;
    lock.lock().context("cannot lock the folder of Godot 3")?;
    if let Ok(version) = check(&launcher::path_in(&folder)) {
        return Ok(announce(launcher::path_in(&folder), version, "the cache"));
    }
    let part = target.join("engine3.part");
    remove_tree(&part)?;
    fs::create_dir_all(&part)?;
    debian::install(&debian::GODOT_3, &part, &Progress::start())
        .context("no Godot 3 from Debian's packages")?;
    let version = check(&launcher::path_in(&part))?;
    remove_tree(&folder)?;
    fs::rename(&part, &folder).context("cannot put Godot 3 in its place")?;
    Ok(announce(launcher::path_in(&folder), version, "Debian's packages"))
}

/// The version of a Godot 3; an error says why it is none.
fn check(godot: &Path) -> Result<Version> {
    let outcome =
        child::run(Command::new(godot).arg("--version"), Show::Later, Some(Duration::from_secs(60)))?;
    let Some(version) = outcome.lines.iter().find_map(|line| Version::read(line)) else {
        bail!("it did not answer --version with a version: {}", outcome.text());
    };
    if !version.is_godot_3() {
        bail!("it is Godot {version}, a Godot 3 is needed");
    }
    Ok(version)
}
