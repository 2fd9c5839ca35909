//! Writes numbers as text that reads back to the same bits.

use std::fmt::{self, Display};

/// The whole numbers that every JSON reader keeps: up to 2^53.
pub(crate) const SAFE_INT: u64 = 1 << 53;

const NAN_32: u32 = 0x7FC0_0000;
const NAN_64: u64 = 0x7FF8_0000_0000_0000;

/// Holds a number as it is shown; a real one in its width.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NumberText {
    Int(i64),
    Single(f32),
    Double(f64),
}

impl NumberText {
    pub(crate) const fn is_finite(self) -> bool {
        match self {
            NumberText::Int(_) => true,
            NumberText::Single(number) => number.is_finite(),
            NumberText::Double(number) => number.is_finite(),
        }
    }
}

/// Prints the shortest digits that read back to the number; a NaN with a payload of its own has its bits
/// behind it.
impl Display for NumberText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            NumberText::Int(number) => write!(f, "{number}"),
            NumberText::Single(number) if number.is_nan() && number.to_bits() != NAN_32 => {
                write!(f, "nan:{:08x}", number.to_bits())
            }
            NumberText::Double(number) if number.is_nan() && number.to_bits() != NAN_64 => {
                write!(f, "nan:{:016x}", number.to_bits())
            }
            NumberText::Single(number) if number.is_nan() => f.write_str("nan"),
            NumberText::Double(number) if number.is_nan() => f.write_str("nan"),
            NumberText::Single(number) => write_single(f, number),
            NumberText::Double(number) => write!(f, "{number:?}"),
        }
    }
}

/// Writes a single. A reader goes over a double: where the shortest digits of the single would round twice,
/// the digits of the double are written.
fn write_single(f: &mut fmt::Formatter<'_>, number: f32) -> fmt::Result {
    let digits = format!("{number:?}");
    let over_double = digits.parse::<f64>().map(narrowed);
    if over_double.is_ok_and(|read| read.to_bits() == number.to_bits()) {
        f.write_str(&digits)
    } else {
        write!(f, "{:?}", f64::from(number))
    }
}

macro_rules! define_special {
    ($name:ident $float:ident $bits:ident $nan:ident) => {
        /// Reads `inf`, `-inf`, `nan` and `nan:` with bits.
        pub(crate) fn $name(text: &str) -> Option<$float> {
            match text {
                "inf" => Some($float::INFINITY),
                "-inf" => Some($float::NEG_INFINITY),
                "nan" => Some($float::from_bits($nan)),
                _ => {
                    let bits = $bits::from_str_radix(text.strip_prefix("nan:")?, 16).ok()?;
                    Some($float::from_bits(bits)).filter(|number| number.is_nan())
                }
            }
        }
    };
}

define_special!(special_single f32 u32 NAN_32);
define_special!(special_double f64 u64 NAN_64);

/// Converts to single precision, as engines do.
pub(crate) const fn narrowed(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singles_come_back_over_doubles() {
        let step = if std::env::var_os("VARIANT_LONG").is_some() { 61 } else { 99_991 };
        for bits in (0..=u32::MAX).step_by(step) {
            let number = f32::from_bits(bits);
            let text = NumberText::Single(number).to_string();
            let read = special_single(&text).unwrap_or_else(|| narrowed(text.parse().unwrap()));
            assert_eq!(read.to_bits(), bits, "{text}");
        }
    }

    #[test]
    fn specials_have_names() {
        assert_eq!(NumberText::Double(f64::NEG_INFINITY).to_string(), "-inf");
        assert_eq!(NumberText::Double(-0.0).to_string(), "-0.0");
        assert_eq!(NumberText::Double(1.0).to_string(), "1.0");
        let payload = f64::from_bits(0xFFF8_0000_0000_0001);
        assert_eq!(NumberText::Double(payload).to_string(), "nan:fff8000000000001");
        assert_eq!(special_double("nan:3ff0000000000000"), None, "that is 1.0");
    }
}
