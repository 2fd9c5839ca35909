//! Keeps an empty Dictionary of each pair of declared types that came, to be duplicated.

use godot::builtin::Variant;
use variant_core::token::ContainerType;
use variant_core::{EntryTypes, Trick, VariantType};

use super::super::builtin_method::DICTIONARY_DUPLICATE;
use super::super::layout::PAYLOAD;
use super::bits::NIL;
use super::calls;
use crate::engine::build;

/// Pairs that are kept, the first that come.
const KEPT: usize = 32;

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
            calls::duplicated(slot, kept.var_sys().cast::<u8>().wrapping_add(PAYLOAD).cast_mut().cast())
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
pub(super) fn empty(types: EntryTypes) -> Option<Variant> {
    let declared = |ty: u32| match ty {
        NIL => Some(ContainerType::None),
        ty => VariantType::from_id(u8::try_from(ty).ok()?).map(ContainerType::Builtin),
    };
    build::empty_dictionary(&declared(types.keys)?, &declared(types.values)?)
}
