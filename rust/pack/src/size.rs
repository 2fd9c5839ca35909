//! Says how many bits values of a layout take, at least and at most.

use crate::count::Count;
use crate::layout::{Dict, KeyedEntries, Layout, Node, Tuple, Wire};
use crate::text::{Chars, length, size as to_size};

/// The least and the most bits of a value, without a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The least.
    pub min_bits: u64,
    /// The most, or none where nothing bounds them.
    pub max_bits: Option<u64>,
}

impl Size {
    /// Whether all values take as many.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.max_bits == Some(self.min_bits)
    }
}

/// Rounds after which sizes are taken as they are: the least may be too small then and the most unknown, never wrong.
const MOST_ROUNDS: usize = 64;
/// Least bits beyond which a value is none that can be.
const MOST_LEAST: u64 = 1 << 40;

impl Layout {
    /// The bits of its values.
    #[must_use]
    pub fn size(&self) -> Size {
        let node = self.node(self.root);
        Size {
            min_bits: node.map_or(0, |node| node.least_bits),
            max_bits: node.and_then(|node| node.most_bits),
        }
    }

    /// The path of the part that takes the most bits of the largest value: a list, text or number, not what is around it.
    #[must_use]
    pub fn largest_part(&self) -> &str {
        let is_part = |node: &&Node| !matches!(node.wire, Wire::Dict(_) | Wire::Same(_) | Wire::Cases { .. });
        let parts = self.nodes.iter().filter(is_part);
        parts.max_by_key(|node| node.most_bits.unwrap_or(u64::MAX)).map_or("", |node| &node.path)
    }

    /// The paths of the parts that nothing bounds: texts and lists without a largest size. None if all is bounded.
    #[must_use]
    pub fn unbounded(&self) -> Vec<&str> {
        let open = |node: &&Node| match &node.wire {
            Wire::Text(_, chars) => chars.count.max.is_none(),
            Wire::Strings { chars, count } => count.max.is_none() || chars.count.max.is_none(),
            Wire::Array { count, .. } | Wire::Map { count, .. } | Wire::Packed { count, .. } => {
                count.max.is_none()
            }
            Wire::NodePath | Wire::Any => true,
            _ => false,
        };
        let parts: Vec<&str> = self.nodes.iter().filter(open).map(|node| node.path.as_str()).collect();
        match self.size().max_bits {
            Some(_) => Vec::new(),
            // It refers to itself, so that only what it is in bounds it.
            None if parts.is_empty() => vec![self.largest_part()],
            None => parts,
        }
    }
}

/// Children stand behind their parents, but for references: the last first, until nothing changes.
pub(crate) fn complete(layout: &mut Layout) {
    for _ in 0..MOST_ROUNDS {
        let mut has_changed = false;
        for at in (0..layout.nodes.len()).rev() {
            let Some(found) = layout.node(at).map(|node| of_node(layout, node)) else { continue };
            let Some(node) = layout.nodes.get_mut(at) else { continue };
            let known = (node.codes, node.least_bits, node.most_bits);
            let (codes, least, most) = found;
            node.inside = codes;
            let codes = codes.filter(|_| !node.nullable);
            (node.codes, node.least_bits, node.most_bits) = (codes, least.min(MOST_LEAST), most);
            has_changed |= known != (node.codes, node.least_bits, node.most_bits);
        }
        if !has_changed {
            return;
        }
    }
}

/// Whether elements of a part take no bits.
pub(crate) fn has_free(layout: &Layout) -> bool {
    let is_free = |node: &Node| match &node.wire {
        Wire::Array { item, .. } => layout.least_bits(&[*item]) == 0,
        Wire::Map { key, value, .. } => layout.least_bits(&[*key, *value]) == 0,
        Wire::Packed { solid, .. } => solid.bits().0 == 0,
        Wire::Text(_, chars) => chars.width() == 0,
        Wire::Strings { chars, .. } => chars.width() == 0 || chars.least_bits() == 0,
        _ => false,
    };
    layout.nodes.iter().any(is_free)
}

/// Codes are counted without the one that says whether it is null.
type NodeSize = (Option<usize>, u64, Option<u64>);

fn of_node(layout: &Layout, node: &Node) -> NodeSize {
    let (codes, least, most) = of_wire(layout, &node.wire);
    if node.nullable { (codes, 1, most.and_then(|most| most.checked_add(1))) } else { (codes, least, most) }
}

const fn fixed(codes: usize, least: u64, most: u64) -> NodeSize {
    (Some(codes), least, Some(most))
}

/// Sizes of several in a row, behind a count.
fn repeated(count: Count, least: u64, most: Option<u64>) -> NodeSize {
    let (fewest, widest) = count.bits();
    let all = count.max.zip(most).and_then(|(max, most)| max.checked_mul(most)?.checked_add(widest));
    (None, fewest.saturating_add(count.min.saturating_mul(least)), all)
}

fn of_wire(layout: &Layout, wire: &Wire) -> NodeSize {
    let of = |at: usize| {
        layout.node(at).map_or((None, 0, None), |node| (node.codes, node.least_bits, node.most_bits))
    };
    let bits = |at: usize| (of(at).1, of(at).2);
    match wire {
        Wire::Pending => (None, 0, None),
        Wire::Nothing(_) => fixed(0, 0, 0),
        Wire::Same(node) => of(*node),
        Wire::Bool => fixed(1, 1, 1),
        Wire::Number(_, form) => fixed(1, form.bits().0, form.bits().1),
        Wire::Solid { solid, .. } => fixed(solid.codes(), solid.bits().0, solid.bits().1),
        Wire::Enum(values) => fixed(1, values.width.into(), values.width.into()),
        Wire::Text(_, chars) => of_chars(chars),
        Wire::NodePath => (None, 13, None),
        Wire::Dict(dict) => of_dict(layout, dict),
        Wire::Cases { values, cases, .. } => one_of(values.width, cases.iter().map(|case| bits(*case))),
        Wire::Union { alternatives, width, .. } => {
            one_of(*width, alternatives.iter().map(|node| bits(*node)))
        }
        Wire::Array { item, count } => repeated(*count, bits(*item).0, bits(*item).1),
        Wire::Keyed(keyed) => of_keyed(keyed, bits(keyed.item).0, bits(keyed.item).1),
        Wire::Tuple(tuple) => of_tuple(tuple, bits),
        Wire::Map { key, value, count } => {
            let (key, value) = (bits(*key), bits(*value));
            let most = key.1.zip(value.1).and_then(|(key, value)| key.checked_add(value));
            repeated(*count, key.0.saturating_add(value.0), most)
        }
        Wire::Packed { solid, count, .. } => repeated(*count, solid.bits().0, Some(solid.bits().1)),
        Wire::Strings { chars, count } => {
            let (_, least, most) = of_chars(chars);
            repeated(*count, least, most)
        }
        Wire::Any => (None, 6, None),
    }
}

fn of_chars(chars: &Chars) -> NodeSize {
    let width = u64::from(chars.width());
    repeated(chars.count, width, Some(width))
}

/// The most bits of a key, which an entry of an array has not.
const KEY_BITS: u64 = 32;

fn of_keyed(keyed: &KeyedEntries, least: u64, most: Option<u64>) -> NodeSize {
    let (count, last) = (keyed.count, keyed.last);
    // The shorter of both masks, and entries without their key.
    let all = count.max.map_or(last.saturating_add(1), |max| max.min(last.saturating_add(1)));
    let sparse = all.saturating_mul(67).saturating_add(67);
    let mask = sparse.min(last.saturating_add(1)).saturating_add(1);
    let entries = most.and_then(|most| most.checked_mul(all));
    let least = if keyed.key.is_some() { least } else { least.saturating_sub(KEY_BITS) };
    let least = count.min.saturating_mul(least);
    (None, least.saturating_add(1), entries.and_then(|bits| bits.checked_add(mask)))
}

fn of_tuple(tuple: &Tuple, bits: impl Fn(usize) -> (u64, Option<u64>)) -> NodeSize {
    let (fewest, widest) = tuple.count().bits();
    let least = tuple.items.iter().take(tuple.least).map(|item| bits(*item).0);
    let mut most = tuple.items.iter().map(|item| bits(*item).1);
    let most = most.try_fold(widest, |sum, most| sum.checked_add(most?));
    (None, least.fold(fewest, u64::saturating_add), most)
}

fn one_of(width: u32, each: impl Iterator<Item = (u64, Option<u64>)> + Clone) -> NodeSize {
    let least = each.clone().map(|(least, _)| least).min().unwrap_or(0);
    let most = each.map(|(_, most)| most).try_fold(0_u64, |most, bits| Some(most.max(bits?)));
    let width = u64::from(width);
    (None, least.saturating_add(width), most.and_then(|most| most.checked_add(width)))
}

/// The least and the most bits of how many bits follow.
const TAIL_BITS: (u64, u64) = (6, 67);

fn of_dict(layout: &Layout, dict: &Dict) -> NodeSize {
    let flags = length(dict.optional);
    let mut found: NodeSize = (if flags == 0 { Some(0) } else { None }, flags, Some(flags));
    for key in &dict.keys {
        let Some(node) = layout.node(key.node) else { continue };
        found.0 = found.0.zip(node.codes).and_then(|(sum, codes)| sum.checked_add(codes));
        if !key.is_optional {
            found.1 = found.1.saturating_add(node.least_bits);
        }
        found.2 = found.2.zip(node.most_bits).and_then(|(sum, most)| sum.checked_add(most));
    }
    if let Some(grown) = dict.growing {
        // How many bits the tail has, its own flags not counted among those in front.
        found.1 = found.1.saturating_sub(length(grown)).saturating_add(TAIL_BITS.0);
        found.2 = found.2.and_then(|most| most.checked_add(TAIL_BITS.1));
    }
    // Rows of codes are as long as memory holds.
    found.0 = found.0.filter(|codes| *codes <= to_size(1 << 24));
    found
}
