//! Collects the objects that a value leads to, and reads their properties, which runs getters. It writes nothing; that is
//! `write.rs`' part.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::classes::Object;
use godot::obj::Gd;
use variant_core::{ErrorKind, Limits, QuotedText, Step, VariantType};

use super::refusal;
use super::set::{Bound, ClassSet, Slot};
use crate::call::problem::Problem;
use crate::engine::names::GET_REF;
use crate::engine::read::key_step;
use crate::raw::objects;
use crate::raw::variant::{call_with, type_of};

pub(super) struct CollectedObject {
    object: Variant,
    pub(super) class: u32,
    /// The place in all values of the first of its properties.
    row: usize,
    /// The plain value that stands for it, where it is written by a key.
    key: Option<Variant>,
    path: ObjectPlace,
}

/// Where an object was found: in which other one or in the value, and how from there.
#[derive(Clone, Default)]
struct ObjectPlace {
    within: Option<usize>,
    /// The property of that object, by the number of its slot.
    slot: usize,
    steps: Vec<Step>,
}

pub(super) struct Collector<'s> {
    pub(super) set: &'s ClassSet,
    limits: &'s Limits,
    pub(super) found: Vec<CollectedObject>,
    /// Whether all properties have been read, and their values, one object after another.
    has_read: bool,
    values: Vec<Variant>,
    pub(super) by_id: HashMap<i64, usize, BuildHasherDefault<OfId>>,
    place: ObjectPlace,
}

/// Hashes instance ids, which the engine gives: their lower bits are the place of an object, and differ.
#[derive(Default)]
pub(super) struct OfId(u64);

impl Hasher for OfId {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_i64(i64::from(*byte)));
    }

    fn write_i64(&mut self, id: i64) {
        self.0 = (self.0 ^ id.cast_unsigned()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// Collects the objects that a value leads to: all of them, with their properties, where a class has weak references, which
/// are null unless something else leads to the object. Otherwise those in the value itself; the others are met as rows
/// are written.
pub(super) fn collected<'s>(
    set: &'s ClassSet,
    value: &Variant,
    limits: &'s Limits,
) -> Result<Collector<'s>, Problem> {
    let mut collector = Collector {
        set,
        limits,
        found: Vec::new(),
        has_read: set.has_weak(),
        values: Vec::new(),
        by_id: HashMap::default(),
        place: ObjectPlace::default(),
    };
    collector.look(value)?;
    let mut next = 0;
    while collector.has_read && next < collector.found.len() {
        collector.read(next)?;
        next += 1;
    }
    Ok(collector)
}

impl Collector<'_> {
    /// Reads the properties of an object and looks for more objects in them.
    fn read(&mut self, number: usize) -> Result<(), Problem> {
        let Some((object, class)) = self.object(number) else { return Ok(()) };
        let set = self.set;
        match set.class(class) {
            Some(Bound::Object(of)) => {
                let start = self.values.len();
                for (at, slot) in of.slots.iter().enumerate() {
                    let value = self.property(number, &object, at, slot)?;
                    self.values.push(value);
                }
                if let Some(found) = self.found.get_mut(number) {
                    found.row = start;
                }
            }
            _ => drop(self.key(number)?),
        }
        Ok(())
    }

    /// Reads a property of an object and looks for more objects in it.
    fn property(
        &mut self,
        number: usize,
        object: &Variant,
        at: usize,
        slot: &Slot,
    ) -> Result<Variant, Problem> {
        let value = objects::property(object, &slot.name);
        if !may_hold(type_of(&value)) {
            return Ok(value);
        }
        if slot.is_weak {
            // Who is only held weakly is not written.
            return Ok(if value.is_nil() { value } else { value.call(&*GET_REF, &[]) });
        }
        self.place = ObjectPlace { within: Some(number), slot: at, steps: Vec::new() };
        self.look(&value)?;
        Ok(value)
    }

    /// An object, which is held so that no getter can free it, and its class.
    pub(super) fn object(&self, number: usize) -> Option<(Variant, u32)> {
        self.found.get(number).map(|found| (found.object.clone(), found.class))
    }

    /// The value of a property that is written, once.
    pub(super) fn value(
        &mut self,
        number: usize,
        object: &Variant,
        at: usize,
        slot: &Slot,
    ) -> Result<Variant, Problem> {
        if !self.has_read {
            return self.property(number, object, at, slot);
        }
        let at = self.found.get(number).map_or(usize::MAX, |found| found.row.saturating_add(at));
        Ok(self.values.get_mut(at).map(std::mem::take).unwrap_or_default())
    }

    /// The plain value that stands for an object.
    pub(super) fn key(&mut self, number: usize) -> Result<Variant, Problem> {
        let Some(found) = self.found.get_mut(number) else { return Ok(Variant::nil()) };
        if found.key.is_none()
            && let Some(Bound::Value { to, .. }) = self.set.class(found.class)
        {
            let made = call_with(to, &found.object).unwrap_or_default();
            // A function with a declared type returns the empty value of that type when it ends in a script error. Of numbers
            // the empty value is one like others.
            let ty = type_of(&made);
            let has_content = ty.id() >= VariantType::Dictionary.id()
                || matches!(ty, VariantType::Nil | VariantType::String | VariantType::StringName);
            if has_content && !made.booleanize() {
                let place = found.path.clone();
                let got = "nothing: it returns an empty value, or ended in a script error".to_owned();
                return Err(self.refuse_at(&place, ErrorKind::NotConstructed, "a value of to_value()", got));
            }
            found.key = Some(made);
        }
        Ok(found.key.clone().unwrap_or_default())
    }

    fn look(&mut self, value: &Variant) -> Result<(), Problem> {
        match type_of(value) {
            VariantType::Object => self.meet(value),
            VariantType::Array => {
                let Ok(array) = value.try_to::<AnyArray>() else { return Ok(()) };
                for (at, item) in array.iter_shared().enumerate() {
                    self.within(Step::Index(at as u64), &item)?;
                }
                Ok(())
            }
            VariantType::Dictionary => {
                let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return Ok(()) };
                for (at, key) in dictionary.keys_array().iter_shared().enumerate() {
                    if type_of(&key) == VariantType::Object {
                        let kind = ErrorKind::KeyTypeNotAllowed { ty: VariantType::Object };
                        self.place.steps.push(Step::KeyOf(at as u64));
                        return Err(self.refuse(kind, "keys that are no objects", "an object".to_owned()));
                    }
                    self.within(Step::KeyOf(at as u64), &key)?;
                    self.within(key_step(&key, at), &dictionary.get(&key).unwrap_or_default())?;
                }
                Ok(())
            }
            ty @ (VariantType::Rid | VariantType::Callable | VariantType::Signal) => {
                Err(self.refuse_kind(ErrorKind::TypeNotAllowed { ty }))
            }
            _ => Ok(()),
        }
    }

    fn within(&mut self, step: Step, value: &Variant) -> Result<(), Problem> {
        if !may_hold(type_of(value)) {
            return Ok(());
        }
        self.place.steps.push(step);
        if self.place.steps.len() as u64 >= self.limits.max_depth {
            let kind = ErrorKind::TooDeep { limit: self.limits.max_depth };
            let got = "more, or a container that holds itself".to_owned();
            return Err(self.refuse(kind, &kind.expected(), got));
        }
        self.look(value)?;
        self.place.steps.pop();
        Ok(())
    }

    fn meet(&mut self, value: &Variant) -> Result<(), Problem> {
        let id = objects::id_of(value);
        if self.by_id.contains_key(&id) {
            return Ok(());
        }
        if !objects::is_alive(id) {
            // A null object is null; one that is gone is nothing that could be written.
            let is_null = value.is_nil() || value.stringify() == "<null>";
            return if is_null {
                Ok(())
            } else {
                Err(self.not_allowed("an object that was freed".to_owned()))
            };
        }
        let Some((class, key)) = self.set.identify(value) else {
            return Err(self.not_allowed(format!("the class {}", QuotedText::whole(&class_name(value)))));
        };
        if self.found.len() as u64 >= self.limits.max_objects {
            return Err(self.refuse_kind(ErrorKind::TooManyObjects { limit: self.limits.max_objects }));
        }
        self.by_id.insert(id, self.found.len());
        let path = self.place.clone();
        self.found.push(CollectedObject { object: value.clone(), class, row: 0, key, path });
        Ok(())
    }

    #[cold]
    fn not_allowed(&self, got: String) -> Problem {
        self.refuse(ErrorKind::ClassNotAllowed, "a class that is allowed", got)
    }

    #[cold]
    fn refuse_kind(&self, kind: ErrorKind) -> Problem {
        self.refuse(kind, &kind.expected(), kind.got())
    }

    #[cold]
    fn refuse(&self, kind: ErrorKind, expected: &str, got: String) -> Problem {
        self.refuse_at(&self.place, kind, expected, got)
    }

    #[cold]
    fn refuse_at(&self, place: &ObjectPlace, kind: ErrorKind, expected: &str, got: String) -> Problem {
        refusal(kind, self.path(place), expected, got)
    }

    fn path(&self, place: &ObjectPlace) -> Vec<Step> {
        let (mut path, mut place) = (Vec::new(), place);
        loop {
            path.splice(0..0, place.steps.iter().cloned());
            let Some(found) = place.within.and_then(|at| self.found.get(at)) else { return path };
            path.insert(0, self.step(found, place.slot));
            place = &found.path;
        }
    }

    fn step(&self, found: &CollectedObject, slot: usize) -> Step {
        match self.set.class(found.class) {
            Some(Bound::Object(of)) => {
                Step::Key(of.slots.get(slot).map_or_else(String::new, |slot| slot.name.to_string()))
            }
            _ => Step::Index(0),
        }
    }

    /// The steps from the value to a property of an object.
    #[cold]
    pub(super) fn path_to(&self, number: usize, slot: usize) -> Vec<Step> {
        self.path(&ObjectPlace { within: Some(number), slot, steps: Vec::new() })
    }
}

/// Whether a value of this type can hold objects, or is refused.
const fn may_hold(ty: VariantType) -> bool {
    matches!(
        ty,
        VariantType::Object
            | VariantType::Array
            | VariantType::Dictionary
            | VariantType::Rid
            | VariantType::Callable
            | VariantType::Signal
    )
}

/// The name of an object's class as people know it.
fn class_name(object: &Variant) -> String {
    let Ok(object) = object.try_to::<Gd<Object>>() else { return String::new() };
    let name = object.get_script().map(|script| script.get_global_name().to_string());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| object.get_class().to_string())
}
