//! Apply: a value's codes and what changed into the new value's codes. They are judged like any others afterwards.

use variant_core::{ErrorKind, Step};

use crate::bits::{BitReader, unzigzag};
use crate::count::Count;
use crate::differ::{MOST_PLAIN, reaches};
use crate::fault::Outcome;
use crate::layout::{Dict, Key, KeyedEntries, Tuple, Wire};
use crate::mask;
use crate::math_types::Solid;
use crate::number_codec::CodeFault;
use crate::read::CodeReader;
use crate::text::{length, size};

/// Reads a code of so many bits that is said by how far it is from another.
pub(crate) fn read_relative(base: u64, width: u32, bits: &mut BitReader<'_>) -> Result<u64, CodeFault> {
    if width <= MOST_PLAIN {
        return Ok(bits.take(width)?);
    }
    let mut before = 0_u64;
    for reach in reaches(width) {
        if !bits.bit()? {
            let distance = bits.take(reach)?.checked_add(before).ok_or(ErrorKind::OutOfRange)?;
            let code = i128::from(base).wrapping_add(i128::from(unzigzag(distance)));
            return u64::try_from(code).map_err(|_| ErrorKind::OutOfRange.into());
        }
        before = before.wrapping_add(1_u64.checked_shl(reach).unwrap_or(0));
    }
    Ok(bits.take(width)?)
}

/// Reads a difference beside the value that it is from.
pub(crate) struct Applier<'l, 'b> {
    pub(crate) reader: CodeReader<'l, 'b>,
    pub(crate) base: &'l [u64],
    /// Parts of all open dictionaries that are there: the key, where it was, and whether it is another.
    pub(crate) due: Vec<PresentPart<'l>>,
}

/// A part of a Dictionary that is there.
#[derive(Clone, Copy)]
pub(crate) struct PresentPart<'l> {
    number: usize,
    key: &'l Key,
    was: Option<(usize, usize)>,
    has_changed: bool,
}

impl<'l> Applier<'l, '_> {
    pub(crate) fn bit(&mut self) -> Outcome<bool> {
        self.reader.bits.bit().map_err(|missing| self.reader.unread(missing.into()))
    }

    fn code(&self, at: usize) -> u64 {
        self.base.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn keep(&mut self, start: usize, end: usize) {
        self.reader.codes.extend_from_slice(self.base.get(start..end).unwrap_or_default());
    }

    pub(crate) fn root(&mut self) -> Outcome<()> {
        self.value(self.reader.layout.root, 0)
    }

    /// A value that is another than that at `a`.
    pub(crate) fn value(&mut self, at: usize, mut a: usize) -> Outcome<()> {
        let layout = self.reader.layout;
        let Some(node) = layout.node(at) else { return Ok(()) };
        let bit = self.reader.bits.at();
        self.reader.ledger.value().map_err(|kind| self.reader.kind(kind))?;
        if node.nullable {
            let is = self.bit()?;
            self.reader.codes.push(u64::from(is));
            if !is {
                return Ok(());
            }
            let was = self.code(a) == 1;
            a = a.saturating_add(1);
            if !was {
                return self.reader.inside(node, bit);
            }
        }
        self.reader.ledger.down().map_err(|kind| self.reader.kind(kind))?;
        let read = self.wire(&node.wire, a);
        self.reader.ledger.up();
        read.map_err(|fault| {
            if fault.steps.is_empty() { fault.against(&node.schema, "bits of something else") } else { fault }
        })
    }

    fn wire(&mut self, wire: &'l Wire, a: usize) -> Outcome<()> {
        let was = self.code(a);
        let after = a.saturating_add(1);
        match wire {
            Wire::Same(node) => {
                self.reader.ledger.stay();
                self.value(*node, a)?;
                self.reader.ledger.depth.stayed();
                Ok(())
            }
            Wire::Number(_, form) => match form.relative() {
                Some(width) => {
                    let read = read_relative(was, width, &mut self.reader.bits);
                    let code = read.map_err(|unread| self.reader.unread(unread))?;
                    form.is_code(code).map_err(|kind| self.reader.kind(kind))?;
                    self.reader.codes.push(code);
                    Ok(())
                }
                None => self.reader.wire(wire),
            },
            Wire::Solid { solid, .. } => self.solid(solid, a),
            Wire::Dict(dict) => self.dict(dict, a, None),
            Wire::Cases { values, cases, .. } => {
                let is = self.reader.one(values.width)?;
                let case = cases.get(size(is)).ok_or_else(|| self.reader.kind(ErrorKind::NotInEnum))?;
                self.choice(*case, (is == was).then_some(after))
            }
            Wire::Union { alternatives, width, .. } => {
                let is = self.reader.one(*width)?;
                let node =
                    alternatives.get(size(is)).ok_or_else(|| self.reader.kind(ErrorKind::NoAlternative))?;
                self.choice(*node, (is == was).then_some(after))
            }
            Wire::Tuple(tuple) => self.tuple(tuple, a),
            Wire::Array { item, count } => self.rows(&[*item], *count, a),
            Wire::Map { key, value, count } => self.rows(&[*key, *value], *count, a),
            Wire::Keyed(keyed) => self.keyed(keyed, a),
            Wire::Packed { solid, count, .. } => self.packed(solid, *count, a),
            other => self.reader.wire(other),
        }
    }

    /// Reads which part a union or case is, in full or as what changed.
    fn choice(&mut self, node: usize, a: Option<usize>) -> Outcome<()> {
        let Some(a) = a else { return self.reader.same(node) };
        self.reader.ledger.stay();
        self.maybe(node, a)?;
        self.reader.ledger.depth.stayed();
        Ok(())
    }

    fn tuple(&mut self, tuple: &'l Tuple, a: usize) -> Outcome<()> {
        let was = self.code(a);
        let is = self.count(tuple.count(), was)?;
        let mut a = a.saturating_add(1);
        for (number, item) in (0..).zip(&tuple.items).take(size(is)) {
            let below = |fault: Box<crate::fault::Fault>| fault.below(Step::Index(number));
            if number < was {
                self.maybe(*item, a).map_err(below)?;
                a = self.reader.layout.skip(*item, self.base, a);
            } else {
                self.reader.value(*item).map_err(below)?;
            }
        }
        Ok(())
    }

    /// A bit, and what changed or stays.
    fn maybe(&mut self, node: usize, a: usize) -> Outcome<()> {
        if self.reader.layout.node(node).is_some_and(|node| node.codes == Some(0)) {
            return Ok(());
        }
        if self.bit()? {
            return self.value(node, a);
        }
        self.keep(a, self.reader.layout.skip(node, self.base, a));
        Ok(())
    }

    fn count(&mut self, count: Count, was: u64) -> Outcome<u64> {
        let is = if self.bit()? {
            count.read(&mut self.reader.bits).map_err(|unread| self.reader.unread(unread))?
        } else {
            was
        };
        self.reader.codes.push(is);
        Ok(is)
    }

    fn solid(&mut self, solid: &Solid, a: usize) -> Outcome<()> {
        let base = self.base.get(a..a.saturating_add(solid.codes())).unwrap_or_default();
        let read = read_solid(solid, base, &mut self.reader.bits, self.reader.codes);
        read.map_err(|unread| self.reader.unread(unread))
    }

    pub(crate) fn dict(&mut self, dict: &'l Dict, a: usize, place: Option<u64>) -> Outcome<()> {
        self.dict_with(dict, a, place, |this, node, _, a| this.value(node, a))
    }

    /// Reads a Dictionary, its parts that are another by `part`: node, number of the key, where it was.
    pub(crate) fn dict_with(
        &mut self,
        dict: &'l Dict,
        a: usize,
        place: Option<u64>,
        mut part: impl FnMut(&mut Self, usize, usize, usize) -> Outcome<()>,
    ) -> Outcome<()> {
        let first = self.flags(dict, a, place)?;
        for at in first..self.due.len() {
            let Some(PresentPart { number, key, was, has_changed }) = self.due.get(at).copied() else {
                continue;
            };
            let read = match (place.filter(|_| at == first), was) {
                (Some(place), _) => {
                    self.reader.codes.push(place);
                    Ok(())
                }
                (None, Some((start, _))) if has_changed => part(self, key.node, number, start),
                (None, Some((start, end))) => {
                    self.keep(start, end);
                    Ok(())
                }
                (None, None) => self.reader.value(key.node),
            };
            read.map_err(|fault| fault.below(Step::Key(key.name.clone())))?;
        }
        self.due.truncate(first);
        Ok(())
    }

    /// Reads which keys are there and another. Those that are there are due from the number that is returned on.
    fn flags(&mut self, dict: &'l Dict, a: usize, entry: Option<u64>) -> Outcome<usize> {
        let layout = self.reader.layout;
        let mut flags = a;
        let mut a = a.saturating_add(dict.optional);
        let first = self.due.len();
        for (number, key) in dict.keys.iter().enumerate() {
            let (mut was, mut is) = (true, true);
            if key.is_optional {
                was = self.code(flags) == 1;
                flags = flags.saturating_add(1);
                is = self.bit()?;
                self.reader.codes.push(u64::from(is));
            }
            let has_bits = layout.node(key.node).is_none_or(|node| node.codes != Some(0));
            let is_known = entry.is_some() && number == 0;
            let has_changed = is && was && !is_known && has_bits && self.bit()?;
            let end = if was { layout.skip(key.node, self.base, a) } else { a };
            if is {
                self.due.push(PresentPart { number, key, was: was.then_some((a, end)), has_changed });
            }
            a = end;
        }
        Ok(first)
    }

    fn places(&mut self, all: u64) -> Outcome<Vec<u64>> {
        let ledger = &self.reader.ledger;
        let read = mask::read(&mut self.reader.bits, all, |count| ledger.elements(count));
        read.map_err(|unread| self.reader.unread(unread))
    }

    fn rows(&mut self, nodes: &[usize], count: Count, a: usize) -> Outcome<()> {
        let layout = self.reader.layout;
        let is = self.count(count, self.code(a))?;
        self.reader.claimed(is.saturating_sub(self.code(a)), nodes)?;
        let base = self.base;
        let end = |a: usize| nodes.iter().fold(a, |a, node| layout.skip(*node, base, a));
        let changed = |this: &mut Self, number: u64, a: usize| match nodes {
            [node] => this.value(*node, a).map_err(|fault| fault.below(Step::Index(number))),
            _ => nodes
                .iter()
                .try_fold(a, |a, node| {
                    this.maybe(*node, a).map_err(|fault| fault.below(Step::Entry(number)))?;
                    Ok(layout.skip(*node, base, a))
                })
                .map(drop),
        };
        self.list(a, is, end, |this, number, a| match a {
            Some(a) => changed(this, number, a),
            None => {
                let new = nodes.iter().try_for_each(|node| this.reader.value(*node));
                new.map_err(|fault| fault.below(Step::Index(number)))
            }
        })
    }

    fn packed(&mut self, solid: &Solid, count: Count, a: usize) -> Outcome<()> {
        let is = self.count(count, self.code(a))?;
        self.reader.bytes_claimed(is, solid.numbers())?;
        self.reader.left_for(is.saturating_sub(self.code(a)), solid.bits().0)?;
        let end = |a: usize| a.saturating_add(solid.codes());
        self.list(a, is, end, |this, number, a| {
            let read = match a {
                Some(a) => this.solid(solid, a),
                None => {
                    let read = solid.read(&mut this.reader.bits, this.reader.codes);
                    read.map_err(|unread| this.reader.unread(unread))
                }
            };
            read.map_err(|fault| fault.below(Step::Index(number)))
        })
    }

    /// Elements by their places: those that were there, as they are or changed, then new ones. `read` reads one that is new, or
    /// another than that at this place.
    fn list(
        &mut self,
        a: usize,
        is: u64,
        end: impl Fn(usize) -> usize,
        read: impl Fn(&mut Self, u64, Option<usize>) -> Outcome<()>,
    ) -> Outcome<()> {
        let common = self.code(a).min(is);
        let mut marked = self.places(common)?.into_iter().peekable();
        let mut a = a.saturating_add(1);
        for number in 0..common {
            let next = end(a);
            match marked.next_if(|next| *next == number) {
                Some(_) => read(self, number, Some(a))?,
                None => self.keep(a, next),
            }
            a = next;
        }
        (common..is).try_for_each(|number| read(self, number, None))
    }

    /// Entries by their keys: those that were there, as they are, changed or gone, then new ones.
    fn keyed(&mut self, keyed: &'l KeyedEntries, a: usize) -> Outcome<()> {
        let layout = self.reader.layout;
        let (keys, starts, _) = keyed.entries(layout, self.base, a);
        let mut marked = self.places(length(keys.len()))?.into_iter().peekable();
        let head = self.reader.codes.len();
        let mut found = Vec::with_capacity(keys.len());
        for (number, (key, a)) in (0..).zip(keys.into_iter().zip(starts)) {
            let start = self.reader.codes.len();
            let is_marked = marked.next_if(|next| *next == number).is_some();
            if is_marked && self.bit()? {
                continue;
            }
            self.reader.codes.extend(keyed.key.map(|_| key));
            if is_marked {
                self.entry(keyed, a, key).map_err(|fault| fault.below(keyed.step(number, key)))?;
            } else {
                self.keep(a, layout.skip(keyed.item, self.base, a));
            }
            found.push((key, start..self.reader.codes.len()));
        }
        self.finish_keyed(keyed, head, found)
    }

    /// An entry that is another, under a key that is known.
    pub(crate) fn entry(&mut self, keyed: &KeyedEntries, a: usize, key: u64) -> Outcome<()> {
        match keyed.dict(self.reader.layout) {
            Some(dict) => self.dict(dict, a, Some(key)),
            None => self.value(keyed.item, a),
        }
    }

    /// Reads the entries that are new, and brings all, whose codes begin at `head`, into their order.
    pub(crate) fn finish_keyed(
        &mut self,
        keyed: &KeyedEntries,
        head: usize,
        mut found: Vec<(u64, std::ops::Range<usize>)>,
    ) -> Outcome<()> {
        for key in self.added(keyed.last)? {
            let start = self.reader.codes.len();
            self.reader.keyed_entry(keyed, key)?;
            found.push((key, start..self.reader.codes.len()));
        }
        self.sorted(head, found, keyed.count)
    }

    /// Sorts entries, whose codes begin at `head`, and puts their count in front.
    fn sorted(
        &mut self,
        head: usize,
        mut found: Vec<(u64, std::ops::Range<usize>)>,
        count: Count,
    ) -> Outcome<()> {
        found.sort_by_key(|(key, _)| *key);
        if found.windows(2).any(|pair| pair.first().map(|(key, _)| key) == pair.last().map(|(key, _)| key)) {
            return Err(self.reader.kind(ErrorKind::DuplicateKey));
        }
        count.check(length(found.len())).map_err(|kind| self.reader.kind(kind))?;
        let taken = self.reader.codes.split_off(head.min(self.reader.codes.len()));
        self.reader.codes.push(length(found.len()));
        for (_, range) in found {
            let range = range.start.saturating_sub(head)..range.end.saturating_sub(head);
            self.reader.codes.extend_from_slice(taken.get(range).unwrap_or_default());
        }
        Ok(())
    }

    /// Keys of the entries that are new.
    fn added(&mut self, last: u64) -> Outcome<Vec<u64>> {
        let count = self.reader.bits.varint().map_err(|missing| self.reader.unread(missing.into()))?;
        let count = count.ok_or_else(|| self.reader.kind(ErrorKind::OutOfRange))?;
        self.reader.ledger.elements(count).map_err(|kind| self.reader.kind(kind))?;
        let keys = mask::read_places(&mut self.reader.bits, count, last);
        keys.map_err(|unread| self.reader.unread(unread))
    }
}

fn read_solid(
    solid: &Solid,
    was: &[u64],
    bits: &mut BitReader<'_>,
    codes: &mut Vec<u64>,
) -> Result<(), CodeFault> {
    if matches!(solid, Solid::Direction(_) | Solid::Flat(_)) {
        return solid.read(bits, codes);
    }
    let turn = solid.turn_at();
    let has_bits = solid.codes() > 1;
    let mut is_same = true;
    for (at, was) in was.iter().enumerate() {
        let is_kept = if at == turn {
            is_same = bits.bit()?;
            is_same
        } else {
            at < turn && has_bits && !bits.bit()?
        };
        if is_kept {
            codes.push(*was);
            continue;
        }
        let code = match solid.relative(at) {
            Some(width) if at < turn || is_same => read_relative(*was, width, bits)?,
            _ => solid.read_one(at, bits)?,
        };
        if !solid.is_code(at, code) {
            return Err(ErrorKind::OutOfRange.into());
        }
        codes.push(code);
    }
    Ok(())
}
