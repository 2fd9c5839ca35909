//! Write: codes into bits.

use crate::bits::BitWriter;
use crate::count::Count;
use crate::fault::Outcome;
use crate::fixed_record::Row;
use crate::layout::{Key, KeyedEntries, Layout};
use crate::ledger::Ledger;
use crate::mask;
use crate::math_types::CodeForm;
use crate::pass::Pass;
use crate::text::size;

pub(crate) struct Writer<'l> {
    pub(crate) layout: &'l Layout,
    pub(crate) codes: &'l [u64],
    pub(crate) at: usize,
    pub(crate) bits: &'l mut BitWriter,
    /// Elements that took no bits.
    pub(crate) free: u64,
}

impl<'l> Writer<'l> {
    pub(crate) const fn new(layout: &'l Layout, codes: &'l [u64], bits: &'l mut BitWriter) -> Writer<'l> {
        Writer { layout, codes, at: 0, bits, free: 0 }
    }

    /// Writes an entry that begins there, of a map its value. Its key was written before.
    pub(crate) fn entry_at(&mut self, keyed: &KeyedEntries, start: usize) -> Outcome<()> {
        self.at = start.saturating_sub(usize::from(keyed.key.is_some()));
        self.entry(keyed, 0)
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let code = self.code(self.at);
        self.at = self.at.saturating_add(1);
        code
    }
}

impl<'l> Pass<'l> for Writer<'l> {
    fn layout(&self) -> &'l Layout {
        self.layout
    }

    fn codes(&self) -> &[u64] {
        self.codes
    }

    fn place(&self) -> usize {
        self.at
    }

    fn ledger(&mut self) -> Option<&mut Ledger<'l>> {
        None
    }

    #[inline]
    fn one(&mut self, form: CodeForm<'_>) -> Outcome<u64> {
        let code = self.next();
        match form {
            CodeForm::Form(form) => form.write(code, self.bits),
            CodeForm::Bits(width) => self.bits.put(code, width),
        }
        Ok(code)
    }

    #[inline]
    fn count(&mut self, count: Count) -> Outcome<u64> {
        let code = self.next();
        count.write(code, self.bits);
        Ok(code)
    }

    fn push(&mut self, codes: &[u64]) {
        self.at = self.at.saturating_add(codes.len());
    }

    fn row(&mut self, row: &Row, known: Option<u64>) -> bool {
        let end = self.at.saturating_add(row.codes());
        let start = self.at.saturating_add(usize::from(known.is_some()));
        row.write(self.codes.get(start..end).unwrap_or_default(), self.bits);
        self.at = end;
        true
    }

    fn keys(&mut self, keyed: &KeyedEntries) -> Outcome<Vec<u64>> {
        let entries = keyed.walk(self.layout, self.codes, self.at);
        let mut keys = Vec::with_capacity(size(entries.left).min(self.codes.len()));
        keys.extend(entries.map(|(key, ..)| key));
        mask::write(&keys, keyed.last.saturating_add(1), self.bits);
        self.next();
        Ok(keys)
    }

    /// Those up to the last that is there, behind how many bits they are.
    fn grown(&mut self, keys: &[Key], flags: usize) -> Outcome<()> {
        let flags = self.codes.get(flags..).unwrap_or_default();
        let flags = flags.get(..keys.len()).unwrap_or(flags);
        let count = flags.iter().rposition(|flag| *flag == 1).map_or(0, |last| last.saturating_add(1));
        let before = std::mem::take(self.bits);
        for (key, flag) in keys.iter().zip(flags).take(count) {
            self.bits.bit(*flag == 1);
            if *flag == 1 {
                self.value(key.node)?;
            }
        }
        let mut tail = std::mem::replace(self.bits, before);
        self.bits.varint(tail.len());
        self.bits.append(&mut tail);
        Ok(())
    }

    /// Counts elements, if those of the least bits have none: then all have none.
    fn elements(&mut self, count: u64, least: u64) -> Outcome<()> {
        self.free = self.free.saturating_add(if least == 0 { count } else { 0 });
        Ok(())
    }
}
