//! Dialects as scripts name them: `VariantStream.Dialect`, the property that has it, and the arguments that do.

use godot::builtin::{Variant, VariantType};

use super::number::Choice;
use crate::codec::{Dialect, Problem};

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

fn from_number(wanted: i64) -> Option<Dialect> {
    Dialect::ALL.into_iter().find(|dialect| number(*dialect) == wanted)
}

/// An argument that names a dialect.
pub(super) fn argument(name: &str, value: &Variant) -> Result<Dialect, Problem> {
    let wanted = "a constant of VariantStream.Dialect";
    match value.get_type() {
        VariantType::INT => from_number(value.to())
            .ok_or_else(|| Problem::wrong_type(name, wanted, &format!("int {}", value.to::<i64>()))),
        other => Err(Problem::wrong_type(name, wanted, other.godot_type_name())),
    }
}

impl Choice for Dialect {
    const ENUM: &'static str = "VariantStream.Dialect";
    const HINT: &'static str = "Godot 4:0,Godot 3:1,Documented:2";

    fn number(self) -> i64 {
        number(self)
    }

    fn of(number: i64) -> Self {
        from_number(number).unwrap_or_default()
    }
}
