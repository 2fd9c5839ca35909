//! Saves under names: where a save is placed, which file is loaded, and what a list of saves shows.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use variant_core::Dialect;
use variant_save::{
    Chosen, Disk, Head, Peeked, Placed, RealDisk, Recovered, Unchosen, backup_path, choose, peek, place,
    recover, remove, target_of,
};
use variant_text::looks::ENOUGH;

use super::watch::{self, Watch};
use super::{Fallback, Loaded, Plan, State, is_damage, of_fault, trouble};
use crate::codec::Problem;
use crate::looks::Beginning;
use crate::stream::outlet::of_io;
use crate::stream::persist::tell_of_change;

/// A file may be so much larger than what is in it: header, metadata, picture, schema, and what each slice takes.
const MORE_BYTES: u64 = 16 << 20;

/// The result of a call, for `get_report()`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    /// The file that was loaded or written.
    pub(crate) used: PathBuf,
    /// The files before it that were refused, and why.
    pub(crate) refused: Vec<(PathBuf, Problem)>,
    /// The header of the file.
    pub(crate) head: Option<Head>,
    /// The version of the data in the file, where that was an older one.
    pub(crate) migrated_from: Option<u32>,
    /// The fate of the file that was there.
    pub(crate) placed: Option<Placed>,
    /// The entries that were got out of a damaged save.
    pub(crate) recovered: Option<Recovered>,
}

/// A save on its way to its name.
pub(crate) struct Placing<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) path: &'p Path,
    /// The save that was loaded last, where nothing intact is there to go on from.
    pub(crate) parent: Option<&'p Head>,
    pub(crate) watch: Watch<'p>,
}

impl Placing<'_> {
    /// Writes the file and puts it under its name.
    pub(crate) fn place(&self, state: &State) -> Result<Report, Problem> {
        let target = target_of(self.path);
        let current = front(&target, false).ok().map(|peeked| peeked.head);
        let parent = current.clone().or_else(|| self.parent.cloned());
        self.place_after(state, &target, current, parent.as_ref())
    }

    /// Writes a file of a ring of automatic saves: it goes on from the newest of them, and not from the one it replaces.
    pub(crate) fn place_over(&self, state: &State) -> Result<Report, Problem> {
        let target = target_of(self.path);
        let current = front(&target, false).ok().map(|peeked| peeked.head);
        self.place_after(state, &target, current, self.parent)
    }

    fn place_after(
        &self,
        state: &State,
        target: &Path,
        current: Option<Head>,
        parent: Option<&Head>,
    ) -> Result<Report, Problem> {
        let is_other = current.is_none() && target.exists();
        let bytes = self.plan.written(state, parent)?;
        // What is written is read as a load would, before it takes the name.
        self.watch.at(watch::PLACING)?;
        let opened = variant_save::open(&bytes, &self.plan.opening()).map_err(|fault| of_fault(&fault))?;
        let knows_current = is_other && self.knows(target);
        let older = current.as_ref().map(|head| head.version);
        let older = older.or(self.plan.unversioned.filter(|_| knows_current));
        let keeps_as = older.filter(|older| *older < self.plan.version).map(|older| format!("v{older}"));
        let placing = variant_save::Plan {
            backups: self.plan.backups,
            backup_interval_ms: self.plan.backup_interval_ms,
            opening: self.plan.opening(),
            most_file_bytes: self.plan.most_file_bytes(),
            keeps_as: keeps_as.as_deref(),
            knows_current,
            discards_unread: self.plan.discards_unread,
        };
        // From here on it is seen through: what was asked for is on the disk, or the old save is.
        self.watch.at(0.9)?;
        let placed = place(&RealDisk, target, &bytes, &placing).map_err(|it| trouble::of_unplaced(&it))?;
        tell_of_change();
        Ok(Report {
            used: target.to_path_buf(),
            head: Some(opened.head),
            placed: Some(placed),
            ..Report::default()
        })
    }
}

impl Placing<'_> {
    fn knows(&self, target: &Path) -> bool {
        RealDisk.read(target, self.plan.most_file_bytes()).is_ok_and(|bytes| self.plan.knows(&bytes))
    }
}

impl Plan {
    fn most_file_bytes(&self) -> u64 {
        self.opening().most_bytes.saturating_add(MORE_BYTES)
    }

    /// Loads a save, or the newest backup that is not damaged.
    pub(crate) fn load(&self, path: &Path, watch: Watch<'_>) -> Result<(Loaded, Report), Problem> {
        let backups = if self.fallback == Fallback::Never { 0 } else { self.backups };
        let chosen = choose(&RealDisk, path, backups, self.most_file_bytes(), |_, bytes| {
            self.loaded(&bytes, watch).map_err(|problem| {
                let goes_on = is_damage(&problem) || self.fallback == Fallback::Refused;
                (problem, goes_on)
            })
        });
        match chosen {
            Ok(Chosen { path, value: loaded, passed }) => {
                let migrated_from = (loaded.version < self.version).then_some(loaded.version);
                let head = loaded.head.clone();
                Ok((loaded, Report { used: path, refused: passed, head, migrated_from, ..Report::default() }))
            }
            Err(Unchosen::Missing) => Err(trouble::missing()),
            Err(Unchosen::Io(_, error)) => Err(of_io(&error)),
            Err(Unchosen::Refused { path: refused, error, passed }) if refused == path => {
                Err(if is_damage(&error) { trouble::none_intact(&error, passed.len()) } else { error })
            }
            Err(Unchosen::Refused { error, .. }) => Err(error),
            Err(_) => Err(trouble::missing()),
        }
    }

    /// Gets the whole entries out of a damaged save.
    pub(crate) fn recovered(&self, path: &Path) -> Result<Recovered, Problem> {
        let bytes = fs::read(path).map_err(|error| of_io(&error))?;
        recover(&bytes, &self.opening()).map_err(|fault| of_fault(&fault))
    }

    /// Removes a save with its backups.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Problem> {
        let removed = remove(&RealDisk, path, self.backups.max(MOST_LOOKED_FOR));
        tell_of_change();
        removed.map_err(|error| of_io(&error))
    }
}

/// Backups that are removed along, also where fewer are kept today.
const MOST_LOOKED_FOR: u32 = 9;

/// Reads the front of a save, which a list of saves shows.
pub(crate) fn front(path: &Path, wants_thumbnail: bool) -> Result<Peeked, Problem> {
    let file = File::open(path).map_err(|error| of_io(&error))?;
    let peeked = peek(&mut BufReader::with_capacity(4096, file), wants_thumbnail);
    peeked.map_err(|fault| trouble::of_beginning(&fault, || beginning_of(path)))
}

/// The first bytes of a file, for who asks what it is.
fn beginning_of(path: &Path) -> Beginning {
    let size = fs::metadata(path).map_or(0, |about| about.len());
    let mut first = Vec::new();
    // What cannot be read any more looks like nothing.
    let _ = File::open(path).and_then(|file| file.take(ENOUGH as u64).read_to_end(&mut first));
    Beginning::of_part(&first, size, Dialect::Godot4)
}

/// The saves in a folder by name: files with our signature, and no backups. A name whose file is gone counts by its backup.
pub(crate) fn names(folder: &Path) -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(folder).map_err(|error| of_io(&error))?;
    let mut names = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if is_side_file(&path) || !begins_as_save(&path) {
            continue;
        }
        names.push(path);
    }
    names.sort();
    Ok(names)
}

fn begins_as_save(path: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 8];
    // A pipe of any name would be waited for.
    path.is_file()
        && File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok()
        && head == variant_save::SIGNATURE
}

/// Backups, damaged files, older versions and temporary files stand beside a save, and are none of their own.
fn is_side_file(path: &Path) -> bool {
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { return false };
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_backup = ending.strip_prefix("bak").is_some_and(is_number);
    let is_version = ending.strip_prefix('v').is_some_and(|number| !number.is_empty() && is_number(number));
    is_backup || is_version || ending == "damaged" || ending == "tmp"
}

/// The slot of a ring of automatic saves that is written next: one that is free or damaged, else the oldest.
pub(crate) fn next_of_ring(folder: &Path, name: &str, count: u32) -> (PathBuf, Option<Head>) {
    let mut newest: Option<Head> = None;
    let mut next: Option<(Option<u64>, PathBuf)> = None;
    for number in 1..=count {
        let path = folder.join(format!("{name}{number}.save"));
        let head = front(&path, false).ok().map(|peeked| peeked.head);
        let generation = head.as_ref().map(|head| head.generation);
        if next.as_ref().is_none_or(|(oldest, _)| generation < *oldest) {
            next = Some((generation, path));
        }
        if generation > newest.as_ref().map(|head| head.generation) {
            newest = head;
        }
    }
    let path = next.map_or_else(|| backup_path(folder, 0), |(_, path)| path);
    (path, newest)
}
