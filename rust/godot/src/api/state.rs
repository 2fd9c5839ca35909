//! The state of a VariantCodec: its settings, its engine room, and the outcome of its last call.
//!
//! Two locks. `options` is held for moments and never while anything else runs, so it may be waited for. A call
//! looks into it only when something was set since the one before.
//! `work` is held for a whole call, and a call can reach scripts (getters of encoded objects): never waited
//! for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot::builtin::{PackedByteArray, Variant};
use godot::global::Error;
use godot::obj::Gd;

use super::class_set::VariantClassSet;
use super::error::no_bytes;
use super::guarded::Guarded;
use super::limits::{SharedLimits, VariantLimits};
use super::offset::{behind, is_told};
use super::options::{Options, SharedResource};
use super::schema::VariantSchema;
use super::tap;
use crate::call::codec::{Codec, Extent, Limits};
use crate::call::decode::{bytes_argument, with_bytes};
use crate::call::form::{Call, CallForm, KeptCall, Packing};
use crate::call::judge::whole;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::in_place::{self, BorrowedBytes};
use crate::raw::instance::State;

/// The state of a codec; shared by its hot methods and its plain ones.
#[derive(Default)]
pub(crate) struct CodecState {
    options: Mutex<Options>,
    /// How often an option may have been changed.
    changes: AtomicU64,
    work: Guarded<Work>,
}

/// The engine room, what it goes by, and what came out of it last.
#[derive(Default)]
struct Work {
    codec: Codec,
    ready: Ready,
    outcome: Outcome,
}

/// The settings that the options came to when a call last looked at them.
pub(super) struct Ready {
    pub(super) call: KeptCall,
    /// The count of changes of the options at that time; `u64::MAX` before the first look.
    changes: u64,
    /// The numbers that the settings have their limits from, and their changes at that time.
    limits: Option<(Arc<SharedLimits>, u64)>,
}

/// The outcome of the last call: decoded value, extent, refusal.
#[derive(Default)]
pub(super) struct Outcome {
    pub(super) data: Variant,
    pub(super) extent: Extent,
    pub(super) problem: Option<Problem>,
    /// The bytes that a schema refused, for callers that ask for every reason. Apart, so that it is not moved
    /// at each call.
    refused: Option<Box<RefusedBytes>>,
}

/// Bytes that a schema refused, until somebody asks for every reason. They are shared with the script until it changes them.
#[derive(Clone)]
struct RefusedBytes {
    bytes: PackedByteArray,
    call: KeptCall,
}

impl RefusedBytes {
    /// A brief problem in full.
    fn explained(&self, problem: Problem) -> Problem {
        match self.call.lent() {
            Ok(call) => call.explained(self.bytes.as_slice(), problem),
            Err(_) => problem,
        }
    }

    /// All that is wrong with them, up to `most`.
    fn all(&self, most: usize) -> Option<Vec<Problem>> {
        self.call.lent().and_then(|call| call.all(self.bytes.as_slice(), most)).ok()
    }
}

impl Ready {
    /// How differences from a baseline are packed, if there is one.
    fn differences(&self) -> Result<Packing<'_>, Problem> {
        if self.call.packing.as_ref().is_some_and(|packing| packing.baseline.is_none()) {
            return Err(Problem::wrong_type("baseline", "packed bytes that both sides have", "none"));
        }
        match self.call.lent()?.form {
            CallForm::Packed(packing) => Ok(packing),
            _ => Err(Problem::wrong_type("form", "FORM_PACKED", "FORM_VARIANT")),
        }
    }
}

impl Outcome {
    fn of(problem: Problem) -> Outcome {
        Outcome { problem: Some(problem), ..Outcome::default() }
    }

    /// Keeps bytes that a schema has refused, in the place of those before them where that schema is the
    /// same. It hands back what had to make room: a schema may end with it, and scripts with that.
    fn keep(&mut self, call: &KeptCall, bytes: &Variant) -> Option<Box<RefusedBytes>> {
        // A document has said all there is to say.
        let held = call.held.as_ref().filter(|held| held.classes.is_none());
        let given = held.and_then(|held| Some((held, bytes_argument(bytes).ok()?)));
        match (given, &mut self.refused) {
            (Some((held, bytes)), Some(kept))
                if kept.call.held.as_ref().is_some_and(|former| Arc::ptr_eq(held, former)) =>
            {
                kept.bytes = bytes;
                kept.call.settings = call.settings;
                kept.call.packing.clone_from(&call.packing);
                None
            }
            (given, kept) => {
                let refused = given.map(|(_, bytes)| Box::new(RefusedBytes { bytes, call: call.clone() }));
                std::mem::replace(kept, refused)
            }
        }
    }
}

impl Default for Ready {
    fn default() -> Self {
        let settings = Options::default().settings(Limits::save_file());
        Self { call: KeptCall { settings, held: None, packing: None }, changes: u64::MAX, limits: None }
    }
}

impl State for CodecState {
    fn is_at_work(&self) -> bool {
        self.work.is_at_work()
    }
}

impl CodecState {
    /// Leaves the decoded value of the call before alone.
    pub(super) fn encode(&self, value: &Variant, answer: &mut Variant) {
        let Some(mut work) = self.work.enter() else { return no_bytes(answer) };
        let Work { codec, ready, outcome } = &mut **work;
        self.refreshed(ready);
        // A getter of an object can let go of what was lent.
        let own = ready.call.settings.full_objects.then(|| value.clone());
        let value = own.as_ref().unwrap_or(value);
        let encoded = ready.call.lent().and_then(|call| codec.encode(&call, value, answer));
        if encoded.is_ok() && outcome.problem.is_none() && outcome.refused.is_none() {
            return;
        }
        // What was refused before is no reason of this call. Ending it is not for under the lock.
        let before = outcome.refused.take();
        outcome.problem = encoded.err();
        if outcome.problem.is_some() {
            no_bytes(answer);
        }
        drop(work);
        drop(before);
    }

    /// Returns the packed bytes of the value that a difference makes of the baseline. Leaves the decoded value alone.
    pub(super) fn apply_delta(&self, delta: &Variant) -> PackedByteArray {
        let Some(mut work) = self.work.enter() else { return PackedByteArray::new() };
        let Work { codec, ready, outcome } = &mut **work;
        self.refreshed(ready);
        let applied = ready.differences().and_then(|packing| {
            codec.apply_packed(&ready.call.settings, packing, bytes_argument(delta)?.as_slice())
        });
        let before = outcome.refused.take();
        outcome.problem = applied.as_ref().err().cloned();
        drop(work);
        drop(before);
        applied.unwrap_or_default()
    }

    /// Makes a call with the bytes behind an offset, or with all where none is given.
    #[inline]
    pub(super) fn at_offset(
        &self,
        bytes: &Variant,
        offset: &Variant,
        call: impl FnOnce(&CodecState, &Variant) -> Error,
    ) -> Error {
        if !is_told(offset) {
            return call(self, bytes);
        }
        match behind(bytes, offset) {
            Ok(part) => call(self, &part),
            Err(problem) => self.read(bytes, |_, _, _| Err(problem)),
        }
    }

    pub(super) fn decode(&self, bytes: &Variant) -> Error {
        self.read(bytes, |codec, call, data| {
            if let CallForm::Plain = call.form
                && let Some(lent) = in_place::bytes(bytes)
                && Codec::decode_single(call.settings, lent, data)
            {
                return Ok(whole(lent));
            }
            with_bytes(call, bytes, |bytes| codec.decode(call, bytes, data))
        })
    }

    pub(super) fn validate(&self, bytes: &Variant) -> Error {
        self.read_by(bytes, |codec, call, bytes| codec.validate(call, bytes.bytes))
    }

    pub(super) fn decode_into(&self, target: &Variant, bytes: &Variant) -> Error {
        // A check of the game's own can let go of the target.
        let target = &target.clone();
        self.read_by(bytes, |codec, call, bytes| codec.decode_into(call, target, bytes))
    }

    /// Runs a call that makes nothing to be kept.
    fn read_by(
        &self,
        bytes: &Variant,
        call: impl FnOnce(&mut Codec, &Call<'_>, BorrowedBytes<'_>) -> Result<Extent, Problem>,
    ) -> Error {
        let mut ended = Vec::new();
        self.read(bytes, |codec, given, _| {
            let told = with_bytes(given, bytes, |bytes| call(codec, given, bytes));
            ended = std::mem::take(&mut codec.ended);
            told
        })
    }

    /// A part of the last outcome; while a call is unfinished, of an outcome that says so.
    pub(super) fn outcome<R>(&self, read: impl FnOnce(&Outcome) -> R) -> R {
        match self.work.enter() {
            Some(work) => read(&work.outcome),
            None => read(&Outcome::of(Problem::busy())),
        }
    }

    /// Reads or changes the options.
    pub(super) fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        let mut options = self.lock_options();
        let answer = change(&mut options);
        // Some only read. Those are rare enough.
        self.changes.fetch_add(1, Ordering::Release);
        answer
    }

    pub(super) fn limits(&self) -> Option<Gd<VariantLimits>> {
        self.lock_options().limits.as_ref().map(SharedResource::resource)
    }

    pub(super) fn set_limits(&self, limits: Option<Gd<VariantLimits>>) {
        let limits = limits.map(|limits| SharedResource::of(limits, VariantLimits::shared));
        self.replace(|options| std::mem::replace(&mut options.limits, limits));
    }

    pub(super) fn settings(&self) -> Settings {
        let options = self.lock_options();
        let limits = options.limits.as_ref().map_or_else(Limits::save_file, |limits| limits.shared.get());
        let settings = options.settings(limits);
        if options.classes.is_some() { settings.reading_documents() } else { settings }
    }

    pub(super) fn schema(&self) -> Option<Gd<VariantSchema>> {
        self.lock_options().schema.as_ref().map(SharedResource::resource)
    }

    pub(super) fn set_schema(&self, schema: Option<Gd<VariantSchema>>) {
        let schema = schema.map(|schema| SharedResource::of(schema, VariantSchema::held));
        self.replace(|options| std::mem::replace(&mut options.schema, schema));
    }

    pub(super) fn classes(&self) -> Option<Gd<VariantClassSet>> {
        self.lock_options().classes.as_ref().map(SharedResource::resource)
    }

    pub(super) fn set_classes(&self, classes: Option<Gd<VariantClassSet>>) {
        let classes = classes.map(|classes| SharedResource::of(classes, VariantClassSet::shared));
        self.replace(|options| std::mem::replace(&mut options.classes, classes));
    }

    /// Puts a resource in the place of another one. The next call looks for itself: until then nothing but a refusal that may be
    /// asked about needs the former schema.
    fn replace<T>(&self, change: impl FnOnce(&mut Options) -> T) {
        let before = self.options(change);
        let held = self.work.enter().and_then(|mut work| {
            work.ready.changes = u64::MAX;
            work.ready.call.held.take()
        });
        // The last handle to a resource may end here, and with it a script: not under a lock.
        drop((before, held));
    }

    /// Returns why the last call failed. A refusal by a schema is put into words here, when they are asked
    /// for.
    pub(super) fn problem(&self) -> Option<Problem> {
        let (problem, refused) = self.outcome(|last| (last.problem.clone(), last.refused.clone()));
        match (problem?, refused) {
            (problem, Some(it)) if problem.is_brief() => Some(it.explained(problem)),
            (problem, _) => Some(problem),
        }
    }

    /// Every reason why the last call refused its bytes, at most `most`. The first is the one it told.
    pub(super) fn problems(&self, most: usize) -> Vec<Problem> {
        let refused = self.outcome(|last| last.refused.clone());
        match refused.and_then(|it| it.all(most)) {
            Some(problems) if !problems.is_empty() => problems,
            _ => {
                self.outcome(|last| last.problem.iter().flat_map(Problem::all).take(most).cloned().collect())
            }
        }
    }

    /// Runs a call that reads bytes. Its outcome replaces the last one, unless the codec was busy.
    fn read(
        &self,
        bytes: &Variant,
        call: impl FnOnce(&mut Codec, &Call<'_>, &mut Variant) -> Result<Extent, Problem>,
    ) -> Error {
        let Some(mut work) = self.work.enter() else { return Error::ERR_BUSY };
        let Work { codec, ready, outcome } = &mut **work;
        self.refreshed(ready);
        // Ending the former value can run scripts, and those may ask this codec: not under the lock.
        let former = in_place::take(&mut outcome.data);
        let answer = ready.call.lent().and_then(|given| call(codec, &given, &mut outcome.data));
        match answer {
            Ok(extent) => {
                outcome.extent = extent;
                if outcome.problem.is_some() {
                    codec.reuse(outcome.problem.take());
                }
                let before = outcome.refused.take();
                drop(work);
                drop((former, before));
                if tap::is_watched() {
                    tap::accepted(bytes);
                }
                Error::OK
            }
            Err(problem) => {
                let error = problem.error;
                let rest = std::mem::take(&mut outcome.data);
                outcome.extent = Extent::default();
                // Scripts that ran meanwhile may have changed the bytes, or let go of them.
                let are_the_same = !problem.is_of_scripts() && !problem.is_of_arguments();
                codec.reuse(outcome.problem.replace(problem));
                let before =
                    if are_the_same { outcome.keep(&ready.call, bytes) } else { outcome.refused.take() };
                drop(work);
                drop((former, before, rest));
                if tap::is_watched() {
                    self.show_refusal(bytes);
                }
                error
            }
        }
    }

    /// Shows the bytes of the last call in the editor's panel. Out of line: without a debugger nobody comes here.
    #[cold]
    #[inline(never)]
    fn show_refusal(&self, bytes: &Variant) {
        if let (Some(problem), Ok(bytes)) = (self.problem(), bytes.try_to()) {
            tap::refused("VariantCodec", &bytes, &problem.to_text().to_string());
        }
    }

    /// Brings the settings and the schema of a call to what the options say now. A getter of an object
    /// may change options during a call: they are those of the next one. Tells whether they may be others now.
    #[inline]
    pub(super) fn refreshed(&self, ready: &mut Ready) -> bool {
        let limits_are_new =
            ready.limits.as_ref().is_some_and(|(numbers, changes)| numbers.changes() != *changes);
        let are_new = limits_are_new || self.changes.load(Ordering::Acquire) != ready.changes;
        if are_new {
            self.refresh(ready);
        }
        are_new
    }

    #[cold]
    fn refresh(&self, ready: &mut Ready) {
        let classes = self.lock_options().classes.as_ref().map(|classes| Arc::clone(&classes.shared));
        // What is made at the first use asks scripts: not under the lock.
        let classes = classes.map(|classes| classes.compiled());
        let options = self.lock_options();
        // The counts are read before what they count: a change in between is seen at the next call.
        ready.changes = self.changes.load(Ordering::Acquire);
        let numbers = options.limits.as_ref().map(|limits| Arc::clone(&limits.shared));
        ready.limits = numbers.map(|numbers| {
            let changes = numbers.changes();
            (numbers, changes)
        });
        let limits = ready.limits.as_ref().map_or_else(Limits::save_file, |(numbers, _)| numbers.get());
        ready.call.settings = options.settings(limits);
        ready.call.packing = options.packing();
        let held = options.schema.as_ref().map(|schema| Arc::clone(&schema.shared));
        let held = match classes {
            Some(classes) => {
                ready.call.settings = ready.call.settings.reading_documents();
                let mut held = BoundSchema::with_classes(held.as_deref(), classes);
                if options.reads_engine_objects {
                    ready.call.settings = ready.call.settings.framing_engine_objects();
                    held.reads_engine_objects = true;
                }
                Some(Arc::new(held))
            }
            None => held,
        };
        let before = std::mem::replace(&mut ready.call.held, held);
        // As in `replace`: not under the lock.
        drop(options);
        drop(before);
    }

    fn lock_options(&self) -> MutexGuard<'_, Options> {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        self.options.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
