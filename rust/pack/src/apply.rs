//! Apply: reads differences beside the values that they are from.

use std::ops::Range;

use variant_core::ErrorKind;

use crate::bits::{BitReader, unzigzag};
use crate::delta::{Delta, DeltaPass};
use crate::differ::{MOST_PLAIN, reaches};
use crate::fault::Outcome;
use crate::keyed;
use crate::layout::KeyedEntries;
use crate::mask;
use crate::math_types::CodeForm;
use crate::pass::Pass;
use crate::read::CodeReader;
use crate::text::length;

/// Reads a code of so many bits that is said by how far it is from another.
pub(crate) fn read_relative(base: u64, width: u32, bits: &mut BitReader<'_>) -> Outcome<u64> {
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

pub(crate) type Applier<'l, 'b> = Delta<'l, CodeReader<'l, 'b>>;

impl<'l> DeltaPass<'l> for CodeReader<'l, '_> {
    fn bit(&mut self, _: impl FnOnce(&Self) -> bool) -> Outcome<bool> {
        Ok(self.bits.bit()?)
    }

    fn relative(&mut self, form: &CodeForm<'_>, was: u64, width: u32) -> Outcome<()> {
        let code = read_relative(was, width, &mut self.bits)?;
        form.check(code)?;
        self.codes.push(code);
        Ok(())
    }

    fn places(
        &mut self,
        common: u64,
        _: &[u64],
        _: usize,
        _: impl Fn(&[u64], usize) -> usize,
    ) -> Outcome<Vec<u64>> {
        mask::read(&mut self.bits, common, |count| self.ledger.elements(count))
    }

    fn skip(&self, _: usize, at: usize) -> usize {
        at
    }

    fn keyed_delta(delta: &mut Delta<'l, Self>, keyed: &'l KeyedEntries, a: usize) -> Outcome<()> {
        let (layout, base) = (delta.pass.layout, delta.base);
        let (keys, starts, _) = keyed.entries(layout, base, a);
        let mut marked = delta.pass.places(length(keys.len()), base, a, |_, at| at)?.into_iter().peekable();
        let head = delta.pass.codes.len();
        delta.pass.codes.push(0);
        let mut found = Vec::with_capacity(keys.len());
        for (number, (key, a)) in (0..).zip(keys.into_iter().zip(starts)) {
            let start = delta.pass.codes.len();
            let is_marked = marked.next_if(|next| *next == number).is_some();
            if is_marked && delta.pass.bits.bit()? {
                continue;
            }
            delta.pass.codes.extend(keyed.key.map(|_| key));
            if is_marked {
                delta.entry(keyed, a, key).map_err(|fault| fault.below(keyed.step(number, key)))?;
            } else {
                delta.keep(a, layout.skip(keyed.item, base, a));
            }
            found.push((key, start..delta.pass.codes.len()));
        }
        delta.pass.finish_keyed(keyed, head, found)
    }
}

impl CodeReader<'_, '_> {
    /// Reads the entries that are new, and brings all into the order of their keys, behind their count, which has its place at
    /// `head`.
    pub(crate) fn finish_keyed(
        &mut self,
        keyed: &KeyedEntries,
        head: usize,
        mut found: Vec<(u64, Range<usize>)>,
    ) -> Outcome<()> {
        let count = self.bits.varint()?.ok_or(ErrorKind::OutOfRange)?;
        self.ledger.elements(count)?;
        for key in mask::read_places(&mut self.bits, count, keyed.last)? {
            let start = self.codes.len();
            self.entry(keyed, key)?;
            found.push((key, start..self.codes.len()));
        }
        let count = length(found.len());
        keyed::sort(found, self.codes, head.saturating_add(1), &mut Vec::new())?;
        keyed.count.check(count)?;
        if let Some(slot) = self.codes.get_mut(head) {
            *slot = count;
        }
        Ok(())
    }
}
