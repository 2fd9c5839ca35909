//! Installs an engine under the target folder: once, in one step, and safely when two commands start
//! together.
//!
//! The modules `debian` and `official` know the sources of the engine.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::version::Version;
use super::{Progress, announce, check, debian, launcher, official};
use crate::files::remove_tree;

/// Returns the engine in `target/engine`, which is installed first if it is not there or does not run.
pub(super) fn cached_or_new(target: &Path) -> Result<PathBuf> {
    let folder = target.join("engine");
    if let Ok(version) = check(&launcher::path_in(&folder)) {
        return Ok(announce(launcher::path_in(&folder), version, "the cache"));
    }
    fs::create_dir_all(target)?;
    let lock = File::create(target.join("engine.lock"))?;
    lock.lock().context("cannot lock the engine folder")?;
    // Another process that held the lock may have installed it meanwhile.
    if let Ok(version) = check(&launcher::path_in(&folder)) {
        return Ok(announce(launcher::path_in(&folder), version, "the cache"));
    }
    let part = target.join("engine.part");
    let (version, origin) = install(&part)?;
    remove_tree(&folder)?;
    fs::rename(&part, &folder).context("cannot put the engine in its place")?;
    Ok(announce(launcher::path_in(&folder), version, origin))
}

fn debian_4(part: &Path, progress: &Progress) -> Result<()> {
    debian::install(&debian::GODOT_4, part, progress)
}

/// Fills `part` from the first source that works. Every source is verified before anything of it is run:
/// Debian's packages are signed, the official archive has a pinned checksum.
fn install(part: &Path) -> Result<(Version, &'static str)> {
    type Source = fn(&Path, &Progress) -> Result<()>;
    let sources: [(&str, Source); 2] =
        [("Debian's packages", debian_4), ("the official release", official::install)];
    let progress = Progress::start();
    let mut refusals = Vec::new();
    for (name, source) in sources {
        remove_tree(part)?;
        fs::create_dir_all(part)?;
        match source(part, &progress).and_then(|()| check(&launcher::path_in(part))) {
            Ok(version) => return Ok((version, name)),
            Err(error) => refusals.push(format!("  {name}: {error:#}")),
        }
    }
    remove_tree(part)?;
    bail!(
        "no Godot found and none could be installed:\n{}\nInstall Godot {} or newer and say where it is: \
         set GDRUST_GODOT_BIN, pass --godot PATH, or put `godot` on PATH.",
        refusals.join("\n"),
        Version::MINIMUM
    )
}
