//! Differ: writes differences between two values' codes.

use crate::bits::{BitWriter, zigzag};
use crate::delta::{Delta, DeltaPass};
use crate::fault::Outcome;
use crate::layout::{KeyedEntries, Layout};
use crate::mask;
use crate::math_types::CodeForm;
use crate::text::length;
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

pub(crate) type Differ<'l> = Delta<'l, Writer<'l>>;

impl<'l> Differ<'l> {
    pub(crate) const fn new(
        layout: &'l Layout,
        base: &'l [u64],
        new: &'l [u64],
        bits: &'l mut BitWriter,
    ) -> Self {
        Delta::of(Writer::new(layout, new, bits), base)
    }

    /// Goes to what begins there.
    pub(crate) const fn at(&mut self, b: usize) -> &mut Self {
        self.pass.at = b;
        self
    }
}

impl<'l> DeltaPass<'l> for Writer<'l> {
    fn bit(&mut self, known: impl FnOnce(&Self) -> bool) -> Outcome<bool> {
        let known = known(self);
        self.bits.bit(known);
        Ok(known)
    }

    fn relative(&mut self, _: &CodeForm<'_>, was: u64, width: u32) -> Outcome<()> {
        write_relative(self.next(), was, width, self.bits);
        Ok(())
    }

    fn places(
        &mut self,
        common: u64,
        base: &[u64],
        mut a: usize,
        end: impl Fn(&[u64], usize) -> usize,
    ) -> Outcome<Vec<u64>> {
        let mut b = self.at;
        let has_changed = |_: &u64| {
            let (was, is) = (a, b);
            (a, b) = (end(base, a), end(self.codes, b));
            base.get(was..a) != self.codes.get(is..b)
        };
        let changed: Vec<u64> = (0..common).filter(has_changed).collect();
        mask::write(&changed, common, self.bits);
        Ok(changed)
    }

    fn skip(&self, node: usize, at: usize) -> usize {
        self.layout.skip(node, self.codes, at)
    }

    fn keyed_delta(delta: &mut Differ<'l>, keyed: &'l KeyedEntries, a: usize) -> Outcome<()> {
        let (layout, codes, base) = (delta.pass.layout, delta.pass.codes, delta.base);
        let (old, old_starts, _) = keyed.entries(layout, base, a);
        let (new, new_starts, end) = keyed.entries(layout, codes, delta.pass.at);
        let (mut marked, mut due) = (Vec::new(), Vec::new());
        for (number, (key, a)) in (0..).zip(old.iter().zip(old_starts)) {
            let found = new.binary_search(key).ok().and_then(|at| new_starts.get(at)).copied();
            let part = |codes: &'l [u64], at: usize| codes.get(at..layout.skip(keyed.item, codes, at));
            if found.is_none_or(|b| part(base, a) != part(codes, b)) {
                marked.push(number);
                due.push((*key, a, found));
            }
        }
        mask::write(&marked, length(old.len()), delta.pass.bits);
        for (key, a, found) in due {
            delta.pass.bits.bit(found.is_none());
            if let Some(b) = found {
                delta.at(b).entry(keyed, a, key)?;
            }
        }
        let added = new.into_iter().zip(new_starts).filter(|(key, _)| old.binary_search(key).is_err());
        let (keys, starts): (Vec<u64>, Vec<usize>) = added.unzip();
        debug_assert!(keys.iter().all(|key| *key <= keyed.last), "keys are in their range");
        mask::write_places(&keys, delta.pass.bits);
        starts.into_iter().try_for_each(|start| delta.pass.entry_at(keyed, start))?;
        delta.at(end);
        Ok(())
    }
}
