//! Deals values out into parts: the entries of the keyed arrays and maps right below the root by their keys, and all else into
//! the first part. A part is packed bits of its own; several are one value again, of which a difference can be made.

mod part_set;
mod pass;

use std::sync::Arc;

use variant_core::Mistakes;
use variant_schema::Program;

use crate::bits::varint_bits;
use crate::count::Count;
use crate::layout::{Dict, KeyedEntries, Layout, Node, Wire};
use crate::size;

pub use part_set::{MOST_PARTS, PartSet};

/// Says how values of a layout are dealt out into so many parts.
#[derive(Debug)]
pub struct Deal {
    count: u8,
    /// The layouts of parts of which the first is one.
    first: PartLayouts,
    /// Those of others.
    rest: PartLayouts,
}

/// The layouts of values that lack what is in other parts.
#[derive(Debug)]
struct PartLayouts {
    /// That of several parts.
    joined: Layout,
    /// That of one in full: keys are numbered among those of the part.
    full: Layout,
}

/// The most bits that parts take in full. None where nothing bounds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartBits {
    /// Those of the first.
    pub first: Option<u64>,
    /// Those of each other.
    pub other: Option<u64>,
}

#[derive(Clone, Copy)]
pub(crate) struct DealtSet {
    /// The number of the root's key.
    pub(crate) key: usize,
    node: usize,
    pub(crate) keyed: KeyedEntries,
}

impl Deal {
    /// Says how values of a schema are dealt out.
    ///
    /// # Errors
    /// The schema cannot be packed.
    pub fn new(program: &Arc<Program>, count: u8) -> Result<Deal, Mistakes> {
        let count = count.clamp(1, MOST_PARTS);
        let made = |of: PartSet, keys: u64| {
            Layout::compile_changed(Arc::clone(program), |layout| narrow(layout, of, keys))
        };
        let shape = |of: PartSet| -> Result<PartLayouts, Mistakes> {
            Ok(PartLayouts { joined: made(of, 1)?, full: made(of, u64::from(count))? })
        };
        Ok(Deal { count, first: shape(PartSet::one(0))?, rest: shape(PartSet::one(1))? })
    }

    /// How many parts there are.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.count
    }

    /// The layout of the bits of these parts together.
    #[must_use]
    pub const fn layout(&self, parts: PartSet) -> &Layout {
        &self.shape(parts).joined
    }

    const fn shape(&self, parts: PartSet) -> &PartLayouts {
        if parts.has(0) { &self.first } else { &self.rest }
    }
}

#[doc(hidden)]
impl Layout {
    /// The most bits of parts in full, if values are dealt out into so many.
    #[must_use]
    pub fn part_bits(&self, count: u8) -> PartBits {
        let sum = |parts: u64| {
            let sets = self.dealt_sets();
            sets.iter().try_fold(0_u64, |sum, set| sum.checked_add(self.most_of_set(set, parts)?))
        };
        let other = sum(u64::from(count.max(1)));
        let whole = self.size().max_bits;
        let sets = self.dealt_sets();
        let sets = sets.iter().try_fold(0_u64, |sum, set| sum.checked_add(self.node(set.node)?.most_bits?));
        let first = whole.zip(sets).zip(other);
        let first = first.and_then(|((whole, sets), part)| whole.checked_sub(sets)?.checked_add(part));
        PartBits { first, other }
    }

    /// The most bits of a keyed array or map in one of so many parts: of the shorter mask, and of entries without their keys.
    fn most_of_set(&self, set: &DealtSet, parts: u64) -> Option<u64> {
        let key = set.keyed.dict(self).and_then(|dict| self.node(dict.keys.first()?.node)?.most_bits);
        let each = self.node(set.keyed.item)?.most_bits?.saturating_sub(key.unwrap_or(0));
        let KeyedEntries { last, count, .. } = of_part(&set.keyed, parts);
        let all = count.max?;
        let gaps = all.saturating_mul(u64::from(varint_bits(last)));
        let mask =
            gaps.saturating_add(u64::from(varint_bits(all))).min(last.saturating_add(1)).saturating_add(1);
        each.checked_mul(all)?.checked_add(mask)
    }

    /// The path of the part that takes the most bits of what is not dealt out; none if there is nothing.
    #[must_use]
    pub fn largest_undealt(&self) -> Option<&str> {
        let Some(Wire::Dict(dict)) = self.node(self.root).map(|node| &node.wire) else {
            return Some(self.largest_part());
        };
        let sets = self.dealt_sets();
        let others = dict.keys.iter().enumerate().filter(|(at, _)| sets.iter().all(|set| set.key != *at));
        let nodes = others.filter_map(|(_, key)| self.node(key.node));
        nodes.max_by_key(|node| node.most_bits.unwrap_or(u64::MAX)).map(|node| node.path.as_str())
    }

    /// The keyed arrays and maps right below the root that are always there.
    pub(crate) fn dealt_sets(&self) -> Vec<DealtSet> {
        let Some(root) = self.node(self.root).filter(|root| !root.nullable) else { return Vec::new() };
        let Wire::Dict(dict) = &root.wire else { return Vec::new() };
        let keys = dict.keys.iter().enumerate().filter(|(_, key)| !key.is_optional);
        let sets = keys.filter_map(|(key, part)| {
            let node = self.node(part.node).filter(|node| !node.nullable)?;
            let Wire::Keyed(keyed) = node.wire else { return None };
            Some(DealtSet { key, node: part.node, keyed })
        });
        sets.collect()
    }
}

/// The entries in one of so many parts: keys are numbered within it, and there are any number of them, up to that of all and of
/// its keys.
fn of_part(keyed: &KeyedEntries, parts: u64) -> KeyedEntries {
    let last = keyed.last.checked_div(parts).unwrap_or(keyed.last);
    let keys = last.saturating_add(1);
    let most = keyed.count.max.map_or(keys, |most| most.min(keys));
    KeyedEntries { count: Count::new(None, Some(most)), last, ..*keyed }
}

/// Leaves a layout what parts have: all of the root or its keyed arrays alone, with one of so many keys.
fn narrow(layout: &mut Layout, of: PartSet, keys: u64) {
    for set in layout.dealt_sets() {
        let at = layout.nodes.len();
        let Some(Wire::Dict(dict)) = layout.nodes.get_mut(layout.root).map(|node| &mut node.wire) else {
            return;
        };
        // Another part of the schema may be the same node.
        let Some(key) = dict.keys.get_mut(set.key) else { continue };
        let before = std::mem::replace(&mut key.node, at);
        if let Some(node) = layout.nodes.get(before) {
            let wire = Wire::Keyed(of_part(&set.keyed, keys));
            let node = Node { nullable: false, ..Node::new(wire, node.path.clone(), node.schema.clone()) };
            layout.nodes.push(node);
        }
    }
    let dealt = layout.dealt_sets();
    if !of.has(0)
        && let Some(Wire::Dict(dict)) = layout.nodes.get_mut(layout.root).map(|node| &mut node.wire)
    {
        let keys = std::mem::take(&mut dict.keys).into_iter().enumerate();
        let keys: Vec<_> =
            keys.filter(|(at, _)| dealt.iter().any(|set| set.key == *at)).map(|(_, key)| key).collect();
        let declared = (0..keys.len()).collect();
        *dict = Dict { keys, declared, is_declared_order: true, ..Dict::default() };
    }
    size::complete(layout);
}
