//! Enums on their way to or from a script, where they are ints with the enum's name: how all of them go there, and which
//! the stream classes have. And counts, which are ints there too.

use std::borrow::Cow;

use godot::builtin::{Variant, VariantType};
use godot::meta::conv::ByValue;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::meta::{FromGodot, GodotConvert, ToGodot};
use godot::register::info::{PropertyHint, PropertyHintInfo, PropertyInfo};
use variant_core::{Dialect, Framing};

use super::reader_outcome::Status;
use crate::call::problem::Problem;
use crate::raw::register::enum_info;

/// A count as a script sees it.
pub(super) fn saturated(count: impl TryInto<i64>) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// An enum that is a property of our classes.
pub(super) trait Choice: Copy + PartialEq + 'static {
    /// Its name in scripts.
    const ENUM: &'static str;
    /// The hint for the inspector.
    const HINT: &'static str;
    /// Its values with their numbers and constants.
    const VALUES: &'static [(Self, i64, &'static str)];

    fn number(self) -> i64 {
        Self::VALUES.iter().find(|(value, ..)| *value == self).map_or(0, |(_, number, _)| *number)
    }

    /// Its constants.
    fn constants() -> Vec<(&'static str, i64)> {
        Self::VALUES.iter().map(|(_, number, name)| (*name, *number)).collect()
    }

    /// `None` for a number that stands for nothing.
    fn of(wanted: i64) -> Option<Self> {
        Self::VALUES.iter().find(|(_, number, _)| *number == wanted).map(|(value, ..)| *value)
    }

    /// The property.
    fn info(name: &str) -> PropertyInfo {
        PropertyInfo {
            hint_info: PropertyHintInfo { hint: PropertyHint::ENUM, hint_string: Self::HINT.into() },
            ..enum_info(name, Self::ENUM)
        }
    }
}

/// Lists enums: the type, its name in scripts, the hint for the inspector, and each value with its number and constant.
macro_rules! choices {
    ($($ty:ident, $name:literal, $hint:literal { $($value:expr, $number:literal, $constant:literal;)* })*) => {
        $(impl crate::api::number::Choice for $ty {
            const ENUM: &'static str = $name;
            const HINT: &'static str = $hint;
            const VALUES: &'static [(Self, i64, &'static str)] = &[$(($value, $number, $constant)),*];
        })*
    };
}
pub(super) use choices;

/// The number as a getter gives it, or a method takes it.
#[derive(Clone, Debug)]
pub(super) struct EnumNumber<T>(pub(super) T);

impl<T: Choice> GodotConvert for EnumNumber<T> {
    type Via = i64;

    fn godot_shape() -> GodotShape {
        GodotShape::Enum {
            variant_type: VariantType::INT,
            enumerators: Cow::Borrowed(&[]),
            godot_name: Some(T::ENUM.into()),
            is_bitfield: false,
        }
    }
}

impl<T: Choice> ToGodot for EnumNumber<T> {
    type Pass = ByValue;

    fn to_godot(&self) -> i64 {
        self.0.number()
    }
}

impl<T: Choice> FromGodot for EnumNumber<T> {
    fn try_from_godot(number: i64) -> Result<Self, ConvertError> {
        let wrong = || ConvertError::new(format!("expected a constant of {}, got {number}", T::ENUM));
        T::of(number).map(EnumNumber).ok_or_else(wrong)
    }
}

/// An argument of a method: a constant of the enum and nothing else.
pub(super) fn argument<T: Choice>(name: &str, value: &Variant) -> Result<T, Problem> {
    let got = match value.get_type() {
        VariantType::INT => match T::of(value.to()) {
            Some(chosen) => return Ok(chosen),
            None => format!("int {}", value.to::<i64>()),
        },
        other => other.godot_type_name().to_owned(),
    };
    Err(Problem::wrong_type(name, &format!("a constant of {}", T::ENUM), &got))
}

/// How whoever reads finds the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ReadFraming {
    /// By what a file looks like.
    #[default]
    Auto,
    As(Framing),
}

impl ReadFraming {
    /// Returns how values stand that are fed as they come: nobody can look at what has not come.
    pub(super) const fn of_feed(self) -> Framing {
        match self {
            ReadFraming::Auto => Framing::None,
            ReadFraming::As(framing) => framing,
        }
    }
}

choices! {
    ReadFraming, "VariantReader.Framing", "None:0,U32:1,U32 big endian:2,Auto:3,Varint:4" {
        ReadFraming::As(Framing::None), 0, "FRAMING_NONE";
        ReadFraming::As(Framing::U32), 1, "FRAMING_U32";
        ReadFraming::As(Framing::U32Be), 2, "FRAMING_U32_BE";
        ReadFraming::Auto, 3, "FRAMING_AUTO";
        ReadFraming::As(Framing::Varint), 4, "FRAMING_VARINT";
    }
    Framing, "VariantReader.Framing", "None:0,U32:1,U32 big endian:2,Varint:4" {
        Framing::None, 0, "FRAMING_NONE";
        Framing::U32, 1, "FRAMING_U32";
        Framing::U32Be, 2, "FRAMING_U32_BE";
        Framing::Varint, 4, "FRAMING_VARINT";
    }
    Dialect, "VariantStream.Dialect", "Godot 4:0,Godot 3:1,Documented:2" {
        Dialect::Godot4, 0, "GODOT_4";
        Dialect::Godot3, 1, "GODOT_3";
        Dialect::Documented, 2, "DOCUMENTED";
    }
    Status, "VariantReader.Status", "" {
        Status::Ready, 0, "READY";
        Status::NeedMore, 1, "NEED_MORE";
        Status::Busy, 2, "BUSY";
        Status::Rejected, 3, "REJECTED";
        Status::Broken, 4, "BROKEN";
        Status::End, 5, "END";
    }
}
