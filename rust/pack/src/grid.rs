//! Counts equally far apart numbers between two ends. All of it is exactly rounded arithmetic, so that every machine
//! gets the same numbers: no fused operations, no functions of a mathematical library.

use variant_core::ErrorKind;

use crate::bits::width;

/// Numbers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub struct Grid {
    pub min: f64,
    pub max: f64,
    pub step: f64,
    /// The code of `max`.
    pub last: u64,
    /// The ends as they are unpacked: those numbers of 32 bits, where the target has 32.
    pub least: f64,
    pub most: f64,
    /// Numbers beyond these are outside.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether numbers are rounded to 32 bits.
    pub is_narrow: bool,
    pub is_clamped: bool,
}

/// How the ends of a range become numbers of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// They stay.
    Wide,
    /// The nearest, as the check of a range takes them.
    Nearest,
    /// The nearest that is inside.
    Inside,
}

impl Grid {
    /// Numbers `step` apart; the range is a whole number of steps.
    pub(crate) fn of_step(min: f64, max: f64, step: f64, ends: Ends) -> Grid {
        Grid::new(min, max, step, code_of(((max - min) / step).round_ties_even()), ends)
    }

    /// As many as so many bits tell apart; where the range is symmetric one less, so that 0 is among them.
    pub(crate) fn of_bits(min: f64, max: f64, bits: u32, ends: Ends) -> Grid {
        let all = 1_u64.checked_shl(bits).unwrap_or(0).wrapping_sub(1);
        let last = if is_same(min, -max) && all > 1 { all.wrapping_sub(1) } else { all };
        Grid::new(min, max, (max - min) / number_of(last), last, ends)
    }

    fn new(min: f64, max: f64, step: f64, last: u64, ends: Ends) -> Grid {
        let (least, most) = match ends {
            Ends::Wide => (min, max),
            Ends::Nearest => (narrow(min), narrow(max)),
            Ends::Inside => (inside(min, 1.0), inside(max, -1.0)),
        };
        let is_narrow = ends != Ends::Wide;
        let (low, high) = (least.min(min), most.max(max));
        let (least, most) = (least + 0.0, most + 0.0);
        Grid { min, max, step, last, least, most, low, high, is_narrow, is_clamped: false }
    }

    pub(crate) fn width(&self) -> u32 {
        width(self.last)
    }

    #[inline(always)]
    pub(crate) fn code(&self, number: f64) -> Result<u64, ErrorKind> {
        if !(number >= self.low && number <= self.high) {
            return self.outside(number);
        }
        // At the ends it may be beyond the range by what 32 bits do not tell apart.
        let inside = if number < self.min { self.min } else { number.min(self.max) };
        Ok(rounded_code((inside - self.min) / self.step).min(self.last))
    }

    #[cold]
    fn outside(&self, number: f64) -> Result<u64, ErrorKind> {
        match () {
            () if !number.is_finite() => Err(ErrorKind::NotFinite),
            () if !self.is_clamped => Err(ErrorKind::OutOfRange),
            () => Ok(if number < self.min { 0 } else { self.last }),
        }
    }

    #[inline(always)]
    pub(crate) fn number(&self, code: u64) -> f64 {
        if code == 0 {
            return self.least;
        }
        if code >= self.last {
            return self.most;
        }
        let number = self.min + number_of(code) * self.step;
        // 0.0 for -0.0.
        (if self.is_narrow { narrow(number) } else { number }) + 0.0
    }
}

#[expect(clippy::float_cmp, reason = "exactly symmetric or not")]
fn is_same(a: f64, b: f64) -> bool {
    a == b
}

/// A sum with this number has no bits left for parts of 1: adding it rounds as the function of the standard library does, which
/// is a call on some machines.
const WHOLE: f64 = 6_755_399_441_055_744.0;
/// It does so for numbers below this one.
const MOST: f64 = 2_251_799_813_685_248.0;

/// The nearest whole number, the even one of two. The sign of a 0 is lost.
#[inline(always)]
pub(crate) fn rounded(number: f64) -> f64 {
    if number.abs() < MOST { (number + WHOLE) - WHOLE } else { number.round_ties_even() }
}

/// That number as a code. The sum has it in its lowest bits.
#[inline(always)]
fn rounded_code(steps: f64) -> u64 {
    if steps < MOST {
        (steps + WHOLE).to_bits().wrapping_sub(WHOLE.to_bits())
    } else {
        code_of(steps.round_ties_even())
    }
}

/// A whole number that is not negative and below 2^63: a signed one takes one instruction.
#[expect(clippy::cast_possible_truncation, reason = "whole, and saturating")]
#[inline(always)]
pub(crate) fn code_of(steps: f64) -> u64 {
    (steps as i64).cast_unsigned()
}

/// Codes of grids are below 2^53.
#[expect(clippy::cast_precision_loss, reason = "below 2^53")]
#[inline(always)]
pub(crate) fn number_of(code: u64) -> f64 {
    code.cast_signed() as f64
}

/// The nearest number of 32 bits.
#[expect(clippy::cast_possible_truncation, reason = "narrowing is the point")]
pub(crate) fn narrow(number: f64) -> f64 {
    f64::from(number as f32)
}

/// The nearest number of 32 bits that is not beyond this one; `towards` points inside.
#[expect(clippy::cast_possible_truncation, reason = "narrowing is the point")]
fn inside(number: f64, towards: f64) -> f64 {
    let near = number as f32;
    let is_beyond = (number - f64::from(near)) * towards > 0.0;
    f64::from(match (is_beyond, towards > 0.0) {
        (false, _) => near,
        (true, true) => near.next_up(),
        (true, false) => near.next_down(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back(grid: &Grid, codes: impl Iterator<Item = u64>) {
        for code in codes {
            let number = grid.number(code);
            assert_eq!(grid.code(number), Ok(code), "{grid:?}: {number}");
        }
    }

    #[test]
    fn codes_are_fixed_points() {
        comes_back(&Grid::of_step(-512.0, 512.0, 0.01, Ends::Inside), 0..=102_400);
        comes_back(&Grid::of_step(-20.0, 20.0, 0.05, Ends::Nearest), 0..=800);
        comes_back(&Grid::of_step(0.1, 0.7, 0.1, Ends::Wide), 0..=6);
        comes_back(&Grid::of_bits(-1.0, 1.0, 20, Ends::Nearest), 0..(1 << 20) - 1);
        let fine = Grid::of_bits(-1.0, 1.0, 32, Ends::Wide);
        comes_back(&fine, (0..1_000_000).map(|n| n * 4294));
        comes_back(&fine, [fine.last, fine.last - 1].into_iter());
    }

    #[test]
    fn numbers_are_rounded_as_elsewhere() {
        let wholes =
            [0.0, 1.0, 2.0, 7.0, 4_194_303.0, 2_251_799_813_685_246.0, 4_503_599_627_370_495.0, 1e300];
        for whole in wholes {
            for part in [0.0, 0.25, 0.5, 0.5 - 1e-9, 0.5 + 1e-9, 0.75] {
                for number in [whole + part, -whole - part] {
                    let number: f64 = number;
                    for number in [number, number.next_up(), number.next_down()] {
                        assert_eq!(rounded(number), number.round_ties_even(), "{number}");
                    }
                }
            }
        }
        assert!(rounded(f64::NAN).is_nan() && rounded(f64::INFINITY).is_infinite());
    }

    #[test]
    fn zero_is_exact_and_the_error_is_half_a_step() {
        let grid = Grid::of_bits(-1.0, 1.0, 8, Ends::Wide);
        assert_eq!((grid.last, grid.number(127).to_bits()), (254, 0.0_f64.to_bits()));
        let grid = Grid::of_step(-20.0, 20.0, 0.05, Ends::Wide);
        assert_eq!(grid.number(grid.code(-0.0).unwrap()).to_bits(), 0.0_f64.to_bits());
        for n in 0..100_000 {
            let number = -20.0 + f64::from(n) * 0.0004;
            let error = (grid.number(grid.code(number).unwrap()) - number).abs();
            assert!(error <= 0.025 + 1e-12, "{number}: {error}");
        }
    }

    #[test]
    fn ends_are_ends() {
        let grid = Grid::of_step(0.1, 0.7, 0.1, Ends::Nearest);
        assert_eq!(grid.number(0), f64::from(0.1_f32));
        assert_eq!(grid.number(6), f64::from(0.7_f32));
        assert_eq!(grid.code(f64::from(0.1_f32)), Ok(0));
        assert_eq!(grid.code(0.7001), Err(ErrorKind::OutOfRange));
        assert_eq!(grid.code(f64::NAN), Err(ErrorKind::NotFinite));
        let inside = Grid::of_step(0.1, 0.7, 0.1, Ends::Inside);
        assert!(inside.number(0) >= 0.1 && inside.number(6) <= 0.7);
        let clamped = Grid { is_clamped: true, ..grid };
        assert_eq!((clamped.code(-9.0), clamped.code(9.0)), (Ok(0), Ok(6)));
        assert_eq!(clamped.code(f64::INFINITY), Err(ErrorKind::NotFinite));
    }
}
