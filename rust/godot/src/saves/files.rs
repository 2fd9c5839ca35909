//! Saves under names: where a save is placed, which file is loaded, and what is got out of a damaged one.

use std::path::{Path, PathBuf};

use godot::builtin::Variant;
use variant_core::ErrorKind;
use variant_save::{
    ChoiceError, ChosenFile, Disk, Head, Order, PlaceError, PlaceOutcome, RealDisk, RecoveredEntries,
    Refusal, Ring, SIGNATURE, Search, choose, compare, judge, move_to, recover, remove, ring,
};

use super::judge::{JudgedFile, refusal_of, sorted};
use super::watch::{self, Watch};
use super::{Fallback, LoadedSave, Plan, State, errors};
use crate::call::problem::Problem;
use crate::stream::job::Job;
use crate::stream::persist::tell_of_change;

/// A file may be so much larger than what is in it: header, metadata, picture, schema, and what each slice takes.
const MORE_BYTES: u64 = 16 << 20;

/// The result of a call, for `get_report()`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report {
    pub(crate) used: PathBuf,
    /// The files before it that were refused, and why.
    pub(crate) refused: Vec<(PathBuf, Problem)>,
    pub(crate) head: Option<Head>,
    /// The version of the data in the file, where that was an older one.
    pub(crate) migrated_from: Option<u32>,
    /// The classes in the file that have a newer version today, with their version in the file.
    pub(crate) older_classes: Vec<(String, u32)>,
    /// The fate of the file that was there.
    pub(crate) placed: Option<PlaceOutcome>,
    /// The entries that were got out of a damaged save.
    pub(crate) recovered: Option<RecoveredEntries>,
}

impl Report {
    pub(crate) fn of(plan: &Plan, loaded: &LoadedSave) -> Report {
        Report {
            head: loaded.head.clone(),
            migrated_from: (loaded.version < plan.version).then_some(loaded.version),
            older_classes: loaded.older_classes.clone(),
            ..Report::default()
        }
    }
}

/// Why nothing was loaded, and every file that was looked at for it.
pub(crate) struct LoadError {
    pub(crate) problem: Problem,
    pub(crate) refused: Vec<(PathBuf, Problem)>,
}

impl From<Problem> for LoadError {
    fn from(problem: Problem) -> LoadError {
        LoadError { problem, refused: Vec::new() }
    }
}

/// Makes the bytes of a save that goes on from another one.
type Write<'w> = &'w mut dyn FnMut(Option<&Head>) -> Result<Vec<u8>, Problem>;

/// A save on its way to its name.
pub(crate) struct Placing<'p> {
    plan: &'p Plan,
    path: &'p Path,
    /// The save that was loaded last, where nothing intact is there to go on from.
    parent: Option<&'p Head>,
    watch: Watch<'p>,
    /// Whether it is on a thread where no script may judge the file that is there.
    without_scripts: bool,
    /// The refusal that such a script gave before.
    before: Option<&'p JudgedFile>,
}

impl<'p> Placing<'p> {
    pub(crate) fn new(plan: &'p Plan, path: &'p Path, parent: Option<&'p Head>) -> Placing<'p> {
        Placing { plan, path, parent, watch: Watch::default(), without_scripts: false, before: None }
    }

    pub(crate) fn on_thread(self, job: &'p Job, before: Option<&'p JudgedFile>) -> Placing<'p> {
        Placing { watch: Watch::of(job), without_scripts: true, before, ..self }
    }

    /// Writes the file and puts it under its name, or into the ring of the folder of that name.
    pub(crate) fn place(&self, ring: Option<u32>, state: &State) -> Result<Report, Problem> {
        match ring {
            Some(count) => self.place_in(&Plan::ring(self.path, count), state),
            None => self.place_at(self.path, None, &mut |parent| self.plan.written(state, parent)),
        }
        .map_err(errors::of_unplaced)
    }

    /// Puts a file that loads under its name as it is.
    pub(crate) fn place_copy(&self, mut bytes: Vec<u8>) -> Result<Report, Problem> {
        let mut bytes = |_: Option<&Head>| Ok(std::mem::take(&mut bytes));
        self.place_at(self.path, None, &mut bytes).map_err(errors::of_unplaced)
    }

    /// Writes a file of a ring of automatic saves: it goes on from the newest of them, and not from the one that it replaces.
    /// The other files are its backups. Those that must not be replaced are passed over.
    fn place_in(&self, ring: &Ring, state: &State) -> Result<Report, PlaceError<Problem>> {
        let mut locked = None;
        for path in &ring.files {
            match self.place_at(path, Some(ring), &mut |parent| self.plan.written(state, parent)) {
                Err(PlaceError::Locked(problem, refusal)) => {
                    locked.get_or_insert(PlaceError::Locked(problem, refusal));
                }
                other => return other,
            }
        }
        Err(locked.unwrap_or_else(|| PlaceError::Refused(errors::missing())))
    }

    fn place_at(
        &self,
        path: &Path,
        ring: Option<&Ring>,
        written: Write<'_>,
    ) -> Result<Report, PlaceError<Problem>> {
        let plan = self.plan;
        let placing = variant_save::PlacePlan {
            backups: plan.backups,
            backup_interval_ms: plan.backup_interval_ms,
            most_file_bytes: plan.most_file_bytes(),
            others: ring.map(|ring| &ring.files[..]),
            discards_damaged: plan.discards_damaged,
            discards_refused: plan.discards_refused,
        };
        let judged = |_: &Path, bytes: Vec<u8>| match self.without_scripts {
            true => plan.standing_without_scripts(&bytes, self.before),
            false => plan.standing(&bytes),
        };
        let placing = variant_save::Placing::begin(&RealDisk, path, &placing, judged)?;
        let parent = match ring {
            Some(ring) => ring.newest.as_ref(),
            None => newest(placing.parent(), self.parent),
        };
        let bytes = written(parent).map_err(PlaceError::Refused)?;
        // What is written is read as a load would, before it takes the name.
        self.watch.at(watch::PLACING).map_err(PlaceError::Refused)?;
        // A copy may be of another form.
        let opened = bytes.starts_with(&SIGNATURE).then(|| variant_save::open(&bytes, &plan.opening()));
        let opened = opened.transpose().map_err(|fault| PlaceError::Refused(fault.into()))?;
        let head = opened.map(|opened| opened.head);
        // From here on it is seen through: what was asked for is on the disk, or the old save is.
        self.watch.at(0.9).map_err(PlaceError::Refused)?;
        let used = placing.path().to_path_buf();
        let placed = placing.finish(&bytes);
        tell_of_change();
        let placed = placed?;
        plan.saw(&bytes);
        Ok(Report { used, head, placed: Some(placed), ..Report::default() })
    }
}

/// Returns the save to go on from: the one that is there, or one that came of it, as that of `to_bytes()` does.
fn newest<'h>(there: Option<&'h Head>, last: Option<&'h Head>) -> Option<&'h Head> {
    let came_of_it = |last: &&Head| there.is_none_or(|there| compare(last, there) == Order::Newer);
    last.filter(came_of_it).or(there)
}

impl Plan {
    pub(super) fn most_file_bytes(&self) -> u64 {
        self.opening().most_bytes.saturating_add(MORE_BYTES)
    }

    fn search(&self) -> Search {
        Search {
            backups: if self.fallback == Fallback::Never { 0 } else { self.backups },
            most_file_bytes: self.most_file_bytes(),
            passes_refused: self.fallback == Fallback::Refused,
        }
    }

    /// Loads a save, or the newest backup that is whole where the save is lost.
    pub(crate) fn load(&self, path: &Path, watch: Watch<'_>) -> Result<(LoadedSave, Report), LoadError> {
        let chosen = choose(&RealDisk, path, &self.search(), |_, bytes| {
            let loaded = self.loaded(&bytes, watch).map_err(sorted)?;
            if loaded.is_todays {
                self.saw(&bytes);
            }
            Ok(loaded)
        });
        let ChosenFile { path, value: loaded, passed } = chosen.map_err(|error| self.of_choice(error))?;
        let report = Report { used: path, refused: passed, ..Report::of(self, &loaded) };
        Ok((loaded, report))
    }

    fn of_choice(&self, error: ChoiceError<Problem>) -> LoadError {
        let is_lost = |problem: &Problem| {
            problem.is_any(&[ErrorKind::FileFailed]) || refusal_of(problem) == Refusal::Damage
        };
        match error {
            ChoiceError::AllLost(refused) => {
                // What is alone and no save at all may be another form: the message says which.
                let is_other =
                    |problem: &Problem| refused.len() == 1 && problem.is_any(&[ErrorKind::NotASave]);
                let problem = match refused.first() {
                    Some((_, newest))
                        if self.search().backups > 0 && is_lost(newest) && !is_other(newest) =>
                    {
                        errors::none_intact(newest, refused.len() - 1)
                    }
                    Some((_, newest)) => newest.clone(),
                    None => errors::missing(),
                };
                LoadError { problem, refused }
            }
            ChoiceError::Refused { path, error: problem, passed: mut refused } => {
                refused.push((path, problem.clone()));
                LoadError { problem, refused }
            }
            _ => errors::missing().into(),
        }
    }

    /// Whether two names are those of one file, where a link leads included.
    pub(crate) fn are_two(from: &Path, to: &Path) -> Result<(), Problem> {
        if RealDisk.target(from) == RealDisk.target(to) { Err(errors::onto_itself()) } else { Ok(()) }
    }

    /// Copies the file that a load would take to another name, as a save would take that.
    pub(crate) fn copied(&self, from: &Path, to: &Path) -> Result<Report, LoadError> {
        let chosen = choose(&RealDisk, from, &self.search(), |_, bytes| self.standing(&bytes).map(|_| bytes));
        let ChosenFile { value: bytes, passed, .. } = chosen.map_err(|error| self.of_choice(error))?;
        let report = Placing::new(self, to, None).place_copy(bytes)?;
        Ok(Report { refused: passed, ..report })
    }

    pub(crate) fn moved(from: &Path, to: &Path) -> Result<(), Problem> {
        let moved = move_to(&RealDisk, from, to);
        tell_of_change();
        moved.map_err(|error| errors::of_change(&error, "moving the save"))
    }

    /// Gets the whole entries out of a damaged save, brought to today's version. The schema does not judge them, since keys
    /// may be missing.
    pub(crate) fn recovered(&self, path: &Path) -> Result<(Variant, RecoveredEntries), Problem> {
        let target = RealDisk.target(path);
        let verdict = judge(&RealDisk, &target, self.most_file_bytes(), |_, bytes| {
            recover(&bytes, &self.opening()).map_err(sorted)
        });
        let recovered = verdict.loaded()?.ok_or_else(errors::missing)?;
        self.fits_head(&recovered.head)?;
        let plan = Plan { schema: None, ..self.clone() };
        Ok((plan.value(&recovered.payload, recovered.head.version, Watch::default())?, recovered))
    }

    pub(crate) fn removed(path: &Path) -> Result<(), Problem> {
        let removed = remove(&RealDisk, path);
        tell_of_change();
        removed.map_err(|error| errors::of_change(&error, "removing the file"))
    }

    pub(crate) fn ring(folder: &Path, count: u32) -> Ring {
        ring(&RealDisk, folder, "auto", count)
    }
}
