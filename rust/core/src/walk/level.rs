//! Level: one container that is being filled, and how it names the place it is at.

use super::keys::Marks;
use crate::cursor::Cursor;
use crate::path::Step;
use crate::token::{self, Container, Leaf, TextForm, Token};
use crate::wire::{Dialect, Rules, VariantType};

/// What a container's children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Array,
    Dictionary,
    Object,
    /// A NodePath or a PackedStringArray: bare texts.
    Texts(TextForm),
}

/// Which half of an entry comes next. Arrays and texts have only items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// A Dictionary's key or an Object's property name.
    Key,
    /// An element or a value.
    Item,
}

/// What is known of a value before it is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// It is a Dictionary's key.
    pub(super) is_key: bool,
    /// What its container declares it to be.
    pub(super) declared: Option<VariantType>,
}

impl Place {
    pub(super) const ROOT: Place = Place { is_key: false, declared: None };
}

#[derive(Debug)]
pub(super) struct Level<F> {
    pub(super) frame: F,
    pub(super) kind: Kind,
    /// Entries declared.
    pub(super) count: u32,
    /// INVARIANT: done <= count.
    pub(super) done: u32,
    /// Entries the sink was told to reserve for and that have not come yet.
    promised: usize,
    pub(super) turn: Turn,
    /// Where the current entry's key (or property name) begins.
    pub(super) key_at: u64,
    /// What keys are declared to be.
    pub(super) key_type: Option<VariantType>,
    /// What elements or values are declared to be.
    pub(super) item_type: Option<VariantType>,
    /// Where this Dictionary's keys begin in the key set.
    pub(super) marks: Marks,
}

impl<F> Level<F> {
    pub(super) fn new(container: &Container<'_>, frame: F, promised: usize, marks: Marks) -> Level<F> {
        let (kind, count, key_type, item_type) = match *container {
            Container::Array { element, count } => (Kind::Array, count, None, element.element_type()),
            Container::Dictionary { key, value, count } => {
                (Kind::Dictionary, count, key.element_type(), value.element_type())
            }
            Container::Object { count, .. } => (Kind::Object, count, None, None),
            // The sum wrapped in the reader if it ever did: it fits again.
            Container::NodePath { names, subnames, .. } => {
                (Kind::Texts(TextForm::PathName), names.saturating_add(subnames), None, None)
            }
            Container::PackedStrings { count } => (Kind::Texts(TextForm::Terminated), count, None, None),
        };
        let turn = if has_keys(kind) { Turn::Key } else { Turn::Item };
        Level { frame, kind, count, done: 0, promised, turn, key_at: 0, key_type, item_type, marks }
    }

    #[inline]
    pub(super) const fn is_full(&self) -> bool {
        self.done >= self.count
    }

    #[inline]
    /// The form of the bare text that comes next, if one does.
    pub(super) const fn next_text(&self) -> Option<TextForm> {
        match (self.kind, self.turn) {
            (Kind::Texts(form), _) => Some(form),
            (Kind::Object, Turn::Key) => Some(TextForm::Plain),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn awaits_key(&self) -> bool {
        self.kind == Kind::Dictionary && self.turn == Turn::Key
    }

    #[inline]
    pub(super) const fn key_done(&mut self) {
        self.turn = Turn::Item;
    }

    #[inline]
    /// Tells whether the entry was one of those promised, as 1 or 0.
    pub(super) fn item_done(&mut self) -> usize {
        self.done = self.done.saturating_add(1);
        if has_keys(self.kind) {
            self.turn = Turn::Key;
        }
        let kept = self.promised.min(1);
        self.promised = self.promised.saturating_sub(kept);
        kept
    }

    /// What is known of the value that comes next, at this byte.
    #[inline]
    pub(super) fn place(&mut self, at: u64) -> Place {
        let is_key = self.awaits_key();
        if is_key {
            self.key_at = at;
        }
        Place { is_key, declared: if is_key { self.key_type } else { self.item_type } }
    }

    /// The step from this container to the child it is at. Keys are read again from the input: they cost
    /// nothing until something is wrong.
    pub(super) fn step(&self, input: &[u8], at_named_key: bool, dialect: Dialect) -> Step {
        let at = u64::from(self.done);
        match (self.kind, self.turn) {
            (Kind::Array | Kind::Texts(_), _) => Step::Index(at),
            (Kind::Dictionary, Turn::Key) if !at_named_key => Step::KeyOf(at),
            (Kind::Dictionary, _) => self.key_step(input, dialect).unwrap_or(Step::Entry(at)),
            (Kind::Object, Turn::Key) => Step::KeyOf(at),
            (Kind::Object, Turn::Item) => self.property_step(input).unwrap_or(Step::Entry(at)),
        }
    }

    fn key_step(&self, input: &[u8], dialect: Dialect) -> Option<Step> {
        let mut cursor = Cursor::new(self.key_bytes(input)?);
        match token::read(&mut cursor, &Rules::engine().of_dialect(dialect)).ok()? {
            Token::Leaf(Leaf::Text(_, text)) => Some(Step::Key(text.as_str().to_owned())),
            Token::Leaf(Leaf::Int(key)) => Some(Step::IntKey(key)),
            _ => None,
        }
    }

    fn property_step(&self, input: &[u8]) -> Option<Step> {
        let mut cursor = Cursor::new(self.key_bytes(input)?);
        let name = token::read_text(&mut cursor, TextForm::Plain, &Rules::engine()).ok()?;
        Some(Step::Property(name.as_str().to_owned()))
    }

    fn key_bytes<'a>(&self, input: &'a [u8]) -> Option<&'a [u8]> {
        input.get(usize::try_from(self.key_at).ok()?..)
    }
}

const fn has_keys(kind: Kind) -> bool {
    matches!(kind, Kind::Dictionary | Kind::Object)
}
