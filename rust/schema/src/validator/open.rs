//! Holds one container that is being checked, and what is expected next in it.

use variant_core::token::Container;
use variant_core::{Step, VariantType};

use super::digest::Digest;
use crate::program::{ANY, Declared};

/// The part that comes next in a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NextPart {
    #[default]
    Item,
    Key,
}

/// The form of a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ContainerForm {
    /// Nothing but the root is still to come.
    #[default]
    Root,
    /// Elements: an Array, a NodePath, packed strings.
    List,
    Dictionary,
    Object,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OpenContainer {
    /// The node that the container has to fit.
    pub(super) node: usize,
    /// The node that the next element or value has to fit.
    pub(super) child: usize,
    pub(super) form: ContainerForm,
    pub(super) turn: NextPart,
    /// Elements or entries so far.
    pub(super) done: u32,
    /// Elements that an Array declares.
    pub(super) count: u32,
    /// Where the key of the schema's order would stand that comes next.
    pub(super) next_key: usize,
    /// The node whose cases the value under the current key chooses from.
    pub(super) choosing: Option<usize>,
    /// Where its bits in the set of seen keys begin.
    pub(super) seen: usize,
    /// The types that the bytes declare for keys and elements.
    pub(super) declared: Declared,
    /// Byte of its header.
    pub(super) at: u64,
    /// The step to the value under the current key, if it has a name. A text stands from `name` on.
    pub(super) key: Option<Step<()>>,
    /// Where the name of the current key begins.
    pub(super) name: usize,
    /// Where its elements begin, when they are to be unique.
    pub(super) elements: Option<usize>,
    pub(super) digest: Digest,
}

impl OpenContainer {
    pub(super) fn root(node: usize) -> OpenContainer {
        OpenContainer { node: ANY, child: node, ..OpenContainer::default() }
    }

    pub(super) fn new(node: usize, at: u64, container: &Container<'_>) -> OpenContainer {
        let (form, turn) = match container {
            Container::Dictionary { .. } => (ContainerForm::Dictionary, NextPart::Key),
            Container::Object { .. } => (ContainerForm::Object, NextPart::Item),
            _ => (ContainerForm::List, NextPart::Item),
        };
        let declared = OpenContainer::declared_by(container);
        let count = if let Container::Array { count, .. } = container { *count } else { 0 };
        OpenContainer { node, child: ANY, form, turn, count, declared, at, ..OpenContainer::default() }
    }

    /// Returns the types that the bytes declare for keys and elements.
    pub(super) const fn declared_by(container: &Container<'_>) -> Declared {
        match container {
            Container::Array { element, .. } => (None, element.element_type()),
            Container::Dictionary { key, value, .. } => (key.element_type(), value.element_type()),
            _ => (None, None),
        }
    }

    /// Returns the type that the bytes declare for the next key or element.
    pub(super) const fn declared(&self) -> Option<VariantType> {
        if matches!(self.turn, NextPart::Key) { self.declared.0 } else { self.declared.1 }
    }
}
