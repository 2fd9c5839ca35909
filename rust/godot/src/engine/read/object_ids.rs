//! Names objects that are written as their instance id, and warns about each class once, where nobody asked for ids.
//!
//! The warning comes after the walk: a game's own `Logger` hears of it, and could change the value that is being walked.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use godot::builtin::Variant;
use godot::classes::{Object, Script};
use godot::global::push_warning;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use variant_core::EscapedText;

use super::object;
use crate::engine::names::GET_PATH;

/// Classes that are remembered. A game that sends objects of more has been warned often enough.
const MOST_CLASSES: usize = 64;

/// The engine's class for an id that is meant: what a plain decode makes of one.
const AN_ID: &str = "EncodedObjectAsID";

/// The classes that a warning was about.
static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Classes that no warning was about yet.
#[derive(Debug, Default)]
pub(crate) struct UnwarnedClasses(BTreeSet<String>);

impl UnwarnedClasses {
    /// Takes note of the class of an object, unless it is null, freed, or of a class that is known.
    pub(super) fn note(&mut self, id: u64) {
        if let Some(name) = class_of_id(id).filter(|name| !is_told(name)) {
            self.0.insert(name);
        }
    }

    /// Warns about each of them.
    pub(crate) fn warn(self) {
        for name in self.0 {
            let is_new = {
                let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
                told.len() < MOST_CLASSES && told.insert(name.clone())
            };
            if is_new {
                push_warning(&[format!(
                    "VariantStream: an object was written as its instance id alone, which means nothing in another \
                     process: {name}. Give VariantCodec.classes a VariantClassSet, set full_objects, or write what it \
                     holds. Where the id is meant, allow TYPE_OBJECT in the allowed_types of the codec's limits. This \
                     is said once for each class."
                )
                .to_variant()]);
            }
        }
    }
}

/// Tells whether an object's id can be written without a word: null, freed, or of a class that was warned about.
pub(super) fn is_known(value: &Variant) -> bool {
    object::live(value).is_none_or(|object| is_told(&class_of(&object)))
}

/// Returns the class of a living object in words.
pub(crate) fn class_of_id(id: u64) -> Option<String> {
    if id == 0 {
        return None;
    }
    let object = Gd::<Object>::try_from_instance_id(InstanceId::try_from_i64(id.cast_signed())?).ok()?;
    Some(class_of(&object))
}

/// Tells whether nothing is to be said of a class.
fn is_told(name: &str) -> bool {
    if name == AN_ID {
        return true;
    }
    let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    told.len() >= MOST_CLASSES || told.contains(name)
}

/// Returns the name of a script's class, or the path of the script where it has none, and the engine's class.
fn class_of(object: &Gd<Object>) -> String {
    let class = object.get_class();
    let Some(script) = object.get_script() else { return class.to_string() };
    let name = script.get_global_name();
    let name = if name.is_empty() { path_of(&script) } else { name.to_string() };
    match name.as_str() {
        "" => format!("{class} with a script that has no name"),
        name => format!("{} ({class})", EscapedText(name)),
    }
}

fn path_of(script: &Gd<Script>) -> String {
    script.clone().upcast::<Object>().call(&*GET_PATH, &[]).stringify().to_string()
}
