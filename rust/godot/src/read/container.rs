//! Open: a container that is being written, where it stands, and what its type declares.

use godot::builtin::{AnyArray, AnyDictionary, Variant, VariantType as GodotType};
use godot::meta::inspect::ElementType;
use godot::sys::GdextBuild;
use variant_core::token::{ContainerType, Output, Text, TextForm};
use variant_core::{Encoder, ErrorKind, Fault, Step, VariantType};

use super::object::{ObjectProperties, script_path};
use crate::names::IS_TYPED;
use crate::raw::variant::type_of;

/// Without objects the engine writes every class and script as this class.
const OBJECT_CLASS: &str = "EncodedObjectAsID";

/// A container whose children are being written.
pub(super) enum Open {
    /// `next`: elements begun. `count`: as written; the array must still have it at the end.
    Array {
        array: AnyArray,
        next: usize,
        count: usize,
    },
    /// `next`: keys and values begun, one each. Both lists are copies: nothing can change them under us.
    Dictionary {
        keys: AnyArray,
        values: AnyArray,
        next: usize,
    },
    Object(ObjectProperties),
}

impl Open {
    pub(super) fn array(array: AnyArray) -> Open {
        let count = array.len();
        Open::Array { array, next: 0, count }
    }

    pub(super) const fn dictionary(keys: AnyArray, values: AnyArray) -> Open {
        Open::Dictionary { keys, values, next: 0 }
    }

    /// The next child, if there is one. An object's property name is written on the way.
    pub(super) fn next<O: Output>(&mut self, encoder: &mut Encoder<'_, O>) -> Result<Option<Variant>, Fault> {
        match self {
            Open::Array { array, next, count } => {
                let element = array.get(*next);
                if element.is_some() != (*next < *count) {
                    return Err(encoder.fault(ErrorKind::ChangedWhileEncoding));
                }
                *next += 1;
                Ok(element)
            }
            Open::Dictionary { keys, values, next } => {
                let list = if *next % 2 == 0 { keys } else { values };
                let child = list.get(*next / 2);
                *next += 1;
                Ok(child)
            }
            Open::Object(object) => match object.next() {
                Some((name, value)) => {
                    encoder.text(TextForm::Plain, &name)?;
                    value.map(Some).map_err(|kind| encoder.fault(kind))
                }
                None => Ok(None),
            },
        }
    }

    /// The step to the child begun last.
    pub(super) fn step(&self) -> Step {
        match self {
            Open::Array { next, .. } => Step::Index(index(next.saturating_sub(1))),
            Open::Dictionary { keys, next, .. } => {
                let turn = next.saturating_sub(1);
                let entry = turn / 2;
                match keys.get(entry) {
                    Some(key) if turn % 2 == 1 => key_step(&key, entry),
                    _ => Step::KeyOf(index(entry)),
                }
            }
            Open::Object(object) => Step::Property(object.current().to_owned()),
        }
    }
}

fn key_step(key: &Variant, entry: usize) -> Step {
    match type_of(key) {
        VariantType::String | VariantType::StringName => Step::Key(key.stringify().to_string()),
        VariantType::Int => key.try_to().map_or(Step::Entry(index(entry)), Step::IntKey),
        _ => Step::Entry(index(entry)),
    }
}

fn index(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}

/// A typed container's declaration with its names.
pub(super) enum Declared {
    None,
    Builtin(VariantType),
    Class(String),
    Script(String),
}

impl Declared {
    pub(super) fn borrow(&self) -> ContainerType<'_> {
        match self {
            Declared::None => ContainerType::None,
            Declared::Builtin(ty) => ContainerType::Builtin(*ty),
            Declared::Class(name) => ContainerType::Class(Text::new(name)),
            Declared::Script(path) => ContainerType::Script(Text::new(path)),
        }
    }
}

/// What the engine writes for an element type (`_encode_container_type`).
pub(super) fn container_type(element: &ElementType, full_objects: bool) -> Result<Declared, ErrorKind> {
    Ok(match element {
        ElementType::Untyped => Declared::None,
        ElementType::Builtin(ty) => Declared::Builtin(from_godot(*ty)),
        ElementType::Class(_) | ElementType::ScriptClass(_) if !full_objects => {
            Declared::Class(OBJECT_CLASS.to_owned())
        }
        ElementType::Class(class) => Declared::Class(class.to_string_name().to_string()),
        ElementType::ScriptClass(script) => {
            let script = script.script().ok_or(ErrorKind::ScriptWithoutPath)?;
            Declared::Script(script_path(&script)?)
        }
    })
}

/// A dictionary's key and value types. One cheap question first: most dictionaries are untyped.
pub(crate) fn dictionary_types(value: &Variant, dictionary: &AnyDictionary) -> (ElementType, ElementType) {
    let typed =
        GdextBuild::since_api("4.4") && value.call(&*IS_TYPED, &[]).try_to::<bool>().unwrap_or_default();
    if typed {
        (dictionary.key_element_type(), dictionary.value_element_type())
    } else {
        (ElementType::Untyped, ElementType::Untyped)
    }
}

fn from_godot(ty: GodotType) -> VariantType {
    use godot::obj::EngineEnum;
    u8::try_from(ty.ord()).ok().and_then(VariantType::from_id).unwrap_or(VariantType::Nil)
}
