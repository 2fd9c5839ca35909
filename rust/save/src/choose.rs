//! Chooses the file that is loaded under a name: the save itself, or where that is lost the newest backup that is whole.
//! Names decide the order, because the content of a file cannot forge them.

use std::path::{Path, PathBuf};

use crate::disk::Disk;
use crate::names::backup_path;
use crate::verdict::{FileError, Refusal, Verdict, judge};

/// Selects which files are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The number of backups that are looked at.
    pub backups: u32,
    /// The size of the largest file that is read.
    pub most_file_bytes: u64,
    /// Whether a backup is the better choice also where a rule of the game refuses a whole file.
    pub passes_refused: bool,
}

/// Holds the file that was chosen to be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenFile<T, E> {
    /// The path of the file.
    pub path: PathBuf,
    /// The value that was made of it.
    pub value: T,
    /// The files that were passed over before it, the newest first, with the reasons.
    pub passed: Vec<(PathBuf, E)>,
}

/// Says why no file was chosen.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChoiceError<E> {
    /// Neither the file nor a backup is there.
    Missing,
    /// All files that are there are lost; the newest is the first.
    AllLost(Vec<(PathBuf, E)>),
    /// A file was refused and ended the search.
    Refused {
        /// The path of the file.
        path: PathBuf,
        /// The reason of the refusal.
        error: E,
        /// The files that were passed over before it.
        passed: Vec<(PathBuf, E)>,
    },
}

/// Loads the file at `path`, or if that is damaged, cannot be read or is missing, the newest backup that is whole. `accept`
/// judges the bytes of a file.
///
/// # Errors
/// Fails if no file was accepted.
pub fn choose<T, E: FileError>(
    disk: &impl Disk,
    path: &Path,
    search: &Search,
    mut accept: impl FnMut(&Path, Vec<u8>) -> Result<T, (E, Refusal)>,
) -> Result<ChosenFile<T, E>, ChoiceError<E>> {
    let target = disk.target(path);
    let mut passed = Vec::new();
    for number in 0..=search.backups {
        let path = backup_path(&target, number);
        let verdict = judge(disk, &path, search.most_file_bytes, &mut accept);
        let is_passed = verdict.is_lost()
            || search.passes_refused
                && matches!(verdict, Verdict::Refused(_, Refusal::Rule | Refusal::Locked));
        match verdict.loaded() {
            Ok(None) => {}
            Ok(Some(value)) => return Ok(ChosenFile { path, value, passed }),
            Err(error) if is_passed => passed.push((path, error)),
            Err(error) => return Err(ChoiceError::Refused { path, error, passed }),
        }
    }
    Err(if passed.is_empty() { ChoiceError::Missing } else { ChoiceError::AllLost(passed) })
}
