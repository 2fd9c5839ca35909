//! Pass: the one walk over a layout, for both directions: a writer turns a value's codes into bits, a reader turns bits into
//! codes. `write.rs` and `read.rs` say what a direction does with a single code.

use variant_core::{ErrorKind, Step};

use crate::count::Count;
use crate::fault::{Fault, Outcome};
use crate::fixed_record::Row;
use crate::layout::{Dict, Key, KeyedEntries, Layout, Node, Wire};
use crate::ledger::{Claim, Ledger};
use crate::math_types::{CodeForm, Solid};
use crate::text::{Chars, length, size};

/// The first bit of a value, and the number of its span if those are asked for.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mark {
    pub(crate) bit: u64,
    pub(crate) span: Option<usize>,
}

/// A writer or a reader. To pass a value is to write its bits, or to read them.
pub(crate) trait Pass<'l>: Sized {
    fn layout(&self) -> &'l Layout;
    /// Returns all codes of a writer, and of a reader those that it has read.
    fn codes(&self) -> &[u64];
    /// Returns which of the codes comes next.
    fn place(&self) -> usize;
    /// Returns what is left of a reader's limits; a writer has none.
    fn ledger(&mut self) -> Option<&mut Ledger<'l>>;

    /// Passes a single code and returns it.
    fn one(&mut self, form: CodeForm<'_>) -> Outcome<u64>;
    fn count(&mut self, count: Count) -> Outcome<u64>;
    /// Goes on by codes that take no bits: a reader adds them to its own.
    fn push(&mut self, codes: &[u64]);
    /// Passes a fixed record at once, of which the first code may be known. False: it has to be passed part by part.
    fn row(&mut self, row: &Row, known: Option<u64>) -> bool;
    /// Passes the number of entries and the keys of all, and returns the keys.
    fn keys(&mut self, keyed: &KeyedEntries) -> Outcome<Vec<u64>>;
    /// Passes the keys that a newer version has added to a dictionary. Their flags begin at code number `flags`.
    fn grown(&mut self, keys: &[Key], flags: usize) -> Outcome<()>;
    /// Announces elements of at least so many bits each: a reader refuses more than it has bits for.
    fn elements(&mut self, count: u64, least: u64) -> Outcome<()>;

    /// Notes that a value begins; `end` notes that it ends.
    fn mark(&mut self, _node: usize) -> Mark {
        Mark::default()
    }
    fn end(&mut self, _: Mark) {}

    fn bits(&mut self, width: u32) -> Outcome<u64> {
        self.one(CodeForm::Bits(width))
    }

    fn code(&self, at: usize) -> u64 {
        self.codes().get(at).copied().unwrap_or(0)
    }

    fn begin(&mut self, node: usize) -> Outcome<Mark> {
        let mark = self.mark(node);
        self.ledger().map_or(Ok(()), Ledger::value)?;
        Ok(mark)
    }

    fn value(&mut self, at: usize) -> Outcome<()> {
        let Some(node) = self.layout().node(at) else { return Ok(()) };
        let mark = self.begin(at)?;
        if !node.nullable || self.bits(1)? == 1 {
            self.inside(node, mark)?;
        }
        self.end(mark);
        Ok(())
    }

    /// Passes a value without the bit that says whether it is null.
    fn inside(&mut self, node: &Node, mark: Mark) -> Outcome<()> {
        if node.row.as_ref().is_some_and(|row| self.row(row, None)) {
            return Ok(());
        }
        self.level(|this| this.wire(&node.wire)).map_err(|mut fault| {
            if fault.steps.is_empty() && fault.expected.is_none() && fault.kind.is_of_schema() {
                fault.at = mark.bit;
            }
            explained(fault, node)
        })
    }

    /// Passes what is one level further down.
    fn level(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        self.ledger().map_or(Ok(()), Ledger::down)?;
        let passed = inner(self);
        self.ledger().into_iter().for_each(|ledger| ledger.up());
        passed
    }

    /// Passes what a reference leads to, or a union or case is: it is the same value.
    fn same(&mut self, node: usize) -> Outcome<()> {
        self.stand_for(|this| this.value(node))
    }

    fn stand_for(&mut self, inner: impl FnOnce(&mut Self) -> Outcome<()>) -> Outcome<()> {
        self.ledger().into_iter().for_each(Ledger::stay);
        inner(self)?;
        self.ledger().into_iter().for_each(|ledger| ledger.depth.stayed());
        Ok(())
    }

    fn wire(&mut self, wire: &Wire) -> Outcome<()> {
        match wire {
            Wire::Pending | Wire::Nothing(_) => Ok(()),
            Wire::Same(node) => self.same(*node),
            Wire::Bool => self.bits(1).map(drop),
            Wire::Number(_, form) => self.one(CodeForm::Form(form)).map(drop),
            Wire::Solid { solid, .. } => self.solid(solid),
            Wire::Text(_, chars) => self.text(chars),
            Wire::NodePath => self.node_path(),
            Wire::Enum(values) => {
                let code = self.bits(values.width)?;
                // A writer's codes are those of values.
                Ok(self.ledger().map_or(Ok(()), |_| values.check(code))?)
            }
            Wire::Dict(dict) => self.dict(dict, None),
            Wire::Cases { values, cases, .. } => {
                let (_, case) = self.one_of(cases, values.width, ErrorKind::NotInEnum)?;
                self.same(case)
            }
            Wire::Union { alternatives, width, .. } => {
                let (_, node) = self.one_of(alternatives, *width, ErrorKind::NoAlternative)?;
                self.same(node)
            }
            Wire::Array { item, count } => {
                let count = self.counted(*count, Claim::Elements, self.layout().least_bits(&[*item]))?;
                self.each(count, |this| this.value(*item))
            }
            Wire::Keyed(keyed) => self.keyed(keyed),
            Wire::Tuple(tuple) => {
                let (count, mut items) = (self.count(tuple.count())?, tuple.items.iter());
                self.each(count, |this| items.next().map_or(Ok(()), |item| this.value(*item)))
            }
            Wire::Map { key, value, count } => self.map(*key, *value, *count),
            other => self.list(other),
        }
    }

    fn list(&mut self, wire: &Wire) -> Outcome<()> {
        match wire {
            Wire::Packed { solid, count, .. } => {
                let count = self.counted(*count, Claim::Numbers(solid.numbers()), solid.bits().0)?;
                self.each(count, |this| this.solid(solid))
            }
            Wire::Strings { chars, count } => {
                let count = self.counted(*count, Claim::Elements, chars.least_bits())?;
                self.each(count, |this| this.text(chars))
            }
            _ => self.bytes(),
        }
    }

    /// Passes the count of parts of so many bits at least.
    fn counted(&mut self, count: Count, what: Claim, least: u64) -> Outcome<u64> {
        let count = self.count(count)?;
        self.ledger().map_or(Ok(()), |ledger| ledger.claim(what, count))?;
        self.elements(count, least)?;
        Ok(count)
    }

    fn each(&mut self, count: u64, mut part: impl FnMut(&mut Self) -> Outcome<()>) -> Outcome<()> {
        (0..count).try_for_each(|at| part(self).map_err(|fault| fault.below(Step::Index(at))))
    }

    /// Which of these nodes it is: its number among them, and the node.
    fn one_of(&mut self, nodes: &[usize], width: u32, none: ErrorKind) -> Outcome<(u64, usize)> {
        let code = self.bits(width)?;
        Ok((code, *nodes.get(size(code)).ok_or(none)?))
    }

    fn solid(&mut self, solid: &Solid) -> Outcome<()> {
        (0..solid.codes()).try_for_each(|at| self.one(solid.part(at)).map(drop))
    }

    fn map(&mut self, key: usize, value: usize, count: Count) -> Outcome<()> {
        let count = self.counted(count, Claim::Entries, self.layout().least_bits(&[key, value]))?;
        (0..count).try_for_each(|at| {
            self.value(key).map_err(|fault| fault.below(Step::KeyOf(at)))?;
            self.value(value).map_err(|fault| fault.below(Step::Entry(at)))
        })
    }

    fn keyed(&mut self, keyed: &KeyedEntries) -> Outcome<()> {
        let step = if keyed.key.is_some() { Step::Entry } else { Step::Index };
        (0..)
            .zip(self.keys(keyed)?)
            .try_for_each(|(at, key)| self.entry(keyed, key).map_err(|fault| fault.below(step(at))))
    }

    /// Passes an entry whose key is known.
    fn entry(&mut self, keyed: &KeyedEntries, key: u64) -> Outcome<()> {
        let node = self.layout().node(keyed.item).filter(|_| keyed.key.is_none());
        let Some(node @ Node { wire: Wire::Dict(dict), .. }) = node else {
            self.ledger().map_or(Ok(()), Ledger::value)?;
            self.push(&[key]);
            return self.value(keyed.item);
        };
        let mark = self.begin(keyed.item)?;
        if node.row.as_ref().is_some_and(|row| self.row(row, Some(key))) {
            return Ok(());
        }
        let passed = self.level(|this| this.dict(dict, Some(key)));
        self.end(mark);
        passed
    }

    /// Passes the flags of the keys that may be missing, then what is there. The first key of a set's entry is known.
    fn dict(&mut self, dict: &Dict, known: Option<u64>) -> Outcome<()> {
        let (fixed, grown) = dict.halves();
        let mut flags = self.place();
        for _ in 0..dict.optional.saturating_sub(grown.len()) {
            self.bits(1)?;
        }
        grown.iter().for_each(|_| self.push(&[0]));
        for (number, key) in fixed.iter().enumerate() {
            if key.is_optional {
                flags = flags.saturating_add(1);
                if self.code(flags.saturating_sub(1)) == 0 {
                    continue;
                }
            }
            match known {
                Some(known) if number == 0 => {
                    self.begin(key.node)?;
                    self.push(&[known]);
                }
                _ => self.value(key.node).map_err(|fault| fault.below(key.step()))?,
            }
        }
        if dict.growing.is_some() { self.grown(grown, flags) } else { Ok(()) }
    }

    fn text(&mut self, chars: &Chars) -> Outcome<()> {
        let width = chars.width();
        let count = self.counted(chars.count, Claim::Text, u64::from(width))?;
        let Some(alphabet) = &chars.alphabet else { return self.eights(count) };
        for _ in 0..count {
            if self.bits(width)? >= length(alphabet.len()) {
                return Err(ErrorKind::PatternMismatch.into());
            }
        }
        Ok(())
    }

    fn node_path(&mut self) -> Outcome<()> {
        self.bits(1)?;
        let texts = self.count(Count::OPEN)?.saturating_add(self.count(Count::OPEN)?);
        self.ledger().map_or(Ok(()), |ledger| ledger.claim(Claim::Elements, texts))?;
        self.elements(texts, 6)?;
        (0..texts).try_for_each(|_| self.bytes())
    }

    fn bytes(&mut self) -> Outcome<()> {
        let count = self.counted(Count::OPEN, Claim::Bytes, 8)?;
        self.eights(count)
    }

    /// Passes bytes, eight in a code.
    fn eights(&mut self, count: u64) -> Outcome<()> {
        let rest = u32::try_from(count & 7).unwrap_or(0).wrapping_mul(8);
        (0..count.wrapping_shr(3)).try_for_each(|_| self.bits(u64::BITS).map(drop))?;
        if rest == 0 { Ok(()) } else { self.bits(rest).map(drop) }
    }
}

/// Adds what the schema says, if the fault is in this very value.
#[cold]
pub(crate) fn explained(fault: Box<Fault>, node: &Node) -> Box<Fault> {
    if fault.steps.is_empty() { fault.against(&node.schema, "bits of something else") } else { fault }
}
