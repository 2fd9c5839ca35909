//! Writes the leaves of a Variant: scalars, texts, handles (FORMAT.md section 3).

use godot::builtin::{GString, NodePath, PackedStringArray, Rid, Signal, StringName, Variant};
use godot::meta::FromGodot;
use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, Text, TextForm, Token};
use variant_core::{ErrorKind, Fault, Limits, Rules, VariantType};

use super::listener::Listener;
use crate::engine::build::REALS;
use crate::engine::names::IS_ABSOLUTE;
use crate::engine::numbers;

/// The rules for what was written of a live value. They refuse what bytes cannot represent.
pub(crate) const RULES: Rules = Rules { reals: REALS, ..Rules::safe(Limits::engine()) };

/// Converts the Variant to a `T`; the caller has checked its type.
pub(in crate::engine) fn taken<T: FromGodot, L: Listener>(value: &Variant, encoder: &L) -> Result<T, Fault> {
    value.try_to().map_err(|_| encoder.fault(ErrorKind::Refused))
}

/// Writes a value without children of its own.
pub(super) fn write<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    use VariantType as T;
    match ty {
        T::Nil | T::Callable => encoder.leaf(&if ty == T::Nil { Leaf::Nil } else { Leaf::Callable }),
        T::Bool => encoder.leaf(&Leaf::Bool(taken(value, encoder)?)),
        T::Int => encoder.leaf(&Leaf::Int(taken(value, encoder)?)),
        T::Float => encoder.leaf(&Leaf::Float(taken(value, encoder)?)),
        T::String => {
            let text: GString = taken(value, encoder)?;
            encoder.chars(ty, text.chars())
        }
        T::StringName => {
            let name: StringName = taken(value, encoder)?;
            encoder.chars(ty, GString::from(&name).chars())
        }
        T::NodePath => node_path(value, encoder),
        T::Rid => encoder.leaf(&Leaf::Rid(taken::<Rid, L>(value, encoder)?.to_u64())),
        T::Object => {
            let id = super::object::live(value).map_or(0, |object| object.instance_id().to_i64());
            encoder.leaf(&Leaf::ObjectId(id.cast_unsigned()))
        }
        T::Signal => {
            let signal: Signal = taken(value, encoder)?;
            let id = signal.object_id().map_or(0, |id| id.to_i64());
            encoder.leaf(&Leaf::Signal(Text::new(&signal.name().to_string()), id.cast_unsigned()))
        }
        T::PackedStringArray => packed_strings(value, encoder),
        _ => numbers::write(value, ty, encoder),
    }
}

/// Gives a listener the value that it wants before the other entries of a Dictionary, or `None` if that is no
/// leaf.
pub(super) fn foretell<L: Listener>(value: Option<Variant>, listener: &mut L) {
    let mut bytes = Vec::new();
    let written = value.and_then(|value| super::leaf_alone(&value, &mut bytes));
    let token = written.and_then(|()| token::read(&mut Cursor::new(&bytes), &RULES).ok());
    listener.foretell(match &token {
        Some(Token::Leaf(Leaf::Callable | Leaf::ObjectId(_) | Leaf::Rid(_) | Leaf::Signal(..))) => None,
        Some(Token::Leaf(leaf)) => Some(leaf),
        _ => None,
    });
}

fn node_path<L: Listener>(value: &Variant, encoder: &mut L) -> Result<(), Fault> {
    let path: NodePath = taken(value, encoder)?;
    let (names, subnames) = (path.get_name_count(), path.get_subname_count());
    let absolute = value.call(&*IS_ABSOLUTE, &[]).booleanize();
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    encoder.open(&Container::NodePath { absolute, names: count(names), subnames: count(subnames) })?;
    for name in (0..names).map(|at| path.get_name(at)).chain((0..subnames).map(|at| path.get_subname(at))) {
        encoder.text_chars(TextForm::PathName, GString::from(&name).chars())?;
    }
    encoder.close()
}

fn packed_strings<L: Listener>(value: &Variant, encoder: &mut L) -> Result<(), Fault> {
    let strings: PackedStringArray = taken(value, encoder)?;
    let strings = strings.as_slice();
    let count = i32::try_from(strings.len()).map_err(|_| encoder.fault(ErrorKind::TooLong))?;
    encoder.open(&Container::PackedStrings { count: count.cast_unsigned() })?;
    for text in strings {
        encoder.text_chars(TextForm::Terminated, text.chars())?;
    }
    encoder.close()
}
