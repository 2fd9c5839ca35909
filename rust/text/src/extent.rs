//! Finds where the fields of a token end. It reads again what a walk has read, to show the bytes beside their
//! meaning.

use variant_core::cursor::{Cursor, padding};
use variant_core::token::{self, Container, ContainerType};
use variant_core::wire::Layout;
use variant_core::{Rules, VariantType};

pub(crate) fn leaf_end(bytes: &[u8], at: u64, ty: VariantType, rules: &Rules) -> u64 {
    let Some(rest) = from(bytes, at) else { return at };
    let mut cursor = Cursor::last_piece(rest, at);
    match token::read(&mut cursor, rules) {
        Ok(_) => cursor.at(),
        // It is text that only Godot 3 accepts: its length says where it ends.
        Err(_) if ty.layout() == Layout::Text => text_end(bytes, at + 4),
        Err(_) => at + 4,
    }
}

/// Returns the end of a bare text that begins at `at` with its length.
pub(crate) fn text_end(bytes: &[u8], at: u64) -> u64 {
    let length =
        from(bytes, at).and_then(|rest| rest.first_chunk()).map_or(0, |length| u32::from_le_bytes(*length));
    let length = u64::from(length);
    at + 4 + length + padding(length)
}

/// Returns the end of what a typed container declares at `at`.
pub(crate) fn descriptor_end(bytes: &[u8], at: u64, declared: &ContainerType<'_>) -> u64 {
    match declared {
        ContainerType::None => at,
        ContainerType::Builtin(_) => at + 4,
        ContainerType::Class(_) | ContainerType::Script(_) => text_end(bytes, at),
    }
}

/// Returns the end of a container's opening: its children come next.
pub(crate) fn opening_end(bytes: &[u8], at: u64, container: &Container<'_>) -> u64 {
    let header_end = at + 4;
    match container {
        Container::NodePath { .. } => header_end + 12,
        Container::Object { .. } => text_end(bytes, header_end) + 4,
        Container::PackedStrings { .. } => header_end + 4,
        Container::Array { element, .. } => descriptor_end(bytes, header_end, element) + 4,
        Container::Dictionary { key, value, .. } => {
            descriptor_end(bytes, descriptor_end(bytes, header_end, key), value) + 4
        }
    }
}

/// Returns the bytes from one offset to another, as far as they are there.
pub(crate) fn between(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let end = usize::try_from(to).unwrap_or(usize::MAX).min(bytes.len());
    let start = usize::try_from(from).unwrap_or(usize::MAX).min(end);
    &bytes[start..end]
}

fn from(bytes: &[u8], at: u64) -> Option<&[u8]> {
    bytes.get(usize::try_from(at).ok()?..)
}
