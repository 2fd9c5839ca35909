//! Makes String and StringName of texts.

use godot::builtin::{GString, StringName};
use variant_core::token::Text;

/// The byte order mark. The engine's UTF-8 constructor drops a leading one. The walker has already dropped
/// the one that Godot drops, so a second one is text and is given as a character.
pub(super) const BOM: char = '\u{FEFF}';

pub(super) fn string(text: &Text<'_>) -> GString {
    string_from(text.as_str())
}

pub(super) fn string_from(text: &str) -> GString {
    if text.starts_with(BOM) {
        return GString::from(text.chars().collect::<Vec<_>>().as_slice());
    }
    GString::from(text)
}

pub(super) fn string_name(text: &Text<'_>) -> StringName {
    StringName::from(&string(text))
}
