//! Parts: what is measured once of a part of a value, for all differences that tell it alone or with others.

use std::num::NonZeroU16;
use std::sync::Arc;

use crate::codes::Codes;
use crate::deal::{Deal, PartSet};
use crate::layout::Layout;
use crate::packer::Packer;

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
    fn measured(&self, spare: &mut Vec<Entries>) -> Vec<(usize, Entries)> {
        let Part { layout, states, .. } = *self;
        let Some(plan) = &layout.plan else { return Vec::new() };
        let mut places = [(); 3].map(|()| Vec::new());
        let older = states.older.map(|(codes, _)| codes).unwrap_or_default();
        for (places, codes) in places.iter_mut().zip([states.base, older, states.new]) {
            plan.root.locate(layout, codes, 0, places);
        }
        let mut measured = |key: usize| {
            let set = plan.set(key)?;
            let at = |places: &Vec<usize>| places.get(set.field).copied().unwrap_or(MISSING);
            let [base, older, new] = places.each_ref().map(at);
            let part = SetPart { layout, set, states };
            let memory = spare.pop().unwrap_or_default();
            Some((key, Columns::measure(part, Spots { base, older, new }, memory).all))
        };
        layout.dealt_sets().iter().filter_map(|dealt| measured(dealt.key)).collect()
    }
}

#[doc(hidden)]
impl Packer {
    /// Measures how far a part is from what it is told from.
    pub fn measure_part(&mut self, deal: &Deal, part: u8, states: PartStates) -> MeasuredPart {
        let mut measured = MeasuredPart { part, states, sets: Vec::new() };
        measured.sets = measured.part(deal).measured(&mut self.room.columns.spare);
        measured
    }

    /// Keeps the memory of a part that is done with for those that are measured next.
    pub fn reuse(&mut self, part: MeasuredPart) {
        let spare = &mut self.room.columns.spare;
        let room = MOST_SPARE.saturating_sub(spare.len());
        spare.extend(part.sets.into_iter().map(|(_, entries)| entries).take(room));
    }
}

/// The most keyed arrays and maps whose memory is kept.
const MOST_SPARE: usize = 64;

/// A part of values, and of those that it is told from, with the distances of [`Bases::apart`](crate::Bases::apart).
#[derive(Debug)]
pub struct PartStates {
    /// The newer of those that the peer has.
    pub newer: Arc<Codes>,
    /// An older one, and how far apart they are.
    pub older: Option<(Arc<Codes>, NonZeroU16, NonZeroU16)>,
    /// The part that is told.
    pub new: Arc<Codes>,
}

/// A part of a value between its states, measured.
#[derive(Debug)]
pub struct MeasuredPart {
    part: u8,
    states: PartStates,
    /// Each keyed array and map that is dealt out and has columns, by the number of its key.
    sets: Vec<(usize, Entries)>,
}

impl MeasuredPart {
    pub(crate) fn part<'c>(&'c self, deal: &'c Deal) -> Part<'c> {
        let PartStates { newer, older, new } = &self.states;
        let older = older.as_ref().map(|(older, ahead, gap)| (&*older.all, Distances::new(*ahead, *gap)));
        let states = States { base: &newer.all, older, new: &new.all };
        Part { layout: deal.layout(PartSet::one(self.part)), states, sets: &self.sets }
    }
}
