//! Converts numbers to 16 bits and back, exactly rounded: ties to even, never to infinity.

use crate::grid::rounded;

const INFINITY: u16 = 0x7C00;
/// The one form of what is not a number.
pub(crate) const NAN: u16 = 0x7E00;
const SIGN: u16 = 0x8000;

/// The nearest half, or `None` for a finite number beyond them.
pub(crate) fn from_f64(number: f64) -> Option<u16> {
    if number.is_nan() {
        return Some(NAN);
    }
    let sign = if number.is_sign_negative() { SIGN } else { 0 };
    let size = number.abs();
    if size.is_infinite() {
        return Some(sign | INFINITY);
    }
    // Steps between halves of this size: 2^-24 for the smallest, else 1024 from one power of two to the next.
    let exponent = i32::try_from(size.to_bits().wrapping_shr(52)).unwrap_or(0).wrapping_sub(1023).max(-14);
    let steps = rounded(size * power(10_i32.wrapping_sub(exponent)));
    let above = u16::try_from(exponent.wrapping_add(14)).unwrap_or(31).min(31).wrapping_shl(10);
    let code = u32::from(above).wrapping_add(whole(steps));
    u16::try_from(code).ok().filter(|code| *code < INFINITY).map(|code| sign | code)
}

/// The number that a half is.
pub(crate) fn to_f64(half: u16) -> f64 {
    let size = half & !SIGN;
    let exponent = i32::from(size.wrapping_shr(10));
    let steps = f64::from(size & 0x3FF);
    let number = match exponent {
        31 if steps > 0.0 => return f64::NAN,
        31 => f64::INFINITY,
        0 => steps * power(-24),
        _ => (steps + 1024.0) * power(exponent.wrapping_sub(25)),
    };
    if half & SIGN == 0 { number } else { -number }
}

/// 2 to this power, where that is a normal number.
fn power(exponent: i32) -> f64 {
    let field = u64::try_from(exponent.wrapping_add(1023)).unwrap_or(0);
    f64::from_bits(field.wrapping_shl(52))
}

/// Steps of a half are below 2049. A number too large for a half has its exponent cut, and the sum is beyond them all the same.
fn whole(steps: f64) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number in 0..=2048")]
    let steps = steps as u32;
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_comes_back() {
        for half in 0..=u16::MAX {
            let number = to_f64(half);
            let again = from_f64(number).unwrap();
            if number.is_nan() {
                assert_eq!(again, NAN);
            } else {
                assert_eq!(again, half, "{number}");
            }
        }
    }

    #[test]
    fn halves_are_exactly_rounded() {
        assert_eq!([1.0, -2.0, 65504.0, 0.5].map(|n| from_f64(n).unwrap()), [0x3C00, 0xC000, 0x7BFF, 0x3800]);
        assert_eq!(to_f64(1), 2.0_f64.powi(-24));
        assert_eq!(from_f64(65519.99).unwrap(), 0x7BFF);
        assert_eq!(from_f64(65520.0), None);
        assert_eq!(from_f64(-1e300), None);
        // Between two: to the even one.
        for half in 0..0x7BFF_u16 {
            let (low, high) = (to_f64(half), to_f64(half + 1));
            let even = if half % 2 == 0 { half } else { half + 1 };
            assert_eq!(from_f64(low.midpoint(high)), Some(even), "{low} {high}");
        }
    }
}
