//! Level: holds one container that is being filled, and names the place it is at.

use super::keys::Marks;
use crate::cursor::Cursor;
use crate::fault::{ErrorKind, Part};
use crate::path::{Label, Step};
use crate::token::{self, Container, TextForm};
use crate::wire::{Coercion, Dialect, Rules, VariantType, coercion};

/// The part that comes next in a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A Dictionary's key.
    Key,
    /// An element, or the value under a key or name.
    Item,
    /// The bare name of an Object's property.
    Name,
    /// A bare name of a NodePath.
    PathName,
    /// A bare string of a PackedStringArray.
    PackedString,
}

/// The facts that are known of a value before it is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// It is a Dictionary's key.
    pub(crate) is_key: bool,
    /// The type that its container declares.
    pub(crate) declared: Option<VariantType>,
    /// Containers around it.
    pub(crate) depth: usize,
}

impl Context {
    pub(crate) const ROOT: Context = Context { is_key: false, declared: None, depth: 0 };

    /// Tells whether anything is asked of the value's type here.
    #[inline]
    pub(super) const fn is_checked(&self) -> bool {
        self.is_key || self.declared.is_some()
    }

    /// Checks that a value of this type may stand here. `limited` is the type that limits go by.
    #[inline]
    pub(crate) fn check(self, limited: VariantType, ty: VariantType, rules: &Rules) -> Result<(), ErrorKind> {
        if self.is_key && !rules.limits.allowed_key_types.contains(limited) {
            return Err(ErrorKind::KeyTypeNotAllowed { ty: limited });
        }
        match self.declared {
            Some(expected) if rules.is_safe() && coercion(expected, ty) != Coercion::Same => {
                Err(ErrorKind::WrongElementType { expected, got: ty })
            }
            _ => Ok(()),
        }
    }
}

/// The ledger's answer for a container that opens.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContainerGrant {
    /// Children its sink may reserve for.
    pub(super) promised: usize,
    /// Where its keys begin in the key set.
    pub(super) marks: Marks,
}

#[derive(Debug)]
pub(crate) struct Level<F> {
    pub(crate) frame: F,
    /// The part that every entry begins with.
    first: Next,
    /// The part that comes next: `first`, or the item after a key or name.
    next: Next,
    /// Containers from the root to its children, itself included.
    pub(super) depth: usize,
    /// Entries declared.
    pub(super) count: u32,
    /// INVARIANT: done <= count.
    pub(super) done: u32,
    /// Entries the sink was told to reserve for and that have not begun yet.
    promised: usize,
    /// Whether the container that comes next, or is being filled, is no longer one of them.
    has_begun: bool,
    /// Where the current entry's key (or property name) begins; the container itself before there is one.
    pub(super) key_at: u64,
    /// The type that is declared for keys.
    pub(super) key_type: Option<VariantType>,
    /// The type that is declared for elements or values.
    pub(super) item_type: Option<VariantType>,
    /// Where this Dictionary's keys begin in the key set.
    pub(super) marks: Marks,
}

impl<F> Level<F> {
    #[inline(always)]
    pub(crate) fn new(
        container: &Container<'_>,
        frame: F,
        depth: usize,
        entry: ContainerGrant,
        at: u64,
    ) -> Level<F> {
        let (first, count, key_type, item_type) = match *container {
            Container::Array { element, count } => (Next::Item, count, None, element.element_type()),
            Container::Dictionary { key, value, count } => {
                (Next::Key, count, key.element_type(), value.element_type())
            }
            Container::Object { count, .. } => (Next::Name, count, None, None),
            // The sum wrapped in the reader if it ever did: it fits again.
            Container::NodePath { names, subnames, .. } => {
                (Next::PathName, names.saturating_add(subnames), None, None)
            }
            Container::PackedStrings { count } => (Next::PackedString, count, None, None),
        };
        let ContainerGrant { promised, marks } = entry;
        let (next, done, key_at) = (first, 0, at);
        Level {
            frame,
            first,
            next,
            depth,
            count,
            done,
            promised,
            has_begun: false,
            key_at,
            key_type,
            item_type,
            marks,
        }
    }

    pub(super) const fn ty(&self) -> VariantType {
        match self.first {
            Next::Key => VariantType::Dictionary,
            Next::Item => VariantType::Array,
            Next::Name => VariantType::Object,
            Next::PathName => VariantType::NodePath,
            Next::PackedString => VariantType::PackedStringArray,
        }
    }

    #[inline]
    pub(crate) const fn is_full(&self) -> bool {
        self.done >= self.count
    }

    /// Returns the form of the bare text that comes next, if one does.
    #[inline]
    pub(super) const fn next_text(&self) -> Option<TextForm> {
        match self.next {
            Next::Key | Next::Item => None,
            Next::Name => Some(TextForm::Plain),
            Next::PathName => Some(TextForm::PathName),
            Next::PackedString => Some(TextForm::Terminated),
        }
    }

    #[inline]
    pub(crate) const fn awaits_key(&self) -> bool {
        matches!(self.next, Next::Key)
    }

    #[inline]
    pub(super) const fn awaits_item(&self) -> bool {
        matches!(self.next, Next::Item)
    }

    /// Returns how many entries are still to come.
    #[inline]
    pub(super) const fn left(&self) -> u32 {
        self.count.saturating_sub(self.done)
    }

    /// Returns how many items may come one after another, with nothing between them.
    #[inline]
    pub(super) const fn items_in_a_row(&self) -> u32 {
        if matches!(self.first, Next::Item) { self.left() } else { 1 }
    }

    /// Notes that so many items are done, as [`Level::item_done`] does for one.
    #[inline]
    pub(super) fn items_done(&mut self, count: u32) -> usize {
        if count == 0 {
            return 0;
        }
        self.done = self.done.saturating_add(count);
        self.next = self.first;
        let kept = self.promised.min(usize::try_from(count).unwrap_or(usize::MAX));
        self.promised = self.promised.saturating_sub(kept);
        kept
    }

    #[inline]
    pub(crate) const fn key_done(&mut self) {
        self.next = Next::Item;
    }

    /// Notes that a container opens as the next child: its header is read, so that nothing is kept for it any
    /// more. Tells whether it was one of those promised, as 1 or 0.
    pub(super) fn child_begins(&mut self) -> usize {
        if self.has_begun || !self.awaits_item() {
            return 0;
        }
        self.has_begun = true;
        let kept = self.promised.min(1);
        self.promised = self.promised.saturating_sub(kept);
        kept
    }

    /// Tells whether the entry was one of those promised, as 1 or 0.
    #[inline]
    pub(crate) fn item_done(&mut self) -> usize {
        self.done = self.done.saturating_add(1);
        self.next = self.first;
        if std::mem::take(&mut self.has_begun) {
            return 0;
        }
        let kept = self.promised.min(1);
        self.promised = self.promised.saturating_sub(kept);
        kept
    }

    /// Returns what is known of the value that comes next, and notes that it begins at this byte.
    #[inline]
    pub(super) fn place(&mut self, at: u64) -> Context {
        if self.awaits_key() {
            self.key_at = at;
        }
        self.context()
    }

    /// Returns what is known of the value that comes next.
    #[inline]
    pub(crate) const fn context(&self) -> Context {
        let is_key = self.awaits_key();
        Context { is_key, declared: if is_key { self.key_type } else { self.item_type }, depth: self.depth }
    }

    /// Names the container where the bytes end between two of its children.
    pub(crate) const fn explain(&self, kind: &mut ErrorKind) {
        if let ErrorKind::Incomplete { part: part @ Part::Header, declared, left, .. } = kind {
            *part = Part::Children(self.ty());
            (*declared, *left) = (self.count, self.done);
        }
    }

    /// Returns the step to the child that this container is at, by its number: the value under a key is an entry.
    #[inline]
    pub(crate) fn child<T>(&self) -> Step<T> {
        let at = u64::from(self.done);
        match (self.first, self.next) {
            (Next::Item | Next::PathName | Next::PackedString, _) => Step::Index(at),
            (Next::Key, Next::Key) | (Next::Name, Next::Name) => Step::KeyOf(at),
            (Next::Key | Next::Name, _) => Step::Entry(at),
        }
    }

    /// Returns the name of the entry whose value comes next, if its key can be read in these bytes, which
    /// begin at `start`.
    pub(super) fn current_key<'a>(&self, input: &'a [u8], start: u64, dialect: Dialect) -> Option<Label<'a>> {
        match (self.first, self.next) {
            (Next::Key | Next::Name, Next::Item) => self.named_in(input, start, dialect),
            _ => None,
        }
    }

    /// Reads the current key or property name again: names cost nothing until something is wrong.
    pub(super) fn named_in<'a>(&self, input: &'a [u8], start: u64, dialect: Dialect) -> Option<Label<'a>> {
        let at = usize::try_from(self.key_at.checked_sub(start)?).ok()?;
        let mut cursor = Cursor::new(input.get(at..)?);
        if self.first == Next::Name {
            let rules = AS_THE_ENGINE.of_dialect(dialect);
            let name = token::read_text(&mut cursor, TextForm::Plain, &rules).ok()?;
            return Some(Label::Property(name.as_bytes()));
        }
        if dialect == Dialect::Godot4
            && let Some((_, text, _)) = token::read_plain_text(&mut cursor, None, &AS_THE_ENGINE)
        {
            return Some(Label::Key(text.as_bytes()));
        }
        token::read(&mut cursor, &AS_THE_ENGINE.of_dialect(dialect)).ok()?.as_leaf()?.label()
    }
}

/// The rules by which a name is read, whatever those of the walk were.
static AS_THE_ENGINE: Rules = Rules::engine();

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::ContainerType;

    fn level(container: &Container<'_>, promised: usize) -> Level<()> {
        Level::new(container, (), 1, ContainerGrant { promised, marks: Marks::default() }, 0)
    }

    /// Room that is kept for an entry is given back once: when its value's header is read, or when the value
    /// is complete.
    #[test]
    fn an_entry_gives_back_what_was_promised_once() {
        let (key, value) = (ContainerType::None, ContainerType::None);
        let mut level = level(&Container::Dictionary { key, value, count: 4 }, 3);
        assert_eq!(level.child_begins(), 0, "a key that is a container is none of the values");
        level.key_done();
        assert_eq!([level.child_begins(), level.child_begins(), level.item_done()], [1, 0, 0]);
        assert_eq!(level.child_begins(), 0, "the next key");
        level.key_done();
        assert_eq!(level.item_done(), 1, "a leaf");
        level.key_done();
        assert_eq!([level.child_begins(), level.item_done()], [1, 0]);
        level.key_done();
        assert_eq!([level.child_begins(), level.item_done()], [0, 0], "more than were promised");
        assert!(level.is_full());
    }

    #[test]
    fn elements_give_back_what_was_promised() {
        let mut level = level(&Container::Array { element: ContainerType::None, count: 9 }, 5);
        assert_eq!([level.child_begins(), level.item_done(), level.item_done()], [1, 0, 1]);
        assert_eq!((level.items_done(2), level.left()), (2, 5));
        assert_eq!([level.child_begins(), level.item_done(), level.child_begins()], [1, 0, 0]);
    }
}
