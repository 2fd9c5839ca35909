//! Entries: finds the entries of a keyed array or map that a writer may have to tell, and measures their columns.

use crate::layout::Layout;

use super::plan::{Leaf, MISSING, Set};
use super::trial::{Spots, States, Trial};

/// An entry that stays.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) at: Spots,
    /// Whether it moved between the bases, or there is but one.
    pub(super) is_moving: bool,
    pub(super) has_changed: bool,
}

/// Holds what is known of the entries of a keyed array or map. Its memory is kept.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// Entries of the base that are gone.
    pub(super) gone: Vec<bool>,
    pub(super) kept: Vec<Entry>,
    /// The keys of entries that are new, and where they begin.
    pub(super) added: (Vec<u64>, Vec<usize>),
    /// Numbers of entries that may have to be written.
    pub(super) active: Vec<usize>,
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
    pub(super) marks: Vec<bool>,
}

/// Whether codes are the same. Most that are not differ in the first.
fn is_same(codes: &[u64], others: &[u64]) -> bool {
    codes.len() == others.len() && codes.iter().zip(others).all(|(code, other)| code == other)
}

impl Entries {
    fn clear(&mut self) {
        [&mut self.gone, &mut self.others, &mut self.written].into_iter().for_each(Vec::clear);
        self.kept.clear();
        self.added.0.clear();
        self.added.1.clear();
        self.active.clear();
        self.places.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn active(&self, number: usize) -> Option<&Entry> {
        self.kept.get(*self.active.get(number)?)
    }
}

/// A keyed array or map, by columns.
pub(super) struct Columns<'c> {
    pub(super) layout: &'c Layout,
    pub(super) set: &'c Set,
    pub(super) states: States<'c>,
    pub(super) all: Entries,
}

impl<'c> Columns<'c> {
    /// Finds the entries, and how far their columns are.
    pub(super) fn measure(&mut self, at: Spots) {
        self.all.clear();
        self.meet(at);
        if !self.set.tree.is_fixed() {
            self.locate();
        }
        self.attempt();
    }

    /// Finds what stays, what is gone and what is new.
    fn meet(&mut self, at: Spots) {
        let States { base, older, new } = self.states;
        let all = &mut self.all;
        let walk = |codes, at| self.set.keyed.walk(self.layout, codes, at).peekable();
        let (old, at_old) = older.map_or((&[][..], MISSING), |(codes, _)| (codes, at.older));
        let (mut in_new, mut in_old) = (walk(new, at.new), walk(old, at_old));
        let mut add = |(key, n, _)| {
            all.added.0.push(key);
            all.added.1.push(n);
        };
        for (key, a, a_end) in walk(base, at.base) {
            while let Some(added) = in_new.next_if(|(other, ..)| *other < key) {
                add(added);
            }
            while in_old.next_if(|(other, ..)| *other < key).is_some() {}
            let found = in_new.next_if(|(other, ..)| *other == key);
            all.gone.push(found.is_none());
            let Some((_, n, n_end)) = found else { continue };
            let was = base.get(a..a_end).unwrap_or_default();
            let is_same = |codes: &[u64], from, to| is_same(codes.get(from..to).unwrap_or_default(), was);
            let before = in_old.next_if(|(other, ..)| *other == key);
            let is_moving = older.is_none() || before.is_none_or(|(_, b, b_end)| !is_same(old, b, b_end));
            let has_changed = !is_same(new, n, n_end);
            if has_changed || (is_moving && older.is_some()) {
                all.active.push(all.kept.len());
            }
            let at = Spots { base: a, older: before.map_or(MISSING, |(_, b, _)| b), new: n };
            all.kept.push(Entry { at, is_moving, has_changed });
        }
        in_new.for_each(add);
    }

    /// Finds the fields of what may have to be written.
    fn locate(&mut self) {
        let States { base, older, new } = self.states;
        let (tree, all) = (&self.set.tree, &mut self.all);
        let [in_base, in_older, in_new] = &mut all.places;
        for entry in all.active.iter().filter_map(|at| all.kept.get(*at)) {
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

    pub(super) fn spots(&self, number: usize, field: usize) -> Spots {
        let tree = &self.set.tree;
        if let (Some(offset), Some(Entry { at, .. })) = (tree.fixed_place(field, 0), self.all.active(number))
        {
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
        let count = self.all.active.len();
        let mut trials = std::mem::take(&mut self.all.trials);
        trials.resize_with(self.set.tree.fields.len().max(trials.len()), Trial::default);
        self.all.others.resize(count, false);
        for (number, (field, trial)) in self.set.tree.fields.iter().zip(&mut trials).enumerate() {
            let spots = (0..count).map(|entry| self.spots(entry, number));
            trial.start(field.column.as_ref(), self.states, spots);
            for entry in (0..count).filter(|entry| !trial.has(*entry)) {
                let is_other = self.is_other(field, self.spots(entry, number));
                if let Some(other) = self.all.others.get_mut(entry) {
                    *other |= is_other;
                }
            }
        }
        trials.truncate(self.set.tree.fields.len());
        self.all.trials = trials;
    }

    /// Whether a field is another than in the base.
    pub(super) fn is_other(&self, field: &Leaf, at: Spots) -> bool {
        let part = |codes: &'c [u64], at: usize| match at {
            MISSING => None,
            at => codes.get(at..self.layout.skip(field.node, codes, at)),
        };
        part(self.states.base, at.base) != part(self.states.new, at.new)
    }
}
