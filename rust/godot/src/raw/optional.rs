//! Defines an argument that may be left out, of a type for which gdext has no default: a Variant, a container, an object, an
//! enum.

use godot::builtin::{AnyDictionary, VarDictionary, Variant};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToArg, ToGodot};
use godot::obj::{Gd, GodotClass};

/// Holds an argument, or its default if it was left out.
#[derive(Clone, Debug)]
pub(crate) struct Optional<T = Variant>(pub(crate) T);

impl Optional {
    /// Returns the default of an argument of any type.
    pub(crate) fn null() -> Optional {
        Optional(Variant::nil())
    }
}

impl<T: GodotClass> Optional<Option<Gd<T>>> {
    /// Returns the default of an object.
    pub(crate) const fn none() -> Self {
        Optional(None)
    }
}

impl Optional<AnyDictionary> {
    /// Returns the default of a Dictionary.
    pub(crate) fn empty() -> Self {
        Optional(VarDictionary::new().upcast_any_dictionary())
    }
}

impl<T: GodotConvert> GodotConvert for Optional<T> {
    type Via = T::Via;

    fn godot_shape() -> GodotShape {
        T::godot_shape()
    }
}

impl<T: ToGodot> ToGodot for Optional<T>
where
    T::Via: Clone,
{
    type Pass = ByValue;

    fn to_godot(&self) -> ToArg<'_, T::Via, ByValue> {
        self.0.to_godot_owned()
    }
}

impl<T: FromGodot> FromGodot for Optional<T> {
    fn try_from_godot(given: T::Via) -> Result<Self, ConvertError> {
        T::try_from_godot(given).map(Optional)
    }
}

// SAFETY: the trait is required of values that serve as defaults. Those are null, numbers, and a Dictionary that nobody
// changes: methods that have one only read it.
unsafe impl<T: GodotConvert> GodotImmutable for Optional<T> {}
