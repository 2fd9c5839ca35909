//! Puts marks around the containers of an older document that are declared for objects, and takes them out while a step of the
//! game's runs, which sees plain containers. It checks nothing: the document of today is checked.

use std::collections::HashMap;

use godot::builtin::{AnyArray, AnyDictionary, PackedInt32Array, Rid, VarArray, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;

use super::convert::{items, marked, within};
use super::set::ClassSet;
use crate::engine::names::IS_TYPED;
use crate::raw::array_slots::set_in_place;
use crate::raw::dictionary_slots::DictionarySlots;
use crate::raw::variant::type_of;

/// Containers that are deeper in a value come out of a step without their types: places cost memory.
const MOST_STEPS: usize = 16;

/// Puts marks around the containers that the fourth element of a decoded document tells of. `None`: it names a class that the
/// set does not have. Whether there are any.
pub(crate) fn mark_containers(set: &ClassSet, document: &VarArray) -> Option<bool> {
    let Some(fourth) = document.get(3) else { return Some(false) };
    let mut classes = HashMap::new();
    let tags = fourth.try_to::<AnyDictionary>().ok()?;
    for tag in tags.keys_array().iter_shared() {
        let numbers = tags.get(&tag)?;
        let class = set.table.find(&tag.stringify().to_string())?;
        for number in numbers.try_to::<PackedInt32Array>().ok()?.as_slice() {
            classes.insert(u32::try_from(*number).ok()?, class);
        }
    }
    put_marks(&document.to_variant(), &mut 0, &classes);
    Some(true)
}

/// The container with a mark around it, if it is to have one; what is in it is changed where it lies.
fn put_marks(value: &Variant, next: &mut u32, classes: &HashMap<u32, u32>) -> Option<Variant> {
    if !matches!(type_of(value), VariantType::Array | VariantType::Dictionary) {
        return None;
    }
    let number = *next;
    *next = next.saturating_add(1);
    each(value, &mut |key, item| {
        // Containers in keys are counted, and never declared for objects.
        put_marks(key, next, &HashMap::new());
        put_marks(item, next, classes)
    });
    let class = classes.get(&number)?;
    Some(within(Some(Rid::new(variant_objects::mark(*class)).to_variant()), value.clone()))
}

/// Puts what `change` gives for each item, with its key or its number, into the container.
fn each(container: &Variant, change: &mut dyn FnMut(&Variant, &Variant) -> Option<Variant>) {
    if let Ok(mut array) = container.try_to::<AnyArray>() {
        for at in 0..array.len() {
            if let Some(new) = change(&(at as i64).to_variant(), &array.at(at)) {
                drop(set_in_place(&mut array, at, new));
            }
        }
    } else if let Ok(dictionary) = container.try_to::<AnyDictionary>() {
        let mut slots = DictionarySlots::new(dictionary.clone());
        for key in dictionary.keys_array().iter_shared() {
            if let Some(new) = change(&key, &dictionary.get(&key).unwrap_or_default()) {
                slots.insert(&key, new);
            }
        }
    }
}

/// Marks that were taken out of a value, with the keys that lead to each.
#[derive(Default)]
pub(crate) struct TakenMarks(Vec<(Vec<Variant>, Variant)>);

impl TakenMarks {
    pub(crate) fn of(value: &mut Variant) -> TakenMarks {
        let mut taken = TakenMarks::default();
        if let Some(plain) = taken.plain(value, &mut Vec::new()) {
            *value = plain;
        }
        taken
    }

    fn plain(&mut self, value: &Variant, path: &mut Vec<Variant>) -> Option<Variant> {
        if let Ok(array) = value.try_to::<AnyArray>()
            && let Some((_, container)) = marked(&array)
        {
            if path.len() <= MOST_STEPS {
                self.0.push((path.clone(), array.at(0)));
            }
            return Some(container);
        }
        each(value, &mut |key, item| {
            path.push(key.clone());
            let plain = self.plain(item, path);
            path.pop();
            plain
        });
        None
    }

    /// Follows a value to its new key.
    pub(crate) fn rename(&mut self, old: &str, new: &str) {
        for first in self.0.iter_mut().filter_map(|(path, _)| path.first_mut()) {
            if first.stringify() == old {
                *first = Variant::from(new);
            }
        }
    }

    /// Puts the marks around the containers that are in their places still, and hold nothing but references.
    pub(crate) fn put_back(self, mut value: Variant) -> Variant {
        for (path, mark) in self.0 {
            if let Some(new) = put(&value, &path, &mark) {
                value = new;
            }
        }
        value
    }
}

fn put(value: &Variant, path: &[Variant], mark: &Variant) -> Option<Variant> {
    let (array, dictionary) = (value.try_to::<AnyArray>().ok(), value.try_to::<AnyDictionary>().ok());
    let Some((key, rest)) = path.split_first() else {
        let is_reference =
            |item: Variant| item.is_nil() || matches!(type_of(&item), VariantType::Rid | VariantType::Object);
        let is_container =
            dictionary.is_some() || array.is_some() && !value.call(&*IS_TYPED, &[]).booleanize();
        let fits = is_container && items(value).into_iter().all(is_reference);
        return fits.then(|| within(Some(mark.clone()), value.clone()));
    };
    if let Some(mut array) = array {
        let at = usize::try_from(key.try_to::<i64>().ok()?).ok()?;
        let new = put(&array.get(at)?, rest, mark)?;
        drop(set_in_place(&mut array, at, new));
    } else if let Some(dictionary) = dictionary {
        let new = put(&dictionary.get(key)?, rest, mark)?;
        DictionarySlots::new(dictionary).insert(key, new);
    }
    None
}
