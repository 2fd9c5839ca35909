//! Compares the types that typed containers declare, and names them.

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::meta::inspect::ElementType;
use variant_core::VariantType;

use crate::engine::read::dictionary_types;
use crate::raw::in_place;
use crate::raw::variant::type_of;

/// Tells whether a value can be assigned to a typed variable that holds `wanted`.
#[inline]
pub(crate) fn is_assignable(value: &Variant, wanted: &Variant) -> bool {
    type_of(value) == type_of(wanted) && (!in_place::may_be_typed(wanted) || is_alike(value, wanted))
}

/// Tells whether a container can be assigned: a typed container takes only one of the same types, an untyped
/// one takes all.
#[cold]
fn is_alike(value: &Variant, wanted: &Variant) -> bool {
    let wanted = types(wanted);
    wanted == UNTYPED || wanted == types(value)
}

const UNTYPED: [ElementType; 2] = [ElementType::Untyped; 2];

/// Returns the declared element type of an Array, or the key and value types of a Dictionary.
pub(crate) fn types(value: &Variant) -> [ElementType; 2] {
    match type_of(value) {
        VariantType::Array => {
            value.try_to().map_or(UNTYPED, |array: AnyArray| [array.element_type(), ElementType::Untyped])
        }
        VariantType::Dictionary => value.try_to().map_or(UNTYPED, |dictionary: AnyDictionary| {
            let (key, value) = dictionary_types(&dictionary);
            [key, value]
        }),
        _ => UNTYPED,
    }
}

/// Returns the name of a value's type as GDScript writes it: `Array[int]`.
pub(crate) fn type_name(value: &Variant) -> String {
    let name = value.get_type().godot_type_name();
    let types = types(value);
    match type_of(value) {
        _ if types == UNTYPED => name.to_owned(),
        VariantType::Dictionary => format!("{name}[{}, {}]", word(&types[0]), word(&types[1])),
        _ => format!("{name}[{}]", word(&types[0])),
    }
}

fn word(ty: &ElementType) -> String {
    match ty {
        ElementType::Untyped => "Variant".to_owned(),
        ElementType::Builtin(ty) => ty.godot_type_name().to_owned(),
        ElementType::Class(class) => class.to_string_name().to_string(),
        ElementType::ScriptClass(_) => "a script's class".to_owned(),
    }
}
