//! Puts objects in the places of the references that stand for them, in values that were just built and are nobody else's.

use godot::builtin::{AnyArray, AnyDictionary, Rid, VarArray, VarDictionary, Variant};
use variant_core::VariantType;
use variant_objects::{CheckedDocument, Reference};

use crate::raw::variant::type_of;

/// The objects of a document, by class of the document and row.
pub(super) struct MadeObjects {
    /// By class of the table, its number in the document.
    pub(super) heads: Vec<Option<usize>>,
    pub(super) rows: Vec<Vec<Variant>>,
    /// Whether references are those of the document, or of values that were built while they were checked.
    is_of_document: bool,
}

impl MadeObjects {
    pub(super) fn new(classes: usize, checked: &CheckedDocument, is_of_document: bool) -> MadeObjects {
        let mut heads = vec![None; classes];
        for (at, head) in checked.heads.iter().enumerate() {
            if let Some(place) = usize::try_from(head.class).ok().and_then(|class| heads.get_mut(class)) {
                *place = Some(at);
            }
        }
        MadeObjects { heads, rows: checked.heads.iter().map(|_| Vec::new()).collect(), is_of_document }
    }

    /// The object of a reference.
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

    /// The object in the place of a value that is a reference; puts objects into containers where they lie.
    pub(super) fn linked(&self, value: &Variant) -> Option<Variant> {
        match type_of(value) {
            VariantType::Rid => {
                let id = value.try_to::<Rid>().map_or(0, Rid::to_u64);
                Some(self.object(id).cloned().unwrap_or_default())
            }
            VariantType::Array => {
                self.link_array(value);
                None
            }
            VariantType::Dictionary => {
                self.link_dictionary(value);
                None
            }
            _ => None,
        }
    }

    fn link_array(&self, value: &Variant) {
        let Ok(array) = value.try_to::<AnyArray>() else { return };
        // References stand in untyped arrays only; in others there may be containers with some.
        let mut own = value.try_to::<VarArray>().ok();
        for at in 0..array.len() {
            if let Some(object) = self.linked(&array.at(at))
                && let Some(own) = &mut own
            {
                own.set(at, &object);
            }
        }
    }

    fn link_dictionary(&self, value: &Variant) {
        let Ok(dictionary) = value.try_to::<AnyDictionary>() else { return };
        let mut own = value.try_to::<VarDictionary>().ok();
        for key in dictionary.keys_array().iter_shared() {
            if let Some(object) = dictionary.get(&key).and_then(|value| self.linked(&value))
                && let Some(own) = &mut own
            {
                own.set(&key, &object);
            }
        }
    }
}
