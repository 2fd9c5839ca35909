//! Keeps an empty Dictionary of each pair of declared types that came, to be duplicated.

use godot::builtin::Variant;

use variant_core::Trick;

use super::super::layout::PAYLOAD;
use super::calls;

/// Pairs that are kept, the first that come.
const KEPT: usize = 32;

/// The types of keys and values, 0 for nothing declared, and an empty Dictionary that declares them.
#[derive(Debug, Default)]
pub(super) struct Empties(Vec<((u32, u32), Variant)>);

impl Empties {
    fn of(&self, types: (u32, u32)) -> Option<&Variant> {
        self.0.iter().find(|(other, _)| *other == types && !Trick::Empties.is_off()).map(|(_, empty)| empty)
    }

    /// Keeps a Dictionary of these types, which `empty` makes.
    #[cold]
    pub(super) fn keep(&mut self, types: (u32, u32), empty: impl Fn() -> Option<Variant>) {
        if self.0.len() < KEPT
            && self.of(types).is_none()
            && let Some(empty) = empty()
        {
            self.0.push((types, empty));
        }
    }

    /// Makes a Dictionary of these types in the slot.
    ///
    /// # Safety
    /// A Variant that owns nothing lies at `slot`.
    #[inline]
    pub(super) unsafe fn copy(&self, types: (u32, u32), slot: *mut u8) -> Option<()> {
        let from = self.of(types)?.var_sys().cast::<u8>().wrapping_add(PAYLOAD).cast_mut();
        // SAFETY: the caller's promise; a Variant of ours that holds an empty Dictionary.
        unsafe { calls::duplicated(slot, from.cast()) }
    }
}
