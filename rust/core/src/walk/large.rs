//! Large: the short way through entries of dictionaries that have a table, for sinks that find equal keys themselves and
//! are content with a bound of the probes. It refuses what the plain twin `plain.rs` would, in the same order; what is
//! neither an int nor a plain text as a key is left to that.

use super::ledger::Ledger;
use super::level::Level;
use super::plain::NEEDS_NO_TABLE;
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::sink::Sink;
use crate::token::{self, Leaf};
use crate::wire::{Rules, VariantType, hash, heap};

impl Ledger {
    /// Takes entries of an int or a text and a plain scalar, and the key before a value that is none.
    #[inline]
    pub(super) fn large_entries<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let is_open = S::FINDS_DUPLICATES && S::BOUNDS_PROBES;
        if !is_open || level.count <= NEEDS_NO_TABLE || !rules.is_safe() {
            return Ok(());
        }
        let allowed = rules.limits.allowed_key_types;
        // Both a key and its value count.
        while !level.is_full() && self.values.saturating_add(2) <= rules.limits.max_values {
            let (at, mut next) = (cursor.at(), *cursor);
            let Some((leaf, hash)) = read_key(&mut next, level.key_type, rules) else { break };
            let ty = leaf.ty();
            if !allowed.contains(ty) {
                break;
            }
            let bytes = next.at().wrapping_sub(at);
            *cursor = next;
            level.key_is_at(at);
            self.values = self.values.saturating_add(1);
            if ty != VariantType::Int {
                self.pay(heap::leaf(ty, bytes), rules, at)?;
            }
            if ty == VariantType::StringName {
                self.names.leaf(&leaf, level.place(at), rules, at)?;
            }
            let output = sink.leaf(at, leaf).map_err(|refusal| Fault::new(refusal, at))?;
            let hash = || sink.key_hash(&output).or(Some(hash));
            let entered = self.probes.end_key(level.depth, bytes, rules, hash);
            entered.map_err(|kind| Fault::new(kind, at))?;
            sink.key(&mut level.frame, output).map_err(|refusal| Fault::new(refusal, at))?;
            level.key_done();
            if sink.scalars(&mut level.frame, cursor, level.item_type, 1) == 0 {
                break;
            }
            self.values = self.values.saturating_add(1);
            self.promised = self.promised.saturating_sub(level.item_done());
        }
        Ok(())
    }
}

/// The int or text that comes next, of the type declared, and the engine's hash of it.
#[inline(always)]
fn read_key<'a>(
    cursor: &mut Cursor<'a>,
    declared: Option<VariantType>,
    rules: &Rules,
) -> Option<(Leaf<'a>, u32)> {
    if let Some((ty, text, _)) = token::read_plain_text(cursor, declared, rules) {
        let hash = if text.is_ascii() { hash::ascii(text.as_bytes()) } else { hash::text(text.as_str()) };
        return Some((Leaf::Text(ty, text), hash));
    }
    match token::read_scalar(cursor, declared)? {
        Leaf::Int(number) => Some((Leaf::Int(number), hash::int(number.cast_unsigned()))),
        _ => None,
    }
}
