//! Collects what contradicts itself in how a game declares its saves. No file is read.

use godot::builtin::{Array, VarDictionary};
use godot::register::godot_api;
use variant_core::{Mistake, Mistakes};

use super::error::build_errors;
use super::save::VariantSave;
use crate::saves::Plan;

#[godot_api(secondary)]
impl VariantSave {
    #[func]
    fn get_build_errors(&self) -> Array<VarDictionary> {
        build_errors(self.mistakes().as_ref())
    }
}

impl VariantSave {
    fn mistakes(&self) -> Option<Mistakes> {
        let (plan, classes, mut found) = {
            let options = self.options();
            (options.plan.clone(), options.classes.clone(), options.mistakes.clone())
        };
        add(&mut found, "schema", plan.schema.as_ref().and_then(|held| held.mistakes()));
        // Scripts may be asked about the classes: not under the lock.
        let set = classes.map(|classes| classes.bind().shared().asked());
        let set = set.as_ref().map(|set| set.checked());
        add(&mut found, "classes", set.as_ref().and_then(|set| set.err()));
        let has_class = |tag: &str| match set {
            Some(Ok(set)) => set.table.find(tag).is_some(),
            Some(Err(_)) => true,
            None => false,
        };
        of_steps(&plan, has_class, &mut found);
        found
    }
}

fn add(found: &mut Option<Mistakes>, place: &str, mistakes: Option<&Mistakes>) {
    if let Some(mistakes) = mistakes {
        Mistakes::add(found, mistakes.within(place));
    }
}

/// Adds what is wrong with the steps: their schemas, and classes that nobody knows.
fn of_steps(plan: &Plan, has_class: impl Fn(&str) -> bool, found: &mut Option<Mistakes>) {
    for (from, step) in &plan.steps {
        let place = format!("steps[{from}]");
        add(found, &place, step.of_state.schema.as_ref().and_then(|held| held.mistakes()));
        for (tag, changes) in &step.of_classes {
            let place = format!("{place}.{tag}");
            if !has_class(tag) {
                Mistakes::add(found, Mistake::new(&place, "`classes` does not have this class"));
            }
            add(found, &place, changes.schema.as_ref().and_then(|held| held.mistakes()));
        }
    }
}
