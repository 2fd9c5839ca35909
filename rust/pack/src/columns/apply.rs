//! Reads a difference by columns. Every code is judged, also of what is not written: it is in its range here, and what a
//! rotation's codes have to be is seen when the value is made of them, as of all others.

use variant_core::{ErrorKind, Step};

use crate::apply::Applier;
use crate::fault::{Fault, Outcome};
use crate::layout::{Layout, Wire};
use crate::pass::Pass;
use crate::read::CodeReader;
use crate::text::{length, size};

use super::code::{CODE_BITS, Code};
use super::likely::{Before, FieldForm, Likely, OwnColumn, ValueBases};
use super::mask;
use super::plan::{Branch, Column, Leaf, MISSING, Set, TURN_LANES, Twig};
use super::predict::{Distances, Lane};

/// The codes of the older base, and how far apart states are.
type Older<'l> = Option<(&'l [u64], Distances)>;

/// Reads the new value's codes from a difference; returns how many bytes that is. `predicted` is memory for the base with what
/// is predicted in it.
pub(crate) fn read<'l>(
    reader: CodeReader<'l, '_>,
    base: &'l [u64],
    older: Older<'l>,
    predicted: &'l mut Vec<u64>,
    most_left: u64,
) -> Outcome<u64> {
    let mut applier = Applier::of(reader, base);
    let read = applier.all(older, predicted).and_then(|()| applier.pass.finish(most_left));
    read.map_err(|fault| fault.placed(applier.pass.bits.at()))
}

/// A keyed array or map that is told by columns.
struct ColumnReader<'l> {
    set: &'l Set,
    older: Older<'l>,
    forms: Vec<FieldForm>,
    kept: Vec<OldEntry>,
}

impl<'l> ColumnReader<'l> {
    fn own(&self, field: usize) -> Option<&OwnColumn> {
        self.forms.get(field).and_then(FieldForm::own)
    }

    fn all_own(&self) -> impl Iterator<Item = &OwnColumn> {
        self.forms.iter().filter_map(FieldForm::own)
    }

    fn has_bases(&self, a: usize, b: usize) -> bool {
        a != MISSING && (self.older.is_none() || b != MISSING)
    }

    /// Finds where the fields of an entry stand in both bases.
    fn find(&self, layout: &Layout, base: &[u64], kept: &OldEntry, places: &mut BothPlaces) {
        let older = self.older.filter(|_| kept.older != MISSING);
        let BothPlaces([a, b]) = places;
        a.clear();
        b.clear();
        self.set.tree.locate(layout, base, kept.start, a);
        if let Some((codes, _)) = older {
            self.set.tree.locate(layout, codes, kept.older, b);
        }
    }
}

impl<'l> Applier<'l, '_> {
    fn all(&mut self, older: Older<'l>, predicted: &'l mut Vec<u64>) -> Outcome<()> {
        if !self.pass.bits.bit()? {
            self.keep(0, self.base.len());
            return Ok(());
        }
        let (is_by_columns, layout) = (self.pass.bits.bit()?, self.pass.layout);
        let (true, Some(plan), Some(Wire::Dict(dict))) =
            (is_by_columns, &layout.plan, layout.wire_of(layout.root))
        else {
            // Nothing is predicted.
            return self.root();
        };
        predicted.clear();
        predicted.extend_from_slice(self.base);
        let bits = &mut self.pass.bits;
        let places = plan.predict(layout, older, predicted, |_, _, _| Ok(bits.bit()?))?;
        self.base = predicted;
        self.pass.ledger.value()?;
        self.level(|this| {
            this.dict_with(dict, 0, None, |this, node, key, a| {
                let Some(set) = plan.set(key) else { return this.value(node, a) };
                if !this.pass.bits.bit()? {
                    return this.value(node, a);
                }
                let at = places.get(set.field).copied().unwrap_or(MISSING);
                this.pass.ledger.value()?;
                this.level(|this| {
                    this.columns(set, a, older.map(|(codes, distances)| (codes, at, distances)))
                })
            })
        })
    }

    fn columns(&mut self, set: &'l Set, a: usize, older: Option<Before<'l>>) -> Outcome<()> {
        let mut told = ColumnReader {
            set,
            older: older.map(|(codes, _, distances)| (codes, distances)),
            forms: Vec::new(),
            kept: Vec::new(),
        };
        told.forms = self.table(&told)?;
        told.kept = self.kept(set, a, older)?;
        self.charge(&told)?;
        self.written(&mut told.kept)?;
        for field in 0..told.forms.len() {
            let charts = self.charts(&told, field)?;
            if let Some(FieldForm::Own(own)) = told.forms.get_mut(field) {
                own.charts = charts;
            }
        }
        self.entries(&told)
    }

    fn table(&mut self, told: &ColumnReader<'_>) -> Outcome<Vec<FieldForm>> {
        let form = |field: &Leaf| match &field.column {
            Some(column) if self.pass.bits.bit()? => self.own(told, column).map(FieldForm::Own),
            _ if field.has_bits && self.pass.bits.bit()? => Ok(FieldForm::Marked),
            _ => Ok(FieldForm::Still),
        };
        told.set.tree.fields.iter().map(form).collect()
    }

    fn own(&mut self, told: &ColumnReader<'_>, column: &Column) -> Outcome<OwnColumn> {
        let is_dense = self.pass.bits.bit()?;
        let mut own = OwnColumn { is_dense, predicted: Vec::new(), codes: Vec::new(), charts: Vec::new() };
        let turn = column.turn.map(|_| TURN_LANES);
        for numbers in column.lanes.iter().map(|_| 1).chain(turn) {
            own.predicted.push(told.older.is_some() && self.pass.bits.bit()?);
            for _ in 0..numbers {
                own.codes.push(Code::of_bits(self.pass.bits.take(CODE_BITS)?));
            }
        }
        Ok(own)
    }

    fn kept(&mut self, set: &Set, a: usize, older: Option<Before<'_>>) -> Outcome<Vec<OldEntry>> {
        let layout = self.pass.layout;
        let (base, gone) = (set.keyed.walk(layout, self.base, a), self.pass.bits.bit()?);
        let gone = if gone {
            mask::read(&mut self.pass.bits, size(base.left).min(self.base.len()))?
        } else {
            Vec::new()
        };
        let (codes, at) = older.map_or((&[][..], MISSING), |(codes, at, _)| (codes, at));
        let mut before = set.keyed.walk(layout, codes, at).peekable();
        let mut kept = Vec::new();
        for (number, (key, start, end)) in (0_u64..).zip(base) {
            if gone.get(size(number)) == Some(&true) {
                continue;
            }
            while before.next_if(|(other, ..)| *other < key).is_some() {}
            let was = before.next_if(|(other, ..)| *other == key);
            let is_same =
                |(_, from, to): (u64, usize, usize)| codes.get(from..to) == self.base.get(start..end);
            let is_moving = older.is_none() || !was.is_some_and(is_same);
            let older = was.map_or(MISSING, |(_, start, _)| start);
            kept.push(OldEntry { number, key, start, end, older, is_moving, is_written: false });
        }
        Ok(kept)
    }

    /// Charges what stays, as it is charged where it is told in full: predicting it takes no bits.
    fn charge(&mut self, told: &ColumnReader<'_>) -> Outcome<()> {
        let each = length(told.set.tree.fields.len()).saturating_add(1);
        let all = each.saturating_mul(length(told.kept.len()));
        let is_predicting = told.all_own().any(|own| own.predicted.contains(&true));
        if !is_predicting {
            return Ok(());
        }
        Ok(self.pass.ledger.values_more(all)?)
    }

    /// Which entries are written: first of those that move, then of the others.
    fn written(&mut self, kept: &mut [OldEntry]) -> Outcome<()> {
        for is_moving in [true, false] {
            let count = kept.iter().filter(|kept| kept.is_moving == is_moving).count();
            let marks = mask::read(&mut self.pass.bits, count)?;
            let entries = kept.iter_mut().filter(|kept| kept.is_moving == is_moving);
            entries.zip(marks).for_each(|(entry, mark)| entry.is_written = mark);
        }
        Ok(())
    }

    /// Whose rotations leave out another number than is predicted.
    fn charts(&mut self, told: &ColumnReader<'l>, field: usize) -> Outcome<Vec<bool>> {
        // A rotation has three codes and is predicted as a whole.
        if told.own(field).is_none_or(|own| own.codes.len() == own.predicted.len()) {
            return Ok(Vec::new());
        }
        let mut places = BothPlaces::default();
        let has = |kept: &OldEntry| {
            told.find(self.pass.layout, self.base, kept, &mut places);
            let (a, b) = places.of(field);
            kept.is_written && told.has_bases(a, b)
        };
        let has: Vec<bool> = told.kept.iter().map(has).collect();
        let mut marks = mask::read(&mut self.pass.bits, has.iter().filter(|has| **has).count())?.into_iter();
        Ok(has.into_iter().map(|has| has && marks.next().unwrap_or(false)).collect())
    }

    fn entries(&mut self, told: &ColumnReader<'l>) -> Outcome<()> {
        let (head, set) = (self.pass.codes.len(), told.set);
        self.pass.codes.push(0);
        let mut found = Vec::with_capacity(told.kept.len());
        let mut entry = Entry { told, number: 0, key: 0, places: BothPlaces::default(), ways: Vec::new() };
        for (number, kept) in told.kept.iter().enumerate() {
            let start = self.pass.codes.len();
            self.pass.codes.extend(set.keyed.key.map(|_| kept.key));
            (entry.number, entry.key) = (number, kept.key);
            let read = if kept.is_written {
                self.written_entry(&mut entry, kept)
            } else {
                self.unwritten(&mut entry, kept)
            };
            read.map_err(|fault| fault.below(set.keyed.step(kept.number, kept.key)))?;
            found.push((kept.key, start..self.pass.codes.len()));
        }
        self.pass.finish_keyed(&set.keyed, head, found)
    }

    /// An entry that is as it is predicted.
    fn unwritten(&mut self, entry: &mut Entry<'_, 'l>, kept: &OldEntry) -> Outcome<()> {
        let told = entry.told;
        let start = self.pass.codes.len();
        self.keep(kept.start, kept.end);
        let is_predicted = |own: &OwnColumn| own.predicted.contains(&true);
        if !kept.is_moving || kept.older == MISSING || !told.all_own().any(is_predicted) {
            return Ok(());
        }
        let Some((codes, distances)) = told.older else { return Ok(()) };
        told.find(self.pass.layout, self.base, kept, &mut entry.places);
        for (at, field) in told.set.tree.fields.iter().enumerate() {
            let (a, b) = entry.places.of(at);
            if let (Some(column), Some(own)) = (&field.column, told.own(at))
                && told.has_bases(a, b)
            {
                let bases = ValueBases { newer: self.base, at: a, older: Some((codes, b, distances)) };
                let likely = column.predicted(bases, |unit| own.is_predicted(unit));
                let at = start.saturating_add(a.saturating_sub(kept.start));
                let slots = self.pass.codes.iter_mut().skip(at);
                slots.zip(likely.codes()).for_each(|(slot, code)| *slot = *code);
            }
        }
        Ok(())
    }

    fn written_entry(&mut self, entry: &mut Entry<'_, 'l>, kept: &OldEntry) -> Outcome<()> {
        let told = entry.told;
        let set = told.set;
        if told.older.is_some() && kept.older == MISSING {
            return self.entry(&set.keyed, kept.start, kept.key);
        }
        told.find(self.pass.layout, self.base, kept, &mut entry.places);
        self.ways(entry)?;
        self.branch(entry, &set.tree.branch)
    }

    fn ways(&mut self, entry: &mut Entry<'_, 'l>) -> Outcome<()> {
        let (told, number) = (entry.told, entry.number);
        entry.ways.clear();
        for (at, field) in told.set.tree.fields.iter().enumerate() {
            let (a, b) = entry.places.of(at);
            let is_there = !field.is_optional || self.pass.bits.bit()?;
            let own = told.own(at).filter(|_| told.has_bases(a, b));
            entry.ways.push(match own {
                _ if !is_there => Way::Absent,
                _ if a == MISSING => Way::New,
                _ if !field.has_bits || told.forms.get(at).is_some_and(FieldForm::is_still) => Way::Same,
                Some(own) if own.is_dense || own.charts.get(number) == Some(&true) => Way::Own(true),
                Some(_) => Way::Own(self.pass.bits.bit()?),
                None if self.pass.bits.bit()? => Way::Changed,
                None => Way::Same,
            });
        }
        Ok(())
    }

    fn branch(&mut self, entry: &Entry<'_, 'l>, branch: &Branch) -> Outcome<()> {
        let tree = &entry.told.set.tree;
        for twig in &branch.twigs {
            if let Twig::Leaf(field) = twig
                && tree.fields.get(*field).is_some_and(|field| field.is_optional)
            {
                let is_there = entry.ways.get(*field) != Some(&Way::Absent);
                self.pass.codes.push(u64::from(is_there));
            }
        }
        for twig in &branch.twigs {
            match twig {
                Twig::Known => self.pass.codes.push(entry.key),
                Twig::Branch(inner) => self.branch(entry, inner)?,
                Twig::Leaf(at) => {
                    let Some(field) = tree.fields.get(*at) else { continue };
                    self.field(entry, *at, field).map_err(|fault| named(fault, field))?;
                }
            }
        }
        Ok(())
    }

    fn field(&mut self, entry: &Entry<'_, 'l>, at: usize, field: &Leaf) -> Outcome<()> {
        let (a, b) = entry.places.of(at);
        match entry.ways.get(at).copied().unwrap_or(Way::Absent) {
            Way::Absent => Ok(()),
            Way::New => self.pass.value(field.node),
            Way::Changed => self.value(field.node, a),
            Way::Same => {
                self.keep(a, self.pass.layout.skip(field.node, self.base, a));
                Ok(())
            }
            Way::Own(is_written) => {
                let (Some(column), Some(own)) = (&field.column, entry.told.own(at)) else { return Ok(()) };
                let older = entry.told.older.map(|(codes, distances)| (codes, b, distances));
                let bases = ValueBases { newer: self.base, at: a, older };
                let mut likely = column.predicted(bases, |unit| own.is_predicted(unit));
                if !is_written {
                    self.pass.push(likely.codes());
                    return Ok(());
                }
                if own.charts.get(entry.number) == Some(&true) {
                    likely.leave_out(self.pass.bits.take(2)?);
                }
                self.numbers(column, own, &likely)
            }
        }
    }

    /// Numbers by how far they are from predicted ones.
    fn numbers(&mut self, column: &Column, own: &OwnColumn, likely: &Likely) -> Outcome<()> {
        let less = u64::from(!own.is_dense && own.codes.len() == 1);
        let mut codes = own.codes.iter().copied();
        let (plain, turn) = likely.codes().split_at_checked(column.lanes.len()).unwrap_or_default();
        for (lane, from) in column.lanes.iter().zip(plain) {
            self.number(*lane, *from, codes.next(), less)?;
        }
        let (Some(bits), [left_out, numbers @ ..]) = (column.turn, turn) else { return Ok(()) };
        self.pass.codes.push(*left_out);
        let lane = Column::turn_lane(bits);
        numbers.iter().try_for_each(|from| self.number(lane, *from, codes.next(), 0))
    }

    fn number(&mut self, lane: Lane, from: u64, code: Option<Code>, less: u64) -> Outcome<()> {
        let far = code.unwrap_or_default().read(lane.width(), &mut self.pass.bits)?.saturating_add(less);
        let code = lane.restored(from, far).ok_or(ErrorKind::OutOfRange)?;
        self.pass.codes.push(code);
        Ok(())
    }
}

struct Entry<'e, 'l> {
    told: &'e ColumnReader<'l>,
    /// Its number among those that stay.
    number: usize,
    key: u64,
    places: BothPlaces,
    ways: Vec<Way>,
}

#[cold]
fn named(fault: Box<Fault>, field: &Leaf) -> Box<Fault> {
    field.names.iter().rev().fold(fault, |fault, name| fault.below(Step::Key(name.clone())))
}

struct OldEntry {
    number: u64,
    key: u64,
    start: usize,
    end: usize,
    older: usize,
    is_moving: bool,
    is_written: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Absent,
    New,
    Same,
    /// From its base.
    Changed,
    /// By its column: whether codes follow.
    Own(bool),
}

/// Where the fields of an entry stand in both bases. Its memory is kept.
#[derive(Default)]
struct BothPlaces([Vec<usize>; 2]);

impl BothPlaces {
    fn of(&self, field: usize) -> (usize, usize) {
        let [a, b] = self.0.each_ref().map(|places| places.get(field).copied().unwrap_or(MISSING));
        (a, b)
    }
}
