//! Save: a file that appears under its name only when it is whole. A crash at any moment leaves the old file or the new
//! one. It knows nothing of what is in it.
//!
//! The bytes go to a temporary file in the same folder, are synced, and the file is renamed over the old one; then the
//! folder is synced too. A temporary file is locked while its writer lives, so what a crash left behind is recognised,
//! and removed by the next save of that name.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Saves begun by this process: two of one name at a time do not meet.
static SAVES: AtomicU64 = AtomicU64::new(0);

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Save {
    file: File,
    temporary: PathBuf,
    target: PathBuf,
    is_done: bool,
}

impl Save {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// The folder is not there or cannot be written to.
    pub(crate) fn begin(path: &Path) -> io::Result<Save> {
        let target = target_of(path);
        remove_leftovers(&target);
        let number = SAVES.fetch_add(1, Ordering::Relaxed);
        let temporary = beside(&target, &format!(".{}-{number}.tmp", process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
        // Where files cannot be locked, leftovers stay; nothing else depends on it.
        let _ = file.try_lock();
        if let Ok(old) = fs::metadata(&target) {
            let _ = file.set_permissions(old.permissions());
        }
        Ok(Save { file, temporary, target, is_done: false })
    }

    /// Where it will stand.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Adds bytes at the end.
    ///
    /// # Errors
    /// The disk is full, or broken.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Changes bytes that were written before.
    ///
    /// # Errors
    /// The disk is broken.
    pub(crate) fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Puts the file under its name, and with `keeps_backup` the one that was there under `NAME.bak`.
    ///
    /// # Errors
    /// Something failed; the old file then is as it was, and the new one is gone.
    pub(crate) fn finish(mut self, keeps_backup: bool) -> io::Result<()> {
        self.file.sync_all()?;
        if keeps_backup && self.target.is_file() {
            self.back_up()?;
        }
        fs::rename(&self.temporary, &self.target)?;
        self.is_done = true;
        sync_folder(&self.target);
        Ok(())
    }

    /// Gives the old file a second name. It is never without its own.
    fn back_up(&self) -> io::Result<()> {
        let backup = beside(&self.target, ".bak");
        let fresh = beside(&self.temporary, ".bak");
        let made = fs::hard_link(&self.target, &fresh).or_else(|_| {
            fs::copy(&self.target, &fresh)?;
            File::open(&fresh)?.sync_all()
        });
        let outcome = made.and_then(|()| fs::rename(&fresh, &backup));
        if outcome.is_err() {
            let _ = fs::remove_file(&fresh);
        }
        outcome
    }
}

impl Drop for Save {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// The file that a path means, by the one name that all its paths have in common. A link stays a link: what it leads to
/// is replaced.
pub(crate) fn target_of(path: &Path) -> PathBuf {
    let of_new_file = || {
        let folder = path.parent()?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(of_new_file).unwrap_or_else(|| path.to_path_buf())
}

/// The same path with more at its end.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(suffix);
    PathBuf::from(name)
}

/// Removes temporary files of this name whose writers are dead.
fn remove_leftovers(target: &Path) {
    let (Some(folder), Some(name)) = (target.parent(), target.file_name().and_then(|name| name.to_str()))
    else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours =
            path.file_name().and_then(|other| other.to_str()).is_some_and(|other| is_temporary(other, name));
        if is_ours && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// `NAME.123-4.tmp`, and the backup that was being made of it.
fn is_temporary(other: &str, name: &str) -> bool {
    let Some(middle) = other.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) else { return false };
    let middle = middle.strip_suffix(".bak").unwrap_or(middle);
    let numbers = middle.strip_suffix(".tmp").and_then(|numbers| numbers.split_once('-'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.is_some_and(|(process, save)| is_number(process) && is_number(save))
}

/// The new name is on the disk, not only in memory. Where folders cannot be synced, the system does it in its time.
fn sync_folder(target: &Path) {
    if cfg!(unix)
        && let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_are_told_from_others() {
        for ours in ["a.bin.1-0.tmp", "a.bin.4711-12.tmp", "a.bin.1-0.tmp.bak"] {
            assert!(is_temporary(ours, "a.bin"), "{ours}");
        }
        for other in ["a.bin", "a.bin.bak", "a.bin.tmp", "a.bin.1-.tmp", "b.bin.1-0.tmp", "a.bin.1-0.tmp2"] {
            assert!(!is_temporary(other, "a.bin"), "{other}");
        }
    }
}
