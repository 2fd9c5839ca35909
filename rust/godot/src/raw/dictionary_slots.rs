//! Fills a Dictionary as the engine's decoder does, by `dict[key] = value`.
//!
//! `dictionary_operator_index` is that very operator, so a typed dictionary takes a value unchecked, as in
//! the engine's own decoder. The fallback is `Dictionary::set`, which would check the value.

use godot::builtin::{AnyDictionary, Variant};
use godot::sys::{GodotFfi, interface_fn};

use super::variant::is_container;
use crate::engine::quiet::quietly;

/// Holds a Dictionary under construction.
#[derive(Debug)]
pub(crate) struct DictionarySlots {
    dictionary: AnyDictionary,
}

impl DictionarySlots {
    /// Fills `dictionary`, which nothing else may be using.
    pub(crate) const fn new(dictionary: AnyDictionary) -> DictionarySlots {
        DictionarySlots { dictionary }
    }

    /// Does `dict[key] = value`. An existing key keeps its position and gets the new value. The caller makes
    /// sure that a typed dictionary takes the key, because the engine would print otherwise.
    pub(crate) fn insert(&mut self, key: &Variant, value: Variant) {
        drop(self.replace(key, value));
    }

    /// Does `dict[key] = value` and returns the old value. That must not be dropped while the slot is in use,
    /// because an object can run a script at its end.
    pub(crate) fn replace(&mut self, key: &Variant, value: Variant) -> Option<Variant> {
        let set = || self.slot(key, |slot| std::mem::replace(slot, value));
        // The engine prints when it hashes keys nested over 100 levels.
        if is_container(key) { quietly(set) } else { set() }
    }

    /// Calls `use_slot` with the slot of a key. It must not reach this dictionary again.
    fn slot<R>(&mut self, key: &Variant, use_slot: impl FnOnce(&mut Variant) -> R) -> Option<R> {
        // SAFETY: interface call on a live dictionary and a live key.
        let slot =
            unsafe { interface_fn!(dictionary_operator_index)(self.dictionary.sys_mut(), key.var_sys()) };
        // SAFETY: the slot is an initialised Variant (`repr(transparent)` over the engine's), valid until the
        // next insert. It is used at once, and not while the old content is dropped.
        unsafe { slot.cast::<Variant>().as_mut() }.map(use_slot)
    }

    /// Returns the value of a key, if there is one.
    pub(crate) fn get(&self, key: &Variant) -> Option<Variant> {
        if is_container(key) { quietly(|| self.dictionary.get(key)) } else { self.dictionary.get(key) }
    }

    pub(crate) fn len(&self) -> usize {
        self.dictionary.len()
    }

    /// Returns the keys in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Variant> {
        self.dictionary.keys_shared()
    }

    /// Moves all entries to a new dictionary.
    pub(crate) fn take_entries(&mut self) -> DictionarySlots {
        // The engine hashes the keys again when it copies them.
        let loud = self.keys().any(|key| is_container(&key));
        let copy = || self.dictionary.duplicate_shallow();
        let entries = if loud { quietly(copy) } else { copy() };
        self.dictionary.clear();
        DictionarySlots { dictionary: entries }
    }

    pub(crate) fn finish(self) -> AnyDictionary {
        self.dictionary
    }
}
