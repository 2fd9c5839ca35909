//! Copies and removes folders, and replaces a file in one step.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Copies a folder with everything in it. Links are followed; `skip` names files and folders to leave out.
pub(crate) fn copy_tree(from: &Path, to: &Path, skip: &[&str]) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let name = entry?.file_name();
        if skip.iter().any(|skipped| *skipped == name) {
            continue;
        }
        let (source, target) = (from.join(&name), to.join(&name));
        if source.is_dir() {
            copy_tree(&source, &target, skip)?;
        } else {
            fs::copy(&source, &target).with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}

/// Replaces the file `to` by a copy of `from` in one step: the copy has a temporary name and is then renamed.
/// A running engine that has the old file mapped keeps it; writing into that file would kill the engine.
pub(crate) fn replace(from: &Path, to: &Path) -> Result<()> {
    let part = to.with_added_extension("part");
    fs::copy(from, &part).with_context(|| format!("cannot copy {}", from.display()))?;
    fs::rename(&part, to).with_context(|| format!("cannot replace {}", to.display()))
}

/// Removes a folder if it is there.
pub(crate) fn remove_tree(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}
