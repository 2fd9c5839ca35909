//! Counts bits without writing them: what a part takes when it is told from its base alone, and which code is the best of a
//! column. A writer chooses by it; a reader needs none of it.

use crate::bits::{varint_bits, zigzag};
use crate::differ::{MOST_PLAIN, reaches};
use crate::layout::Wire;
use crate::math_types::{Part, Solid};
use crate::number_codec::Form;

use super::code::Code;
use super::predict::Lane;

/// The bits of a code by how far it is from another, as `write_relative` writes it.
fn relative_bits(code: u64, base: u64, width: u32) -> u32 {
    if width <= MOST_PLAIN {
        return width;
    }
    let mut distance = zigzag(code.cast_signed().wrapping_sub(base.cast_signed()));
    for (prefix, reach) in (1_u32..).zip(reaches(width)) {
        let many = 1_u64.wrapping_shl(reach);
        if distance < many {
            return prefix.wrapping_add(reach);
        }
        distance = distance.wrapping_sub(many);
    }
    width.wrapping_add(3)
}

fn form_bits(form: &Form, code: u64, base: u64) -> u32 {
    match (form.relative(), form) {
        (Some(width), _) => relative_bits(code, base, width),
        (None, Form::Steps { .. }) => varint_bits(code),
        (None, form) => form.width(),
    }
}

/// The bits of a column's value that is another, told from its base alone.
pub(crate) fn changed_bits(wire: &Wire, was: &[u64], is: &[u64]) -> u32 {
    match (wire, was, is) {
        (Wire::Number(_, form), [was, ..], [is, ..]) => form_bits(form, *is, *was),
        (Wire::Solid { solid, .. }, ..) => solid_bits(solid, was, is),
        _ => 0,
    }
}

fn solid_bits(solid: &Solid, was: &[u64], is: &[u64]) -> u32 {
    let turn = solid.turn_at();
    let flag = u32::from(solid.codes() > 1);
    let mut bits = 0_u32;
    let mut is_same = true;
    for (at, (was, is)) in was.iter().zip(is).enumerate().take(solid.codes()) {
        let part = match solid.part(at) {
            Part::Form(form) if was != is => flag.wrapping_add(form_bits(form, *is, *was)),
            Part::Form(_) => flag,
            Part::Bits(width) if at == turn => {
                is_same = was == is;
                if is_same { 1 } else { width.wrapping_add(1) }
            }
            Part::Bits(width) if is_same => relative_bits(*is, *was, width),
            Part::Bits(width) => width,
        };
        bits = bits.wrapping_add(part);
    }
    bits
}

/// The bits of a column's number that is another, told from its base alone, by how far it is.
pub(crate) struct PlainCost {
    /// Below each, so many bits.
    reaches: [(u64, u32); 3],
    /// All others.
    most: u32,
    has_varint: bool,
}

impl PlainCost {
    pub(crate) fn of(lane: Lane) -> PlainCost {
        let width = lane.width();
        let mut plain =
            PlainCost { reaches: [(0, 0); 3], most: width, has_varint: matches!(lane, Lane::Steps) };
        if width > MOST_PLAIN && matches!(lane, Lane::Range { .. }) {
            plain.most = width.wrapping_add(3);
            let mut below = 0_u64;
            for ((slot, reach), prefix) in plain.reaches.iter_mut().zip(reaches(width)).zip(1_u32..) {
                below = below.wrapping_add(1_u64.wrapping_shl(reach));
                *slot = (below, prefix.wrapping_add(reach));
            }
        }
        plain
    }

    #[inline]
    pub(crate) fn bits(&self, distance: u64, code: u64) -> u32 {
        let [(near, a), (far, b), (farther, c)] = self.reaches;
        match distance {
            _ if self.has_varint => varint_bits(code),
            distance if distance < near => a,
            distance if distance < far => b,
            distance if distance < farther => c,
            _ => self.most,
        }
    }
}

/// Distances below are counted one by one.
const SMALL: usize = 64;
const LENGTHS: usize = 40;

/// How often distances come.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    small: [u32; SMALL],
    /// Larger ones, by their bits.
    large: [u32; LENGTHS],
    count: u64,
    sum: u64,
}

impl Histogram {
    pub(crate) const fn new() -> Histogram {
        Histogram { small: [0; SMALL], large: [0; LENGTHS], count: 0, sum: 0 }
    }

    #[inline]
    pub(crate) fn add(&mut self, distance: u64) {
        let slot = match usize::try_from(distance).ok().and_then(|at| self.small.get_mut(at)) {
            Some(slot) => Some(slot),
            None => usize::try_from(distance.ilog2()).ok().and_then(|at| self.large.get_mut(at)),
        };
        if let Some(slot) = slot {
            *slot = slot.wrapping_add(1);
        }
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(distance);
    }

    /// The best code and about the bits that all take.
    pub(crate) fn best(&self) -> (Code, u64) {
        let mut all = [(0, 0); SMALL + LENGTHS];
        let small = (0_u64..).zip(self.small);
        // The middle of what has as many bits stands for all of it.
        let large = (0_u32..)
            .zip(self.large)
            .map(|(bits, count)| (3_u64.wrapping_shl(bits.saturating_sub(1)), count));
        let there = small.chain(large).filter(|(_, count)| *count > 0);
        let mut count = 0_usize;
        for (slot, (distance, many)) in all.iter_mut().zip(there) {
            *slot = (distance, u64::from(many));
            count = count.wrapping_add(1);
        }
        let all = all.get(..count).unwrap_or_default();
        let mean = self.sum.checked_div(self.count).unwrap_or(0);
        let near = u64::BITS.wrapping_sub(mean.leading_zeros());
        let orders = near.saturating_sub(3).min(14)..=near.saturating_add(1).min(15);
        let bits = |code: Code| {
            let each = all.iter().map(|(distance, many)| u64::from(code.bits(*distance)).wrapping_mul(*many));
            each.fold(0, u64::wrapping_add)
        };
        let codes = orders.flat_map(|order| [false, true].map(|is_split| Code { order, is_split }));
        codes.map(|code| (code, bits(code))).min_by_key(|(_, bits)| *bits).unwrap_or_default()
    }
}
