//! Large: the fast path for entries of dictionaries that have a table, for sinks that fill that of the engine.
//! It refuses what the fallback `plain.rs` would
//! refuse, in the same order; keys that are neither ints nor plain texts are left to that.

use super::ledger::{Ledger, give_key};
use super::level::Level;
use super::ways::took;
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::flood::SMALL;
use crate::sink::Sink;
use crate::token::{self, Leaf};
use crate::tricks::Trick;
use crate::wire::{Rules, VariantType, hash, heap};

impl Ledger {
    /// Takes entries with an int or a text as key and a plain scalar as value. Before another value it takes the key.
    #[inline]
    pub(super) fn large_entries<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        let is_open = S::FILLS_TABLES && !Trick::WalkLarge.is_off();
        if !is_open || level.count <= SMALL || !rules.is_safe() {
            return Ok(());
        }
        // Both a key and its value count.
        while !level.is_full() && self.values.saturating_add(2) <= rules.limits.max_values {
            if !self.int_key(level, cursor, rules, sink)? && !self.plain_key(level, cursor, rules, sink)? {
                break;
            }
            let at = cursor.at();
            let Some(leaf) = token::read_scalar(cursor, level.item_type) else { break };
            let told = sink.leaf(at, leaf).and_then(|output| sink.item(&mut level.frame, output));
            told.map_err(|refusal| Fault::new(refusal, at))?;
            self.values = self.values.saturating_add(1);
            self.promised = self.promised.saturating_sub(level.item_done());
        }
        Ok(())
    }

    /// Takes an int as a key; false when another key comes. The number stays in a register: the engine's table is written
    /// to at random, and what is copied through memory meanwhile waits for that.
    #[inline(always)]
    fn int_key<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let (at, int) = (cursor.at(), VariantType::Int);
        if level.key_type.is_some_and(|ty| ty != int) || !rules.limits.allowed_key_types.contains(int) {
            return Ok(false);
        }
        let Some(number) = token::read_plain_int(cursor) else { return Ok(false) };
        took("LargeInt", 1);
        level.key_is_at(at);
        self.values = self.values.saturating_add(1);
        let output = sink.leaf(at, Leaf::Int(number)).map_err(|refusal| Fault::new(refusal, at))?;
        let hash = sink.key_hash(&output).unwrap_or(hash::int(number.cast_unsigned()));
        self.probe(level, rules, cursor.at(), || Some(hash))?;
        give_key(level, output, sink, at).map(|()| true)
    }

    /// Takes a plain text as a key; false when another key comes.
    #[inline(always)]
    fn plain_key<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<bool, Fault> {
        let (at, mut next) = (cursor.at(), *cursor);
        let Some((ty, text, _)) = token::read_plain_text(&mut next, level.key_type, rules) else {
            return Ok(false);
        };
        if !rules.limits.allowed_key_types.contains(ty) {
            return Ok(false);
        }
        *cursor = next;
        took("LargeText", 1);
        level.key_is_at(at);
        self.values = self.values.saturating_add(1);
        self.pay(heap::leaf(ty, cursor.at().wrapping_sub(at)), rules, at)?;
        let of_name = if ty == VariantType::StringName { self.names.key(text, rules, at)? } else { None };
        let output = sink.leaf(at, Leaf::Text(ty, text)).map_err(|refusal| Fault::new(refusal, at))?;
        let hash = match sink.key_hash(&output).or(of_name) {
            Some(hash) => hash,
            None if text.is_ascii() => hash::ascii(text.as_bytes()),
            None => hash::text(text.as_str()),
        };
        self.probe(level, rules, cursor.at(), || Some(hash))?;
        give_key(level, output, sink, at).map(|()| true)
    }
}
