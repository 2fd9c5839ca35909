//! Puts other values in the places of some in a value, such as references for objects. Containers that hold none are taken as they
//! are. Around a container that is declared for objects of a class a mark is put: an Array of an RID, which names the class, and
//! the container.

use godot::builtin::{AnyArray, AnyDictionary, Rid, StringName, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;

use crate::engine::names::{ASSIGN, DUPLICATE, IS_TYPED};
use crate::raw::builtin_method::is_typed;
use crate::raw::variant::{constructed, type_of};

/// The value with what `by` gives in the places of values that are no containers; `None` where it gives nothing. A container that
/// holds references then is untyped, since it may be declared for the objects; others keep their types. `by` is asked for the marks
/// of containers that are declared for objects, too.
pub(crate) fn replaced(value: &Variant, by: &mut dyn FnMut(&Variant) -> Option<Variant>) -> Option<Variant> {
    match type_of(value) {
        VariantType::Array => array(value, by),
        VariantType::Dictionary => dictionary(value, by),
        _ => by(value),
    }
}

/// The elements of an Array, or the values of a Dictionary; nothing of other values.
pub(crate) fn items(value: &Variant) -> Vec<Variant> {
    let array = match type_of(value) {
        VariantType::Array => value.try_to::<AnyArray>().ok(),
        VariantType::Dictionary => value.try_to::<AnyDictionary>().ok().map(|it| it.values_array()),
        _ => None,
    };
    array.map(|array| array.iter_shared().collect()).unwrap_or_default()
}

/// Objects stand in untyped containers.
pub(super) fn holds_objects(value: &Variant, of: &str) -> bool {
    let typed = value.call(&format!("get_typed_{of}builtin"), &[]);
    typed.try_to::<i64>().is_ok_and(|ty| ty == i64::from(VariantType::Object.id()))
}

/// The class of the table that the mark around a container names, and the container.
pub(super) fn marked(array: &AnyArray) -> Option<(u32, Variant)> {
    let mark = (array.len() == 2).then(|| array.at(0)).filter(|mark| type_of(mark) == VariantType::Rid)?;
    let class = variant_objects::class_of_mark(mark.try_to::<Rid>().ok()?.to_u64())?;
    Some((class, array.at(1)))
}

fn array(value: &Variant, by: &mut dyn FnMut(&Variant) -> Option<Variant>) -> Option<Variant> {
    let array = value.try_to::<AnyArray>().ok()?;
    let is_of_objects = holds_objects(value, "");
    let mark = if is_of_objects { by(value) } else { None };
    let mut own: Option<VarArray> = None;
    for at in 0..array.len() {
        let item = array.at(at);
        let new = replaced(&item, by);
        if new.is_some() && own.is_none() {
            own = Some((0..at).map(|before| array.at(before)).collect());
        }
        if let Some(own) = &mut own {
            own.push(&new.unwrap_or(item));
        }
    }
    if own.is_none() && is_of_objects {
        own = Some(array.iter_shared().collect());
    }
    let own = own?;
    let holds_references = own.iter_shared().any(|item| type_of(&item) == VariantType::Rid);
    let keeps_type = !holds_references && value.call(&*IS_TYPED, &[]).booleanize() && !is_of_objects;
    let own = if keeps_type { of_type(value, &own.to_variant()) } else { own.to_variant() };
    Some(within(mark, own))
}

fn dictionary(value: &Variant, by: &mut dyn FnMut(&Variant) -> Option<Variant>) -> Option<Variant> {
    let dictionary = value.try_to::<AnyDictionary>().ok()?;
    let is_typed = is_typed(&dictionary);
    let is_of_objects = is_typed && holds_objects(value, "value_");
    let mark = if is_of_objects { by(value) } else { None };
    let (mut changed, mut holds_references) = (is_of_objects, false);
    let mut own = VarDictionary::new();
    for key in dictionary.keys_array().iter_shared() {
        let item = dictionary.get(&key).unwrap_or_default();
        let new = replaced(&item, by);
        changed |= new.is_some();
        let item = new.unwrap_or(item);
        holds_references |= type_of(&item) == VariantType::Rid;
        own.set(&key, &item);
    }
    let keeps_type = is_typed && !is_of_objects && !holds_references;
    let own = own.to_variant();
    changed.then(|| match mark {
        Some(_) => within(mark, typed_dictionary(&own, value, &of_any()).unwrap_or(own)),
        None if keeps_type => of_type(value, &own),
        None => own,
    })
}

fn of_any() -> [Variant; 3] {
    [0_i64.to_variant(), StringName::default().to_variant(), Variant::nil()]
}

pub(super) fn within(mark: Option<Variant>, container: Variant) -> Variant {
    match mark {
        Some(mark) => [mark, container].into_iter().collect::<VarArray>().to_variant(),
        None => container,
    }
}

/// A Dictionary with the keys that another one declares, and values of this type.
pub(super) fn typed_dictionary(own: &Variant, keys: &Variant, of: &[Variant; 3]) -> Option<Variant> {
    let [ty, class, script] =
        ["builtin", "class_name", "script"].map(|of| keys.call(&format!("get_typed_key_{of}"), &[]));
    constructed(VariantType::Dictionary, [own, &ty, &class, &script, &of[0], &of[1], &of[2]])
}

/// A container of the types of another one, with this content.
fn of_type(typed: &Variant, content: &Variant) -> Variant {
    let own = typed.call(&*DUPLICATE, &[]);
    own.call(&*ASSIGN, std::slice::from_ref(content));
    own
}
