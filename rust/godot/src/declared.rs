//! Declared: what typed containers say they hold, compared and put into words.

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::meta::inspect::ElementType;
use variant_core::VariantType;

use crate::raw::in_place;
use crate::raw::variant::type_of;
use crate::read::dictionary_types;

/// Whether a value can go where one of this type is declared: into a variable that holds `wanted`.
#[inline]
pub(crate) fn is_assignable(value: &Variant, wanted: &Variant) -> bool {
    type_of(value) == type_of(wanted) && (!in_place::may_be_typed(wanted) || is_alike(value, wanted))
}

/// What is typed takes only what is typed alike; what is not takes all.
#[cold]
fn is_alike(value: &Variant, wanted: &Variant) -> bool {
    let wanted = types(wanted);
    wanted == UNTYPED || wanted == types(value)
}

const UNTYPED: [ElementType; 2] = [ElementType::Untyped; 2];

/// Of an Array its elements', of a Dictionary its keys' and its values'.
fn types(value: &Variant) -> [ElementType; 2] {
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

/// A type as GDScript writes it: `Array[int]`.
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
