//! Judges the bytes of a file as `load()` does, for a save that would replace it. Nothing of them is built or migrated: a file
//! of an older version is kept whatever a migration would make of it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use variant_core::ErrorKind;
use variant_save::{Head, RealDisk, Refusal, SIGNATURE, SaveContents, Standing, Verdict, identity, verify};

use super::{Plan, errors};
use crate::call::codec::{Codec, Limits};
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;

/// Says what a save has to know of the file that it would replace.
pub(super) type Judged = Result<Standing, (Problem, Refusal)>;

/// Tells what a problem with a file means for other calls. This is the only place that sorts them.
pub(super) fn refusal_of(problem: &Problem) -> Refusal {
    if problem.is_any(&[ErrorKind::NotASave, ErrorKind::SaveDamaged, ErrorKind::SaveCutShort]) {
        Refusal::Damage
    } else if problem.is_any(LOCKED) {
        Refusal::Locked
    } else if problem.is_any(&[ErrorKind::Cancelled]) {
        Refusal::Stopped
    } else {
        Refusal::Rule
    }
}

const LOCKED: &[ErrorKind] =
    &[ErrorKind::SaveNewer, ErrorKind::ClassNewer, ErrorKind::WrongKey, ErrorKind::NotAuthentic];

pub(super) fn sorted(problem: impl Into<Problem>) -> (Problem, Refusal) {
    let problem = problem.into();
    let refusal = refusal_of(&problem);
    (problem, refusal)
}

/// Remembers files that were loaded or written under the same rules: they load again.
#[derive(Default)]
pub(crate) struct SeenFiles(Mutex<FileRecords>);

#[derive(Default)]
struct FileRecords {
    rules: Rules,
    files: VecDeque<[u8; 32]>,
}

/// Names everything that the verdict on a file of today's version goes by. It keeps none of it alive.
#[derive(Default)]
struct Rules {
    schema: Weak<BoundSchema>,
    classes: Option<Weak<super::MakeClasses>>,
    limits: Option<Limits>,
    version: u32,
}

impl Rules {
    fn of(plan: &Plan) -> Rules {
        Rules {
            schema: plan.schema.as_ref().map(Arc::downgrade).unwrap_or_default(),
            classes: plan.classes.as_ref().map(Arc::downgrade),
            limits: plan.limits,
            version: plan.version,
        }
    }

    fn are(&self, other: &Rules) -> bool {
        let same_classes = match (&self.classes, &other.classes) {
            (None, None) => true,
            (Some(own), Some(other)) => own.ptr_eq(other),
            _ => false,
        };
        self.schema.ptr_eq(&other.schema)
            && same_classes
            && self.limits == other.limits
            && self.version == other.version
    }
}

/// The number of files that are remembered: more slots than most games have.
const MOST_SEEN: usize = 128;

impl SeenFiles {
    fn of(&self, plan: &Plan) -> MutexGuard<'_, FileRecords> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = Rules::of(plan);
        if !known.rules.are(&rules) {
            *known = FileRecords { rules, files: VecDeque::new() };
        }
        known
    }
}

impl Plan {
    pub(super) fn saw(&self, bytes: &[u8]) {
        let Some(id) = identity(bytes) else { return };
        let mut known = self.seen.of(self);
        if !known.files.contains(&id) {
            known.files.truncate(MOST_SEEN - 1);
            known.files.push_front(id);
        }
    }

    fn has_seen(&self, id: [u8; 32]) -> bool {
        self.seen.of(self).files.contains(&id)
    }

    /// Judges the bytes of a whole file, as a save on the thread that may run scripts.
    pub(super) fn standing(&self, bytes: &[u8]) -> Judged {
        if !bytes.starts_with(&SIGNATURE) {
            return self.standing_of_other(bytes);
        }
        if identity(bytes).is_some_and(|id| self.has_seen(id)) {
            let head = verify(bytes, &self.opening()).map_err(sorted)?;
            return Ok(Standing { head: Some(head), keeps_as: None });
        }
        let opened = variant_save::open(bytes, &self.opening()).map_err(sorted)?;
        self.fits(&opened).map_err(sorted)?;
        let keeps_as = self.kept_as(&opened);
        if keeps_as.is_none() {
            self.saw(bytes);
        }
        Ok(Standing { head: Some(opened.head), keeps_as })
    }

    /// Returns the suffix of a file that an older version of the game wrote, or one without the classes of today.
    pub(super) fn keeps_as(&self, head: &Head) -> Option<String> {
        let is_older = head.version < self.version || self.classes.is_some() && !head.is_document;
        is_older.then(|| format!("v{}", head.version))
    }

    /// Returns the suffix also of a file in which only a class is older.
    fn kept_as(&self, opened: &SaveContents) -> Option<String> {
        let has_older = || !self.older_classes(&opened.head, &opened.payload).is_empty();
        self.keeps_as(&opened.head).or_else(|| has_older().then(|| format!("v{}", opened.head.version)))
    }

    /// Returns the classes of a save that have a newer version today, with the version in the save.
    pub(super) fn older_classes(&self, head: &Head, payload: &[u8]) -> Vec<(String, u32)> {
        let Some(classes) = self.classes.as_ref().filter(|_| head.is_document) else { return Vec::new() };
        if head.class_hash == self.class_hash() {
            return Vec::new();
        }
        let classes = classes();
        let Ok(set) = classes.set() else { return Vec::new() };
        let checked =
            set.table.check(&mut variant_objects::Scratch::default(), payload, self.settings().rules(), None);
        // Whoever loads it says what is wrong with it.
        let heads = checked.map(|checked| checked.heads).unwrap_or_default();
        let older = heads.iter().filter_map(|head| {
            let class = set.table.class(head.class)?;
            // Classes that are written by a key have no version.
            (head.version > 0 && head.version < class.version()).then(|| (class.tag.clone(), head.version))
        });
        older.collect()
    }

    /// Checks what a load would check before it builds anything.
    fn fits(&self, opened: &SaveContents) -> Result<(), Problem> {
        self.fits_head(&opened.head)?;
        let settings = self.settings();
        let is_older = self.keeps_as(&opened.head).is_some();
        let judged = |held: Option<&BoundSchema>| {
            Codec::new().validate(&Call::under(&settings, held), &opened.payload).map(drop)
        };
        match &self.classes {
            _ if !is_older => judged(self.held().as_deref()),
            // Its state is judged by the schema when it is migrated; the versions of its classes are judged by themselves.
            Some(classes) if opened.head.is_document => {
                match judged(Some(&BoundSchema::with_classes(None, classes()))) {
                    Err(problem) if refusal_of(&problem) == Refusal::Locked => Err(problem),
                    _ => Ok(()),
                }
            }
            Some(_) => Ok(()),
            None => judged(None),
        }
    }

    /// Checks that a save is neither newer than the game, nor one of classes that the game does not name.
    pub(super) fn fits_head(&self, head: &Head) -> Result<(), Problem> {
        if head.version > self.version {
            return Err(errors::newer(head.version, self.version));
        }
        if head.is_document && self.classes.is_none() {
            return Err(errors::no_classes());
        }
        Ok(())
    }

    /// Judges a file that is no save of ours, as the loads of `unversioned` files do.
    fn standing_of_other(&self, bytes: &[u8]) -> Judged {
        let Some(version) = self.unversioned else {
            variant_save::open(bytes, &self.opening()).map_err(sorted)?;
            return Err(sorted(Problem::default()));
        };
        if version < self.version && self.knows(bytes).map_err(sorted)? {
            return Ok(Standing { head: None, keeps_as: Some(format!("v{version}")) });
        }
        self.loaded(bytes, super::Watch::default()).map_err(sorted)?;
        Ok(Standing { head: None, keeps_as: None })
    }

    /// Whether a file has to be judged where scripts may run.
    pub(crate) fn judges_by_scripts(&self) -> bool {
        self.classes.is_some() || self.schema.as_deref().is_some_and(BoundSchema::asks_scripts)
    }

    /// Judges the file that is there before a thread replaces it, which must not run scripts. `None` where the thread can.
    pub(crate) fn prejudged(&self, path: &Path) -> Option<JudgedFile> {
        if !self.judges_by_scripts() {
            return None;
        }
        let id = identity_of(path).filter(|id| !self.has_seen(*id))?;
        let verdict =
            variant_save::judge(&RealDisk, path, self.most_file_bytes(), |_, bytes| self.standing(&bytes));
        match verdict {
            Verdict::Refused(problem, refusal) => Some(JudgedFile { id, refused: (problem, refusal) }),
            _ => None,
        }
    }

    /// Judges the bytes of a file without a script: by what was found before, or by what the file says of itself.
    pub(super) fn standing_without_scripts(&self, bytes: &[u8], before: Option<&JudgedFile>) -> Judged {
        let id = identity(bytes);
        if !self.judges_by_scripts() || id.is_some_and(|id| self.has_seen(id)) {
            return self.standing(bytes);
        }
        if let Some(JudgedFile { refused, .. }) = before.filter(|before| Some(before.id) == id) {
            return Err(refused.clone());
        }
        let opened = variant_save::open(bytes, &self.opening()).map_err(sorted)?;
        self.fits_head(&opened.head).map_err(sorted)?;
        let keeps_as = self.kept_as(&opened);
        Ok(Standing { head: Some(opened.head), keeps_as })
    }
}

pub(crate) struct JudgedFile {
    id: [u8; 32],
    refused: (Problem, Refusal),
}

fn identity_of(path: &Path) -> Option<[u8; 32]> {
    let mut file: File = RealDisk.open(path).ok()?;
    let mut end = Vec::new();
    file.seek(SeekFrom::End(-variant_save::END_OF_FILE)).ok()?;
    file.take(variant_save::END_OF_FILE.unsigned_abs()).read_to_end(&mut end).ok()?;
    identity(&end)
}
