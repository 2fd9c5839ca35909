//! Writes a difference by columns, or as it is told from one base where that is shorter.

use crate::bits::BitWriter;
use crate::differ::Differ;
use crate::fault::Outcome;
use crate::layout::{Layout, Wire};
use crate::mask::write_places;
use crate::pass::Pass;
use crate::text::length;
use crate::write::Writer;

use super::code::CODE_BITS;
use super::entries::{Columns, Entries, Entry, SetPart};
use super::mask;
use super::parts::Part;
use super::plan::{Leaf, MISSING, Plan, part};
use super::trial::{Spots, States, Trial};

#[derive(Debug, Default)]
pub(crate) struct PassMemory {
    columns: BitWriter,
    /// A keyed array as it is told from one base.
    today: BitWriter,
    base: Vec<u64>,
    entries: Entries,
    /// That of parts that were measured.
    pub(super) spare: Vec<Entries>,
}

/// Writes what of the new state is another, in one part or in several. False: several have to be told as one.
pub(crate) fn write(parts: &[Part<'_>], room: &mut PassMemory, bits: &mut BitWriter) -> Outcome<bool> {
    let Some((Part { layout, states, .. }, others)) = parts.split_first() else { return Ok(false) };
    let told = |bits: &mut BitWriter| Differ::new(layout, states.base, states.new, bits).root();
    let plan = layout
        .plan
        .as_ref()
        .filter(|plan| !plan.sets.is_empty() || (states.older.is_some() && plan.has_columns));
    let is_shorter = plan.map_or(Ok(None), |plan| columns(plan, parts, room))?;
    if !others.is_empty() && is_shorter != Some(true) {
        return Ok(false);
    }
    let Some(is_shorter) = is_shorter else {
        bits.bit(false);
        return told(bits).map(|()| true);
    };
    if !is_shorter {
        let mark = bits.mark();
        bits.bit(false);
        told(bits)?;
        if bits.len().saturating_sub(mark.len()) < room.columns.len().saturating_add(1) {
            return Ok(true);
        }
        bits.back(&mark);
    }
    bits.bit(true);
    bits.append(&mut room.columns);
    Ok(true)
}

/// Writes the columns; whether they are known to be no longer than a difference from one base. None: there are none.
fn columns(plan: &Plan, parts: &[Part<'_>], room: &mut PassMemory) -> Outcome<Option<bool>> {
    let Some(Part { layout, states, .. }) = parts.first().copied() else { return Ok(None) };
    let Some(Wire::Dict(dict)) = layout.wire_of(layout.root) else { return Ok(None) };
    room.columns.start(&[]);
    let (mut likely, mut older) = (std::mem::take(&mut room.base), Vec::new());
    let mut base = states.base;
    if states.older.is_some() {
        likely.clear();
        likely.extend_from_slice(base);
        older = predict_root(layout, plan, states, &mut likely, &mut room.columns)?;
        base = &likely;
    }
    // Bits that a difference from one base does not have, and those that it has more.
    let mut more = length(if states.older.is_some() { plan.root.fields.len() } else { 0 });
    let mut less = 0_u64;
    let mut differ = Differ::new(layout, base, states.new, &mut room.columns);
    let dealt: Vec<usize> = layout.dealt_sets().iter().map(|set| set.key).collect();
    let mut is_told = parts.len() == 1 || parts.iter().all(|part| part.sets.len() == dealt.len());
    let differs = |(set, _): &(usize, &usize)| parts.iter().any(|part| part.differs(*set));
    differ.also = dealt.iter().enumerate().filter(differs).map(|(_, key)| *key).collect();
    let told = differ.dict_with(dict, 0, None, |differ, node, key, a| {
        let Some(set) = plan.set(key) else { return differ.value(node, a) };
        more = more.saturating_add(1);
        let older = older.get(set.field).copied().unwrap_or(MISSING);
        let at = Spots { base: a, older, new: differ.pass.at };
        let first = SetPart { layout, set, states };
        let memory = std::mem::take(&mut room.entries);
        let set = dealt.iter().position(|dealt| *dealt == key);
        let measured = set.and_then(|set| parts.iter().map(|part| part.set(set)).collect());
        let mut columns = Columns::of(first, measured.unwrap_or_default(), at, memory);
        columns.choose();
        match columns.shorter(differ, node, at, &mut room.today)? {
            Some(bits) => less = less.saturating_add(bits),
            None => is_told = false,
        }
        room.entries = columns.all;
        differ.at(layout.skip(node, states.new, at.new));
        Ok(())
    });
    room.base = likely;
    told.map(|()| Some(is_told && more <= less))
}

/// Says which of the root's fields are predicted from two states, and puts what is predicted into the base. Returns where the
/// fields are in the older state.
fn predict_root(
    layout: &Layout,
    plan: &Plan,
    states: States<'_>,
    likely: &mut [u64],
    bits: &mut BitWriter,
) -> Outcome<Vec<usize>> {
    let (mut places, mut scratch) = (Vec::new(), BitWriter::default());
    plan.root.locate(layout, states.new, 0, &mut places);
    plan.predict(layout, states.older, likely, |number, at, likely| {
        let new = places.get(number).copied().unwrap_or(MISSING);
        let [was, is] = [(states.base, at), (states.new, new)]
            .map(|(codes, at)| part(codes, at, likely.len()).unwrap_or_default());
        let mut cost = |from: &[u64]| -> Outcome<u64> {
            scratch.start(&[]);
            if let Some(field) = plan.root.fields.get(number).filter(|_| from != is) {
                scratch.bit(true);
                Differ::new(layout, from, states.new, &mut scratch).at(new).value(field.node, 0)?;
            }
            Ok(scratch.len())
        };
        let is_predicted = new != MISSING && cost(likely)? < cost(was)?;
        bits.bit(is_predicted);
        Ok(is_predicted)
    })
}

/// A field of the entries, and what it takes as a column.
#[derive(Clone, Copy)]
struct FieldTrial<'f> {
    number: usize,
    leaf: &'f Leaf,
    trial: &'f Trial,
}

impl Columns<'_> {
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
        let Entries { old, trials, written, .. } = &mut self.all;
        trials.iter_mut().for_each(|trial| trial.choose(written, old));
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
        let changed = length(self.all.old.iter().filter(|entry| entry.has_changed).count());
        let gone = length(self.all.old.iter().filter(|entry| entry.is_gone()).count());
        let marked = changed.saturating_add(gone);
        let all = length(self.all.old.len());
        let mask = all.min(marked.saturating_mul(6).saturating_add(6)).saturating_add(1);
        let flags = changed.saturating_mul(self.first.set.tree.least_flags);
        let entries = self.all.trials.iter().map(Trial::least_today);
        entries.fold([mask, marked, flags].into_iter().fold(0, u64::saturating_add), u64::saturating_add)
    }

    /// Writes the shorter form; returns how many bits it has less than a difference from one base, at least. None: parts may be
    /// shorter from one base.
    fn shorter(
        &mut self,
        differ: &mut Differ<'_>,
        node: usize,
        at: Spots,
        room: &mut BitWriter,
    ) -> Outcome<Option<u64>> {
        let bits = &mut *differ.pass.bits;
        let mark = bits.mark();
        bits.bit(true);
        self.table(bits);
        self.masks(bits);
        self.told(bits)?;
        let before = bits.len();
        self.new_entries(bits)?;
        let added = bits.len().saturating_sub(before);
        let columns = bits.len().saturating_sub(mark.len()).saturating_sub(1);
        let least = self.least_today().saturating_add(added);
        if least >= columns {
            return Ok(Some(least.saturating_sub(columns)));
        }
        if self.parts.len() > 1 {
            return Ok(None);
        }
        room.start(&[]);
        let SetPart { layout, states, .. } = self.first;
        Differ::new(layout, states.base, states.new, room).at(at.new).value(node, at.base)?;
        let today = room.len();
        if today < columns {
            bits.back(&mark);
            bits.bit(false);
            bits.append(room);
        }
        Ok(Some(today.saturating_sub(columns)))
    }

    fn table(&mut self, bits: &mut BitWriter) {
        let is_double = self.first.states.older.is_some();
        let mut marked = std::mem::take(&mut self.all.marked);
        let mut has_flags = false;
        marked.clear();
        for field in self.fields() {
            let FieldTrial { leaf, trial, .. } = field;
            let choice = &trial.choice;
            if trial.is_column {
                bits.bit(choice.is_own);
            }
            marked.push(choice.is_own || self.is_marked(field));
            let is_silent = if choice.is_own { choice.is_dense } else { marked.last() == Some(&false) };
            has_flags |= leaf.is_optional || !is_silent;
            if choice.is_own {
                bits.bit(choice.is_dense);
                trial.units(|unit, codes| {
                    if is_double {
                        bits.bit(choice.predicted.get(unit).copied().unwrap_or(false));
                    }
                    codes.iter().for_each(|code| bits.put(code.to_bits(), CODE_BITS));
                });
            } else if leaf.has_bits {
                bits.bit(marked.last() == Some(&true));
            }
        }
        (self.all.marked, self.all.has_flags) = (marked, has_flags);
    }

    /// Whether a field without codes of its own is another in any entry that is written.
    fn is_marked(&self, field: FieldTrial<'_>) -> bool {
        let mut written = self.all.written.iter().enumerate().filter(|(_, is_written)| **is_written);
        written.any(|(entry, _)| self.flag(entry, field) == Some(true))
    }

    /// Whether a field that is there and was is another, if an entry says so at all.
    fn flag(&self, entry: usize, field: FieldTrial<'_>) -> Option<bool> {
        let FieldTrial { number, leaf, trial } = field;
        match trial.differs(entry) {
            _ if !leaf.has_bits => None,
            Some(_) if trial.is_told(entry) => None,
            Some(differs) => Some(differs),
            None => {
                let spots = self.spots(entry, number);
                let part = self.part(self.all.row(entry).map_or(0, |entry| entry.part));
                Some(spots.base != MISSING && spots.new != MISSING && part.is_other(leaf, spots))
            }
        }
    }

    fn masks(&self, bits: &mut BitWriter) {
        let Entries { old, trials, .. } = &self.all;
        let gone: Vec<bool> = old.iter().map(Entry::is_gone).collect();
        let is_any = gone.contains(&true);
        bits.bit(is_any);
        if is_any {
            mask::write(&gone, bits);
        }
        let mut marks = gone;
        for is_moving in [true, false] {
            let kept = old.iter().filter(|entry| !entry.is_gone() && entry.is_moving == is_moving);
            marks.clear();
            marks.extend(kept.map(|entry| self.all.is_written(entry)));
            mask::write(&marks, bits);
        }
        for (field, trial) in trials.iter().enumerate().filter(|(_, trial)| trial.tells_charts()) {
            let written = old.iter().filter(|entry| self.all.is_written(entry)).map(|entry| entry.row);
            let has = written.filter(|row| self.spots(*row, field).has_bases(self.first.states));
            marks.clear();
            marks.extend(has.map(|row| trial.is_other_chart(row)));
            mask::write(&marks, bits);
        }
    }

    /// Writes the entries that are not as predicted.
    fn told(&self, bits: &mut BitWriter) -> Outcome<()> {
        for entry in self.all.old.iter().filter(|entry| self.all.is_written(entry)) {
            let SetPart { layout, set, states } = self.part(entry.part);
            let mut differ = Differ::new(layout, states.base, states.new, bits);
            if states.older.is_some() && entry.at.older == MISSING {
                differ.at(entry.at.new).entry(&set.keyed, entry.at.base, entry.key)?;
                continue;
            }
            if self.all.has_flags {
                self.flags(entry.row, differ.pass.bits);
            }
            for field in self.fields() {
                self.field(entry, field, &mut differ)?;
            }
        }
        Ok(())
    }

    fn fields(&self) -> impl Iterator<Item = FieldTrial<'_>> {
        let fields = self.first.set.tree.fields.iter().zip(&self.all.trials).enumerate();
        fields.map(|(number, (leaf, trial))| FieldTrial { number, leaf, trial })
    }

    fn flags(&self, entry: usize, bits: &mut BitWriter) {
        for field in self.fields() {
            if field.leaf.is_optional {
                let spots = self.spots(entry, field.number);
                bits.bit(spots.new != MISSING);
                if spots.new == MISSING || spots.base == MISSING {
                    continue;
                }
            }
            let is_marked = self.all.marked.get(field.number) == Some(&true);
            let flag = if is_marked { self.flag(entry, field) } else { None };
            flag.into_iter().for_each(|differs| bits.bit(differs));
        }
    }

    fn field(&self, entry: &Entry, field: FieldTrial<'_>, differ: &mut Differ<'_>) -> Outcome<()> {
        let FieldTrial { number, leaf, trial } = field;
        let row = entry.row;
        let differs = trial.differs(row);
        if trial.choice.is_own && differs.is_some() {
            if !trial.choice.is_dense && differs == Some(false) {
                return Ok(());
            }
            if trial.is_other_chart(row) {
                let spots = self.spots(row, number);
                let turn = leaf.column.as_ref().map(|column| column.turn_of(differ.pass.codes, spots.new));
                let [chart, ..] = turn.unwrap_or_default();
                differ.pass.bits.put(chart, 2);
            }
            trial.write(row, differ.pass.bits);
            return Ok(());
        }
        if differs == Some(false) {
            return Ok(());
        }
        let spots = self.spots(row, number);
        match (spots.base, spots.new) {
            (_, MISSING) => Ok(()),
            (MISSING, new) => differ.at(new).pass.value(leaf.node),
            (base, new) if differs == Some(true) || self.part(entry.part).is_other(leaf, spots) => {
                differ.at(new).value(leaf.node, base)
            }
            _ => Ok(()),
        }
    }

    fn new_entries(&self, bits: &mut BitWriter) -> Outcome<()> {
        let keys: Vec<u64> = self.all.added.iter().map(|entry| entry.key).collect();
        write_places(&keys, bits);
        self.all.added.iter().try_for_each(|entry| {
            let SetPart { layout, set, states } = self.part(entry.part);
            Writer::new(layout, states.new, bits).entry_at(&set.keyed, entry.at.new)
        })
    }
}
