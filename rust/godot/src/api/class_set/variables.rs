//! Finds the schema of a variable and what the engine needs for it, and measures what memory an object of a class takes.

use godot::builtin::{AnyArray, AnyDictionary, StringName, Variant};
use godot::classes::Script;
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use variant_core::Mistake;
use variant_core::{Cost, QuotedText, Value, VariantType};
use variant_schema::{Schema, Shape};

use super::super::schema::declared::Declared;
use super::super::schema::named;
use super::super::schema::script::{Scripts, WEAK_REF};
use super::agreement::{disagreement, holds};
use super::compile::Outcome;
use super::draft::PropertyRule;
use crate::engine::names::NEW;
use crate::objects::{EnumNames, Fits, Slot};
use crate::raw::objects;

/// A variable of a class, with the value that a new object has in it.
pub(super) struct Variable<'v> {
    pub(super) tag: &'v str,
    pub(super) it: &'v Declared,
    pub(super) value: &'v Variant,
}

impl Variable<'_> {
    /// Returns its schema, and what the engine needs for it.
    pub(super) fn slot(
        &self,
        scripts: &mut Scripts,
        script: &Variant,
        stated: Option<&PropertyRule>,
    ) -> Outcome<(Schema, Slot)> {
        let Variable { it, value, .. } = *self;
        self.refuse_handles()?;
        let stated = match stated {
            Some(PropertyRule::Names(names)) => return self.of_names(names),
            Some(PropertyRule::Schema(schema)) => Some(schema),
            None => None,
        };
        let schema = self.schema(scripts, script, stated)?;
        let (key, item) = (element(value, "key_"), element(value, self.prefix_of_items()));
        let is_weak = it.ty == VariantType::Object && it.class == WEAK_REF;
        if let Some(why) = stated.and_then(|_| disagreement(&schema, it.ty, key, item)) {
            return Err(self.mistake(why));
        }
        if key == Some(VariantType::Object) {
            return Err(self.mistake("objects cannot be keys"));
        }
        let is_typed = key.is_some() || item.is_some();
        let is_of_objects = item == Some(VariantType::Object);
        let schema = match (is_typed && !is_of_objects, schema.shape()) {
            (true, Shape::Array(_) | Shape::Map(..)) => schema.typed(),
            _ => schema,
        };
        let holds = holds(&schema);
        let slot = Slot {
            name: StringName::from(it.name.as_str()),
            declared: it.ty,
            initial: (!holds).then(|| value.clone()),
            names: None,
            holds,
            is_weak,
            template: is_typed.then(|| empty(value)),
            is_of_objects,
            fits: if is_weak { None } else { self.fits() },
        };
        Ok((schema, slot))
    }

    fn mistake(&self, words: impl Into<String>) -> Mistake {
        Mistake::new(format!("{}.{}", self.tag, self.it.name), words)
    }

    fn refuse_handles(&self) -> Outcome<()> {
        let ty = self.it.ty;
        if !matches!(ty, VariantType::Callable | VariantType::Signal | VariantType::Rid) {
            return Ok(());
        }
        let message = "is never saved: name the variables that are, allow(tag, script, [...])";
        Err(self.mistake(format!("a {ty} {message}")))
    }

    /// The schema that the game states, or that the declaration tells.
    fn schema(&self, scripts: &mut Scripts, script: &Variant, stated: Option<&Schema>) -> Outcome<Schema> {
        if let Some(schema) = stated.map(Schema::itself).or_else(|| of_untyped(self.it.ty, self.value)) {
            return Ok(schema);
        }
        let declared = scripts.declared("the variable", script, self.it, self.value);
        let advice = || advice(self.tag, &self.it.name);
        declared.map_err(|message| self.mistake(format!("{message}; {}", advice())))
    }

    /// A variable whose numbers are written as names.
    fn of_names(&self, names: &EnumNames) -> Outcome<(Schema, Slot)> {
        let Variable { it, value, .. } = *self;
        if it.ty != VariantType::Int {
            let message = format!("enum_names() is for an int, and the variable is declared {}", it.ty);
            return Err(self.mistake(message));
        }
        let strings = names.0.iter().map(|(name, _)| Value::String(name.clone()));
        // Saves from before the names have numbers.
        let mut values: Vec<Value> = strings.collect();
        for (_, number) in &names.0 {
            if !values.contains(&Value::Int(*number)) {
                values.push(Value::Int(*number));
            }
        }
        let slot = Slot {
            name: StringName::from(it.name.as_str()),
            declared: it.ty,
            initial: names.name_of(value),
            names: Some(names.clone()),
            holds: false,
            is_weak: false,
            template: None,
            is_of_objects: false,
            fits: None,
        };
        Ok((Schema::enumeration(values), slot))
    }

    /// The class that a variable is declared to hold, or its elements are.
    fn fits(&self) -> Option<Fits> {
        let Variable { it, value, .. } = *self;
        let of = self.prefix_of_items();
        if element(value, of) == Some(VariantType::Object) {
            return Some(Fits::of_container(value, of));
        }
        if it.ty != VariantType::Object {
            return None;
        }
        let script = named::global_script(&it.class).try_to::<Gd<Script>>().ok();
        // An inner class is declared as what it extends.
        Some(Fits { script, class: StringName::from(it.class.as_str()) })
    }

    /// Returns what the methods on a container's items have in their names.
    fn prefix_of_items(&self) -> &'static str {
        if self.it.ty == VariantType::Dictionary { "value_" } else { "" }
    }
}

/// The schema of a container that declares nothing: it holds plain values and objects of the set.
fn of_untyped(ty: VariantType, value: &Variant) -> Option<Schema> {
    if ["key_", "value_", ""].iter().any(|of| element(value, of).is_some()) {
        return None;
    }
    match ty {
        VariantType::Array => Some(Schema::array(Schema::any())),
        VariantType::Dictionary => Some(Schema::map(Schema::any(), Schema::any())),
        _ => None,
    }
}

/// The line by which a game says what a declaration does not.
fn advice(tag: &str, name: &str) -> String {
    format!("say what it is by property({}, {}, ...)", QuotedText::whole(tag), QuotedText::whole(name))
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

/// Returns the memory that an object takes beside its row of so many columns: what one made now takes, where the engine counts; the
/// first one of a class may have loaded what all others share. Release builds of the engine do not count: there it is what objects
/// of the same base were seen to take.
pub(super) fn heap_of(script: &Gd<Script>, columns: u64) -> u64 {
    let os = godot::classes::Os::singleton();
    let before = os.get_static_memory_usage();
    let instance = objects::called(&script.to_variant(), &NEW);
    let taken = os.get_static_memory_usage().saturating_sub(before);
    drop(instance);
    let variables = script.clone().call("get_script_property_list", &[]);
    let variables = variables.try_to::<AnyArray>().map_or(0, |it| u64::try_from(it.len()).unwrap_or(0));
    if before == 0 {
        // The slots of the row are charged already, and the object has them instead.
        let row = Cost::of_elements(0, columns).heap;
        return (released(&script.get_instance_base_type().to_string()) + RELEASED_VARIABLE * variables)
            .saturating_sub(row);
    }
    // Other threads take memory too, so what was counted is believed up to what a few containers in it explain.
    let seen = BARE_OBJECT + VARIABLE * variables;
    (taken + taken / 8).clamp(seen / 2, seen * 8)
}

/// The bytes of an object with a script, which is a Resource, and of each variable in it, as Godot 4.6 takes them.
const BARE_OBJECT: u64 = 1100;
const VARIABLE: u64 = 56;
/// The bytes of a variable in its release template.
const RELEASED_VARIABLE: u64 = 28;

/// The bytes of an object without variables in that template, beside the Array that its row is charged as. Other classes are
/// charged as the editor's.
fn released(base: &str) -> u64 {
    match base {
        "RefCounted" => 420,
        "Resource" => 500,
        _ => BARE_OBJECT,
    }
}
