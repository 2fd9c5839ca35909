//! Puts objects in the places of the references that stand for them, in values that were just built and are nobody else's.

use std::cell::Cell;
use std::sync::Arc;

use godot::builtin::{AnyArray, AnyDictionary, Rid, Variant};
use variant_core::VariantType;
use variant_objects::{CheckedDocument, Reference};

use super::convert::marked;
use super::set::CompiledClasses;
use crate::call::problem::Problem;
use crate::raw::array_slots::set_in_place;
use crate::raw::dictionary_slots::DictionarySlots;
use crate::raw::variant::type_of;

/// The objects of a document, by class of the document and row.
pub(super) struct MadeObjects {
    /// By class of the table, its number in the document.
    pub(super) heads: Vec<Option<usize>>,
    pub(super) rows: Vec<Vec<Variant>>,
    /// Whether references are those of the document, or of values that were built while they were checked.
    pub(super) is_of_document: bool,
    pub(super) classes: Arc<CompiledClasses>,
    /// Whether an object was put into a container that is declared for others.
    pub(super) has_misfit: Cell<bool>,
}

impl MadeObjects {
    pub(super) fn new(
        classes: &Arc<CompiledClasses>,
        checked: &CheckedDocument,
    ) -> Result<MadeObjects, Problem> {
        let mut heads = vec![None; classes.set()?.classes.len()];
        for (at, head) in checked.heads.iter().enumerate() {
            if let Some(place) = usize::try_from(head.class).ok().and_then(|class| heads.get_mut(class)) {
                *place = Some(at);
            }
        }
        let rows = checked.heads.iter().map(|_| Vec::new()).collect();
        let (classes, has_misfit) = (Arc::clone(classes), Cell::new(false));
        Ok(MadeObjects { heads, rows, is_of_document: false, classes, has_misfit })
    }

    pub(super) fn object(&self, id: u64) -> Option<&Variant> {
        let (of, head) = match self.is_of_document {
            true => {
                let of = Reference::of_document(id)?;
                (of, usize::try_from(of.class).ok()?)
            }
            false => {
                let of = Reference::of_checked(id);
                (of, (*self.heads.get(usize::try_from(of.class).ok()?)?)?)
            }
        };
        self.rows.get(head)?.get(usize::try_from(of.row).ok()?)
    }

    /// The object in the place of a value that is a reference, or the container that has a mark around it; puts objects into
    /// containers where they lie.
    pub(super) fn linked(&self, value: &Variant) -> Option<Variant> {
        match type_of(value) {
            VariantType::Rid => {
                let id = value.try_to::<Rid>().map_or(0, Rid::to_u64);
                Some(self.object(id).cloned().unwrap_or_default())
            }
            VariantType::Array => {
                let array = value.try_to::<AnyArray>().ok()?;
                let marked = marked(&array);
                if marked.is_none() {
                    self.link_array(array);
                }
                marked.map(|(class, content)| self.typed(class, content))
            }
            VariantType::Dictionary => {
                self.link_dictionary(value);
                None
            }
            _ => None,
        }
    }

    /// The container with its objects, which is declared for those of a class, where they fit: the game's own code has made some.
    fn typed(&self, class: u32, content: Variant) -> Variant {
        self.linked(&content);
        let of = self.classes.set().ok().zip(usize::try_from(class).ok());
        let of = of.and_then(|(set, class)| set.declarations.get(class)?.as_ref());
        let fitting = of.filter(|of| of.takes_all(&content));
        self.has_misfit.set(self.has_misfit.get() || fitting.is_none());
        fitting.and_then(|of| of.declared(&content)).unwrap_or(content)
    }

    fn link_array(&self, mut array: AnyArray) {
        for at in 0..array.len() {
            if let Some(object) = self.linked(&array.at(at)) {
                drop(set_in_place(&mut array, at, object));
            }
        }
    }

    fn link_dictionary(&self, value: &Variant) {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return };
        let keys = dictionary.keys_array();
        let mut slots = DictionarySlots::new(dictionary.clone());
        for key in keys.iter_shared() {
            if let Some(object) = dictionary.get(&key).and_then(|value| self.linked(&value)) {
                slots.insert(&key, object);
            }
        }
    }
}
