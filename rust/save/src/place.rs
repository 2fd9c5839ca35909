//! Puts a save under its name, keeps backups of older saves, and chooses among them when a save is loaded.
//!
//! At every instant the name exists, and so does every older save but the one that is dropped, under some
//! name: backups are shifted from the oldest, the current save gets a second name, and one rename ends it. A
//! damaged save never becomes a backup, and a file that could not be read is not overwritten unless the
//! caller asks for it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::chunk::{Chunks, MOST_HEAD_BYTES, to_u64};
use crate::disk::Disk;
use crate::fault::{Fault, Kind};
use crate::head::Head;
use crate::open::{Opening, verify};
use crate::replace::beside;

/// Selects how a save is placed.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'p> {
    /// The number of older saves that are kept, as `NAME.bak`, `NAME.bak2` and so on.
    pub backups: u32,
    /// The age of the newest backup, in milliseconds, from which the current save becomes a backup: saves
    /// that come every minute do not push the good backups out.
    pub backup_interval_ms: i64,
    /// The opening by which the current save is checked.
    pub opening: Opening<'p>,
    /// The size of the largest file that is read.
    pub most_file_bytes: u64,
    /// Keeps the current save once more under `NAME.` and this suffix, such as `v2`, if it is of an older
    /// version of the game.
    pub keeps_as: Option<&'p str>,
    /// Whether the current file is of a format that the caller can read, although it is no save of this
    /// library.
    pub knows_current: bool,
    /// Overwrites a file that could not be read.
    pub discards_unread: bool,
}

impl Default for Plan<'_> {
    /// Returns a plan that keeps a single backup and discards nothing.
    fn default() -> Self {
        Plan {
            backups: 1,
            backup_interval_ms: 0,
            opening: Opening::default(),
            most_file_bytes: 128 << 20,
            keeps_as: None,
            knows_current: false,
            discards_unread: false,
        }
    }
}

/// Says what happened to the current file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// There was no file.
    New,
    /// The file is a backup now.
    BackedUp,
    /// The file was replaced: no backups are kept, or the newest is too young.
    Replaced,
    /// The file was damaged, and is `NAME.damaged` now.
    SetAside,
}

/// Says why nothing was placed. The old save and its backups are as they were.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unplaced {
    /// The disk refused a call.
    Io(io::Error),
    /// The current file could not be read, and the plan does not allow to overwrite it.
    Locked(Fault),
    /// The written bytes do not read back.
    Unverified,
}

impl fmt::Display for Unplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplaced::Io(error) => write!(f, "{error}"),
            Unplaced::Locked(fault) => {
                write!(f, "the file that is there could not be read and is not overwritten unasked: {fault}")
            }
            Unplaced::Unverified => {
                f.write_str("what was written does not read back: the disk may be broken")
            }
        }
    }
}

impl std::error::Error for Unplaced {}

impl From<io::Error> for Unplaced {
    fn from(error: io::Error) -> Unplaced {
        Unplaced::Io(error)
    }
}

/// Returns the name of a backup: `NAME.bak` for 1, `NAME.bak2` for 2.
#[must_use]
pub fn backup_path(path: &Path, number: u32) -> PathBuf {
    match number {
        0 => path.to_path_buf(),
        1 => beside(path, ".bak"),
        _ => beside(path, &format!(".bak{number}")),
    }
}

/// Describes the file that has the name now.
enum Current {
    Absent,
    Intact(Box<Head>),
    /// The file has another format, which the caller can read.
    Known,
    Damaged,
    /// The file could not be read, and may be overwritten.
    Discarded,
}

/// Puts the bytes of a save under `path`, and the save that was there among the backups.
///
/// # Errors
/// Fails without a change.
pub fn place(disk: &impl Disk, path: &Path, bytes: &[u8], plan: &Plan<'_>) -> Result<Placed, Unplaced> {
    let current = current(disk, path, plan)?;
    // The temporary file is kept until it has its name: nobody takes it for one of a dead writer meanwhile.
    let (mut owned, temporary) = disk.create_beside(path, bytes)?;
    let placed = read_back(disk, (&mut owned, &temporary), bytes)
        .and_then(|()| Keeping { disk, path, temporary: &temporary }.keep(&current, plan))
        .and_then(|placed| {
            disk.rename(&temporary, path)?;
            Ok(placed)
        });
    match placed {
        Ok(_) => disk.sync_folder(path),
        Err(_) => drop(disk.remove(&temporary)),
    }
    drop(owned);
    placed
}

fn current(disk: &impl Disk, path: &Path, plan: &Plan<'_>) -> Result<Current, Unplaced> {
    let bytes = match disk.read(path, plan.most_file_bytes) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Current::Absent),
        Err(error) => return Err(error.into()),
    };
    // A protected game may still have saves from before its protection, so those count as intact.
    let opening = Opening { takes_unprotected: true, ..plan.opening };
    let fault = match verify(&bytes, &opening) {
        Ok(head) => return Ok(Current::Intact(Box::new(head))),
        Err(fault) => fault,
    };
    if fault.kind == Kind::NotASave && plan.knows_current {
        return Ok(Current::Known);
    }
    if plan.discards_unread {
        return Ok(if fault.kind.is_damage() { Current::Damaged } else { Current::Discarded });
    }
    // A damaged file is set aside only if an intact backup shows that nothing is lost by that.
    let is_backed = |number: u32| {
        let backup = disk.read(&backup_path(path, number), plan.most_file_bytes);
        backup.is_ok_and(|bytes| verify(&bytes, &opening).is_ok())
    };
    if fault.kind.is_damage() && (1..=plan.backups).any(is_backed) {
        return Ok(Current::Damaged);
    }
    Err(Unplaced::Locked(fault))
}

fn read_back<D: Disk>(
    disk: &D,
    (owned, temporary): (&mut D::Temporary, &Path),
    bytes: &[u8],
) -> Result<(), Unplaced> {
    let read = disk.read_back(owned, temporary, to_u64(bytes.len()).saturating_add(1))?;
    if read == bytes { Ok(()) } else { Err(Unplaced::Unverified) }
}

/// Gives the current file the names under which it is kept. It also has its own name until the new file takes
/// that.
struct Keeping<'d, D> {
    disk: &'d D,
    path: &'d Path,
    /// The new file. New names are made under its name, so that they go with it when the writer dies.
    temporary: &'d Path,
}

impl<D: Disk> Keeping<'_, D> {
    fn keep(&self, current: &Current, plan: &Plan<'_>) -> Result<Placed, Unplaced> {
        if let (Current::Intact(_) | Current::Known, Some(name)) = (current, plan.keeps_as) {
            let kept = beside(self.path, &format!(".{name}"));
            // The first file with that name is kept, because the older game wrote it last.
            if !self.disk.has(&kept)? {
                self.disk.link(self.path, &kept)?;
            }
        }
        match current {
            Current::Absent => Ok(Placed::New),
            Current::Discarded => Ok(Placed::Replaced),
            Current::Damaged => {
                self.name(".damaged")?;
                Ok(Placed::SetAside)
            }
            Current::Known if plan.keeps_as.is_some() => Ok(Placed::BackedUp),
            Current::Known => self.back_up(None, plan),
            Current::Intact(head) => self.back_up(Some(head), plan),
        }
    }

    fn back_up(&self, head: Option<&Head>, plan: &Plan<'_>) -> Result<Placed, Unplaced> {
        let Keeping { disk, path, .. } = self;
        if plan.backups == 0 {
            return Ok(Placed::Replaced);
        }
        let newest = head_of(*disk, &backup_path(path, 1));
        // An earlier run was stopped between the backup and the rename: the current save has its backup already.
        if newest.as_ref().zip(head).is_some_and(|(newest, head)| newest.id == head.id) {
            return Ok(Placed::BackedUp);
        }
        let is_young = |newest: Head| {
            head.is_some_and(|head| head.time_ms.saturating_sub(newest.time_ms) < plan.backup_interval_ms)
        };
        if newest.is_some_and(is_young) {
            return Ok(Placed::Replaced);
        }
        // Shifting stops at the first free name: the backups behind it keep their names.
        let mut number = 1;
        while number < plan.backups && disk.has(&backup_path(path, number))? {
            number = number.saturating_add(1);
        }
        while let Some(newer) = number.checked_sub(1).filter(|newer| *newer > 0) {
            disk.rename(&backup_path(path, newer), &backup_path(path, number))?;
            number = newer;
        }
        self.name(".bak")?;
        Ok(Placed::BackedUp)
    }

    fn name(&self, suffix: &str) -> io::Result<()> {
        second_name(self.disk, self.temporary, self.path, &beside(self.path, suffix))
    }
}

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

/// Reads the header alone; returns `None` where it is not intact.
fn head_of(disk: &impl Disk, path: &Path) -> Option<Head> {
    let front = disk.read(path, to_u64(MOST_HEAD_BYTES.saturating_add(64))).ok()?;
    Head::read(&Chunks::of(&front).ok()?.next().ok()?).ok()
}

/// Holds the file that was chosen to be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<T, E> {
    /// The path of the file.
    pub path: PathBuf,
    /// The value that was made of it.
    pub value: T,
    /// The files that were refused before it, the newest first, with the reasons.
    pub passed: Vec<(PathBuf, E)>,
}

/// Says why no file was chosen.
#[derive(Debug)]
#[non_exhaustive]
pub enum Unchosen<E> {
    /// Neither the file nor a backup is there.
    Missing,
    /// A file is there and cannot be read.
    Io(PathBuf, io::Error),
    /// A file was refused and ended the search.
    Refused {
        /// The path of the file.
        path: PathBuf,
        /// The reason of the refusal.
        error: E,
        /// The files that were refused before it.
        passed: Vec<(PathBuf, E)>,
    },
}

/// Loads the file at `path`, or if that is damaged or missing the newest intact backup. `accept` makes a
/// value of the bytes, or returns an error and whether an older save is the better choice. Names decide the
/// order, because the content of a file cannot forge them.
///
/// # Errors
/// Fails if no file was accepted.
pub fn choose<T, E>(
    disk: &impl Disk,
    path: &Path,
    backups: u32,
    most_file_bytes: u64,
    mut accept: impl FnMut(&Path, Vec<u8>) -> Result<T, (E, bool)>,
) -> Result<Chosen<T, E>, Unchosen<E>> {
    let mut passed = Vec::new();
    for number in 0..=backups {
        let path = backup_path(path, number);
        let bytes = match disk.read(&path, most_file_bytes) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Unchosen::Io(path, error)),
        };
        match accept(&path, bytes) {
            Ok(value) => return Ok(Chosen { path, value, passed }),
            Err((error, true)) => passed.push((path, error)),
            Err((error, false)) => return Err(Unchosen::Refused { path, error, passed }),
        }
    }
    if passed.is_empty() {
        return Err(Unchosen::Missing);
    }
    // The newest file is the one whose error people need.
    let (path, error) = passed.remove(0);
    Err(Unchosen::Refused { path, error, passed })
}

/// Removes a save and its backups. The save itself is removed last: a backup alone would be loaded as the
/// save.
///
/// # Errors
/// Fails if a file could not be removed; those before it are gone.
pub fn remove(disk: &impl Disk, path: &Path, backups: u32) -> io::Result<()> {
    let mut was_there = false;
    for number in (0..=backups).rev() {
        match disk.remove(&backup_path(path, number)) {
            Ok(()) => was_there = true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    disk.sync_folder(path);
    if was_there { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
}
