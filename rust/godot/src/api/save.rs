//! `VariantSave`: save files that survive, with versions, backups, keys, metadata and thumbnails. The work of a call is in
//! `saves/`; the file format is the crate `variant-save`'s.

#![expect(
    clippy::wrong_self_convention,
    clippy::too_many_arguments,
    reason = "names and arguments are those that scripts see"
)]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::builtin::{
    AnyArray, AnyDictionary, Array, Callable, GString, PackedByteArray, PackedStringArray, VarDictionary,
    Variant,
};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::{Error, push_error};
use godot::meta::ToGodot;
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};
use variant_core::{Mistake, Mistakes};
use variant_save::{Head, PlaceOutcome};

use super::class_set::VariantClassSet;
use super::job::VariantJob;
use super::limits::VariantLimits;
use super::number::saturated;
use super::save_arguments::{self as steps, game_version, picture, place_of, shown};
use super::save_facts::{of_classes, of_head};
use super::schema::VariantSchema;
use crate::call::codec::Limits;
use crate::call::problem::Problem;
use crate::raw::any_thread::AnyThread;
use crate::raw::optional::Optional;
use crate::saves::{self, Changes, LoadError, LoadedSave, Placing, Plan, Report, Watch};
use crate::stream::file_queue::{LeaveTurn, Turn};
use crate::stream::job::Task;

/// Saves and loads the state of a game.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantSave {
    options: Mutex<AnyThread<Options>>,
    outcome: Arc<Mutex<AnyThread<Outcome>>>,
}

/// Holds the values of the properties.
pub(super) struct Options {
    pub(super) plan: Plan,
    pub(super) schema: Option<Gd<VariantSchema>>,
    pub(super) classes: Option<Gd<VariantClassSet>>,
    pub(super) limits: Option<Gd<VariantLimits>>,
    /// Calls that could not be used.
    pub(super) mistakes: Option<Mistakes>,
}

/// The results of the last call.
#[derive(Default)]
struct Outcome {
    loaded: LoadedSave,
    report: Report,
    problem: Option<Problem>,
    /// The save that the game's state goes back to.
    last: Option<Head>,
}

#[godot_api]
impl IRefCounted for VariantSave {
    fn init(_base: Base<RefCounted>) -> Self {
        let plan = Plan { version: 1, backups: 1, game: game_version(), ..Plan::default() };
        let options = Options { plan, schema: None, classes: None, limits: None, mistakes: None };
        Self { options: Mutex::new(AnyThread(options)), outcome: Arc::default() }
    }
}

// Every method takes `&self`: the state has its own locks, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantSave {
    #[func]
    fn save(
        &self,
        path: GString,
        value: Variant,
        #[opt(default = Optional::null())] metadata: Optional,
        #[opt(default = Optional::null())] thumbnail: Optional,
    ) -> Error {
        self.place(&path, None, &Content { value, metadata, thumbnail })
    }

    #[func]
    fn save_async(
        &self,
        path: GString,
        value: Variant,
        #[opt(default = Optional::null())] metadata: Optional,
        #[opt(default = Optional::null())] thumbnail: Optional,
    ) -> Gd<VariantJob> {
        self.place_async(&path, None, &Content { value, metadata, thumbnail })
    }

    #[func]
    fn load(&self, path: GString) -> Error {
        let plan = self.plan();
        let target = place_of(&path).map_err(LoadError::from);
        let loaded = target.and_then(|target| {
            let _turn = in_turn(&target)?;
            plan.load(&target, Watch::default())
        });
        self.note(&path, loaded.map(|(loaded, report)| (Some(loaded), report)))
    }

    #[func]
    fn load_async(&self, path: GString) -> Gd<VariantJob> {
        let plan = self.plan();
        let target = match place_of(&path) {
            Ok(target) => target,
            Err(problem) => return VariantJob::refused(saves::of_file(&problem, &path.to_string())),
        };
        let outcome = Arc::clone(&self.outcome);
        let task = if saves::asks_scripts(&plan) { Task::LoadByScripts } else { Task::Load };
        let (turn, shown) = (Turn::take(&target), path.to_string());
        // Scripts are asked about their classes here, and not on the thread.
        if let Some(classes) = &plan.classes {
            classes();
        }
        VariantJob::begin(task, turn, move |job| {
            let loaded = plan.load(&target, Watch::of(job));
            let (loaded, report) = loaded.map_err(|LoadError { problem, refused }| {
                locked(&outcome).report = Report { refused, ..Report::default() };
                saves::of_file(&problem, &shown)
            })?;
            let value = loaded.value.clone();
            keep(&outcome, Ok((Some(loaded), report)));
            Ok(value)
        })
    }

    #[func]
    fn to_bytes(
        &self,
        value: Variant,
        #[opt(default = Optional::null())] metadata: Optional,
        #[opt(default = Optional::null())] thumbnail: Optional,
    ) -> PackedByteArray {
        let plan = self.plan();
        let last = self.outcome().last.clone();
        let state = Content { value, metadata, thumbnail }.state(&plan);
        match state.and_then(|state| plan.written(&state, last.as_ref())) {
            Ok(bytes) => {
                let front =
                    variant_save::peek(&mut std::io::Cursor::new(&bytes), variant_save::Thumbnail::Skip);
                let mut outcome = self.outcome();
                outcome.problem = None;
                // What is saved next goes on from it.
                outcome.last = front.ok().map(|front| front.head);
                PackedByteArray::from(bytes)
            }
            Err(problem) => {
                self.outcome().problem = Some(problem);
                PackedByteArray::new()
            }
        }
    }

    #[func]
    fn from_bytes(&self, bytes: PackedByteArray) -> Error {
        let plan = self.plan();
        let loaded = plan.loaded(bytes.as_slice(), Watch::default()).map(|loaded| {
            let report = Report::of(&plan, &loaded);
            (Some(loaded), report)
        });
        keep(&self.outcome, loaded.map_err(LoadError::from))
    }

    /// The state in a save, as its bytes, for tools: neither checked nor migrated.
    #[func]
    fn extract(&self, bytes: PackedByteArray) -> PackedByteArray {
        let payload = self.plan().payload(bytes.as_slice());
        self.outcome().problem = payload.as_ref().err().cloned();
        payload.map(PackedByteArray::from).unwrap_or_default()
    }

    #[func]
    fn recover(&self, path: GString) -> Error {
        let plan = self.plan();
        let recovered = place_of(&path).and_then(|target| {
            let _turn = in_turn(&target)?;
            plan.recovered(&target)
        });
        let noted = recovered.map(|(value, recovered)| {
            let (version, head) = (recovered.head.version, Some(recovered.head.clone()));
            let loaded = LoadedSave { value, version, head, ..LoadedSave::default() };
            let used = PathBuf::from(path.to_string());
            let report = Report { used, recovered: Some(recovered), ..Report::of(&plan, &loaded) };
            (Some(loaded), report)
        });
        self.note(&path, noted)
    }

    #[func]
    fn save_auto(
        &self,
        folder: GString,
        count: i64,
        value: Variant,
        #[opt(default = Optional::null())] metadata: Optional,
        #[opt(default = Optional::null())] thumbnail: Optional,
    ) -> Error {
        self.place(&folder, Some(count), &Content { value, metadata, thumbnail })
    }

    #[func]
    fn save_auto_async(
        &self,
        folder: GString,
        count: i64,
        value: Variant,
        #[opt(default = Optional::null())] metadata: Optional,
        #[opt(default = Optional::null())] thumbnail: Optional,
    ) -> Gd<VariantJob> {
        self.place_async(&folder, Some(count), &Content { value, metadata, thumbnail })
    }

    #[func]
    fn migrate(
        &self,
        from_version: i64,
        step: Callable,
        #[opt(default = "")] class_tag: GString,
        #[opt(default = Optional::empty())] options: Optional<AnyDictionary>,
    ) {
        let given = steps::place("migrate", from_version, &class_tag)
            .and_then(|place| Ok((place, steps::options(&options.0)?)));
        self.step(given.map(|(place, (schema, allows_empty))| {
            let change = move |changes: &mut Changes| {
                let script = Some(Arc::new(Mutex::new(AnyThread(step))));
                changes.allows_empty = allows_empty;
                (
                    std::mem::replace(&mut changes.script, script),
                    std::mem::replace(&mut changes.schema, schema),
                )
            };
            (place, change)
        }));
    }

    #[func]
    fn rename(&self, from_version: i64, names: AnyDictionary, #[opt(default = "")] class_tag: GString) {
        let given = steps::place("rename", from_version, &class_tag)
            .and_then(|place| Ok((place, steps::pairs("rename", &names)?)));
        self.step(given.map(|(place, pairs)| (place, |changes: &mut Changes| changes.renames.extend(pairs))));
    }

    #[func]
    fn forget(&self, from_version: i64, names: AnyArray, #[opt(default = "")] class_tag: GString) {
        let given = steps::place("forget", from_version, &class_tag)
            .and_then(|place| Ok((place, steps::texts("forget", &names)?)));
        self.step(
            given.map(|(place, names)| (place, |changes: &mut Changes| changes.forgotten.extend(names))),
        );
    }

    #[func]
    fn get_data(&self) -> Variant {
        self.outcome().loaded.value.clone()
    }

    #[func]
    fn get_metadata(&self) -> Variant {
        self.outcome().loaded.meta.clone()
    }

    #[func]
    fn get_thumbnail(&self) -> PackedByteArray {
        self.outcome().loaded.thumbnail.clone()
    }

    #[func]
    fn get_report(&self) -> VarDictionary {
        report(&self.outcome())
    }

    #[func]
    fn get_error(&self) -> VarDictionary {
        self.outcome().problem.as_ref().map(Problem::to_dictionary).unwrap_or_default()
    }

    #[func]
    fn get_error_message(&self) -> GString {
        self.outcome().problem.as_ref().map(Problem::to_text).unwrap_or_default()
    }
}

impl VariantSave {
    pub(super) fn options(&self) -> MutexGuard<'_, AnyThread<Options>> {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn plan_options<R>(&self, change: impl FnOnce(&mut Plan) -> R) -> R {
        change(&mut self.options().plan)
    }

    fn outcome(&self) -> MutexGuard<'_, AnyThread<Outcome>> {
        locked(&self.outcome)
    }

    /// Saves under a name, or into a ring of so many files of a folder.
    fn place(&self, path: &GString, ring: Option<i64>, content: &Content) -> Error {
        let plan = self.plan_of(ring);
        let last = self.outcome().last.clone();
        let placed = prepared(&plan, path, content).and_then(|(target, state)| {
            let placing = Placing::new(&plan, &target, last.as_ref());
            let _turn = in_turn(&target)?;
            placing.place(ring_count(ring), &state)
        });
        self.note(path, placed.map(|report| (None, report)))
    }

    fn place_async(&self, path: &GString, ring: Option<i64>, content: &Content) -> Gd<VariantJob> {
        let plan = self.plan_of(ring);
        // The game may change the value at any time, so it is encoded here and at once.
        let (target, state) = match prepared(&plan, path, content) {
            Ok(prepared) => prepared,
            Err(problem) => return VariantJob::refused(saves::of_file(&problem, &path.to_string())),
        };
        let (outcome, turn, shown) = (Arc::clone(&self.outcome), Turn::take(&target), path.to_string());
        // Scripts that judge the file which is replaced run here, and not on the thread.
        let before = match ring_count(ring) {
            Some(count) => Plan::ring(&target, count).files.first().and_then(|first| plan.prejudged(first)),
            None => plan.prejudged(&target),
        };
        VariantJob::begin(Task::Save, turn, move |job| {
            let last = locked(&outcome).last.clone();
            let placing = Placing::new(&plan, &target, last.as_ref()).on_thread(job, before.as_ref());
            let report = placing.place(ring_count(ring), &state);
            let report = report.map_err(|problem| saves::of_file(&problem, &shown))?;
            keep(&outcome, Ok((None, report)));
            Ok(Variant::nil())
        })
    }

    /// The properties as they are now; the other files of a ring are its backups.
    fn plan_of(&self, ring: Option<i64>) -> Plan {
        let plan = self.plan();
        if ring.is_some() { Plan { backups: 0, ..plan } } else { plan }
    }

    /// The properties as they are now.
    pub(super) fn plan(&self) -> Plan {
        let options = self.options();
        let limits = options.limits.as_ref().map(|limits| limits.bind().shared().get());
        Plan { limits: limits.or(Some(Limits::save_file())), ..options.plan.clone() }
    }

    /// Puts something in the place of something else, which may run scripts when it ends: not under the lock.
    pub(super) fn replace<T>(&self, replace: impl FnOnce(&mut Options) -> T) {
        let before = replace(&mut self.options());
        drop(before);
    }

    /// Adds to what is done in a step, or says what is wrong with that.
    fn step<T>(&self, given: Result<(steps::StepPlace, impl FnOnce(&mut Changes) -> T), String>) {
        match given {
            Ok(((from, tag), change)) => {
                self.replace(|options| change(options.plan.steps.entry(from).or_default().of(tag)));
            }
            Err(message) => {
                Mistakes::add(&mut self.options().mistakes, Mistake::of_whole(message.as_str()));
                complain(&format!("VariantSave.{message}"));
            }
        }
    }

    /// Keeps what a call about this file gave, and tells its code.
    pub(super) fn note<E: Into<LoadError>>(
        &self,
        path: &GString,
        outcome: Result<(Option<LoadedSave>, Report), E>,
    ) -> Error {
        let of_file = |error: E| {
            let LoadError { problem, refused } = error.into();
            LoadError { problem: saves::of_file(&problem, &path.to_string()), refused }
        };
        keep(&self.outcome, outcome.map_err(of_file))
    }
}

fn locked(outcome: &Mutex<AnyThread<Outcome>>) -> MutexGuard<'_, AnyThread<Outcome>> {
    outcome.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps what a call gave. A refused load leaves no data behind that could be taken for the file's.
fn keep(
    outcome: &Mutex<AnyThread<Outcome>>,
    given: Result<(Option<LoadedSave>, Report), LoadError>,
) -> Error {
    let (over, code) = {
        let mut outcome = locked(outcome);
        match given {
            Ok((loaded, report)) => {
                if let Some(head) = report.head.clone() {
                    outcome.last = Some(head);
                }
                outcome.problem = None;
                outcome.report = report;
                (loaded.map(|loaded| std::mem::replace(&mut outcome.loaded, loaded)), Error::OK)
            }
            Err(LoadError { problem, refused }) => {
                let code = problem.error;
                outcome.problem = Some(problem);
                outcome.report = Report { refused, ..Report::default() };
                (Some(std::mem::take(&mut outcome.loaded)), code)
            }
        }
    };
    // What ends here may run scripts, and those may ask this object.
    drop(over);
    code
}

/// The arguments of a save beside its place.
struct Content {
    value: Variant,
    metadata: Optional,
    thumbnail: Optional,
}

/// Everything that needs the value and the main thread.
fn prepared(plan: &Plan, path: &GString, content: &Content) -> Result<(PathBuf, saves::State), Problem> {
    Ok((place_of(path)?, content.state(plan)?))
}

impl Content {
    fn state(&self, plan: &Plan) -> Result<saves::State, Problem> {
        plan.state(&self.value, &self.metadata.0, picture(&self.thumbnail)?.as_slice())
    }
}

/// The number of files in a ring.
fn ring_count(count: Option<i64>) -> Option<u32> {
    count.map(|count| u32::try_from(count).unwrap_or(0).clamp(1, 1000))
}

/// Waits for all jobs for a file that began before. The next ones wait until the answer is dropped.
pub(super) fn in_turn(target: &Path) -> Result<(LeaveTurn, Turn), Problem> {
    let turn = Turn::take(target);
    let begun = turn.begin(crate::stream::job::meanwhile()).map_err(crate::stream::job::entangled)?;
    Ok((begun, turn))
}

pub(super) fn complain(message: &str) {
    push_error(&[message.to_variant()]);
}

/// Makes the answer of `get_report()`.
fn report(outcome: &Outcome) -> VarDictionary {
    let Report { used, refused, head, migrated_from, older_classes, placed, recovered } = &outcome.report;
    let mut facts = head.as_ref().map(of_head).unwrap_or_default();
    let refused: Array<VarDictionary> = refused
        .iter()
        .map(|(path, problem)| {
            let mut error = problem.to_dictionary();
            error.set("path", shown(path).as_str());
            error
        })
        .collect();
    facts.set("used", shown(used).as_str());
    facts.set("refused", &refused.to_variant());
    facts.set("migrated_from", migrated_from.map_or(-1, i64::from));
    facts.set("migrated_classes", &of_classes(older_classes));
    facts.set("backed_up", *placed == Some(PlaceOutcome::BackedUp));
    facts.set("set_aside", *placed == Some(PlaceOutcome::SetAside));
    if let Some(recovered) = recovered {
        facts.set("entries", i64::from(recovered.entries));
        facts.set("lost_entries", recovered.lost.map_or(-1, i64::from));
        facts.set("lost_slices", saturated(recovered.bad_slices.len()));
        let lost = recovered.lost_references.iter().map(GString::from);
        facts.set("lost_references", &lost.collect::<PackedStringArray>());
    }
    facts
}
