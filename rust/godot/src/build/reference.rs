//! References into the running game, as plain data: what an object id and a Signal come out as where the limits
//! do not ask for the engine's own values. Looks no object up.

use godot::builtin::{VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;
use variant_core::token::Leaf;

use super::coerce::coerced;
use super::text;

/// An id as its number, a Signal as its name and the id of its object. None: the leaf is no such reference.
/// A null object refers to nothing and stays null.
pub(super) fn plain(leaf: &Leaf<'_>) -> Option<Variant> {
    match leaf {
        // As `Object.get_instance_id()` answers: the same 64 bits with a sign.
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

/// The element type of a container that is made for this declaration. Plain data of another type has to fit in.
pub(crate) fn held(declared: Option<VariantType>, is_live: bool) -> Option<VariantType> {
    declared.filter(|ty| is_live || !matches!(ty, VariantType::Object | VariantType::Signal))
}

/// The value as a container of the declared type takes it, by the type that it has in the bytes.
pub(crate) fn fitted(
    declared: Option<VariantType>,
    value: Variant,
    stands_for: Option<VariantType>,
) -> Option<Variant> {
    match stands_for {
        Some(ty) => declared.is_none_or(|declared| declared == ty).then_some(value),
        None => coerced(declared, value),
    }
}
