//! Makes the class set of what a game has said: asks each script for its variables, and one instance of it for what
//! declarations do not tell.

use std::collections::HashMap;
use std::time::Duration;

use godot::builtin::{AnyArray, AnyDictionary, StringName, Variant};
use godot::classes::{ClassDb, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use variant_core::{Quoted, Value, VariantType};
use variant_objects::{BuildError, Class, EngineClass, Kind, Property, Table};
use variant_schema::{Schema, Shape};

use super::super::schema::declared::{self, Declared};
use super::super::schema::named;
use super::super::schema::script::{Allowed, Scripts, WEAK_REF};
use super::agreement::{disagreement, holds};
use super::draft::{Draft, OfAssets, OfObject, Properties, Said, What};
use crate::names::NEW;
use crate::objects::{Assets, Bound, ClassSet, Fits, Of, Slot};

/// Flags of property usage: a variable of the script, one that is stored.
const SCRIPT_VARIABLE: i64 = 1 << 12;
const STORAGE: i64 = 1 << 1;

type Outcome<T> = Result<T, BuildError>;

fn mistake(path: &str, message: impl Into<String>) -> BuildError {
    BuildError { path: path.to_owned(), message: message.into() }
}

pub(super) fn compiled(draft: &Draft) -> Outcome<ClassSet> {
    if let Some(mistake) = &draft.mistake {
        return Err(mistake.clone());
    }
    let allowed = draft.allowed();
    let (mut classes, mut bounds) = (Vec::new(), Vec::new());
    let (mut by_script, mut by_name) = (HashMap::new(), HashMap::new());
    for (number, said) in draft.classes.iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let (kind, bound) = match &said.what {
            What::Object(object) => {
                by_script.insert(object.script.instance_id().to_i64(), number);
                of_object(said, object, &allowed)?
            }
            What::Assets(assets) => of_assets(assets),
            What::Value { script, class, schema, to, from } => {
                match script {
                    Some(script) => by_script.insert(script.instance_id().to_i64(), number),
                    None => by_name.insert(class.clone(), number),
                };
                let value = Bound::Value { to: to.clone(), from: from.clone() };
                (Kind::Key(schema.clone()), value)
            }
        };
        classes.push(Class { tag: said.tag.clone(), aliases: said.aliases.clone(), kind });
        bounds.push(bound);
    }
    let table = Table::new(classes)?;
    let mut set = ClassSet {
        table,
        classes: bounds,
        by_script,
        by_name,
        loaded_method: StringName::from(draft.loaded_method.as_str()),
        builds_on_thread: draft.builds_on_thread,
        time_budget: Duration::from_micros(u64::from(draft.time_budget_usec)),
        engine: draft.classes.iter().map(of_engine).collect(),
    };
    set.find_loaded_methods();
    Ok(set)
}

/// The names by which the engine writes objects of a class. Inner classes have no path, and the engine writes none of them.
fn of_engine(said: &Said) -> EngineClass {
    let What::Object(object) = &said.what else { return EngineClass::default() };
    let own = object.script.get_path().to_string();
    let paths = std::iter::once(own).chain(object.engine_paths.iter().cloned());
    EngineClass {
        base: object.script.get_instance_base_type().to_string(),
        paths: paths.filter(|path| path.starts_with("res://") && !path.contains("::")).collect(),
    }
}

fn of_assets(assets: &OfAssets) -> (Kind, Bound) {
    let assets = match assets {
        OfAssets::Given(assets) => Assets::given(assets.clone()),
        OfAssets::Listed { folder, names } => Assets::listed(folder, names.clone()),
    };
    let keys = assets.keys.iter().map(|key| Value::String(key.clone()));
    (Kind::Key(Schema::enumeration(keys)), Bound::Assets(assets))
}

fn of_object(said: &Said, object: &OfObject, allowed: &Allowed) -> Outcome<(Kind, Bound)> {
    let tag = said.tag.as_str();
    let instance = instance(tag, &object.script)?;
    let script = object.script.to_variant();
    let all = declared::listed(&script.call("get_script_property_list", &[]));
    let variables: Vec<Declared> = all.into_iter().filter(|it| it.usage & SCRIPT_VARIABLE != 0).collect();
    let chosen = chosen(tag, object, variables)?;
    if let Some((name, _)) = object.schemas.iter().find(|(name, _)| !chosen.iter().any(|it| it.name == *name))
    {
        let message = "property(): the script has no such variable, or it is not written";
        return Err(mistake(&format!("{tag}.{name}"), message));
    }
    let mut scripts = Scripts::of_classes(allowed.clone());
    let (mut properties, mut slots) = (Vec::new(), Vec::new());
    for it in &chosen {
        let value = instance.call("get", &[Variant::from(it.name.as_str())]);
        let stated = object.schemas.iter().find(|(name, _)| *name == it.name).map(|(_, schema)| schema);
        let (schema, slot) = variable(tag, (&mut scripts, &script), (it, &value), stated)?;
        properties.push(Property::new(&it.name, schema).weak(slot.is_weak));
        slots.push(slot);
    }
    let maker = object.script.to_variant();
    let bound =
        Of { script: object.script.clone(), maker, slots, has_loaded: false, steps: object.steps.clone() };
    let latest = object.steps.keys().max().copied().unwrap_or(0);
    if latest >= object.version {
        let message = format!(
            "migrate(): a step from version {latest}, and the class is of version {}",
            object.version
        );
        return Err(mistake(tag, message));
    }
    let kind = Kind::Properties {
        version: object.version,
        properties,
        renames: object.renames.clone(),
        forgotten: object.forgotten.clone(),
        steps: object.steps.keys().copied().collect(),
    };
    Ok((kind, Bound::Object(bound)))
}

/// The variables that are written.
fn chosen(tag: &str, object: &OfObject, variables: Vec<Declared>) -> Outcome<Vec<Declared>> {
    let (chosen, none) = match &object.wanted {
        Properties::Stored => {
            let stored = variables.into_iter().filter(|it| it.usage & STORAGE != 0);
            (
                stored.collect::<Vec<_>>(),
                "no variable has @export or @export_storage: give VARIABLES, or name them",
            )
        }
        Properties::Variables => (variables, "the script has no variables"),
        Properties::Named(names) => {
            if let Some(name) = names.iter().find(|name| !variables.iter().any(|it| it.name == **name)) {
                return Err(mistake(
                    &format!("{tag}.{name}"),
                    "the script declares no variable of this name",
                ));
            }
            (variables.into_iter().filter(|it| names.contains(&it.name)).collect(), "no property is named")
        }
    };
    if chosen.is_empty() { Err(mistake(tag, none)) } else { Ok(chosen) }
}

/// Makes an instance of a class, which tells what its declarations do not.
fn instance(tag: &str, script: &Gd<Script>) -> Outcome<Variant> {
    let script_variant = script.to_variant();
    let methods: AnyArray = script_variant.call("get_script_method_list", &[]).to();
    let wants = methods.iter_shared().filter_map(|it| it.try_to::<AnyDictionary>().ok()).any(|it| {
        let count =
            |key: &str| it.get(key).and_then(|list| list.try_to::<AnyArray>().ok()).map_or(0, |it| it.len());
        declared::text(&it, "name") == "_init" && count("args") > count("default_args")
    });
    if wants {
        return Err(mistake(
            tag,
            "_init() needs arguments, and none are ever saved: give them defaults, or use allow_value()",
        ));
    }
    let has_abstract = script_variant.call("has_method", &[Variant::from("is_abstract")]);
    if has_abstract.try_to().unwrap_or(false)
        && script_variant.call("is_abstract", &[]).try_to().unwrap_or(false)
    {
        return Err(mistake(tag, "the class is abstract"));
    }
    let base = script.get_instance_base_type();
    let is_counted = base == "RefCounted" || ClassDb::singleton().is_parent_class(&base, "RefCounted");
    if !is_counted {
        let message =
            format!("expected a class that extends RefCounted or Resource, got one that extends {base}");
        return Err(mistake(tag, message));
    }
    let instance = script_variant.call(&*NEW, &[]);
    if instance.is_nil() { Err(mistake(tag, "no object of the class can be made")) } else { Ok(instance) }
}

fn variable(
    tag: &str,
    (scripts, script): (&mut Scripts, &Variant),
    (it, value): (&Declared, &Variant),
    stated: Option<&Schema>,
) -> Outcome<(Schema, Slot)> {
    let path = format!("{tag}.{}", it.name);
    let schema = match stated {
        Some(schema) => schema.clone(),
        None => scripts
            .declared("the variable", script, it, value)
            .map_err(|message| mistake(&path, format!("{message}; {}", advice(tag, &it.name))))?,
    };
    let (key, item) = (
        element(value, "key_"),
        element(value, if it.ty == VariantType::Dictionary { "value_" } else { "" }),
    );
    let is_weak = it.ty == VariantType::Object && it.class == WEAK_REF;
    if let Some(why) = stated.and_then(|schema| disagreement(schema, it.ty, (key, item))) {
        return Err(mistake(&path, why));
    }
    if key == Some(VariantType::Object) {
        return Err(mistake(&path, "objects cannot be keys"));
    }
    let is_typed = key.is_some() || item.is_some();
    let is_of_objects = item == Some(VariantType::Object);
    let schema = match (is_typed && !is_of_objects, schema.shape()) {
        (true, Shape::Array(_) | Shape::Map(..)) => schema.typed(),
        _ => schema,
    };
    let slot = Slot {
        name: StringName::from(it.name.as_str()),
        declared: it.ty,
        holds: holds(&schema),
        is_weak,
        template: is_typed.then(|| empty(value)),
        is_of_objects,
        fits: if is_weak { None } else { fits(it, value, is_of_objects) },
    };
    Ok((schema, slot))
}

/// The line by which a game says what a declaration does not.
fn advice(tag: &str, name: &str) -> String {
    format!("say what it is by property({}, {}, ...)", Quoted::whole(tag), Quoted::whole(name))
}

/// The class that a variable is declared to hold, or its elements are.
fn fits(it: &Declared, value: &Variant, is_of_objects: bool) -> Option<Fits> {
    if is_of_objects {
        return Some(Fits::of_container(value, if it.ty == VariantType::Dictionary { "value_" } else { "" }));
    }
    if it.ty != VariantType::Object {
        return None;
    }
    let script = named::global_script(&it.class).try_to::<Gd<Script>>().ok();
    // An inner class is declared as what it extends.
    Some(Fits { script, class: StringName::from(it.class.as_str()) })
}

fn empty(value: &Variant) -> Variant {
    let empty = value.call("duplicate", &[]);
    empty.call("clear", &[]);
    empty
}

/// The type that a typed container declares its elements, keys or values to be.
fn element(value: &Variant, of: &str) -> Option<VariantType> {
    let is_it = match value.get_type() {
        godot::builtin::VariantType::ARRAY => of.is_empty(),
        godot::builtin::VariantType::DICTIONARY => !of.is_empty(),
        _ => false,
    };
    if !is_it {
        return None;
    }
    let method = format!("get_typed_{of}builtin");
    let has = value.get_type() == godot::builtin::VariantType::ARRAY
        || value.try_to::<AnyDictionary>().is_ok_and(|it| crate::raw::builtin_method::is_typed(&it));
    let ty = if has { value.call(&method, &[]).try_to::<i64>().unwrap_or(0) } else { 0 };
    u8::try_from(ty).ok().and_then(VariantType::from_id).filter(|ty| *ty != VariantType::Nil)
}
