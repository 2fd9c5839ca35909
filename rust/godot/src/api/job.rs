//! `VariantJob`: a file that is loaded or saved in the background. The thread's work stands in
//! `stream/job.rs`.

use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{GString, Signal, VarDictionary, Variant};
use godot::classes::RefCounted;
use godot::global::{Error, push_error};
use godot::meta::ToGodot;
use godot::obj::{Base, EngineEnum, Gd, GodotClass, WithBaseField};
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};
use variant_save::OldFile;

use super::writer_state::globalized;
use crate::call::codec::{Codec, Limits, Rules};
use crate::call::form::Call;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::any_thread::AnyThread;
use crate::raw::register::{plain_info, property, variant_info};
use crate::stream::ending::once_idle;
use crate::stream::file_queue::Turn;
use crate::stream::job::{self, Job, Task};
use crate::stream::load::load;

/// The settings for a load.
static LOADABLE: Settings = Settings::new(Rules::safe(Limits::save_file()));

/// A load or save under way.
#[derive(GodotClass)]
#[class(tool, no_init, base = RefCounted)]
pub struct VariantJob {
    job: Arc<Job>,
    base: Base<RefCounted>,
}

#[godot_api]
impl VariantJob {
    #[signal]
    fn finished(error: i64);

    #[func]
    fn get_progress(&self) -> f64 {
        self.job.progress()
    }

    #[func]
    fn get_data(&self) -> Variant {
        self.job.outcome().map(|outcome| outcome.data).unwrap_or_default()
    }

    #[func]
    fn is_done(&self) -> bool {
        self.job.outcome().is_some()
    }

    #[func]
    fn cancel(&self) {
        self.job.cancel();
    }

    /// Returns what `await` waits for: the signal, or the code of a job that has ended, which it takes at once.
    #[func]
    fn done(&self) -> Variant {
        match self.job.outcome() {
            Some(_) => i64::from(self.code().ord()).to_variant(),
            None => Signal::from_object_signal(&self.to_gd(), "finished").to_variant(),
        }
    }

    #[func]
    fn wait(&self) -> Error {
        match self.job.wait() {
            Ok(()) => self.code(),
            // A mistake in code. The job has no error of its own: it may end well yet.
            Err(it) => {
                let problem = job::entangled(it);
                push_error(&[format!("VariantJob.wait: {}", problem.message()).to_variant()]);
                problem.error
            }
        }
    }

    #[func]
    fn get_error(&self) -> VarDictionary {
        self.problem().map(|problem| problem.to_dictionary()).unwrap_or_default()
    }

    #[func]
    fn get_error_message(&self) -> GString {
        self.problem().map(|problem| problem.message().as_ref().into()).unwrap_or_default()
    }
}

impl VariantJob {
    /// Loads a file.
    pub(super) fn load(path: GString, settings: Settings, schema: Option<Arc<BoundSchema>>) -> Gd<Self> {
        // What has no path on the computer nobody saves to.
        let turn = globalized(&path).map_or_else(|_| Turn::alone(), |path| Turn::take(&path));
        let path = path.to_string();
        let has_classes = schema.as_ref().is_some_and(|held| held.classes.is_some());
        let settings = if has_classes { settings.reading_documents() } else { settings };
        let task = if schema.as_deref().is_some_and(BoundSchema::asks_scripts) {
            Task::LoadByScripts
        } else {
            Task::Load
        };
        Self::begin(task, turn, move |job| {
            load(job, &path, &settings, schema.as_deref()).map_err(|problem| problem.in_file(&path))
        })
    }

    /// Saves these bytes, if a load would take them.
    pub(super) fn save(
        path: &GString,
        bytes: Vec<u8>,
        old: OldFile,
        schema: Option<Arc<BoundSchema>>,
    ) -> Gd<Self> {
        let (name, path) = (path.to_string(), globalized(path));
        let turn = path.as_ref().map_or_else(|_| Turn::alone(), |path| Turn::take(path));
        // Scripts run here and now: a save is not cancelled when the game quits, and no script runs after that.
        let asks_scripts = schema.as_deref().is_some_and(BoundSchema::asks_scripts);
        let checked = if asks_scripts { check(&bytes, schema.as_deref()) } else { Ok(()) };
        Self::begin(Task::Save, turn, move |job| {
            let loadable = checked.and_then(|()| match asks_scripts {
                true => Ok(()),
                false => check(&bytes, schema.as_deref()),
            });
            let saved = loadable.and_then(|()| job::save(job, &path?, &bytes, old));
            saved.map_err(|problem| problem.in_file(&name))
        })
    }

    /// A job that is over before it begins.
    pub(super) fn refused(problem: Problem) -> Gd<Self> {
        Self::begin(Task::Load, Turn::alone(), move |_| Err(problem))
    }

    pub(super) fn begin(
        task: Task,
        turn: Turn,
        work: impl FnOnce(&Job) -> Result<Variant, Problem> + Send + 'static,
    ) -> Gd<Self> {
        let job = Arc::new(Job::new(task, &turn));
        let object = Gd::from_init_fn(|base| Self { job: Arc::clone(&job), base });
        let told = Mutex::new(AnyThread(object.clone()));
        job.start(turn, work, move || {
            // The deferred call holds the job until the main thread has told of its end.
            once_idle("VariantJob.finished", move |_| conclude(&told));
        });
        object
    }

    fn problem(&self) -> Option<Problem> {
        self.job.outcome().and_then(|outcome| outcome.problem)
    }

    fn code(&self) -> Error {
        self.problem().map_or(Error::OK, |problem| problem.error)
    }
}

/// Refuses what a load would refuse: it would never be seen again, and the next save would take its backup away as well.
fn check(frame: &[u8], schema: Option<&BoundSchema>) -> Result<(), Problem> {
    Codec::new().verdict(&Call::under(&LOADABLE, schema), frame.get(4..).unwrap_or_default())
}

/// Emits the signal, on the main thread.
fn conclude(job: &Mutex<AnyThread<Gd<VariantJob>>>) {
    let mut job = job.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
    let code = i64::from(job.bind().code().ord());
    job.emit_signal("finished", &[code.to_variant()]);
}

/// The properties, both to be read only.
pub(super) fn register_properties() {
    let class = VariantJob::class_id();
    let data = PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info("data") };
    let progress = PropertyInfo {
        usage: PropertyUsageFlags::NONE,
        ..plain_info("progress", godot::builtin::VariantType::FLOAT)
    };
    property(class, &data, "", "get_data");
    property(class, &progress, "", "get_progress");
}
