//! Writes a difference by columns, or as it is told from one base where that is shorter.

use crate::bits::BitWriter;
use crate::differ::{Differ, Due, write_added};
use crate::layout::{Layout, Wire};
use crate::text::length;
use crate::write::Writer;

use super::code::CODE_BITS;
use super::entries::{Columns, Entries};
use super::mask;
use super::plan::{Leaf, MISSING, Plan, part};
use super::predict::Distances;
use super::trial::{Spots, States, Trial};

/// Memory of the writer.
#[derive(Debug, Default)]
pub(crate) struct PassMemory {
    columns: BitWriter,
    /// A keyed array as it is told from one base.
    today: BitWriter,
    base: Vec<u64>,
    entries: Entries,
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
    let (mut likely, mut older) = (std::mem::take(&mut room.base), Vec::new());
    let mut base = states.base;
    if let Some((codes, distances)) = states.older {
        likely.clear();
        likely.extend_from_slice(base);
        plan.root.locate(layout, codes, 0, &mut older);
        predict_root(layout, plan, states, (&older, distances), (&mut likely, &mut room.columns));
        base = &likely;
    }
    // Bits that a difference from one base does not have, and those that it has more.
    let mut more = length(if states.older.is_some() { plan.root.fields.len() } else { 0 });
    let mut less = 0_u64;
    let mut differ = Differ::new(layout, base, states.new, &mut room.columns);
    differ.root_parts(dict, |differ, due| match (plan.set(due.key), due.a) {
        (Some(set), Some(a)) => {
            more = more.saturating_add(1);
            let older = older.get(set.field).copied().unwrap_or(MISSING);
            let at = Spots { base: a, older, new: due.b };
            let mut columns = Columns { layout, set, states, all: std::mem::take(&mut room.entries) };
            columns.measure(at);
            columns.choose();
            less = less.saturating_add(columns.shorter(differ, due, &mut room.today));
            room.entries = columns.all;
        }
        _ => differ.part(due),
    });
    room.base = likely;
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
    let (mut places, mut new, mut scratch) = (Vec::new(), Vec::new(), BitWriter::default());
    plan.root.locate(layout, states.base, 0, &mut places);
    plan.root.locate(layout, states.new, 0, &mut new);
    for (((field, at), older), new) in plan.root.fields.iter().zip(places).zip(older).zip(new) {
        let Some(column) = field.column.as_ref().filter(|_| at != MISSING && *older != MISSING) else {
            continue;
        };
        let likely = column.predicted((states.base, at), Some((codes, *older, distances)), |_| true);
        let likely = likely.codes();
        let [was, is] = [(states.base, at), (states.new, new)]
            .map(|(codes, at)| part(codes, at, likely.len()).unwrap_or_default());
        let mut cost = |from: &[u64]| {
            scratch.start(&[]);
            if from != is {
                scratch.bit(true);
                Differ::new(layout, from, states.new, &mut scratch).value(field.node, 0, new);
            }
            scratch.len()
        };
        let is_predicted = new != MISSING && cost(likely) < cost(was);
        bits.bit(is_predicted);
        if is_predicted {
            base.iter_mut().skip(at).zip(likely).for_each(|(slot, code)| *slot = *code);
        }
    }
}

impl<'c> Columns<'c> {
    fn choose(&mut self) {
        self.all.trials.iter_mut().for_each(Trial::predict);
        self.is_written_as_chosen();
        self.choose_for_written();
        if self.is_written_as_chosen() {
            return;
        }
        self.choose_for_written();
        if !self.is_written_as_chosen() {
            self.all.trials.iter_mut().for_each(|trial| trial.tune(&self.all.written));
        }
    }

    fn choose_for_written(&mut self) {
        self.all.trials.iter_mut().for_each(|trial| trial.choose(&self.all.written));
    }

    /// Finds what has to be written; whether it is what was chosen for.
    fn is_written_as_chosen(&mut self) -> bool {
        let Entries { others, written, before, trials, .. } = &mut self.all;
        std::mem::swap(written, before);
        written.clear();
        written.extend_from_slice(others);
        trials.iter().for_each(|trial| trial.add_written(written));
        before == written
    }

    /// At least so many bits would tell the array from one base, those of new entries not counted.
    fn least_today(&self) -> u64 {
        let changed = length(self.all.kept.iter().filter(|entry| entry.has_changed).count());
        let gone = length(self.all.gone.iter().filter(|gone| **gone).count());
        let marked = changed.saturating_add(gone);
        let all = length(self.all.gone.len());
        let mask = all.min(marked.saturating_mul(6).saturating_add(6)).saturating_add(1);
        let flags = changed.saturating_mul(self.set.tree.least_flags);
        let entries = self.all.trials.iter().map(Trial::least_today);
        entries.fold([mask, marked, flags].into_iter().fold(0, u64::saturating_add), u64::saturating_add)
    }

    /// Writes the shorter form; returns how many bits it has less than a difference from one base, at least.
    fn shorter<'d>(&mut self, differ: &mut Differ<'d>, due: Due, room: &mut BitWriter) -> u64
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

    fn table(&mut self, bits: &mut BitWriter) {
        let is_double = self.states.older.is_some();
        let mut marked = std::mem::take(&mut self.all.marked);
        let mut has_flags = false;
        marked.clear();
        for (number, (field, trial)) in self.fields() {
            let choice = &trial.choice;
            if trial.is_column {
                bits.bit(choice.is_own);
            }
            marked.push(choice.is_own || self.is_marked(number, field, trial));
            let is_silent = if choice.is_own { choice.is_dense } else { marked.last() == Some(&false) };
            has_flags |= field.is_optional || !is_silent;
            if choice.is_own {
                bits.bit(choice.is_dense);
                trial.units(|unit, codes| {
                    if is_double {
                        bits.bit(choice.predicted.get(unit).copied().unwrap_or(false));
                    }
                    codes.iter().for_each(|code| bits.put(code.to_bits(), CODE_BITS));
                });
            } else if field.has_bits {
                bits.bit(marked.last() == Some(&true));
            }
        }
        (self.all.marked, self.all.has_flags) = (marked, has_flags);
    }

    /// Whether a field without codes of its own is another in any entry that is written.
    fn is_marked(&self, number: usize, field: &Leaf, trial: &Trial) -> bool {
        let mut written = self.all.written.iter().enumerate().filter(|(_, is_written)| **is_written);
        written.any(|(entry, _)| self.flag(entry, number, field, trial) == Some(true))
    }

    /// Whether a field that is there and was is another, if an entry says so at all.
    fn flag(&self, entry: usize, number: usize, field: &Leaf, trial: &Trial) -> Option<bool> {
        match trial.differs(entry) {
            _ if !field.has_bits => None,
            Some(_) if trial.is_told(entry) => None,
            Some(differs) => Some(differs),
            None => {
                let spots = self.spots(entry, number);
                Some(spots.base != MISSING && spots.new != MISSING && self.is_other(field, spots))
            }
        }
    }

    fn masks(&mut self, bits: &mut BitWriter) {
        let mut marks = std::mem::take(&mut self.all.marks);
        let Entries { gone, kept, active, written, trials, .. } = &self.all;
        let is_any = gone.contains(&true);
        bits.bit(is_any);
        if is_any {
            mask::write(gone, bits);
        }
        marks.clear();
        marks.resize(kept.len(), false);
        for (at, is_written) in active.iter().zip(written) {
            marks.get_mut(*at).into_iter().for_each(|mark| *mark = *is_written);
        }
        let of = |is_moving: bool| {
            let all = kept.iter().zip(&marks).filter(move |(entry, _)| entry.is_moving == is_moving);
            all.map(|(_, mark)| *mark).collect::<Vec<bool>>()
        };
        mask::write(&of(true), bits);
        mask::write(&of(false), bits);
        for (field, trial) in trials.iter().enumerate().filter(|(_, trial)| trial.tells_charts()) {
            let has_bases = |entry: &usize| self.spots(*entry, field).has_bases(self.states);
            let numbers = written.iter().enumerate().filter(|(_, is_written)| **is_written);
            let has = numbers.map(|(entry, _)| entry).filter(has_bases);
            marks.clear();
            marks.extend(has.map(|entry| trial.is_other_chart(entry)));
            mask::write(&marks, bits);
        }
        self.all.marks = marks;
    }

    /// Writes the entries that are not as predicted.
    fn told<'d>(&self, differ: &mut Differ<'d>)
    where
        'c: 'd,
    {
        for (number, is_written) in self.all.written.iter().enumerate() {
            let Some(entry) = self.all.active(number).filter(|_| *is_written) else { continue };
            if self.states.older.is_some() && entry.at.older == MISSING {
                differ.entry(&self.set.keyed, entry.at.base, entry.at.new);
                continue;
            }
            if self.all.has_flags {
                self.flags(number, differ.bits);
            }
            for (at, (field, trial)) in self.fields() {
                self.field(number, (at, field, trial), differ);
            }
        }
    }

    fn fields(&self) -> impl Iterator<Item = (usize, (&'c Leaf, &Trial))> {
        self.set.tree.fields.iter().zip(&self.all.trials).enumerate()
    }

    fn flags(&self, entry: usize, bits: &mut BitWriter) {
        for (number, (field, trial)) in self.fields() {
            if field.is_optional {
                let spots = self.spots(entry, number);
                bits.bit(spots.new != MISSING);
                if spots.new == MISSING || spots.base == MISSING {
                    continue;
                }
            }
            let is_marked = self.all.marked.get(number) == Some(&true);
            let flag = if is_marked { self.flag(entry, number, field, trial) } else { None };
            flag.into_iter().for_each(|differs| bits.bit(differs));
        }
    }

    fn field(&self, entry: usize, (number, field, trial): (usize, &Leaf, &Trial), differ: &mut Differ<'_>) {
        let differs = trial.differs(entry);
        if trial.choice.is_own && differs.is_some() {
            if !trial.choice.is_dense && differs == Some(false) {
                return;
            }
            if trial.is_other_chart(entry) {
                let spots = self.spots(entry, number);
                let turn = field.column.as_ref().map(|column| column.turn_of(self.states.new, spots.new));
                let [chart, ..] = turn.unwrap_or_default();
                differ.bits.put(chart, 2);
            }
            return trial.write(entry, differ.bits);
        }
        if differs == Some(false) {
            return;
        }
        let spots = self.spots(entry, number);
        match (spots.base, spots.new) {
            (_, MISSING) => {}
            (MISSING, new) => differ.full(field.node, new),
            (base, new) if differs == Some(true) || self.is_other(field, spots) => {
                differ.value(field.node, base, new);
            }
            _ => {}
        }
    }

    fn new_entries(&self, bits: &mut BitWriter) {
        let (keys, starts) = &self.all.added;
        write_added(keys, bits);
        let mut writer = Writer::new(self.layout, self.states.new, bits);
        starts.iter().for_each(|start| writer.entry(&self.set.keyed, *start));
    }
}
