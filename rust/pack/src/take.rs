//! Takes a value in Godot's format apart into codes. It refuses what the schema refuses, and what packing would change.

use std::ops::Range;

use variant_core::cursor::Cursor;
use variant_core::token::{self, Container, Leaf, TextForm, Token};
use variant_core::{ErrorKind, Fault as BytesFault, Step, VariantType};

use crate::count::Count;
use crate::fault::{Fault, Outcome};
use crate::keyed;
use crate::layout::{Dict, KeyedEntries, Layout, Node, Tuple, Wire};
use crate::leaf::{RULES, leaf_codes, more};
use crate::ledger::Depth;
use crate::measure::Measurement;
use crate::text::{length, push_bytes, size};
use crate::unions::{self, Ends};

/// Stands for the codes of a default, which are left out.
const LEFT_OUT: Range<usize> = usize::MAX..usize::MAX;

/// A key of a Dictionary: its number in the layout, and its place among those that are declared.
struct Part {
    number: usize,
    declared: usize,
}

pub(crate) struct ValueReader<'l, 'b> {
    layout: &'l Layout,
    pub(crate) cursor: Cursor<'b>,
    codes: &'l mut Vec<u64>,
    depth: Depth,
    /// Whether a judge has refused what was taken, so that the schema's program has to say what it is.
    pub(crate) is_unsure: bool,
    /// Bytes that a receiver fills in for what is missing.
    pub(crate) unfilled: u64,
    ends: Ends,
    /// Notes of numbers, if they are asked for.
    pub(crate) measured: Option<Measurement>,
    /// Where the keys of all open dictionaries were found, the innermost at the end.
    pub(crate) found: Vec<Option<Range<usize>>>,
    /// Codes that are being put into their order.
    pub(crate) moved: Vec<u64>,
}

impl From<BytesFault> for Box<Fault> {
    fn from(fault: BytesFault) -> Box<Fault> {
        Fault::new(fault.kind, fault.at)
    }
}

impl<'l, 'b> ValueReader<'l, 'b> {
    pub(crate) fn new(
        layout: &'l Layout,
        cursor: Cursor<'b>,
        codes: &'l mut Vec<u64>,
    ) -> ValueReader<'l, 'b> {
        ValueReader {
            layout,
            cursor,
            codes,
            depth: Depth::default(),
            is_unsure: false,
            unfilled: 0,
            ends: Ends::default(),
            measured: None,
            found: Vec::new(),
            moved: Vec::new(),
        }
    }

    fn token(&mut self) -> Outcome<Token<'b>> {
        Ok(token::read(&mut self.cursor, &RULES)?)
    }

    pub(crate) fn value(&mut self, at: usize) -> Outcome<()> {
        let Some(node) = self.layout.node(at) else { return Ok(()) };
        let start = self.cursor.at();
        if node.nullable {
            let mut ahead = self.cursor;
            if matches!(token::read(&mut ahead, &RULES)?, Token::Leaf(Leaf::Nil)) {
                self.cursor = ahead;
                self.codes.push(0);
                return Ok(());
            }
            self.codes.push(1);
        }
        self.depth.down(u64::MAX).map_err(|kind| Fault::new(kind, start))?;
        let (begin, first) = (self.cursor, self.codes.len());
        let taken = if self.row(node) { Ok(()) } else { self.wire(node) };
        self.depth.up();
        if let (Some(measured), Ok(())) = (&mut self.measured, &taken) {
            measured.note(at, &node.wire, begin, self.codes.get(first..).unwrap_or_default());
        }
        taken.map_err(|fault| {
            let fault = fault.placed(start);
            let is_here = fault.steps.is_empty();
            if is_here { fault.against(&node.schema, "a value that does not fit") } else { fault }
        })
    }

    /// Takes a value by its row, if it has one and lies as that says.
    #[inline]
    fn row(&mut self, node: &Node) -> bool {
        let has_room = |levels: u32| self.depth.has_room(levels.saturating_sub(1), u64::MAX);
        let row = node.row.as_ref().filter(|row| self.measured.is_none() && has_room(row.levels));
        let Some(row) = row else { return false };
        let start = self.codes.len();
        let taken = row.take(self.cursor.rest(), more(self.codes, row.codes()));
        let is_taken = taken.is_some_and(|bytes| self.cursor.take(length(bytes)).is_ok());
        if !is_taken {
            self.codes.truncate(start);
        }
        is_taken
    }

    fn wire(&mut self, node: &'l Node) -> Outcome<()> {
        let wire = &node.wire;
        match wire {
            Wire::Same(node) => return self.same(*node),
            Wire::Any => return self.any(),
            Wire::Union { alternatives, tell, .. } => {
                let chosen = unions::choose(self.layout, alternatives, tell, self.cursor, &mut self.ends);
                let (number, node) = chosen.ok_or(ErrorKind::NoAlternative)?;
                self.codes.push(number);
                return self.same(node);
            }
            Wire::Dict(dict) => {
                if let Some(count) = self.opened(VariantType::Dictionary, 8) {
                    return self.dict(dict, count, None);
                }
            }
            Wire::Array { item, count: bounds } => {
                if let Some(count) = self.opened(VariantType::Array, 4) {
                    return self.array(*item, bounds, count);
                }
            }
            _ => {}
        }
        match self.token()? {
            Token::Leaf(leaf) => {
                // Texts stay as they are.
                let is_judged = matches!(leaf, Leaf::Text(..)) && node.judge.accepts(&leaf);
                self.is_unsure |= node.judge.is_needed() && !is_judged;
                Ok(leaf_codes(wire, &leaf, self.codes)?)
            }
            Token::Open(container) => self.container(wire, &container),
        }
    }

    /// Takes what a reference leads to, or a union is: it is no level of its own.
    fn same(&mut self, node: usize) -> Outcome<()> {
        self.depth.stay();
        self.value(node)?;
        self.depth.stayed();
        Ok(())
    }

    /// The count of an untyped container that opens here, if the bytes have room for its parts.
    #[inline]
    fn opened(&mut self, ty: VariantType, smallest: usize) -> Option<u32> {
        let (count, _) = token::plain_container(self.cursor.rest(), u32::from(ty.id()), smallest)?;
        self.cursor.take(8).is_ok().then_some(count)
    }

    fn count(&mut self, bounds: &Count, count: u32) -> Outcome<u64> {
        let count = u64::from(count);
        bounds.check(count)?;
        self.codes.push(count);
        Ok(count)
    }

    fn array(&mut self, item: usize, bounds: &Count, count: u32) -> Outcome<()> {
        let count = self.count(bounds, count)?;
        (0..count).try_for_each(|number| self.value(item).map_err(|fault| fault.below(Step::Index(number))))
    }

    fn container(&mut self, wire: &'l Wire, container: &Container<'_>) -> Outcome<()> {
        match (wire, container) {
            (Wire::Dict(dict), Container::Dictionary { count, .. }) => self.dict(dict, *count, None),
            (Wire::Cases { name, values, cases, .. }, Container::Dictionary { count, .. }) => {
                let told = self.ends.under(self.cursor, *count, name).ok_or(ErrorKind::MissingKey)?;
                let number = values.numbers.get(&told).ok_or(ErrorKind::NotInEnum)?;
                self.codes.push(*number);
                match cases.get(size(*number)).and_then(|case| self.layout.node(*case)).map(|node| &node.wire)
                {
                    Some(Wire::Dict(dict)) => self.dict(dict, *count, Some(name)),
                    _ => Ok(()),
                }
            }
            (Wire::Map { key, value, count: bounds }, Container::Dictionary { count, .. }) => {
                for number in 0..self.count(bounds, *count)? {
                    self.value(*key).map_err(|fault| fault.below(Step::KeyOf(number)))?;
                    self.value(*value).map_err(|fault| fault.below(Step::Entry(number)))?;
                }
                Ok(())
            }
            (Wire::Array { item, count: bounds }, Container::Array { count, .. }) => {
                self.array(*item, bounds, *count)
            }
            (Wire::Keyed(keyed @ KeyedEntries { key: None, .. }), Container::Array { count, .. })
            | (Wire::Keyed(keyed @ KeyedEntries { key: Some(_), .. }), Container::Dictionary { count, .. }) => {
                self.keyed(keyed, *count)
            }
            _ => self.others(wire, container),
        }
    }

    fn others(&mut self, wire: &'l Wire, container: &Container<'_>) -> Outcome<()> {
        match (wire, container) {
            (Wire::Tuple(tuple), Container::Array { count, .. }) => self.tuple(tuple, *count),
            (Wire::NodePath, Container::NodePath { absolute, names, subnames }) => {
                self.codes.extend([u64::from(*absolute), u64::from(*names), u64::from(*subnames)]);
                for _ in 0..names.saturating_add(*subnames) {
                    let text = token::read_text(&mut self.cursor, TextForm::PathName, &RULES)?;
                    push_bytes(text.as_bytes(), self.codes);
                }
                Ok(())
            }
            (Wire::Strings { chars, count: bounds }, Container::PackedStrings { count }) => {
                for number in 0..self.count(bounds, *count)? {
                    let at = self.cursor.at();
                    let text = token::read_text(&mut self.cursor, TextForm::Terminated, &RULES)?;
                    let taken = chars.take(text.as_str(), self.codes);
                    taken.map_err(|kind| Fault::new(kind, at).below(Step::Index(number)))?;
                }
                Ok(())
            }
            _ => Err(ErrorKind::WrongType.into()),
        }
    }

    /// Entries in any order become codes in the order of the layout.
    fn dict(&mut self, dict: &'l Dict, count: u32, tag: Option<&str>) -> Outcome<()> {
        let base = self.found.len();
        self.found.resize(base.saturating_add(dict.keys.len()), None);
        // Flags of what is there stand in front.
        let head = self.codes.len();
        self.codes.resize(head.saturating_add(dict.optional), 0);
        let mut is_sorted = true;
        let (mut last, mut next) = (None, 0_usize);
        for _ in 0..count {
            let key_at = self.cursor.at();
            let Some(part) = self.key(dict, next, tag)? else {
                self.ends.skip(&mut self.cursor)?;
                continue;
            };
            next = part.declared.saturating_add(1);
            let part = part.number;
            let slot = base.saturating_add(part);
            let (Some(key), Some(None)) = (dict.keys.get(part), self.found.get(slot)) else {
                return Err(Fault::new(ErrorKind::DuplicateKey, key_at));
            };
            let start = self.codes.len();
            self.value(key.node).map_err(|fault| fault.below(key.step()))?;
            let end = self.codes.len();
            if key.default.is_some() && key.default.as_deref() == self.codes.get(start..) {
                // As if it were not there.
                self.codes.truncate(start);
                self.note(slot, LEFT_OUT);
            } else {
                is_sorted &= last < Some(part);
                last = Some(part);
                self.note(slot, start..end);
            }
        }
        self.flags(dict, base, head)?;
        if !is_sorted {
            let parts = self.found.get(base..).unwrap_or_default().iter().flatten().cloned();
            keyed::arrange(parts, self.codes, head.saturating_add(dict.optional), &mut self.moved);
        }
        self.found.truncate(base);
        Ok(())
    }

    fn note(&mut self, slot: usize, codes: Range<usize>) {
        if let Some(slot) = self.found.get_mut(slot) {
            *slot = Some(codes);
        }
    }

    /// The key that comes next, or none for the one that tells what it is. Mostly it is the next that is declared, which its
    /// bytes show.
    fn key(&mut self, dict: &'l Dict, next: usize, tag: Option<&str>) -> Outcome<Option<Part>> {
        let expected = dict.declared.get(next).copied();
        if let Some((number, key)) = expected.and_then(|part| Some((part, dict.keys.get(part)?)))
            && self.cursor.rest().starts_with(&key.encoded)
            && self.cursor.take(length(key.encoded.len())).is_ok()
        {
            return Ok(Some(Part { number, declared: next }));
        }
        let at = self.cursor.at();
        let Token::Leaf(Leaf::Text(_, name)) = self.token()? else {
            return Err(Fault::new(ErrorKind::UnknownKey, at));
        };
        if tag == Some(name.as_str()) {
            return Ok(None);
        }
        let Some(number) = dict.by_name.get(name.as_str()).copied() else {
            return Err(Fault::new(ErrorKind::UnknownKey, at));
        };
        let declared = dict.declared.iter().position(|part| *part == number).unwrap_or(0);
        Ok(Some(Part { number, declared }))
    }

    fn flags(&mut self, dict: &Dict, base: usize, head: usize) -> Outcome<()> {
        let found = self.found.get(base..).unwrap_or_default();
        let mut flag = head;
        for (key, found) in dict.keys.iter().zip(found) {
            if key.is_optional {
                if found.is_none() {
                    let filling = key.filling.as_ref().map_or(0, |filling| length(filling.len()));
                    self.unfilled = self.unfilled.saturating_add(filling);
                }
                if let Some(slot) = self.codes.get_mut(flag) {
                    *slot = u64::from(found.as_ref().is_some_and(|found| *found != LEFT_OUT));
                }
                flag = flag.saturating_add(1);
            } else if found.is_none() {
                return Err(Box::<Fault>::from(ErrorKind::MissingKey).below(key.step()));
            }
        }
        Ok(())
    }

    /// Entries in any order become entries sorted by their key.
    fn keyed(&mut self, keyed: &KeyedEntries, count: u32) -> Outcome<()> {
        let count = self.count(&keyed.count, count)?;
        let (head, before) = (self.codes.len(), keyed.before_key(self.layout));
        let mut entries = Vec::new();
        for number in 0..count {
            let start = self.codes.len();
            if let Some(key) = keyed.key {
                self.value(key).map_err(|fault| fault.below(Step::KeyOf(number)))?;
            }
            let step = || if keyed.key.is_some() { Step::Entry(number) } else { Step::Index(number) };
            self.value(keyed.item).map_err(|fault| fault.below(step()))?;
            let key = self.codes.get(start.saturating_add(before)).copied().unwrap_or(0);
            entries.push((key, start..self.codes.len()));
        }
        Ok(keyed::sort(entries, self.codes, head, &mut self.moved)?)
    }

    fn tuple(&mut self, tuple: &'l Tuple, count: u32) -> Outcome<()> {
        tuple.count().check(u64::from(count))?;
        let head = self.codes.len();
        self.codes.push(0);
        let mut starts = Vec::new();
        for (number, item) in tuple.items.iter().take(size(u64::from(count))).enumerate() {
            starts.push(self.codes.len());
            self.value(*item).map_err(|fault| fault.below(Step::Index(length(number))))?;
        }
        // The last ones, as long as they are what would be filled in: all behind them has to be filled in too.
        while let Some(start) = starts.last() {
            let part = starts.len().checked_sub(tuple.least.saturating_add(1));
            let default = part.and_then(|part| tuple.defaults.get(part));
            if default.is_none() || default.map(Vec::as_slice) != self.codes.get(*start..) {
                break;
            }
            self.codes.truncate(*start);
            starts.pop();
        }
        if let Some(slot) = self.codes.get_mut(head) {
            *slot = length(starts.len());
        }
        Ok(())
    }

    fn any(&mut self) -> Outcome<()> {
        let before = self.cursor;
        self.ends.skip(&mut self.cursor)?;
        let bytes = size(self.cursor.at().saturating_sub(before.at()));
        push_bytes(before.rest().get(..bytes).unwrap_or_default(), self.codes);
        Ok(())
    }
}
