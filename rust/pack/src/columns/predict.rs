//! Predicts the code of a number and the codes of a rotation from those of two earlier states. All of it is integers, and
//! 64-bit arithmetic with + - * / and square roots in one order, without fused operations.

use std::num::NonZeroU16;

use crate::bits::{unzigzag, zigzag};
use crate::number_codec::Form;
use crate::rotation::{self, Quaternion};

/// How far apart states are, counted in states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distances {
    /// From the newer base to the new state.
    pub(crate) ahead: u16,
    /// From the older base to the newer.
    pub(crate) gap: u16,
}

impl Distances {
    pub(crate) const fn new(ahead: NonZeroU16, gap: NonZeroU16) -> Distances {
        Distances { ahead: ahead.get(), gap: gap.get() }
    }

    const fn is_even(self) -> bool {
        self.ahead == self.gap
    }

    /// The nearest whole number to so much of a way, the larger of two.
    const fn of(self, far: i64) -> i64 {
        if self.is_even() || far == 0 {
            return far;
        }
        let (ahead, gap) = (self.ahead as i64, self.gap as i64);
        let twice = gap.wrapping_shl(1);
        far.wrapping_mul(ahead).wrapping_shl(1).wrapping_add(gap).wrapping_div_euclid(twice)
    }
}

/// The widest number of a column: others than the library have to calculate with it too.
pub(crate) const MOST_WIDTH: u32 = 32;
/// The most steps of numbers without a range, on either side of 0.
const MOST_STEPS: i64 = 4_194_304;
const STEPS_WIDTH: u32 = 24;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// Codes up to `last`.
    Range { last: u64, width: u32 },
    /// Parts of a whole turn.
    Angle { bits: u32 },
    /// Steps on both sides of 0.
    Steps,
}

impl Lane {
    pub(crate) fn of(form: &Form) -> Option<Lane> {
        match form {
            Form::Span { last, width, .. } if *width <= MOST_WIDTH => {
                Some(Lane::Range { last: *last, width: *width })
            }
            Form::Grid(grid) if grid.width() <= MOST_WIDTH => {
                Some(Lane::Range { last: grid.last, width: grid.width() })
            }
            Form::Angle { bits } => Some(Lane::Angle { bits: *bits }),
            Form::Steps { is_narrow: true, .. } => Some(Lane::Steps),
            _ => None,
        }
    }

    pub(crate) const fn width(self) -> u32 {
        match self {
            Lane::Range { width, .. } => width,
            Lane::Angle { bits } => bits,
            Lane::Steps => STEPS_WIDTH,
        }
    }

    const fn step(self, code: u64) -> i64 {
        match self {
            Lane::Steps => unzigzag(code),
            _ => code.cast_signed(),
        }
    }

    /// The shorter way round, of an angle.
    const fn shorter(self, far: i64) -> i64 {
        match self {
            Lane::Angle { bits } => {
                let half = 1_i64.wrapping_shl(bits.wrapping_sub(1));
                let turn = 1_i64.wrapping_shl(bits);
                (far.wrapping_add(half) & turn.wrapping_sub(1)).wrapping_sub(half)
            }
            _ => far,
        }
    }

    /// The code that is likely after these two, the newer first.
    #[inline]
    pub(crate) fn predicted(self, newer: u64, older: u64, distances: Distances) -> u64 {
        let (newer, older) = (self.step(newer), self.step(older));
        let far = self.shorter(newer.wrapping_sub(older));
        let step = newer.wrapping_add(distances.of(far));
        match self {
            Lane::Range { last, .. } => step.clamp(0, last.cast_signed()).cast_unsigned(),
            Lane::Angle { bits } => (step & 1_i64.wrapping_shl(bits).wrapping_sub(1)).cast_unsigned(),
            Lane::Steps => zigzag(step.clamp(MOST_STEPS.wrapping_neg(), MOST_STEPS)),
        }
    }

    /// How far a code is from a predicted one, small for near ones.
    #[inline]
    pub(crate) const fn distance(self, code: u64, predicted: u64) -> u64 {
        zigzag(self.shorter(self.step(code).wrapping_sub(self.step(predicted))))
    }

    /// The code that is so far from a predicted one, if it is a code.
    pub(crate) fn restored(self, predicted: u64, distance: u64) -> Option<u64> {
        let step = self.step(predicted).checked_add(unzigzag(distance))?;
        match self {
            Lane::Range { last, .. } => u64::try_from(step).ok().filter(|code| *code <= last),
            Lane::Angle { bits } => {
                let turn = 1_u64.wrapping_shl(bits);
                (distance < turn).then_some(step.cast_unsigned() & turn.wrapping_sub(1))
            }
            Lane::Steps => {
                let is_near = (MOST_STEPS.wrapping_neg()..=MOST_STEPS).contains(&step);
                is_near.then_some(zigzag(step))
            }
        }
    }
}

/// A rotation that is likely: its quaternion, and its codes once they are asked for.
pub(crate) struct LikelyTurn {
    quaternion: Quaternion,
    pub(crate) codes: [u64; 4],
    bits: u32,
}

impl LikelyTurn {
    pub(crate) fn same(codes: [u64; 4], bits: u32) -> LikelyTurn {
        LikelyTurn { quaternion: rotation::of_codes(codes, bits), codes, bits }
    }

    /// The newer rotation turned on by what it turned since the older one.
    pub(crate) fn predicted(newer: [u64; 4], older: [u64; 4], bits: u32, distances: Distances) -> LikelyTurn {
        let a = rotation::of_codes(newer, bits);
        if newer == older {
            return LikelyTurn { quaternion: a, codes: newer, bits };
        }
        let b = rotation::of_codes(older, bits);
        let sign = if rotation::dot(&a, &b) < 0.0 { -1.0 } else { 1.0 };
        let [bx, by, bz, bw] = b.map(|number| number * sign);
        let mut turned = rotation::product(&rotation::product(&a, &[-bx, -by, -bz, bw]), &a);
        if !distances.is_even() {
            let unit = rotation::unit(&turned).unwrap_or(a);
            let sign = if rotation::dot(&a, &unit) < 0.0 { -1.0 } else { 1.0 };
            let part = f64::from(distances.ahead) / f64::from(distances.gap);
            let mut towards = unit.iter().zip(a).map(|(to, from)| from + (sign * to - from) * part);
            turned = [(); 4].map(|()| towards.next().unwrap_or(0.0));
        }
        match rotation::from_quaternion(turned, bits) {
            Some(codes) => LikelyTurn { quaternion: turned, codes, bits },
            None => LikelyTurn { quaternion: a, codes: newer, bits },
        }
    }

    /// Its codes where another number is left out than the largest.
    pub(crate) fn without(&self, chart: u64) -> [u64; 3] {
        rotation::without(&self.quaternion, chart, self.bits)
    }
}
