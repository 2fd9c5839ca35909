//! Gives a new Dictionary room in its hash table, so that filling it does not grow the table step by step, and the types that it
//! declares. It fills nothing.
//!
//! A table that grows is built anew at 18, 36, 73 entries and so on. `reserve` is not among the methods that an extension
//! may call. But `assign` gives a Dictionary the other's capacity as well, however few entries that has; so one empty
//! Dictionary is kept of each capacity and each pair of declared types that has come before. All calls are official
//! ones, and an engine that does not do so only grows its tables as before.
//!
//! Only a walk that bounds the steps of tables of any size may do this (`flood/bound.rs` of the core): keys
//! can be made that all want one place of a table that has its room from the beginning, and are harmless to
//! one that grows.

use godot::builtin::{AnyDictionary, GString, Variant};
use godot::meta::ToGodot;
use godot::sys;
use variant_core::token::ContainerType;
use variant_core::wire::hash_table::{CAPACITIES, holds};
use variant_core::{EntryTypes, Trick, VariantType};

use super::bits::{INT, NIL, STRING};
use super::calls;
use crate::engine::build;
use crate::raw::builtin_method::DICTIONARY_DUPLICATE;
use crate::raw::layout::PAYLOAD;

/// Capacities that are kept: up to that for 147 459 entries. A larger one would take longer to prepare than most games
/// have dictionaries for.
const CAPACITIES_KEPT: usize = 14;

/// Kinds and pairs of types that are kept, the first that come.
const KEPT: usize = 32;

/// The types that a Dictionary declares for its keys and values, `NIL` for nothing, and which of the
/// capacities it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    types: EntryTypes,
    level: usize,
}

impl Kind {
    fn of(types: EntryTypes, count: u32) -> Kind {
        let mut capacities = CAPACITIES.iter().take(CAPACITIES_KEPT);
        let level = capacities.position(|capacity| holds(*capacity, count.into()));
        Kind { types, level: level.unwrap_or(CAPACITIES_KEPT - 1) }
    }
}

/// Empty dictionaries with capacity, as Variants; `None` while their kind has come only once. They hold no table of their
/// own: the engine makes one at the first entry.
#[derive(Debug, Default)]
pub(crate) struct Tables(Vec<(Kind, Option<Variant>)>);

impl Tables {
    /// Gives a new Dictionary of these types room for so many entries, if that is ready or worth its preparation.
    ///
    /// # Safety
    /// `dictionary` is a living Dictionary of these types without entries that nobody else uses.
    #[inline(never)]
    pub(super) unsafe fn reserve(
        &mut self,
        dictionary: sys::GDExtensionTypePtr,
        types: EntryTypes,
        count: u32,
    ) {
        if Trick::Tables.is_off() || holds(CAPACITIES[0], count.into()) {
            return;
        }
        let kind = Kind::of(types, count);
        match self.0.iter().position(|(other, _)| *other == kind) {
            Some(at) if self.0[at].1.is_none() => self.0[at].1 = self.prepared(kind),
            None if self.0.len() < KEPT => self.0.push((kind, None)),
            _ => {}
        }
        if let Some((_, ready)) = self.largest(kind) {
            // SAFETY: the caller's promise.
            unsafe { calls::assign(dictionary, handle(ready).cast()) };
        }
    }

    /// Returns the most room that is ready and not more than this kind has.
    fn largest(&self, kind: Kind) -> Option<(usize, &Variant)> {
        let fits = |other: &Kind| other.types == kind.types && other.level <= kind.level;
        let ready = self.0.iter().filter(|(other, _)| fits(other));
        ready
            .filter_map(|(other, ready)| Some((other.level, ready.as_ref()?)))
            .max_by_key(|(level, _)| *level)
    }

    /// Fills a Dictionary until it has grown to the capacity, and empties it.
    fn prepared(&self, kind: Kind) -> Option<Variant> {
        let before = *CAPACITIES.get(kind.level.checked_sub(1)?)?;
        let (mut grown, mut small) = (empty(kind.types)?, empty(kind.types)?);
        // SAFETY: new dictionaries; a key of the type that they declare.
        unsafe {
            if let Some((_, smaller)) = self.largest(kind) {
                calls::assign(handle_mut(&mut grown).cast(), handle(smaller).cast());
            }
            let mut count = 0;
            while holds(before, count) {
                let key = key(kind.types.keys, count.cast_signed())?;
                calls::slot(handle_mut(&mut grown).cast(), key.var_sys())?;
                count += 1;
            }
            let mut entries: AnyDictionary = grown.try_to().ok()?;
            entries.clear();
            calls::assign(handle_mut(&mut small).cast(), handle(&grown).cast());
        }
        Some(small)
    }
}

/// Makes a key of a type, another one for each number; `None` for a type that is not prepared for.
fn key(ty: u32, number: i64) -> Option<Variant> {
    match ty {
        NIL | INT => Some(number.to_variant()),
        STRING => Some(GString::from(&number.to_string()).to_variant()),
        _ => None,
    }
}

fn handle(dictionary: &Variant) -> *const u8 {
    dictionary.var_sys().cast::<u8>().wrapping_add(PAYLOAD)
}

fn handle_mut(dictionary: &mut Variant) -> *mut u8 {
    dictionary.var_sys_mut().cast::<u8>().wrapping_add(PAYLOAD)
}

/// The types of keys and values, 0 for nothing declared, and an empty Dictionary that declares them.
#[derive(Debug, Default)]
pub(super) struct Empties(Vec<(EntryTypes, Variant)>);

impl Empties {
    /// Makes a Dictionary of these types in the slot.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[inline]
    pub(super) unsafe fn make(&mut self, types: EntryTypes, slot: *mut u8) -> Option<()> {
        let found = self.0.iter().find(|(other, _)| *other == types && !Trick::Empties.is_off());
        // SAFETY: the caller's promise; a Variant of ours that holds an empty Dictionary.
        unsafe {
            let Some((_, kept)) = found else { return self.make_first(types, slot) };
            calls::duplicated(slot, handle(kept).cast_mut().cast())
        }
    }

    /// Makes a Dictionary of types that did not come before, and keeps another one, if it can be duplicated.
    ///
    /// # Safety
    /// It needs what [`Empties::make`] needs.
    #[cold]
    unsafe fn make_first(&mut self, types: EntryTypes, slot: *mut u8) -> Option<()> {
        // SAFETY: the caller's promise.
        unsafe { slot.cast::<Variant>().write(empty(types)?) };
        if self.0.len() < KEPT && DICTIONARY_DUPLICATE.is_some() {
            self.0.push((types, empty(types)?));
        }
        Some(())
    }
}

/// Makes an empty Dictionary that declares these types, by official calls.
fn empty(types: EntryTypes) -> Option<Variant> {
    let declared = |ty: u32| match ty {
        NIL => Some(ContainerType::None),
        ty => VariantType::from_id(u8::try_from(ty).ok()?).map(ContainerType::Builtin),
    };
    build::empty_dictionary(&declared(types.keys)?, &declared(types.values)?)
}
