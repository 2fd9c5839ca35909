//! Defines what the crate needs of a disk, so that tests can let each call fail, and implements it for the
//! real one.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

/// Describes a disk. Every call does one thing completely or not at all.
pub trait Disk {
    /// Reads a file from its beginning, `most` bytes at the most.
    ///
    /// # Errors
    /// Fails if the file is not there or cannot be read.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Writes a new file, so that it is on the disk when this returns.
    ///
    /// # Errors
    /// Fails if a file of that name is there, or the disk is full or broken.
    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Gives a file a second name that no file has. Where the disk has no links it makes a copy.
    ///
    /// # Errors
    /// Fails as [`Disk::create`] does.
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

    fn create(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let written = file.write_all(bytes).and_then(|()| file.sync_all());
        drop(file);
        if written.is_err() {
            let _ = fs::remove_file(path);
        }
        written
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::hard_link(from, to) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.create(to, &fs::read(from)?),
            other => other,
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn sync_folder(&self, path: &Path) {
        if cfg!(unix)
            && let Some(folder) = path.parent()
            && let Ok(folder) =
                File::open(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
        {
            let _ = folder.sync_all();
        }
    }
}
