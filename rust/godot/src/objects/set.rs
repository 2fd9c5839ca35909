//! Defines the class set as it is used: the table of the crate `variant-objects`, and for each class what the engine needs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use godot::builtin::{Callable, Rid, StringName, Variant};
use godot::classes::{Object, Script};
use godot::global::push_error;
use godot::meta::ToGodot;
use godot::obj::Gd;
use variant_core::{ErrorKind, Mistakes, VariantType};
use variant_objects::{EngineClass, Table};

use super::assets::Assets;
use super::convert::{holds_objects, items, typed_dictionary};
use crate::call::problem::Problem;
use crate::call::problem::ProblemText;
use crate::raw::any_thread::Constant;
use crate::raw::objects;
use crate::raw::variant::{constructed, type_of};

/// Holds the outcome of what a game said of its classes: a set, or what contradicts itself in it.
pub(crate) struct CompiledClasses {
    outcome: Constant<Result<ClassSet, Mistakes>>,
    has_complained: AtomicBool,
}

impl fmt::Debug for CompiledClasses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compiled")
    }
}

impl CompiledClasses {
    pub(crate) const fn new(outcome: Result<ClassSet, Mistakes>) -> CompiledClasses {
        CompiledClasses { outcome: Constant::new(outcome), has_complained: AtomicBool::new(false) }
    }

    /// The set, or all that contradicts itself. Nobody is told.
    pub(crate) fn checked(&self) -> Result<&ClassSet, &Mistakes> {
        self.outcome.as_ref()
    }

    /// The set. A mistake in code is told where code is watched, once; every call gets it as an error.
    pub(crate) fn set(&self) -> Result<&ClassSet, Problem> {
        self.outcome.as_ref().map_err(|error| {
            if !self.has_complained.swap(true, Ordering::Relaxed) {
                push_error(&[Variant::from(format!("VariantClassSet: {error}").as_str())]);
            }
            let kind = ErrorKind::IllFormedSchema;
            Problem::of_call(kind).saying(ProblemText {
                path: error.first().path.clone(),
                expected: "classes without contradictions".to_owned(),
                got: kind.got(),
                message: format!("the classes contradict themselves: {error}"),
            })
        })
    }
}

pub(crate) struct ClassSet {
    pub(crate) table: Table,
    /// By the numbers of the table.
    pub(crate) classes: Vec<Bound>,
    pub(crate) by_script: HashMap<i64, u32>,
    /// Classes of the engine that have a conversion of their own, by name.
    pub(crate) by_name: HashMap<String, u32>,
    /// By the numbers of the table, what containers of the class's objects are declared for.
    pub(crate) declarations: Vec<Option<Fits>>,
    pub(crate) loaded_method: StringName,
    /// Whether jobs make objects on their own thread.
    pub(crate) builds_on_thread: bool,
    /// Otherwise, the time that they take from a frame of the main thread.
    pub(crate) time_budget: Duration,
    /// By the numbers of the table, the names by which the engine writes objects.
    pub(crate) engine: Vec<EngineClass>,
}

pub(crate) enum Bound {
    /// Objects are made, and their properties set.
    Object(Of),
    /// Objects are resources that are known by keys.
    Assets(Assets),
    /// Objects are made of one plain value by the game's own function.
    Value { to: Callable, from: Callable },
    /// Objects are no more: null stands for them.
    Forgotten,
}

pub(crate) struct Of {
    pub(crate) script: Gd<Script>,
    /// The script as what `new()` is called on.
    pub(crate) maker: Variant,
    pub(crate) slots: Vec<Slot>,
    pub(crate) has_loaded: bool,
    /// The steps of the game's by the version that they lead from.
    pub(crate) steps: BTreeMap<u32, Callable>,
    /// Those that may make nothing of something.
    pub(crate) allow_empty: BTreeSet<u32>,
}

pub(crate) struct Slot {
    pub(crate) name: StringName,
    pub(crate) declared: VariantType,
    /// Whether objects may be somewhere in its value.
    pub(crate) holds: bool,
    /// Whether it is declared to hold a WeakRef.
    pub(crate) is_weak: bool,
    /// An empty container of the declared types, where it is declared typed.
    pub(crate) template: Option<Variant>,
    /// Whether those types are of objects.
    pub(crate) is_of_objects: bool,
    /// The value in a new object, of properties that hold no objects.
    pub(crate) initial: Option<Variant>,
    /// The names that stand for its numbers, where it is an enum that is written by names.
    pub(crate) names: Option<EnumNames>,
    /// The class that it is declared to hold, where objects of more classes pass the table.
    pub(crate) fits: Option<Fits>,
}

/// The names of an enum's values. Several names may stand for one value: the first of them is written.
#[derive(Clone)]
pub(crate) struct EnumNames(pub(crate) Vec<(String, i64)>);

impl EnumNames {
    pub(crate) fn name_of(&self, number: &Variant) -> Option<Variant> {
        let number = number.try_to::<i64>().ok()?;
        let (name, _) = self.0.iter().find(|(_, value)| *value == number)?;
        Some(Variant::from(name.as_str()))
    }

    /// The number of a name; numbers are those of saves from before names were written.
    pub(crate) fn number_of(&self, name: &Variant) -> Option<Variant> {
        if type_of(name) != VariantType::String {
            return None;
        }
        let name = name.stringify().to_string();
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| Variant::from(*value))
    }
}

pub(crate) struct Fits {
    pub(crate) script: Option<Gd<Script>>,
    pub(crate) class: StringName,
}

impl ClassSet {
    pub(crate) fn class(&self, number: u32) -> Option<&Bound> {
        self.classes.get(usize::try_from(number).ok()?)
    }

    /// The class of a living object, and the key where it is an asset.
    pub(crate) fn identify(&self, object: &Variant) -> Option<(u32, Option<Variant>)> {
        for (number, bound) in self.classes.iter().enumerate() {
            if let Bound::Assets(assets) = bound
                && let Some(key) = assets.key_of(&object.try_to().ok()?)
            {
                return Some((u32::try_from(number).ok()?, Some(key)));
            }
        }
        let class = match objects::script_of(objects::id_of(object)) {
            0 => self.by_name.get(&object.try_to::<Gd<Object>>().ok()?.get_class().to_string()),
            script => self.by_script.get(&script),
        };
        class.map(|class| (*class, None))
    }

    /// The mark that is written around a container which is declared for objects of a class of the set.
    pub(crate) fn mark_of(&self, container: &Variant) -> Option<Variant> {
        let of = match type_of(container) {
            VariantType::Array => "",
            VariantType::Dictionary => "value_",
            _ => return None,
        };
        if !holds_objects(container, of) {
            return None;
        }
        let Fits { script, class } = Fits::of_container(container, of);
        let class = match script {
            Some(script) => self.by_script.get(&script.instance_id().to_i64()),
            None => self.by_name.get(&class.to_string()),
        };
        class.map(|class| Rid::new(variant_objects::mark(*class)).to_variant())
    }

    pub(crate) fn has_weak(&self) -> bool {
        let has =
            |bound: &Bound| matches!(bound, Bound::Object(of) if of.slots.iter().any(|slot| slot.is_weak));
        self.classes.iter().any(has)
    }

    pub(crate) fn find_loaded_methods(&mut self) {
        let name = self.loaded_method.to_string();
        for bound in &mut self.classes {
            let Bound::Object(of) = bound else { continue };
            let methods = of.script.get_script_method_list();
            let is_it = |it: godot::builtin::VarDictionary| {
                it.get("name").is_some_and(|it| it.stringify().to_string() == name)
            };
            of.has_loaded = !name.is_empty() && methods.iter_shared().any(is_it);
        }
    }
}

impl Fits {
    /// Whether a declared variable of this class takes the object.
    pub(crate) fn takes(&self, object: &Gd<Object>) -> bool {
        match &self.script {
            Some(script) => inherits(object.get_script(), script),
            None => object.is_class(&self.class.to_string()),
        }
    }

    /// Whether a variable or a container of this class takes the value: objects of it and null, alone or in a container.
    pub(super) fn takes_all(&self, value: &Variant) -> bool {
        let takes = |value: &Variant| {
            value.is_nil() || value.try_to::<Gd<Object>>().is_ok_and(|object| self.takes(&object))
        };
        match type_of(value) {
            VariantType::Array | VariantType::Dictionary => items(value).iter().all(takes),
            _ => takes(value),
        }
    }

    /// A container with this content that is declared for the class, with the keys that a Dictionary declares itself.
    pub(super) fn declared(&self, content: &Variant) -> Option<Variant> {
        let script = self.script.as_ref().map(Gd::to_variant).unwrap_or_default();
        let of = [i64::from(VariantType::Object.id()).to_variant(), self.class.to_variant(), script];
        match type_of(content) {
            VariantType::Dictionary => typed_dictionary(content, content, &of),
            ty => constructed(ty, [content, &of[0], &of[1], &of[2]]),
        }
    }

    /// The classes that a typed container declares its elements, or the values of its entries, to be.
    pub(crate) fn of_container(template: &Variant, of: &str) -> Fits {
        let script = template.call(&format!("get_typed_{of}script"), &[]).try_to::<Gd<Script>>().ok();
        let class = template.call(&format!("get_typed_{of}class_name"), &[]).stringify();
        Fits { script, class: StringName::from(&class) }
    }
}

/// Whether a script is another one, or extends it.
pub(crate) fn inherits(script: Option<Gd<Script>>, other: &Gd<Script>) -> bool {
    let mut next = script;
    while let Some(script) = next {
        if script == *other {
            return true;
        }
        next = script.get_base_script();
    }
    false
}
