//! Orders the files of a ring of automatic saves: which of them the next save may replace.

use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::head::Head;
use crate::place::head_of;

/// Holds the files of a ring, and the newest save in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// The files in the order in which they are replaced: those that are not there, then those whose front is damaged, then
    /// the others from the oldest.
    pub files: Vec<PathBuf>,
    /// The header of the newest save, which the next one continues.
    pub newest: Option<Head>,
}

/// Looks at the files `NAME1.save` to `NAMEcount.save` of a folder. Only their fronts are read: a file is judged when it is
/// to be replaced.
pub fn ring(disk: &impl Disk, folder: &Path, name: &str, count: u32) -> Ring {
    let mut files = Vec::new();
    let mut newest: Option<Head> = None;
    for number in 1..=count {
        let path = folder.join(format!("{name}{number}.save"));
        let is_there = disk.has(&path).unwrap_or(true);
        let head = head_of(disk, &path);
        let key = (is_there, head.as_ref().map(|head| head.generation));
        // They are few, and a sort is 6 KB of code.
        let at = files.partition_point(|(known, _)| *known <= key);
        files.insert(at, (key, path));
        if head.as_ref().map(|head| head.generation) > newest.as_ref().map(|newest| newest.generation) {
            newest = head;
        }
    }
    Ring { files: files.into_iter().map(|(_, path)| path).collect(), newest }
}
