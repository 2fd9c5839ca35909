//! Turns the defaults of a schema into codes and back: a value with these codes is packed as if it were missing.

use variant_core::cursor::Cursor;
use variant_core::{Limits, Mistake, Mistakes};

use crate::compile::DefaultValue;
use crate::layout::{Layout, Wire};
use crate::make::Maker;
use crate::take::ValueReader;

/// Rounds after which defaults in defaults have settled: one for each level.
const MOST_ROUNDS: usize = 130;

impl Layout {
    /// The value of a part, in Godot's format, of the codes that a default has.
    #[must_use]
    #[doc(hidden)]
    pub fn bytes_of(&self, node: usize, codes: &[u64]) -> Vec<u8> {
        let mut made = Vec::new();
        let outcome = Maker::new(self, codes, &mut made, &Limits::engine()).value(node);
        if outcome.is_ok() { made } else { Vec::new() }
    }
}

pub(crate) fn complete(layout: &mut Layout, stated: &[DefaultValue]) -> Result<(), Mistakes> {
    for _ in 0..MOST_ROUNDS {
        let (mut has_changed, mut mistakes) = (false, None);
        for stated in stated {
            match settle(layout, stated) {
                Ok(changed) => has_changed |= changed,
                Err(mistake) => Mistakes::add(&mut mistakes, mistake),
            }
        }
        Mistakes::unless(mistakes, Ok(()))?;
        if !has_changed {
            break;
        }
    }
    Ok(())
}

fn settle(layout: &mut Layout, stated: &DefaultValue) -> Result<bool, Mistake> {
    let Some(node) = layout.node(stated.node) else { return Ok(false) };
    let part = match &node.wire {
        Wire::Dict(dict) => dict.keys.get(stated.part).map(|key| key.node),
        Wire::Tuple(tuple) => tuple.items.get(tuple.least.saturating_add(stated.part)).copied(),
        _ => None,
    };
    let Some(part) = part else { return Ok(false) };
    let bytes = stated.value.encode().unwrap_or_default();
    let mut codes = Vec::new();
    if let Err(fault) = ValueReader::new(layout, Cursor::new(&bytes), &mut codes).value(part) {
        let path = layout.node(part).map_or_else(String::new, |node| node.path.clone());
        let message = format!("the default cannot be packed: {}", fault.kind.expected());
        return Err(Mistake::new(path, message));
    }
    let node = layout.nodes.get_mut(stated.node);
    let slot = match node.map(|node| &mut node.wire) {
        Some(Wire::Dict(dict)) => dict.keys.get_mut(stated.part).map(|key| &mut key.default),
        Some(Wire::Tuple(tuple)) => {
            let defaults = &mut tuple.defaults;
            // Those in a row from the first; behind one without a default nothing is filled in.
            if stated.part == defaults.len() {
                defaults.push(codes);
                return Ok(true);
            }
            let Some(slot) = defaults.get_mut(stated.part) else { return Ok(false) };
            let has_changed = *slot != codes;
            *slot = codes;
            return Ok(has_changed);
        }
        _ => None,
    };
    let Some(slot) = slot else { return Ok(false) };
    let has_changed = slot.as_ref() != Some(&codes);
    *slot = Some(codes);
    Ok(has_changed)
}
