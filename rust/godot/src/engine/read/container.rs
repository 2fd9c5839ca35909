//! Holds a container that is being written: its position, and what its type declares.

use godot::builtin::{
    AnyArray, AnyDictionary, Variant, VariantType as GodotType, Vector2i, Vector3i, Vector4i,
};
use godot::meta::inspect::ElementType;
use variant_core::token::{ContainerType, Text, TextForm};
use variant_core::{ErrorKind, Fault, Step, VariantType};

use super::Telling;
use super::leaf;
use super::listener::Listener;
use super::object::{ObjectProperties, script_path};
use crate::engine::build::OBJECT_CLASS;
use crate::raw::array_slots::look;
use crate::raw::builtin_method::is_typed;
use crate::raw::variant::type_of;

/// Holds a container whose children are being written.
pub(super) enum OpenContainer {
    /// An array: `next` counts the elements begun, `count` is the number that was written and has to be true
    /// at the end.
    Array {
        array: AnyArray,
        next: usize,
        count: usize,
    },
    /// A dictionary: `next` counts the keys and values begun. Both lists are copies of the same length, which
    /// nothing else can change.
    Dictionary {
        keys: AnyArray,
        values: AnyArray,
        next: usize,
    },
    Object(ObjectProperties),
}

impl OpenContainer {
    pub(super) const fn array(array: AnyArray, count: usize) -> OpenContainer {
        OpenContainer::Array { array, next: 0, count }
    }

    pub(super) const fn dictionary(keys: AnyArray, values: AnyArray) -> OpenContainer {
        OpenContainer::Dictionary { keys, values, next: 0 }
    }

    /// Writes the children that are leaves, up to the next one that is not, which is returned.
    pub(super) fn next<L: Listener>(&mut self, to: &mut Telling<'_, L>) -> Result<Option<Variant>, Fault> {
        match self {
            OpenContainer::Array { array, next, count } => {
                while *next < *count {
                    *next += 1;
                    let child = look(array, *next - 1, |element| leaf_or_child(element, to));
                    let child = child.ok_or_else(|| to.listener.fault(ErrorKind::ChangedWhileEncoding))??;
                    if child.is_some() {
                        return Ok(child);
                    }
                }
                let is_as_written = array.len() == *count;
                if is_as_written { Ok(None) } else { Err(to.listener.fault(ErrorKind::ChangedWhileEncoding)) }
            }
            OpenContainer::Dictionary { keys, values, next } => loop {
                let (list, entry) = (if *next % 2 == 0 { &*keys } else { &*values }, *next / 2);
                *next += 1;
                match look(list, entry, |child| leaf_or_child(child, to)) {
                    None => return Ok(None),
                    Some(written) => {
                        if let Some(child) = written? {
                            return Ok(Some(child));
                        }
                    }
                }
            },
            OpenContainer::Object(object) => match object.next() {
                Some((name, value)) => {
                    to.listener.text(TextForm::Plain, &name)?;
                    value.map(Some).map_err(|kind| to.listener.fault(kind))
                }
                None => Ok(None),
            },
        }
    }

    /// Returns the path's step to the child begun last.
    pub(super) fn step(&self) -> Step {
        match self {
            OpenContainer::Array { next, .. } => Step::Index(index(next.saturating_sub(1))),
            OpenContainer::Dictionary { keys, next, .. } => {
                let turn = next.saturating_sub(1);
                let entry = turn / 2;
                match keys.get(entry) {
                    Some(key) if turn % 2 == 1 => key_step(&key, entry),
                    _ => Step::KeyOf(index(entry)),
                }
            }
            OpenContainer::Object(object) => Step::Property(object.current().to_owned()),
        }
    }
}

/// Writes a leaf and returns `None`, or returns a value that has children.
fn leaf_or_child<L: Listener>(value: &Variant, to: &mut Telling<'_, L>) -> Result<Option<Variant>, Fault> {
    match type_of(value) {
        VariantType::Array | VariantType::Dictionary => Ok(Some(value.clone())),
        VariantType::Object if to.full_objects => Ok(Some(value.clone())),
        ty => leaf::write(value, ty, to.listener).map(|()| None),
    }
}

/// Names what stands under a key of a Dictionary: by the key, or by the number of the entry.
pub(crate) fn key_step(key: &Variant, entry: usize) -> Step {
    let ty = type_of(key);
    let step = match ty {
        VariantType::String | VariantType::StringName => Some(Step::Key(key.stringify().to_string())),
        VariantType::Int => key.try_to().ok().map(Step::IntKey),
        VariantType::Vector2i => key.try_to().ok().and_then(|Vector2i { x, y }| Step::of_vector(ty, [x, y])),
        VariantType::Vector3i => {
            key.try_to().ok().and_then(|Vector3i { x, y, z }| Step::of_vector(ty, [x, y, z]))
        }
        VariantType::Vector4i => {
            key.try_to().ok().and_then(|Vector4i { x, y, z, w }| Step::of_vector(ty, [x, y, z, w]))
        }
        _ => None,
    };
    step.unwrap_or(Step::Entry(index(entry)))
}

fn index(at: usize) -> u64 {
    u64::try_from(at).unwrap_or(u64::MAX)
}

/// Holds the declaration of a typed container with its names.
pub(super) enum DeclaredTypes {
    None,
    Builtin(VariantType),
    Class(String),
    Script(String),
}

impl DeclaredTypes {
    pub(super) fn borrow(&self) -> ContainerType<'_> {
        match self {
            DeclaredTypes::None => ContainerType::None,
            DeclaredTypes::Builtin(ty) => ContainerType::Builtin(*ty),
            DeclaredTypes::Class(name) => ContainerType::Class(Text::new(name)),
            DeclaredTypes::Script(path) => ContainerType::Script(Text::new(path)),
        }
    }
}

impl<L> Telling<'_, L> {
    /// Returns what the engine writes for an element type (`_encode_container_type`).
    pub(super) fn declared(&self, element: &ElementType) -> Result<DeclaredTypes, ErrorKind> {
        Ok(match element {
            ElementType::Untyped => DeclaredTypes::None,
            ElementType::Builtin(ty) => DeclaredTypes::Builtin(from_godot(*ty)),
            ElementType::Class(_) | ElementType::ScriptClass(_) if !self.full_objects => {
                DeclaredTypes::Class(OBJECT_CLASS.to_owned())
            }
            ElementType::Class(class) => DeclaredTypes::Class(class.to_string_name().to_string()),
            ElementType::ScriptClass(script) => {
                let script = script.script().ok_or(ErrorKind::ScriptWithoutPath)?;
                DeclaredTypes::Script(script_path(&script)?)
            }
        })
    }
}

/// Returns a dictionary's key and value types. A cheap test comes first, because most dictionaries are
/// untyped.
pub(crate) fn dictionary_types(dictionary: &AnyDictionary) -> (ElementType, ElementType) {
    if is_typed(dictionary) {
        (dictionary.key_element_type(), dictionary.value_element_type())
    } else {
        (ElementType::Untyped, ElementType::Untyped)
    }
}

/// Tells whether a dictionary may have a text as a key. The engine prints when another dictionary is asked
/// for such a key.
pub(crate) fn may_have_text_keys(dictionary: &AnyDictionary) -> bool {
    let text = [GodotType::STRING, GodotType::STRING_NAME];
    match dictionary_types(dictionary).0 {
        ElementType::Untyped => true,
        ElementType::Builtin(ty) => text.contains(&ty),
        _ => false,
    }
}

fn from_godot(ty: GodotType) -> VariantType {
    use godot::obj::EngineEnum;
    u8::try_from(ty.ord()).ok().and_then(VariantType::from_id).unwrap_or(VariantType::Nil)
}
