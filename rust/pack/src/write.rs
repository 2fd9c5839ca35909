//! Write: codes into bits.

use crate::bits::BitWriter;
use crate::count::Count;
use crate::layout::{Dict, FirstKey, Key, KeyedEntries, Layout, Wire};
use crate::mask;
use crate::text::{size, write_bytes};

/// Texts without bounds: names of paths, and bytes of any value.
pub(crate) fn open_count() -> Count {
    Count::new(None, None)
}

/// Writes values from codes.
pub(crate) struct Writer<'l> {
    pub(crate) layout: &'l Layout,
    pub(crate) codes: &'l [u64],
    pub(crate) bits: &'l mut BitWriter,
    /// Elements that took no bits.
    pub(crate) free: u64,
}

impl<'l> Writer<'l> {
    pub(crate) const fn new(layout: &'l Layout, codes: &'l [u64], bits: &'l mut BitWriter) -> Writer<'l> {
        Writer { layout, codes, bits, free: 0 }
    }
}

impl Writer<'_> {
    fn code(&self, at: usize) -> u64 {
        self.codes.get(at).copied().unwrap_or(0)
    }

    /// Writes the value whose codes begin at `at`; returns where they end.
    pub(crate) fn value(&mut self, at: usize, mut code: usize) -> usize {
        let layout = self.layout;
        let Some(node) = layout.node(at) else { return code };
        if node.nullable {
            let is_there = self.code(code) == 1;
            self.bits.bit(is_there);
            code = code.saturating_add(1);
            if !is_there {
                return code;
            }
        }
        match &node.row {
            Some(row) => {
                let end = code.saturating_add(row.codes());
                row.write(self.codes.get(code..end).unwrap_or_default(), self.bits);
                end
            }
            None => self.wire(&node.wire, code),
        }
    }

    /// Writes a value without the bit that says whether it is null.
    pub(crate) fn wire(&mut self, wire: &Wire, at: usize) -> usize {
        let first = self.code(at);
        let next = at.saturating_add(1);
        match wire {
            Wire::Pending | Wire::Nothing(_) => at,
            Wire::Same(node) => self.value(*node, at),
            Wire::Bool => {
                self.bits.put(first, 1);
                next
            }
            Wire::Number(_, form) => {
                form.write(first, self.bits);
                next
            }
            Wire::Solid { solid, .. } => {
                let end = at.saturating_add(solid.codes());
                solid.write(self.codes.get(at..end).unwrap_or_default(), self.bits);
                end
            }
            Wire::Text(_, chars) => {
                let end = next.saturating_add(chars.rest(first));
                chars.write(first, self.codes.get(next..end).unwrap_or_default(), self.bits);
                self.counted(first, u64::from(chars.width()));
                end
            }
            Wire::Enum(values) => {
                self.bits.put(first, values.width);
                next
            }
            Wire::Dict(dict) => self.dict(dict, at, FirstKey::Packed),
            other => self.parts(other, first, at),
        }
    }

    fn parts(&mut self, wire: &Wire, first: u64, at: usize) -> usize {
        let next = at.saturating_add(1);
        match wire {
            Wire::Cases { values, cases, .. } => {
                self.bits.put(first, values.width);
                cases.get(size(first)).map_or(next, |case| self.value(*case, next))
            }
            Wire::Array { item, count } => {
                count.write(first, self.bits);
                self.counted(first, self.layout.least_bits(&[*item]));
                (0..first).fold(next, |at, _| self.value(*item, at))
            }
            Wire::Keyed(keyed) => self.keyed(keyed, at),
            Wire::Tuple(tuple) => {
                tuple.count().write(first, self.bits);
                tuple.items.iter().take(size(first)).fold(next, |at, item| self.value(*item, at))
            }
            Wire::Map { key, value, count } => {
                count.write(first, self.bits);
                self.counted(first, self.layout.least_bits(&[*key, *value]));
                (0..first).fold(next, |at, _| {
                    let at = self.value(*key, at);
                    self.value(*value, at)
                })
            }
            Wire::Union { alternatives, width, .. } => {
                self.bits.put(first, *width);
                alternatives.get(size(first)).map_or(next, |node| self.value(*node, next))
            }
            other => self.rows(other, first, next),
        }
    }

    /// Counts elements, if those of the least bits have none: then all have none.
    const fn counted(&mut self, count: u64, least: u64) {
        if least == 0 {
            self.free = self.free.saturating_add(count);
        }
    }

    fn rows(&mut self, wire: &Wire, first: u64, next: usize) -> usize {
        match wire {
            Wire::Packed { solid, count, .. } => {
                count.write(first, self.bits);
                self.counted(first, solid.bits().0);
                let each = solid.codes();
                let end = next.saturating_add(each.saturating_mul(size(first)));
                let codes = self.codes.get(next..end).unwrap_or_default();
                codes.chunks(each.max(1)).for_each(|codes| solid.write(codes, self.bits));
                end
            }
            Wire::Strings { chars, count } => {
                count.write(first, self.bits);
                self.counted(first, chars.least_bits());
                (0..first).fold(next, |at, _| {
                    let (count, next) = (self.code(at), at.saturating_add(1));
                    self.counted(count, u64::from(chars.width()));
                    let end = next.saturating_add(chars.rest(count));
                    chars.write(count, self.codes.get(next..end).unwrap_or_default(), self.bits);
                    end
                })
            }
            Wire::NodePath => {
                let (names, subnames) = (self.code(next), self.code(next.saturating_add(1)));
                self.bits.put(first, 1);
                self.bits.varint(names);
                self.bits.varint(subnames);
                let texts = names.saturating_add(subnames);
                (0..texts).fold(next.saturating_add(2), |at, _| self.bytes(at))
            }
            _ => self.bytes(next.saturating_sub(1)),
        }
    }

    fn bytes(&mut self, at: usize) -> usize {
        let (count, next) = (self.code(at), at.saturating_add(1));
        open_count().write(count, self.bits);
        let codes = size(count.div_ceil(8));
        write_bytes(count, self.codes.get(next..next.saturating_add(codes)).unwrap_or_default(), self.bits);
        next.saturating_add(codes)
    }

    /// Flags of the keys that may be missing, then what is there. The first key of a set's entry is known.
    pub(crate) fn dict(&mut self, dict: &Dict, at: usize, first: FirstKey) -> usize {
        let (fixed, grown) = dict.halves();
        for flag in at..at.saturating_add(dict.optional.saturating_sub(grown.len())) {
            self.bits.put(self.code(flag), 1);
        }
        let mut flags = at;
        let mut at = at.saturating_add(dict.optional);
        for (number, key) in fixed.iter().enumerate() {
            if key.is_optional {
                flags = flags.saturating_add(1);
                if self.code(flags.saturating_sub(1)) == 0 {
                    continue;
                }
            }
            at = if first == FirstKey::Known && number == 0 {
                at.saturating_add(1)
            } else {
                self.value(key.node, at)
            };
        }
        if dict.growing.is_some() { self.grown(grown, flags, at) } else { at }
    }

    /// The bits of the keys by which a dictionary has grown, up to the last that is there, behind how many they are.
    fn grown(&mut self, keys: &[Key], flags: usize, at: usize) -> usize {
        let is_there = |this: &Self, number: usize| this.code(flags.saturating_add(number)) == 1;
        let count = (0..keys.len())
            .rev()
            .find(|number| is_there(self, *number))
            .map_or(0, |last| last.saturating_add(1));
        let before = std::mem::take(self.bits);
        let mut at = at;
        for (number, key) in keys.iter().take(count).enumerate() {
            let is_there = is_there(self, number);
            self.bits.bit(is_there);
            if is_there {
                at = self.value(key.node, at);
            }
        }
        let mut tail = std::mem::replace(self.bits, before);
        self.bits.varint(tail.len());
        self.bits.append(&mut tail);
        at
    }

    fn keyed(&mut self, keyed: &KeyedEntries, at: usize) -> usize {
        let layout = self.layout;
        let (keys, starts, end) = keyed.entries(layout, self.codes, at);
        mask::write(&keys, keyed.last.saturating_add(1), self.bits);
        let node = keyed.dict(layout).and_then(|_| layout.node(keyed.item));
        let row = node.and_then(|node| node.row.as_ref());
        for start in starts {
            if let Some(row) = row {
                let rest = start.saturating_add(1)..start.saturating_add(row.codes());
                row.write(self.codes.get(rest).unwrap_or_default(), self.bits);
            } else {
                self.entry(keyed, start);
            }
        }
        end
    }

    /// Writes an entry, whose key is known.
    pub(crate) fn entry(&mut self, keyed: &KeyedEntries, start: usize) {
        if let Some(dict) = keyed.dict(self.layout) {
            self.dict(dict, start, FirstKey::Known);
        } else {
            self.value(keyed.item, start);
        }
    }
}
