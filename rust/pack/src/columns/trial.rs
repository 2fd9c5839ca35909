//! Trial: what a column of entries would take in each way, so that a writer takes the shortest. A reader needs none of it.

use crate::bits::BitWriter;
use crate::text::{length, size};

use super::code::{CODE_BITS, Code};
use super::cost::{Histogram, PlainCost};
use super::mask;
use super::plan::{Column, MISSING, TURN_LANES};
use super::predict::{Distances, Lane, LikelyTurn};

/// The codes of the states.
#[derive(Clone, Copy)]
pub(crate) struct States<'c> {
    pub(crate) base: &'c [u64],
    pub(crate) older: Option<(&'c [u64], Distances)>,
    pub(crate) new: &'c [u64],
}

/// Where a field stands in each state.
#[derive(Clone, Copy)]
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

/// The distances of a number, from the base and from what two states predict.
#[derive(Default)]
struct Distance {
    far: [Vec<u64>; 2],
}

/// A column over the entries that may be written.
pub(crate) struct Trial {
    /// Whether there are two bases.
    is_double: bool,
    /// How many numbers stand before its rotation.
    plain: usize,
    has_turn: bool,
    /// The place of each entry in what follows, counted from 1; 0 where it has no distance.
    places: Vec<u32>,
    /// The bits of each when told from its base; 0 where it is the same.
    today: Vec<u32>,
    distances: Vec<Distance>,
    /// Whether another number of the rotation is left out, than in the base and than is predicted.
    charts: [Vec<bool>; 2],
    /// The distances of each entry, as they are chosen.
    rows: Vec<u64>,
    /// Whether an entry is another than is predicted.
    far: Vec<bool>,
    pub(crate) choice: Choice,
}

impl Trial {
    /// The column of entries that stand at these spots.
    pub(crate) fn new(column: &Column, states: States<'_>, spots: impl Iterator<Item = Spots>) -> Trial {
        let numbers = column.numbers();
        let units = column.lanes.len().saturating_add(usize::from(column.turn.is_some()));
        let predicted = vec![false; units];
        let codes = vec![Code::default(); numbers];
        let mut trial = Trial {
            is_double: states.older.is_some(),
            plain: column.lanes.len(),
            has_turn: column.turn.is_some(),
            places: Vec::with_capacity(spots.size_hint().0),
            today: Vec::new(),
            distances: Vec::with_capacity(numbers),
            charts: [Vec::new(), Vec::new()],
            rows: Vec::new(),
            far: Vec::new(),
            choice: Choice { predicted, codes, ..Choice::default() },
        };
        let mut found = Vec::with_capacity(spots.size_hint().0);
        for at in spots {
            let has = at.new != MISSING && at.has_bases(states);
            found.extend(has.then_some(at));
            trial.places.push(if has { u32::try_from(found.len()).unwrap_or(0) } else { 0 });
        }
        trial.today.resize(found.len(), 0);
        for (number, lane) in column.lanes.iter().enumerate() {
            trial.add_lane(*lane, number, states, &found);
        }
        if let Some(bits) = column.turn {
            trial.distances.resize_with(numbers, Distance::default);
            trial.charts.iter_mut().for_each(|charts| charts.reserve(found.len()));
            let distances = trial.distances.iter_mut().flat_map(|distance| &mut distance.far);
            distances.for_each(|far| far.reserve(found.len()));
            for (place, at) in found.iter().enumerate() {
                trial.add_turn((column, bits), place, states, *at);
            }
        }
        trial.settle(&found, states);
        trial
    }

    /// Adds a number of all entries.
    fn add_lane(&mut self, lane: Lane, number: usize, states: States<'_>, found: &[Spots]) {
        let code = |codes: &[u64], at: usize| codes.get(at.wrapping_add(number)).copied().unwrap_or(0);
        let States { base, older, new } = states;
        let from_base = found.iter().map(|at| lane.distance(code(new, at.new), code(base, at.base)));
        let from_base: Vec<u64> = from_base.collect();
        let plain = PlainCost::of(lane);
        for ((bits, far), at) in self.today.iter_mut().zip(&from_base).zip(found) {
            *bits = bits.wrapping_add(if *far == 0 { 0 } else { plain.bits(*far, code(new, at.new)) });
        }
        let from_two = older.map(|(older, distances)| {
            let far = |at: &Spots| {
                let likely = lane.predicted(code(base, at.base), code(older, at.older), distances);
                lane.distance(code(new, at.new), likely)
            };
            found.iter().map(far).collect()
        });
        self.distances.push(Distance { far: [from_base, from_two.unwrap_or_default()] });
    }

    fn add_turn(&mut self, (column, bits): (&Column, u32), place: usize, states: States<'_>, at: Spots) {
        let [was, is] =
            [(states.base, at.base), (states.new, at.new)].map(|(codes, at)| column.turn_of(codes, at));
        // A rotation that is still needs no quaternion.
        let base = LikelyTurn::codes_for(was, is, bits);
        let two = states.older.map(|(older, distances)| match column.turn_of(older, at.older) {
            older if older == was => base,
            older => LikelyTurn::predicted(was, older, bits, distances).for_chart(is),
        });
        let lane = Column::turn_lane(bits);
        let [_, numbers @ ..] = is;
        let [from_base, from_two] = &mut self.charts;
        from_base.push(base.1);
        from_two.extend(two.map(|two| two.1));
        let plain = PlainCost::of(lane);
        let mut today = if base.1 { bits.wrapping_mul(3).wrapping_add(3) } else { 1 };
        let distances = self.distances.iter_mut().skip(self.plain);
        for (at, (number, distance)) in numbers.iter().zip(distances).enumerate() {
            let [from_base, from_two] = &mut distance.far;
            let far = |codes: [u64; TURN_LANES]| lane.distance(*number, codes.get(at).copied().unwrap_or(0));
            from_base.push(far(base.0));
            from_two.extend(two.map(|two| far(two.0)));
            if !base.1 {
                today = today.wrapping_add(plain.bits(far(base.0), 0));
            }
        }
        if let Some(bits) = self.today.get_mut(place) {
            *bits = bits.wrapping_add(today);
        }
    }

    /// Adds the bits that say which numbers are others, where any is.
    fn settle(&mut self, found: &[Spots], states: States<'_>) {
        let count = self.plain.saturating_add(if self.has_turn { 4 } else { 0 });
        let flags = if count > 1 { u32::try_from(self.plain).unwrap_or(0) } else { 0 };
        for (bits, at) in self.today.iter_mut().zip(found) {
            let was = states.base.get(at.base..at.base.saturating_add(count));
            let has_changed = was != states.new.get(at.new..at.new.saturating_add(count));
            *bits = if has_changed { bits.wrapping_add(flags) } else { 0 };
        }
    }

    fn place(&self, entry: usize) -> Option<usize> {
        let place = self.places.get(entry).copied().unwrap_or(0);
        usize::try_from(place).ok()?.checked_sub(1)
    }

    /// Whether an entry has a distance, so that it is told by the column if that is told by its own codes.
    pub(crate) fn has(&self, entry: usize) -> bool {
        self.place(entry).is_some()
    }

    /// The bits of an entry's value if it is another than in the base; 0 if not, none if the column does not have it.
    pub(crate) fn today(&self, entry: usize) -> Option<u32> {
        self.today.get(self.place(entry)?).copied()
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
        self.has_turn && self.place(entry).is_some_and(|place| self.chart(place))
    }

    /// Writes the distances of an entry.
    pub(crate) fn write(&self, entry: usize, bits: &mut BitWriter) {
        let less = u64::from(!self.choice.is_dense && self.numbers() == 1);
        let row = self.place(entry).map_or(&[][..], |place| self.row(place));
        for (code, far) in self.choice.codes.iter().zip(row) {
            code.write(far.saturating_sub(less), bits);
        }
    }

    fn numbers(&self) -> usize {
        self.distances.len()
    }

    fn row(&self, place: usize) -> &[u64] {
        let start = place.saturating_mul(self.numbers());
        self.rows.get(start..start.saturating_add(self.numbers())).unwrap_or_default()
    }

    fn is_far(&self, place: usize) -> bool {
        self.far.get(place).copied().unwrap_or(false)
    }

    /// Whether an entry has to say something of this column. None: the column does not have it.
    pub(crate) fn differs(&self, entry: usize) -> Option<bool> {
        let place = self.place(entry)?;
        let has_changed = self.today.get(place).is_some_and(|bits| *bits > 0);
        Some(if self.choice.is_own { self.is_far(place) } else { has_changed })
    }

    /// Chooses where each number is predicted from, over all entries.
    pub(crate) fn predict(&mut self) {
        if self.is_double {
            self.compare();
        }
        let chosen = self.distances.iter().enumerate().map(|(number, distance)| {
            let [base, two] = &distance.far;
            if self.is_predicted(number.min(self.plain)) { two } else { base }
        });
        let chosen: Vec<&Vec<u64>> = chosen.collect();
        let mut rows = Vec::with_capacity(self.today.len().saturating_mul(chosen.len()));
        for place in 0..self.today.len() {
            let start = rows.len();
            rows.extend(chosen.iter().map(|far| far.get(place).copied().unwrap_or(0)));
            let is_far = rows.get(start..).is_some_and(|row| row.iter().any(|far| *far != 0));
            self.far.push(is_far || self.chart(place));
        }
        self.rows = rows;
    }

    fn compare(&mut self) {
        let bits = |distances: &[u64]| {
            let mut all = Histogram::new();
            distances.iter().for_each(|distance| all.add(*distance));
            all.best().1
        };
        let cost = |distance: &Distance| {
            let [base, two] = &distance.far;
            if base == two { [0, 0] } else { [bits(base), bits(two)] }
        };
        let costs: Vec<[u64; 2]> = self.distances.iter().map(cost).collect();
        let (plain, turn) = costs.split_at_checked(self.plain).unwrap_or((&costs, &[]));
        for (predicted, [base, two]) in self.choice.predicted.iter_mut().zip(plain) {
            *predicted = two < base;
        }
        if let Some(predicted) = self.choice.predicted.get_mut(self.plain) {
            let marks = |charts: &Vec<bool>| length(charts.iter().filter(|mark| **mark).count());
            let [in_base, in_two] = &self.charts;
            let start = [marks(in_base), marks(in_two)].map(|marks| marks.saturating_mul(8));
            let [base, two] = turn
                .iter()
                .fold(start, |[a, b], [base, two]| [a.saturating_add(*base), b.saturating_add(*two)]);
            *predicted = two < base;
        }
    }

    /// Chooses the shortest way for these entries, and its codes.
    pub(crate) fn choose(&mut self, written: &[bool]) {
        let places: Vec<usize> = self.written(written).collect();
        let today = self.today_with(&places);
        let (marks, in_masks) = self.marks(&places);
        let units = if self.is_double { self.choice.predicted.len() } else { 0 };
        let codes = length(self.numbers()).saturating_mul(u64::from(CODE_BITS));
        let table = [codes, length(units), 1, marks, in_masks].into_iter().fold(0, u64::saturating_add);
        let (dense_codes, dense) = self.best(&places, true);
        let dense = dense.saturating_add(table);
        // Where nothing is as predicted, saying so costs more.
        let is_all_far = self.numbers() > 1 && places.iter().all(|place| self.is_far(*place));
        let (sparse_codes, sparse) =
            if is_all_far { (Vec::new(), u64::MAX) } else { self.best(&places, false) };
        let flags = length(places.len().saturating_sub(size(marks.wrapping_shr(1))));
        let sparse = [table, flags].into_iter().fold(sparse, u64::saturating_add);
        self.choice.is_own = dense.min(sparse) < today;
        self.choice.is_dense = dense <= sparse;
        self.choice.codes = if self.choice.is_dense { dense_codes } else { sparse_codes };
    }

    /// The bits of these entries when told from their base, and of those that would have to be written then.
    fn today_with(&self, places: &[usize]) -> u64 {
        let mut written = places.iter().copied().peekable();
        let each = self.today.iter().enumerate().map(|(place, bits)| {
            let is_written = written.next_if_eq(&place).is_some();
            if is_written || *bits > 0 { u64::from(*bits).saturating_add(1) } else { 0 }
        });
        each.fold(0, u64::saturating_add)
    }

    /// The best codes for these entries, in the way that is chosen.
    pub(crate) fn tune(&mut self, written: &[bool]) {
        let places: Vec<usize> = self.written(written).collect();
        self.choice.codes = self.best(&places, self.choice.is_dense).0;
    }

    /// Where the distances of these entries are.
    fn written<'s>(&'s self, written: &'s [bool]) -> impl Iterator<Item = usize> + 's {
        let entries = written.iter().enumerate().filter(|(_, is_written)| **is_written);
        entries.filter_map(|(entry, _)| self.place(entry))
    }

    /// The bits of charts that are told, and of the mask that says which.
    fn marks(&self, places: &[usize]) -> (u64, u64) {
        if !self.has_turn {
            return (0, 0);
        }
        let marks: Vec<bool> = places.iter().map(|place| self.chart(*place)).collect();
        let count = length(marks.iter().filter(|mark| **mark).count());
        (count.saturating_mul(2), mask::bits_of(&marks))
    }

    fn best(&self, places: &[usize], is_dense: bool) -> (Vec<Code>, u64) {
        let less = u64::from(!is_dense && self.numbers() == 1);
        let mut histograms = vec![Histogram::new(); self.numbers()];
        for place in places.iter().filter(|place| is_dense || self.is_far(**place)) {
            for (histogram, far) in histograms.iter_mut().zip(self.row(*place)) {
                histogram.add(far.saturating_sub(less));
            }
        }
        let mut all = 0_u64;
        let codes = histograms.iter().map(|histogram| {
            let (code, bits) = histogram.best();
            all = all.saturating_add(bits);
            code
        });
        (codes.collect(), all)
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
