//! Replaces objects in values by the references that stand for them. Containers that hold none are taken as they are.

use godot::builtin::{AnyArray, AnyDictionary, Rid, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use variant_core::VariantType;

use crate::raw::builtin_method::is_typed;
use crate::raw::variant::type_of;

/// Gives the reference of an object. Objects that are not written have none.
pub(super) trait References {
    fn reference(&mut self, object: &Variant) -> Option<u64>;
}

/// The value with references for its objects; `None` where it holds none.
pub(super) fn replaced(value: &Variant, by: &mut impl References) -> Option<Variant> {
    match type_of(value) {
        VariantType::Object => {
            let id = by.reference(value);
            Some(id.map_or_else(Variant::nil, |id| Rid::new(id).to_variant()))
        }
        VariantType::Array => array(value, by),
        VariantType::Dictionary => dictionary(value, by),
        _ => None,
    }
}

/// Objects stand in untyped containers.
pub(super) fn holds_objects(value: &Variant, of: &str) -> bool {
    let typed = value.call(&format!("get_typed_{of}builtin"), &[]);
    typed.try_to::<i64>().is_ok_and(|ty| ty == i64::from(VariantType::Object.id()))
}

fn array(value: &Variant, by: &mut impl References) -> Option<Variant> {
    let array = value.try_to::<AnyArray>().ok()?;
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
    if own.is_none() && holds_objects(value, "") {
        own = Some(array.iter_shared().collect());
    }
    own.map(|own| own.to_variant())
}

fn dictionary(value: &Variant, by: &mut impl References) -> Option<Variant> {
    let dictionary = value.try_to::<AnyDictionary>().ok()?;
    let keys = dictionary.keys_array();
    let mut changed = is_typed(&dictionary) && holds_objects(value, "value_");
    let mut own = VarDictionary::new();
    for key in keys.iter_shared() {
        let item = dictionary.get(&key).unwrap_or_default();
        let new = replaced(&item, by);
        changed |= new.is_some();
        own.set(&key, &new.unwrap_or(item));
    }
    changed.then(|| own.to_variant())
}
