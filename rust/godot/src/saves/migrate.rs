//! Brings the data of an older version of the game to today's, one step for each version. Names are changed first, as
//! data; then the step's own function runs.

use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{Callable, VarDictionary, Variant, VariantType};
use variant_schema::Checker;

use super::Plan;
use super::trouble;
use super::watch::{self, Watch};
use crate::codec::Problem;
use crate::live;
use crate::raw::any_thread::AnyThread;
use crate::raw::variant::call_with;
use crate::schema::Held;

/// A step from one version of the data to the next.
#[derive(Clone, Default)]
pub(crate) struct Step {
    /// Keys of the root Dictionary, and what they are called in the next version.
    pub(crate) renames: Vec<(String, String)>,
    /// The game's own function: the data of this version in, that of the next out.
    pub(crate) script: Option<Arc<Mutex<AnyThread<Callable>>>>,
    /// The schema that the data of this version is held to.
    pub(crate) schema: Option<Arc<Held>>,
}

/// The value after all steps from `version` on.
pub(super) fn migrated(
    plan: &Plan,
    mut value: Variant,
    version: u32,
    watch: Watch<'_>,
) -> Result<Variant, Problem> {
    for from in version..plan.version {
        watch.at(watch::MIGRATING)?;
        let step = plan.steps.get(&from).ok_or_else(|| trouble::no_step(from, plan.version))?;
        value = step.taken(value, from)?;
    }
    Ok(value)
}

impl Step {
    fn taken(&self, value: Variant, from: u32) -> Result<Variant, Problem> {
        if let Some(held) = &self.schema {
            let program = held.program()?;
            let found = live::violations(&mut Checker::new(), program, &value, (1, live::MOST_VALUES)).pop();
            if let Some(violation) = found {
                return Err(trouble::before_step(&Problem::of_live_violation(&violation), from));
            }
        }
        self.rename(&value);
        let Some(script) = &self.script else { return Ok(value) };
        // Cloned, so that the lock is not held while a script runs.
        let script = script.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        match call_with(&script, &value) {
            Ok(made) if !made.is_nil() => Ok(made),
            Ok(_) => Err(trouble::step_failed(from, "it returned nothing, or ended in a script error")),
            Err(_) => Err(trouble::step_failed(from, "it cannot be called with one argument")),
        }
    }

    /// Moves values to their new keys. A key that is there under its new name already stays.
    fn rename(&self, value: &Variant) {
        if self.renames.is_empty() || value.get_type() != VariantType::DICTIONARY {
            return;
        }
        let Ok(mut dictionary) = value.try_to::<VarDictionary>() else { return };
        for (old, new) in &self.renames {
            if !dictionary.contains_key(new.as_str())
                && let Some(moved) = dictionary.remove(old.as_str())
            {
                dictionary.set(new.as_str(), &moved);
            }
        }
    }
}

/// Whether loading may run scripts, which have to be there as long as it does.
pub(crate) fn asks_scripts(plan: &Plan) -> bool {
    let has_checks = |held: &Arc<Held>| held.program().is_ok_and(|program| program.has_checks());
    plan.classes.is_some()
        || plan.schema.as_ref().is_some_and(has_checks)
        || plan.steps.values().any(|step| step.script.is_some())
}
