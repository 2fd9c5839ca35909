//! Keeps replaced values that could run a script when they are freed, until the target is complete.
//!
//! A script in the middle of the walk could change the containers that are being walked, and the engine does
//! not tolerate that while it shrinks an Array.

use godot::builtin::Variant;
use variant_core::VariantType;

use crate::raw::variant::type_of;

#[derive(Debug, Default)]
pub(super) struct LetGo(Vec<Variant>);

impl LetGo {
    /// Takes a value that is not needed any more. If it can run no script it is freed at once.
    pub(super) fn take(&mut self, old: Variant) {
        if may_run_scripts(&old) {
            self.0.push(old);
        }
    }
}

/// Tells whether freeing the value may free an object.
pub(super) fn may_run_scripts(value: &Variant) -> bool {
    matches!(
        type_of(value),
        VariantType::Object | VariantType::Array | VariantType::Dictionary | VariantType::Callable
    )
}
