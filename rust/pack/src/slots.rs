//! Writes codes into a value that is there, leaf by leaf, where all of it is Arrays and Dictionaries of fixed records.

use variant_core::{Rules, Trick};

use crate::fixed_record::SlotWriter;
use crate::layout::{KeyedEntries, Layout, Wire};
use crate::packer::Packer;
use crate::text::{length, size};

/// The bytes of an empty container.
const HEAD: u64 = 8;

#[doc(hidden)]
impl Packer {
    /// Whether the codes that were read prove a value that [`Packer::put`] knows the way of.
    #[must_use]
    pub fn may_put(&self, layout: &Layout, rules: &Rules) -> bool {
        layout.proof.is_some_and(|proof| !proof.is_typed)
            && !Trick::Slots.is_off()
            && most_bytes(layout, layout.root, &self.codes)
                .is_some_and(|bytes| layout.is_proven(bytes, rules))
    }

    /// Puts the value of the codes into a slot.
    pub fn put<'l, W: SlotWriter<'l>>(
        &self,
        layout: &'l Layout,
        writer: &mut W,
        slot: W::Slot,
    ) -> Option<()> {
        put(layout, layout.root, &self.codes, writer, slot)
    }
}

/// The most bytes of the value, if its codes prove it.
fn most_bytes(layout: &Layout, number: usize, codes: &[u64]) -> Option<u64> {
    let node = layout.node(number).filter(|node| !node.nullable)?;
    if let Some(row) = &node.row {
        return row.is_proven(codes).then(|| length(row.most_bytes));
    }
    match &node.wire {
        Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
            let (count, mut rest) = codes.split_first()?;
            (0..*count).try_fold(HEAD, |sum, _| {
                let bytes = most_bytes(layout, *item, rest)?;
                rest = rest.get(layout.skip(*item, rest, 0)..)?;
                Some(sum.saturating_add(bytes))
            })
        }
        Wire::Dict(dict) if dict.optional == 0 => {
            let mut rest = codes;
            dict.keys.iter().try_fold(HEAD, |sum, key| {
                let bytes = most_bytes(layout, key.node, rest)?;
                rest = rest.get(layout.skip(key.node, rest, 0)..)?;
                Some(sum.saturating_add(length(key.encoded.len())).saturating_add(bytes))
            })
        }
        _ => None,
    }
}

fn put<'l, W: SlotWriter<'l>>(
    layout: &'l Layout,
    number: usize,
    codes: &[u64],
    writer: &mut W,
    slot: W::Slot,
) -> Option<()> {
    let node = layout.node(number)?;
    if let Some(row) = &node.row {
        return row.put(&mut 0, codes, writer, slot);
    }
    match &node.wire {
        Wire::Array { item, .. } | Wire::Keyed(KeyedEntries { key: None, item, .. }) => {
            let (count, mut rest) = codes.split_first()?;
            for slot in writer.array(slot, size(*count))? {
                put(layout, *item, rest, writer, slot)?;
                rest = rest.get(layout.skip(*item, rest, 0)..)?;
            }
        }
        Wire::Dict(dict) => {
            let skip = |at: usize, number: usize| layout.skip(number, codes, at);
            let mut entries = writer.dictionary(slot, dict.keys.len())?;
            for number in &dict.declared {
                let (before, key) = (dict.keys.get(..*number)?, dict.keys.get(*number)?);
                let at = before.iter().map(|key| key.node).fold(0, skip);
                let slot = writer.entry(&mut entries, &key.name, usize::MAX)?;
                put(layout, key.node, codes.get(at..)?, writer, slot)?;
            }
        }
        _ => return None,
    }
    Some(())
}
