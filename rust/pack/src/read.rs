//! Read: bits into codes. Nothing is kept because bits claim it: counts are charged, and compared with the bits left, first.

use variant_core::{ErrorKind, Limits, Part, Step};

use crate::bits::BitReader;
use crate::count::Count;
use crate::fault::{Fault, Outcome};
use crate::layout::{Dict, Key, KeyedEntries, Layout, Node, Wire};
use crate::ledger::Ledger;
use crate::mask;
use crate::number_codec::CodeFault;
use crate::text::{Chars, length, size};
use crate::write::open_count;

/// Reads values into codes.
pub(crate) struct CodeReader<'l, 'b> {
    pub(crate) layout: &'l Layout,
    pub(crate) bits: BitReader<'b>,
    pub(crate) codes: &'l mut Vec<u64>,
    pub(crate) ledger: Ledger<'l>,
    /// Where each value stood, if that is asked for.
    pub(crate) marks: Option<Vec<ReadSpan>>,
}

/// A value that was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadSpan {
    pub(crate) node: usize,
    /// Its first code.
    pub(crate) code: u64,
    /// Its first bit, and the one behind it.
    pub(crate) bit: u64,
    pub(crate) end: u64,
}

impl<'l, 'b> CodeReader<'l, 'b> {
    pub(crate) fn new(
        layout: &'l Layout,
        bits: BitReader<'b>,
        codes: &'l mut Vec<u64>,
        limits: &'l Limits,
    ) -> CodeReader<'l, 'b> {
        codes.clear();
        let ledger = Ledger::new(limits, bits.left().div_ceil(8));
        CodeReader { layout, bits, codes, ledger, marks: None }
    }

    #[cold]
    pub(crate) fn unread(&self, unread: CodeFault) -> Box<Fault> {
        match unread {
            CodeFault::Kind(kind) => Fault::new(kind, self.bits.at()),
            CodeFault::MissingBits(bits) => {
                let needed = u32::try_from(bits.div_ceil(8)).unwrap_or(u32::MAX);
                let kind = ErrorKind::Incomplete { needed, part: Part::Header, declared: needed, left: 0 };
                let mut fault = Fault::new(kind, self.bits.at());
                fault.expected = Some(format!("{bits} more bits"));
                fault.got = Some("the end".to_owned());
                fault
            }
        }
    }

    pub(crate) fn kind(&self, kind: ErrorKind) -> Box<Fault> {
        Fault::new(kind, self.bits.at())
    }

    /// Reads the value that comes next.
    pub(crate) fn value(&mut self, at: usize) -> Outcome<()> {
        let Some(node) = self.layout.node(at) else { return Ok(()) };
        let bit = self.bits.at();
        let mark = self.mark(at);
        self.ledger.value().map_err(|kind| self.kind(kind))?;
        if node.nullable {
            let is_there = self.bits.bit().map_err(|missing| self.unread(missing.into()))?;
            self.codes.push(u64::from(is_there));
            if !is_there {
                self.ended(mark);
                return Ok(());
            }
        }
        self.inside(node, bit)?;
        self.ended(mark);
        Ok(())
    }

    /// Notes that a value begins, if that is asked for.
    fn mark(&mut self, node: usize) -> Option<usize> {
        let (code, bit) = (length(self.codes.len()), self.bits.at());
        let marks = self.marks.as_mut()?;
        marks.push(ReadSpan { node, code, bit, end: bit });
        marks.len().checked_sub(1)
    }

    fn ended(&mut self, mark: Option<usize>) {
        let end = self.bits.at();
        if let Some(mark) = self.marks.as_mut().zip(mark).and_then(|(marks, at)| marks.get_mut(at)) {
            mark.end = end;
        }
    }

    /// Reads a value by its row, if it has one and its bits are all there and right. The first code may be known.
    #[inline]
    fn row(&mut self, node: &Node, known: Option<u64>) -> bool {
        let Some(row) = node.row.as_ref().filter(|_| self.marks.is_none()) else { return false };
        if !self.ledger.has_room(row.values, row.levels) {
            return false;
        }
        let start = self.codes.len();
        if row.read(&mut self.bits, self.codes, known) {
            self.ledger.charge(row.values);
            return true;
        }
        self.codes.truncate(start);
        false
    }

    /// Reads a value without the bit that says whether it is null.
    pub(crate) fn inside(&mut self, node: &'l Node, bit: u64) -> Outcome<()> {
        if self.row(node, None) {
            return Ok(());
        }
        self.ledger.down().map_err(|kind| self.kind(kind))?;
        let read = self.wire(&node.wire);
        self.ledger.up();
        read.map_err(|mut fault| {
            if fault.steps.is_empty() && fault.expected.is_none() && fault.kind.is_of_schema() {
                fault.at = bit;
                return fault.against(&node.schema, "bits of something else");
            }
            fault
        })
    }

    pub(crate) fn wire(&mut self, wire: &'l Wire) -> Outcome<()> {
        match wire {
            Wire::Pending | Wire::Nothing(_) => Ok(()),
            Wire::Same(node) => self.same(*node),
            Wire::Bool => self.one(1).map(drop),
            Wire::Number(_, form) => {
                let code = form.read(&mut self.bits).map_err(|unread| self.unread(unread))?;
                self.codes.push(code);
                Ok(())
            }
            Wire::Solid { solid, .. } => {
                let read = solid.read(&mut self.bits, self.codes);
                read.map_err(|unread| self.unread(unread))
            }
            Wire::Text(_, chars) => self.text(chars),
            Wire::Enum(values) => {
                let code = self.one(values.width)?;
                if size(code) >= values.all.len() {
                    return Err(self.kind(ErrorKind::NotInEnum));
                }
                let is_twin = values.numbers.len() < values.all.len()
                    && !values.numbers.values().any(|first| *first == code);
                if is_twin { Err(self.kind(ErrorKind::NotCanonical)) } else { Ok(()) }
            }
            Wire::Dict(dict) => self.dict(dict, None),
            Wire::Cases { values, cases, .. } => {
                let code = self.one(values.width)?;
                let case = cases.get(size(code)).ok_or_else(|| self.kind(ErrorKind::NotInEnum))?;
                self.same(*case)
            }
            Wire::Union { alternatives, width, .. } => {
                let code = self.one(*width)?;
                let node = alternatives.get(size(code)).ok_or_else(|| self.kind(ErrorKind::NoAlternative))?;
                self.same(*node)
            }
            other => self.rows(other),
        }
    }

    /// Reads what a reference leads to, or a union or case is: it is the same value.
    pub(crate) fn same(&mut self, node: usize) -> Outcome<()> {
        self.ledger.stay();
        self.value(node)?;
        self.ledger.depth.stayed();
        Ok(())
    }

    fn rows(&mut self, wire: &'l Wire) -> Outcome<()> {
        match wire {
            Wire::Array { item, count } => {
                let count = self.count(*count)?;
                self.claimed(count, &[*item])?;
                self.items(*item, 0..count)
            }
            Wire::Keyed(keyed) => self.keyed(keyed),
            Wire::Tuple(tuple) => {
                let count = self.count(tuple.count())?;
                let items = (0..).zip(tuple.items.iter().take(size(count)));
                let mut items = items.into_iter();
                items.try_for_each(|(at, item)| {
                    self.value(*item).map_err(|fault| fault.below(Step::Index(at)))
                })
            }
            other => self.maps(other),
        }
    }

    fn maps(&mut self, wire: &'l Wire) -> Outcome<()> {
        match wire {
            Wire::Map { key, value, count } => {
                let count = self.count(*count)?;
                self.ledger.entries(count).map_err(|kind| self.kind(kind))?;
                self.claimed(count, &[*key, *value])?;
                (0..count).try_for_each(|at| {
                    self.value(*key).map_err(|fault| fault.below(Step::KeyOf(at)))?;
                    self.value(*value).map_err(|fault| fault.below(Step::Entry(at)))
                })
            }
            other => self.lists(other),
        }
    }

    fn lists(&mut self, wire: &'l Wire) -> Outcome<()> {
        match wire {
            Wire::Packed { solid, count, .. } => {
                let count = self.count(*count)?;
                self.bytes_claimed(count, solid.numbers())?;
                self.left_for(count, solid.bits().0)?;
                (0..count).try_for_each(|at| {
                    let read = solid.read(&mut self.bits, self.codes);
                    read.map_err(|unread| self.unread(unread).below(Step::Index(at)))
                })
            }
            Wire::Strings { chars, count } => {
                let count = self.count(*count)?;
                self.ledger.elements(count).map_err(|kind| self.kind(kind))?;
                self.left_for(count, chars.least_bits())?;
                (0..count).try_for_each(|at| self.text(chars).map_err(|fault| fault.below(Step::Index(at))))
            }
            Wire::NodePath => self.node_path(),
            _ => self.bytes(),
        }
    }

    fn count(&mut self, count: Count) -> Outcome<u64> {
        let count = count.read(&mut self.bits).map_err(|unread| self.unread(unread))?;
        self.codes.push(count);
        Ok(count)
    }

    pub(crate) fn one(&mut self, width: u32) -> Outcome<u64> {
        let code = self.bits.take(width).map_err(|missing| self.unread(missing.into()))?;
        self.codes.push(code);
        Ok(code)
    }

    /// Elements of these nodes: whether limits and the bits that are left allow so many.
    pub(crate) fn claimed(&mut self, count: u64, nodes: &[usize]) -> Outcome<()> {
        self.ledger.elements(count).map_err(|kind| self.kind(kind))?;
        self.left_for(count, self.layout.least_bits(nodes))
    }

    /// Whether there are bits for so many more elements, each of which has so many at least.
    pub(crate) fn left_for(&mut self, count: u64, least: u64) -> Outcome<()> {
        if least == 0 {
            let charged = self.ledger.without_bits(count);
            return charged.map_err(|most| Fault::without_bits(most, self.bits.at()));
        }
        self.bits.needs(count.saturating_mul(least)).map_err(|missing| self.unread(missing.into()))
    }

    pub(crate) fn bytes_claimed(&self, count: u64, numbers: usize) -> Outcome<()> {
        let bytes = count.saturating_mul(length(numbers));
        let checked = self.ledger.bytes(bytes);
        checked.map_err(|kind| self.kind(kind))?;
        if count > 0x7FFF_FFFF { Err(self.kind(ErrorKind::TooLong)) } else { Ok(()) }
    }

    pub(crate) fn items(&mut self, item: usize, range: std::ops::Range<u64>) -> Outcome<()> {
        range.into_iter().try_for_each(|at| self.value(item).map_err(|fault| fault.below(Step::Index(at))))
    }

    fn keyed(&mut self, keyed: &'l KeyedEntries) -> Outcome<()> {
        let (ledger, is_map) = (&self.ledger, keyed.key.is_some());
        let most = |count: u64| if is_map { ledger.entries(count) } else { ledger.elements(count) };
        let read = mask::read(&mut self.bits, keyed.last.saturating_add(1), most);
        let keys = read.map_err(|unread| self.unread(unread))?;
        keyed.count.check(length(keys.len())).map_err(|kind| self.kind(kind))?;
        self.codes.push(length(keys.len()));
        (0..).zip(keys).try_for_each(|(at, key)| {
            let step = || if is_map { Step::Entry(at) } else { Step::Index(at) };
            self.keyed_entry(keyed, key).map_err(|fault| fault.below(step()))
        })
    }

    /// An entry whose key is known.
    pub(crate) fn keyed_entry(&mut self, keyed: &KeyedEntries, key: u64) -> Outcome<()> {
        let Some((dict, node)) = keyed.dict(self.layout).zip(self.layout.node(keyed.item)) else {
            self.ledger.value().map_err(|kind| self.kind(kind))?;
            self.codes.push(key);
            return self.value(keyed.item);
        };
        let mark = self.mark(keyed.item);
        self.ledger.value().map_err(|kind| self.kind(kind))?;
        if self.row(node, Some(key)) {
            return Ok(());
        }
        self.ledger.down().map_err(|kind| self.kind(kind))?;
        let read = self.dict(dict, Some(key));
        self.ledger.up();
        self.ended(mark);
        read
    }

    fn dict(&mut self, dict: &'l Dict, place: Option<u64>) -> Outcome<()> {
        let (fixed, grown) = dict.halves();
        let mut flags = self.codes.len();
        for _ in 0..dict.optional.saturating_sub(grown.len()) {
            self.one(1)?;
        }
        self.codes.resize(self.codes.len().saturating_add(grown.len()), 0);
        for (number, key) in fixed.iter().enumerate() {
            if key.is_optional {
                flags = flags.saturating_add(1);
                if self.codes.get(flags.saturating_sub(1)) == Some(&0) {
                    continue;
                }
            }
            match place {
                Some(place) if number == 0 => {
                    self.ledger.value().map_err(|kind| self.kind(kind))?;
                    // The mask has said it.
                    self.mark(key.node);
                    self.codes.push(place);
                }
                _ => self.value(key.node).map_err(|fault| fault.below(Step::Key(key.name.clone())))?,
            }
        }
        if dict.growing.is_some() { self.grown(grown, flags) } else { Ok(()) }
    }

    /// The keys by which a dictionary has grown. Those that this schema does not know are passed over.
    fn grown(&mut self, keys: &'l [Key], flags: usize) -> Outcome<()> {
        let bits = open_count().read(&mut self.bits).map_err(|unread| self.unread(unread))?;
        self.left_for(bits, 1)?;
        let end = self.bits.at().saturating_add(bits);
        let mut is_there = bits == 0;
        for (number, key) in keys.iter().enumerate() {
            if self.bits.at() >= end {
                break;
            }
            is_there = self.bits.bit().map_err(|missing| self.unread(missing.into()))?;
            if let Some(flag) = self.codes.get_mut(flags.saturating_add(number)) {
                *flag = u64::from(is_there);
            }
            if is_there {
                self.value(key.node).map_err(|fault| fault.below(Step::Key(key.name.clone())))?;
            }
        }
        match end.checked_sub(self.bits.at()) {
            Some(0) if is_there => Ok(()),
            Some(more) if more > 0 => {
                self.bits.pass(more);
                Ok(())
            }
            _ => Err(self.kind(ErrorKind::NotCanonical)),
        }
    }

    pub(crate) fn text(&mut self, chars: &Chars) -> Outcome<()> {
        let count = chars.count.read(&mut self.bits).map_err(|unread| self.unread(unread))?;
        self.ledger.text(count).map_err(|kind| self.kind(kind))?;
        if chars.alphabet.is_none() {
            return self.bytes_of(count);
        }
        self.ledger.bytes(count).map_err(|kind| self.kind(kind))?;
        self.left_for(count, u64::from(chars.width()))?;
        self.codes.push(count);
        let last = length(chars.alphabet.as_ref().map_or(0, Vec::len));
        for _ in 0..count {
            if self.one(chars.width())? >= last {
                return Err(self.kind(ErrorKind::PatternMismatch));
            }
        }
        Ok(())
    }

    fn node_path(&mut self) -> Outcome<()> {
        self.one(1)?;
        let mut texts = 0_u64;
        for _ in 0..2 {
            texts = texts.saturating_add(self.count(open_count())?);
        }
        self.ledger.elements(texts).map_err(|kind| self.kind(kind))?;
        self.left_for(texts, 6)?;
        (0..texts).try_for_each(|_| self.bytes())
    }

    fn bytes(&mut self) -> Outcome<()> {
        let count = open_count().read(&mut self.bits).map_err(|unread| self.unread(unread))?;
        self.bytes_of(count)
    }

    fn bytes_of(&mut self, count: u64) -> Outcome<()> {
        self.ledger.bytes(count).map_err(|kind| self.kind(kind))?;
        self.left_for(count, 8)?;
        self.codes.push(count);
        let mut left = count;
        while left > 0 {
            let width = u32::try_from(left.min(8)).unwrap_or(8).saturating_mul(8);
            self.one(width)?;
            left = left.saturating_sub(8);
        }
        Ok(())
    }
}
