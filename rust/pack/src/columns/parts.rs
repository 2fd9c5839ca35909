//! Parts: what is measured once of a part of a value, for all differences that tell it alone or with others.

use std::num::NonZeroU16;
use std::sync::Arc;

use crate::codes::Codes;
use crate::deal::{Deal, PartSet};
use crate::layout::Layout;

use super::entries::{Columns, Entries, SetPart};
use super::plan::MISSING;
use super::predict::Distances;
use super::trial::{Spots, States};

/// A part of a value, or all of it, between its states.
#[derive(Clone, Copy)]
pub(crate) struct Part<'c> {
    pub(crate) layout: &'c Layout,
    pub(crate) states: States<'c>,
    pub(crate) sets: &'c [(usize, Entries)],
}

impl<'c> Part<'c> {
    /// A keyed array or map that is dealt out, and what was measured of it.
    pub(super) fn set(&self, number: usize) -> Option<(SetPart<'c>, &'c Entries)> {
        let Part { layout, states, sets } = *self;
        let (key, entries) = sets.get(number)?;
        Some((SetPart { layout, set: layout.plan.as_ref()?.set(*key)?, states }, entries))
    }

    pub(super) fn differs(&self, number: usize) -> bool {
        self.sets.get(number).is_some_and(|(_, entries)| entries.has_changed())
    }

    /// Measures what is dealt out and has columns.
    fn measured(&self) -> Vec<(usize, Entries)> {
        let Part { layout, states, .. } = *self;
        let Some(plan) = &layout.plan else { return Vec::new() };
        let mut places = [(); 3].map(|()| Vec::new());
        let older = states.older.map(|(codes, _)| codes).unwrap_or_default();
        for (places, codes) in places.iter_mut().zip([states.base, older, states.new]) {
            plan.root.locate(layout, codes, 0, places);
        }
        let measured = |key: usize| {
            let set = plan.set(key)?;
            let at = |places: &Vec<usize>| places.get(set.field).copied().unwrap_or(MISSING);
            let [base, older, new] = places.each_ref().map(at);
            let part = SetPart { layout, set, states };
            Some((key, Columns::measure(part, Spots { base, older, new }, Entries::default()).all))
        };
        layout.dealt_sets().iter().filter_map(|dealt| measured(dealt.key)).collect()
    }
}

/// A part of a value between its states, measured.
#[derive(Debug)]
pub struct MeasuredPart {
    part: u8,
    newer: Arc<Codes>,
    older: Option<(Arc<Codes>, Distances)>,
    new: Arc<Codes>,
    /// Each keyed array and map that is dealt out and has columns, by the number of its key.
    sets: Vec<(usize, Entries)>,
}

impl MeasuredPart {
    /// Measures how far a part is from these values of it, with the distances of [`Bases::apart`](crate::Bases::apart).
    #[must_use]
    pub fn new(
        deal: &Deal,
        part: u8,
        newer: Arc<Codes>,
        older: Option<(Arc<Codes>, NonZeroU16, NonZeroU16)>,
        new: Arc<Codes>,
    ) -> MeasuredPart {
        let older =
            older.map(|(codes, ahead, gap)| (codes, Distances { ahead: ahead.get(), gap: gap.get() }));
        let mut measured = MeasuredPart { part, newer, older, new, sets: Vec::new() };
        measured.sets = measured.part(deal).measured();
        measured
    }

    pub(crate) fn part<'c>(&'c self, deal: &'c Deal) -> Part<'c> {
        let older = self.older.as_ref().map(|(older, distances)| (&*older.all, *distances));
        let states = States { base: &self.newer.all, older, new: &self.new.all };
        Part { layout: deal.layout(PartSet::one(self.part)), states, sets: &self.sets }
    }
}
