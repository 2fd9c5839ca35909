//! Delta: the one walk over a difference, for both directions: what changed from one value's codes to another's. `differ` writes
//! it, `apply` reads it. Codes that are read are judged like any others afterwards.

use variant_core::{ErrorKind, Step};

use crate::count::Count;
use crate::fault::Outcome;
use crate::layout::{Dict, Key, KeyedEntries, Layout, Tuple, Wire};
use crate::ledger::{Claim, Ledger};
use crate::math_types::{CodeForm, Solid};
use crate::pass::{Pass, explained};
use crate::text::size;

pub(crate) trait DeltaPass<'l>: Pass<'l> {
    /// A bit that a writer knows.
    fn bit(&mut self, known: impl FnOnce(&Self) -> bool) -> Outcome<bool>;
    /// A code of so many bits by how far it is from another.
    fn relative(&mut self, form: &CodeForm<'_>, was: u64, width: u32) -> Outcome<()>;
    /// Which of so many elements are others than those of the base from `a` on. `end` tells where one ends that begins there.
    fn places(
        &mut self,
        common: u64,
        base: &[u64],
        a: usize,
        end: impl Fn(&[u64], usize) -> usize,
    ) -> Outcome<Vec<u64>>;
    /// Where a value of a writer ends that begins there.
    fn skip(&self, node: usize, at: usize) -> usize;
    /// Entries by their keys: those that were there, as they are, changed or gone, then new ones.
    fn keyed_delta(delta: &mut Delta<'l, Self>, keyed: &'l KeyedEntries, a: usize) -> Outcome<()>;

    /// A bit that says whether the value that comes next is another than it was.
    fn is_other(&mut self, node: usize, was: &[u64]) -> Outcome<bool> {
        self.bit(|this| this.codes().get(this.place()..this.skip(node, this.place())) != Some(was))
    }
}

/// A difference beside the value that it is from.
pub(crate) struct Delta<'l, P> {
    pub(crate) pass: P,
    pub(crate) base: &'l [u64],
    /// Keys of the root that are another in another part of the value.
    pub(crate) also: Vec<usize>,
    /// Parts of all open dictionaries that are there.
    due: Vec<PresentPart<'l>>,
}

#[derive(Clone, Copy)]
struct PresentPart<'l> {
    number: usize,
    key: &'l Key,
    was: Option<(usize, usize)>,
    has_changed: bool,
}

fn has_bits(layout: &Layout, node: usize) -> bool {
    layout.node(node).is_none_or(|node| node.codes != Some(0))
}

impl<'l, P: DeltaPass<'l>> Delta<'l, P> {
    pub(crate) const fn of(pass: P, base: &'l [u64]) -> Self {
        Delta { pass, base, also: Vec::new(), due: Vec::new() }
    }

    fn was(&self, at: usize) -> u64 {
        self.base.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn keep(&mut self, start: usize, end: usize) {
        self.pass.push(self.base.get(start..end).unwrap_or_default());
    }

    pub(crate) fn root(&mut self) -> Outcome<()> {
        self.value(self.pass.layout().root, 0)
    }

    /// A value that is another than that at `a`.
    pub(crate) fn value(&mut self, at: usize, mut a: usize) -> Outcome<()> {
        let Some(node) = self.pass.layout().node(at) else { return Ok(()) };
        let mark = self.pass.begin(at)?;
        if node.nullable {
            if self.pass.bits(1)? == 0 {
                return Ok(());
            }
            let was = self.was(a);
            a = a.saturating_add(1);
            if was != 1 {
                return self.pass.inside(node, mark);
            }
        }
        self.level(|this| this.wire(&node.wire, a)).map_err(|fault| explained(fault, node))
    }

    pub(crate) fn level(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        self.pass.ledger().map_or(Ok(()), Ledger::down)?;
        let done = inner(self);
        self.pass.ledger().into_iter().for_each(|ledger| ledger.up());
        done
    }

    /// Does what is no level of its own: a reference, a union or a case.
    fn stand_for(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        self.pass.ledger().into_iter().for_each(Ledger::stay);
        inner(self)?;
        self.pass.ledger().into_iter().for_each(|ledger| ledger.depth.stayed());
        Ok(())
    }

    fn wire(&mut self, wire: &'l Wire, a: usize) -> Outcome<()> {
        match wire {
            Wire::Same(node) => self.stand_for(|this| this.value(*node, a)),
            Wire::Number(_, form) => match (CodeForm::Form(form), form.relative()) {
                (form, Some(width)) => self.pass.relative(&form, self.was(a), width),
                (form, None) => self.pass.one(form).map(drop),
            },
            Wire::Solid { solid, .. } => self.solid(solid, a),
            Wire::Dict(dict) => self.dict(dict, a, None),
            Wire::Cases { values, cases, .. } => self.choice(cases, values.width, ErrorKind::NotInEnum, a),
            Wire::Union { alternatives, width, .. } => {
                self.choice(alternatives, *width, ErrorKind::NoAlternative, a)
            }
            Wire::Tuple(tuple) => self.tuple(tuple, a),
            Wire::Array { item, count } => self.rows(&[*item], *count, a),
            Wire::Map { key, value, count } => self.rows(&[*key, *value], *count, a),
            Wire::Keyed(keyed) => P::keyed_delta(self, keyed, a),
            Wire::Packed { solid, count, .. } => self.packed(solid, *count, a),
            other => self.pass.wire(other),
        }
    }

    /// Which it is, and what changed of it or all of it.
    fn choice(&mut self, nodes: &[usize], width: u32, none: ErrorKind, a: usize) -> Outcome<()> {
        let (is, node) = self.pass.one_of(nodes, width, none)?;
        if is != self.was(a) {
            return self.pass.same(node);
        }
        self.stand_for(|this| this.maybe(node, a.saturating_add(1)))
    }

    fn tuple(&mut self, tuple: &Tuple, a: usize) -> Outcome<()> {
        let was = self.was(a);
        let is = self.count(tuple.count(), was)?;
        let mut a = a.saturating_add(1);
        for (number, item) in (0..).zip(&tuple.items).take(size(is)) {
            let part = if number < was { self.maybe(*item, a) } else { self.pass.value(*item) };
            part.map_err(|fault| fault.below(Step::Index(number)))?;
            if number < was {
                a = self.pass.layout().skip(*item, self.base, a);
            }
        }
        Ok(())
    }

    /// A bit, and what changed or stays.
    fn maybe(&mut self, node: usize, a: usize) -> Outcome<()> {
        let layout = self.pass.layout();
        if !has_bits(layout, node) {
            return Ok(());
        }
        let was = self.base.get(a..layout.skip(node, self.base, a)).unwrap_or_default();
        if self.pass.is_other(node, was)? {
            return self.value(node, a);
        }
        self.pass.push(was);
        Ok(())
    }

    fn count(&mut self, count: Count, was: u64) -> Outcome<u64> {
        if self.pass.bit(|pass| pass.code(pass.place()) != was)? {
            return self.pass.count(count);
        }
        self.pass.push(&[was]);
        Ok(was)
    }

    /// Numbers each with a bit, or a rotation as a whole.
    fn solid(&mut self, solid: &Solid, a: usize) -> Outcome<()> {
        if matches!(solid, Solid::Direction(_) | Solid::Flat(_)) {
            return self.pass.solid(solid);
        }
        let base = self.base.get(a..a.saturating_add(solid.codes())).unwrap_or_default();
        let (turn, has_bits) = (solid.turn_at(), solid.codes() > 1);
        let mut is_same = true;
        for (at, was) in base.iter().enumerate() {
            let mut is_kept = false;
            if at == turn {
                is_kept = self.pass.bit(|pass| pass.code(pass.place()) == *was)?;
                is_same = is_kept;
            } else if at < turn && has_bits {
                is_kept = !self.pass.bit(|pass| pass.code(pass.place()) != *was)?;
            }
            match solid.relative(at).filter(|_| at < turn || is_same) {
                _ if is_kept => self.pass.push(&[*was]),
                Some(width) => self.pass.relative(&solid.part(at), *was, width)?,
                None => self.pass.one(solid.part(at)).map(drop)?,
            }
        }
        Ok(())
    }

    pub(crate) fn dict(&mut self, dict: &'l Dict, a: usize, known: Option<u64>) -> Outcome<()> {
        self.dict_with(dict, a, known, |this, node, _, a| this.value(node, a))
    }

    /// A Dictionary, its parts that are another by `part`: node, number of the key, where it was.
    pub(crate) fn dict_with(
        &mut self,
        dict: &'l Dict,
        a: usize,
        known: Option<u64>,
        mut part: impl FnMut(&mut Self, usize, usize, usize) -> Outcome<()>,
    ) -> Outcome<()> {
        let first = self.flags(dict, a, known)?;
        self.also.clear();
        for at in first..self.due.len() {
            let Some(PresentPart { number, key, was, has_changed }) = self.due.get(at).copied() else {
                continue;
            };
            let passed = match (known.filter(|_| at == first), was) {
                (Some(known), _) => {
                    self.pass.push(&[known]);
                    Ok(())
                }
                (None, Some((start, _))) if has_changed => part(self, key.node, number, start),
                (None, Some((start, end))) => {
                    self.keep(start, end);
                    Ok(())
                }
                (None, None) => self.pass.value(key.node),
            };
            passed.map_err(|fault| fault.below(key.step()))?;
        }
        self.due.truncate(first);
        Ok(())
    }

    /// Which keys are there and another. Those that are there are due from the number that is returned on.
    fn flags(&mut self, dict: &'l Dict, a: usize, known: Option<u64>) -> Outcome<usize> {
        let layout = self.pass.layout();
        let (mut flags, mut a) = (a, a.saturating_add(dict.optional));
        let mut b = self.pass.place().saturating_add(dict.optional);
        let first = self.due.len();
        for (number, key) in dict.keys.iter().enumerate() {
            let (mut was, mut is) = (true, true);
            if key.is_optional {
                was = self.was(flags) == 1;
                flags = flags.saturating_add(1);
                is = self.pass.bits(1)? == 1;
            }
            let end = if was { layout.skip(key.node, self.base, a) } else { a };
            let b_end = if is { self.pass.skip(key.node, b) } else { b };
            let is_known = known.is_some() && number == 0;
            let (base, also) = (self.base.get(a..end), &self.also);
            let is_other = |pass: &P| pass.codes().get(b..b_end) != base || also.contains(&number);
            let has_changed =
                is && was && !is_known && has_bits(layout, key.node) && self.pass.bit(is_other)?;
            if is {
                self.due.push(PresentPart { number, key, was: was.then_some((a, end)), has_changed });
            }
            (a, b) = (end, b_end);
        }
        Ok(first)
    }

    /// Rows of elements, or of keys and values, by their places.
    fn rows(&mut self, nodes: &[usize], count: Count, a: usize) -> Outcome<()> {
        let (layout, was) = (self.pass.layout(), self.was(a));
        let is = self.count(count, was)?;
        let new = is.saturating_sub(was);
        self.pass.ledger().map_or(Ok(()), |ledger| ledger.claim(Claim::Elements, new))?;
        self.pass.elements(new, layout.least_bits(nodes))?;
        let end = |codes: &[u64], at: usize| nodes.iter().fold(at, |at, node| layout.skip(*node, codes, at));
        self.list(a, is, end, |this, number, a| match (a, nodes) {
            (Some(a), [node]) => this.value(*node, a).map_err(|fault| fault.below(Step::Index(number))),
            (Some(a), _) => {
                let parts: Outcome<usize> = nodes.iter().try_fold(a, |a, node| {
                    this.maybe(*node, a)?;
                    Ok(layout.skip(*node, this.base, a))
                });
                parts.map(drop).map_err(|fault| fault.below(Step::Entry(number)))
            }
            (None, _) => {
                let new = nodes.iter().try_for_each(|node| this.pass.value(*node));
                new.map_err(|fault| fault.below(Step::Index(number)))
            }
        })
    }

    fn packed(&mut self, solid: &Solid, count: Count, a: usize) -> Outcome<()> {
        let was = self.was(a);
        let is = self.count(count, was)?;
        self.pass.ledger().map_or(Ok(()), |ledger| ledger.claim(Claim::Numbers(solid.numbers()), is))?;
        self.pass.elements(is.saturating_sub(was), solid.bits().0)?;
        let end = |_: &[u64], at: usize| at.saturating_add(solid.codes());
        self.list(a, is, end, |this, number, a| {
            let passed = match a {
                Some(a) => this.solid(solid, a),
                None => this.pass.solid(solid),
            };
            passed.map_err(|fault| fault.below(Step::Index(number)))
        })
    }

    /// Elements by their places: those that were there, as they are or changed, then new ones. `part` does one that is new, or
    /// another than that at this place.
    fn list(
        &mut self,
        a: usize,
        is: u64,
        end: impl Fn(&[u64], usize) -> usize,
        part: impl Fn(&mut Self, u64, Option<usize>) -> Outcome<()>,
    ) -> Outcome<()> {
        let common = self.was(a).min(is);
        let mut a = a.saturating_add(1);
        let mut marked = self.pass.places(common, self.base, a, &end)?.into_iter().peekable();
        for number in 0..common {
            let next = end(self.base, a);
            match marked.next_if(|next| *next == number) {
                Some(_) => part(self, number, Some(a))?,
                None => self.keep(a, next),
            }
            a = next;
        }
        (common..is).try_for_each(|number| part(self, number, None))
    }

    /// An entry that is another, under a key that is known.
    pub(crate) fn entry(&mut self, keyed: &KeyedEntries, a: usize, key: u64) -> Outcome<()> {
        match keyed.dict(self.pass.layout()) {
            Some(dict) => self.dict(dict, a, Some(key)),
            None => self.value(keyed.item, a),
        }
    }
}
