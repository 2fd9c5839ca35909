//! Reads objects: whether they are alive, their class, and their stored properties in the engine's order.

use godot::builtin::{StringName, Variant};
use godot::classes::{ClassDb, Object, Script};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use variant_core::ErrorKind;
use variant_core::token::Text;

use crate::engine::names::GET_PATH;

/// The flag `PROPERTY_USAGE_STORAGE`.
const STORAGE: i64 = 2;
const SCRIPT: &str = "script";

/// Returns the object in a Variant, unless it is null or freed.
pub(super) fn live(value: &Variant) -> Option<Gd<Object>> {
    value.try_to::<Gd<Object>>().ok()
}

/// Holds an object that is being written: its class, the names of its stored properties, and the position in
/// them.
pub(super) struct ObjectProperties {
    object: Gd<Object>,
    class: String,
    names: Vec<(StringName, String)>,
    next: usize,
}

impl ObjectProperties {
    /// Lists the stored properties of an object.
    /// Fails with `NotInstantiable` for classes that could not be read back.
    pub(super) fn of(object: Gd<Object>) -> Result<ObjectProperties, ErrorKind> {
        let class = object.get_class();
        if !ClassDb::singleton().can_instantiate(&StringName::from(&class)) {
            return Err(ErrorKind::NotInstantiable);
        }
        let properties = object.get_property_list();
        let names = properties.iter_shared().filter_map(|property| {
            let usage = property.get("usage")?.try_to::<i64>().ok()?;
            let name = property.get("name")?.stringify();
            (usage & STORAGE != 0).then(|| (StringName::from(&name), name.to_string()))
        });
        let names = names.collect();
        Ok(ObjectProperties { object, class: class.to_string(), names, next: 0 })
    }

    pub(super) fn class(&self) -> Text<'_> {
        Text::new(&self.class)
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Returns the next property. The script is written as its path, or nil when there is none. A getter may
    /// have freed the object since the last property.
    pub(super) fn next(&mut self) -> Option<(String, Result<Variant, ErrorKind>)> {
        let (name, text) = self.names.get(self.next)?;
        self.next += 1;
        let value = match text.as_str() {
            _ if !self.object.is_instance_valid() => Err(ErrorKind::ChangedWhileEncoding),
            SCRIPT => self.script(),
            _ => Ok(self.object.get(name)),
        };
        Some((text.clone(), value))
    }

    /// Returns the name of the property begun last.
    pub(super) fn current(&self) -> &str {
        self.names.get(self.next.saturating_sub(1)).map_or("", |(_, text)| text)
    }

    fn script(&self) -> Result<Variant, ErrorKind> {
        let script = self.object.get_script();
        let Some(script) = script else { return Ok(Variant::nil()) };
        script_path(&script).map(|path| path.to_variant())
    }
}

/// Returns the path of a script's file in the project.
/// Fails with `ScriptWithoutPath` for inner classes, scripts made at run time and files outside the project.
pub(super) fn script_path(script: &Gd<Script>) -> Result<String, ErrorKind> {
    let path = script.clone().upcast::<Object>().call(&*GET_PATH, &[]).stringify().to_string();
    if path.starts_with("res://") { Ok(path) } else { Err(ErrorKind::ScriptWithoutPath) }
}
