//! Dialects as scripts name them: `VariantStream.Dialect`, for properties and arguments that have it.

use super::number::Choice;
use crate::codec::Dialect;

/// `VariantStream.Dialect`.
pub(super) const DIALECTS: [(&str, i64); 3] = [("GODOT_4", 0), ("GODOT_3", 1), ("DOCUMENTED", 2)];

/// A dialect's number in scripts.
pub(super) const fn number(dialect: Dialect) -> i64 {
    match dialect {
        Dialect::Godot3 => 1,
        Dialect::Documented => 2,
        // The core may come to know more; until they have a name here, nothing makes them.
        _ => 0,
    }
}

impl Choice for Dialect {
    const ENUM: &'static str = "VariantStream.Dialect";
    const HINT: &'static str = "Godot 4:0,Godot 3:1,Documented:2";
    const CONSTANTS: &'static [(&'static str, i64)] = &DIALECTS;

    fn number(self) -> i64 {
        number(self)
    }

    fn of(wanted: i64) -> Option<Self> {
        Dialect::ALL.into_iter().find(|dialect| number(*dialect) == wanted)
    }
}
