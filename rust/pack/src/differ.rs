//! Differ: two values' codes into what changed from one to the other.

use crate::bits::{BitWriter, zigzag};
use crate::count::Count;
use crate::layout::{Dict, FirstKey, KeyedEntries, Layout, Tuple, Wire};
use crate::mask;
use crate::math_types::Solid;
use crate::text::{length, size};
use crate::write::Writer;

/// Codes up to so many bits are said plainly.
pub(crate) const MOST_PLAIN: u32 = 4;

/// The bits of the three nearer distances to a code of this width.
pub(crate) const fn reaches(width: u32) -> [u32; 3] {
    let eighth = width.wrapping_mul(3);
    [eighth.div_ceil(8), width.div_ceil(2), eighth.div_ceil(4)]
}

/// Writes a code of so many bits by how far it is from another.
pub(crate) fn write_relative(code: u64, base: u64, width: u32, bits: &mut BitWriter) {
    if width <= MOST_PLAIN {
        bits.put(code, width);
        return;
    }
    let far = i128::from(code).wrapping_sub(i128::from(base));
    if let Ok(far) = i64::try_from(far) {
        let mut distance = zigzag(far);
        for (prefix, reach) in [(0b0, 1), (0b01, 2), (0b011, 3)].into_iter().zip(reaches(width)) {
            let (word, length) = prefix;
            let many = 1_u64.checked_shl(reach).unwrap_or(0);
            if distance < many {
                bits.put(word, length);
                bits.put(distance, reach);
                return;
            }
            distance = distance.wrapping_sub(many);
        }
    }
    bits.put(0b111, 3);
    bits.put(code, width);
}

/// Writes differences.
pub(crate) struct Differ<'l> {
    pub(crate) layout: &'l Layout,
    pub(crate) base: &'l [u64],
    pub(crate) new: &'l [u64],
    pub(crate) bits: &'l mut BitWriter,
    /// Keys of the root that are another in another part of the value.
    pub(crate) also: Vec<usize>,
    /// Parts of all open dictionaries that are another.
    due: Vec<Due>,
}

/// A part of a Dictionary that is another.
#[derive(Clone, Copy)]
pub(crate) struct Due {
    /// The number of its key.
    pub(crate) key: usize,
    node: usize,
    /// Where it was.
    pub(crate) a: Option<usize>,
    /// Where it is.
    pub(crate) b: usize,
}

impl<'l> Differ<'l> {
    pub(crate) const fn new(
        layout: &'l Layout,
        base: &'l [u64],
        new: &'l [u64],
        bits: &'l mut BitWriter,
    ) -> Self {
        Differ { layout, base, new, bits, also: Vec::new(), due: Vec::new() }
    }

    /// All that is another.
    pub(crate) fn root(&mut self) {
        self.value(self.layout.root, 0, 0);
    }

    fn code(codes: &[u64], at: usize) -> u64 {
        codes.get(at).copied().unwrap_or(0)
    }

    fn ends(&self, node: usize, a: usize, b: usize) -> (usize, usize) {
        (self.layout.skip(node, self.base, a), self.layout.skip(node, self.new, b))
    }

    fn has_changed(&self, node: usize, a: usize, b: usize) -> bool {
        let (a_end, b_end) = self.ends(node, a, b);
        self.base.get(a..a_end) != self.new.get(b..b_end)
    }

    fn has_bits(&self, node: usize) -> bool {
        self.layout.node(node).is_none_or(|node| node.codes != Some(0))
    }

    pub(crate) fn full(&mut self, node: usize, b: usize) {
        Writer::new(self.layout, self.new, self.bits).value(node, b);
    }

    fn full_wire(&mut self, wire: &Wire, b: usize) {
        Writer::new(self.layout, self.new, self.bits).wire(wire, b);
    }

    /// A value that is another.
    pub(crate) fn value(&mut self, node: usize, mut a: usize, mut b: usize) {
        let layout = self.layout;
        let Some(node) = layout.node(node) else { return };
        if node.nullable {
            let (was, is) = (Self::code(self.base, a) == 1, Self::code(self.new, b) == 1);
            self.bits.bit(is);
            (a, b) = (a.saturating_add(1), b.saturating_add(1));
            match (was, is) {
                (_, false) => return,
                (false, true) => return self.full_wire(&node.wire, b),
                (true, true) => {}
            }
        }
        self.wire(&node.wire, a, b);
    }

    fn wire(&mut self, wire: &'l Wire, a: usize, b: usize) {
        let (was, is) = (Self::code(self.base, a), Self::code(self.new, b));
        match wire {
            Wire::Same(node) => self.value(*node, a, b),
            Wire::Number(_, form) => match form.relative() {
                Some(width) => write_relative(is, was, width, self.bits),
                None => form.write(is, self.bits),
            },
            Wire::Solid { solid, .. } => self.solid(solid, a, b),
            Wire::Dict(dict) => self.dict(dict, a, b, FirstKey::Packed),
            Wire::Cases { values, cases: nodes, .. } => self.choice(nodes, values.width, a, b),
            Wire::Union { alternatives: nodes, width, .. } => self.choice(nodes, *width, a, b),
            Wire::Tuple(tuple) => self.tuple(tuple, a, b),
            Wire::Array { item, count } => self.rows(&[*item], *count, a, b),
            Wire::Map { key, value, count } => self.rows(&[*key, *value], *count, a, b),
            Wire::Keyed(keyed) => self.keyed(keyed, a, b),
            Wire::Packed { solid, count, .. } => self.packed(solid, *count, a, b),
            other => self.full_wire(other, b),
        }
    }

    fn tuple(&mut self, tuple: &Tuple, a: usize, b: usize) {
        let (was, is) = (Self::code(self.base, a), Self::code(self.new, b));
        self.count(tuple.count(), was, is);
        let (mut a, mut b) = (a.saturating_add(1), b.saturating_add(1));
        for (number, item) in (0..).zip(&tuple.items).take(size(is)) {
            let (a_end, b_end) =
                if number < was { self.ends(*item, a, b) } else { (a, self.layout.skip(*item, self.new, b)) };
            if number < was {
                self.maybe(*item, a, b)
            } else {
                self.full(*item, b)
            }
            (a, b) = (a_end, b_end);
        }
    }

    fn count(&mut self, count: Count, was: u64, is: u64) {
        self.bits.bit(is != was);
        if is != was {
            count.write(is, self.bits);
        }
    }

    /// Which it is, and what changed of it or all of it.
    fn choice(&mut self, nodes: &[usize], width: u32, a: usize, b: usize) {
        let (was, is) = (Self::code(self.base, a), Self::code(self.new, b));
        let (after_a, after_b) = (a.saturating_add(1), b.saturating_add(1));
        self.bits.put(is, width);
        match nodes.get(size(is)) {
            Some(node) if is == was => self.maybe(*node, after_a, after_b),
            Some(node) => self.full(*node, after_b),
            None => {}
        }
    }

    /// A bit, and what changed.
    fn maybe(&mut self, node: usize, a: usize, b: usize) {
        if !self.has_bits(node) {
            return;
        }
        let has_changed = self.has_changed(node, a, b);
        self.bits.bit(has_changed);
        if has_changed {
            self.value(node, a, b);
        }
    }

    fn solid(&mut self, solid: &Solid, a: usize, b: usize) {
        let (base, new) = (self.base, self.new);
        let part =
            |codes: &'l [u64], at: usize| codes.get(at..at.saturating_add(solid.codes())).unwrap_or_default();
        write_solid(solid, part(base, a), part(new, b), self.bits);
    }

    pub(crate) fn dict(&mut self, dict: &'l Dict, a: usize, b: usize, first: FirstKey) {
        let start = self.flags(dict, a, b, first);
        self.each_due(start, Self::part);
    }

    /// Writes what is another.
    pub(crate) fn part(&mut self, due: Due) {
        match due.a {
            Some(a) => self.value(due.node, a, due.b),
            None => self.full(due.node, due.b),
        }
    }

    /// Leaves the root's parts that are another to `part`.
    pub(crate) fn root_parts(&mut self, dict: &'l Dict, part: impl FnMut(&mut Self, Due)) {
        let start = self.flags(dict, 0, 0, FirstKey::Packed);
        self.also.clear();
        self.each_due(start, part);
    }

    fn each_due(&mut self, start: usize, mut part: impl FnMut(&mut Self, Due)) {
        for at in start..self.due.len() {
            if let Some(due) = self.due.get(at).copied() {
                part(self, due);
            }
        }
        self.due.truncate(start);
    }

    /// Says which keys are there and another. Those are due from the number that is returned on.
    fn flags(&mut self, dict: &'l Dict, a: usize, b: usize, first: FirstKey) -> usize {
        let (mut a_flags, mut b_flags) = (a, b);
        let (mut a, mut b) = (a.saturating_add(dict.optional), b.saturating_add(dict.optional));
        let start = self.due.len();
        for (number, key) in dict.keys.iter().enumerate() {
            let (mut was, mut is) = (true, true);
            if key.is_optional {
                was = Self::code(self.base, a_flags) == 1;
                is = Self::code(self.new, b_flags) == 1;
                (a_flags, b_flags) = (a_flags.saturating_add(1), b_flags.saturating_add(1));
                self.bits.bit(is);
            }
            let a_end = if was { self.layout.skip(key.node, self.base, a) } else { a };
            let b_end = if is { self.layout.skip(key.node, self.new, b) } else { b };
            let is_known = first == FirstKey::Known && number == 0;
            if is && was && !is_known && self.has_bits(key.node) {
                let has_changed =
                    self.base.get(a..a_end) != self.new.get(b..b_end) || self.also.contains(&number);
                self.bits.bit(has_changed);
                if has_changed {
                    self.due.push(Due { key: number, node: key.node, a: Some(a), b });
                }
            } else if is && !was {
                self.due.push(Due { key: number, node: key.node, a: None, b });
            }
            (a, b) = (a_end, b_end);
        }
        start
    }

    /// Rows of elements, or of keys and values, by their places.
    fn rows(&mut self, nodes: &[usize], count: Count, a: usize, b: usize) {
        let (was, is) = (Self::code(self.base, a), Self::code(self.new, b));
        self.count(count, was, is);
        let (mut a, mut b) = (a.saturating_add(1), b.saturating_add(1));
        let (mut changed, mut places) = (Vec::new(), Vec::new());
        let common = was.min(is);
        for number in 0..common {
            let ends = nodes.iter().fold((a, b), |(a, b), node| self.ends(*node, a, b));
            if self.base.get(a..ends.0) != self.new.get(b..ends.1) {
                changed.push(number);
                places.push((a, b));
            }
            (a, b) = ends;
        }
        mask::write(&changed, common, self.bits);
        for (mut a, mut b) in places {
            for node in nodes {
                let ends = self.ends(*node, a, b);
                if nodes.len() > 1 {
                    self.maybe(*node, a, b)
                } else {
                    self.value(*node, a, b)
                }
                (a, b) = ends;
            }
        }
        for _ in common..is {
            for node in nodes {
                self.full(*node, b);
                b = self.layout.skip(*node, self.new, b);
            }
        }
    }

    fn packed(&mut self, solid: &Solid, count: Count, a: usize, b: usize) {
        let (was, is) = (Self::code(self.base, a), Self::code(self.new, b));
        self.count(count, was, is);
        let rows = |codes: &'l [u64], at: usize, count: u64| {
            let start = at.saturating_add(1);
            let end = start.saturating_add(size(count).saturating_mul(solid.codes()));
            codes.get(start..end).unwrap_or_default().chunks(solid.codes().max(1))
        };
        let pairs = || rows(self.base, a, was).zip(rows(self.new, b, is));
        let changed = (0..).zip(pairs()).filter(|(_, (was, is))| was != is).map(|(at, _)| at);
        mask::write(&changed.collect::<Vec<u64>>(), was.min(is), self.bits);
        for (was, is) in rows(self.base, a, was).zip(rows(self.new, b, is)).filter(|(was, is)| was != is) {
            write_solid(solid, was, is, self.bits);
        }
        rows(self.new, b, is).skip(size(was)).for_each(|is| solid.write(is, self.bits));
    }

    fn keyed(&mut self, keyed: &KeyedEntries, a: usize, b: usize) {
        let (old, old_starts, _) = keyed.entries(self.layout, self.base, a);
        let (new, new_starts, _) = keyed.entries(self.layout, self.new, b);
        let (mut marked, mut due) = (Vec::new(), Vec::new());
        for (number, (key, start)) in (0..).zip(old.iter().zip(&old_starts)) {
            let found = new.binary_search(key).ok().and_then(|at| new_starts.get(at)).copied();
            if found.is_none_or(|b| self.has_changed(keyed.item, *start, b)) {
                marked.push(number);
                due.push((*start, found));
            }
        }
        mask::write(&marked, length(old.len()), self.bits);
        for (a, found) in due {
            self.bits.bit(found.is_none());
            if let Some(b) = found {
                self.entry(keyed, a, b);
            }
        }
        let added = new.iter().zip(&new_starts).filter(|(key, _)| old.binary_search(key).is_err());
        let (keys, starts): (Vec<u64>, Vec<usize>) = added.map(|(key, start)| (*key, *start)).unzip();
        debug_assert!(keys.iter().all(|key| *key <= keyed.last), "keys are in their range");
        write_added(&keys, self.bits);
        let mut writer = Writer::new(self.layout, self.new, self.bits);
        starts.into_iter().for_each(|start| writer.entry(keyed, start));
    }

    /// An entry that is another, under a key that is known.
    pub(crate) fn entry(&mut self, keyed: &KeyedEntries, a: usize, b: usize) {
        match keyed.dict(self.layout) {
            Some(dict) => self.dict(dict, a, b, FirstKey::Known),
            None => self.value(keyed.item, a, b),
        }
    }
}

/// Writes the keys of new entries.
pub(crate) fn write_added(keys: &[u64], bits: &mut BitWriter) {
    bits.varint(length(keys.len()));
    mask::gaps(keys).for_each(|gap| bits.varint(gap));
}

/// Numbers each with a bit, or a rotation as a whole.
fn write_solid(solid: &Solid, was: &[u64], is: &[u64], bits: &mut BitWriter) {
    if matches!(solid, Solid::Direction(_) | Solid::Flat(_)) {
        return solid.write(is, bits);
    }
    let turn = solid.turn_at();
    let has_bits = solid.codes() > 1;
    for (at, (was, is)) in was.iter().zip(is).enumerate().take(turn) {
        if has_bits {
            bits.bit(was != is);
        }
        if was != is {
            match solid.relative(at) {
                Some(width) => write_relative(*is, *was, width, bits),
                None => solid.write_one(at, *is, bits),
            }
        }
    }
    let (Some(was), Some(is)) = (was.get(turn..), is.get(turn..)) else { return };
    let is_same = was.first() == is.first();
    bits.bit(is_same);
    for (at, (was, is)) in (turn..).zip(was.iter().zip(is)) {
        match solid.relative(at) {
            Some(width) if is_same => write_relative(*is, *was, width, bits),
            _ if is_same => {}
            _ => solid.write_one(at, *is, bits),
        }
    }
}
