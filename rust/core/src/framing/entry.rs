//! Tracks a container that is read entry by entry, and checks what it declares of each entry. It reads no
//! bytes.

use crate::fault::{ErrorKind, Part};
use crate::path::Step;
use crate::sink::{Refusal, Sink};
use crate::token::{Container, Leaf, Text};
use crate::wire::{Coercion, Cost, Rules, TypeSet, VariantType, coercion};

/// Tracks a container that was entered: like the walker's level, without a frame.
#[derive(Debug)]
pub(super) struct EntryContainer {
    /// The number of entries declared.
    count: u32,
    /// The number of entries read.
    ///
    /// INVARIANT: done <= count.
    done: u32,
    is_dictionary: bool,
    key_type: Option<VariantType>,
    item_type: Option<VariantType>,
    /// Whether the key of the current entry has been read.
    has_key: bool,
    /// That key as a step of a path, where it can be one.
    name: Option<Step>,
}

impl EntryContainer {
    /// Starts to track a container, or returns `None` for one that cannot be entered.
    pub(super) fn new(container: &Container<'_>) -> Option<EntryContainer> {
        let (count, key_type, item_type, is_dictionary) = match *container {
            Container::Array { element, count } => (count, None, element.element_type(), false),
            Container::Dictionary { key, value, count } => {
                (count, key.element_type(), value.element_type(), true)
            }
            _ => return None,
        };
        Some(EntryContainer {
            count,
            done: 0,
            is_dictionary,
            key_type,
            item_type,
            has_key: false,
            name: None,
        })
    }

    pub(super) const fn is_full(&self) -> bool {
        self.done >= self.count
    }

    pub(super) const fn awaits_key(&self) -> bool {
        self.is_dictionary && !self.has_key
    }

    pub(super) fn key_done(&mut self, name: Option<Step>) {
        self.has_key = true;
        self.name = name;
    }

    pub(super) fn entry_done(&mut self) {
        self.done = self.done.saturating_add(1);
        self.has_key = false;
        self.name = None;
    }

    /// Returns the demands on the next key or value.
    pub(super) fn asks(&self, rules: &Rules) -> ContainerDemands {
        let is_key = self.awaits_key();
        let declared = if is_key { self.key_type } else { self.item_type };
        ContainerDemands {
            key_types: is_key.then_some(rules.limits.allowed_key_types),
            declared: declared.filter(|_| rules.is_safe()),
        }
    }

    /// Renames a shortage: where the bytes end between two entries, it is the container that is incomplete.
    pub(super) fn explained(&self, kind: ErrorKind) -> ErrorKind {
        match kind {
            ErrorKind::Incomplete { needed, part: Part::Header, .. } => {
                let ty = if self.is_dictionary { VariantType::Dictionary } else { VariantType::Array };
                let part = Part::Children(ty);
                ErrorKind::Incomplete { needed, part, declared: self.count, left: self.done }
            }
            other => other,
        }
    }

    /// Returns the step of a path to the current entry.
    pub(super) fn step(&self) -> Step {
        let at = u64::from(self.done);
        match &self.name {
            _ if !self.is_dictionary => Step::Index(at),
            _ if !self.has_key => Step::KeyOf(at),
            Some(name) => name.clone(),
            None => Step::Entry(at),
        }
    }
}

/// Holds a container's demands on a key or value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContainerDemands {
    /// The allowed types of a key; `None` for a value.
    key_types: Option<TypeSet>,
    declared: Option<VariantType>,
}

impl ContainerDemands {
    /// `limited` is the type that limits go by.
    pub(super) fn check(&self, limited: VariantType, ty: VariantType) -> Result<(), ErrorKind> {
        if self.key_types.is_some_and(|allowed| !allowed.contains(limited)) {
            return Err(ErrorKind::KeyTypeNotAllowed { ty: limited });
        }
        match self.declared {
            Some(expected) if coercion(expected, ty) != Coercion::Same => {
                Err(ErrorKind::WrongElementType { expected, got: ty })
            }
            _ => Ok(()),
        }
    }
}

/// Wraps a sink: it checks the root of each value and leaves the rest to the inner sink.
#[derive(Debug)]
pub(super) struct Root<S> {
    pub(super) sink: S,
    pub(super) asked: ContainerDemands,
    /// The last key as a step of a path.
    pub(super) name: Option<Step>,
}

impl<S> Root<S> {
    pub(super) fn new(sink: S) -> Root<S> {
        Root { sink, asked: ContainerDemands::default(), name: None }
    }
}

impl<S: Sink> Sink for Root<S> {
    type Output = S::Output;
    type Frame = S::Frame;

    fn adds(&mut self) -> (u64, Cost) {
        self.sink.adds()
    }

    fn leaf(&mut self, at: u64, leaf: Leaf<'_>) -> Result<S::Output, Refusal> {
        if at == 0 {
            self.asked.check(leaf.limited_type(), leaf.ty())?;
            if self.asked.key_types.is_some() {
                self.name = leaf.key_step();
            }
        }
        self.sink.leaf(at, leaf)
    }

    fn open(&mut self, at: u64, container: Container<'_>, reserve: usize) -> Result<S::Frame, Refusal> {
        if at == 0 {
            self.asked.check(container.ty(), container.ty())?;
            self.name = None;
        }
        self.sink.open(at, container, reserve)
    }

    fn text(&mut self, frame: &mut S::Frame, text: Text<'_>) -> Result<(), Refusal> {
        self.sink.text(frame, text)
    }

    fn key_hash(&self, key: &S::Output) -> Option<u32> {
        self.sink.key_hash(key)
    }

    fn key(&mut self, frame: &mut S::Frame, key: S::Output) -> Result<(), Refusal> {
        self.sink.key(frame, key)
    }

    fn item(&mut self, frame: &mut S::Frame, item: S::Output) -> Result<(), Refusal> {
        self.sink.item(frame, item)
    }

    fn close(&mut self, frame: S::Frame) -> Result<S::Output, Refusal> {
        self.sink.close(frame)
    }
}
