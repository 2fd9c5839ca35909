//! What one VariantCodec object owns: its settings, its engine room, and the outcome of its last call.
//!
//! Two locks. `options` is held for moments and never while anything else runs, so it may be waited for.
//! `work` is held for a whole call, and a call can reach scripts (getters of encoded objects): never waited
//! for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use godot::builtin::{PackedByteArray, Variant};
use godot::global::Error;
use godot::obj::Gd;

use super::error::{bytes_argument, check_argument, decode_argument, with_bytes};
use super::limits::{SharedLimits, VariantLimits, lock};
use super::schema::VariantSchema;
use crate::checked::explained;
use crate::codec::{Codec, Dialect, Extent, Limits, Problem, Settings, Strictness, Target};
use crate::raw::any_thread::AnyThread;
use crate::raw::in_place;
use crate::schema::{self, Held};

/// The state of a codec; shared by its hot methods and its plain ones.
#[derive(Default)]
pub(crate) struct CodecState {
    options: Mutex<Options>,
    work: Mutex<AnyThread<Work>>,
}

/// What the properties of a codec say.
pub(super) struct Options {
    pub(super) strictness: Strictness,
    pub(super) full_objects: bool,
    pub(super) dialect: Dialect,
    /// As it was set: what it means is asked when something is encoded.
    pub(super) target: String,
    limits: Option<Source>,
    schema: Option<Checks>,
}

/// A schema resource, and what it held when it was set: schemas do not change under a codec.
struct Checks {
    resource: AnyThread<Gd<VariantSchema>>,
    held: Arc<Held>,
}

/// A limits resource, and the numbers in it, which are read at every call.
struct Source {
    resource: AnyThread<Gd<VariantLimits>>,
    numbers: SharedLimits,
}

/// The engine room and what came out of it last.
struct Work {
    codec: Codec,
    outcome: Outcome,
}

/// Of the last call: decoded value, extent, refusal.
pub(super) struct Outcome {
    pub(super) data: Variant,
    pub(super) extent: Extent,
    pub(super) problem: Option<Problem>,
    /// What was refused under a schema, for those who ask for every reason.
    refused: Option<Refused>,
}

impl Outcome {
    fn refused(problem: Problem, refused: Option<Refused>) -> Outcome {
        Outcome { problem: Some(problem), refused, ..Outcome::default() }
    }
}

/// Refused bytes and what they were refused by. The bytes are shared with the script until it changes them.
struct Refused {
    bytes: PackedByteArray,
    settings: Settings,
    held: Arc<Held>,
}

impl Refused {
    fn shared(&self) -> Refused {
        Refused { bytes: self.bytes.clone(), settings: self.settings, held: Arc::clone(&self.held) }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            strictness: Strictness::Safe,
            full_objects: false,
            dialect: Dialect::default(),
            target: String::new(),
            limits: None,
            schema: None,
        }
    }
}

impl Options {
    /// Only Godot 4 comes in versions.
    fn target(&self) -> Option<Target> {
        let target = Target::godot_4(&self.target);
        if self.dialect == Dialect::Godot4 { target } else { target.map(|_| Target::newest(self.dialect)) }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self { codec: Codec::new(), outcome: Outcome::default() }
    }
}

impl Default for Outcome {
    fn default() -> Self {
        Self {
            data: Variant::nil(),
            extent: Extent { consumed: 0, trailing: 0 },
            problem: None,
            refused: None,
        }
    }
}

impl CodecState {
    /// Leaves the decoded value of the call before alone.
    pub(super) fn encode(&self, value: &Variant) -> PackedByteArray {
        let settings = self.settings();
        let held = self.held();
        let Some(mut work) = self.lock_work() else { return PackedByteArray::new() };
        let outcome = match held.as_deref() {
            Some(held) => work.codec.encode_checked(&settings, held, value),
            None => work.codec.encode(&settings, value),
        };
        let (bytes, problem) = match outcome {
            Ok(bytes) => (bytes, None),
            Err(problem) => (PackedByteArray::new(), Some(problem)),
        };
        work.outcome.problem = problem;
        // What was refused before is no reason of this call.
        let before = work.outcome.refused.take();
        drop(work);
        drop(before);
        bytes
    }

    pub(super) fn decode(&self, bytes: &Variant) -> Error {
        self.read(bytes, |codec, settings, schema| {
            let (data, extent) = match schema {
                Some(held) => with_bytes(bytes, |bytes| codec.decode_checked(settings, held, bytes))?,
                None => decode_argument(codec, settings, bytes)?,
            };
            Ok(Outcome { data, extent, ..Outcome::default() })
        })
    }

    pub(super) fn validate(&self, bytes: &Variant) -> Error {
        self.read(bytes, |codec, settings, schema| {
            let extent = match schema {
                Some(held) => with_bytes(bytes, |bytes| codec.validate_checked(settings, held, bytes))?,
                None => check_argument(codec, settings, bytes)?,
            };
            Ok(Outcome { extent, ..Outcome::default() })
        })
    }

    pub(super) fn decode_into(&self, target: &Variant, bytes: &Variant) -> Error {
        self.read(bytes, |codec, settings, schema| {
            let own = || bytes_argument(bytes);
            let extent = match schema {
                Some(held) => {
                    let lent = in_place::bytes(bytes);
                    codec.decode_into_checked(settings, held, target, (lent, own))?
                }
                None => codec.decode_into(settings, target, in_place::bytes(bytes), own)?,
            };
            Ok(Outcome { extent, ..Outcome::default() })
        })
    }

    /// A part of the last outcome; while a call is unfinished, of an outcome that says so.
    pub(super) fn outcome<R>(&self, read: impl FnOnce(&Outcome) -> R) -> R {
        match self.lock_work() {
            Some(work) => read(&work.outcome),
            None => read(&Outcome { problem: Some(Problem::busy()), ..Outcome::default() }),
        }
    }

    /// Reads or changes the options.
    pub(super) fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        change(&mut self.options.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn limits(&self) -> Option<Gd<VariantLimits>> {
        self.options(|options| options.limits.as_ref().map(|source| source.resource.0.clone()))
    }

    pub(super) fn set_limits(&self, limits: Option<Gd<VariantLimits>>) {
        let source = limits.map(|resource| {
            let numbers = resource.bind().shared();
            Source { resource: AnyThread(resource), numbers }
        });
        let before = self.options(|options| std::mem::replace(&mut options.limits, source));
        // The last handle to a resource may end here, and with it a script: not under the lock.
        drop(before);
    }

    pub(super) fn settings(&self) -> Settings {
        self.options(|options| Settings {
            strictness: options.strictness,
            full_objects: options.full_objects,
            dialect: options.dialect,
            target: options.target(),
            limits: options.limits.as_ref().map_or_else(Limits::save_file, |source| *lock(&source.numbers)),
        })
    }

    pub(super) fn schema(&self) -> Option<Gd<VariantSchema>> {
        self.options(|options| options.schema.as_ref().map(|checks| checks.resource.0.clone()))
    }

    /// What the schema holds, for a call.
    pub(super) fn held(&self) -> Option<Arc<Held>> {
        self.options(|options| options.schema.as_ref().map(|checks| Arc::clone(&checks.held)))
    }

    pub(super) fn set_schema(&self, schema: Option<Gd<VariantSchema>>) {
        let checks = schema.map(|resource| {
            let held = resource.bind().held();
            Checks { resource: AnyThread(resource), held }
        });
        let before = self.options(|options| std::mem::replace(&mut options.schema, checks));
        // As with limits: not under the lock.
        drop(before);
    }

    /// Why the last call failed. What a schema refused is put into words here, when they are asked for.
    pub(super) fn problem(&self) -> Option<Problem> {
        let (problem, refused) =
            self.outcome(|last| (last.problem.clone(), last.refused.as_ref().map(Refused::shared)));
        match (problem?, refused) {
            (problem, Some(it)) if problem.is_brief => {
                Some(explained(&it.settings, &it.held, it.bytes.as_slice(), problem))
            }
            (problem, _) => Some(problem),
        }
    }

    /// Every reason why the last call refused its bytes, at most `most`. The first is the one it told.
    pub(super) fn problems(&self, most: usize) -> Vec<Problem> {
        let refused = self.outcome(|last| last.refused.as_ref().map(Refused::shared));
        let all = refused.and_then(|it| {
            schema::violations(&it.held, it.bytes.as_slice(), &it.settings.rules(), most).ok()
        });
        match all {
            Some(found) if !found.is_empty() => found.iter().map(Problem::of_violation).collect(),
            _ => self.outcome(|last| last.problem.iter().take(most).cloned().collect()),
        }
    }

    /// One call that reads bytes. Its outcome replaces the last one, unless the codec was busy.
    fn read(
        &self,
        bytes: &Variant,
        call: impl FnOnce(&mut Codec, &Settings, Option<&Held>) -> Result<Outcome, Problem>,
    ) -> Error {
        let settings = self.settings();
        let held = self.held();
        let Some(mut work) = self.lock_work() else { return Error::ERR_BUSY };
        let outcome = call(&mut work.codec, &settings, held.as_deref()).unwrap_or_else(|problem| {
            let again = held.zip(bytes_argument(bytes).ok());
            Outcome::refused(problem, again.map(|(held, bytes)| Refused { bytes, settings, held }))
        });
        let answer = outcome.problem.as_ref().map_or(Error::OK, |problem| problem.error);
        let before = std::mem::replace(&mut work.outcome, outcome);
        // Ending the former value can run scripts, and those may ask this codec: not under the lock.
        drop(work);
        drop(before);
        answer
    }

    fn lock_work(&self) -> Option<MutexGuard<'_, AnyThread<Work>>> {
        match self.work.try_lock() {
            Ok(work) => Some(work),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Poisoned(poisoned)) => {
                // A bug of ours broke off a call midway: start afresh.
                let mut work = poisoned.into_inner();
                work.0 = Work::default();
                self.work.clear_poison();
                Some(work)
            }
        }
    }
}
