//! Entries: finds the entries of a keyed array or map that a writer may have to tell, measures their columns, and puts together
//! what was measured of parts.

use crate::layout::Layout;

use super::plan::{Leaf, MISSING, Set};
use super::trial::{Spots, States, Trial};

/// An entry of the base, or one that is new.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    /// Its part, counted among those that are told together.
    pub(super) part: usize,
    /// Where it stands. The new state lacks what is gone, the base what is new.
    pub(super) at: Spots,
    /// Whether it moved between the bases, or there is but one.
    pub(super) is_moving: bool,
    pub(super) has_changed: bool,
    /// Its number among those that may have to be written, or that it is none.
    pub(super) row: usize,
}

impl Entry {
    pub(super) const fn is_gone(&self) -> bool {
        self.at.new == MISSING
    }
}

/// Holds what is known of the entries of a keyed array or map. Its memory is kept.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Those of the base and those that are new, in the order of their keys.
    pub(super) old: Vec<Entry>,
    pub(super) added: Vec<Entry>,
    /// The places of those that may have to be written, by their numbers.
    rows: Vec<usize>,
    /// Where the fields of those begin, all of one after those of another, if that is not always the same.
    places: [Vec<usize>; 3],
    /// The columns, one for each field; some fields are none.
    pub(super) trials: Vec<Trial>,
    /// Whether anything else than its columns is another, of each that may have to be written.
    pub(super) others: Vec<bool>,
    pub(super) written: Vec<bool>,
    pub(super) before: Vec<bool>,
    /// Whether entries that are written say of each field if it is another: it has no code of its own, and of one it is.
    pub(super) marked: Vec<bool>,
    /// Whether any of those or of the optional fields says something.
    pub(super) has_flags: bool,
}

/// Whether codes are the same. Most that are not differ in the first.
fn is_same(codes: &[u64], others: &[u64]) -> bool {
    codes.len() == others.len() && codes.iter().zip(others).all(|(code, other)| code == other)
}

impl Entries {
    fn clear(&mut self) {
        self.old.clear();
        self.added.clear();
        self.rows.clear();
        self.places.iter_mut().for_each(Vec::clear);
        self.others.clear();
        self.written.clear();
    }

    pub(super) fn row(&self, number: usize) -> Option<&Entry> {
        self.old.get(*self.rows.get(number)?)
    }

    pub(super) fn is_written(&self, entry: &Entry) -> bool {
        self.written.get(entry.row) == Some(&true)
    }

    pub(super) fn has_changed(&self) -> bool {
        !self.added.is_empty() || self.old.iter().any(|entry| entry.has_changed || entry.is_gone())
    }

    fn gather(&mut self, parts: &[&Entries]) {
        self.clear();
        for (number, part) in parts.iter().enumerate() {
            // What is no row stays none.
            let before = self.rows.len();
            let of_part =
                |entry: &Entry| Entry { part: number, row: entry.row.saturating_add(before), ..*entry };
            self.old.extend(part.old.iter().map(of_part));
            self.added.extend(part.added.iter().map(of_part));
            self.rows.extend_from_slice(&part.rows);
            self.others.extend_from_slice(&part.others);
            for (places, more) in self.places.iter_mut().zip(&part.places) {
                places.extend_from_slice(more);
            }
        }
        self.old.sort_by_key(|entry| entry.key);
        self.added.sort_by_key(|entry| entry.key);
        for (place, entry) in self.old.iter().enumerate() {
            self.rows.get_mut(entry.row).into_iter().for_each(|row| *row = place);
        }
    }
}

/// A keyed array or map, or that of a part.
#[derive(Clone, Copy)]
pub(super) struct SetPart<'c> {
    pub(super) layout: &'c Layout,
    pub(super) set: &'c Set,
    pub(super) states: States<'c>,
}

impl<'c> SetPart<'c> {
    /// Finds what stays, what is gone and what is new.
    fn meet(&self, at: Spots, all: &mut Entries) {
        let States { base, older, new } = self.states;
        let walk = |codes, at| self.set.keyed.walk(self.layout, codes, at).peekable();
        let (old, at_old) = older.map_or((&[][..], MISSING), |(codes, _)| (codes, at.older));
        let (mut in_new, mut in_old) = (walk(new, at.new), walk(old, at_old));
        let Entries { old: entries, added, rows, .. } = all;
        let mut add = |(key, new, _)| {
            let at = Spots { base: MISSING, older: MISSING, new };
            added.push(Entry { key, part: 0, at, is_moving: false, has_changed: true, row: MISSING });
        };
        for (key, a, a_end) in walk(base, at.base) {
            while let Some(added) = in_new.next_if(|(other, ..)| *other < key) {
                add(added);
            }
            while in_old.next_if(|(other, ..)| *other < key).is_some() {}
            let found = in_new.next_if(|(other, ..)| *other == key);
            let before = in_old.next_if(|(other, ..)| *other == key);
            let was = base.get(a..a_end).unwrap_or_default();
            let is_same = |codes: &[u64], from, to| is_same(codes.get(from..to).unwrap_or_default(), was);
            let is_moving = older.is_none() || before.is_none_or(|(_, b, b_end)| !is_same(old, b, b_end));
            let has_changed = found.is_some_and(|(_, n, n_end)| !is_same(new, n, n_end));
            let is_row = found.is_some() && (has_changed || (is_moving && older.is_some()));
            let row = if is_row { rows.len() } else { MISSING };
            rows.extend(is_row.then_some(entries.len()));
            let [older, new] = [before, found].map(|found| found.map_or(MISSING, |(_, start, _)| start));
            let at = Spots { base: a, older, new };
            entries.push(Entry { key, part: 0, at, is_moving, has_changed, row });
        }
        in_new.for_each(add);
    }

    /// Finds the fields of what may have to be written.
    fn locate(&self, all: &mut Entries) {
        let States { base, older, new } = self.states;
        let tree = &self.set.tree;
        let [in_base, in_older, in_new] = &mut all.places;
        for entry in all.rows.iter().filter_map(|at| all.old.get(*at)) {
            tree.locate(self.layout, base, entry.at.base, in_base);
            tree.locate(self.layout, new, entry.at.new, in_new);
            match older {
                Some((codes, _)) if entry.at.older != MISSING => {
                    tree.locate(self.layout, codes, entry.at.older, in_older);
                }
                _ => in_older.resize(in_base.len(), MISSING),
            }
        }
    }

    pub(super) fn is_other(&self, field: &Leaf, at: Spots) -> bool {
        let part = |codes: &'c [u64], at: usize| match at {
            MISSING => None,
            at => codes.get(at..self.layout.skip(field.node, codes, at)),
        };
        part(self.states.base, at.base) != part(self.states.new, at.new)
    }
}

pub(super) struct Columns<'c> {
    pub(super) first: SetPart<'c>,
    /// That of each part, where it is told by parts.
    pub(super) parts: Vec<SetPart<'c>>,
    pub(super) all: Entries,
}

impl<'c> Columns<'c> {
    /// Puts together what was measured of parts, or measures.
    pub(super) fn of(
        first: SetPart<'c>,
        measured: Vec<(SetPart<'c>, &Entries)>,
        at: Spots,
        mut all: Entries,
    ) -> Columns<'c> {
        if measured.is_empty() {
            return Columns::measure(first, at, all);
        }
        let (parts, measured): (Vec<_>, Vec<&Entries>) = measured.into_iter().unzip();
        all.gather(&measured);
        all.trials.resize_with(first.set.tree.fields.len(), Trial::default);
        for (number, trial) in all.trials.iter_mut().enumerate() {
            trial.gather(&measured.iter().filter_map(|part| part.trials.get(number)).collect::<Vec<_>>());
        }
        Columns { first, parts, all }
    }

    /// Finds the entries, and how far their columns are.
    pub(super) fn measure(first: SetPart<'c>, at: Spots, mut all: Entries) -> Columns<'c> {
        all.clear();
        first.meet(at, &mut all);
        if !first.set.tree.is_fixed() {
            first.locate(&mut all);
        }
        let mut columns = Columns { first, parts: Vec::new(), all };
        columns.attempt();
        columns
    }

    pub(super) fn part(&self, number: usize) -> SetPart<'c> {
        self.parts.get(number).copied().unwrap_or(self.first)
    }

    pub(super) fn spots(&self, number: usize, field: usize) -> Spots {
        let tree = &self.first.set.tree;
        if let (Some(offset), Some(Entry { at, .. })) = (tree.fixed_place(field, 0), self.all.row(number)) {
            // What is missing is so far away that it stays there.
            let [base, older, new] = [at.base, at.older, at.new].map(|at| at.saturating_add(offset));
            return Spots { base, older, new };
        }
        let at = number.saturating_mul(tree.fields.len()).saturating_add(field);
        let place = |places: &Vec<usize>| places.get(at).copied().unwrap_or(MISSING);
        let [base, older, new] = &self.all.places;
        Spots { base: place(base), older: place(older), new: place(new) }
    }

    /// Says how far each column is, and whether anything else is another.
    fn attempt(&mut self) {
        let count = self.all.rows.len();
        let mut trials = std::mem::take(&mut self.all.trials);
        let SetPart { set, states, .. } = self.first;
        trials.resize_with(set.tree.fields.len().max(trials.len()), Trial::default);
        self.all.others.resize(count, false);
        for (number, (field, trial)) in set.tree.fields.iter().zip(&mut trials).enumerate() {
            let spots = (0..count).map(|entry| self.spots(entry, number));
            trial.start(field.column.as_ref(), states, spots);
            for entry in (0..count).filter(|entry| !trial.has(*entry)) {
                let is_other = self.first.is_other(field, self.spots(entry, number));
                if let Some(other) = self.all.others.get_mut(entry) {
                    *other |= is_other;
                }
            }
        }
        trials.truncate(set.tree.fields.len());
        self.all.trials = trials;
    }
}
