//! `VariantClassSet`: the classes of a game whose objects may be written and read, as an allow-list. This file holds the class;
//! what was said of it until its first use is in `draft.rs`, and what comes of that in `compile.rs`.

#![expect(clippy::too_many_arguments, reason = "names and arguments are those that scripts see")]

mod agreement;
mod compile;
mod draft;
mod variables;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use godot::builtin::{AnyArray, AnyDictionary, Array, Callable, GString, VarDictionary, Variant, vdict};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::push_error;
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};
use variant_core::Mistake;

use super::changes::changes;
use super::error::build_errors;
use super::property_argument::{PropertyArgument, properties};
use super::schema::VariantSchema;
use super::schema::arguments;
use super::schema::script::Allowed;
use crate::call::problem::Problem;
use crate::objects::{self, CompiledClasses};
use crate::raw::any_thread::AnyThread;
use crate::raw::optional::Optional;
use crate::saves;
use draft::{Conversion, Draft, ENUM_NAMES};
pub(super) use draft::{pairs, texts};

/// `VariantClassSet.Properties`.
pub(super) const PROPERTIES: [(&str, i64); 2] = [("STORAGE", 0), ("VARIABLES", 1)];

/// The classes whose objects may be written and read.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantClassSet {
    shared: Arc<SharedSet>,
}

/// The classes of one set object, which codecs share with it.
pub(crate) struct SharedSet {
    draft: Mutex<AnyThread<Draft>>,
    /// Made of the draft at the first use, which then does not change any more.
    compiled: OnceLock<Arc<CompiledClasses>>,
    /// Made for questions about the draft, which may still change.
    asked: Mutex<Option<Arc<CompiledClasses>>>,
}

impl SharedSet {
    /// The set as it is used. Scripts run when it is made.
    pub(crate) fn compiled(&self) -> Arc<CompiledClasses> {
        if let Some(compiled) = self.compiled.get() {
            return Arc::clone(compiled);
        }
        let compiled = self.asked();
        Arc::clone(self.compiled.get_or_init(|| compiled))
    }

    /// The set as it would be used now: asking is no use, and more can be said afterwards.
    pub(super) fn asked(&self) -> Arc<CompiledClasses> {
        if let Some(compiled) = self.compiled.get() {
            return Arc::clone(compiled);
        }
        if let Some(asked) = self.last_asked().clone() {
            return asked;
        }
        // Scripts may ask this very set: not under the lock.
        let draft = self.draft().0.clone();
        let compiled = Arc::new(CompiledClasses::new(compile::compiled(&draft)));
        *self.last_asked() = Some(Arc::clone(&compiled));
        compiled
    }

    fn last_asked(&self) -> MutexGuard<'_, Option<Arc<CompiledClasses>>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draft(&self) -> MutexGuard<'_, AnyThread<Draft>> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[godot_api]
impl IRefCounted for VariantClassSet {
    fn init(_base: Base<RefCounted>) -> Self {
        let draft = Mutex::new(AnyThread(Draft::default()));
        let shared = SharedSet { draft, compiled: OnceLock::new(), asked: Mutex::new(None) };
        Self { shared: Arc::new(shared) }
    }
}

// Every method takes `&self`: the set has its own lock, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantClassSet {
    #[func]
    fn allow(
        &self,
        tag: Variant,
        #[opt(default = Optional::null())] script: Optional,
        #[opt(default = Optional::null())] properties: Optional,
    ) {
        self.change(|draft| draft.allow(&tag, &script.0, &properties.0));
    }

    #[func]
    fn enum_names(names: AnyDictionary) -> VarDictionary {
        vdict! { ENUM_NAMES => names }
    }

    #[func]
    #[expect(clippy::wrong_self_convention, reason = "it is made of rows, by the classes of this set")]
    fn from_rows(&self, tag: GString, rows: Variant) -> Variant {
        told("from_rows", saves::from_rows(&self.shared.compiled(), &tag.to_string(), &rows))
    }

    #[func]
    fn allow_value(
        &self,
        tag: GString,
        class_or_script: Variant,
        schema: Option<Gd<VariantSchema>>,
        to_value: Callable,
        from_value: Callable,
    ) {
        let schema = arguments::given("schema", schema.as_ref());
        self.change(|draft| {
            draft.allow_value(&tag.to_string(), &class_or_script, schema, Conversion { to_value, from_value })
        });
    }

    #[func]
    fn migrate(
        &self,
        tag: GString,
        from_version: i64,
        step: Callable,
        #[opt(default = Optional::empty())] options: Optional<AnyDictionary>,
    ) {
        self.change(|draft| draft.migrate(&tag.to_string(), from_version, step, &options.0));
    }

    #[func]
    fn object(#[opt(default = "")] tag: GString) -> Gd<VariantSchema> {
        VariantSchema::of(match tag.is_empty() {
            true => variant_objects::any_object(),
            false => variant_objects::object(&tag.to_string()),
        })
    }

    #[func]
    fn release(&self, root: Variant) {
        if let Ok(set) = self.shared.compiled().set() {
            objects::release(set, &root);
        }
    }

    #[func]
    fn copy(&self, value: Variant) -> Variant {
        told("copy", objects::copy(&self.shared.compiled(), &value))
    }

    #[func]
    fn is_well_formed(&self) -> bool {
        self.shared.asked().checked().is_ok()
    }

    #[func]
    fn get_build_errors(&self) -> Array<VarDictionary> {
        build_errors(self.shared.asked().checked().err())
    }

    #[func]
    fn get_hash(&self) -> i64 {
        self.shared.compiled().set().map_or(0, |set| set.table.hash().cast_signed())
    }

    #[func]
    fn to_markdown(&self) -> GString {
        let compiled = self.shared.asked();
        compiled.set().map_or_else(|_| GString::new(), |set| set.table.to_markdown().as_str().into())
    }
}

changes! {
    VariantClassSet, change, ();
    allow_all(classes: AnyArray) |draft| draft.allow_all(&classes);
    forget_class(tag: GString) |draft| draft.forget_class(&tag.to_string());
    allow_assets(tag: GString, assets: Variant) |draft| draft.allow_assets(&tag.to_string(), &assets);
    property(tag: GString, name: GString, schema: Variant) |draft| draft.property(&tag.to_string(), name.to_string(), &schema);
    version(tag: GString, version: i64) |draft| draft.version(&tag.to_string(), version);
    rename(tag: GString, names: AnyDictionary) |draft| draft.rename(&tag.to_string(), &names);
    forget(tag: GString, names: AnyArray) |draft| draft.forget(&tag.to_string(), &names);
    alias(tag: GString, old_tags: AnyArray) |draft| draft.alias(&tag.to_string(), &old_tags);
    engine_path(tag: GString, paths: AnyArray) |draft| draft.engine_path(&tag.to_string(), &paths);
}

/// The value that a call answers: null where it failed, which is logged.
fn told(call: &str, made: Result<Variant, Problem>) -> Variant {
    made.unwrap_or_else(|problem| {
        let message = format!("VariantClassSet.{call}(): {}", problem.message());
        push_error(&[Variant::from(message.as_str())]);
        Variant::nil()
    })
}

properties! {
    VariantClassSet;
    draft, change_option {
        get_loaded_method, set_loaded_method, "loaded_method": godot::builtin::StringName = GString,
            |draft| draft.loaded_method.as_str().into(), |draft, value| draft.loaded_method = value.to_string();
        get_build_on_thread, set_build_on_thread, "build_on_thread": bool = bool, |draft| draft.builds_on_thread,
            |draft, value| draft.builds_on_thread = value;
        get_time_budget_usec, set_time_budget_usec, "time_budget_usec": i64 = i64,
            |draft| i64::from(draft.time_budget_usec),
            |draft, value| draft.time_budget_usec = u32::try_from(value.max(0)).unwrap_or(u32::MAX);
    }
}

impl VariantClassSet {
    fn draft<R>(&self, read: impl FnOnce(&Draft) -> R) -> R {
        read(&self.shared.draft())
    }

    fn change_option(&self, set: impl FnOnce(&mut Draft)) {
        self.change(|draft| {
            set(draft);
            Ok(())
        });
    }

    /// Adds to what was said of the classes, unless they were used. Mistakes are kept, and told when they are.
    fn change(&self, change: impl FnOnce(&mut Draft) -> Result<(), Mistake>) {
        if self.shared.compiled.get().is_some() {
            let message = "VariantClassSet: a set that was used cannot change: call this before that";
            push_error(&[Variant::from(message)]);
            return;
        }
        // What is let go of here may be the last to hold scripts: not under the lock.
        let asked = self.shared.last_asked().take();
        drop(asked);
        let mut draft = self.shared.draft();
        let changed = change(&mut draft.0);
        draft.0.note(changed);
    }

    pub(super) fn shared(&self) -> Arc<SharedSet> {
        Arc::clone(&self.shared)
    }

    /// The classes as declarations of scripts name them.
    pub(super) fn allowed(&self) -> Allowed {
        self.shared.draft().allowed()
    }
}

/// The properties.
pub(super) fn register_properties() {
    VariantClassSet::register_table();
}
