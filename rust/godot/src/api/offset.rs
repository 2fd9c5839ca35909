//! Takes the bytes behind an offset, for calls that are told where a value begins.

use godot::builtin::{PackedByteArray, Variant, VariantType};
use godot::meta::ToGodot;
use variant_core::VariantType as Type;

use crate::call::decode::bytes_argument;
use crate::call::problem::Problem;
use crate::raw::variant::type_of;

/// Tells whether a call is told where the value begins.
#[inline]
pub(super) fn is_told(offset: &Variant) -> bool {
    type_of(offset) != Type::Nil
}

/// Returns the bytes from there on.
/// Fails where there are fewer, and where it is no int.
pub(super) fn behind(bytes: &Variant, offset: &Variant) -> Result<Variant, Problem> {
    let bytes = bytes_argument(bytes)?;
    let wanted = || format!("int from 0 to {}, the size of bytes", bytes.len());
    let VariantType::INT = offset.get_type() else {
        return Err(Problem::wrong_type("offset", &wanted(), offset.get_type().godot_type_name()));
    };
    let number = offset.to::<i64>();
    let part = usize::try_from(number).ok().and_then(|offset| bytes.as_slice().get(offset..));
    match part {
        Some(part) => Ok(PackedByteArray::from(part).to_variant()),
        None => Err(Problem::wrong_type("offset", &wanted(), &format!("int {number}"))),
    }
}
