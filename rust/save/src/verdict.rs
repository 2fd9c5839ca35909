//! Judges a file on the disk, for every call that meets one: `load`, `save`, `save_auto`, `recover`, `list` and `remove`. No
//! other place decides whether a file is whole, damaged or refused. It changes nothing.

use std::io;
use std::path::Path;

use crate::chunk::to_u64;
use crate::disk::Disk;
use crate::fault::{Kind, SaveFault};

/// Says what a file on the disk is to a game.
#[derive(Debug)]
pub enum Verdict<T, E> {
    /// No file has the name.
    Missing,
    /// The file loads.
    Whole(T),
    /// The file is as it was written, and does not load.
    Refused(E, Refusal),
    /// Bytes of the file were lost or changed by accident.
    Damaged(E),
    /// The file has no bytes, or zeros alone: nothing is lost with it.
    Empty(E),
    /// The disk does not give the bytes, or a folder has the name.
    Unreadable(E, io::ErrorKind),
    /// A pipe, a device or a socket has the name.
    NoFile(E),
}

/// Says why a file does not load, as far as other calls depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Bytes were lost or changed by accident, so that an older save is the better choice.
    Damage,
    /// The schema, a limit or a missing setting of the game refuses a whole file.
    Rule,
    /// A newer version wrote the file, another key protects it, or it is longer than any save of the game.
    Locked,
    /// The caller stopped.
    Stopped,
}

impl From<Kind> for Refusal {
    fn from(kind: Kind) -> Refusal {
        match kind {
            Kind::NotASave | Kind::Damaged | Kind::CutShort => Refusal::Damage,
            Kind::TooLarge => Refusal::Rule,
            Kind::Newer | Kind::WrongKey | Kind::NotAuthentic => Refusal::Locked,
            Kind::Stopped => Refusal::Stopped,
        }
    }
}

/// Is an error that faults of a file, and of the disk, can be told by.
pub trait FileError: Sized {
    /// Makes the error of a file whose bytes are not those of a save.
    fn of_fault(fault: SaveFault) -> Self;

    /// Makes the error of a file that the disk does not give.
    fn of_disk(error: &io::Error) -> Self;
}

impl FileError for SaveFault {
    fn of_fault(fault: SaveFault) -> SaveFault {
        fault
    }

    fn of_disk(error: &io::Error) -> SaveFault {
        SaveFault::new(Kind::Damaged, 0, format!("it cannot be read: {error}"))
    }
}

/// Judges the file of this name. `accept` judges its bytes: it knows the game's classes, schema and version. A file counts as
/// lost only where it is read twice in vain: disks fail for a moment.
pub fn judge<T, E: FileError>(
    disk: &impl Disk,
    path: &Path,
    most_bytes: u64,
    mut accept: impl FnMut(&Path, Vec<u8>) -> Result<T, (E, Refusal)>,
) -> Verdict<T, E> {
    let first = judge_once(disk, path, most_bytes, &mut accept);
    if first.is_lost() { judge_once(disk, path, most_bytes, &mut accept) } else { first }
}

fn judge_once<T, E: FileError>(
    disk: &impl Disk,
    path: &Path,
    most_bytes: u64,
    accept: impl FnOnce(&Path, Vec<u8>) -> Result<T, (E, Refusal)>,
) -> Verdict<T, E> {
    let bytes = match disk.read(path, most_bytes.saturating_add(1)) {
        Ok(bytes) => bytes,
        Err(error) => {
            return match error.kind() {
                io::ErrorKind::NotFound => Verdict::Missing,
                io::ErrorKind::Unsupported => Verdict::NoFile(E::of_disk(&error)),
                kind => Verdict::Unreadable(E::of_disk(&error), kind),
            };
        }
    };
    if to_u64(bytes.len()) > most_bytes {
        let words =
            format!("its file has more than {most_bytes} bytes, the most that a save of this game takes");
        return Verdict::Refused(
            E::of_fault(SaveFault::new(Kind::TooLarge, most_bytes, words)),
            Refusal::Locked,
        );
    }
    if bytes.iter().all(|byte| *byte == 0) {
        let words = if bytes.is_empty() { "the file is empty" } else { "the file has zeros alone" };
        return Verdict::Empty(E::of_fault(SaveFault::new(Kind::CutShort, 0, words)));
    }
    match accept(path, bytes) {
        Ok(value) => Verdict::Whole(value),
        Err((error, Refusal::Damage)) => Verdict::Damaged(error),
        Err((error, refusal)) => Verdict::Refused(error, refusal),
    }
}

impl<T, E> Verdict<T, E> {
    /// Returns what a whole file holds, or why it does not load; `None` where there is no file.
    ///
    /// # Errors
    /// Fails for a file that does not load.
    pub fn loaded(self) -> Result<Option<T>, E> {
        match self {
            Verdict::Missing => Ok(None),
            Verdict::Whole(value) => Ok(Some(value)),
            Verdict::Refused(error, _)
            | Verdict::Damaged(error)
            | Verdict::Empty(error)
            | Verdict::Unreadable(error, _)
            | Verdict::NoFile(error) => Err(error),
        }
    }

    /// Tells whether an older save is the better choice.
    #[must_use]
    pub const fn is_lost(&self) -> bool {
        matches!(self, Verdict::Damaged(_) | Verdict::Empty(_) | Verdict::Unreadable(..))
    }
}
