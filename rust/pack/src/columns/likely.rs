//! Predicts the codes of a whole value, of which some numbers are told from two states and others from one.

use crate::fault::Outcome;
use crate::layout::Layout;
use crate::math_types::MOST_NUMBERS;

use super::code::Code;
use super::plan::{Column, MISSING, Plan};
use super::predict::{Distances, LikelyTurn};

/// The codes of an older base, where a value begins in them, and how far apart states are.
pub(super) type Before<'c> = (&'c [u64], usize, Distances);

/// Where a value stands in the newer base, and in the older if there is one.
#[derive(Clone, Copy)]
pub(super) struct ValueBases<'c> {
    pub(super) newer: &'c [u64],
    pub(super) at: usize,
    pub(super) older: Option<Before<'c>>,
}

pub(crate) struct Likely {
    codes: [u64; MOST_NUMBERS],
    count: usize,
    /// The rotation that the last codes are.
    turn: Option<LikelyTurn>,
}

impl Likely {
    pub(crate) fn codes(&self) -> &[u64] {
        self.codes.get(..self.count).unwrap_or_default()
    }

    fn push(&mut self, codes: [u64; 4]) {
        self.codes.iter_mut().skip(self.count).zip(codes).for_each(|(slot, code)| *slot = code);
        self.count = self.count.saturating_add(codes.len());
    }

    /// Takes the codes of its rotation where this number is left out.
    pub(super) fn leave_out(&mut self, chart: u64) {
        let Some([a, b, c]) = self.turn.as_ref().map(|turn| turn.without(chart)) else { return };
        self.count = self.count.saturating_sub(4);
        self.push([chart, a, b, c]);
    }
}

impl Column {
    /// The codes of a value that is likely after one or two. `is_predicted` tells of each number, and of the rotation, whether
    /// both count, or the newer alone.
    pub(super) fn predicted(&self, bases: ValueBases<'_>, is_predicted: impl Fn(usize) -> bool) -> Likely {
        let ValueBases { newer, at, older } = bases;
        let code = |codes: &[u64], at: usize| codes.get(at).copied().unwrap_or(0);
        let mut likely = Likely { codes: [0; MOST_NUMBERS], count: self.lanes.len(), turn: None };
        for (number, (lane, slot)) in self.lanes.iter().zip(&mut likely.codes).enumerate() {
            *slot = code(newer, at.saturating_add(number));
            if let Some((older, b, distances)) = older.filter(|_| is_predicted(number)) {
                *slot = lane.predicted(*slot, code(older, b.saturating_add(number)), distances);
            }
        }
        if let Some(bits) = self.turn {
            let was = self.turn_of(newer, at);
            let turn = match older.filter(|_| is_predicted(self.lanes.len())) {
                Some((older, b, distances)) => {
                    LikelyTurn::predicted(was, self.turn_of(older, b), bits, distances)
                }
                None => LikelyTurn::same(was, bits),
            };
            likely.push(turn.codes);
            likely.turn = Some(turn);
        }
        likely
    }
}

impl Plan {
    /// Puts what two bases predict of the root's fields into `likely`, which is the newer, of those of which `is_predicted` says
    /// it: of the number of a field, where it stands, and what it is likely to be. Returns where the fields are in the older.
    pub(super) fn predict(
        &self,
        layout: &Layout,
        older: Option<(&[u64], Distances)>,
        likely: &mut [u64],
        mut is_predicted: impl FnMut(usize, usize, &[u64]) -> Outcome<bool>,
    ) -> Outcome<Vec<usize>> {
        let (mut places, mut in_older) = (Vec::new(), Vec::new());
        let Some((older, distances)) = older else { return Ok(in_older) };
        self.root.locate(layout, older, 0, &mut in_older);
        self.root.locate(layout, likely, 0, &mut places);
        for (number, ((field, at), b)) in self.root.fields.iter().zip(places).zip(&in_older).enumerate() {
            let Some(column) = field.column.as_ref().filter(|_| at != MISSING && *b != MISSING) else {
                continue;
            };
            let bases = ValueBases { newer: likely, at, older: Some((older, *b, distances)) };
            let predicted = column.predicted(bases, |_| true);
            if is_predicted(number, at, predicted.codes())? {
                likely.iter_mut().skip(at).zip(predicted.codes()).for_each(|(slot, code)| *slot = *code);
            }
        }
        Ok(in_older)
    }
}

/// How a field of entries is told.
pub(super) enum FieldForm {
    /// By codes of its own.
    Own(OwnColumn),
    /// Each entry says whether it is another.
    Marked,
    /// It is as in the base.
    Still,
}

impl FieldForm {
    pub(super) const fn own(&self) -> Option<&OwnColumn> {
        if let FieldForm::Own(own) = self { Some(own) } else { None }
    }

    pub(super) const fn is_still(&self) -> bool {
        matches!(self, FieldForm::Still)
    }
}

pub(super) struct OwnColumn {
    pub(super) is_dense: bool,
    pub(super) predicted: Vec<bool>,
    pub(super) codes: Vec<Code>,
    /// Whether the rotation of an entry leaves out another number than is predicted.
    pub(super) charts: Vec<bool>,
}

impl OwnColumn {
    pub(super) fn is_predicted(&self, unit: usize) -> bool {
        self.predicted.get(unit).copied().unwrap_or(false)
    }
}
