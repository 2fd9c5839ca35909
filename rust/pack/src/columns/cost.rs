//! Counts bits without writing them: what a part takes when it is told from its base alone, and which code is the best of a
//! column. A writer chooses by it; a reader needs none of it.

use crate::bits::varint_bits;
use crate::differ::{MOST_PLAIN, reaches};
use crate::text::length;

use super::code::Code;
use super::predict::Lane;

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

/// The orders that are tried: around the mean.
const ORDERS: u32 = 5;
/// Numbers below have their bits in a table.
const SMALL: usize = 32;
/// From so many on, numbers count as the middle of those that have as many bits.
const LARGE: u64 = 64;
/// The rows of the table that its lanes have room for.
const MOST_ROWS: u32 = 4096;

/// The bits of a number under the code of a lane: the order of half its number, split where that is odd.
const fn lane_bits(number: u64, lane: u32) -> u64 {
    Code { order: lane.wrapping_shr(1), is_split: lane & 1 == 1 }.bits(number) as u64
}

/// The bits of a number under all codes that are tried, 16 bits a lane.
const fn row(number: u64) -> [u64; 3] {
    const fn four(number: u64, lane: u32) -> u64 {
        lane_bits(number, lane)
            | lane_bits(number, lane.wrapping_add(1)).wrapping_shl(16)
            | lane_bits(number, lane.wrapping_add(2)).wrapping_shl(32)
            | lane_bits(number, lane.wrapping_add(3)).wrapping_shl(48)
    }
    [four(number, 0), four(number, 4), four(number, 8)]
}

const fn eight(from: u64) -> [[u64; 3]; 8] {
    [
        row(from),
        row(from.wrapping_add(1)),
        row(from.wrapping_add(2)),
        row(from.wrapping_add(3)),
        row(from.wrapping_add(4)),
        row(from.wrapping_add(5)),
        row(from.wrapping_add(6)),
        row(from.wrapping_add(7)),
    ]
}

const ROWS: [[[u64; 3]; 8]; SMALL / 8] = [eight(0), eight(8), eight(16), eight(24)];

/// The bits of all numbers under each code that is tried.
#[derive(Default)]
struct Sums {
    lanes: [u64; 3],
    rows: u32,
    all: [u64; 2 * ORDERS as usize],
}

impl Sums {
    #[inline]
    fn add(&mut self, number: u64) {
        let Some(row) = usize::try_from(number).ok().and_then(|at| ROWS.as_flattened().get(at)) else {
            return self.add_large(number);
        };
        self.lanes.iter_mut().zip(row).for_each(|(lanes, bits)| *lanes = lanes.wrapping_add(*bits));
        self.rows = self.rows.wrapping_add(1);
        if self.rows == MOST_ROWS {
            self.carry();
        }
    }

    #[cold]
    fn add_large(&mut self, number: u64) {
        (0_u32..).zip(&mut self.all).for_each(|(lane, all)| *all = all.wrapping_add(lane_bits(number, lane)));
    }

    fn carry(&mut self) {
        for (at, all) in (0_usize..).zip(&mut self.all) {
            let lanes = self.lanes.get(at.wrapping_shr(2)).copied().unwrap_or(0);
            let lane = u32::try_from(at & 3).unwrap_or(0).wrapping_mul(16);
            *all = all.wrapping_add(lanes.wrapping_shr(lane) & 0xFFFF);
        }
        (self.lanes, self.rows) = ([0; 3], 0);
    }
}

/// The best code for these distances, and about the bits that all take.
pub(crate) fn best(distances: &[u64]) -> (Code, u64) {
    let count = length(distances.len());
    let sum = distances.iter().fold(0_u64, |sum, distance| sum.wrapping_add(*distance));
    let mean = sum.checked_div(count).unwrap_or(0);
    let near = u64::BITS.wrapping_sub(mean.leading_zeros());
    let (least, most) = (near.saturating_sub(3).min(14), near.saturating_add(1).min(15));
    let mut sums = Sums::default();
    for distance in distances.iter().copied() {
        let middle =
            if distance < LARGE { distance } else { 3_u64.wrapping_shl(distance.ilog2().wrapping_sub(1)) };
        sums.add(middle.wrapping_shr(least));
    }
    sums.carry();
    // The low bits of the least order are the same in all.
    let low = count.wrapping_mul(u64::from(least));
    let codes = (least..=most).flat_map(|order| [false, true].map(|is_split| Code { order, is_split }));
    let codes = codes.zip(sums.all).map(|(code, bits)| (code, bits.wrapping_add(low)));
    codes.min_by_key(|(_, bits)| *bits).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All codes, each counted number by number.
    fn best_of_all(distances: &[u64]) -> (Code, u64) {
        let mean = distances.iter().sum::<u64>() / distances.len().max(1) as u64;
        let near = u64::BITS - mean.leading_zeros();
        let orders = near.saturating_sub(3).min(14)..=(near + 1).min(15);
        let codes = orders.flat_map(|order| [false, true].map(|is_split| Code { order, is_split }));
        let middle = |number: u64| if number < 64 { number } else { 3 << (number.ilog2() - 1) };
        let bits = |code: Code| distances.iter().map(|number| u64::from(code.bits(middle(*number)))).sum();
        codes.map(|code| (code, bits(code))).min_by_key(|(_, bits): &(Code, u64)| *bits).unwrap()
    }

    #[test]
    fn sums_are_those_of_each_code() {
        let mut seed = 1_u64;
        for count in [0, 1, 2, 25, 250, 9000] {
            for width in 0..34 {
                let distances: Vec<u64> = (0..count)
                    .map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(9);
                        (seed >> 30) & ((1 << ((seed >> 20) % (width + 1))) - 1)
                    })
                    .collect();
                assert_eq!(best(&distances), best_of_all(&distances), "{count} of {width}");
            }
        }
    }
}
