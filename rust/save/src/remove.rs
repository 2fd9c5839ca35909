//! Removes a save, with everything that stands beside it.

use std::io;
use std::path::Path;

use crate::disk::Disk;

/// Removes a save, its backups, and what was kept of it: damaged and refused files, and those of older versions. The save
/// itself is removed last, because a backup alone would be loaded as the save. A link is removed after the file that it
/// leads to.
///
/// # Errors
/// Fails if there is nothing of that name, or it is no file; and if a file could not be removed: those before it are gone.
pub fn remove(disk: &impl Disk, path: &Path) -> io::Result<()> {
    let target = disk.target(path);
    let is_there = match disk.read(&target, 0) {
        Ok(_) => true,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => false,
            io::ErrorKind::Unsupported | io::ErrorKind::IsADirectory => return Err(error),
            // The disk may refuse to read what it still removes.
            _ => true,
        },
    };
    let beside = disk.side_files(&target)?;
    if !is_there && beside.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    for side_file in &beside {
        gone(disk.remove(side_file))?;
    }
    // Otherwise a power cut could leave a backup, and not the save.
    disk.sync_folder(&target);
    gone(disk.remove(&target))?;
    if target != path {
        gone(disk.remove(path))?;
    }
    disk.sync_folder(path);
    Ok(())
}

/// Counts a file that somebody else removed as removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
