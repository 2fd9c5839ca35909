//! Makes the class set of what a game has said: asks each script for its variables, and one instance of it for what
//! declarations do not tell.

use std::collections::HashMap;
use std::time::Duration;

use godot::builtin::{StringName, Variant};
use godot::classes::{ClassDb, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use variant_core::{Mistake, Mistakes, Value};
use variant_objects::{Class, ClassKind, EngineClass, Property, Table};
use variant_schema::Schema;

use super::super::schema::declared::{self, Declared};
use super::super::schema::script::{Allowed, Scripts};
use super::draft::{ClassDeclaration, DeclarationKind, Draft, OfAssets, OfObject, Properties};
use super::variables::{Variable, heap_of};
use crate::engine::names::NEW;
use crate::objects::{Assets, Bound, ClassSet, Fits, Of, Slot};
use crate::raw::objects;

/// Flags of property usage: a variable of the script, one that is stored.
const SCRIPT_VARIABLE: i64 = 1 << 12;
const STORAGE: i64 = 1 << 1;

/// The outcome of one part, and that of several.
pub(super) type Outcome<T> = Result<T, Mistake>;
type Outcomes<T> = Result<T, Mistakes>;

pub(super) fn compiled(draft: &Draft) -> Outcomes<ClassSet> {
    Mistakes::unless(draft.mistakes.clone(), Ok(()))?;
    let mut mistakes = None;
    let allowed = draft.allowed();
    let (mut classes, mut bounds, mut heaps) = (Vec::new(), Vec::new(), Vec::new());
    let (mut by_script, mut by_name) = (HashMap::new(), HashMap::new());
    for (number, said) in draft.classes.iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        match (said.script(), &said.what) {
            (Some(script), _) => drop(by_script.insert(script.instance_id().to_i64(), number)),
            (_, DeclarationKind::Value { class, .. }) => drop(by_name.insert(class.clone(), number)),
            _ => {}
        }
        match class(said, &allowed) {
            Ok((kind, bound, heap)) => {
                classes.push(Class { tag: said.tag.clone(), aliases: said.aliases.clone(), kind });
                bounds.push(bound);
                heaps.push(heap);
            }
            Err(wrong) => Mistakes::add(&mut mistakes, wrong),
        }
    }
    Mistakes::unless(mistakes, Ok(()))?;
    let table = Table::new(classes)?.charging(heaps);
    let mut set = ClassSet {
        table,
        classes: bounds,
        by_script,
        by_name,
        declarations: draft.classes.iter().map(declaration).collect(),
        loaded_method: StringName::from(draft.loaded_method.as_str()),
        builds_on_thread: draft.builds_on_thread,
        time_budget: Duration::from_micros(u64::from(draft.time_budget_usec)),
        engine: draft.classes.iter().map(of_engine).collect(),
    };
    set.find_loaded_methods();
    Ok(set)
}

/// The declaration of containers of a class's objects.
fn declaration(said: &ClassDeclaration) -> Option<Fits> {
    match (said.script(), &said.what) {
        (Some(script), _) => {
            Some(Fits { class: script.get_instance_base_type(), script: Some(script.clone()) })
        }
        (None, DeclarationKind::Value { class, .. }) => {
            Some(Fits { script: None, class: StringName::from(class.as_str()) })
        }
        _ => None,
    }
}

/// The content of a class's rows, what its objects are made by, and what memory each takes, where that was measured.
fn class(said: &ClassDeclaration, allowed: &Allowed) -> Outcomes<(ClassKind, Bound, u64)> {
    let (kind, bound) = match &said.what {
        DeclarationKind::Object(object) => return of_object(said, object, allowed),
        DeclarationKind::Assets { assets, old } => of_assets(assets, old),
        DeclarationKind::Forgotten => (ClassKind::Forgotten, Bound::Forgotten),
        DeclarationKind::Value { schema, to, from, .. } => {
            (ClassKind::Key(schema.clone()), Bound::Value { to: to.clone(), from: from.clone() })
        }
    };
    Ok((kind, bound, 0))
}

/// The names by which the engine writes objects of a class. Inner classes have no path, and the engine writes none of them.
fn of_engine(said: &ClassDeclaration) -> EngineClass {
    let DeclarationKind::Object(object) = &said.what else { return EngineClass::default() };
    let own = object.script.get_path().to_string();
    let paths = std::iter::once(own).chain(object.engine_paths.iter().cloned());
    EngineClass {
        base: object.script.get_instance_base_type().to_string(),
        paths: paths.filter(|path| path.starts_with("res://") && !path.contains("::")).collect(),
        ..EngineClass::default()
    }
}

fn of_assets(assets: &OfAssets, old: &[(String, Option<String>)]) -> (ClassKind, Bound) {
    let mut assets = match assets {
        OfAssets::Given(assets) => Assets::given(assets.clone()),
        OfAssets::Listed { folder, names } => Assets::listed(folder, names.clone()),
    };
    assets.old = old.to_vec();
    let old = old.iter().map(|(key, _)| key).filter(|key| !assets.keys.contains(key));
    let keys: Vec<Value> = assets.keys.iter().chain(old).map(|key| Value::String(key.clone())).collect();
    (ClassKind::Key(Schema::enumeration(keys)), Bound::Assets(assets))
}

fn of_object(
    said: &ClassDeclaration,
    object: &OfObject,
    allowed: &Allowed,
) -> Outcomes<(ClassKind, Bound, u64)> {
    let tag = said.tag.as_str();
    let instance = instance(tag, &object.script)?;
    let script = object.script.to_variant();
    let all = declared::listed(&script.call("get_script_property_list", &[]));
    let variables: Vec<Declared> = all.into_iter().filter(|it| it.usage & SCRIPT_VARIABLE != 0).collect();
    let chosen = chosen(tag, object, variables)?;
    let mut mistakes = check_steps(tag, object).err().map(Mistakes::from);
    for (name, _) in object.schemas.iter().filter(|(name, _)| !chosen.iter().any(|it| it.name == *name)) {
        let message = "property(): the script has no such variable, or it is not written";
        Mistakes::add(&mut mistakes, Mistake::new(format!("{tag}.{name}"), message));
    }
    let variables = variables_of(tag, object, &instance, &chosen, allowed);
    let (properties, slots) = Mistakes::unless(mistakes, variables)?;
    let heap = heap_of(&object.script, u64::try_from(properties.len()).unwrap_or(u64::MAX));
    let maker = object.script.to_variant();
    let bound = Of {
        script: object.script.clone(),
        maker,
        slots,
        has_loaded: false,
        steps: object.steps.clone(),
        allow_empty: object.allow_empty.clone(),
    };
    let kind = ClassKind::Properties {
        version: object.version,
        properties,
        renames: object.renames.clone(),
        forgotten: object.forgotten.clone(),
        steps: object.steps.keys().copied().collect(),
    };
    Ok((kind, Bound::Object(bound), heap))
}

fn check_steps(tag: &str, object: &OfObject) -> Outcome<()> {
    let latest = object.steps.keys().max().copied().unwrap_or(0);
    if latest < object.version {
        return Ok(());
    }
    let version = object.version;
    let message =
        format!("migrate(): a step begins at version {latest}, and version() is {version}: raise it");
    Err(Mistake::new(tag, message))
}

/// The schemas of the variables that are written, and what the engine needs for each.
fn variables_of(
    tag: &str,
    object: &OfObject,
    instance: &Variant,
    chosen: &[Declared],
    allowed: &Allowed,
) -> Outcomes<(Vec<Property>, Vec<Slot>)> {
    let script = object.script.to_variant();
    let mut scripts = Scripts::of_classes(allowed.clone());
    let (mut properties, mut slots, mut mistakes) = (Vec::new(), Vec::new(), None);
    for it in chosen {
        let value = instance.call("get", &[Variant::from(it.name.as_str())]);
        let stated = object.schemas.iter().find(|(name, _)| *name == it.name).map(|(_, stated)| stated);
        match (Variable { tag, it, value: &value }).slot(&mut scripts, &script, stated) {
            Ok((schema, slot)) => {
                let (is_weak, is_typed) = (slot.is_weak, slot.is_of_objects);
                properties.push(Property { is_weak, is_typed, ..Property::new(&it.name, schema) });
                slots.push(slot);
            }
            Err(wrong) => Mistakes::add(&mut mistakes, wrong),
        }
    }
    Mistakes::unless(mistakes, Ok((properties, slots)))
}

/// The variables that are written.
fn chosen(tag: &str, object: &OfObject, variables: Vec<Declared>) -> Outcome<Vec<Declared>> {
    let is_stored = |it: &Declared| it.usage & STORAGE != 0;
    let (chosen, none) = match &object.wanted {
        // A class that exports nothing is saved whole; one without variables is allowed to have none.
        Properties::Default => {
            let has_stored = variables.iter().any(is_stored);
            return Ok(variables.into_iter().filter(|it| !has_stored || is_stored(it)).collect());
        }
        Properties::Variables => return Ok(variables),
        Properties::Stored => {
            let stored = variables.into_iter().filter(is_stored);
            (
                stored.collect::<Vec<_>>(),
                "no variable has @export or @export_storage: give VARIABLES, or name them",
            )
        }
        Properties::Named(names) => {
            if let Some(name) = names.iter().find(|name| !variables.iter().any(|it| it.name == **name)) {
                return Err(Mistake::new(
                    format!("{tag}.{name}"),
                    "the script declares no variable of this name",
                ));
            }
            (variables.into_iter().filter(|it| names.contains(&it.name)).collect(), "no property is named")
        }
    };
    if chosen.is_empty() { Err(Mistake::new(tag, none)) } else { Ok(chosen) }
}

/// Makes an instance of a class, which tells what its declarations do not.
fn instance(tag: &str, script: &Gd<Script>) -> Outcome<Variant> {
    let script_variant = script.to_variant();
    if declared::wants_arguments(&script_variant) {
        return Err(Mistake::new(
            tag,
            "_init() needs arguments, and none are ever saved: give them defaults, or use allow_value()",
        ));
    }
    let has_abstract = script_variant.call("has_method", &[Variant::from("is_abstract")]);
    if has_abstract.try_to().unwrap_or(false)
        && script_variant.call("is_abstract", &[]).try_to().unwrap_or(false)
    {
        return Err(Mistake::new(tag, "the class is abstract"));
    }
    let base = script.get_instance_base_type();
    let is_counted = base == "RefCounted" || ClassDb::singleton().is_parent_class(&base, "RefCounted");
    if !is_counted {
        let message =
            format!("expected a class that extends RefCounted or Resource, got one that extends {base}");
        return Err(Mistake::new(tag, message));
    }
    let instance = objects::called(&script_variant, &NEW).unwrap_or_default();
    if instance.is_nil() {
        Err(Mistake::new(tag, "no object of the class can be made"))
    } else {
        Ok(instance)
    }
}
