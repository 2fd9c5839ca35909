//! Brings the data of an older version of the game to today's, one step for each version. Names are changed first, as
//! data; then the step's own function runs. Rows of classes take the same steps as the state, before it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use godot::builtin::{Callable, VarDictionary, Variant, VariantType};
use variant_schema::Checker;

use super::Plan;
use super::errors;
use super::parts::Parts;
use super::watch::{self, Watch};
use crate::call::live;
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::objects::{ClassSet, MADE_NOTHING, TakenMarks};
use crate::raw::any_thread::AnyThread;
use crate::raw::variant::call_with;

#[derive(Clone, Default)]
pub(crate) struct Step {
    pub(crate) of_state: Changes,
    pub(crate) of_classes: BTreeMap<String, Changes>,
}

/// The changes of a Dictionary by one step: the state, or the properties of an object.
#[derive(Clone, Default)]
pub(crate) struct Changes {
    /// Keys, and what they are called in the next version.
    pub(crate) renames: Vec<(String, String)>,
    pub(crate) forgotten: Vec<String>,
    /// The game's own function: the data of this version in, that of the next out.
    pub(crate) script: Option<Arc<Mutex<AnyThread<Callable>>>>,
    /// The schema that the data of this version is held to.
    pub(crate) schema: Option<Arc<BoundSchema>>,
    /// Whether the function may make nothing of something.
    pub(crate) allows_empty: bool,
}

impl Step {
    /// The changes of the state, or of the class of this tag.
    pub(crate) fn of(&mut self, tag: Option<String>) -> &mut Changes {
        match tag {
            Some(tag) => self.of_classes.entry(tag).or_default(),
            None => &mut self.of_state,
        }
    }
}

pub(super) fn migrated(
    plan: &Plan,
    mut value: Variant,
    version: u32,
    watch: Watch<'_>,
) -> Result<Variant, Problem> {
    for (from, step) in steps(plan, version)? {
        watch.at(watch::MIGRATING)?;
        if let Some(tag) = step.of_classes.keys().next() {
            return Err(errors::step_of_no_class(from, tag));
        }
        value = step.of_state.taken(value, &mut TakenMarks::default(), from, None)?;
    }
    // Before the caller encodes it.
    watch.at(watch::BUILDING)?;
    Ok(value)
}

/// Takes the objects and the value of a save through all steps from `version` on: in each, objects come first.
pub(super) fn parts_migrated(
    plan: &Plan,
    parts: &mut Parts<'_>,
    version: u32,
    watch: Watch<'_>,
) -> Result<(), Problem> {
    for (from, step) in steps(plan, version)? {
        for (tag, changes) in &step.of_classes {
            let class = parts.rules.set.table.find(tag).ok_or_else(|| errors::step_of_no_class(from, tag))?;
            parts.each_row(class, |row, marks, at| {
                watch.at(watch::MIGRATING)?;
                changes.taken(row, marks, from, Some((tag, at)))
            })?;
        }
        watch.at(watch::MIGRATING)?;
        parts.change_value(|value, marks| step.of_state.taken(value, marks, from, None))?;
    }
    watch.at(watch::BUILDING)
}

fn steps(plan: &Plan, version: u32) -> Result<Vec<(u32, &Step)>, Problem> {
    let step = |from| Some((from, plan.steps.get(&from)?));
    let missing = |from| errors::no_step(from, plan.version);
    (version..plan.version).map(|from| step(from).ok_or_else(|| missing(from))).collect()
}

/// The names that a class's properties had in versions from this one on, in what the engine wrote.
pub(super) fn old_names(plan: &Plan, set: &ClassSet, version: u32) -> Vec<(u32, String)> {
    let steps = plan.steps.range(version..).flat_map(|(_, step)| &step.of_classes);
    let of_class = steps.filter_map(|(tag, changes)| Some((set.table.find(tag)?, changes)));
    of_class
        .flat_map(|(class, changes)| {
            let renamed = changes.renames.iter().map(|(old, _)| old);
            renamed.chain(&changes.forgotten).map(move |name| (class, name.clone()))
        })
        .collect()
}

impl Changes {
    /// The value of the next version; `at` is the class and the row, where it is that of an object.
    fn taken(
        &self,
        value: Variant,
        marks: &mut TakenMarks,
        from: u32,
        at: Option<(&String, usize)>,
    ) -> Result<Variant, Problem> {
        let place = at.map(|(tag, row)| format!("{tag}[{row}]"));
        let failed = |why: &str| errors::step_failed(from, place.as_deref(), why);
        if let Some(held) = &self.schema {
            let program = held.program()?;
            let found = live::violations(&mut Checker::new(), program, &value, 1, live::MOST_VALUES).pop();
            if let Some(violation) = found {
                return Err(errors::before_step(&Problem::of_live(&violation), from));
            }
        }
        self.rename(&value, marks);
        let Some(script) = &self.script else { return Ok(self.without_forgotten(value)) };
        let was_something = value.booleanize();
        // Cloned, so that the lock is not held while a script runs.
        let script = script.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let made = call_with(&script, &value).map_err(|_| failed("it cannot be called with one argument"))?;
        if made.is_nil() || (at.is_some() && made.get_type() != VariantType::DICTIONARY) {
            return Err(failed(NOTHING));
        }
        // A function with a declared type returns the empty value of that type when it ends in a script error.
        if was_something && !made.booleanize() && !self.allows_empty {
            return Err(failed(MADE_NOTHING));
        }
        Ok(self.without_forgotten(made))
    }

    /// Moves values to their new keys. A key that is there under its new name already stays.
    fn rename(&self, value: &Variant, marks: &mut TakenMarks) {
        let Some(mut dictionary) = dictionary(value).filter(|_| !self.renames.is_empty()) else { return };
        for (old, new) in &self.renames {
            if !dictionary.contains_key(new.as_str())
                && let Some(moved) = dictionary.remove(old.as_str())
            {
                dictionary.set(new.as_str(), &moved);
                marks.rename(old, new);
            }
        }
    }

    /// Drops the keys that are no more; the step's function has seen them.
    fn without_forgotten(&self, value: Variant) -> Variant {
        if let Some(mut dictionary) = dictionary(&value).filter(|_| !self.forgotten.is_empty()) {
            for key in &self.forgotten {
                dictionary.remove(key.as_str());
            }
        }
        value
    }
}

/// The words for a step that returned null, or no Dictionary for an object.
const NOTHING: &str = "it returned nothing, or ended in a script error";

fn dictionary(value: &Variant) -> Option<VarDictionary> {
    if value.get_type() == VariantType::DICTIONARY { value.try_to().ok() } else { None }
}

/// Whether loading may run scripts, which have to be there as long as it does.
pub(crate) fn asks_scripts(plan: &Plan) -> bool {
    let has_checks = |held: &Arc<BoundSchema>| held.program().is_ok_and(|program| program.has_checks());
    plan.classes.is_some()
        || plan.schema.as_ref().is_some_and(has_checks)
        || plan.steps.values().any(|step| step.of_state.script.is_some())
}
