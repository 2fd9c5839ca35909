//! DictionarySlots: a Dictionary filled the way the engine's decoder fills it: `dict[key] = value`.
//!
//! `dictionary_operator_index` is that very operator, so a typed dictionary takes a value unchecked, as it does
//! in the engine's own decoder. The plain twin is `Dictionary::set`, which would check the value.

use godot::builtin::{AnyDictionary, Variant};
use godot::sys::{GodotFfi, interface_fn};

use super::variant::{is_container, is_keepable};
use crate::quiet::quietly;

/// A Dictionary under construction.
#[derive(Debug)]
pub(crate) struct DictionarySlots {
    dictionary: AnyDictionary,
}

impl DictionarySlots {
    /// Fills `dictionary`, which nobody else may be using.
    pub(crate) const fn new(dictionary: AnyDictionary) -> DictionarySlots {
        DictionarySlots { dictionary }
    }

    /// `dict[key] = value`. A key that is there already keeps its place and gets the new value. The caller has
    /// seen to it that a typed dictionary takes the key: the engine would print otherwise.
    pub(crate) fn insert(&mut self, key: &Variant, value: Variant) {
        drop(self.replace(key, value));
    }

    /// The same, and gives what stood there. It is not to end while the slot is in use: the end of an object can run a script.
    pub(crate) fn replace(&mut self, key: &Variant, value: Variant) -> Option<Variant> {
        let set = || self.slot(key, |slot| std::mem::replace(slot, value));
        // Keys nested over 100 levels print when they are hashed.
        if is_container(key) { quietly(set) } else { set() }
    }

    /// What stands under a key that is there, as far as it could be kept: a container or a text.
    pub(crate) fn keepable(&mut self, key: &Variant) -> Option<Variant> {
        self.slot(key, |slot| is_keepable(slot).then(|| slot.clone())).flatten()
    }

    /// `use_slot` must not reach this dictionary again.
    fn slot<R>(&mut self, key: &Variant, use_slot: impl FnOnce(&mut Variant) -> R) -> Option<R> {
        // SAFETY: interface call on a live dictionary and a live key.
        let slot =
            unsafe { interface_fn!(dictionary_operator_index)(self.dictionary.sys_mut(), key.var_sys()) };
        // SAFETY: the slot is an initialised Variant (`repr(transparent)` over the engine's), valid until the next
        // insert; it is used at once, and not while the old content goes.
        unsafe { slot.cast::<Variant>().as_mut() }.map(use_slot)
    }

    /// The value under a key, if there is one.
    pub(crate) fn get(&self, key: &Variant) -> Option<Variant> {
        if is_container(key) { quietly(|| self.dictionary.get(key)) } else { self.dictionary.get(key) }
    }

    /// The keys in order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Variant> {
        self.dictionary.keys_shared()
    }

    /// Removes a key, if it is there.
    pub(crate) fn erase(&mut self, key: &Variant) {
        if is_container(key) {
            quietly(|| self.dictionary.remove(key));
        } else {
            self.dictionary.remove(key);
        }
    }

    /// Moves all entries to a dictionary of their own.
    pub(crate) fn take_entries(&mut self) -> DictionarySlots {
        // Copying hashes the keys again.
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
