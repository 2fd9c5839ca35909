//! Keeps folders of installed packages under the target folder: filled once, in one step, and safely when two
//! commands start together.
//!
//! The callers say what is installed and how it is started.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Progress, debian};
use crate::files::remove_tree;
use crate::workspace::Workspace;

/// Describes a folder that passed its check.
#[derive(Debug)]
pub(super) struct Installed<T> {
    pub(super) folder: PathBuf,
    /// The result of the check.
    pub(super) told: T,
    /// The origin of the folder, in words.
    pub(super) origin: &'static str,
}

/// Returns the folder `name` of the target folder, with the packages unpacked in `root`. `finish` completes a
/// new one.
pub(super) fn folder(
    workspace: &Workspace,
    name: &str,
    wanted: &debian::Wanted,
    finish: impl FnOnce(&Path) -> Result<()>,
) -> Result<PathBuf> {
    let check = |folder: &Path| {
        ensure!(folder.join("root").is_dir(), "nothing is unpacked in {}", folder.display());
        Ok(())
    };
    let installed = cached_or_new(&workspace.target(), name, check, |part| {
        debian::unpack(wanted, part, &Progress::start())
            .with_context(|| format!("no {name} from Debian's packages"))?;
        finish(part)
    })?;
    Ok(installed.folder)
}

/// Returns the folder `name` that passes `check`: the one that is there, else one that `fill` makes.
pub(super) fn cached_or_new<T>(
    target: &Path,
    name: &str,
    check: impl Fn(&Path) -> Result<T>,
    fill: impl FnOnce(&Path) -> Result<()>,
) -> Result<Installed<T>> {
    let folder = target.join(name);
    fs::create_dir_all(target)?;
    let lock = File::create(target.join(format!("{name}.lock")))?;
    lock.lock().with_context(|| format!("cannot lock the folder `{name}` of the target folder"))?;
    if let Ok(told) = check(&folder) {
        return Ok(Installed { folder, told, origin: "the cache" });
    }
    let part = target.join(format!("{name}.part"));
    remove_tree(&part)?;
    fs::create_dir_all(&part)?;
    fill(&part)?;
    let told = check(&part)?;
    remove_tree(&folder)?;
    fs::rename(&part, &folder).with_context(|| format!("cannot put `{name}` in its place"))?;
    Ok(Installed { folder, told, origin: "Debian's packages" })
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    /// Returns the text of the file in the folder, if that is not "broken".
    fn check(folder: &Path) -> Result<String> {
        let text = fs::read_to_string(folder.join("it"))?;
        ensure!(text != "broken", "it is broken");
        Ok(text)
    }

    fn fill(text: &'static str) -> impl FnOnce(&Path) -> Result<()> {
        move |part| Ok(fs::write(part.join("it"), text)?)
    }

    #[test]
    fn it_is_filled_once_and_anew_when_it_is_broken() -> Result<()> {
        let target = std::env::temp_dir().join(format!("variant_stream_packages_{}", std::process::id()));
        let get = |fill: &dyn Fn(&Path) -> Result<()>| cached_or_new(&target, "some", check, fill);
        let first = get(&|part| fill("first")(part))?;
        assert_eq!((first.told.as_str(), first.origin), ("first", "Debian's packages"));
        let again = get(&|_| bail!("it is there"))?;
        assert_eq!((again.told.as_str(), again.origin), ("first", "the cache"));
        assert_eq!(again.folder, target.join("some"));

        fs::write(again.folder.join("it"), "broken")?;
        assert!(get(&|_| bail!("no network")).is_err());
        assert!(get(&|part| fill("broken")(part)).is_err());
        // The rest of a failed install is no part of the next one.
        fs::write(target.join("some.part").join("rest"), "")?;
        let second = get(&|part| fill("second")(part))?;
        assert_eq!((second.told.as_str(), second.origin), ("second", "Debian's packages"));
        assert!(!second.folder.join("rest").exists() && !target.join("some.part").exists());
        remove_tree(&target)
    }
}
