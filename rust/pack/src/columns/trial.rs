//! Trial: what a column of entries would take in each way, so that a writer takes the shortest. A reader needs none of it.

use crate::bits::BitWriter;
use crate::text::{length, size};

use super::code::{CODE_BITS, Code};
use super::cost::{PlainCost, best};
use super::mask;
use super::plan::{Column, MISSING, TURN_LANES, part};
use super::predict::{Distances, Lane, LikelyTurn};

/// The codes of the states.
#[derive(Clone, Copy)]
pub(crate) struct States<'c> {
    pub(crate) base: &'c [u64],
    pub(crate) older: Option<(&'c [u64], Distances)>,
    pub(crate) new: &'c [u64],
}

/// Where a field stands in each state.
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

/// How a column is told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Whether it has codes of its own.
    pub(crate) is_own: bool,
    /// Whether every entry that is written has them.
    pub(crate) is_dense: bool,
    /// Whether each number, and a rotation as a whole, is predicted from two states.
    pub(crate) predicted: Vec<bool>,
    /// The code of each number.
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
    /// Where the entries stand that have a distance.
    found: Vec<Spots>,
    /// The place of each entry among those, counted from 1; 0 where it has none.
    places: Vec<u32>,
    /// Whether no entry is another than in the bases, so that nothing of what follows is asked for.
    is_still: bool,
    /// The bits of each when told from its base; 0 where it is the same.
    today: Vec<u32>,
    /// The distances from the base and from what two states predict, all of one number after those of another.
    distances: [Vec<u64>; 2],
    /// Whether another number of the rotation is left out, than in the base and than is predicted.
    charts: [Vec<bool>; 2],
    /// Whether an entry is another than is predicted.
    far: Vec<bool>,
    /// The places of the entries that are written, and of those among them that are far.
    written: Vec<usize>,
    written_far: Vec<usize>,
    marks: Vec<bool>,
    pub(crate) choice: Choice,
    spare: Vec<Code>,
    /// The distances of a number that codes are looked for.
    near: Vec<u64>,
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
        self.found.clear();
        self.places.clear();
        (self.is_still, self.has_turn, self.choice.is_own) = (true, false, false);
        if let Some(column) = column {
            self.start_column(column, states, spots);
        }
    }

    fn start_column(&mut self, column: &Column, states: States<'_>, spots: impl Iterator<Item = Spots>) {
        self.is_double = states.older.is_some();
        (self.plain, self.numbers) = (column.lanes.len(), column.numbers());
        self.has_turn = column.turn.is_some();
        self.choice.predicted.clear();
        self.choice.predicted.resize(self.plain.saturating_add(usize::from(self.has_turn)), false);
        self.find(states, column.codes(), spots);
        if self.is_still {
            return;
        }
        self.today.clear();
        self.today.resize(self.found.len(), 0);
        self.distances.iter_mut().for_each(Vec::clear);
        column.lanes.iter().enumerate().for_each(|(number, lane)| self.add_lane(*lane, number, states));
        if let Some(bits) = column.turn {
            let all = self.numbers.saturating_mul(self.found.len());
            self.distances.iter_mut().for_each(|far| far.resize(all, 0));
            self.charts.iter_mut().for_each(Vec::clear);
            for place in 0..self.found.len() {
                self.add_turn((column, bits), place, states);
            }
        }
        self.settle(column.codes(), states);
    }

    fn find(&mut self, states: States<'_>, codes: usize, spots: impl Iterator<Item = Spots>) {
        for at in spots {
            let at = Some(at).filter(|at| at.new != MISSING && at.has_bases(states));
            self.found.extend(at);
            self.places.push(if at.is_some() { u32::try_from(self.found.len()).unwrap_or(0) } else { 0 });
            if let (true, Some(at)) = (self.is_still, at) {
                let base = part(states.base, at.base, codes);
                let is_like = |all: &[u64], at| part(all, at, codes) == base;
                self.is_still = is_like(states.new, at.new)
                    && states.older.is_none_or(|(older, _)| is_like(older, at.older));
            }
        }
    }

    /// Adds a number of all entries.
    fn add_lane(&mut self, lane: Lane, number: usize, states: States<'_>) {
        let code = |codes: &[u64], at: usize| codes.get(at.wrapping_add(number)).copied().unwrap_or(0);
        let States { base, older, new } = states;
        let plain = PlainCost::of(lane);
        let [from_base, from_two] = &mut self.distances;
        for (bits, at) in self.today.iter_mut().zip(&self.found) {
            let (was, is) = (code(base, at.base), code(new, at.new));
            let far = lane.distance(is, was);
            *bits = bits.wrapping_add(if far == 0 { 0 } else { plain.bits(far, is) });
            from_base.push(far);
            if let Some((older, distances)) = older {
                from_two.push(lane.distance(is, lane.predicted(was, code(older, at.older), distances)));
            }
        }
    }

    fn add_turn(&mut self, (column, bits): (&Column, u32), place: usize, states: States<'_>) {
        let (Some(at), Some(today)) = (self.found.get(place), self.today.get_mut(place)) else { return };
        let [was, is] =
            [(states.base, at.base), (states.new, at.new)].map(|(codes, at)| column.turn_of(codes, at));
        // A rotation that is still needs no quaternion.
        let base = LikelyTurn::codes_for(was, is, bits);
        let two = states.older.map(|(older, distances)| match column.turn_of(older, at.older) {
            older if older == was => base,
            older => LikelyTurn::predicted(was, older, bits, distances).for_chart(is),
        });
        let lane = Column::turn_lane(bits);
        let [_, is @ ..] = is;
        let far = |from: [u64; TURN_LANES]| {
            let mut pairs = is.iter().zip(from);
            [(); TURN_LANES].map(|()| pairs.next().map_or(0, |(is, from)| lane.distance(*is, from)))
        };
        let [in_base, in_two] = &mut self.charts;
        in_base.push(base.1);
        in_two.extend(two.map(|two| two.1));
        let (first, step) =
            (self.plain.saturating_mul(self.found.len()).saturating_add(place), self.found.len());
        let put = |all: &mut Vec<u64>, far: [u64; TURN_LANES]| {
            let slots = all.iter_mut().skip(first).step_by(step.max(1));
            slots.zip(far).for_each(|(slot, far)| *slot = far);
        };
        let from_base = far(base.0);
        let [in_base, in_two] = &mut self.distances;
        put(in_base, from_base);
        two.iter().for_each(|two| put(in_two, far(two.0)));
        let plain = PlainCost::of(lane);
        let near = from_base.iter().fold(1, |sum: u32, far| sum.wrapping_add(plain.bits(*far, 0)));
        let more = if base.1 { bits.wrapping_mul(3).wrapping_add(3) } else { near };
        *today = today.wrapping_add(more);
    }

    /// Adds the bits that say which numbers are others, where any is.
    fn settle(&mut self, count: usize, states: States<'_>) {
        let flags = if count > 1 { u32::try_from(self.plain).unwrap_or(0) } else { 0 };
        for (bits, at) in self.today.iter_mut().zip(&self.found) {
            let has_changed = part(states.base, at.base, count) != part(states.new, at.new, count);
            *bits = if has_changed { bits.wrapping_add(flags) } else { 0 };
        }
    }

    fn place(&self, entry: usize) -> Option<usize> {
        let place = self.places.get(entry).copied().unwrap_or(0);
        usize::try_from(place).ok()?.checked_sub(1)
    }

    /// Whether an entry has a distance, so that it is told by the column if that is told by its own codes.
    pub(crate) fn has(&self, entry: usize) -> bool {
        self.places.get(entry).is_some_and(|place| *place > 0)
    }

    /// Whether no entry that has a distance is another than in the bases.
    pub(crate) const fn is_still(&self) -> bool {
        self.is_still
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

    fn is_predicted(&self, unit: usize) -> bool {
        self.choice.predicted.get(unit).copied().unwrap_or(false)
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

    fn chart(&self, place: usize) -> bool {
        let charts = self.charts.get(usize::from(self.is_predicted(self.plain)));
        self.has_turn && charts.and_then(|charts| charts.get(place)).copied().unwrap_or(false)
    }

    /// Whether another number of an entry's rotation is left out than is predicted.
    pub(crate) fn is_other_chart(&self, entry: usize) -> bool {
        self.has_turn && !self.is_still && self.place(entry).is_some_and(|place| self.chart(place))
    }

    /// Writes the distances of an entry.
    pub(crate) fn write(&self, entry: usize, bits: &mut BitWriter) {
        // None of a single number is 0 in a sparse column.
        let less = u64::from(!self.choice.is_dense && self.numbers == 1);
        let Some(place) = self.place(entry) else { return };
        for (number, code) in self.choice.codes.iter().enumerate() {
            let far = self.chosen(number).get(place).copied().unwrap_or(0);
            code.write(far.saturating_sub(less), bits);
        }
    }

    /// The distances of a number, among all of one kind.
    fn column<'d>(&self, all: &'d [u64], number: usize) -> &'d [u64] {
        let start = number.saturating_mul(self.found.len());
        part(all, start, self.found.len()).unwrap_or_default()
    }

    /// The distances of a number, as they are chosen.
    fn chosen(&self, number: usize) -> &[u64] {
        let all = self.distances.get(usize::from(self.is_predicted(number.min(self.plain))));
        all.map_or(&[], |all| self.column(all, number))
    }

    fn is_far(&self, place: usize) -> bool {
        self.far.get(place).copied().unwrap_or(false)
    }

    /// Whether an entry has to say something of this column. None: the column does not have it.
    pub(crate) fn differs(&self, entry: usize) -> Option<bool> {
        let place = self.place(entry)?;
        Some(match self.choice.is_own {
            _ if self.is_still => false,
            true => self.is_far(place),
            false => self.today.get(place).is_some_and(|bits| *bits > 0),
        })
    }

    /// Chooses where each number is predicted from, over all entries, as if it had codes of its own.
    pub(crate) fn predict(&mut self) {
        if self.is_still {
            return;
        }
        self.choice.is_own = true;
        if self.is_double {
            self.compare();
        }
        let mut far = std::mem::take(&mut self.far);
        far.clear();
        far.extend((0..self.found.len()).map(|place| self.chart(place)));
        for number in 0..self.numbers {
            let distances = self.chosen(number).iter();
            far.iter_mut().zip(distances).for_each(|(far, distance)| *far |= *distance != 0);
        }
        self.far = far;
    }

    fn compare(&mut self) {
        let mut predicted = std::mem::take(&mut self.choice.predicted);
        let bits = |distances: &[u64]| best(distances).1;
        let cost = |number: usize| {
            let [base, two] = self.distances.each_ref().map(|all| self.column(all, number));
            if base == two { [0, 0] } else { [bits(base), bits(two)] }
        };
        for (number, predicted) in predicted.iter_mut().enumerate().take(self.plain) {
            let [base, two] = cost(number);
            *predicted = two < base;
        }
        if let Some(predicted) = predicted.get_mut(self.plain) {
            let marks = |charts: &Vec<bool>| length(charts.iter().filter(|mark| **mark).count());
            let [in_base, in_two] = &self.charts;
            let start = [marks(in_base), marks(in_two)].map(|marks| marks.saturating_mul(8));
            let turn = (self.plain..self.numbers).map(cost);
            let [base, two] =
                turn.fold(start, |[a, b], [base, two]| [a.saturating_add(base), b.saturating_add(two)]);
            *predicted = two < base;
        }
        self.choice.predicted = predicted;
    }

    /// Chooses the shortest way for these entries, and its codes.
    pub(crate) fn choose(&mut self, written: &[bool]) {
        self.choice.is_own = false;
        if self.is_still {
            return;
        }
        self.find_written(written);
        let today = self.today_with();
        let (marks, in_masks) = self.marks();
        let units = if self.is_double { self.choice.predicted.len() } else { 0 };
        let codes = length(self.numbers).saturating_mul(u64::from(CODE_BITS));
        let table = [codes, length(units), 1, marks, in_masks].into_iter().fold(0, u64::saturating_add);
        if today <= table {
            return;
        }
        let dense = self.best_codes(true).saturating_add(table);
        std::mem::swap(&mut self.choice.codes, &mut self.spare);
        let flags = length(self.written.len().saturating_sub(size(marks.wrapping_shr(1))));
        // What is as predicted has to be more bits than it costs to say so.
        let as_predicted = length(self.written.len().saturating_sub(self.written_far.len()));
        let each = self.choice.codes.iter().map(|code| u64::from(code.bits(0))).fold(0, u64::saturating_add);
        let is_little = self.numbers > 1 && as_predicted.saturating_mul(each) <= flags;
        let is_dense = is_little || table.saturating_add(flags) >= dense;
        let sparse = if is_dense { u64::MAX } else { self.best_codes(false) };
        let sparse = [table, flags].into_iter().fold(sparse, u64::saturating_add);
        self.choice.is_own = dense.min(sparse) < today;
        self.choice.is_dense = dense <= sparse;
        if !self.choice.is_dense {
            std::mem::swap(&mut self.choice.codes, &mut self.spare);
        }
    }

    /// The bits of these entries when told from their base, and of those that would have to be written then.
    fn today_with(&self) -> u64 {
        // Where none is another, the table says so.
        if self.today.iter().all(|bits| *bits == 0) {
            return 0;
        }
        let mut written = self.written.iter().copied().peekable();
        let each = self.today.iter().enumerate().map(|(place, bits)| {
            let is_written = written.next_if_eq(&place).is_some();
            if is_written || *bits > 0 { u64::from(*bits).saturating_add(1) } else { 0 }
        });
        each.fold(0, u64::saturating_add)
    }

    /// The best codes for these entries, in the way that is chosen.
    pub(crate) fn tune(&mut self, written: &[bool]) {
        if self.choice.is_own {
            self.find_written(written);
            self.best_codes(self.choice.is_dense);
            std::mem::swap(&mut self.choice.codes, &mut self.spare);
        }
    }

    /// Finds where the distances of these entries are.
    fn find_written(&mut self, written: &[bool]) {
        self.written.clear();
        self.written_far.clear();
        for (place, is_written) in self.places.iter().zip(written) {
            if let (true, Some(place)) = (*is_written, size(u64::from(*place)).checked_sub(1)) {
                self.written.push(place);
                let is_far = self.far.get(place).copied().unwrap_or(false);
                self.written_far.extend(is_far.then_some(place));
            }
        }
    }

    /// The bits of charts that are told, and of the mask that says which.
    fn marks(&mut self) -> (u64, u64) {
        if !self.has_turn {
            return (0, 0);
        }
        let mut marks = std::mem::take(&mut self.marks);
        marks.clear();
        marks.extend(self.written.iter().map(|place| self.chart(*place)));
        let count = length(marks.iter().filter(|mark| **mark).count());
        let bits = mask::bits_of(&marks);
        self.marks = marks;
        (count.saturating_mul(2), bits)
    }

    /// The bits of what is written under the best codes, which are put into `spare`.
    fn best_codes(&mut self, is_dense: bool) -> u64 {
        let (mut codes, mut near) = (std::mem::take(&mut self.spare), std::mem::take(&mut self.near));
        codes.clear();
        let places = if is_dense { &self.written } else { &self.written_far };
        let less = u64::from(!is_dense && self.numbers == 1);
        let mut all = 0_u64;
        for number in 0..self.numbers {
            let distances = self.chosen(number);
            let of = |place: &usize| distances.get(*place).copied().unwrap_or(0).saturating_sub(less);
            near.clear();
            near.extend(places.iter().map(of));
            let (code, bits) = best(&near);
            all = all.saturating_add(bits);
            codes.push(code);
        }
        (self.spare, self.near) = (codes, near);
        all
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
