//! Charge: what a token will cost in the engine, from the price list in `wire/heap.rs`. It keeps no sum.
//!
//! A container pays for all the slots it declares when it opens. A count that could never be paid for is so
//! refused before its first element, the answer is the same however the bytes come in, and for a value that is
//! whole the sum is the same as if each child had paid for its own slot.

use super::level::Context;
use crate::token::{Container, ContainerType, Leaf, PathRecord, Text, TextForm, Token};
use crate::wire::{Coercion, VariantType, coercion, heap};

/// Returns the cost of what a bare text of so many bytes becomes.
pub(super) fn text(form: TextForm, bytes: u64) -> u64 {
    match form {
        TextForm::PathName => heap::path_name(bytes),
        TextForm::Terminated => heap::bare_string(bytes),
        TextForm::Plain => heap::bare_name(bytes),
    }
}

/// Returns the cost of what a NodePath becomes, its names included.
#[inline]
pub(super) fn path(record: PathRecord<'_>) -> u64 {
    let bytes = u64::try_from(record.body()).unwrap_or(u64::MAX);
    let names = heap::path_names(u64::from(record.names), bytes);
    container(&record.opening(), 0).saturating_add(names)
}

/// Returns the cost of what a container at this depth becomes, all its slots included.
#[inline]
pub(super) fn container(container: &Container<'_>, depth: usize) -> u64 {
    match *container {
        Container::Array { element, count } => {
            heap::array(u64::from(count)).saturating_add(of_declared(&element))
        }
        Container::Dictionary { key, value, count } => heap::dictionary(u64::from(count), depth)
            .saturating_add(of_declared(&key))
            .saturating_add(of_declared(&value)),
        Container::Object { class, count } => {
            heap::object(u64::from(count)).saturating_add(heap::bare_name(length(&class)))
        }
        Container::NodePath { names, subnames, .. } => {
            heap::node_path(u64::from(names).saturating_add(u64::from(subnames)))
        }
        Container::PackedStrings { count } => heap::packed_strings(u64::from(count)),
    }
}

/// Returns the cost of the class name that a typed container remembers.
#[inline]
fn of_declared(declared: &ContainerType<'_>) -> u64 {
    match declared {
        ContainerType::None | ContainerType::Builtin(_) => 0,
        ContainerType::Class(name) | ContainerType::Script(name) => heap::bare_name(length(name)),
    }
}

/// Returns the cost of the second value that comes into being where ENGINE strictness converts an element of a typed
/// container.
#[cold]
#[inline(never)]
pub(super) fn conversion(token: &Token<'_>, place: Context) -> u64 {
    let Some(declared) = place.declared else { return 0 };
    if coercion(declared, token.ty()) != Coercion::Convert {
        return 0;
    }
    match (declared, token) {
        (VariantType::Array, Token::Leaf(Leaf::Packed(_, lanes))) => {
            heap::array(u64::try_from(lanes.count()).unwrap_or(u64::MAX))
        }
        (VariantType::Array, Token::Open(Container::PackedStrings { count })) => {
            heap::array(u64::from(*count))
        }
        (VariantType::NodePath, Token::Leaf(Leaf::Text(_, text))) => {
            // At worst every byte is a name: "a/a/a".
            heap::node_path(length(text)).saturating_add(length(text).saturating_mul(heap::path_name(1)))
        }
        (other, Token::Leaf(Leaf::Text(_, text))) => heap::leaf(other, length(text).saturating_add(4)),
        (other, _) => heap::leaf(other, 0),
    }
}

/// Returns the bytes that a text takes on the wire at most, without a header.
fn length(text: &Text<'_>) -> u64 {
    crate::cursor::length(text.as_bytes()).saturating_add(4 + 3)
}
