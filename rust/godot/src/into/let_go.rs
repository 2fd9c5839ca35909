//! LetGo: what had to make room and could run a script when it ends. It is kept until the target is whole: a script in the
//! middle of the walk could change what the walk stands on, and the engine does not bear that while it shrinks an Array.

use godot::builtin::Variant;
use variant_core::VariantType;

use crate::raw::variant::type_of;

#[derive(Debug, Default)]
pub(super) struct LetGo(Vec<Variant>);

impl LetGo {
    /// Takes what nobody wants any more. What runs no script ends at once.
    pub(super) fn take(&mut self, old: Variant) {
        if may_run_scripts(&old) {
            self.0.push(old);
        }
    }
}

/// Whether an object may end with it.
pub(super) fn may_run_scripts(value: &Variant) -> bool {
    matches!(
        type_of(value),
        VariantType::Object | VariantType::Array | VariantType::Dictionary | VariantType::Callable
    )
}
