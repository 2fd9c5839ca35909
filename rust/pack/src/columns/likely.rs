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

/// The codes that a value is likely to have.
pub(crate) struct Likely {
    codes: [u64; MOST_NUMBERS],
    count: usize,
}

impl Likely {
    pub(crate) fn codes(&self) -> &[u64] {
        self.codes.get(..self.count).unwrap_or_default()
    }
}

impl Column {
    /// The codes of a value that is likely after one or two. `is_predicted` tells of each number, and of the rotation, whether
    /// both count, or the newer alone.
    pub(super) fn predicted(&self, bases: ValueBases<'_>, is_predicted: impl Fn(usize) -> bool) -> Likely {
        let ValueBases { newer, at, older } = bases;
        let code = |codes: &[u64], at: usize| codes.get(at).copied().unwrap_or(0);
        let mut likely = Likely { codes: [0; MOST_NUMBERS], count: self.lanes.len() };
        for (number, (lane, slot)) in self.lanes.iter().zip(&mut likely.codes).enumerate() {
            *slot = code(newer, at.saturating_add(number));
            if let Some((older, b, distances)) = older.filter(|_| is_predicted(number)) {
                *slot = lane.predicted(*slot, code(older, b.saturating_add(number)), distances);
            }
        }
        if let Some(bits) = self.turn {
            let older = older.filter(|_| is_predicted(self.lanes.len()));
            let turn = self.turn(ValueBases { older, ..bases }, bits).codes;
            likely.codes.iter_mut().skip(self.lanes.len()).zip(turn).for_each(|(slot, code)| *slot = code);
            likely.count = self.lanes.len().saturating_add(turn.len());
        }
        likely
    }

    pub(super) fn turn(&self, bases: ValueBases<'_>, bits: u32) -> LikelyTurn {
        let was = self.turn_of(bases.newer, bases.at);
        match bases.older {
            Some((older, b, distances)) => {
                LikelyTurn::predicted(was, self.turn_of(older, b), bits, distances)
            }
            None => LikelyTurn::same(was, bits),
        }
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

/// How a column is told.
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
