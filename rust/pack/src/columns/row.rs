//! Row: measures how far the numbers of one entry are from its bases.

use super::cost::PlainCost;
use super::plan::{Column, TURN_LANES, part};
use super::predict::{Distances, LikelyTurn};
use super::trial::{Spots, States};

/// The numbers of an entry, as far as they are measured.
pub(super) struct Row<'t> {
    pub(super) column: &'t Column,
    /// The costs of its numbers, those of a rotation's once.
    pub(super) costs: &'t [PlainCost],
    pub(super) from_base: &'t mut [u64],
    pub(super) from_two: &'t mut [u64],
    pub(super) charts: [bool; 2],
}

impl Row<'_> {
    /// Finds the distances; returns the bits of those from the base, without flags.
    pub(super) fn measure(&mut self, at: Spots, states: States<'_>) -> u32 {
        let Row { column, costs, .. } = *self;
        let row = |codes, at| part(codes, at, column.codes()).unwrap_or_default();
        let (was, is) = (row(states.base, at.base), row(states.new, at.new));
        let lanes = column.lanes.iter().zip(was.iter().zip(is));
        let mut today = 0_u32;
        for ((lane, (was, is)), (slot, cost)) in lanes.clone().zip(self.from_base.iter_mut().zip(costs)) {
            *slot = lane.distance(*is, *was);
            today = today.wrapping_add(if *slot == 0 { 0 } else { cost.bits(*slot, *is) });
        }
        let mut before = was;
        if let Some((codes, distances)) = states.older {
            before = row(codes, at.older);
            for ((lane, (was, is)), (slot, older)) in lanes.zip(self.from_two.iter_mut().zip(before)) {
                *slot = lane.distance(*is, lane.predicted(*was, *older, distances));
            }
        }
        let turn = |codes: &[u64]| codes.last_chunk().copied().unwrap_or_default();
        match column.turn {
            Some(bits) => {
                let older = states.older.map(|(_, distances)| (turn(before), distances));
                today.wrapping_add(self.turn([turn(was), turn(is)], older, bits))
            }
            None => today,
        }
    }

    /// Finds those of the rotation; returns their bits from the base.
    fn turn(&mut self, [was, is]: [[u64; 4]; 2], older: Option<([u64; 4], Distances)>, bits: u32) -> u32 {
        let lane = Column::turn_lane(bits);
        let plain = self.column.lanes.len();
        // A rotation that is still needs no quaternion.
        let base = LikelyTurn::codes_for(was, is, bits);
        let two = older.map_or(base, |(older, distances)| match older {
            older if older == was => base,
            older => LikelyTurn::predicted(was, older, bits, distances).for_chart(is),
        });
        self.charts = [base.1, two.1];
        let [_, is @ ..] = is;
        for (row, (from, _)) in [(&mut *self.from_base, base), (&mut *self.from_two, two)] {
            let slots = row.iter_mut().skip(plain).zip(is.iter().zip(from));
            slots.for_each(|(slot, (is, from))| *slot = lane.distance(*is, from));
        }
        if base.1 {
            return bits.wrapping_mul(3).wrapping_add(3);
        }
        let (Some(far), Some(cost)) = (self.from_base.get(plain..), self.costs.get(plain)) else { return 0 };
        far.iter().fold(1, |sum, far| sum.wrapping_add(cost.bits(*far, 0)))
    }
}

impl LikelyTurn {
    /// The numbers that a rotation is likely to have where such a one is left out, and whether another would be.
    pub(crate) fn for_chart(&self, is: [u64; 4]) -> ([u64; TURN_LANES], bool) {
        let ([chart, ..], [predicted, numbers @ ..]) = (is, self.codes);
        if chart == predicted { (numbers, false) } else { (self.without(chart), true) }
    }

    /// The numbers of a base's rotation likewise; its quaternion is made only where it is needed.
    fn codes_for(was: [u64; 4], is: [u64; 4], bits: u32) -> ([u64; TURN_LANES], bool) {
        let ([chart, ..], [before, numbers @ ..]) = (is, was);
        if chart == before { (numbers, false) } else { (LikelyTurn::same(was, bits).without(chart), true) }
    }
}
