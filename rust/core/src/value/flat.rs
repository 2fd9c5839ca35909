//! Flat: the tree of bytes that a look found flat (`walk/look/`), made without a ledger: nothing in them can be refused.
//! The walk with [`ToValue`] is the plain twin, and makes all other trees.
//!
//! Each value is made where it stays. Moved there, it would be read in larger parts than it was written in, and the
//! processor waits for those: a save of 200 took a sixth longer.

use super::sink::{ToValue, owned};
use super::{Array, Dictionary, Value};
use crate::cursor::Cursor;
use crate::sink::Sink;
use crate::token::{self, Container, Leaf, STRING, TextForm, Token, short_string};
use crate::walk::is_flat;
use crate::wire::Rules;

/// The tree of these bytes, if they are flat.
pub(crate) fn flat(bytes: &[u8], rules: &Rules) -> Option<Value> {
    if begins_with_long_text(bytes) || !is_flat(bytes, rules) {
        return None;
    }
    let mut root = Value::Nil;
    fill(&mut root, &mut Cursor::new(bytes), rules)?;
    Some(root)
}

/// Whether the first leaf of a container is a long text, or another one that is not ASCII. Where all are, a look costs more
/// than it saves: it finds them valid, and who makes a `String` of them has to find that again.
fn begins_with_long_text(bytes: &[u8]) -> bool {
    let Some((_, children)) = bytes.split_first_chunk::<8>() else { return false };
    let behind_key = |(_, used)| usize::try_from(used).ok().and_then(|used| children.get(used..));
    let leaf = match bytes {
        [27, ..] => short_string(children).and_then(behind_key).unwrap_or(children),
        _ => children,
    };
    leaf.starts_with(&STRING.to_le_bytes()) && short_string(leaf).is_none()
}

/// Makes the value that comes next in a place that holds a null.
#[inline(always)]
fn fill(place: &mut Value, cursor: &mut Cursor<'_>, rules: &Rules) -> Option<()> {
    if let Some(()) = short_text(place, cursor) {
        return Some(());
    }
    match token::read_scalar(cursor, None) {
        Some(Leaf::Nil) => {}
        Some(Leaf::Bool(value)) => *place = Value::Bool(value),
        Some(Leaf::Int(value)) => *place = Value::Int(value),
        Some(Leaf::Float(value)) => *place = Value::Float(value),
        Some(vector) => *place = ToValue.leaf(0, vector).ok()?,
        None => fill_other(place, cursor, rules)?,
    }
    Some(())
}

/// The same of a short String, which most keys are. Nothing else is read.
#[inline(always)]
fn short_text(place: &mut Value, cursor: &mut Cursor<'_>) -> Option<()> {
    let (text, bytes) = short_string(cursor.rest())?;
    *place = Value::String(text.as_str().to_owned());
    cursor.take(bytes).is_ok().then_some(())
}

/// The same of what is no scalar and no short String.
#[inline(never)]
fn fill_other(place: &mut Value, cursor: &mut Cursor<'_>, rules: &Rules) -> Option<()> {
    let token = if let Some(container) = token::read_plain_opening(cursor, rules) {
        Token::Open(container)
    } else if let Some((ty, text, _)) = token::read_plain_text(cursor, None, rules) {
        Token::Leaf(Leaf::Text(ty, text))
    } else {
        token::read(cursor, rules).ok()?
    };
    *place = match token {
        Token::Leaf(leaf) => ToValue.leaf(0, leaf).ok()?,
        Token::Open(container) => filled(&container, cursor, rules)?,
    };
    Some(())
}

/// A container with its children. All of them are there: the look has passed them.
fn filled(container: &Container<'_>, cursor: &mut Cursor<'_>, rules: &Rules) -> Option<Value> {
    match container {
        Container::Array { element, count } => {
            let mut items: Vec<Value> = (0..*count).map(|_| Value::Nil).collect();
            for item in &mut items {
                fill(item, cursor, rules)?;
            }
            Some(Value::Array(Box::new(Array { element: owned(element), items })))
        }
        Container::Dictionary { key, value, count } => {
            let (key, value) = (owned(key), owned(value));
            let mut entries: Vec<_> = (0..*count).map(|_| (Value::Nil, Value::Nil)).collect();
            for (key, value) in &mut entries {
                short_text(key, cursor).or_else(|| fill_other_key(key, cursor, rules))?;
                fill(value, cursor, rules)?;
            }
            Some(Value::Dictionary(Box::new(Dictionary { key, value, entries })))
        }
        Container::PackedStrings { count } => texts(container, *count, TextForm::Terminated, cursor, rules),
        Container::NodePath { names, subnames, .. } => {
            texts(container, names.checked_add(*subnames)?, TextForm::PathName, cursor, rules)
        }
        Container::Object { .. } => None,
    }
}

#[inline(never)]
fn fill_other_key(place: &mut Value, cursor: &mut Cursor<'_>, rules: &Rules) -> Option<()> {
    fill(place, cursor, rules)
}

/// What is made of bare texts alone.
fn texts(
    container: &Container<'_>,
    count: u32,
    form: TextForm,
    cursor: &mut Cursor<'_>,
    rules: &Rules,
) -> Option<Value> {
    let mut frame = ToValue.open(0, *container, usize::try_from(count).ok()?).ok()?;
    for _ in 0..count {
        ToValue.text(&mut frame, token::read_text(cursor, form, rules).ok()?).ok()?;
    }
    ToValue.close(frame).ok()
}
