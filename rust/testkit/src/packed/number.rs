//! Packs single numbers as the tables of the format's page say, in integers of 128 bits and floats of 64.

use variant_core::VariantType as T;
use variant_schema::{Number as Bound, Schema, Width};

use super::bits::{Bits, Source, bits_of, unzigzag, zigzag};

/// A number of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Num {
    Int(i64),
    Real(f64),
}

/// How a number is packed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// The multiples from `first` to `last`, in so many bits.
    Range {
        first: i128,
        last: i128,
        step: i128,
        width: u32,
        clamped: bool,
    },
    /// A varint, counted up or down from somewhere.
    From {
        first: i128,
        step: i128,
    },
    To {
        last: i128,
        step: i128,
    },
    Around {
        step: i128,
    },
    /// 1 and 32 bits, or 64.
    Free,
    Half,
    Single {
        lossy: bool,
    },
    Double,
    Grid(Grid),
    /// A varint of steps, at most so many.
    Steps {
        step: f64,
        most: f64,
        narrow: bool,
    },
    Angle(u32),
}

/// Steps between two ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    min: f64,
    max: f64,
    step: f64,
    last: u64,
    /// The ends as they come out.
    least: f64,
    most: f64,
    narrow: bool,
    clamped: bool,
}

/// Which number of 32 bits an end becomes.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ends {
    Wide,
    Nearest,
    Inside,
}

fn narrow(number: f64) -> f64 {
    f64::from(number as f32)
}

impl Grid {
    fn new((min, max): (f64, f64), step: f64, last: u64, ends: Ends, clamped: bool) -> Grid {
        let up = |n: f64| if narrow(n) < n { f64::from((n as f32).next_up()) } else { narrow(n) };
        let down = |n: f64| if narrow(n) > n { f64::from((n as f32).next_down()) } else { narrow(n) };
        let (least, most) = match ends {
            Ends::Wide => (min, max),
            Ends::Nearest => (narrow(min), narrow(max)),
            Ends::Inside => (up(min), down(max)),
        };
        Grid {
            min,
            max,
            step,
            last,
            least: least + 0.0,
            most: most + 0.0,
            narrow: ends != Ends::Wide,
            clamped,
        }
    }

    pub(super) fn steps(range: (f64, f64), step: f64, ends: Ends, clamped: bool) -> Kind {
        let last = ((range.1 - range.0) / step).round_ties_even() as u64;
        Kind::Grid(Grid::new(range, step, last, ends, clamped))
    }

    pub(super) fn bits(range: (f64, f64), bits: u32, ends: Ends, clamped: bool) -> Kind {
        let all = 2_u64.pow(bits) - 1;
        let last = if range.0 == -range.1 && all > 1 { all - 1 } else { all };
        Kind::Grid(Grid::new(range, (range.1 - range.0) / last as f64, last, ends, clamped))
    }

    fn code(&self, number: f64) -> Option<u128> {
        let is_inside = number >= self.least.min(self.min) && number <= self.most.max(self.max);
        if !number.is_finite() || !(is_inside || self.clamped) {
            return None;
        }
        let number = number.clamp(self.min, self.max);
        let code = ((number - self.min) / self.step).round_ties_even() as u64;
        Some(u128::from(code.min(self.last)))
    }

    fn number(&self, code: u128) -> Option<f64> {
        let code = u64::try_from(code).ok().filter(|code| *code <= self.last)?;
        Some(match code {
            0 => self.least,
            _ if code == self.last => self.most,
            _ => {
                let number = self.min + code as f64 * self.step;
                (if self.narrow { narrow(number) } else { number }) + 0.0
            }
        })
    }
}

impl Kind {
    /// The kind of an int; `lane` is what holds the number.
    pub(super) fn int(schema: &Schema, lane: Option<(i64, i64)>) -> Kind {
        let demands = schema.demands();
        let whole =
            |bound: Option<Bound>| if let Some(Bound::Int(bound)) = bound { Some(bound) } else { None };
        let step = i128::from(whole(demands.multiple_of).unwrap_or(1));
        let (mut min, mut max) = (whole(demands.min), whole(demands.max));
        if let Some((least, most)) = lane {
            min = Some(min.unwrap_or(least).clamp(least, most));
            max = Some(max.unwrap_or(most).clamp(least, most));
        }
        let first = min.map(|min| -((-i128::from(min)).div_euclid(step)) * step);
        let last = max.map(|max| i128::from(max).div_euclid(step) * step);
        match (first, last) {
            (Some(first), Some(last)) => {
                let codes = u128::try_from((last - first) / step).unwrap_or(0);
                let width = bits_of(codes).max(demands.packing.bits.unwrap_or(0));
                Kind::Range { first, last, step, width, clamped: demands.packing.clamped }
            }
            (Some(first), None) => Kind::From { first, step },
            (None, Some(last)) => Kind::To { last, step },
            (None, None) => Kind::Around { step },
        }
    }

    /// The kind of a float, or of an element of a PackedFloat32Array.
    pub(super) fn float(schema: &Schema, is_narrow: bool) -> Kind {
        let demands = schema.demands();
        let packing = &demands.packing;
        let real = |bound: Option<Bound>| match bound {
            Some(Bound::Float(bound)) => Some(bound),
            Some(Bound::Int(bound)) => Some(bound as f64),
            None => None,
        };
        let range = real(demands.min).zip(real(demands.max));
        let ends = if is_narrow { Ends::Nearest } else { Ends::Wide };
        if let Some(bits) = packing.angle {
            return Kind::Angle(bits);
        }
        match (packing.quantized, packing.bits, packing.width) {
            (Some(grid), ..) => match range {
                Some(range) => Grid::steps(range, grid.step, ends, packing.clamped),
                None => Kind::of_steps(grid.step, is_narrow),
            },
            (_, Some(bits), _) => match range {
                Some(range) => Grid::bits(range, bits, ends, packing.clamped),
                None => Kind::Free,
            },
            (.., Some(Width::Half)) => Kind::Half,
            (.., Some(Width::Single)) => Kind::Single { lossy: packing.lossy },
            (.., Some(Width::Double)) if !is_narrow => Kind::Double,
            (.., None) if !is_narrow => Kind::Free,
            _ => Kind::Single { lossy: true },
        }
    }

    fn of_steps(step: f64, narrow: bool) -> Kind {
        Kind::Steps { step, most: if narrow { 2_f64.powi(22) } else { 2_f64.powi(51) }, narrow }
    }

    /// The kind of a number of a vector or such; `edge` is its range in `within()`.
    pub(super) fn part(schema: &Schema, edge: Option<(f64, f64)>, is_color: bool) -> Kind {
        let packing = &schema.demands().packing;
        let own = packing.quantized.and_then(|grid| grid.range).map(|range| (range, Ends::Nearest));
        let range = own.or(edge.map(|edge| (edge, Ends::Inside)));
        match (packing.quantized, packing.bits, packing.width) {
            (Some(grid), ..) => match range {
                Some((range, ends)) => Grid::steps(range, grid.step, ends, packing.clamped),
                None => Kind::of_steps(grid.step, true),
            },
            (_, Some(bits), _) => match range {
                Some((range, ends)) if range.0 < range.1 => Grid::bits(range, bits, ends, packing.clamped),
                _ if is_color => Grid::bits((0.0, 1.0), bits, Ends::Nearest, packing.clamped),
                _ => Kind::Single { lossy: true },
            },
            (.., Some(Width::Half)) => Kind::Half,
            (.., Some(Width::Double)) => Kind::Double,
            _ => Kind::Single { lossy: true },
        }
    }

    /// The kind of the origin of a rigid Transform3D.
    pub(super) fn origin(step: f64) -> Kind {
        Kind::of_steps(step, true)
    }

    /// The kind of a number of a Vector2i and such.
    pub(super) fn whole(edge: Option<(f64, f64)>) -> Kind {
        let clamp = |n: f64| n.clamp(-2147483648.0, 2147483647.0) as i128;
        let (first, last) =
            edge.map_or((-2147483648, 2147483647), |(from, to)| (clamp(from.ceil()), clamp(to.floor())));
        let width = bits_of(u128::try_from(last - first).unwrap_or(0));
        Kind::Range { first, last, step: 1, width, clamped: false }
    }

    /// The number that stands for this one, unless it has none.
    pub(super) fn code(&self, number: Num) -> Option<u128> {
        match (*self, number) {
            (Kind::Range { first, last, step, clamped, .. }, Num::Int(number)) => {
                let mut number = i128::from(number);
                if clamped {
                    number = number.clamp(first, last);
                    number -= (number - first) % step;
                }
                let is_one = number >= first && number <= last && (number - first) % step == 0;
                is_one.then(|| ((number - first) / step).unsigned_abs())
            }
            (Kind::From { first, step }, Num::Int(number)) => steps(i128::from(number) - first, step),
            (Kind::To { last, step }, Num::Int(number)) => steps(last - i128::from(number), step),
            (Kind::Around { step }, Num::Int(number)) => {
                let number = i128::from(number);
                (number % step == 0).then(|| zigzag(number / step))
            }
            (Kind::Free | Kind::Double, Num::Real(number)) => Some(u128::from(wide(number))),
            (Kind::Half, Num::Real(number)) => half(number),
            (Kind::Single { .. }, Num::Real(number)) if number.is_nan() => Some(0x7FC0_0000),
            (Kind::Single { lossy }, Num::Real(number)) => {
                let short = number as f32;
                let is_fine =
                    if lossy { short.is_finite() || number.is_infinite() } else { narrow(number) == number };
                is_fine.then(|| u128::from(short.to_bits()))
            }
            (Kind::Grid(grid), Num::Real(number)) => grid.code(number),
            (Kind::Steps { step, most, .. }, Num::Real(number)) => {
                let steps = (number / step).round_ties_even();
                (number.is_finite() && steps.abs() <= most).then(|| zigzag(steps as i128))
            }
            (Kind::Angle(bits), Num::Real(number)) => {
                let steps =
                    (number / std::f64::consts::TAU * 2_f64.powi(bits.cast_signed())).round_ties_even();
                let is_one = number.is_finite() && steps.abs() <= 2_f64.powi(51);
                is_one.then(|| (steps as i128).rem_euclid(1 << bits).unsigned_abs())
            }
            _ => None,
        }
    }

    pub(super) fn number(&self, code: u128) -> Option<Num> {
        let signed = i128::try_from(code).ok()?;
        let int = |number: i128| i64::try_from(number).ok().map(Num::Int);
        match *self {
            Kind::Range { first, last, step, .. } => {
                int(Some(first + signed * step).filter(|number| *number <= last)?)
            }
            Kind::From { first, step } => int(first + signed * step),
            Kind::To { last, step } => int(last - signed * step),
            Kind::Around { step } => int(unzigzag(code) * step),
            Kind::Free | Kind::Double => Some(Num::Real(f64::from_bits(u64::try_from(code).ok()?))),
            Kind::Half => Some(Num::Real(of_half(u16::try_from(code).ok()?))),
            Kind::Single { .. } => Some(Num::Real(f64::from(f32::from_bits(u32::try_from(code).ok()?)))),
            Kind::Grid(grid) => grid.number(code).map(Num::Real),
            Kind::Steps { step, narrow: is_narrow, .. } => {
                let number = unzigzag(code) as f64 * step;
                Some(Num::Real((if is_narrow { narrow(number) } else { number }) + 0.0))
            }
            Kind::Angle(bits) => {
                let turn = 1_i128 << bits;
                let steps = if signed * 2 >= turn { signed - turn } else { signed };
                Some(Num::Real(steps as f64 * (std::f64::consts::TAU / turn as f64)))
            }
        }
    }

    pub(super) fn width(&self) -> u32 {
        match self {
            Kind::Range { width, .. } => *width,
            Kind::Half => 16,
            Kind::Single { .. } => 32,
            Kind::Double => 64,
            Kind::Grid(grid) => bits_of(u128::from(grid.last)),
            Kind::Angle(bits) => *bits,
            _ => 0,
        }
    }

    /// The last code of a range.
    pub(super) fn last(&self) -> Option<u128> {
        match self {
            Kind::Range { first, last, step, .. } => u128::try_from((last - first) / step).ok(),
            Kind::Grid(grid) => Some(u128::from(grid.last)),
            _ => None,
        }
    }

    /// Whether a delta says how far it is: ints and steps with a range.
    pub(super) fn has_range(&self) -> bool {
        matches!(self, Kind::Range { .. } | Kind::Grid(_))
    }

    pub(super) fn put_code(&self, code: u128, bits: &mut Bits) -> Option<()> {
        match self {
            Kind::From { .. } | Kind::To { .. } | Kind::Around { .. } | Kind::Steps { .. } => {
                bits.varint(code)
            }
            Kind::Free => {
                let number = f64::from_bits(u64::try_from(code).ok()?);
                let short = Kind::Single { lossy: false }.code(Num::Real(number));
                bits.put(u128::from(short.is_some()), 1);
                bits.put(short.unwrap_or(code), if short.is_some() { 32 } else { 64 });
                Some(())
            }
            _ => {
                bits.put(code, self.width());
                Some(())
            }
        }
    }

    pub(super) fn take_code(&self, source: &mut Source<'_>) -> Option<u128> {
        match self {
            Kind::From { .. } | Kind::To { .. } | Kind::Around { .. } | Kind::Steps { .. } => source.varint(),
            Kind::Free if source.bit()? => {
                let short = u32::try_from(source.take(32)?).ok()?;
                Some(u128::from(f64::from(f32::from_bits(short)).to_bits()))
            }
            Kind::Free => source.take(64),
            _ => source.take(self.width()),
        }
    }
}

/// Whole steps up from 0.
fn steps(distance: i128, step: i128) -> Option<u128> {
    (distance >= 0 && distance % step == 0).then(|| (distance / step).unsigned_abs())
}

fn wide(number: f64) -> u64 {
    if number.is_nan() { 0x7FF8_0000_0000_0000 } else { number.to_bits() }
}

fn of_half(half: u16) -> f64 {
    let (exponent, rest) = (half >> 10 & 31, f64::from(half & 1023));
    let size = match exponent {
        0 => rest * 2_f64.powi(-24),
        31 if rest > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        _ => (1024.0 + rest) * 2_f64.powi(i32::from(exponent) - 25),
    };
    if half >> 15 == 1 { -size } else { size }
}

/// The nearest of all halves, the even one of two; nothing beyond them.
fn half(number: f64) -> Option<u128> {
    if number.is_nan() {
        return Some(0x7E00);
    }
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let size = number.abs();
    if size.is_infinite() {
        return Some(sign | 0x7C00);
    }
    let mut at = 0_u16;
    for bit in (0..15).rev() {
        let higher = at | 1 << bit;
        if higher < 0x7C00 && of_half(higher) <= size {
            at = higher;
        }
    }
    let (low, high) = (of_half(at), if at == 0x7BFF { 65536.0 } else { of_half(at + 1) });
    let is_higher = size - low > high - size || (size - low == high - size && at % 2 == 1);
    let at = at + u16::from(is_higher);
    (at < 0x7C00).then_some(sign | u128::from(at))
}

/// The type of an element of a packed array, and how many numbers one has.
pub(super) fn element(ty: T) -> usize {
    match ty {
        T::PackedVector2Array => 2,
        T::PackedVector3Array => 3,
        T::PackedVector4Array | T::PackedColorArray => 4,
        _ => 1,
    }
}
