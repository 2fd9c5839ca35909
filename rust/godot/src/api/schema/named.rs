//! Finds what names in declarations stand for: scripts with a global name, and enums of scripts and of the
//! engine's classes. It makes no schema.

use godot::builtin::{AnyArray, AnyDictionary, Array, GString, PackedStringArray, StringName, Variant};
use godot::classes::{ClassDb, Engine, Resource, ResourceLoader};
use godot::obj::Singleton;

use super::declared::{is_script, text};

/// Returns the name of a script: its global name, its name as a class inside the script that declares
/// something of it, or its file.
pub(super) fn script(script: &Variant, holder: &Variant) -> String {
    let text = |method: &str| script.call(method, &[]).stringify().to_string();
    let global = text("get_global_name");
    if !global.is_empty() {
        return global;
    }
    let inner =
        Some(holder).filter(|holder| is_script(holder)).and_then(|holder| constant_of(holder, script));
    let path = text("get_path");
    let file = path.rsplit('/').next().and_then(|file| file.strip_suffix(".gd"));
    inner.or_else(|| file.map(str::to_owned)).unwrap_or_else(|| "class".to_owned())
}

/// The name of the constant that holds this script.
fn constant_of(holder: &Variant, script: &Variant) -> Option<String> {
    let constants = constants(holder);
    let mut keys = constants.keys_array().iter_shared().collect::<Vec<_>>().into_iter();
    keys.find(|key| constants.get(key).is_some_and(|it| it == *script)).map(|key| key.stringify().to_string())
}

/// The script of a global class name.
pub(in crate::api) fn global_script(name: &str) -> Variant {
    let settings = Engine::singleton().get_singleton("ProjectSettings");
    let Some(settings) = settings else { return Variant::nil() };
    let list: AnyArray = match Variant::from(settings).call("get_global_class_list", &[]).try_to() {
        Ok(list) => list,
        Err(_) => return Variant::nil(),
    };
    let found = list.iter_shared().map(|it| it.to::<AnyDictionary>()).find(|it| text(it, "class") == name);
    found.map_or_else(Variant::nil, |it| loaded(&text(&it, "path")))
}

/// The script at a path: it is in use, so the engine has it at hand.
fn loaded(path: &str) -> Variant {
    if !ResourceLoader::singleton().exists(path) {
        return Variant::nil();
    }
    godot::tools::try_load::<Resource>(path).map_or_else(|_| Variant::nil(), Variant::from)
}

/// Names and numbers of an enum that a declaration in `script` has by its full name: `Kind`, `Item.Kind`,
/// `res://item.gd.Part.Kind` or `Mesh.PrimitiveType`.
pub(super) fn enumeration(script: &Variant, name: &str) -> Option<Variant> {
    let (holder, name) = name.rsplit_once('.').unwrap_or(("", name));
    // Enums of one name in two classes are two: where another class is known by this one's name, it is that one's.
    match class(script, holder) {
        Some(other) => constant(&other, name),
        None => constant(script, name).or_else(|| of_engine(holder, name)),
    }
}

/// The script that a full name stands for: a global name or a path, and inner classes behind it.
fn class(script: &Variant, name: &str) -> Option<Variant> {
    let (root, inner) = match name.split_once(".gd.") {
        Some((path, inner)) => (loaded(&format!("{path}.gd")), inner),
        None if name.ends_with(".gd") => (loaded(name), ""),
        None => {
            let (global, inner) = name.split_once('.').unwrap_or((name, ""));
            (global_script(global), inner)
        }
    };
    let root = Some(root).filter(is_script).or_else(|| preloaded(script, name))?;
    let inner = inner.split('.').filter(|name| !name.is_empty());
    inner.into_iter().try_fold(root, |script, name| constant(&script, name).filter(is_script))
}

/// The script that a script has as a constant, by the path it was loaded from.
fn preloaded(script: &Variant, path: &str) -> Option<Variant> {
    let (constants, path) = (constants(script).values_array(), GString::from(path));
    constants.iter_shared().find(|it| is_script(it) && it.call("get_path", &[]).stringify() == path)
}

/// A constant of a script, or of one that it extends.
fn constant(script: &Variant, name: &str) -> Option<Variant> {
    let base = |script: &Variant| Some(script.call("get_base_script", &[])).filter(is_script);
    let mut scripts = std::iter::successors(Some(script.clone()), base);
    scripts.find_map(|script| constants(&script).get(name))
}

fn constants(script: &Variant) -> AnyDictionary {
    script.call("get_script_constant_map", &[]).to()
}

/// An enum of a class of the engine's.
fn of_engine(class: &str, name: &str) -> Option<Variant> {
    let classes = ClassDb::singleton();
    if !classes.class_exists(class) || !classes.class_has_enum(class, name) {
        return None;
    }
    let names: PackedStringArray = classes.class_get_enum_constants(class, name);
    let number = |name: &GString| classes.class_get_integer_constant(class, &StringName::from(name));
    let numbers: Array<i64> = names.as_slice().iter().map(number).collect();
    Some(Variant::from(numbers))
}
