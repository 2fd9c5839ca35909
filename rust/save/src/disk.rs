//! Defines what the crate needs of a disk, so that tests can let each call fail, and implements it for the
//! real one.

use std::cmp::Reverse;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::names::save_of_side_file;
use crate::replace::{self, Replacement};

/// Describes a disk. Every call does one thing completely or not at all.
pub trait Disk {
    /// Returns the file that a path means: where a link leads, and otherwise the path as it is.
    fn target(&self, path: &Path) -> PathBuf {
        path.to_path_buf()
    }

    /// Reads a file from its beginning, `most` bytes at the most.
    /// Fails if the file is not there or cannot be read: with `Unsupported` at once, if it is a pipe, a device or a socket.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Is a temporary file, which belongs to its writer as long as this is kept.
    type Temporary;

    /// Writes a new file beside `target`, in a folder that is made if it is missing, so that it is on the disk when this returns. Files that dead writers of the
    /// target left behind may be removed.
    /// Fails if the disk is full or broken, or if `target` cannot be replaced by a file.
    fn create_beside(&self, target: &Path, bytes: &[u8]) -> io::Result<(Self::Temporary, PathBuf)>;

    /// Reads the temporary file from its beginning, `most` bytes at the most. Other handles may find it locked.
    /// Fails if the disk is broken.
    fn read_back(&self, temporary: &mut Self::Temporary, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Gives a file a second name that no file has, in a folder that is made if it is missing. Where the disk has no links it makes
    /// a copy.
    /// Fails if a file of that name is there, or the disk is full or broken.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name. A file that has that name already is gone in the same moment.
    /// Fails if the disk is broken or the folder cannot be written to.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    /// Fails if the file is not there or the folder cannot be written to.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Lists the files that stand beside a save: its backups, and what is kept of it. Backups come first, from the oldest.
    /// Fails if the folder cannot be read.
    fn side_files(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// Makes the names in the folder of `path` durable. Where folders cannot be synced, the system does it
    /// later.
    fn sync_folder(&self, path: &Path);

    /// Tells whether a file of this name is there.
    /// Fails if that cannot be found out: a name that may be in use must not count as free.
    fn has(&self, path: &Path) -> io::Result<bool> {
        match self.read(path, 0) {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => Ok(false),
                io::ErrorKind::Unsupported | io::ErrorKind::IsADirectory => Ok(true),
                _ => Err(error),
            },
        }
    }
}

/// Gives access to the file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl RealDisk {
    /// Opens a file. A pipe would be waited for, and a device read without an end, so both are refused at once.
    ///
    /// # Errors
    /// Fails if there is no file, or it cannot be read.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        let about = fs::metadata(path)?;
        if about.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
        }
        if !about.is_file() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "it is a pipe, a device or a socket"));
        }
        File::open(path)
    }
}

impl Disk for RealDisk {
    fn target(&self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|about| about.file_type().is_symlink());
        if is_link { replace::target_of(path) } else { path.to_path_buf() }
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    type Temporary = Replacement;

    fn create_beside(&self, target: &Path, bytes: &[u8]) -> io::Result<(Replacement, PathBuf)> {
        make_folder(replace::folder_of(target))?;
        let mut new = Replacement::begin_over(target)?;
        let Some(temporary) = new.temporary().map(Path::to_path_buf) else {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "a device cannot be replaced"));
        };
        new.append(bytes)?;
        new.sync()?;
        Ok((new, temporary))
    }

    fn read_back(&self, temporary: &mut Replacement, _: &Path, most: u64) -> io::Result<Vec<u8>> {
        temporary.read_back(most)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        make_folder(replace::folder_of(to))?;
        match fs::hard_link(from, to) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => copy(from, to),
            other => other,
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        replace::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn side_files(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let own = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut found = Vec::new();
        for entry in fs::read_dir(replace::folder_of(path))? {
            let name = entry?.file_name();
            let Some(name) = name.to_str() else { continue };
            if let Some((_, is_backup)) = save_of_side_file(name).filter(|(save, _)| *save == own) {
                let key = (!is_backup, Reverse(name.len()), Reverse(name.to_owned()));
                // They are few, and a sort is 6 KB of code.
                let at = found.partition_point(|(known, _)| *known < key);
                found.insert(at, (key, path.with_file_name(name)));
            }
        }
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    fn sync_folder(&self, path: &Path) {
        replace::sync_folder(path);
    }
}

/// Makes a folder and those above it, so that they are on the disk when this returns.
fn make_folder(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    folder.parent().map_or(Ok(()), make_folder)?;
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
        made => made?,
    }
    replace::sync_folder(folder);
    Ok(())
}

/// Copies a file to a name that no file has, so that the copy is on the disk when this returns.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    let copied = File::open(from).and_then(|mut from| io::copy(&mut from, &mut file));
    let copied = copied.and_then(|_| file.sync_all());
    drop(file);
    if copied.is_err() {
        let _ = fs::remove_file(to);
    }
    copied
}
