//! Brings an existing Dictionary or Array to a decoded value by official calls, keeping what fits.
//!
//! Afterwards the target equals that value exactly: order, types, absent keys removed. A nested container is kept when it has the
//! same type and element types, is not read-only, and was not kept already: two keys may hold one container, but the bytes say that
//! they are two values. Values that could run a script when they are freed are freed after the last change: a script could change
//! the containers that are being filled, and the engine does not tolerate that while it shrinks an Array.

use std::collections::HashSet;

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;

use crate::engine::declared::types;
use crate::raw::array_slots::set_in_place;
use crate::raw::builtin_method::resize;
use crate::raw::dictionary_slots::DictionarySlots;
use crate::raw::variant::{identity, is_container, type_of};

/// Tells whether a container can be changed. `None`: it is no container.
pub(crate) fn is_changeable(target: &Variant) -> Option<bool> {
    match type_of(target) {
        VariantType::Array => Some(target.try_to().is_ok_and(|array: AnyArray| !array.is_read_only())),
        VariantType::Dictionary => {
            Some(target.try_to().is_ok_and(|dictionary: AnyDictionary| !dictionary.is_read_only()))
        }
        _ => None,
    }
}

/// Updates a target, or returns `false` where it is another kind of container than the value. It moves the replaced values that may
/// run a script when they are freed into `let_go`.
pub(crate) fn update(target: &Variant, value: &Variant, let_go: &mut Vec<Variant>) -> bool {
    let mut update = Update { open: Vec::new(), met: HashSet::new(), let_go };
    if !update.keeps(target, value) {
        return false;
    }
    while let Some(pair) = update.open.pop() {
        // Both are of one type, which `keeps` has seen.
        match (pair.old.try_to(), pair.new.try_to()) {
            (Ok(old), Ok(new)) => update.array(old, &new),
            _ => update.dictionary(&pair),
        }
    }
    true
}

/// A container that is kept, and the value that it is brought to.
struct KeptContainer {
    old: Variant,
    new: Variant,
}

struct Update<'l> {
    /// The containers that are still to be filled. They lie where they will stay.
    open: Vec<KeptContainer>,
    /// The identities of containers that are kept already.
    met: HashSet<usize>,
    let_go: &'l mut Vec<Variant>,
}

impl Update<'_> {
    /// Tells whether the old value stays, and is filled later.
    fn keeps(&mut self, old: &Variant, new: &Variant) -> bool {
        let fits = is_container(new)
            && type_of(old) == type_of(new)
            && is_changeable(old) == Some(true)
            && types(old) == types(new)
            && self.met.insert(identity(old));
        if fits {
            self.open.push(KeptContainer { old: old.clone(), new: new.clone() });
        }
        fits
    }

    fn array(&mut self, mut old: AnyArray, new: &AnyArray) {
        let (before, size) = (old.len(), new.len());
        for gone in (size..before).filter_map(|at| old.get(at)) {
            self.let_go(gone);
        }
        if size != before {
            resize(&mut old, size);
        }
        for (at, item) in new.iter_shared().enumerate() {
            let is_kept = at < before && old.get(at).is_some_and(|there| self.keeps(&there, &item));
            if !is_kept && let Some(there) = set_in_place(&mut old, at, item) {
                self.let_go(there);
            }
        }
    }

    /// While its keys are those of the value, in that order, they stay; else it is emptied and filled again.
    fn dictionary(&mut self, pair: &KeptContainer) {
        let (Ok(old), Ok(new)) = (pair.old.try_to::<AnyDictionary>(), pair.new.try_to()) else { return };
        let (mut slots, new) = (DictionarySlots::new(old), DictionarySlots::new(new));
        let is_in_order = slots.len() == new.len()
            && slots.keys().zip(new.keys()).all(|(key, wanted)| is_same_key(&key, &wanted));
        let former = (!is_in_order).then(|| slots.take_entries());
        for key in new.keys() {
            let (there, item) =
                (former.as_ref().unwrap_or(&slots).get(&key), new.get(&key).unwrap_or_default());
            match there {
                Some(there) if self.keeps(&there, &item) => {
                    if former.is_some() {
                        slots.insert(&key, there);
                    }
                }
                _ => slots.replace(&key, item).into_iter().for_each(|there| self.let_go(there)),
            }
        }
        former.into_iter().for_each(|former| self.let_go(former.finish().to_variant()));
    }

    /// Keeps what was replaced until the target is whole, if a script could run when it ends.
    fn let_go(&mut self, old: Variant) {
        if is_container(&old) || matches!(type_of(&old), VariantType::Object | VariantType::Callable) {
            self.let_go.push(old);
        }
    }
}

/// Tells whether two keys are equal, so that the old one can stay. Keys that are containers count as different, because the
/// engine prints when it compares deeply nested ones.
fn is_same_key(key: &Variant, wanted: &Variant) -> bool {
    type_of(key) == type_of(wanted) && !is_container(key) && key == wanted
}
