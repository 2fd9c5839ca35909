//! Asks the engine what a script declares: its variables, functions and arguments, and one instance of it. It
//! makes no schema.

use godot::builtin::{AnyArray, AnyDictionary, Variant};
use godot::classes::Script;
use godot::obj::Gd;
use variant_core::VariantType;

use super::arguments::ArgumentResult;

/// A variable or an argument, as the engine lists it.
pub(in crate::api) struct Declared {
    pub(in crate::api) name: String,
    pub(in crate::api) ty: VariantType,
    pub(in crate::api) class: String,
    pub(in crate::api) hint: i64,
    pub(in crate::api) hint_text: String,
    pub(in crate::api) usage: i64,
}

/// Whether no instance of a script can be made without arguments.
pub(in crate::api) fn wants_arguments(script: &Variant) -> bool {
    let methods: AnyArray = script.call("get_script_method_list", &[]).to();
    methods.iter_shared().filter_map(|it| it.try_to::<AnyDictionary>().ok()).any(|it| {
        let count =
            |key: &str| it.get(key).and_then(|list| list.try_to::<AnyArray>().ok()).map_or(0, |it| it.len());
        text(&it, "name") == "_init" && count("args") > count("default_args")
    })
}

pub(super) fn instance(place: &str, script: &Variant) -> ArgumentResult<Variant> {
    let base = script.call("get_instance_base_type", &[]).stringify().to_string();
    if wants_arguments(script) || !matches!(base.as_str(), "RefCounted" | "Resource") {
        return Err(format!("{place}: expected a RefCounted or Resource that can be made without arguments"));
    }
    let is_able: bool = script.call("can_instantiate", &[]).try_to().unwrap_or(false);
    if !is_able {
        return Err(format!("{place}: the script cannot be instantiated here"));
    }
    Ok(script.call("new", &[]))
}

/// Not asked by a call of its own: what stands for a class of the engine's, such as `Node`, has no methods at all.
pub(in crate::api) fn is_script(value: &Variant) -> bool {
    value.try_to::<Gd<Script>>().is_ok_and(|script| script.is_class("GDScript"))
}

pub(in crate::api) fn listed(list: &Variant) -> Vec<Declared> {
    let Ok(list) = list.try_to::<AnyArray>() else { return Vec::new() };
    let number = |it: &AnyDictionary, key: &str| it.get(key).and_then(|n| n.try_to().ok()).unwrap_or(0i64);
    let entries = list.iter_shared().filter_map(|it| it.try_to::<AnyDictionary>().ok());
    entries
        .map(|it| Declared {
            name: text(&it, "name"),
            ty: u8::try_from(number(&it, "type"))
                .ok()
                .and_then(VariantType::from_id)
                .unwrap_or(VariantType::Nil),
            class: text(&it, "class_name"),
            hint: number(&it, "hint"),
            hint_text: text(&it, "hint_string"),
            usage: number(&it, "usage"),
        })
        .collect()
}

/// Returns the values of a function's last arguments when they are not given.
pub(in crate::api) fn defaults(method: &AnyDictionary) -> Vec<Variant> {
    let list = method.get("default_args").and_then(|list| list.try_to::<AnyArray>().ok());
    list.map(|list| list.iter_shared().collect()).unwrap_or_default()
}

pub(in crate::api) fn text(dictionary: &AnyDictionary, key: &str) -> String {
    dictionary.get(key).map_or_else(String::new, |text| text.stringify().to_string())
}
