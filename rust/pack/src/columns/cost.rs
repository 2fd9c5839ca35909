//! Counts bits without writing them: what a part takes when it is told from its base alone, and which code is the best of a
//! column. A writer chooses by it; a reader needs none of it.

use std::sync::LazyLock;

use crate::bits::varint_bits;
use crate::differ::{MOST_PLAIN, reaches};
use crate::text::size;

use super::code::Code;
use super::predict::Lane;

/// The bits of a column's number that is another, told from its base alone, by how far it is.
#[derive(Debug)]
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
const ORDERS: usize = 5;
/// Numbers below have their bits in a table; from here on, they count as the middle of those that have as many bits.
const LARGE: u64 = 64;
/// The numbers that are counted one by one, and one more for each number of bits.
const BUCKETS: usize = 128;

/// The bits of a number under both codes of an order, for each order that is tried: those that are split in the upper half.
fn row(number: u64) -> [u64; ORDERS] {
    let mut orders = 0..;
    [(); ORDERS].map(|()| {
        let order = orders.next().unwrap_or(0);
        let [plain, split] = [false, true].map(|is_split| u64::from(Code { order, is_split }.bits(number)));
        plain | split.wrapping_shl(32)
    })
}

static ROWS: LazyLock<Vec<[u64; ORDERS]>> = LazyLock::new(|| (0..LARGE).map(row).collect());

/// Counts how often each distance occurs, the large ones by how many bits they have.
#[derive(Debug)]
pub(crate) struct Histogram {
    counts: [u32; BUCKETS],
    sum: u64,
    /// The bits that any of them has.
    any: u64,
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { counts: [0; BUCKETS], sum: 0, any: 0 }
    }
}

impl Histogram {
    pub(crate) fn clear(&mut self) {
        let used = Histogram::bucket(self.any).saturating_add(1);
        self.counts.iter_mut().take(used).for_each(|count| *count = 0);
        (self.sum, self.any) = (0, 0);
    }

    #[inline]
    fn bucket(distance: u64) -> usize {
        let large = || u64::from(distance.ilog2()).wrapping_add(LARGE).wrapping_sub(6);
        size(if distance < LARGE { distance } else { large() })
    }

    #[inline]
    pub(crate) fn add(&mut self, distance: u64) {
        if let Some(count) = self.counts.get_mut(Histogram::bucket(distance)) {
            *count = count.wrapping_add(1);
        }
        self.sum = self.sum.wrapping_add(distance);
        self.any |= distance;
    }

    pub(crate) fn add_all(&mut self, other: &Histogram) {
        let used = Histogram::bucket(other.any).saturating_add(1);
        let slots = self.counts.iter_mut().zip(&other.counts).take(used);
        slots.for_each(|(count, more)| *count = count.wrapping_add(*more));
        self.sum = self.sum.wrapping_add(other.sum);
        self.any |= other.any;
    }

    /// The best code for so many distances, and about the bits that all take. Those that are not 0 were added; how many others
    /// were does not matter.
    pub(crate) fn best(&self, count: u64) -> (Code, u64) {
        let mean = self.sum.checked_div(count).unwrap_or(0);
        let near = u64::BITS.wrapping_sub(mean.leading_zeros());
        let (least, most) = (near.saturating_sub(3).min(14), near.saturating_add(1).min(15));
        let (mut sums, mut zeros) = ([0_u64; ORDERS], count);
        let rows = &*ROWS;
        let mut add = |number: u64, many: u64| {
            let far = || row(number);
            let bits = rows.get(size(number)).copied().unwrap_or_else(far);
            let slots = sums.iter_mut().zip(bits);
            slots.for_each(|(sum, bits): (&mut u64, u64)| *sum = sum.wrapping_add(bits.wrapping_mul(many)));
        };
        let used = Histogram::bucket(self.any).saturating_add(1);
        let (small, large) = self.counts.split_at(size(LARGE));
        // Numbers that have the same above their low bits take as many.
        let alike = small.get(..used).unwrap_or(small).chunks(size(1_u64.wrapping_shl(least)));
        let alike = alike.map(|counts| counts.iter().fold(0, |sum: u32, count| sum.wrapping_add(*count)));
        let middles = (5_u32..).map(|bits| 3_u64.wrapping_shl(bits).wrapping_shr(least));
        let large = middles.zip(large.iter().copied()).take(used.saturating_sub(small.len()));
        for (number, many) in (0_u64..).zip(alike).skip(1).chain(large).filter(|(_, many)| *many > 0) {
            add(number, u64::from(many));
            zeros = zeros.saturating_sub(u64::from(many));
        }
        add(0, zeros);
        // The low bits of the least order are the same in all.
        let low = count.wrapping_mul(u64::from(least));
        let codes = (least..=most).flat_map(|order| [false, true].map(|is_split| Code { order, is_split }));
        let sums = sums.iter().flat_map(|both| [*both & u64::from(u32::MAX), both.wrapping_shr(32)]);
        codes.zip(sums.map(|bits| bits.wrapping_add(low))).min_by_key(|(_, bits)| *bits).unwrap_or_default()
    }
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
        let mut histogram = Histogram::default();
        for count in [0, 1, 2, 25, 250, 9000] {
            for width in 0..34 {
                let distances: Vec<u64> = (0..count)
                    .map(|_| {
                        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(9);
                        (seed >> 30) & ((1 << ((seed >> 20) % (width + 1))) - 1)
                    })
                    .collect();
                histogram.clear();
                distances.iter().for_each(|distance| histogram.add(*distance));
                assert_eq!(histogram.best(count), best_of_all(&distances), "{count} of {width}");
                // Those that are 0 need not be added.
                histogram.clear();
                distances.iter().filter(|far| **far > 0).for_each(|far| histogram.add(*far));
                assert_eq!(histogram.best(count), best_of_all(&distances), "{count} of {width}");
            }
        }
    }
}
