//! Dialects as scripts name them: `VariantStream.Dialect`, for properties and arguments that have it.

use super::number::Choice;
use crate::call::codec::Dialect;

/// `VariantStream.Dialect`.
pub(super) const DIALECTS: [(&str, i64); 3] = [("GODOT_4", 0), ("GODOT_3", 1), ("DOCUMENTED", 2)];

impl Choice for Dialect {
    const ENUM: &'static str = "VariantStream.Dialect";
    const HINT: &'static str = "Godot 4:0,Godot 3:1,Documented:2";
    const CONSTANTS: &'static [(&'static str, i64)] = &DIALECTS;
    const VALUES: &'static [(Self, i64)] =
        &[(Dialect::Godot4, 0), (Dialect::Godot3, 1), (Dialect::Documented, 2)];
}
