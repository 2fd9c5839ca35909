//! Trial: what a column of entries would take in each way, so that a writer takes the shortest. A reader needs none of it.

use crate::bits::BitWriter;
use crate::text::length;

use super::code::{CODE_BITS, Code};
use super::cost::{Histogram, PlainCost};
use super::entries::Entry;
use super::mask;
use super::plan::{Column, MISSING, TURN_LANES, part};
use super::predict::Distances;
use super::row::Row;

#[derive(Clone, Copy)]
pub(crate) struct States<'c> {
    pub(crate) base: &'c [u64],
    pub(crate) older: Option<(&'c [u64], Distances)>,
    pub(crate) new: &'c [u64],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Spots {
    pub(crate) base: usize,
    pub(crate) older: usize,
    pub(crate) new: usize,
}

impl Spots {
    /// Whether the bases have the field, so that its own codes may tell it.
    pub(crate) const fn has_bases(self, states: States<'_>) -> bool {
        self.base != MISSING && (states.older.is_none() || self.older != MISSING)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    pub(crate) is_own: bool,
    /// Whether every entry that is written has them.
    pub(crate) is_dense: bool,
    /// Whether each number, and a rotation as a whole, is predicted from two states.
    pub(crate) predicted: Vec<bool>,
    pub(crate) codes: Vec<Code>,
}

/// A column over the entries that may be written. Its memory is kept.
#[derive(Debug, Default)]
pub(crate) struct Trial {
    /// Whether its field is a column at all.
    pub(crate) is_column: bool,
    /// Whether there are two bases.
    is_double: bool,
    /// How many numbers stand before its rotation, and how many there are.
    plain: usize,
    numbers: usize,
    has_turn: bool,
    /// Where each entry stands, and whether it has a distance.
    found: Vec<Spots>,
    has: Vec<bool>,
    /// Whether no entry is another than in the bases, so that nothing of what follows is asked for.
    is_still: bool,
    /// The bits of each when told from its base; 0 where it is the same.
    today: Vec<u32>,
    /// The distances from the base and from what two states predict, all of one entry together. Once predictions are chosen,
    /// the first are those from them.
    distances: [Vec<u64>; 2],
    /// How often each distance of a number occurs, likewise.
    histograms: [Vec<Histogram>; 2],
    /// Whether another number of the rotation is left out, than in the base and than is predicted, likewise.
    charts: [Vec<bool>; 2],
    /// Whether an entry is another than is predicted.
    far: Vec<bool>,
    /// How many entries that have a distance are written, and how many of those are far.
    written: u64,
    written_far: u64,
    marks: Vec<bool>,
    costs: Vec<PlainCost>,
    pub(crate) choice: Choice,
    spare: Vec<Code>,
    /// Some distances of a number that codes are looked for.
    some: Histogram,
}

impl Trial {
    /// Finds the distances of entries that stand at these spots.
    pub(crate) fn start(
        &mut self,
        column: Option<&Column>,
        states: States<'_>,
        spots: impl Iterator<Item = Spots>,
    ) {
        self.is_column = column.is_some();
        self.has.clear();
        (self.is_still, self.has_turn, self.choice.is_own) = (true, false, false);
        let Some(column) = column else { return };
        self.is_double = states.older.is_some();
        (self.plain, self.numbers) = (column.lanes.len(), column.numbers());
        self.has_turn = column.turn.is_some();
        self.choice.predicted.clear();
        self.choice.predicted.resize(self.plain.saturating_add(usize::from(self.has_turn)), false);
        self.find(states, column.codes(), spots);
        if !self.is_still {
            self.measure(column, states);
            self.count();
        }
    }

    /// Puts together what was measured of parts. Those that are still have no distances.
    pub(super) fn gather(&mut self, parts: &[&Trial]) {
        let Some(first) = parts.first() else { return };
        (self.is_column, self.is_double, self.has_turn) = (first.is_column, first.is_double, first.has_turn);
        (self.plain, self.numbers) = (first.plain, first.numbers);
        self.is_still = parts.iter().all(|part| part.is_still);
        self.choice.is_own = false;
        self.choice.predicted.clone_from(&first.choice.predicted);
        self.has.clear();
        self.today.clear();
        self.distances.iter_mut().for_each(Vec::clear);
        self.charts.iter_mut().for_each(Vec::clear);
        for histograms in &mut self.histograms {
            histograms.resize_with(self.numbers.max(histograms.len()), Histogram::default);
            histograms.iter_mut().for_each(Histogram::clear);
        }
        for part in parts {
            self.has.extend_from_slice(&part.has);
            if !part.is_still {
                self.today.extend_from_slice(&part.today);
                let kinds = self.distances.iter_mut().zip(&part.distances);
                kinds.for_each(|(all, distances)| all.extend_from_slice(distances));
                let kinds = self.charts.iter_mut().zip(&part.charts);
                kinds.for_each(|(all, charts)| all.extend_from_slice(charts));
                for (all, histograms) in self.histograms.iter_mut().zip(&part.histograms) {
                    all.iter_mut().zip(histograms).for_each(|(all, histogram)| all.add_all(histogram));
                }
            }
            let count = self.has.len();
            self.today.resize(count, 0);
            self.distances.iter_mut().for_each(|all| all.resize(count.saturating_mul(self.numbers), 0));
            self.charts.iter_mut().for_each(|all| all.resize(count, false));
        }
    }

    fn find(&mut self, states: States<'_>, codes: usize, spots: impl Iterator<Item = Spots>) {
        self.found.clear();
        for at in spots {
            let has = at.new != MISSING && at.has_bases(states);
            self.found.push(at);
            self.has.push(has);
            if self.is_still && has {
                let base = part(states.base, at.base, codes);
                let is_like = |all: &[u64], at| part(all, at, codes) == base;
                self.is_still = is_like(states.new, at.new)
                    && states.older.is_none_or(|(older, _)| is_like(older, at.older));
            }
        }
    }

    /// Measures how far the numbers of each entry are.
    fn measure(&mut self, column: &Column, states: States<'_>) {
        let turn = column.turn.map(Column::turn_lane);
        self.costs.clear();
        self.costs.extend(column.lanes.iter().copied().chain(turn).map(PlainCost::of));
        let flags = if column.codes() > 1 { u32::try_from(self.plain).unwrap_or(0) } else { 0 };
        let all = self.found.len().saturating_mul(self.numbers);
        for distances in &mut self.distances {
            distances.clear();
            distances.resize(all, 0);
        }
        self.charts.iter_mut().for_each(Vec::clear);
        self.today.clear();
        let [from_base, from_two] = &mut self.distances;
        let [in_base, in_two] = &mut self.charts;
        let rows = from_base
            .chunks_exact_mut(self.numbers.max(1))
            .zip(from_two.chunks_exact_mut(self.numbers.max(1)));
        for ((at, has), (from_base, from_two)) in self.found.iter().zip(&self.has).zip(rows) {
            let mut row = Row { column, costs: &self.costs, from_base, from_two, charts: [false; 2] };
            let bits = if *has { row.measure(*at, states) } else { 0 };
            let [chart, chart_of_two] = row.charts;
            let has_changed = chart || row.from_base.iter().fold(0, |any, far| any | far) != 0;
            self.today.push(if has_changed { bits.wrapping_add(flags) } else { 0 });
            in_base.push(chart);
            in_two.push(chart_of_two);
        }
    }

    fn count(&mut self) {
        for (distances, histograms) in self.distances.iter().zip(&mut self.histograms) {
            histograms.resize_with(self.numbers.max(histograms.len()), Histogram::default);
            for (number, histogram) in histograms.iter_mut().enumerate().take(self.numbers) {
                histogram.clear();
                distances.iter().skip(number).step_by(self.numbers).for_each(|far| histogram.add(*far));
            }
            if !self.is_double {
                return;
            }
        }
    }

    /// Whether an entry has a distance, so that it is told by the column if that is told by its own codes.
    pub(crate) fn has(&self, entry: usize) -> bool {
        self.has.get(entry) == Some(&true)
    }

    /// Whether the table or a mask says of an entry that is written that this column's codes follow.
    pub(crate) fn is_told(&self, entry: usize) -> bool {
        self.choice.is_own && (self.choice.is_dense || self.is_other_chart(entry))
    }

    /// The bits of all entries that are others than in the base, each told from that.
    pub(crate) fn least_today(&self) -> u64 {
        let today = if self.is_still { &[][..] } else { &self.today };
        today.iter().fold(0_u64, |sum, bits| sum.saturating_add(u64::from(*bits)))
    }

    /// Whether a mask says whose rotation leaves out another number than is predicted.
    pub(crate) const fn tells_charts(&self) -> bool {
        self.has_turn && self.choice.is_own
    }

    /// Gives each number, and the three of a rotation together, with their codes.
    pub(crate) fn units(&self, mut each: impl FnMut(usize, &[Code])) {
        let (plain, turn) = self.choice.codes.split_at_checked(self.plain).unwrap_or((&[], &[]));
        plain.iter().enumerate().for_each(|(unit, code)| each(unit, std::slice::from_ref(code)));
        if self.has_turn {
            each(self.plain, turn);
        }
    }

    /// Whether another number of an entry's rotation is left out than is predicted.
    pub(crate) fn is_other_chart(&self, entry: usize) -> bool {
        let [charts, _] = &self.charts;
        self.has_turn && !self.is_still && charts.get(entry) == Some(&true)
    }

    pub(crate) fn write(&self, entry: usize, bits: &mut BitWriter) {
        // None of a single number is 0 in a sparse column.
        let less = u64::from(!self.choice.is_dense && self.numbers == 1);
        let [distances, _] = &self.distances;
        let row = part(distances, entry.saturating_mul(self.numbers), self.numbers).unwrap_or_default();
        for (code, far) in self.choice.codes.iter().zip(row) {
            code.write(far.saturating_sub(less), bits);
        }
    }

    /// Whether an entry has to say something of this column. None: the column does not have it.
    pub(crate) fn differs(&self, entry: usize) -> Option<bool> {
        if !self.has(entry) {
            return None;
        }
        Some(match self.choice.is_own {
            _ if self.is_still => false,
            true => self.far.get(entry) == Some(&true),
            false => self.today.get(entry).is_some_and(|bits| *bits > 0),
        })
    }

    /// Adds the entries that have to say something of this column.
    pub(crate) fn add_written(&self, written: &mut [bool]) {
        match self.choice.is_own {
            _ if self.is_still => {}
            true => written.iter_mut().zip(&self.far).for_each(|(written, far)| *written |= far),
            false => written.iter_mut().zip(&self.today).for_each(|(written, bits)| *written |= *bits > 0),
        }
    }

    /// Chooses where each number is predicted from, over all entries, as if it had codes of its own.
    pub(crate) fn predict(&mut self) {
        if self.is_still {
            return;
        }
        self.choice.is_own = true;
        if self.is_double {
            self.compare();
            self.take_predicted();
        }
        let [distances, _] = &self.distances;
        let [charts, _] = &self.charts;
        let rows = distances.chunks_exact(self.numbers.max(1)).zip(charts);
        self.far.clear();
        self.far.extend(rows.map(|(row, chart)| *chart || row.iter().fold(0, |any, far| any | far) != 0));
    }

    fn compare(&mut self) {
        let count = length(self.has.iter().filter(|has| **has).count());
        let [base, two] = &self.histograms;
        let mut costs = base.iter().zip(two).map(|(base, two)| [base.best(count).1, two.best(count).1]);
        for (predicted, [base, two]) in self.choice.predicted.iter_mut().zip(costs.by_ref().take(self.plain))
        {
            *predicted = two < base;
        }
        if let Some(predicted) = self.choice.predicted.get_mut(self.plain) {
            let marks = |charts: &Vec<bool>| length(charts.iter().filter(|mark| **mark).count());
            let start = self.charts.each_ref().map(|charts| marks(charts).saturating_mul(8));
            let [base, two] = costs
                .take(TURN_LANES)
                .fold(start, |[a, b], [base, two]| [a.saturating_add(base), b.saturating_add(two)]);
            *predicted = two < base;
        }
    }

    /// Puts what is predicted from two states first.
    fn take_predicted(&mut self) {
        let last = self.choice.predicted.last().copied().unwrap_or(false);
        let units = self.choice.predicted.iter().copied();
        let numbers = units.chain(std::iter::repeat(last)).enumerate().take(self.numbers);
        let [base, two] = &mut self.distances;
        let [in_base, in_two] = &mut self.histograms;
        for (number, _) in numbers.filter(|(_, is_predicted)| *is_predicted) {
            let slots = base.iter_mut().skip(number).step_by(self.numbers);
            slots.zip(two.iter().skip(number).step_by(self.numbers)).for_each(|(slot, far)| *slot = *far);
            if let (Some(base), Some(two)) = (in_base.get_mut(number), in_two.get_mut(number)) {
                std::mem::swap(base, two);
            }
        }
        if self.has_turn && last {
            self.charts.swap(0, 1);
        }
    }

    /// Chooses the shortest way for these entries, and its codes.
    pub(super) fn choose(&mut self, written: &[bool], entries: &[Entry]) {
        self.choice.is_own = false;
        if self.is_still {
            return;
        }
        self.count_written(written);
        let today = self.today_with(written);
        let (marks, in_masks) = self.marks(written, entries);
        let units = if self.is_double { self.choice.predicted.len() } else { 0 };
        let codes = length(self.numbers).saturating_mul(u64::from(CODE_BITS));
        let table = [codes, length(units), 1, marks, in_masks].into_iter().fold(0, u64::saturating_add);
        if today <= table {
            return;
        }
        self.choice.is_dense = true;
        let dense = self.best_codes(written).saturating_add(table);
        std::mem::swap(&mut self.choice.codes, &mut self.spare);
        let flags = self.written.saturating_sub(marks.wrapping_shr(1));
        // What is as predicted has to be more bits than it costs to say so.
        let as_predicted = self.written.saturating_sub(self.written_far);
        let each = self.choice.codes.iter().map(|code| u64::from(code.bits(0))).fold(0, u64::saturating_add);
        let is_little = self.numbers > 1 && as_predicted.saturating_mul(each) <= flags;
        self.choice.is_dense = is_little || table.saturating_add(flags) >= dense;
        let sparse = if self.choice.is_dense { u64::MAX } else { self.best_codes(written) };
        let sparse = [table, flags].into_iter().fold(sparse, u64::saturating_add);
        self.choice.is_own = dense.min(sparse) < today;
        self.choice.is_dense = dense <= sparse;
        if !self.choice.is_dense {
            std::mem::swap(&mut self.choice.codes, &mut self.spare);
        }
    }

    /// The bits of these entries when told from their base, and of those that would have to be written then.
    fn today_with(&self, written: &[bool]) -> u64 {
        // Where none is another, the table says so.
        if self.today.iter().all(|bits| *bits == 0) {
            return 0;
        }
        let each = self.today.iter().zip(written).zip(&self.has).map(|((bits, is_written), has)| {
            u64::from(*bits).wrapping_add(u64::from((*is_written && *has) || *bits > 0))
        });
        each.fold(0, u64::wrapping_add)
    }

    /// The best codes for these entries, in the way that is chosen.
    pub(crate) fn tune(&mut self, written: &[bool]) {
        if self.choice.is_own {
            self.count_written(written);
            self.best_codes(written);
            std::mem::swap(&mut self.choice.codes, &mut self.spare);
        }
    }

    fn count_written(&mut self, written: &[bool]) {
        let count = |marks: &[bool]| {
            length(marks.iter().zip(written).filter(|(mark, written)| **mark && **written).count())
        };
        (self.written, self.written_far) = (count(&self.has), count(&self.far));
    }

    /// The bits of charts that are told, and of the mask that says which.
    fn marks(&mut self, written: &[bool], entries: &[Entry]) -> (u64, u64) {
        if !self.has_turn {
            return (0, 0);
        }
        let [charts, _] = &self.charts;
        let is_told = |row: &usize| self.has.get(*row) == Some(&true) && written.get(*row) == Some(&true);
        let told = entries.iter().map(|entry| entry.row).filter(is_told);
        self.marks.clear();
        self.marks.extend(told.map(|row| charts.get(row) == Some(&true)));
        let count = length(self.marks.iter().filter(|mark| **mark).count());
        (count.saturating_mul(2), mask::bits_of(&self.marks))
    }

    /// The bits of what is written in the way that is chosen, under the best codes, which are put into `spare`.
    fn best_codes(&mut self, written: &[bool]) -> u64 {
        let is_dense = self.choice.is_dense;
        let count = if is_dense { self.written } else { self.written_far };
        let less = u64::from(!is_dense && self.numbers == 1);
        let [distances, _] = &self.distances;
        let [histograms, _] = &self.histograms;
        // What is not far is 0 in all its numbers.
        let is_whole = less == 0 && self.written_far == length(self.far.iter().filter(|far| **far).count());
        let mut all = 0_u64;
        self.spare.clear();
        for (number, histogram) in histograms.iter().enumerate().take(self.numbers) {
            let mut histogram = histogram;
            if !is_whole {
                self.some.clear();
                let far = distances.iter().skip(number).step_by(self.numbers).zip(&self.far).zip(written);
                let far = far.filter(|((_, is_far), is_written)| **is_far && **is_written);
                far.for_each(|((far, _), _)| self.some.add(far.saturating_sub(less)));
                histogram = &self.some;
            }
            let (code, bits) = histogram.best(count);
            all = all.saturating_add(bits);
            self.spare.push(code);
        }
        all
    }
}
