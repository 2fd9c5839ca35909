//! Large: the fast path for entries of dictionaries that have a table, for a walk whose sink need not see them.
//! It refuses what the fallback `plain.rs` would
//! refuse, in the same order; keys that are neither ints nor plain texts are left to that.

use super::ledger::Ledger;
use super::level::Level;
use super::ways::took;
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::flood::SMALL;
use crate::token;
use crate::tricks::Trick;
use crate::wire::{Rules, TypeSet, VariantType, hash, heap};

/// The types of its keys.
pub(super) const LARGE_KEYS: TypeSet =
    TypeSet::of(&[VariantType::Int, VariantType::String, VariantType::StringName]);

impl Ledger {
    /// Takes entries with an int or a text as key and a plain scalar as value. Before another value it takes the key.
    #[inline]
    pub(super) fn large_entries<F>(
        &mut self,
        level: &mut Level<F>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
    ) -> Result<(), Fault> {
        if level.count <= SMALL || !rules.is_safe() || Trick::WalkLarge.is_off() {
            return Ok(());
        }
        // Both a key and its value count.
        while !level.is_full() && self.values.saturating_add(2) <= rules.limits.max_values {
            level.key_is_at(cursor.at());
            let Some(hash) = self.large_key(level.key_type, cursor, rules)? else { break };
            self.values = self.values.saturating_add(1);
            self.probe(level, rules, cursor.at(), || Some(hash))?;
            level.key_done();
            if token::read_scalar(cursor, level.item_type).is_none() {
                break;
            }
            self.took_items(level, 1, 1);
        }
        Ok(())
    }

    /// Takes an int or a plain text as a key, and returns its hash; `None` when another key comes.
    #[inline(always)]
    fn large_key(
        &mut self,
        declared: Option<VariantType>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
    ) -> Result<Option<u32>, Fault> {
        let (at, int, allowed) = (cursor.at(), VariantType::Int, rules.limits.allowed_key_types);
        if declared.is_none_or(|ty| ty == int)
            && allowed.contains(int)
            && let Some(number) = token::read_plain_int(cursor)
        {
            took("LargeInt", 1);
            return Ok(Some(hash::int(number.cast_unsigned())));
        }
        let mut next = *cursor;
        let text = token::read_plain_text(&mut next, declared, rules);
        let Some((ty, text, _)) = text.filter(|(ty, ..)| allowed.contains(*ty)) else { return Ok(None) };
        *cursor = next;
        took("LargeText", 1);
        self.pay(heap::leaf(ty, next.at().wrapping_sub(at)), rules, at)?;
        let of_name = if ty == VariantType::StringName { self.names.key(text, rules, at)? } else { None };
        Ok(of_name.or_else(|| {
            let is_ascii = text.is_ascii();
            Some(if is_ascii { hash::ascii(text.as_bytes()) } else { hash::text(text.as_str()) })
        }))
    }
}
