//! Makes the few values that no public constructor can make, by the engine's own `bytes_to_var`.
//!
//! These are a null object, an object id, a signal of an object that may be freed, a NodePath whose names no
//! text can express, and an empty typed dictionary. Each is written again, alone, from its checked parts. The
//! bytes are ours and valid, so nothing is printed and nothing of the input reaches the engine unchecked.

use std::borrow::Cow;

use godot::builtin::{PackedByteArray, Variant};
use godot::global::bytes_to_var;
use variant_core::token::{Container, Leaf, Text, TextForm};
use variant_core::{Encoder, Fault, Limits, Refusal};

use super::text::BOM;

pub(super) fn build(leaf: &Leaf<'_>) -> Result<Variant, Refusal> {
    // The writer would make nil of a null object id, so its bytes are given here.
    if let Leaf::ObjectId(0) = leaf {
        return Ok(by_engine(&[24, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    }
    if let Leaf::Signal(name, object) = leaf {
        let name = marked(name.as_str());
        return encoded(|encoder| encoder.leaf(&Leaf::Signal(Text::new(&name), *object)));
    }
    encoded(|encoder| encoder.leaf(leaf))
}

/// Makes a container without children that are values: an empty typed dictionary, or a NodePath with these
/// names.
pub(super) fn build_container(container: &Container<'_>, names: &[String]) -> Result<Variant, Refusal> {
    encoded(|encoder| {
        encoder.open(container)?;
        names.iter().try_for_each(|name| encoder.text(TextForm::PathName, &marked(name)))?;
        encoder.close();
        Ok(())
    })
}

/// Adds a byte order mark before a leading one, because the engine drops one. The walker has dropped that of
/// the input already, so a second one is text.
fn marked(text: &str) -> Cow<'_, str> {
    if text.starts_with(BOM) { Cow::Owned(format!("{BOM}{text}")) } else { Cow::Borrowed(text) }
}

fn encoded(write: impl FnOnce(&mut Encoder<'_>) -> Result<(), Fault>) -> Result<Variant, Refusal> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, &Limits::engine());
    write(&mut encoder).and_then(|()| encoder.finish()).map_err(|fault| fault.kind)?;
    Ok(by_engine(&bytes))
}

fn by_engine(bytes: &[u8]) -> Variant {
    bytes_to_var(&PackedByteArray::from(bytes))
}
