//! Arguments as the engine lends them: they lie in a variable of the script, or in the Array of a `callv()`.

use godot::builtin::Variant;

/// An argument of a call that can reach scripts before it is done with it: they can let go of what was lent, and this
/// stays. It shares what the argument shares.
#[inline]
pub(super) fn kept(lent: &Variant) -> Variant {
    lent.clone()
}
