//! Turns single numbers into codes and codes into bits: one form for each way in which a schema lets a number be packed.

use variant_core::ErrorKind;
use variant_schema::{Packing, Width};

use crate::bits::{BitReader, BitWriter, unzigzag, varint_bits, width, zigzag};
use crate::fault::Outcome;
use crate::grid::{Grid, code_of, narrow, number_of, rounded};
use crate::half;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    Real(f64),
}

impl Number {
    pub(crate) const fn real(self) -> f64 {
        match self {
            Number::Real(number) => number,
            Number::Int(_) => f64::NAN,
        }
    }

    pub(crate) const fn int(self) -> i64 {
        match self {
            Number::Int(number) => number,
            Number::Real(_) => 0,
        }
    }
}

/// How a number is packed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub enum Form {
    /// Whole numbers `step` apart, from `min` on, `last` more of them.
    Span {
        min: i64,
        step: i64,
        last: u64,
        width: u32,
        is_clamped: bool,
    },
    /// Whole numbers `step` apart without an end on one side or both.
    Open {
        from: Start,
        step: i64,
    },
    /// A float of 64 bits, shorter where 32 hold it.
    Free,
    /// A float as it is kept in so many bits.
    Raw {
        width: Width,
        is_lossy: bool,
    },
    Grid(Grid),
    /// Numbers `step` apart on both sides of 0.
    Steps {
        step: f64,
        is_narrow: bool,
    },
    /// Parts of a whole turn.
    Angle {
        bits: u32,
    },
}

/// Where whole numbers without an end are counted from: up, down or both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub enum Start {
    Min(i64),
    Max(i64),
    Zero,
}

/// The one form of what is not a number, in 64 and in 32 bits.
const NAN: u64 = 0x7FF8_0000_0000_0000;
const NAN_32: u64 = 0x7FC0_0000;
/// Codes of steps beyond these would not come back: the numbers there are no longer a step apart.
const MOST_NARROW_STEPS: f64 = 4_194_304.0;
const MOST_WIDE_STEPS: f64 = 2_251_799_813_685_248.0;

impl Form {
    /// Whole numbers `step` apart in these bounds, in the bits that are asked for or as many as are needed.
    pub(crate) fn of_ints(min: i64, max: i64, step: i64, packing: &Packing) -> Form {
        let first = min.checked_add(step.saturating_sub(1)).unwrap_or(i64::MAX).div_euclid(step);
        let last = max.div_euclid(step).wrapping_sub(first).cast_unsigned();
        let width = width(last).max(packing.bits.unwrap_or(0));
        Form::Span { min: first.saturating_mul(step), step, last, width, is_clamped: packing.clamped }
    }

    #[inline]
    pub(crate) fn code(&self, number: Number) -> Result<u64, ErrorKind> {
        match *self {
            Form::Span { min, step, last, is_clamped: false, .. } => span(number.int(), min, step, last),
            Form::Span { min, step, last, .. } => Ok(clamped(number.int(), min, step, last)),
            Form::Open { from, step } => open(number.int(), from, step),
            Form::Free => Ok(canonical(number.real())),
            Form::Raw { width: Width::Single, is_lossy: false } => {
                short(number.real().to_bits()).ok_or(ErrorKind::OutOfRange)
            }
            Form::Raw { width, .. } => raw(number.real(), width),
            Form::Grid(ref grid) => grid.code(number.real()),
            Form::Steps { step, is_narrow } => {
                let number = number.real();
                let most = if is_narrow { MOST_NARROW_STEPS } else { MOST_WIDE_STEPS };
                steps(number, number / step, most).map(zigzag)
            }
            Form::Angle { bits } => {
                let number = number.real();
                let turn = number_of(1_u64.wrapping_shl(bits));
                let steps = steps(number, number / std::f64::consts::TAU * turn, MOST_WIDE_STEPS)?;
                Ok(steps.cast_unsigned() & 1_u64.wrapping_shl(bits).wrapping_sub(1))
            }
        }
    }

    #[inline]
    pub(crate) fn number(&self, code: u64) -> Number {
        match *self {
            Form::Span { min, step, .. } => {
                Number::Int(min.wrapping_add(code.cast_signed().wrapping_mul(step)))
            }
            Form::Open { from, step } => {
                let steps = |code: u64| code.cast_signed().wrapping_mul(step);
                Number::Int(match from {
                    Start::Min(min) => min.wrapping_add(steps(code)),
                    Start::Max(max) => max.wrapping_sub(steps(code)),
                    Start::Zero => unzigzag(code).wrapping_mul(step),
                })
            }
            Form::Free => Number::Real(f64::from_bits(code)),
            Form::Raw { width, .. } => Number::Real(match width {
                Width::Half => half::to_f64(u16::try_from(code).unwrap_or(0)),
                Width::Single => f64::from(f32::from_bits(u32::try_from(code).unwrap_or(0))),
                Width::Double => f64::from_bits(code),
            }),
            Form::Grid(ref grid) => Number::Real(grid.number(code)),
            Form::Steps { step, is_narrow } => {
                let number = number_of_signed(unzigzag(code)) * step;
                Number::Real(if is_narrow { narrow(number) } else { number } + 0.0)
            }
            Form::Angle { bits } => {
                let half = 1_u64.wrapping_shl(bits).wrapping_shr(1);
                let turn = number_of(1_u64.wrapping_shl(bits));
                let steps = if code >= half { number_of(code) - turn } else { number_of(code) };
                Number::Real(steps * (std::f64::consts::TAU / turn))
            }
        }
    }

    pub(crate) fn is_code(&self, code: u64) -> Result<(), ErrorKind> {
        let (is_fine, wrong) = match *self {
            Form::Span { last, .. } | Form::Grid(Grid { last, .. }) => (code <= last, ErrorKind::OutOfRange),
            Form::Open { from, step } => (is_open_code(code, from, step), ErrorKind::OutOfRange),
            Form::Steps { .. } => (self.code(self.number(code))? == code, ErrorKind::OutOfRange),
            Form::Free => (canonical(f64::from_bits(code)) == code, ErrorKind::NotCanonical),
            Form::Raw { width, .. } => (is_raw_code(code, width), ErrorKind::NotCanonical),
            Form::Angle { .. } => return Ok(()),
        };
        if is_fine { Ok(()) } else { Err(wrong) }
    }

    #[inline]
    pub(crate) fn write(&self, code: u64, bits: &mut BitWriter) {
        match *self {
            Form::Open { .. } | Form::Steps { .. } => bits.varint(code),
            Form::Free => match short(code) {
                Some(short) => {
                    bits.bit(true);
                    bits.put(short, 32);
                }
                None => {
                    bits.bit(false);
                    bits.put(code, 64);
                }
            },
            _ => bits.put(code, self.width()),
        }
    }

    #[inline]
    pub(crate) fn read(&self, bits: &mut BitReader<'_>) -> Outcome<u64> {
        let code = match *self {
            Form::Open { .. } | Form::Steps { .. } => bits.varint()?.ok_or(ErrorKind::OutOfRange)?,
            Form::Free if bits.bit()? => {
                let word = bits.take(32)?;
                let number = f64::from(f32::from_bits(u32::try_from(word).unwrap_or(0)));
                if number.is_nan() && word != NAN_32 {
                    return Err(ErrorKind::NotCanonical.into());
                }
                canonical(number)
            }
            Form::Free => {
                let code = bits.take(64)?;
                if short(code).is_some() || f64::from_bits(code).is_nan() {
                    return Err(ErrorKind::NotCanonical.into());
                }
                code
            }
            _ => bits.take(self.width())?,
        };
        self.is_code(code)?;
        Ok(code)
    }

    /// The bits of every code, where they are as many.
    #[must_use]
    pub fn width(&self) -> u32 {
        match self {
            Form::Span { width, .. } => *width,
            Form::Raw { width: Width::Half, .. } => 16,
            Form::Raw { width: Width::Single, .. } => 32,
            Form::Raw { width: Width::Double, .. } => 64,
            Form::Grid(grid) => grid.width(),
            Form::Angle { bits } => *bits,
            Form::Open { .. } | Form::Steps { .. } | Form::Free => 0,
        }
    }

    /// The width, where neighbours have codes next to each other, so that a delta may say how far it is.
    pub(crate) fn relative(&self) -> Option<u32> {
        matches!(self, Form::Span { .. } | Form::Grid(_)).then(|| self.width())
    }

    /// The least and the most bits.
    pub(crate) fn bits(&self) -> (u64, u64) {
        match self {
            Form::Open { .. } => (6, 67),
            Form::Steps { is_narrow, .. } => {
                let most = if *is_narrow { MOST_NARROW_STEPS } else { MOST_WIDE_STEPS };
                (6, u64::from(varint_bits(code_of(most * 2.0))))
            }
            Form::Free => (33, 65),
            other => (u64::from(other.width()), u64::from(other.width())),
        }
    }
}

#[inline]
fn span(number: i64, min: i64, step: i64, last: u64) -> Result<u64, ErrorKind> {
    let code = steps_above(number, min, step);
    match () {
        () if number < min || code > last => Err(ErrorKind::OutOfRange),
        () if step != 1
            && code.wrapping_mul(step.cast_unsigned()) != number.wrapping_sub(min).cast_unsigned() =>
        {
            Err(ErrorKind::NotMultiple)
        }
        () => Ok(code),
    }
}

fn clamped(number: i64, min: i64, step: i64, last: u64) -> u64 {
    if number < min { 0 } else { steps_above(number, min, step).min(last) }
}

#[inline]
fn steps_above(number: i64, min: i64, step: i64) -> u64 {
    let above = number.wrapping_sub(min).cast_unsigned();
    if step == 1 { above } else { above.checked_div(step.cast_unsigned()).unwrap_or(above) }
}

fn open(number: i64, from: Start, step: i64) -> Result<u64, ErrorKind> {
    let whole = |above: u64| match above.checked_rem(step.cast_unsigned()) {
        Some(0) => Ok(above.checked_div(step.cast_unsigned()).unwrap_or(above)),
        _ => Err(ErrorKind::NotMultiple),
    };
    match from {
        Start::Min(min) if number < min => Err(ErrorKind::OutOfRange),
        Start::Max(max) if number > max => Err(ErrorKind::OutOfRange),
        Start::Min(min) => whole(number.wrapping_sub(min).cast_unsigned()),
        Start::Max(max) => whole(max.wrapping_sub(number).cast_unsigned()),
        Start::Zero if number.checked_rem(step) == Some(0) => {
            Ok(zigzag(number.checked_div(step).unwrap_or(number)))
        }
        Start::Zero => Err(ErrorKind::NotMultiple),
    }
}

/// Whether the number of this code is one of 64 bits.
fn is_open_code(code: u64, from: Start, step: i64) -> bool {
    let wide = i128::from(code).saturating_mul(i128::from(step));
    let number = match from {
        Start::Min(min) => i128::from(min).saturating_add(wide),
        Start::Max(max) => i128::from(max).saturating_sub(wide),
        Start::Zero => i128::from(unzigzag(code)).saturating_mul(i128::from(step)),
    };
    i64::try_from(number).is_ok()
}

fn canonical(number: f64) -> u64 {
    if number.is_nan() { NAN } else { number.to_bits() }
}

/// Whether these 32 bits are those of a number, or the one form of what is none.
#[inline]
pub(crate) fn is_single_code(code: u64) -> bool {
    is_raw_code(code, Width::Single)
}

#[inline]
pub(crate) fn single_code(number: f32) -> u64 {
    if number.is_nan() { NAN_32 } else { u64::from(number.to_bits()) }
}

/// Whether these bits are those of a number, or the one form of what is none.
#[inline]
fn is_raw_code(code: u64, width: Width) -> bool {
    let (sign, infinity, nan) = match width {
        Width::Half => (0x8000, 0x7C00, u64::from(half::NAN)),
        Width::Single => (0x8000_0000, 0x7F80_0000, NAN_32),
        Width::Double => (0x8000_0000_0000_0000, 0x7FF0_0000_0000_0000, NAN),
    };
    code & !sign <= infinity || code == nan
}

/// The form of 32 bits, if it is the same number.
#[expect(clippy::cast_possible_truncation, reason = "asked afterwards whether it is the same")]
fn short(code: u64) -> Option<u64> {
    let number = f64::from_bits(code);
    let short = number as f32;
    (number.is_nan() || f64::from(short).to_bits() == code).then(|| single_code(short))
}

#[expect(clippy::cast_possible_truncation, reason = "narrowing is the point")]
fn raw(number: f64, width: Width) -> Result<u64, ErrorKind> {
    match width {
        Width::Half => half::from_f64(number).map(u64::from).ok_or(ErrorKind::OutOfRange),
        Width::Double => Ok(canonical(number)),
        Width::Single if (number as f32).is_infinite() && number.is_finite() => Err(ErrorKind::OutOfRange),
        Width::Single => Ok(single_code(number as f32)),
    }
}

/// A finite number as whole steps.
#[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^52")]
fn steps(number: f64, steps: f64, most: f64) -> Result<i64, ErrorKind> {
    let steps = rounded(steps);
    match () {
        () if !number.is_finite() => Err(ErrorKind::NotFinite),
        () if steps.abs() > most => Err(ErrorKind::OutOfRange),
        () => Ok(steps as i64),
    }
}

#[expect(clippy::cast_precision_loss, reason = "below 2^52, or refused when it comes back as another number")]
fn number_of_signed(steps: i64) -> f64 {
    steps as f64
}
