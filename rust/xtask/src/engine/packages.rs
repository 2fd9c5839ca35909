//! Debian's packages under the target folder, unpacked once, and safely when two commands start together. What is started
//! of them, and how, is the business of those who ask for them.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{Progress, debian};
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// The folder `name` of the target folder, with the packages in `root`. `finish` does to a new one what there is to do.
pub(super) fn folder(
    workspace: &Workspace,
    name: &str,
    wanted: &debian::Wanted,
    finish: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let target = workspace.target();
    let folder = target.join(name);
    fs::create_dir_all(&target)?;
    let lock = File::create(target.join(format!("{name}.lock")))?;
    lock.lock().with_context(|| format!("cannot lock the folder of the {name}"))?;
    if !folder.join("root").is_dir() {
        let part = target.join(format!("{name}.part"));
        remove_tree(&part)?;
        fs::create_dir_all(&part)?;
        debian::unpack(wanted, &part, &Progress::start())
            .with_context(|| format!("no {name} from Debian's packages"))?;
        finish(&part)?;
        remove_tree(&folder)?;
        fs::rename(&part, &folder).with_context(|| format!("cannot put the {name} in its place"))?;
    }
    Ok(folder)
}
