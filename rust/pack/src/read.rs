//! Read: bits into codes. Nothing is kept because bits claim it: counts are charged, and compared with the bits left, first.

use variant_core::{ErrorKind, Limits};

use crate::bits::BitReader;
use crate::count::Count;
use crate::fault::Outcome;
use crate::fixed_record::Row;
use crate::layout::{Key, KeyedEntries, Layout};
use crate::ledger::Ledger;
use crate::mask;
use crate::math_types::CodeForm;
use crate::pass::{Mark, Pass};
use crate::text::length;

pub(crate) struct CodeReader<'l, 'b> {
    pub(crate) layout: &'l Layout,
    pub(crate) bits: BitReader<'b>,
    pub(crate) codes: &'l mut Vec<u64>,
    pub(crate) ledger: Ledger<'l>,
    /// Where each value stood, if that is asked for.
    pub(crate) marks: Option<Vec<ReadSpan>>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadSpan {
    pub(crate) node: usize,
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

    /// Ends with zero bits up to a whole byte, of as many as may be left; returns the bytes that were read.
    pub(crate) fn finish(&mut self, most_left: u64) -> Outcome<u64> {
        let left = self.bits.left();
        if left > most_left {
            return Err(ErrorKind::TrailingBytes { count: left.wrapping_shr(3) }.into());
        }
        match self.bits.take(u32::try_from(left & 7).unwrap_or(0)) {
            Ok(0) => Ok(self.bits.at().wrapping_shr(3)),
            _ => Err(ErrorKind::DirtyPadding.into()),
        }
    }
}

impl<'l> Pass<'l> for CodeReader<'l, '_> {
    fn layout(&self) -> &'l Layout {
        self.layout
    }

    fn codes(&self) -> &[u64] {
        self.codes
    }

    fn place(&self) -> usize {
        self.codes.len()
    }

    fn ledger(&mut self) -> Option<&mut Ledger<'l>> {
        Some(&mut self.ledger)
    }

    fn one(&mut self, form: CodeForm<'_>) -> Outcome<u64> {
        let code = match form {
            CodeForm::Form(form) => form.read(&mut self.bits)?,
            CodeForm::Bits(width) => self.bits.take(width)?,
        };
        self.codes.push(code);
        Ok(code)
    }

    fn count(&mut self, count: Count) -> Outcome<u64> {
        let count = count.read(&mut self.bits)?;
        self.codes.push(count);
        Ok(count)
    }

    fn push(&mut self, codes: &[u64]) {
        self.codes.extend_from_slice(codes);
    }

    fn row(&mut self, row: &Row, known: Option<u64>) -> bool {
        if self.marks.is_some() || !self.ledger.has_room(row.values, row.levels) {
            return false;
        }
        let start = self.codes.len();
        let is_read = row.read(&mut self.bits, self.codes, known);
        if is_read {
            self.ledger.charge(row.values);
        } else {
            self.codes.truncate(start);
        }
        is_read
    }

    fn keys(&mut self, keyed: &KeyedEntries) -> Outcome<Vec<u64>> {
        let (ledger, is_map) = (&self.ledger, keyed.key.is_some());
        let most = |count: u64| if is_map { ledger.entries(count) } else { ledger.elements(count) };
        let keys = mask::read(&mut self.bits, keyed.last.saturating_add(1), most)?;
        keyed.count.check(length(keys.len()))?;
        self.codes.push(length(keys.len()));
        Ok(keys)
    }

    /// Those that this schema does not know are passed over.
    fn grown(&mut self, keys: &[Key], flags: usize) -> Outcome<()> {
        let bits = Count::OPEN.read(&mut self.bits)?;
        self.elements(bits, 1)?;
        let end = self.bits.at().saturating_add(bits);
        let mut is_there = bits == 0;
        for (number, key) in keys.iter().enumerate() {
            if self.bits.at() >= end {
                break;
            }
            is_there = self.bits.bit()?;
            if let Some(flag) = self.codes.get_mut(flags.saturating_add(number)) {
                *flag = u64::from(is_there);
            }
            if is_there {
                self.value(key.node).map_err(|fault| fault.below(key.step()))?;
            }
        }
        match end.checked_sub(self.bits.at()) {
            Some(0) if is_there => Ok(()),
            Some(more) if more > 0 => {
                self.bits.pass(more);
                Ok(())
            }
            _ => Err(ErrorKind::NotCanonical.into()),
        }
    }

    fn elements(&mut self, count: u64, least: u64) -> Outcome<()> {
        match least {
            0 => self.ledger.without_bits(count),
            _ => Ok(self.bits.needs(count.saturating_mul(least))?),
        }
    }

    fn mark(&mut self, node: usize) -> Mark {
        let (code, bit) = (length(self.codes.len()), self.bits.at());
        let span = self.marks.as_mut().map(|marks| {
            marks.push(ReadSpan { node, code, bit, end: bit });
            marks.len().saturating_sub(1)
        });
        Mark { bit, span }
    }

    fn end(&mut self, mark: Mark) {
        let end = self.bits.at();
        if let Some(span) = self.marks.as_mut().zip(mark.span).and_then(|(marks, at)| marks.get_mut(at)) {
            span.end = end;
        }
    }
}
