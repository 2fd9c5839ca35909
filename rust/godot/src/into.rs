//! Brings an existing Dictionary or Array to a freshly decoded value, keeping the containers that fit.
//!
//! Afterwards the target equals the decoded value exactly: order, types, absent keys gone. A nested container is
//! kept when it is of the same type and typed-ness, not read-only, and not met before (two keys may hold the same
//! container; the bytes say they are two values).

use std::collections::HashSet;

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::meta::inspect::ElementType;
use variant_core::VariantType;

use crate::codec::Problem;
use crate::quiet::quietly;
use crate::raw::array_slots::set_in_place;
use crate::raw::builtin_method::resize;
use crate::raw::dictionary_slots::DictionarySlots;
use crate::raw::variant::{identity, is_container, type_of};
use crate::read::dictionary_types;

/// Whether the target is a container that can be changed. Asked before anything is decoded.
pub(crate) fn check_target(target: &Variant) -> Result<(), Problem> {
    match Kept::of(target) {
        Some(kept) if kept.is_read_only() => Err(Problem::locked()),
        Some(_) => Ok(()),
        None => Err(Problem::wrong_type("target", "Dictionary or Array", type_of(target).name())),
    }
}

/// Brings `target` to `value`.
///
/// # Errors
/// The two are not of one type and typed-ness; the target is as it was.
pub(crate) fn update(target: &Variant, value: Variant) -> Result<(), Problem> {
    let (Some(kept), Some(fresh)) = (Kept::of(target), Kept::of(&value)) else {
        return Err(Problem::wrong_type("target", type_of(&value).name(), type_of(target).name()));
    };
    if !kept.fits(&fresh) {
        let typed = "the same type and typed-ness as the decoded value";
        return Err(Problem::wrong_type("target", typed, type_of(target).name()));
    }
    let mut met = HashSet::from([identity(target)]);
    kept.become_equal(&fresh, &mut met);
    Ok(())
}

/// A container of either kind.
enum Kept {
    Array(AnyArray),
    Dictionary(AnyDictionary, (ElementType, ElementType)),
}

impl Kept {
    fn of(value: &Variant) -> Option<Kept> {
        match type_of(value) {
            VariantType::Array => value.try_to().ok().map(Kept::Array),
            VariantType::Dictionary => {
                let dictionary: AnyDictionary = value.try_to().ok()?;
                let types = dictionary_types(&dictionary);
                Some(Kept::Dictionary(dictionary, types))
            }
            _ => None,
        }
    }

    fn is_read_only(&self) -> bool {
        match self {
            Kept::Array(array) => array.is_read_only(),
            Kept::Dictionary(dictionary, _) => dictionary.is_read_only(),
        }
    }

    fn fits(&self, fresh: &Kept) -> bool {
        match (self, fresh) {
            (Kept::Array(kept), Kept::Array(fresh)) => kept.element_type() == fresh.element_type(),
            (Kept::Dictionary(_, kept), Kept::Dictionary(_, fresh)) => kept == fresh,
            _ => false,
        }
    }

    /// Only for containers that fit.
    fn become_equal(self, fresh: &Kept, met: &mut HashSet<usize>) {
        match (self, fresh) {
            (Kept::Array(mut kept), Kept::Array(fresh)) => {
                let before = kept.len();
                resize(&mut kept, fresh.len());
                for (at, element) in fresh.iter_shared().enumerate() {
                    let old = (at < before).then(|| kept.at(at));
                    set_in_place(&mut kept, at, merged(old, element, met));
                }
            }
            (Kept::Dictionary(mut kept, _), Kept::Dictionary(fresh, _)) => {
                let old = if same_order(&kept, fresh) { None } else { Some(taken_out(&mut kept)) };
                let mut slots = DictionarySlots::new(kept);
                for (key, value) in fresh.iter_shared() {
                    let old = match &old {
                        Some(old) if is_container(&key) => quietly(|| old.get(&key)),
                        Some(old) => old.get(&key),
                        None => slots.get(&key),
                    };
                    let value = merged(old, value, met);
                    slots.insert(&key, value);
                }
            }
            _ => {}
        }
    }
}

/// The old container brought to the new value, where it can be kept; else the new value.
fn merged(old: Option<Variant>, new: Variant, met: &mut HashSet<usize>) -> Variant {
    let Some((old, kept)) = old.and_then(|old| Kept::of(&old).map(|kept| (old, kept))) else { return new };
    match Kept::of(&new) {
        Some(fresh) if kept.fits(&fresh) && !kept.is_read_only() && met.insert(identity(&old)) => {
            kept.become_equal(&fresh, met);
            old
        }
        _ => new,
    }
}

/// Whether both have the same keys, of the same types, in the same order: then values can go where they are.
/// Keys that are containers are not compared (the engine prints when they are nested deep).
fn same_order(kept: &AnyDictionary, fresh: &AnyDictionary) -> bool {
    kept.len() == fresh.len()
        && kept
            .keys_shared()
            .zip(fresh.keys_shared())
            .all(|(a, b)| type_of(&a) == type_of(&b) && !is_container(&a) && a == b)
}

/// The dictionary's entries in a copy; the dictionary is empty then.
fn taken_out(dictionary: &mut AnyDictionary) -> AnyDictionary {
    // Copying hashes the keys again.
    let entries = if dictionary.keys_shared().any(|key| is_container(&key)) {
        quietly(|| dictionary.duplicate_shallow())
    } else {
        dictionary.duplicate_shallow()
    };
    dictionary.clear();
    entries
}
