//! Updates a Dictionary: its values are brought to new ones under their keys.
//!
//! While the keys come in the order that they have in the dictionary, values change in place. At the first
//! other key the dictionary is emptied and filled again in the new order, from a copy of its entries.

use godot::builtin::{AnyDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;

use super::fits;
use super::let_go::LetGo;
use crate::engine::read::dictionary_types;
use crate::raw::dictionary_keys::{first_key, key_after};
use crate::raw::dictionary_slots::DictionarySlots;
use crate::raw::variant::{is_container, type_of};

#[derive(Debug)]
pub(crate) struct KeptDictionary {
    /// The Variant that holds the dictionary.
    variant: Variant,
    slots: DictionarySlots,
    /// The type that keys are converted to, where they are converted.
    declared: Option<VariantType>,
    /// The next key in the old order, while keys come in that order.
    expected: Option<Variant>,
    /// The number of keys that came in the old order.
    in_order: usize,
    /// The entries as they were when the order changed.
    old: Option<DictionarySlots>,
    /// The key whose value comes next, unless it was dropped.
    key: Option<Variant>,
}

impl KeptDictionary {
    pub(super) fn is_read_only(variant: &Variant) -> bool {
        variant.try_to::<AnyDictionary>().is_ok_and(|dictionary| dictionary.is_read_only())
    }

    /// Returns the dictionary in a Variant, unless it has other types or cannot be changed.
    pub(super) fn of(
        variant: &Variant,
        key: Option<VariantType>,
        value: Option<VariantType>,
        declared: Option<VariantType>,
    ) -> Option<KeptDictionary> {
        if type_of(variant) != VariantType::Dictionary {
            return None;
        }
        let dictionary: AnyDictionary = variant.try_to().ok()?;
        let (key_type, value_type) = dictionary_types(&dictionary);
        if dictionary.is_read_only() || !fits(&key_type, key) || !fits(&value_type, value) {
            return None;
        }
        Some(KeptDictionary {
            variant: variant.clone(),
            slots: DictionarySlots::new(dictionary),
            declared,
            expected: first_key(variant),
            in_order: 0,
            old: None,
            key: None,
        })
    }

    pub(super) fn declared(&self) -> Option<VariantType> {
        self.declared
    }

    pub(super) fn expected_key(&self) -> Option<Variant> {
        self.expected.clone()
    }

    /// Takes a key and returns the old value under it, if it can be kept.
    pub(super) fn key(&mut self, key: Variant) -> Option<Variant> {
        let old = match (&self.old, self.expected.take()) {
            (Some(old), _) => old.get(&key),
            (None, Some(expected)) if is_same_key(&expected, &key) => {
                self.expected = key_after(&self.variant, expected);
                self.in_order += 1;
                self.slots.keepable(&key)
            }
            (None, Some(_)) => {
                self.reorder();
                self.old.as_ref().and_then(|old| old.get(&key))
            }
            // All old keys have come: this key is new, or comes a second time.
            (None, None) => None,
        };
        self.key = Some(key);
        old
    }

    /// Takes a value. A value whose key was dropped is dropped too.
    pub(super) fn item(&mut self, item: Variant, let_go: &mut LetGo) {
        if let Some(key) = self.key.take()
            && let Some(old) = self.slots.replace(&key, item)
        {
            let_go.take(old);
        }
    }

    /// Ends the update: keys that did not come are removed.
    pub(super) fn close(mut self, let_go: &mut LetGo) -> Variant {
        let mut gone = Vec::new();
        while let Some(key) = self.expected.take() {
            self.expected = key_after(&self.variant, key.clone());
            gone.push(key);
        }
        for key in gone {
            self.slots.get(&key).into_iter().for_each(|old| let_go.take(old));
            self.slots.erase(&key);
            let_go.take(key);
        }
        self.old.take().into_iter().for_each(|old| let_go.take(old.finish().to_variant()));
        self.variant
    }

    /// Prepares for another order: the entries that came in order stay, the others are taken out.
    fn reorder(&mut self) {
        let old = self.slots.take_entries();
        let keys = old.keys().take(self.in_order);
        keys.for_each(|key| self.slots.insert(&key, old.get(&key).unwrap_or_default()));
        self.old = Some(old);
    }
}

/// Tells whether two keys are equal, so that the old one can stay. Keys that are containers count as
/// different, because the engine prints when it compares deeply nested ones.
fn is_same_key(expected: &Variant, key: &Variant) -> bool {
    type_of(expected) == type_of(key) && !is_container(key) && expected == key
}
