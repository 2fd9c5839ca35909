//! Makes the tree of bytes that the plain reader takes (`plain/`), without a ledger. The walk with
//! [`ToValue`] is its fallback, and makes all other trees.
//!
//! Each value is made where it stays. Moved there, it would be read in larger parts than it was written in, and the
//! processor waits for those: a save of 200 took a sixth longer.

use std::slice::IterMut;

use super::sink::{ToValue, owned};
use super::{Array, Dictionary, Value};
use crate::cursor::Cursor;
use crate::plain::{EntryTypes, Make, PlainLeaf, make, narrow_numbers};
use crate::sink::Sink;
use crate::token::{
    self, Container, ContainerType, Leaf, STRING, Text, TextForm, Token, plain_text, short_string,
};
use crate::wire::{Rules, VariantType};

pub(crate) fn tree(bytes: &[u8], rules: &Rules) -> Option<Value> {
    if begins_with_long_text(bytes) {
        return None;
    }
    let mut root = Value::Nil;
    // A value takes 4 bytes at least.
    let left = bytes.len().wrapping_shr(2);
    make(bytes, rules, Tree { rules, left }, &mut root).then_some(root)
}

/// Tells whether the first leaf of a container is a long text, or another one that is not ASCII. Where all are, the plain
/// reader costs more than it saves: it finds them valid, and the maker of a `String` has to find that again.
fn begins_with_long_text(bytes: &[u8]) -> bool {
    let Some((_, children)) = bytes.split_first_chunk::<8>() else { return false };
    let behind_key = |(_, used)| usize::try_from(used).ok().and_then(|used| children.get(used..));
    let leaf = match bytes {
        [27, ..] => short_string(children).and_then(behind_key).unwrap_or(children),
        _ => children,
    };
    leaf.starts_with(&STRING.to_le_bytes()) && short_string(leaf).is_none()
}

/// Makes [`Value`]s in their places.
struct Tree<'r> {
    rules: &'r Rules,
    /// Values that the bytes can hold besides those that containers have declared so far: memory is taken for no more.
    left: usize,
}

impl Tree<'_> {
    fn take(&mut self, values: usize) -> Option<()> {
        self.left = self.left.checked_sub(values)?;
        Some(())
    }

    /// Makes a NodePath or a PackedStringArray of bytes that are valid.
    fn texts(&mut self, place: &mut Value, bytes: &[u8]) -> Option<()> {
        let mut cursor = Cursor::new(bytes);
        let Token::Open(container) = token::read(&mut cursor, self.rules).ok()? else { return None };
        let (count, form) = match container {
            Container::PackedStrings { count } => (count, TextForm::Terminated),
            Container::NodePath { names, subnames, .. } => (names.checked_add(subnames)?, TextForm::PathName),
            _ => return None,
        };
        let mut frame = ToValue.open(0, container, usize::try_from(count).ok()?).ok()?;
        for _ in 0..count {
            ToValue.text(&mut frame, token::read_text(&mut cursor, form, self.rules).ok()?).ok()?;
        }
        *place = ToValue.close(frame).ok()?;
        Some(())
    }

    #[inline(never)]
    fn leaf(&mut self, place: &mut Value, field: &[u8]) -> Option<()> {
        let Token::Leaf(leaf) = token::read(&mut Cursor::new(field), self.rules).ok()? else { return None };
        *place = ToValue.leaf(0, leaf).ok()?;
        Some(())
    }
}

impl Make for Tree<'_> {
    type Place<'p> = &'p mut Value;
    type Items<'p> = IterMut<'p, Value>;
    type Entries<'p> = IterMut<'p, (Value, Value)>;
    type Key = ();
    type Template<'p> = ();

    #[inline(always)]
    fn plain(&mut self, place: &mut Value, leaf: PlainLeaf<'_>) -> Option<()> {
        match leaf {
            PlainLeaf::Bool(value) => *place = Value::Bool(value),
            PlainLeaf::Text(text) => *place = Value::String(text.as_str().to_owned()),
            PlainLeaf::Scalar(field) => match token::read_scalar(&mut Cursor::new(field), None)? {
                Leaf::Nil => {}
                Leaf::Int(value) => *place = Value::Int(value),
                Leaf::Float(value) => *place = Value::Float(value),
                vector => *place = ToValue.leaf(0, vector).ok()?,
            },
        }
        Some(())
    }

    #[inline(never)]
    fn string<'b>(&mut self, place: &mut Value, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let (_, text, rest) = plain_text(bytes, rules)?;
        *place = Value::String(text.as_str().to_owned());
        Some(rest)
    }

    fn name<'b>(
        &mut self,
        place: &mut Value,
        _: &'b [u8],
        text: impl FnOnce() -> Option<Text<'b>>,
    ) -> Option<()> {
        *place = Value::StringName(text()?.as_str().to_owned());
        Some(())
    }

    fn numbers(&mut self, place: &mut Value, leaf: Leaf<'_>) -> Option<()> {
        *place = ToValue.leaf(0, leaf).ok()?;
        Some(())
    }

    #[inline(never)]
    fn strings<'b>(&mut self, place: &mut Value, bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
        let rest = ().strings((), bytes, rules)?;
        self.texts(place, bytes)?;
        Some(rest)
    }

    #[inline(never)]
    fn path(
        &mut self,
        place: &mut Value,
        field: &[u8],
        _: &Rules,
        is_valid: impl FnOnce() -> bool,
    ) -> Option<()> {
        if is_valid() { self.texts(place, field) } else { None }
    }

    #[inline(always)]
    fn array<'p>(&mut self, place: Self::Place<'p>, declared: u32, count: u32) -> Option<Self::Items<'p>> {
        let count = usize::try_from(count).ok()?;
        self.take(count)?;
        let items = (0..count).map(|_| Value::Nil).collect();
        *place = Value::Array(Box::new(Array { element: owned(&container_type(declared)?), items }));
        match place {
            Value::Array(array) => Some(array.items.iter_mut()),
            _ => None,
        }
    }

    #[inline(always)]
    fn item<'p>(&mut self, items: &mut Self::Items<'p>) -> Option<Self::Place<'p>> {
        items.next()
    }

    #[inline(always)]
    fn run(
        &mut self,
        items: &mut IterMut<'_, Value>,
        declared: u32,
        bytes: &[u8],
        most: u32,
    ) -> Option<(usize, u32)> {
        let numbers = narrow_numbers(bytes, declared, most);
        for (number, item) in numbers.iter().zip(items) {
            let [ty, _, _, _, payload @ ..] = *number;
            *item = match ty {
                2 => Value::Int(i32::from_le_bytes(payload).into()),
                _ => Value::Float(f32::from_le_bytes(payload).into()),
            };
        }
        Some((numbers.as_flattened().len(), u32::try_from(numbers.len()).ok()?))
    }

    #[inline(always)]
    fn dictionary<'p>(
        &mut self,
        place: Self::Place<'p>,
        declared: EntryTypes,
        count: u32,
    ) -> Option<Self::Entries<'p>> {
        let count = usize::try_from(count).ok()?;
        self.take(count.checked_mul(2)?)?;
        let key = owned(&container_type(declared.keys)?);
        let value = owned(&container_type(declared.values)?);
        let entries = (0..count).map(|_| (Value::Nil, Value::Nil)).collect();
        *place = Value::Dictionary(Box::new(Dictionary { key, value, entries }));
        match place {
            Value::Dictionary(dictionary) => Some(dictionary.entries.iter_mut()),
            _ => None,
        }
    }

    #[inline(always)]
    fn key<'p>(&mut self, entries: &mut Self::Entries<'p>, field: &[u8]) -> Option<Self::Place<'p>> {
        let (key, value) = entries.next()?;
        match short_string(field) {
            Some((text, _)) => *key = Value::String(text.as_str().to_owned()),
            None => self.leaf(key, field)?,
        }
        Some(value)
    }
}

/// The builtin type of this id as a container declares it; 0 is none.
#[inline(always)]
fn container_type(declared: u32) -> Option<ContainerType<'static>> {
    match declared {
        0 => Some(ContainerType::None),
        ty => VariantType::from_id(u8::try_from(ty).ok()?).map(ContainerType::Builtin),
    }
}
