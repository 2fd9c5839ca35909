//! Holds a container that is being built, with a variant for each container of the format.

use godot::builtin::{
    AnyDictionary, GString, NodePath, PackedStringArray, StringName, VarDictionary, Variant,
};
use godot::meta::ToGodot;
use variant_core::token::{Container, ContainerType, Text};
use variant_core::{ErrorKind, Refusal, VariantType};

use super::reference::{References, fitted};
use super::{ToVariant, engine_leaf, text};
use crate::raw::array_slots::ArraySlots;
use crate::raw::builtin_method::knows_typed_dictionaries;
use crate::raw::dictionary_slots::DictionarySlots;

/// The class that stands for every class and script where objects are not allowed, in reading and in writing.
pub(crate) const OBJECT_CLASS: &str = "EncodedObjectAsID";

/// Holds an unfinished container.
#[derive(Debug)]
pub(crate) enum Partial {
    Array { slots: ArraySlots, declared: Option<VariantType> },
    Dictionary { slots: DictionarySlots, declared: Option<VariantType>, key: Option<Variant> },
    NodePath(PartialPath),
    Strings(Vec<GString>),
}

/// Holds the texts of a path, of which the first are names and the others subnames.
#[derive(Debug)]
pub(crate) struct PartialPath {
    is_absolute: bool,
    names: usize,
    texts: Vec<String>,
}

impl Partial {
    pub(super) fn open(
        container: &Container<'_>,
        reserve: usize,
        sink: &ToVariant,
    ) -> Result<Partial, Refusal> {
        Ok(match container {
            Container::Array { element, .. } => {
                let ty = element.element_type();
                let typed = sink.references.held(ty).map(|ty| (ty, class_of(ty)));
                let declared = ty.filter(|_| sink.coerces);
                Partial::Array { slots: ArraySlots::new(typed, reserve), declared }
            }
            Container::Dictionary { key, value, .. } => Partial::Dictionary {
                slots: DictionarySlots::new(dictionary(key, value, sink.references)?),
                declared: key.element_type().filter(|_| sink.coerces),
                key: None,
            },
            Container::NodePath { absolute, names, .. } => {
                let names = usize::try_from(*names).unwrap_or(usize::MAX);
                let texts = Vec::with_capacity(reserve);
                Partial::NodePath(PartialPath { is_absolute: *absolute, names, texts })
            }
            Container::PackedStrings { .. } => Partial::Strings(Vec::with_capacity(reserve)),
            // The rules refuse objects at their header, so none gets here.
            Container::Object { .. } => return Err(ErrorKind::ObjectNotAllowed),
        })
    }

    pub(crate) fn text(&mut self, text: &Text<'_>) -> Result<(), Refusal> {
        match self {
            Partial::NodePath(path) => path.texts.push(text.as_str().to_owned()),
            Partial::Strings(strings) => strings.push(text::string(text)),
            Partial::Array { .. } | Partial::Dictionary { .. } => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    /// Takes a key. For `stands_for` see [`fitted`], here and below.
    pub(super) fn key(&mut self, key: Variant, stands_for: Option<VariantType>) -> Result<(), Refusal> {
        match self {
            Partial::Dictionary { declared, key: pending, .. } => {
                *pending = fitted(*declared, key, stands_for);
            }
            _ => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    /// Takes an element or a value. A value whose key was dropped is dropped too.
    pub(super) fn item(&mut self, item: Variant, stands_for: Option<VariantType>) -> Result<(), Refusal> {
        match self {
            Partial::Array { slots, declared } => {
                if let Some(element) = fitted(*declared, item, stands_for) {
                    slots.push(element);
                }
            }
            Partial::Dictionary { slots, key, .. } => {
                if let Some(key) = key.take() {
                    slots.insert(&key, item);
                }
            }
            Partial::NodePath(_) | Partial::Strings(_) => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    pub(crate) fn close(self) -> Result<Variant, Refusal> {
        Ok(match self {
            Partial::Array { slots, .. } => slots.finish().to_variant(),
            Partial::Dictionary { slots, .. } => slots.finish().to_variant(),
            Partial::NodePath(path) => path.finish()?,
            Partial::Strings(strings) => PackedStringArray::from(strings).to_variant(),
        })
    }
}

/// Returns the class that belongs to an element type: a class for objects, an empty name for the rest.
fn class_of(ty: VariantType) -> StringName {
    if ty == VariantType::Object { StringName::from(OBJECT_CLASS) } else { StringName::default() }
}

/// Makes an empty dictionary of these types. Engines before 4.4 know only untyped ones.
pub(super) fn dictionary(
    key: &ContainerType<'_>,
    value: &ContainerType<'_>,
    references: References,
) -> Result<AnyDictionary, Refusal> {
    let (key, value) = (as_read(key, references), as_read(value, references));
    if (key.element_type(), value.element_type()) == (None, None) || !knows_typed_dictionaries() {
        return Ok(VarDictionary::new().upcast_any_dictionary());
    }
    let container = Container::Dictionary { key, value, count: 0 };
    let empty = engine_leaf::build_container(&container, &[])?;
    empty.try_to().map_err(|_| ErrorKind::Refused)
}

fn as_read<'a>(declared: &ContainerType<'a>, references: References) -> ContainerType<'a> {
    match declared {
        _ if references.held(declared.element_type()).is_none() => ContainerType::None,
        ContainerType::Class(_) | ContainerType::Script(_) => ContainerType::Class(Text::new(OBJECT_CLASS)),
        other => *other,
    }
}

impl PartialPath {
    /// Makes a path from its text where a text can express it, else by the engine from the checked names.
    fn finish(self) -> Result<Variant, Refusal> {
        let PartialPath { is_absolute, names, texts } = self;
        let (heads, tails) = texts.split_at_checked(names).unwrap_or((&texts, &[]));
        let plain = texts.iter().all(|name| !name.is_empty() && !name.contains(['/', ':']));
        if plain && (!heads.is_empty() || (texts.is_empty() && !is_absolute)) {
            let mut path = if is_absolute { "/".to_owned() } else { String::new() };
            path.push_str(&heads.join("/"));
            for subname in tails {
                path.push(':');
                path.push_str(subname);
            }
            return Ok(NodePath::from(&text::string_from(&path)).to_variant());
        }
        let count = |list: &[String]| u32::try_from(list.len()).map_err(|_| ErrorKind::TooLong);
        let (names, subnames) = (count(heads)?, count(tails)?);
        engine_leaf::build_container(&Container::NodePath { absolute: is_absolute, names, subnames }, &texts)
    }
}
