//! Takes rows of codes apart by parts, and puts them together.

use std::ops::Range;
use std::sync::Arc;

use variant_core::{ErrorKind, Place, Rules};

use super::{Deal, DealtSet, PartSet};
use crate::codes::Codes;
use crate::fault::{Answer, rejected};
use crate::layout::{Layout, Wire};
use crate::packer::{MOST_PADDING, Packer};
use crate::text::{length, size};

/// The flags of a row of codes below the root, then the codes of each key that is there, and how it is dealt out, if it is.
type Cut = Vec<(Option<DealtSet>, Range<usize>)>;

type Entry = (u64, Range<usize>);

impl Packer {
    /// Packs each of some parts for itself, of the codes of all; returns its codes, too.
    ///
    /// # Errors
    /// The codes are none of these parts.
    pub fn deal(
        &mut self,
        deal: &Deal,
        parts: PartSet,
        codes: &Codes,
        rules: &Rules,
    ) -> Answer<Vec<(Vec<u8>, Codes)>> {
        let mut all = Vec::new();
        for (part, row) in parts.iter().zip(rows(deal, parts, &codes.all)?) {
            self.codes = row;
            let packed = self.written(deal.layout(PartSet::one(part)), rules)?.to_vec();
            let bytes = length(packed.len());
            all.push((packed, Codes { all: std::mem::take(&mut self.codes), bytes }));
        }
        Ok(all)
    }

    /// Packs a part in full, as it is sent.
    ///
    /// # Errors
    /// The bytes are none of the part.
    pub fn part_in_full(&mut self, deal: &Deal, part: u8, packed: &[u8], rules: &Rules) -> Answer<&[u8]> {
        let shape = deal.shape(PartSet::one(part));
        self.read(&shape.joined, packed, rules, MOST_PADDING)?;
        let keys = u64::from(deal.count);
        renumber(&shape.joined, &mut self.codes, |key, _| key.checked_div(keys))
            .map_err(|kind| rejected(kind, Place::Bit(0)))?;
        self.written(&shape.full, rules)
    }

    /// Packs a part that came in full.
    ///
    /// # Errors
    /// The bits are none of the part.
    pub fn part_of_full(&mut self, deal: &Deal, part: u8, sent: &[u8], rules: &Rules) -> Answer<&[u8]> {
        let shape = deal.shape(PartSet::one(part));
        self.read(&shape.full, sent, rules, MOST_PADDING)?;
        let (keys, part) = (u64::from(deal.count), u64::from(part));
        renumber(&shape.joined, &mut self.codes, |key, last| {
            key.checked_mul(keys)?.checked_add(part).filter(|key| *key <= last)
        })
        .map_err(|kind| rejected(kind, Place::Bit(0)))?;
        self.written(&shape.joined, rules)
    }
}

impl Deal {
    /// Puts some parts together, each of which was read for itself, in their order.
    #[must_use]
    pub fn join(&self, parts: PartSet, read: &[Arc<Codes>]) -> Arc<Codes> {
        if let [only] = read {
            return Arc::clone(only);
        }
        let rows = parts.iter().zip(read).map(|(part, codes)| (self.layout(PartSet::one(part)), &*codes.all));
        let all = joined(&rows.collect::<Vec<_>>());
        let bytes = read.iter().map(|codes| codes.bytes).fold(0, u64::saturating_add);
        Arc::new(Codes { all, bytes })
    }
}

/// Cuts the codes of a value at the keys of its root.
fn cut(layout: &Layout, codes: &[u64]) -> Cut {
    let Some(Wire::Dict(dict)) = layout.node(layout.root).map(|node| &node.wire) else {
        return vec![(None, 0..codes.len())];
    };
    let mut at = dict.optional;
    let mut flag = 0_usize;
    let mut cut = vec![(None, 0..at)];
    let sets = layout.dealt_sets();
    for (number, key) in dict.keys.iter().enumerate() {
        if key.is_optional {
            flag = flag.saturating_add(1);
            if codes.get(flag.saturating_sub(1)) != Some(&1) {
                continue;
            }
        }
        let end = layout.skip(key.node, codes, at);
        cut.push((sets.iter().find(|set| set.key == number).copied(), at..end));
        at = end;
    }
    cut
}

/// Lists the entries of a keyed array or map whose codes begin at `at`.
fn entries(layout: &Layout, set: &DealtSet, codes: &[u64], at: usize) -> Vec<Entry> {
    let own = usize::from(set.keyed.key.is_some());
    set.keyed.walk(layout, codes, at).map(|(key, start, end)| (key, start.saturating_sub(own)..end)).collect()
}

/// The codes of each of some parts, of those of all.
fn rows(deal: &Deal, parts: PartSet, codes: &[u64]) -> Answer<Vec<Vec<u64>>> {
    let layout = deal.layout(parts);
    let part = |range: &Range<usize>| codes.get(range.clone()).unwrap_or_default();
    let mut rows = vec![Vec::new(); size(u64::from(parts.len()))];
    for (set, range) in &cut(layout, codes) {
        let Some(set) = set else {
            rows.first_mut().into_iter().for_each(|row| row.extend_from_slice(part(range)));
            continue;
        };
        let heads: Vec<usize> = rows.iter().map(Vec::len).collect();
        rows.iter_mut().for_each(|row| row.push(0));
        for (key, range) in entries(layout, set, codes, range.start) {
            let owner = u8::try_from(key.checked_rem(u64::from(deal.count)).unwrap_or(0)).unwrap_or(0);
            if !parts.has(owner) {
                return Err(rejected(ErrorKind::OutOfRange, Place::Bit(0)));
            }
            let at = size(u64::from(parts.among(PartSet::all(owner)).len()));
            if let Some((row, head)) = rows.get_mut(at).zip(heads.get(at)) {
                row.extend_from_slice(part(&range));
                row.get_mut(*head).into_iter().for_each(|count| *count = count.saturating_add(1));
            }
        }
    }
    Ok(rows)
}

fn joined(rows: &[(&Layout, &[u64])]) -> Vec<u64> {
    let cuts: Vec<Cut> = rows.iter().map(|(layout, codes)| cut(layout, codes)).collect();
    let mut all =
        Vec::with_capacity(rows.iter().map(|(_, codes)| codes.len()).fold(0, usize::saturating_add));
    let (Some(first), Some((_, codes))) = (cuts.first(), rows.first()) else { return all };
    // The others have the keyed arrays and maps alone.
    let mut number = 0_usize;
    for (set, range) in first {
        if set.is_none() {
            all.extend_from_slice(codes.get(range.clone()).unwrap_or_default());
            continue;
        }
        let mut found = Vec::new();
        for ((layout, codes), cut) in rows.iter().zip(&cuts) {
            let mut sets = cut.iter().filter_map(|(set, range)| Some((set.as_ref()?, range)));
            let Some((set, range)) = sets.nth(number) else { continue };
            let entries = entries(layout, set, codes, range.start).into_iter();
            found.extend(entries.map(|(key, range)| (key, codes.get(range).unwrap_or_default())));
        }
        number = number.saturating_add(1);
        // Each row is in order already.
        found.sort_by_key(|(key, _)| *key);
        all.push(length(found.len()));
        found.iter().for_each(|(_, codes)| all.extend_from_slice(codes));
    }
    all
}

/// Gives each entry another key, which stays in the order of the keys.
fn renumber(
    layout: &Layout,
    codes: &mut [u64],
    new: impl Fn(u64, u64) -> Option<u64>,
) -> Result<(), ErrorKind> {
    for (set, range) in cut(layout, codes) {
        let Some(set) = set else { continue };
        let before = set.keyed.before_key(layout);
        for (key, range) in entries(layout, &set, codes, range.start) {
            let new = new(key, set.keyed.last).ok_or(ErrorKind::OutOfRange)?;
            if let Some(slot) = codes.get_mut(range.start.saturating_add(before)) {
                *slot = new;
            }
        }
    }
    Ok(())
}
