//! Updates an Array: its elements are brought to new values in place.

use godot::builtin::{AnyArray, Variant};
use variant_core::VariantType;

use super::fits;
use super::let_go::{LetGo, may_run_scripts};
use crate::raw::array_slots::set_in_place;
use crate::raw::builtin_method::resize;
use crate::raw::elements::look;
use crate::raw::variant::{is_keepable, type_of};

#[derive(Debug)]
pub(crate) struct KeptArray {
    /// The Variant that holds the array.
    variant: Variant,
    array: AnyArray,
    /// The number of elements that have their new value.
    done: usize,
    /// The number of elements, old ones included.
    size: usize,
    /// The type that elements are converted to, where they are converted.
    declared: Option<VariantType>,
}

impl KeptArray {
    pub(super) fn is_read_only(variant: &Variant) -> bool {
        variant.try_to::<AnyArray>().is_ok_and(|array| array.is_read_only())
    }

    /// Returns the array in a Variant, unless it has another element type or cannot be changed.
    pub(super) fn of(
        variant: &Variant,
        held: Option<VariantType>,
        declared: Option<VariantType>,
    ) -> Option<KeptArray> {
        let array: AnyArray =
            if type_of(variant) == VariantType::Array { variant.try_to().ok()? } else { return None };
        if array.is_read_only() || !fits(&array.element_type(), held) {
            return None;
        }
        let size = array.len();
        Some(KeptArray { variant: variant.clone(), array, done: 0, size, declared })
    }

    /// Returns the old element at the place of the next one, if it can be kept.
    pub(super) fn old_element(&self) -> Option<Variant> {
        look(&self.array, self.done, |old| is_keepable(old).then(|| old.clone())).flatten()
    }

    pub(super) fn declared(&self) -> Option<VariantType> {
        self.declared
    }

    pub(super) fn item(&mut self, item: Variant, let_go: &mut LetGo) {
        if self.done == self.size {
            self.size = self.size.saturating_mul(2).max(4);
            resize(&mut self.array, self.size);
        }
        if let Some(old) = set_in_place(&mut self.array, self.done, item) {
            let_go.take(old);
        }
        self.done += 1;
    }

    pub(super) fn close(mut self, let_go: &mut LetGo) -> Variant {
        if self.done < self.size {
            for at in self.done..self.size {
                let old = look(&self.array, at, |old| may_run_scripts(old).then(|| old.clone()));
                old.flatten().into_iter().for_each(|old| let_go.take(old));
            }
            resize(&mut self.array, self.done);
        }
        self.variant
    }
}
