//! Makes plain data of references into the running game, where the limits do not ask for the engine's own
//! values.
//!
//! The references are object ids and Signals. No object is looked up.

use godot::builtin::{VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::token::Leaf;
use variant_core::{Limits, VariantType};

use super::coerce::coerced;
use super::text;

/// Says how references into the running game come out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum References {
    /// As the engine makes them.
    Live,
    PlainData,
}

impl References {
    /// Returns what limits ask for.
    pub(crate) const fn of(limits: &Limits) -> References {
        if limits.live_references { References::Live } else { References::PlainData }
    }

    /// Returns the element type of the container that is made for a declaration. It is `None` for a reference
    /// type whose elements become plain data of another type.
    pub(crate) fn held(self, declared: Option<VariantType>) -> Option<VariantType> {
        let is_reference = |ty: &VariantType| matches!(ty, VariantType::Object | VariantType::Signal);
        declared.filter(|ty| self == References::Live || !is_reference(ty))
    }
}

/// Makes the number of an object id, or the name and object id of a Signal. Returns `None` if the leaf is no
/// such reference. A null object refers to nothing and stays null.
pub(super) fn plain(leaf: &Leaf<'_>) -> Option<Variant> {
    match leaf {
        // The number has the same 64 bits with a sign, as `Object.get_instance_id()` answers.
        Leaf::ObjectId(id) if *id != 0 => Some(id.cast_signed().to_variant()),
        Leaf::Signal(name, id) => {
            let mut parts = VarDictionary::new();
            parts.set("signal", &text::string_name(name).to_variant());
            parts.set("object_id", id.cast_signed());
            Some(parts.to_variant())
        }
        _ => None,
    }
}

/// Returns the value as a container of the declared type takes it. Plain data counts as the type that it
/// `stands_for` in the bytes.
pub(super) fn fitted(
    declared: Option<VariantType>,
    value: Variant,
    stands_for: Option<VariantType>,
) -> Option<Variant> {
    match stands_for {
        Some(ty) => declared.is_none_or(|declared| declared == ty).then_some(value),
        None => coerced(declared, value),
    }
}
