//! Saves under names: where a save is placed, which file is loaded, and what is got out of a damaged one.

use std::path::{Path, PathBuf};

use godot::builtin::Variant;
use variant_save::{
    ChoiceError, ChosenFile, Disk, FileError, Head, PlaceError, PlaceOutcome, RealDisk, RecoveredEntries,
    Ring, Search, choose, judge, recover, remove, ring,
};

use super::judge::{JudgedFile, refusal_of, sorted};
use super::watch::{self, Watch};
use super::{Fallback, Loaded, Plan, State, decoded, errors, migrate};
use crate::codec::Problem;
use crate::stream::job::Job;
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
    /// The classes in the file that have a newer version today, with their version in the file.
    pub(crate) older_classes: Vec<(String, u32)>,
    /// The fate of the file that was there.
    pub(crate) placed: Option<PlaceOutcome>,
    /// The entries that were got out of a damaged save.
    pub(crate) recovered: Option<RecoveredEntries>,
}

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

    /// Makes it the work of a job.
    pub(crate) fn on_thread(self, job: &'p Job, before: Option<&'p JudgedFile>) -> Placing<'p> {
        Placing { watch: Watch::of(job), without_scripts: true, before, ..self }
    }

    /// Writes the file and puts it under its name.
    pub(crate) fn place(&self, state: &State) -> Result<Report, Problem> {
        self.place_at(self.path, None, state).map_err(errors::of_unplaced)
    }

    /// Writes a file of a ring of automatic saves: it goes on from the newest of them, and not from the one that it replaces.
    /// The other files are its backups. Those that must not be replaced are passed over.
    pub(crate) fn place_in(&self, ring: &Ring, state: &State) -> Result<Report, Problem> {
        let mut locked = None;
        for path in &ring.files {
            match self.place_at(path, Some(ring), state) {
                Err(PlaceError::Locked(problem, refusal)) => {
                    locked.get_or_insert(PlaceError::Locked(problem, refusal));
                }
                other => return other.map_err(errors::of_unplaced),
            }
        }
        Err(locked.map_or_else(errors::missing, errors::of_unplaced))
    }

    fn place_at(
        &self,
        path: &Path,
        ring: Option<&Ring>,
        state: &State,
    ) -> Result<Report, PlaceError<Problem>> {
        let plan = self.plan;
        let placing = variant_save::Plan {
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
            None => placing.parent().or(self.parent),
        };
        let bytes = plan.written(state, parent).map_err(PlaceError::Refused)?;
        // What is written is read as a load would, before it takes the name.
        self.watch.at(watch::PLACING).map_err(PlaceError::Refused)?;
        let opened = variant_save::open(&bytes, &plan.opening());
        let opened = opened.map_err(|fault| PlaceError::Refused(Problem::of_fault(fault)))?;
        // From here on it is seen through: what was asked for is on the disk, or the old save is.
        self.watch.at(0.9).map_err(PlaceError::Refused)?;
        let used = placing.path().to_path_buf();
        let placed = placing.finish(&bytes);
        tell_of_change();
        let placed = placed?;
        plan.saw(&bytes);
        Ok(Report { used, head: Some(opened.head), placed: Some(placed), ..Report::default() })
    }
}

impl Plan {
    pub(super) fn most_file_bytes(&self) -> u64 {
        self.opening().most_bytes.saturating_add(MORE_BYTES)
    }

    /// Loads a save, or the newest backup that is whole where the save is lost.
    pub(crate) fn load(&self, path: &Path, watch: Watch<'_>) -> Result<(Loaded, Report), Problem> {
        let search = Search {
            backups: if self.fallback == Fallback::Never { 0 } else { self.backups },
            most_file_bytes: self.most_file_bytes(),
            passes_refused: self.fallback == Fallback::Refused,
        };
        let chosen = choose(&RealDisk, path, &search, |_, bytes| {
            let loaded = self.loaded(&bytes, watch).map_err(sorted)?;
            if loaded.is_todays {
                self.saw(&bytes);
            }
            Ok(loaded)
        });
        match chosen {
            Ok(ChosenFile { path, value: loaded, passed }) => {
                let migrated_from = (loaded.version < self.version).then_some(loaded.version);
                let (head, older_classes) = (loaded.head.clone(), loaded.older_classes.clone());
                let report = Report {
                    used: path,
                    refused: passed,
                    head,
                    migrated_from,
                    older_classes,
                    ..Report::default()
                };
                Ok((loaded, report))
            }
            Err(ChoiceError::AllLost(passed)) => match passed.first() {
                // What is alone and no save at all may be another form: the message says which.
                Some((_, newest))
                    if search.backups > 0 && is_lost(newest) && !(passed.len() == 1 && is_other(newest)) =>
                {
                    Err(errors::none_intact(newest, passed.len() - 1))
                }
                Some((_, newest)) => Err(newest.clone()),
                None => Err(errors::missing()),
            },
            Err(ChoiceError::Refused { error, .. }) => Err(error),
            Err(_) => Err(errors::missing()),
        }
    }

    /// Gets the whole entries out of a damaged save, brought to today's version. The schema does not judge them, since keys
    /// may be missing.
    pub(crate) fn recovered(&self, path: &Path) -> Result<(Variant, RecoveredEntries), Problem> {
        let target = RealDisk.target(path);
        let verdict = judge(&RealDisk, &target, self.most_file_bytes(), |_, bytes| {
            recover(&bytes, &self.opening()).map_err(|fault| sorted(Problem::of_fault(fault)))
        });
        let recovered = verdict.loaded()?.ok_or_else(errors::missing)?;
        let version = recovered.head.version;
        self.fits_head(&recovered.head)?;
        let value = decoded(&self.settings(), &recovered.payload)?;
        Ok((migrate::migrated(self, value, version, Watch::default())?, recovered))
    }

    /// Removes a save with everything that stands beside it.
    pub(crate) fn remove(&self, path: &Path) -> Result<(), Problem> {
        let removed = remove(&RealDisk, path);
        tell_of_change();
        removed.map_err(|error| errors::of_removal(&error))
    }

    /// The ring of automatic saves in a folder.
    pub(crate) fn ring(folder: &Path, name: &str, count: u32) -> Ring {
        ring(&RealDisk, folder, name, count)
    }
}

fn is_other(problem: &Problem) -> bool {
    i16::try_from(variant_core::ErrorKind::NotASave.code()) == Ok(problem.kind)
}

fn is_lost(problem: &Problem) -> bool {
    let is_unreadable = i16::try_from(variant_core::ErrorKind::FileFailed.code()) == Ok(problem.kind);
    is_unreadable || refusal_of(problem) == variant_save::Refusal::Damage
}
