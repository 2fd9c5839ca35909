//! Enums of the stream classes on their way to or from a script, where they are ints with the enum's name.

use std::borrow::Cow;

use godot::builtin::{Variant, VariantType};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use variant_core::Framing;

use super::reader_outcome::Status;
use crate::codec::Problem;

/// `VariantReader.Framing`.
pub(super) const FRAMINGS: [(&str, i64); 3] =
    [("FRAMING_NONE", 0), ("FRAMING_U32", 1), ("FRAMING_U32_BE", 2)];
pub(super) const FRAMING_ENUM: &str = "VariantReader.Framing";
/// `VariantReader.Status`.
pub(super) const STATUSES: [(&str, i64); 6] =
    [("READY", 0), ("NEED_MORE", 1), ("BUSY", 2), ("REJECTED", 3), ("BROKEN", 4), ("END", 5)];
pub(super) const STATUS_ENUM: &str = "VariantReader.Status";

/// The framing of a number; one that is none counts as no framing.
const fn framing(number: i64) -> Framing {
    match number {
        1 => Framing::U32,
        2 => Framing::U32Be,
        _ => Framing::None,
    }
}

/// The argument `framing` of a method: a constant of the enum and nothing else.
pub(super) fn framing_argument(value: &Variant) -> Result<Framing, Problem> {
    let got = match value.get_type() {
        VariantType::INT => match value.to::<i64>() {
            number @ 0..=2 => return Ok(framing(number)),
            number => format!("int {number}"),
        },
        other => other.godot_type_name().to_owned(),
    };
    Err(Problem::wrong_type("framing", "a constant of VariantReader.Framing", &got))
}

/// A framing as a property.
#[derive(Debug)]
pub(super) struct FramingNumber(pub(super) Framing);

impl GodotConvert for FramingNumber {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        enum_shape(FRAMING_ENUM)
    }
}

impl ToGodot for FramingNumber {
    type Pass = ByValue;

    fn to_godot(&self) -> i64 {
        match self.0 {
            Framing::U32 => 1,
            Framing::U32Be => 2,
            _ => 0,
        }
    }
}

impl FromGodot for FramingNumber {
    fn try_from_godot(number: i64) -> Result<Self, ConvertError> {
        Ok(Self(framing(number)))
    }
}

/// A status as an answer.
pub(super) const fn status_number(status: Status) -> i64 {
    match status {
        Status::Ready => 0,
        Status::NeedMore => 1,
        Status::Busy => 2,
        Status::Rejected => 3,
        Status::Broken => 4,
        Status::End => 5,
    }
}

fn enum_shape(name: &'static str) -> GodotShape {
    GodotShape::Enum {
        variant_type: VariantType::INT,
        enumerators: Cow::Borrowed(&[]),
        godot_name: Some(name.into()),
        is_bitfield: false,
    }
}
