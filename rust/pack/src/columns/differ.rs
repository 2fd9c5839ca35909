//! Writes a difference by columns, or as it is told from one base where that is shorter.

use crate::bits::BitWriter;
use crate::differ::{Differ, Due};
use crate::layout::{Layout, Wire};
use crate::mask::gaps;
use crate::text::length;
use crate::write::Writer;

use super::code::CODE_BITS;
use super::cost::changed_bits;
use super::mask;
use super::plan::{Leaf, MISSING, Plan, Set, find};
use super::predict::Distances;
use super::trial::{Spots, States, Trial};

/// Memory of the writer.
#[derive(Debug, Default)]
pub(crate) struct PassMemory {
    columns: BitWriter,
    /// A keyed array as it is told from one base.
    today: BitWriter,
    base: Vec<u64>,
}

/// Writes what of `states.new` is another.
pub(crate) fn write(layout: &Layout, states: States<'_>, room: &mut PassMemory, bits: &mut BitWriter) {
    let told = |bits: &mut BitWriter| Differ::new(layout, states.base, states.new, bits).root();
    let Some(plan) = layout.plan.as_ref().filter(|plan| plan.tells(states.older.is_some())) else {
        bits.bit(false);
        return told(bits);
    };
    room.columns.start(&[]);
    let is_shorter = columns(layout, plan, states, room);
    if !is_shorter {
        let mark = bits.mark();
        bits.bit(false);
        told(bits);
        if bits.len().saturating_sub(mark.len()) < room.columns.len().saturating_add(1) {
            return;
        }
        bits.back(&mark);
    }
    bits.bit(true);
    bits.append(&mut room.columns);
}

impl Plan {
    /// Whether it says anything.
    fn tells(&self, is_double: bool) -> bool {
        !self.sets.is_empty() || (is_double && self.has_columns)
    }
}

/// Writes the columns; whether they are known to be no longer than a difference from one base.
fn columns(layout: &Layout, plan: &Plan, states: States<'_>, room: &mut PassMemory) -> bool {
    let Some(Wire::Dict(dict)) = layout.resolved(layout.root).map(|node| &node.wire) else { return false };
    let mut base = std::mem::take(&mut room.base);
    base.clear();
    base.extend_from_slice(states.base);
    let mut older = Vec::new();
    if let Some((codes, distances)) = states.older {
        plan.root.locate(layout, codes, 0, &mut older);
        predict_root(layout, plan, states, (&older, distances), (&mut base, &mut room.columns));
    }
    // Bits that a difference from one base does not have, and those that it has more.
    let mut more = length(if states.older.is_some() { plan.root.fields.len() } else { 0 });
    let mut less = 0_u64;
    let mut differ = Differ::new(layout, &base, states.new, &mut room.columns);
    differ.root_parts(dict, |differ, due| match (plan.set(due.key), due.a) {
        (Some(set), Some(a)) => {
            more = more.saturating_add(1);
            let older = older.get(set.field).copied().unwrap_or(MISSING);
            let at = Spots { base: a, older, new: due.b };
            less = less.saturating_add(Columns::new(layout, set, states, at).shorter(
                differ,
                due,
                &mut room.today,
            ));
        }
        _ => differ.part(due),
    });
    room.base = base;
    more <= less
}

/// Says which of the root's fields are predicted from two states, and puts what is predicted into the base.
fn predict_root(
    layout: &Layout,
    plan: &Plan,
    states: States<'_>,
    (older, distances): (&[usize], Distances),
    (base, bits): (&mut [u64], &mut BitWriter),
) {
    let Some((codes, _)) = states.older else { return };
    let (mut places, mut new) = (Vec::new(), Vec::new());
    plan.root.locate(layout, states.base, 0, &mut places);
    plan.root.locate(layout, states.new, 0, &mut new);
    for (((field, at), older), new) in plan.root.fields.iter().zip(places).zip(older).zip(new) {
        let Some(column) = field.column.as_ref().filter(|_| at != MISSING && *older != MISSING) else {
            continue;
        };
        let likely = column.predicted((states.base, at), Some((codes, *older, distances)), |_| true);
        let likely = likely.codes();
        let part = |codes: &[u64], at: usize| {
            codes.get(at..).unwrap_or_default().iter().copied().take(likely.len()).collect::<Vec<u64>>()
        };
        let (was, is) = (part(states.base, at), part(states.new, new));
        let cost = |from: &[u64]| match layout.wire_of(field.node) {
            Some(wire) if from != is => changed_bits(wire, from, &is).saturating_add(1),
            _ => 0,
        };
        let is_predicted = new != MISSING && cost(likely) < cost(&was);
        bits.bit(is_predicted);
        if is_predicted {
            base.iter_mut().skip(at).zip(likely).for_each(|(slot, code)| *slot = *code);
        }
    }
}

/// An entry that stays.
struct Entry {
    base: usize,
    older: usize,
    new: usize,
    /// Whether it moved between the bases, or there is but one.
    is_moving: bool,
    has_changed: bool,
}

/// A keyed array or map, by columns.
struct Columns<'c> {
    layout: &'c Layout,
    set: &'c Set,
    states: States<'c>,
    /// Entries of the base that are gone.
    gone: Vec<bool>,
    entries: Vec<Entry>,
    /// The keys of entries that are new, and where they begin.
    added: (Vec<u64>, Vec<usize>),
    /// Numbers of entries that may have to be written.
    active: Vec<usize>,
    /// Where the fields of those begin, all of one after those of another.
    places: [Vec<usize>; 3],
    /// The columns, one for each field.
    trials: Vec<Option<Trial>>,
    /// Whether anything else than its columns is another, of each that may have to be written.
    others: Vec<bool>,
    written: Vec<bool>,
}

impl<'c> Columns<'c> {
    fn new(layout: &'c Layout, set: &'c Set, states: States<'c>, at: Spots) -> Columns<'c> {
        let mut columns = Columns {
            layout,
            set,
            states,
            gone: Vec::new(),
            entries: Vec::new(),
            added: (Vec::new(), Vec::new()),
            active: Vec::new(),
            places: [Vec::new(), Vec::new(), Vec::new()],
            trials: Vec::new(),
            others: Vec::new(),
            written: Vec::new(),
        };
        columns.meet(at);
        columns.locate();
        columns.attempt();
        columns.choose();
        columns
    }

    /// Finds what stays, what is gone and what is new.
    fn meet(&mut self, at: Spots) {
        let States { base, older, new } = self.states;
        let (layout, set) = (self.layout, self.set);
        let (keys, starts) = set.entries(layout, base, at.base);
        let (new_keys, new_starts) = set.entries(layout, new, at.new);
        let before = older.filter(|_| at.older != MISSING);
        let (old_keys, old_starts) =
            before.map(|(codes, _)| set.entries(layout, codes, at.older)).unwrap_or_default();
        let (mut next, mut next_old, mut next_base) = (0, 0, 0);
        let skip = |codes: &[u64], at: usize| layout.skip(set.item, codes, at);
        for (key, a) in keys.iter().zip(&starts) {
            let found = find(&new_keys, &new_starts, *key, &mut next);
            self.gone.push(found.is_none());
            let Some(n) = found else { continue };
            let was = base.get(*a..skip(base, *a));
            let b = find(&old_keys, &old_starts, *key, &mut next_old).unwrap_or(MISSING);
            let is_moving =
                older.is_none_or(|(codes, _)| b == MISSING || codes.get(b..skip(codes, b)) != was);
            let has_changed = was != new.get(n..skip(new, n));
            if has_changed || (is_moving && older.is_some()) {
                self.active.push(self.entries.len());
            }
            self.entries.push(Entry { base: *a, older: b, new: n, is_moving, has_changed });
        }
        for (key, n) in new_keys.into_iter().zip(new_starts) {
            if find(&keys, &starts, key, &mut next_base).is_none() {
                self.added.0.push(key);
                self.added.1.push(n);
            }
        }
    }

    /// Finds the fields of what may have to be written.
    fn locate(&mut self) {
        let States { base, older, new } = self.states;
        let tree = &self.set.tree;
        let [in_base, in_older, in_new] = &mut self.places;
        for entry in self.active.iter().filter_map(|at| self.entries.get(*at)) {
            tree.locate(self.layout, base, entry.base, in_base);
            tree.locate(self.layout, new, entry.new, in_new);
            match older {
                Some((codes, _)) if entry.older != MISSING => {
                    tree.locate(self.layout, codes, entry.older, in_older);
                }
                _ => in_older.resize(in_base.len(), MISSING),
            }
        }
    }

    fn spots(&self, entry: usize, field: usize) -> Spots {
        let at = entry.saturating_mul(self.set.tree.fields.len()).saturating_add(field);
        let [base, older, new] = [0, 1, 2].map(|state: usize| {
            self.places.get(state).and_then(|places| places.get(at)).copied().unwrap_or(MISSING)
        });
        Spots { base, older, new }
    }

    /// Says how far each column is, and whether anything else is another.
    fn attempt(&mut self) {
        self.others = vec![false; self.active.len()];
        for (number, field) in self.set.tree.fields.iter().enumerate() {
            let entries = 0..self.active.len();
            let spots = entries.clone().map(|entry| self.spots(entry, number));
            let trial = field.column.as_ref().map(|column| Trial::new(column, self.states, spots));
            for entry in entries.filter(|entry| !trial.as_ref().is_some_and(|trial| trial.has(*entry))) {
                let is_other = self.is_other(field, self.spots(entry, number));
                if let Some(other) = self.others.get_mut(entry) {
                    *other |= is_other;
                }
            }
            self.trials.push(trial);
        }
    }

    /// Whether a field is another than in the base.
    fn is_other(&self, field: &Leaf, at: Spots) -> bool {
        let part = |codes: &'c [u64], at: usize| match at {
            MISSING => None,
            at => codes.get(at..self.layout.skip(field.node, codes, at)),
        };
        part(self.states.base, at.base) != part(self.states.new, at.new)
    }

    fn choose(&mut self) {
        self.written = vec![true; self.active.len()];
        self.trials.iter_mut().flatten().for_each(Trial::predict);
        self.choose_for_written();
        if self.is_written_as_chosen() {
            return;
        }
        self.choose_for_written();
        if !self.is_written_as_chosen() {
            self.trials.iter_mut().flatten().for_each(|trial| trial.tune(&self.written));
        }
    }

    fn choose_for_written(&mut self) {
        self.trials.iter_mut().flatten().for_each(|trial| trial.choose(&self.written));
    }

    /// Finds what has to be written; whether it is what was chosen for.
    fn is_written_as_chosen(&mut self) -> bool {
        let written = (0..self.active.len()).map(|entry| self.is_written(entry)).collect();
        let before = std::mem::replace(&mut self.written, written);
        before == self.written
    }

    fn is_written(&self, entry: usize) -> bool {
        let is_other = self.others.get(entry).copied().unwrap_or(false);
        is_other || self.trials.iter().flatten().any(|trial| trial.differs(entry) == Some(true))
    }

    /// At least so many bits would tell the array from one base, those of new entries not counted.
    fn least_today(&self) -> u64 {
        let changed = length(self.entries.iter().filter(|entry| entry.has_changed).count());
        let gone = length(self.gone.iter().filter(|gone| **gone).count());
        let marked = changed.saturating_add(gone);
        let mask = length(self.gone.len()).min(marked.saturating_mul(6).saturating_add(6)).saturating_add(1);
        let each = |entry: usize| {
            let bits =
                self.trials.iter().flatten().filter_map(|trial| trial.today(entry)).filter(|bits| *bits > 0);
            bits.fold(0_u64, |sum, bits| sum.saturating_add(u64::from(bits).saturating_add(1)))
        };
        (0..self.active.len()).map(each).fold(mask.saturating_add(marked), u64::saturating_add)
    }

    /// Writes the shorter form; returns how many bits it has less than a difference from one base, at least.
    fn shorter<'d>(&self, differ: &mut Differ<'d>, due: Due, room: &mut BitWriter) -> u64
    where
        'c: 'd,
    {
        let mark = differ.bits.mark();
        differ.bits.bit(true);
        self.table(differ.bits);
        self.masks(differ.bits);
        self.told(differ);
        let before = differ.bits.len();
        self.new_entries(differ.bits);
        let added = differ.bits.len().saturating_sub(before);
        let columns = differ.bits.len().saturating_sub(mark.len()).saturating_sub(1);
        let least = self.least_today().saturating_add(added);
        if least >= columns {
            return least.saturating_sub(columns);
        }
        room.start(&[]);
        Differ::new(self.layout, self.states.base, self.states.new, room).part(due);
        let today = room.len();
        if today < columns {
            differ.bits.back(&mark);
            differ.bits.bit(false);
            differ.bits.append(room);
        }
        today.saturating_sub(columns)
    }

    fn table(&self, bits: &mut BitWriter) {
        let is_double = self.states.older.is_some();
        for trial in self.trials.iter().flatten() {
            let choice = &trial.choice;
            bits.bit(choice.is_own);
            if choice.is_own {
                bits.bit(choice.is_dense);
                trial.units(|unit, codes| {
                    if is_double {
                        bits.bit(choice.predicted.get(unit).copied().unwrap_or(false));
                    }
                    codes.iter().for_each(|code| bits.put(code.to_bits(), CODE_BITS));
                });
            }
        }
    }

    fn masks(&self, bits: &mut BitWriter) {
        let is_any = self.gone.contains(&true);
        bits.bit(is_any);
        if is_any {
            mask::write(&self.gone, bits);
        }
        let mut written = vec![false; self.entries.len()];
        for (at, is_written) in self.active.iter().zip(&self.written) {
            if let Some(slot) = written.get_mut(*at) {
                *slot = *is_written;
            }
        }
        for is_moving in [true, false] {
            let all = self.entries.iter().zip(&written).filter(|(entry, _)| entry.is_moving == is_moving);
            mask::write(&all.map(|(_, is_written)| *is_written).collect::<Vec<bool>>(), bits);
        }
        for (field, trial) in self.trials.iter().enumerate() {
            if let Some(trial) = trial.as_ref().filter(|trial| trial.tells_charts()) {
                let has = self.numbers().filter(|entry| self.spots(*entry, field).has_bases(self.states));
                mask::write(&has.map(|entry| trial.is_other_chart(entry)).collect::<Vec<bool>>(), bits);
            }
        }
    }

    /// The entries that are written, as numbers among those that may have to be.
    fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        self.written.iter().enumerate().filter(|(_, is_written)| **is_written).map(|(entry, _)| entry)
    }

    /// Writes the entries that are not as predicted.
    fn told<'d>(&self, differ: &mut Differ<'d>)
    where
        'c: 'd,
    {
        for number in self.numbers() {
            let Some(entry) = self.active.get(number).and_then(|at| self.entries.get(*at)) else { continue };
            if self.states.older.is_some() && entry.older == MISSING {
                match self.layout.node(self.set.item).map(|node| &node.wire) {
                    Some(Wire::Dict(dict)) if !self.set.is_map => {
                        differ.dict(dict, entry.base, entry.new, true)
                    }
                    _ => differ.value(self.set.item, entry.base, entry.new),
                }
                continue;
            }
            self.flags(number, differ.bits);
            for (at, field) in self.set.tree.fields.iter().enumerate() {
                self.field(number, (at, field), differ);
            }
        }
    }

    fn own(&self, field: usize, entry: usize) -> Option<&Trial> {
        let trial = self.trials.get(field).and_then(Option::as_ref);
        trial.filter(|trial| trial.choice.is_own && trial.has(entry))
    }

    fn flags(&self, entry: usize, bits: &mut BitWriter) {
        for (number, field) in self.set.tree.fields.iter().enumerate() {
            let spots = self.spots(entry, number);
            if field.is_optional {
                bits.bit(spots.new != MISSING);
            }
            if spots.new == MISSING || spots.base == MISSING || !field.has_bits {
                continue;
            }
            match self.own(number, entry) {
                Some(trial) if trial.choice.is_dense || trial.is_other_chart(entry) => {}
                Some(trial) => bits.bit(trial.differs(entry) == Some(true)),
                None => bits.bit(self.is_other(field, spots)),
            }
        }
    }

    fn field(&self, entry: usize, (number, field): (usize, &Leaf), differ: &mut Differ<'_>) {
        let spots = self.spots(entry, number);
        let Some(trial) = self.own(number, entry) else {
            return match (spots.base, spots.new) {
                (_, MISSING) => {}
                (MISSING, new) => differ.full(field.node, new),
                (base, new) if self.is_other(field, spots) => differ.value(field.node, base, new),
                _ => {}
            };
        };
        let is_dense = trial.choice.is_dense;
        if !is_dense && trial.differs(entry) != Some(true) {
            return;
        }
        if trial.is_other_chart(entry) {
            let turn = field.column.as_ref().map(|column| column.turn_of(self.states.new, spots.new));
            let [chart, ..] = turn.unwrap_or_default();
            differ.bits.put(chart, 2);
        }
        trial.write(entry, differ.bits);
    }

    fn new_entries(&self, bits: &mut BitWriter) {
        let (keys, starts) = &self.added;
        bits.varint(length(keys.len()));
        gaps(keys).for_each(|gap| bits.varint(gap));
        let mut writer = Writer { layout: self.layout, codes: self.states.new, bits, tally: None };
        for start in starts {
            match self.layout.node(self.set.item).map(|node| &node.wire) {
                Some(Wire::Dict(dict)) if !self.set.is_map => writer.dict(dict, *start, true),
                _ => writer.value(self.set.item, *start),
            };
        }
    }
}
