//! Replaces a file so that it appears under its name only when it is whole. A crash at any moment leaves the old file or
//! the new one. It knows nothing of what is in the file.
//!
//! The bytes go to a temporary file in the same folder, are synced, and the file is renamed over the old one; then the
//! folder is synced too. A temporary file is locked while its writer lives, so what a crash left behind is recognised,
//! and removed by the next writer of that name. A device, which could not be replaced, takes the bytes itself, without
//! all that.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::disk::{Disk, RealDisk};
use crate::names::is_number;

/// Counts the temporary files of this process: two of one name at a time do not meet.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// The number of names that are tried for a temporary file: far more than leftovers were ever seen.
const MOST_NAMES: usize = 10_000;

/// The file that is replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OldFile {
    /// It stays, as `NAME.bak`.
    Keep,
    /// It is gone.
    #[default]
    Drop,
}

/// Is a file that is being written, and that will replace another or none.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// `None` where the bytes go to the target itself.
    temporary: Option<PathBuf>,
    target: PathBuf,
    is_done: bool,
}

impl Replacement {
    /// Begins a file that will stand at `path`.
    ///
    /// # Errors
    /// Fails if the folder is not there or cannot be written to, or the name is that of a folder or a pipe.
    pub fn begin(path: &Path) -> io::Result<Replacement> {
        if cfg!(windows) && is_device_of_windows(path) {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        let target = target_of(path);
        let old = fs::metadata(&target).ok();
        if old.is_none() && fs::symlink_metadata(&target).is_ok_and(|link| link.file_type().is_symlink()) {
            // Whatever is written over it, whoever made it does not find it where it leads.
            return Err(io::Error::new(io::ErrorKind::NotFound, "it is a link that leads nowhere"));
        }
        match &old {
            Some(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(old) if is_pipe(old) => return Err(io::ErrorKind::Unsupported.into()),
            Some(old) if !old.is_file() => {
                let file = OpenOptions::new().write(true).open(&target)?;
                return Ok(Replacement { file, temporary: None, target, is_done: false });
            }
            _ => {}
        }
        let new = Replacement::begin_beside(target)?;
        if let Some(old) = old {
            let _ = new.file.set_permissions(old.permissions());
        }
        Ok(new)
    }

    /// Begins a file that will stand at `path`, where a folder may be in the way that is moved before.
    pub(crate) fn begin_over(path: &Path) -> io::Result<Replacement> {
        let target = target_of(path);
        if target.is_dir() { Replacement::begin_beside(target) } else { Replacement::begin(path) }
    }

    fn begin_beside(target: PathBuf) -> io::Result<Replacement> {
        remove_leftovers(&target);
        let (file, temporary) = create_beside(&target)?;
        Ok(Replacement { file, temporary: Some(temporary), target, is_done: false })
    }

    /// Tells whether bytes can be changed that were written before.
    #[must_use]
    pub const fn is_patchable(&self) -> bool {
        self.temporary.is_some()
    }

    /// Returns the path of the temporary file; `None` where the bytes go to a device.
    #[must_use]
    pub fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Waits until the bytes are on the disk.
    ///
    /// # Errors
    /// Fails if the disk is full or broken.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Returns the path that it will stand at.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Adds bytes at the end.
    ///
    /// # Errors
    /// Fails if the disk is full or broken.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Changes bytes that were written before.
    ///
    /// # Errors
    /// Fails if the disk is broken, or this is no file of a disk.
    pub fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(at))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    pub(crate) fn read_back(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0))?;
        (&mut self.file).take(most).read_to_end(&mut bytes)?;
        self.file.seek(SeekFrom::End(0))?;
        Ok(bytes)
    }

    /// Puts the file under its name, in the place of one that was there.
    ///
    /// # Errors
    /// Fails if something failed; the old file then is as it was, and the new one is gone.
    pub fn finish(mut self, old: OldFile) -> io::Result<()> {
        let Some(temporary) = &self.temporary else { return self.file.flush() };
        self.file.sync_all()?;
        let old = if self.target.is_file() { old } else { OldFile::Drop };
        put_over(&RealDisk, temporary, &self.target, old)?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary
            && !self.is_done
        {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Returns the file that a path means, by the one name that all its paths have in common. A link stays a link: what it leads to
/// is replaced.
#[must_use]
pub fn target_of(path: &Path) -> PathBuf {
    let of_new_file = || {
        let folder = path.parent()?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(of_new_file).unwrap_or_else(|| path.to_path_buf())
}

/// Returns the path that temporary files of a target are named after: the target's own, or with a shorter name where
/// nothing would fit behind it. A hash of the whole name tells those of two long names apart.
fn shortened(target: &Path) -> PathBuf {
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else { return target.to_path_buf() };
    if name.len() <= LONGEST_STEM {
        return target.to_path_buf();
    }
    let kept = name.get(..name.floor_char_boundary(LONGEST_STEM - HASH_LENGTH)).unwrap_or_default();
    let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    target.with_file_name(format!("{kept}~{hash:016x}"))
}

/// Bytes of a name that leave room for what stands behind it: most systems take 255, and `.4294967295-99999999.tmp.bak` is
/// among the longest.
const LONGEST_STEM: usize = 200;
const HASH_LENGTH: usize = 17;

/// Gives the file a second name, and replaces a file that has that name. On the way the new name stands beside the temporary
/// file of the writer.
pub(crate) fn second_name(disk: &impl Disk, temporary: &Path, path: &Path, name: &Path) -> io::Result<()> {
    let fresh = beside(temporary, ".bak");
    disk.link(path, &fresh)?;
    let renamed = disk.rename(&fresh, name);
    // Where both names are links to one file already, a rename succeeds and leaves both.
    let _ = disk.remove(&fresh);
    renamed
}

/// Gives a finished temporary file its name. Its bytes are on the disk already; afterwards the name is, too.
pub(crate) fn put(disk: &impl Disk, temporary: &Path, target: &Path) -> io::Result<()> {
    disk.rename(temporary, target)?;
    disk.sync_folder(target);
    Ok(())
}

/// Gives a finished temporary file its name, which another file has.
pub(crate) fn put_over(disk: &impl Disk, temporary: &Path, target: &Path, old: OldFile) -> io::Result<()> {
    if old == OldFile::Keep {
        second_name(disk, temporary, target, &beside(target, ".bak"))?;
    }
    put(disk, temporary, target)
}

pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(suffix);
    PathBuf::from(name)
}

/// Whether it is a pipe or a socket. To open one can take for ever, and to write into one that nobody reads any more ends
/// the process. The engine's `FileAccess` takes none either.
#[cfg(unix)]
fn is_pipe(metadata: &fs::Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_socket()
}

/// They have other names there, which no save takes for files.
#[cfg(not(unix))]
const fn is_pipe(_: &fs::Metadata) -> bool {
    false
}

pub(crate) fn rename(temporary: &Path, target: &Path) -> io::Result<()> {
    let mut tries = 0_usize;
    loop {
        tries = tries.saturating_add(1);
        match fs::rename(temporary, target) {
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && tries < TRIES => {
                thread::sleep(PAUSE);
            }
            other => return other,
        }
    }
}

/// On Windows no file is replaced while somebody has it open, if only to look at it: a virus scanner, a backup, a load that
/// ends. They are done before long.
const TRIES: usize = if cfg!(windows) { 50 } else { 1 };
const PAUSE: Duration = Duration::from_millis(10);

/// A temporary file for a target, locked where files can be locked.
fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    for _ in 0..MOST_NAMES {
        let number = BEGUN.fetch_add(1, Ordering::Relaxed);
        let temporary = beside(&shortened(target), &format!(".{}-{number}.tmp", process::id()));
        let file = match OpenOptions::new().read(true).write(true).create_new(true).open(&temporary) {
            // Left behind by a process that had our number, where leftovers are not recognised.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            other => other?,
        };
        // Where files cannot be locked, leftovers stay.
        let _ = file.lock();
        // Somebody who began to save at the same time may have taken it for one before it was locked.
        if temporary.try_exists().unwrap_or(true) {
            return Ok((file, temporary));
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes temporary files of this name whose writers are dead.
fn remove_leftovers(target: &Path) {
    let stem = shortened(target);
    let (Some(folder), Some(name)) = (target.parent(), stem.file_name().and_then(|name| name.to_str()))
    else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_ours =
            path.file_name().and_then(|other| other.to_str()).is_some_and(|other| is_temporary(other, name));
        // A pipe of such a name is not ours, and would be waited for.
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        // What is to become a backup has no lock of its own: it belongs to the save that makes it.
        if path.extension().is_some_and(|extension| extension == "bak") && is_alive(&path.with_extension(""))
        {
            continue;
        }
        // The lock is held until the file is gone, so that nobody takes it for their own meanwhile.
        if let Ok(file) = File::open(&path)
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Whether the writer of a temporary file may still be at work: it is there, and locked.
fn is_alive(temporary: &Path) -> bool {
    File::open(temporary).is_ok_and(|file| file.try_lock().is_err())
}

/// Whether Windows takes the name for that of a device. Where the full path is given, it makes a file of it that hardly
/// anything can open or remove again. The engine's `FileAccess` opens none either.
fn is_device_of_windows(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_port = |stem: &str| {
        let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
        number.is_some_and(|number| number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str()) || is_port(&stem)
}

/// `NAME.123-4.tmp`, and the backup that was being made of it.
fn is_temporary(other: &str, name: &str) -> bool {
    let Some(middle) = other.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')) else { return false };
    let middle = middle.strip_suffix(".bak").unwrap_or(middle);
    let numbers = middle.strip_suffix(".tmp").and_then(|numbers| numbers.split_once('-'));
    numbers.is_some_and(|(process, save)| is_number(process) && is_number(save))
}

/// The new name is on the disk, not only in memory. Where folders cannot be synced, the system does it in its time.
pub(crate) fn sync_folder(target: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder_of(target))
    {
        let _ = folder.sync_all();
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for a test, empty.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("variant_stream_save_{name}_{}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for temporary files");
        folder
    }

    #[test]
    fn saves_of_one_name_at_a_time_do_not_meet() {
        let folder = folder("at_a_time");
        let target = folder.join("a.bin");
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        let mut save = Replacement::begin(&target).expect("begin");
                        save.append(b"whole").expect("append");
                        save.finish(OldFile::Drop).expect("finish");
                    }
                });
            }
        });
        assert_eq!(fs::read(&target).expect("a file"), b"whole");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1, "nothing is left beside it");
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    #[test]
    fn leftovers_that_cannot_be_removed_are_in_nobodys_way() {
        let folder = folder("leftovers");
        let target = folder.join("a.bin");
        let next = BEGUN.load(Ordering::Relaxed);
        for number in next..next + 8 {
            // No file: it is no leftover that could be locked, and its name is taken all the same.
            let taken = beside(&target, &format!(".{}-{number}.tmp", process::id()));
            fs::create_dir(taken).expect("a folder");
        }
        Replacement::begin(&target).expect("begin").finish(OldFile::Drop).expect("finish");
        assert!(target.is_file());
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    /// Another save of that name may begin while a backup is made.
    #[test]
    fn nobody_takes_a_backup_away_that_is_being_made() {
        let folder = folder("backup");
        let target = folder.join("a.bin");
        let save = Replacement::begin(&target).expect("begin");
        let fresh = beside(save.temporary.as_deref().expect("a temporary file"), ".bak");
        fs::write(&fresh, b"old").expect("a backup");
        remove_leftovers(&target);
        assert!(fresh.is_file(), "it is gone");
        drop(save);
        remove_leftovers(&target);
        assert!(!fresh.exists(), "nobody's backup is left");
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    /// Opening one waits for a writer.
    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_leftover() {
        let folder = folder("pipe");
        let target = folder.join("a.bin");
        let pipe = beside(&target, ".1-0.tmp");
        let made = process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            let (tell, told) = std::sync::mpsc::channel();
            let asked = target.clone();
            thread::spawn(move || {
                remove_leftovers(&asked);
                tell.send(()).ok();
            });
            assert!(told.recv_timeout(Duration::from_secs(10)).is_ok(), "it waits for ever");
            assert!(pipe.exists(), "it is not ours");
        }
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

    #[test]
    fn devices_of_windows_are_told_from_files() {
        for device in ["NUL", "saves/con", "aux.bin", "COM1.tar.gz", "lpt9 .bin"] {
            assert!(is_device_of_windows(Path::new(device)), "{device}");
        }
        for file in ["null.bin", "console", "COM", "COM10", "COMX", "a.nul", "NUL/a.bin", ""] {
            assert!(!is_device_of_windows(Path::new(file)), "{file}");
        }
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = folder("folder");
        let refused = Replacement::begin(&folder).expect_err("a folder is taken");
        assert_eq!(refused.kind(), io::ErrorKind::IsADirectory);
        fs::remove_dir_all(&folder).expect("it can be removed");
    }

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
