//! Defines what the crate needs of a disk, so that tests can let each call fail, and implements it for the
//! real one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::replace::{self, Replacement};

/// Describes a disk. Every call does one thing completely or not at all.
pub trait Disk {
    /// Reads a file from its beginning, `most` bytes at the most.
    ///
    /// # Errors
    /// Fails if the file is not there or cannot be read.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Is a temporary file, which belongs to its writer as long as this is kept.
    type Temporary;

    /// Writes a new file beside `target`, so that it is on the disk when this returns. Files that dead writers of the
    /// target left behind may be removed.
    ///
    /// # Errors
    /// Fails if the disk is full or broken, or if `target` cannot be replaced by a file.
    fn create_beside(&self, target: &Path, bytes: &[u8]) -> io::Result<(Self::Temporary, PathBuf)>;

    /// Reads the temporary file from its beginning, `most` bytes at the most. Other handles may find it locked.
    ///
    /// # Errors
    /// Fails if the disk is broken.
    fn read_back(&self, temporary: &mut Self::Temporary, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Gives a file a second name that no file has. Where the disk has no links it makes a copy.
    ///
    /// # Errors
    /// Fails if a file of that name is there, or the disk is full or broken.
    fn link(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name. A file that has that name already is gone in the same moment.
    ///
    /// # Errors
    /// Fails if the disk is broken or the folder cannot be written to.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    ///
    /// # Errors
    /// Fails if the file is not there or the folder cannot be written to.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in the folder of `path` durable. Where folders cannot be synced, the system does it
    /// later.
    fn sync_folder(&self, path: &Path);

    /// Tells whether a file of this name is there.
    ///
    /// # Errors
    /// Fails if that cannot be found out: a name that may be in use must not count as free.
    fn has(&self, path: &Path) -> io::Result<bool> {
        match self.read(path, 0) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Gives access to the file system of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    type Temporary = Replacement;

    fn create_beside(&self, target: &Path, bytes: &[u8]) -> io::Result<(Replacement, PathBuf)> {
        let mut new = Replacement::begin(target)?;
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

    fn sync_folder(&self, path: &Path) {
        replace::sync_folder(path);
    }
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
