//! Defines the sink that updates an existing Dictionary or Array to what the bytes say, keeping what fits.
//!
//! Afterwards the target equals the decoded value exactly: order, types, absent keys removed. A nested
//! container is kept when it has the same type and element types, is not read-only, and was not kept already:
//! two keys may hold one container, but the bytes say that they are two values. An equal text is kept too.
//! The bytes have been checked in a walk of their own before the first value changes. Values that could run a
//! script when they are freed are freed after the last change.

mod array;
mod dictionary;
mod let_go;

use std::collections::HashSet;

use godot::builtin::{GString, Variant};
use godot::meta::inspect::ElementType;
use variant_core::token::{Container, Leaf, Text};
use variant_core::{ErrorKind, Refusal, Sink, VariantType};

use crate::engine::build::{OBJECT_CLASS, Partial, ToVariant, fitted};
use crate::raw::variant::{identity, type_of};
use array::KeptArray;
use dictionary::KeptDictionary;
use let_go::LetGo;

/// Tells whether a container can be changed. `None`: it is no container.
pub(crate) fn is_changeable(target: &Variant) -> Option<bool> {
    match type_of(target) {
        VariantType::Array => Some(!KeptArray::is_read_only(target)),
        VariantType::Dictionary => Some(!KeptDictionary::is_read_only(target)),
        _ => None,
    }
}

/// Updates the containers of a target from a walk.
#[derive(Debug)]
pub(crate) struct InPlace {
    building: ToVariant,
    /// The old value at the place of the next one, if it can be kept.
    candidate: Option<Variant>,
    /// The key that comes next if nothing changes.
    expected_key: Option<Variant>,
    /// The identities of containers that are kept already.
    met: HashSet<usize>,
    is_at_root: bool,
    /// The replaced values, which are freed after the walk.
    let_go: LetGo,
}

/// Holds a container of the walk: one that is kept, or a new one.
#[derive(Debug)]
pub(crate) enum UpdatedContainer {
    Array(KeptArray),
    Dictionary(KeptDictionary),
    New(Partial),
}

impl InPlace {
    /// Makes the sink for a target; `building` makes the values that cannot be kept.
    pub(crate) fn new(target: &Variant, building: ToVariant) -> InPlace {
        InPlace {
            building,
            candidate: Some(target.clone()),
            expected_key: None,
            met: HashSet::new(),
            is_at_root: true,
            let_go: LetGo::default(),
        }
    }

    /// Returns the old container if it can take these children.
    fn kept(&mut self, container: &Container<'_>, old: Option<Variant>) -> Option<UpdatedContainer> {
        let old = old?;
        let ToVariant { coerces, references, .. } = self.building;
        let place = match container {
            Container::Array { element, .. } => {
                let ty = element.element_type();
                UpdatedContainer::Array(KeptArray::of(&old, references.held(ty), ty.filter(|_| coerces))?)
            }
            Container::Dictionary { key, value, .. } => {
                let (key, value) = (key.element_type(), value.element_type());
                let declared = key.filter(|_| coerces);
                let (key, value) = (references.held(key), references.held(value));
                UpdatedContainer::Dictionary(KeptDictionary::of(&old, key, value, declared)?)
            }
            _ => return None,
        };
        self.met.insert(identity(&old)).then_some(place)
    }

    fn look_ahead(&mut self, place: &UpdatedContainer) {
        match place {
            UpdatedContainer::Array(array) => self.candidate = array.old_element(),
            UpdatedContainer::Dictionary(dictionary) => self.expected_key = dictionary.expected_key(),
            UpdatedContainer::New(_) => {}
        }
    }
}

impl Sink for InPlace {
    type Output = Variant;
    type Frame = UpdatedContainer;

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<Variant, Refusal> {
        if self.is_at_root {
            return Err(ErrorKind::InvalidArgument);
        }
        match (&leaf, self.expected_key.take().or(self.candidate.take())) {
            (Leaf::Text(ty, text), Some(old)) if is_text(&old, *ty, text) => Ok(old),
            _ => self.building.leaf(at, leaf),
        }
    }

    fn open(
        &mut self,
        at: u64,
        container: Container<'_>,
        reserve: usize,
    ) -> Result<UpdatedContainer, Refusal> {
        self.expected_key = None;
        let old = self.candidate.take();
        let place = match self.kept(&container, old) {
            Some(place) => place,
            None if self.is_at_root => return Err(ErrorKind::InvalidArgument),
            None => UpdatedContainer::New(self.building.open(at, container, reserve)?),
        };
        self.is_at_root = false;
        self.look_ahead(&place);
        Ok(place)
    }

    fn text(&mut self, frame: &mut UpdatedContainer, text: Text<'_>) -> Result<(), Refusal> {
        match frame {
            UpdatedContainer::New(partial) => self.building.text(partial, text),
            UpdatedContainer::Array(_) | UpdatedContainer::Dictionary(_) => Err(ErrorKind::Refused),
        }
    }

    fn key_hash(&self, key: &Variant) -> Option<u32> {
        self.building.key_hash(key)
    }

    fn key(&mut self, frame: &mut UpdatedContainer, key: Variant) -> Result<(), Refusal> {
        match frame {
            UpdatedContainer::Dictionary(dictionary) => {
                let key = fitted(dictionary.declared(), key, self.building.stands_for());
                self.candidate = key.and_then(|key| dictionary.key(key));
            }
            UpdatedContainer::New(partial) => self.building.key(partial, key)?,
            UpdatedContainer::Array(_) => return Err(ErrorKind::Refused),
        }
        Ok(())
    }

    fn item(&mut self, frame: &mut UpdatedContainer, item: Variant) -> Result<(), Refusal> {
        match frame {
            UpdatedContainer::Array(array) => {
                if let Some(item) = fitted(array.declared(), item, self.building.stands_for()) {
                    array.item(item, &mut self.let_go);
                }
            }
            UpdatedContainer::Dictionary(dictionary) => {
                self.building.stands_for();
                dictionary.item(item, &mut self.let_go);
            }
            UpdatedContainer::New(partial) => self.building.item(partial, item)?,
        }
        self.look_ahead(frame);
        Ok(())
    }

    fn close(&mut self, frame: UpdatedContainer) -> Result<Variant, Refusal> {
        self.candidate = None;
        self.expected_key = None;
        match frame {
            UpdatedContainer::Array(array) => Ok(array.close(&mut self.let_go)),
            UpdatedContainer::Dictionary(dictionary) => Ok(dictionary.close(&mut self.let_go)),
            UpdatedContainer::New(partial) => self.building.close(partial),
        }
    }
}

/// Tells whether a value is this very text, in this type.
fn is_text(value: &Variant, ty: VariantType, text: &Text<'_>) -> bool {
    type_of(value) == ty
        && value
            .try_to_relaxed::<GString>()
            .is_ok_and(|old| old.chars().iter().copied().eq(text.as_str().chars()))
}

/// Tells whether a decode for this declaration would make a container of this element type.
fn fits(element: &ElementType, declared: Option<VariantType>) -> bool {
    match (element, declared) {
        (ElementType::Untyped, None) => true,
        (ElementType::Builtin(ty), Some(declared)) => {
            use godot::obj::EngineEnum;
            ty.ord() == i32::from(declared.id())
        }
        (ElementType::Class(class), Some(VariantType::Object)) => class.to_string_name() == OBJECT_CLASS,
        _ => false,
    }
}
