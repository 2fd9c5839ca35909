//! Makes Variants of leaves.

use godot::builtin::{Callable, Rid, Variant};
use godot::meta::ToGodot;
use variant_core::token::Leaf;
use variant_core::{ErrorKind, RealWidth, Refusal, VariantType};

use super::{engine_leaf, text};
use crate::engine::numbers;

pub(crate) fn build(leaf: &Leaf<'_>) -> Result<Variant, Refusal> {
    Ok(match leaf {
        Leaf::Nil => Variant::nil(),
        Leaf::Bool(value) => value.to_variant(),
        Leaf::Int(value) => value.to_variant(),
        Leaf::Float(value) => value.to_variant(),
        Leaf::Text(VariantType::StringName, name) => text::string_name(name).to_variant(),
        Leaf::Text(_, string) => text::string(string).to_variant(),
        Leaf::Math(ty, lanes) | Leaf::Packed(ty, lanes) => {
            numbers::build(*ty, lanes).ok_or(ErrorKind::Refused)?
        }
        Leaf::Rid(id) => Rid::new(*id).to_variant(),
        Leaf::Callable => Callable::invalid().to_variant(),
        Leaf::ObjectId(_) | Leaf::Signal(..) => engine_leaf::build(leaf)?,
    })
}

/// Says how wide the numbers of this build's vectors are.
pub(crate) const REALS: RealWidth =
    if cfg!(feature = "double-precision") { RealWidth::Double } else { RealWidth::Single };
