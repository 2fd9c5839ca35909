//! Collects the objects that a value leads to, and makes the document of them: one graph, one document.
//!
//! Getters run while objects are collected and never after. Objects are then numbered breadth first from the value.

use std::collections::{HashMap, VecDeque};

use godot::builtin::{AnyArray, AnyDictionary, GString, PackedStringArray, VarArray, Variant};
use godot::classes::Object;
use godot::meta::ToGodot;
use godot::obj::Gd;
use variant_core::{ErrorKind, Limits, Quoted, Step, VariantType};
use variant_objects::{FORM, Reference};

use super::convert::{References, replaced};
use super::set::{Bound, ClassSet};
use super::{Of, refusal};
use crate::codec::Problem;
use crate::names::GET_REF;
use crate::raw::variant::{call_with, type_of};

/// An object that is written.
struct Found {
    object: Gd<Object>,
    class: u32,
    /// The values of its properties, or its key alone.
    row: Vec<Variant>,
    /// The place at which it was found.
    path: Place,
}

/// Where an object was found: in which other one or in the value, and how from there.
#[derive(Clone, Default)]
struct Place {
    within: Option<usize>,
    steps: Vec<Step>,
}

struct Collector<'s> {
    set: &'s ClassSet,
    limits: &'s Limits,
    found: Vec<Found>,
    by_id: HashMap<i64, usize>,
    place: Place,
}

/// The document of a value.
pub(super) fn document(set: &ClassSet, value: &Variant, limits: &Limits) -> Result<Variant, Problem> {
    let mut collector =
        Collector { set, limits, found: Vec::new(), by_id: HashMap::new(), place: Place::default() };
    // A getter can let go of the value, which may be lent.
    let value = &value.clone();
    collector.look(value)?;
    let mut next = 0;
    while next < collector.found.len() {
        collector.read(next)?;
        next += 1;
    }
    Ok(collector.numbered(value))
}

impl Collector<'_> {
    /// Reads the properties of an object and looks for more objects in them.
    fn read(&mut self, number: usize) -> Result<(), Problem> {
        let Some(found) = self.found.get(number) else { return Ok(()) };
        let (object, class) = (found.object.clone(), found.class);
        let set = self.set;
        match set.class(class) {
            Some(Bound::Object(of)) => {
                let mut row = Vec::with_capacity(of.slots.len());
                for slot in &of.slots {
                    let value = object.get(&slot.name);
                    if slot.is_weak {
                        // Who is only held weakly is not written.
                        let strong = if value.is_nil() { value } else { value.call(&*GET_REF, &[]) };
                        row.push(strong);
                        continue;
                    }
                    self.place =
                        Place { within: Some(number), steps: vec![Step::Key(slot.name.to_string())] };
                    self.look(&value)?;
                    row.push(value);
                }
                if let Some(found) = self.found.get_mut(number) {
                    found.row = row;
                }
                Ok(())
            }
            Some(Bound::Value { to, .. }) => {
                let key = call_with(to, &object.to_variant()).unwrap_or_default();
                if let Some(found) = self.found.get_mut(number) {
                    found.row = vec![key];
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Looks for objects in a value.
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
                    let step = match key.try_to::<GString>() {
                        Ok(key) => Step::Key(key.to_string()),
                        Err(_) => Step::Entry(at as u64),
                    };
                    self.within(step, &dictionary.get(&key).unwrap_or_default())?;
                }
                Ok(())
            }
            ty @ (VariantType::Rid | VariantType::Callable | VariantType::Signal) => {
                let kind = ErrorKind::TypeNotAllowed { ty };
                Err(self.refuse(kind, &kind.expected(), kind.got()))
            }
            _ => Ok(()),
        }
    }

    fn within(&mut self, step: Step, value: &Variant) -> Result<(), Problem> {
        if !matches!(
            type_of(value),
            VariantType::Object
                | VariantType::Array
                | VariantType::Dictionary
                | VariantType::Rid
                | VariantType::Callable
                | VariantType::Signal
        ) {
            return Ok(());
        }
        self.place.steps.push(step);
        if self.place.steps.len() as u64 >= self.limits.max_depth {
            let kind = ErrorKind::TooDeep { limit: self.limits.max_depth };
            return Err(self.refuse(
                kind,
                &kind.expected(),
                "more, or a container that holds itself".to_owned(),
            ));
        }
        self.look(value)?;
        self.place.steps.pop();
        Ok(())
    }

    fn meet(&mut self, value: &Variant) -> Result<(), Problem> {
        let Ok(object) = value.try_to::<Gd<Object>>() else {
            // A null object is null; one that is gone is nothing that could be written.
            return match value.is_nil() || value.stringify() == "<null>" {
                true => Ok(()),
                false => {
                    let expected = "a class that is allowed";
                    Err(self.refuse(
                        ErrorKind::ClassNotAllowed,
                        expected,
                        "an object that was freed".to_owned(),
                    ))
                }
            };
        };
        let id = object.instance_id().to_i64();
        if self.by_id.contains_key(&id) {
            return Ok(());
        }
        let Some((class, key)) = self.set.identify(&object) else {
            let got = format!("the class {}", Quoted::whole(&class_name(&object)));
            return Err(self.refuse(ErrorKind::ClassNotAllowed, "a class that is allowed", got));
        };
        if self.found.len() as u64 >= self.limits.max_objects {
            let kind = ErrorKind::TooManyObjects { limit: self.limits.max_objects };
            return Err(self.refuse(kind, &kind.expected(), kind.got()));
        }
        self.by_id.insert(id, self.found.len());
        let row = key.into_iter().collect();
        self.found.push(Found { object, class, row, path: self.place.clone() });
        Ok(())
    }

    #[cold]
    fn refuse(&self, kind: ErrorKind, expected: &str, got: String) -> Problem {
        let mut path = self.place.steps.clone();
        let mut within = self.place.within;
        while let Some(found) = within.and_then(|at| self.found.get(at)) {
            path.splice(0..0, found.path.steps.iter().cloned());
            within = found.path.within;
        }
        refusal(kind, path, expected, got)
    }

    /// The document: references are given to objects in the order in which they are met.
    fn numbered(self, value: &Variant) -> Variant {
        let classes = self.set.classes.len();
        let mut numbers = Numbers {
            collector: &self,
            references: vec![None; self.found.len()],
            heads: vec![None; classes],
            order: Vec::new(),
            due: VecDeque::new(),
        };
        let value = replaced(value, &mut numbers).unwrap_or_else(|| value.clone());
        let mut rows: Vec<VarArray> = Vec::new();
        while let Some(number) = numbers.due.pop_front() {
            let Some(found) = self.found.get(number) else { continue };
            let row = match self.set.class(found.class) {
                Some(Bound::Object(of)) => numbers.row(of, found),
                _ => found.row.first().cloned().unwrap_or_default(),
            };
            let head = numbers.head(found.class);
            while rows.len() <= head {
                rows.push(VarArray::new());
            }
            rows[head].push(&row);
        }
        let heads = numbers.order.iter().zip(&rows).map(|(class, rows)| self.head(*class, rows));
        let classes: VarArray = heads.collect();
        let mut document = VarArray::new();
        document.push(&FORM.to_variant());
        document.push(&classes.to_variant());
        document.push(&value);
        document.to_variant()
    }

    fn head(&self, class: u32, rows: &VarArray) -> Variant {
        let Some(of) = self.set.table.class(class) else { return Variant::nil() };
        let names: PackedStringArray =
            of.properties().iter().map(|property| GString::from(property.name.as_str())).collect();
        let mut head = VarArray::new();
        head.push(&of.tag.to_variant());
        head.push(&i64::from(of.version()).to_variant());
        head.push(&names.to_variant());
        head.push(&rows.to_variant());
        head.to_variant()
    }
}

/// References as they are given out.
struct Numbers<'c, 's> {
    collector: &'c Collector<'s>,
    /// By object.
    references: Vec<Option<u64>>,
    /// By class of the table, its number in the document and the rows that it has.
    heads: Vec<Option<(u32, u32)>>,
    order: Vec<u32>,
    due: VecDeque<usize>,
}

impl Numbers<'_, '_> {
    fn row(&mut self, of: &Of, found: &Found) -> Variant {
        let mut row = VarArray::new();
        for (slot, value) in of.slots.iter().zip(&found.row) {
            let new = if slot.holds { replaced(value, self) } else { None };
            row.push(&new.unwrap_or_else(|| value.clone()));
        }
        row.to_variant()
    }

    fn head(&self, class: u32) -> usize {
        self.order.iter().position(|it| *it == class).unwrap_or(0)
    }
}

impl References for Numbers<'_, '_> {
    fn reference(&mut self, object: &Gd<Object>) -> Option<u64> {
        let number = *self.collector.by_id.get(&object.instance_id().to_i64())?;
        if let Some(known) = *self.references.get(number)? {
            return Some(known);
        }
        let class = self.collector.found.get(number)?.class;
        let place = self.heads.get_mut(usize::try_from(class).ok()?)?;
        let (head, rows) = place.get_or_insert_with(|| {
            self.order.push(class);
            (u32::try_from(self.order.len() - 1).unwrap_or(u32::MAX), 0)
        });
        let reference = Reference { class: *head, row: *rows }.in_document();
        *rows += 1;
        *self.references.get_mut(number)? = Some(reference);
        self.due.push_back(number);
        Some(reference)
    }
}

/// The name of an object's class as people know it.
fn class_name(object: &Gd<Object>) -> String {
    let name = object.get_script().map(|script| script.get_global_name().to_string());
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| object.get_class().to_string())
}
