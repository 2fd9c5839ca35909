//! Defines a Variant argument that may be left out, because gdext has no default for a Variant parameter.

use godot::builtin::Variant;
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};

/// Holds any value; null if the argument was left out.
#[derive(Clone, Debug)]
pub(crate) struct Optional(pub(crate) Variant);

impl Optional {
    /// Returns the default of such an argument.
    pub(crate) fn null() -> Optional {
        Optional(Variant::nil())
    }
}

impl GodotConvert for Optional {
    type Via = Variant;

    fn godot_shape() -> GodotShape {
        Variant::godot_shape()
    }
}

impl ToGodot for Optional {
    type Pass = ByValue;

    fn to_godot(&self) -> Variant {
        self.0.clone()
    }
}

impl FromGodot for Optional {
    fn try_from_godot(value: Variant) -> Result<Optional, ConvertError> {
        Ok(Optional(value))
    }
}

// SAFETY: the trait is required of values that serve as defaults. The only such value is null, which nothing
// can change.
unsafe impl GodotImmutable for Optional {}
