//! Dialects as scripts name them: `VariantStream.Dialect`, the property that has it, and the arguments that do.

use std::borrow::Cow;

use godot::builtin::{Variant, VariantType};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::register::info::{PropertyHint, PropertyHintInfo, PropertyInfo};

use crate::codec::{Dialect, Problem};
use crate::raw::register::enum_info;

/// `VariantStream.Dialect`.
pub(super) const DIALECTS: [(&str, i64); 3] = [("GODOT_4", 0), ("GODOT_3", 1), ("DOCUMENTED", 2)];
const DIALECT_ENUM: &str = "VariantStream.Dialect";

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

/// The property `dialect`.
pub(super) fn dialect_info() -> PropertyInfo {
    PropertyInfo {
        hint_info: PropertyHintInfo {
            hint: PropertyHint::ENUM,
            hint_string: "Godot 4:0,Godot 3:1,Documented:2".into(),
        },
        ..enum_info("dialect", DIALECT_ENUM)
    }
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

/// A dialect on its way to or from a property, where it is an int with the enum's name.
#[derive(Debug)]
pub(super) struct DialectNumber(pub(super) Dialect);

impl GodotConvert for DialectNumber {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        GodotShape::Enum {
            variant_type: VariantType::INT,
            enumerators: Cow::Borrowed(&[]),
            godot_name: Some(DIALECT_ENUM.into()),
            is_bitfield: false,
        }
    }
}

impl ToGodot for DialectNumber {
    type Pass = ByValue;

    fn to_godot(&self) -> i64 {
        number(self.0)
    }
}

impl FromGodot for DialectNumber {
    fn try_from_godot(number: i64) -> Result<Self, ConvertError> {
        Ok(Self(from_number(number).unwrap_or_default()))
    }
}
