//! Puts a save under its name, and keeps backups of older saves.
//!
//! At every instant the name exists, and so does every older save but the one that is dropped, under some
//! name: backups are shifted from the oldest, the current save gets a second name, and one rename ends it. A
//! damaged save never becomes a backup, and a file that does not load is not replaced unless the caller asks for it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::chunk::{Chunks, MOST_HEAD_BYTES, to_u64};
use crate::disk::Disk;
use crate::head::Head;
use crate::names::{backup_path, check_length, kept_paths};
use crate::replace::{beside, put, second_name};
use crate::verdict::{FileError, Refusal, Verdict, judge};

/// Selects how a save is placed.
#[derive(Clone, Copy, Debug)]
pub struct PlacePlan<'p> {
    /// The number of older saves that are kept, as `NAME.bak`, `NAME.bak2` and so on.
    pub backups: u32,
    /// The age of the newest backup, in milliseconds, from which the current save becomes a backup: saves
    /// that come every minute do not push the good backups out. With 0 no clock is asked.
    pub backup_interval_ms: i64,
    /// The size of the largest file that is read.
    pub most_file_bytes: u64,
    /// Other files that show that nothing is lost with a damaged one, instead of its backups: those of a ring.
    pub others: Option<&'p [PathBuf]>,
    /// Replaces a damaged file although nothing else is whole; it is set aside.
    pub discards_damaged: bool,
    /// Replaces a whole file that a rule of the game refuses; it is kept as `NAME.refused`.
    pub discards_refused: bool,
}

impl Default for PlacePlan<'_> {
    /// Returns a plan that keeps a single backup and discards nothing.
    fn default() -> Self {
        PlacePlan {
            backups: 1,
            backup_interval_ms: 0,
            most_file_bytes: 128 << 20,
            others: None,
            discards_damaged: false,
            discards_refused: false,
        }
    }
}

/// Describes a whole file that loads, as far as its replacement goes by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The header; `None` for a file of another format that the game reads.
    pub head: Option<Head>,
    /// The suffix under which the file is kept once more, such as `v2`, if an older version of the game wrote it.
    pub keeps_as: Option<String>,
}

/// Says what happened to the current file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceOutcome {
    /// There was no file, or nothing in it.
    New,
    /// The file is a backup now.
    BackedUp,
    /// The file was replaced: no backups are kept, or the newest is too young.
    Replaced,
    /// The file was damaged and is `NAME.damaged` now, or it was refused and is `NAME.refused`.
    SetAside,
}

/// Says why nothing was placed. The old save and its backups are as they were.
#[derive(Debug)]
#[non_exhaustive]
pub enum PlaceError<E> {
    /// The disk refused a call.
    Io(io::Error),
    /// The current file does not load, and the plan does not allow to replace it.
    Locked(E, Refusal),
    /// A pipe, a device or a socket has the name, or the caller stopped.
    Refused(E),
    /// Another process places a save of this name at the same time.
    Busy,
    /// The written bytes do not read back.
    Unverified,
}

impl<E> fmt::Display for PlaceError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PlaceError::Io(error) => return write!(f, "{error}"),
            PlaceError::Locked(..) => "the file that is there does not load, so it is not replaced",
            PlaceError::Refused(_) => "it was refused",
            PlaceError::Busy => "another process writes this save at the same time",
            PlaceError::Unverified => "what was written does not read back: the disk may be broken",
        })
    }
}

impl<E: fmt::Debug> std::error::Error for PlaceError<E> {}

impl<E> PlaceError<E> {
    /// Tells of a call about files that were there a moment ago.
    fn of_race(error: io::Error) -> PlaceError<E> {
        match error.kind() {
            io::ErrorKind::NotFound => PlaceError::Busy,
            _ => PlaceError::Io(error),
        }
    }
}

enum CurrentFile {
    /// Nothing is lost with it: there is no file, or one without bytes.
    Nothing,
    /// The file loads.
    Loads(Box<Standing>),
    /// The file is damaged, and may be set aside.
    Damaged,
    /// This file, the current one or its backup, is refused, and may be set aside.
    Refused(PathBuf),
}

/// Puts one save under its name: the file that is there is judged first, because the new save continues it.
pub struct Placing<'p, D, A> {
    disk: &'p D,
    path: PathBuf,
    plan: PlacePlan<'p>,
    current: CurrentFile,
    accept: A,
}

impl<'p, D, E, A> Placing<'p, D, A>
where
    D: Disk,
    E: FileError,
    A: FnMut(&Path, Vec<u8>) -> Result<Standing, (E, Refusal)>,
{
    /// Judges the file that is there. `accept` judges the bytes of a file.
    ///
    /// # Errors
    /// Fails if that file must not be replaced, or no save can have the name.
    pub fn begin(
        disk: &'p D,
        path: &Path,
        plan: &PlacePlan<'p>,
        mut accept: A,
    ) -> Result<Placing<'p, D, A>, PlaceError<E>> {
        let path = disk.target(path);
        check_length(&path).map_err(PlaceError::Io)?;
        let current = match judge(disk, &path, plan.most_file_bytes, &mut accept) {
            Verdict::Whole(standing) => CurrentFile::Loads(Box::new(standing)),
            verdict if verdict.is_lost() || matches!(verdict, Verdict::Missing) => {
                // A load would go on to the other files, so they are judged as well.
                let mut judge = |other: &Path| judge(disk, other, plan.most_file_bytes, &mut accept);
                let other = first_other(&path, plan, &mut judge);
                replaceable(verdict, other, plan)?
            }
            verdict => refused(verdict, &path, plan)?,
        };
        Ok(Placing { disk, path, plan: *plan, current, accept })
    }

    /// Returns the header of the save that is there and loads: the new one continues it.
    pub fn parent(&self) -> Option<&Head> {
        match &self.current {
            CurrentFile::Loads(standing) => standing.head.as_ref(),
            _ => None,
        }
    }

    /// Returns the path that the save gets.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts these bytes under the name, and the file that is there among the backups.
    ///
    /// # Errors
    /// Fails without a change.
    pub fn finish(mut self, bytes: &[u8]) -> Result<PlaceOutcome, PlaceError<E>> {
        let disk = self.disk;
        // The temporary file is kept until it has its name: nobody takes it for one of a dead writer meanwhile.
        let (mut owned, temporary) = disk.create_beside(&self.path, bytes).map_err(PlaceError::Io)?;
        let placed = read_back(disk, &mut owned, &temporary, bytes)
            .and_then(|()| self.keep_at_last(&temporary).map_err(PlaceError::of_race))
            .and_then(|placed| {
                put(disk, &temporary, &self.path).map(|()| placed).map_err(PlaceError::of_race)
            });
        if placed.is_err() {
            drop(disk.remove(&temporary));
        }
        drop(owned);
        placed
    }

    /// Keeps the current file. Where another process shifts the same backups, names go that were there: then anew.
    fn keep_at_last(&mut self, temporary: &Path) -> io::Result<PlaceOutcome> {
        for _ in 1..TRIES {
            match self.keep(temporary) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => return other,
            }
        }
        self.keep(temporary)
    }

    /// Gives the current file the names under which it is kept. It also has its own name until the new file takes that. New
    /// names are made under the name of the temporary file, so that they go with it when the writer dies.
    fn keep(&mut self, temporary: &Path) -> io::Result<PlaceOutcome> {
        let head = match &self.current {
            CurrentFile::Nothing => return Ok(PlaceOutcome::New),
            CurrentFile::Damaged => {
                self.set_aside(temporary)?;
                return Ok(PlaceOutcome::SetAside);
            }
            CurrentFile::Refused(refused) => {
                self.keep_as(refused, "refused")?;
                return Ok(PlaceOutcome::SetAside);
            }
            CurrentFile::Loads(standing) => {
                let standing = Standing::clone(standing);
                if let Some(suffix) = &standing.keeps_as {
                    self.keep_as(&self.path, suffix)?;
                }
                match (standing.head, standing.keeps_as) {
                    // It is kept as it is, and no backup of a save.
                    (None, Some(_)) => return Ok(PlaceOutcome::BackedUp),
                    (head, _) => head,
                }
            }
        };
        self.back_up(head.as_ref(), temporary)
    }

    fn set_aside(&self, temporary: &Path) -> io::Result<()> {
        let Placing { disk, path, .. } = self;
        let aside = beside(path, ".damaged");
        match second_name(*disk, temporary, path, &aside) {
            Ok(()) => Ok(()),
            // Neither a folder nor a file that cannot be read gets a second name on all systems.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
            Err(_) if !disk.has(&aside)? => disk.rename(path, &aside),
            Err(error) => Err(error),
        }
    }

    /// Keeps a file under a name that no other file has; files that are kept are never replaced.
    fn keep_as(&self, file: &Path, suffix: &str) -> io::Result<()> {
        let Placing { disk, path, plan, .. } = self;
        for kept in kept_paths(path, suffix) {
            if !disk.has(&kept)? {
                match disk.link(file, &kept) {
                    // Another process took the name meanwhile, often for the same file.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    linked => return linked,
                }
            }
            let most = plan.most_file_bytes;
            if disk.read(&kept, most).ok() == Some(disk.read(file, most)?) {
                return Ok(());
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("too many files are kept as NAME.{suffix}")))
    }

    fn back_up(&mut self, head: Option<&Head>, temporary: &Path) -> io::Result<PlaceOutcome> {
        let (disk, plan) = (self.disk, self.plan);
        if plan.backups == 0 {
            return Ok(PlaceOutcome::Replaced);
        }
        let newest_path = backup_path(&self.path, 1);
        let newest = head_of(disk, &newest_path);
        // An earlier run was stopped between the backup and the rename: the current save may have its backup already.
        let is_same = newest.as_ref().zip(head).is_some_and(|(newest, head)| newest.id == head.id);
        // A backup counts where it loads. It is looked at where something depends on it.
        let is_whole = (is_same || plan.backup_interval_ms > 0 || plan.backups > 1) && {
            let verdict = judge(disk, &newest_path, plan.most_file_bytes, &mut self.accept);
            matches!(verdict, Verdict::Whole(_))
        };
        if is_same && is_whole {
            return Ok(PlaceOutcome::BackedUp);
        }
        // A backup from the future is one of another clock, and tells no age.
        let is_young = |newest: &Head| {
            let age = head.map(|head| head.time_ms.saturating_sub(newest.time_ms));
            age.is_some_and(|age| age >= 0 && age < plan.backup_interval_ms)
        };
        if is_whole && newest.as_ref().is_some_and(is_young) {
            return Ok(PlaceOutcome::Replaced);
        }
        // One that does not load pushes none out.
        if is_whole {
            self.shift()?;
        }
        second_name(disk, temporary, &self.path, &newest_path)?;
        Ok(PlaceOutcome::BackedUp)
    }

    /// Moves backups on, up to the first free name: those behind it keep their names.
    fn shift(&self) -> io::Result<()> {
        let Placing { disk, path, plan, .. } = self;
        let mut number = 1;
        while number < plan.backups && disk.has(&backup_path(path, number))? {
            number = number.saturating_add(1);
        }
        while let Some(newer) = number.checked_sub(1).filter(|newer| *newer > 0) {
            disk.rename(&backup_path(path, newer), &backup_path(path, number))?;
            number = newer;
        }
        Ok(())
    }
}

/// Returns the first other file that is not lost, and its verdict: a backup, or a file of the ring that loads.
fn first_other<E>(
    path: &Path,
    plan: &PlacePlan<'_>,
    judge: &mut dyn FnMut(&Path) -> Verdict<Standing, E>,
) -> Option<(PathBuf, Verdict<Standing, E>)> {
    if let Some(others) = plan.others {
        let mut judged =
            others.iter().filter(|other| *other != path).map(|other| (other.clone(), judge(other)));
        return judged.find(|(_, verdict)| matches!(verdict, Verdict::Whole(_)));
    }
    let backups = (1..=plan.backups).map(|number| backup_path(path, number));
    let mut judged = backups.map(|backup| (backup.clone(), judge(&backup)));
    judged.find(|(_, verdict)| matches!(verdict, Verdict::Whole(_) | Verdict::Refused(..)))
}

/// Says whether a file that is lost or missing may be replaced, by what else is there.
fn replaceable<E>(
    verdict: Verdict<Standing, E>,
    other: Option<(PathBuf, Verdict<Standing, E>)>,
    plan: &PlacePlan<'_>,
) -> Result<CurrentFile, PlaceError<E>> {
    match (verdict, other) {
        (_, Some((path, verdict @ Verdict::Refused(..)))) => refused(verdict, &path, plan),
        (Verdict::Damaged(error) | Verdict::Unreadable(error, _), None) if !plan.discards_damaged => {
            Err(PlaceError::Locked(error, Refusal::Damage))
        }
        (Verdict::Damaged(_) | Verdict::Unreadable(..), _) => Ok(CurrentFile::Damaged),
        _ => Ok(CurrentFile::Nothing),
    }
}

/// Says whether a file that is whole and refused may be replaced.
fn refused<E>(
    verdict: Verdict<Standing, E>,
    path: &Path,
    plan: &PlacePlan<'_>,
) -> Result<CurrentFile, PlaceError<E>> {
    match verdict {
        Verdict::Refused(_, Refusal::Rule) if plan.discards_refused => {
            Ok(CurrentFile::Refused(path.to_path_buf()))
        }
        Verdict::Refused(error, Refusal::Stopped) | Verdict::NoFile(error) => Err(PlaceError::Refused(error)),
        Verdict::Refused(error, refusal) => Err(PlaceError::Locked(error, refusal)),
        _ => Ok(CurrentFile::Nothing),
    }
}

/// The number of tries against another process.
const TRIES: usize = 8;

fn read_back<D: Disk, E>(
    disk: &D,
    owned: &mut D::Temporary,
    temporary: &Path,
    bytes: &[u8],
) -> Result<(), PlaceError<E>> {
    let read = disk.read_back(owned, temporary, to_u64(bytes.len()).saturating_add(1));
    let read = read.map_err(PlaceError::Io)?;
    if read == bytes { Ok(()) } else { Err(PlaceError::Unverified) }
}

/// Reads the header alone; returns `None` where it is not intact.
pub(crate) fn head_of(disk: &impl Disk, path: &Path) -> Option<Head> {
    let front = disk.read(path, to_u64(MOST_HEAD_BYTES.saturating_add(64))).ok()?;
    Head::read(&Chunks::of(&front).ok()?.next().ok()?).ok()
}
