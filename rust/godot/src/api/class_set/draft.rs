//! Keeps what a game has said of its classes until they are first used. It asks no script anything.

use std::collections::{BTreeMap, BTreeSet};

use godot::builtin::{AnyArray, AnyDictionary, Callable, PackedStringArray, Variant, VariantType};
use godot::classes::{Resource, ResourceLoader, Script};
use godot::obj::{Gd, Singleton};
use variant_core::{Mistake, Mistakes};
use variant_schema::Schema;

use super::super::schema::arguments;
use super::super::schema::declared::is_script;
use super::super::schema::script::Allowed;
use crate::objects::EnumNames;

/// The classes and their properties as they were declared so far.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) classes: Vec<ClassDeclaration>,
    pub(super) loaded_method: String,
    pub(super) builds_on_thread: bool,
    pub(super) time_budget_usec: u32,
    /// All that was wrong.
    pub(super) mistakes: Option<Mistakes>,
}

/// The declaration of one class.
#[derive(Clone)]
pub(super) struct ClassDeclaration {
    pub(super) tag: String,
    pub(super) aliases: Vec<String>,
    pub(super) what: DeclarationKind,
}

impl ClassDeclaration {
    /// The script whose objects are of the class.
    pub(super) const fn script(&self) -> Option<&Gd<Script>> {
        match &self.what {
            DeclarationKind::Object(OfObject { script, .. })
            | DeclarationKind::Value { script: Some(script), .. } => Some(script),
            _ => None,
        }
    }
}

#[derive(Clone)]
pub(super) enum DeclarationKind {
    Object(OfObject),
    Assets {
        assets: OfAssets,
        /// Old keys, each with its new one, or with none where the asset is no more.
        old: Vec<(String, Option<String>)>,
    },
    /// The class is no more.
    Forgotten,
    Value {
        script: Option<Gd<Script>>,
        class: String,
        schema: Schema,
        to: Callable,
        from: Callable,
    },
}

/// The scripts that turn objects of a class into values, and back.
pub(super) struct Conversion {
    pub(super) to_value: Callable,
    pub(super) from_value: Callable,
}

#[derive(Clone)]
pub(super) struct OfObject {
    pub(super) script: Gd<Script>,
    pub(super) wanted: Properties,
    pub(super) schemas: Vec<(String, PropertyRule)>,
    pub(super) version: u32,
    pub(super) renames: Vec<(String, String)>,
    pub(super) forgotten: Vec<String>,
    pub(super) steps: BTreeMap<u32, Callable>,
    pub(super) allow_empty: BTreeSet<u32>,
    /// Paths that the script had, by which the engine may have written objects of it.
    pub(super) engine_paths: Vec<String>,
}

/// The word of the game on a variable.
#[derive(Clone)]
pub(super) enum PropertyRule {
    Schema(Schema),
    Names(EnumNames),
}

/// Which variables are written.
#[derive(Clone)]
pub(super) enum Properties {
    /// Those that are stored, or all where none is.
    Default,
    Stored,
    Variables,
    Named(Vec<String>),
}

#[derive(Clone)]
pub(super) enum OfAssets {
    Given(Vec<(String, Gd<Resource>)>),
    Listed { folder: String, names: Vec<String> },
}

type Outcome = Result<(), Mistake>;

/// A wrong argument, as builders of schemas tell it.
fn of<T>(tag: &str, given: Result<T, String>) -> Result<T, Mistake> {
    given.map_err(|message| Mistake::new(tag, message))
}

pub(crate) fn texts(place: &str, list: &AnyArray) -> Result<Vec<String>, String> {
    list.iter_shared().map(|it| arguments::text(place, &it)).collect()
}

fn number(place: &str, number: i64) -> Result<u32, String> {
    let number = u32::try_from(number).ok().filter(|number| *number > 0);
    number.ok_or_else(|| format!("{place}: expected an int from 1 on"))
}

/// Reads which variables are written.
fn wanted(properties: &Variant) -> Result<Properties, String> {
    let wrong = || "properties: expected STORAGE, VARIABLES or a list of names".to_owned();
    match properties.get_type() {
        VariantType::NIL => Ok(Properties::Default),
        VariantType::INT => match properties.to::<i64>() {
            0 => Ok(Properties::Stored),
            1 => Ok(Properties::Variables),
            _ => Err(wrong()),
        },
        _ => {
            let names: AnyArray = properties.try_to_relaxed().map_err(|_| wrong())?;
            texts("properties", &names).map(Properties::Named)
        }
    }
}

impl Default for Draft {
    fn default() -> Draft {
        Draft {
            classes: Vec::new(),
            loaded_method: "_variant_loaded".to_owned(),
            builds_on_thread: false,
            time_budget_usec: 2000,
            mistakes: None,
        }
    }
}

impl Draft {
    pub(super) fn allow(&mut self, tag: &Variant, script: &Variant, properties: &Variant) -> Outcome {
        if is_script(tag) {
            let name = Variant::from(class_name(tag)?.as_str());
            return self.allow(&name, tag, if properties.is_nil() { script } else { properties });
        }
        let tag = of("allow()", arguments::text("tag", tag))?;
        if !is_script(script) {
            return Err(Mistake::new(
                &tag,
                "expected a script with typed variables; engine classes are for allow_value()",
            ));
        }
        let Ok(script) = script.try_to::<Gd<Script>>() else { return Ok(()) };
        let wanted = of(&tag, wanted(properties))?;
        let object = OfObject {
            script,
            wanted,
            schemas: Vec::new(),
            version: 1,
            renames: Vec::new(),
            forgotten: Vec::new(),
            steps: BTreeMap::new(),
            allow_empty: BTreeSet::new(),
            engine_paths: Vec::new(),
        };
        self.add(tag, DeclarationKind::Object(object))
    }

    pub(super) fn allow_all(&mut self, classes: &AnyArray) -> Outcome {
        for class in classes.iter_shared() {
            let allowed = self.allow(&class, &Variant::nil(), &Variant::nil());
            self.note(allowed);
        }
        Ok(())
    }

    /// Keeps what was wrong with a call.
    pub(super) fn note(&mut self, outcome: Outcome) {
        if let Err(mistake) = outcome {
            Mistakes::add(&mut self.mistakes, mistake);
        }
    }

    pub(super) fn forget_class(&mut self, tag: &str) -> Outcome {
        self.add(tag.to_owned(), DeclarationKind::Forgotten)
    }

    fn add(&mut self, tag: String, what: DeclarationKind) -> Outcome {
        self.classes.push(ClassDeclaration { tag, aliases: Vec::new(), what });
        Ok(())
    }

    pub(super) fn allow_assets(&mut self, tag: &str, assets: &Variant) -> Outcome {
        let tag = tag.to_owned();
        let assets = if assets.get_type() == VariantType::DICTIONARY {
            let entries: AnyDictionary = assets.to();
            let entries = entries.iter_shared().map(|(key, asset)| {
                let key = arguments::text("a key", &key)?;
                let asset = asset.try_to::<Gd<Resource>>().map_err(|_| format!("{key} is no resource"))?;
                Ok((key, asset))
            });
            OfAssets::Given(of(&tag, entries.collect())?)
        } else {
            let folder = of(&tag, arguments::text("assets", assets))?;
            if !folder.starts_with("res://") {
                return Err(Mistake::new(
                    &tag,
                    "assets: expected a folder under res://, or resources by key",
                ));
            }
            let names = of(&tag, listed(&folder))?;
            OfAssets::Listed { folder, names }
        };
        self.add(tag, DeclarationKind::Assets { assets, old: Vec::new() })
    }

    pub(super) fn allow_value(
        &mut self,
        tag: &str,
        class: &Variant,
        schema: Result<Schema, String>,
        conversion: Conversion,
    ) -> Outcome {
        let tag = tag.to_owned();
        let script = if is_script(class) { class.try_to::<Gd<Script>>().ok() } else { None };
        let name = match (&script, class.get_type()) {
            (Some(_), _) => String::new(),
            (None, VariantType::STRING | VariantType::STRING_NAME) => class.stringify().to_string(),
            _ => return Err(Mistake::new(&tag, "expected a script, or the name of an engine class")),
        };
        let schema = of(&tag, schema)?;
        let to = of(&tag, arguments::callable("to_value", conversion.to_value))?;
        let from = of(&tag, arguments::callable("from_value", conversion.from_value))?;
        self.add(tag, DeclarationKind::Value { script, class: name, schema, to, from })
    }

    pub(super) fn property(&mut self, tag: &str, name: String, schema: &Variant) -> Outcome {
        let object = self.object("property()", tag)?;
        let stated = match enum_names_of(schema) {
            Some(names) => PropertyRule::Names(of(&name, names)?),
            None => PropertyRule::Schema(of(&name, arguments::schema("schema", schema))?),
        };
        object.schemas.retain(|(known, _)| *known != name);
        object.schemas.push((name, stated));
        Ok(())
    }

    pub(super) fn version(&mut self, tag: &str, version: i64) -> Outcome {
        let version = of("version()", number("version", version))?;
        self.object("version()", tag)?.version = version;
        Ok(())
    }

    pub(super) fn rename(&mut self, tag: &str, names: &AnyDictionary) -> Outcome {
        let pairs = of("rename()", pairs(names))?;
        match &mut self.said("rename()", tag)?.what {
            DeclarationKind::Assets { old, .. } => {
                old.extend(pairs.into_iter().map(|(key, todays)| (key, Some(todays))));
            }
            _ => self.object("rename()", tag)?.renames.extend(pairs),
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, tag: &str, names: &AnyArray) -> Outcome {
        let names = of("forget()", texts("names", names))?;
        match &mut self.said("forget()", tag)?.what {
            DeclarationKind::Assets { old, .. } => old.extend(names.into_iter().map(|key| (key, None))),
            _ => self.object("forget()", tag)?.forgotten.extend(names),
        }
        Ok(())
    }

    pub(super) fn alias(&mut self, tag: &str, old_tags: &AnyArray) -> Outcome {
        let old = of("alias()", texts("old_tags", old_tags))?;
        self.said("alias()", tag)?.aliases.extend(old);
        Ok(())
    }

    pub(super) fn migrate(
        &mut self,
        tag: &str,
        from: i64,
        step: Callable,
        options: &AnyDictionary,
    ) -> Outcome {
        let from = of("migrate()", number("from_version", from))?;
        let step = of("migrate()", arguments::callable("step", step))?;
        let (schema, allows_empty) = of("migrate()", super::super::save_arguments::options(options))?;
        if schema.is_some() {
            return Err(Mistake::new("migrate()", "options: expected allow_empty"));
        }
        let object = self.object("migrate()", tag)?;
        object.steps.insert(from, step);
        if allows_empty {
            object.allow_empty.insert(from);
        }
        Ok(())
    }

    pub(super) fn engine_path(&mut self, tag: &str, paths: &AnyArray) -> Outcome {
        let object = self.object("engine_path()", tag)?;
        let paths = of("engine_path()", texts("paths", paths))?;
        if let Some(path) = paths.iter().find(|path| !path.starts_with("res://") || path.contains("..")) {
            return Err(Mistake::new(path, "engine_path(): expected paths of scripts under res://"));
        }
        object.engine_paths.extend(paths);
        Ok(())
    }

    /// The classes as declarations of scripts name them.
    pub(super) fn allowed(&self) -> Allowed {
        let mut allowed = Allowed::default();
        for said in &self.classes {
            match (said.script(), &said.what) {
                (Some(script), _) => allowed.scripts.push((script.clone(), said.tag.clone())),
                (None, DeclarationKind::Forgotten) => {}
                (None, _) => allowed.others.push(said.tag.clone()),
            }
        }
        allowed
    }

    fn said(&mut self, call: &str, tag: &str) -> Result<&mut ClassDeclaration, Mistake> {
        let said = self.classes.iter_mut().find(|said| said.tag == tag);
        said.ok_or_else(|| {
            Mistake::new(tag, format!("{call}: the class is not allowed; allow() comes first"))
        })
    }

    fn object(&mut self, call: &str, tag: &str) -> Result<&mut OfObject, Mistake> {
        match self.said(call, tag)? {
            ClassDeclaration { what: DeclarationKind::Object(object), .. } => Ok(object),
            ClassDeclaration { tag, .. } => {
                Err(Mistake::new(&*tag, format!("{call} is for classes of allow()")))
            }
        }
    }
}

/// Old names, each with its new one.
pub(crate) fn pairs(names: &AnyDictionary) -> Result<Vec<(String, String)>, String> {
    let pair = |(old, new): (Variant, Variant)| {
        Ok((arguments::text("an old name", &old)?, arguments::text("a new name", &new)?))
    };
    names.iter_shared().map(pair).collect()
}

/// The name by which a class is known to the whole game.
fn class_name(script: &Variant) -> Result<String, Mistake> {
    let name = script.call("get_global_name", &[]).stringify().to_string();
    match name.is_empty() {
        false => Ok(name),
        true => {
            let message = "the class has no class_name: allow() needs a tag before it, allow(\"item\", Item)";
            Err(Mistake::new("allow()", message))
        }
    }
}

/// The key under which `enum_names()` gives an enum to `property()`.
pub(super) const ENUM_NAMES: &str = "enum_names";

/// The names that `enum_names()` gives, if it does.
fn enum_names_of(given: &Variant) -> Option<Result<EnumNames, String>> {
    let names = given.try_to::<AnyDictionary>().ok()?.get(ENUM_NAMES)?;
    let wrong = || "enum_names(): expected an enum, a Dictionary of names and ints".to_owned();
    let entries = names.try_to::<AnyDictionary>().map_err(|_| wrong());
    let names = entries.and_then(|entries| {
        let pair = |(name, number): (Variant, Variant)| {
            Ok((arguments::text("a name", &name)?, number.try_to::<i64>().map_err(|_| wrong())?))
        };
        entries.iter_shared().map(pair).collect::<Result<Vec<_>, String>>()
    });
    Some(names.and_then(|names| if names.is_empty() { Err(wrong()) } else { Ok(EnumNames(names)) }))
}

/// The resources in a folder and in those below it, as the engine names them in the editor and in exported games.
fn listed(folder: &str) -> Result<Vec<String>, String> {
    let loader = Variant::from(ResourceLoader::singleton());
    let can_list = loader.call("has_method", &[Variant::from("list_directory")]);
    if !can_list.try_to().unwrap_or(false) {
        return Err("assets: folders need Godot 4.4; give a Dictionary of resources by key".to_owned());
    }
    let (mut names, mut due) = (Vec::new(), vec![String::new()]);
    while let Some(below) = due.pop() {
        let path = format!("{}/{below}", folder.trim_end_matches('/'));
        let found = loader.call("list_directory", &[Variant::from(path.as_str())]);
        let found: PackedStringArray = found.try_to().unwrap_or_default();
        for name in found.as_slice().iter().map(|name| format!("{below}{name}")) {
            match name.strip_suffix('/') {
                Some(_) => due.push(name),
                None if [".gd", ".cs", ".gdshader"].iter().any(|code| name.ends_with(code)) => {}
                None => names.push(name),
            }
        }
    }
    if names.is_empty() {
        return Err(format!("assets: there is no resource in {folder}"));
    }
    names.sort_unstable();
    Ok(names)
}
