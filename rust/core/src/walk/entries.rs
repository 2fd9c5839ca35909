//! Entries: the fast path for entries of dictionaries, for a walk whose sink need not see them. It refuses what the fallback
//! `plain.rs` would refuse, in the same order; keys that are neither ints nor plain texts are left to that.

use super::ledger::Ledger;
use super::level::Level;
use super::ways::took;
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::token::{self, Leaf};
use crate::tricks::Trick;
use crate::wire::{Rules, TypeSet, VariantType, hash, heap};

/// The types of its keys.
pub(super) const KEYS: TypeSet =
    TypeSet::of(&[VariantType::Int, VariantType::String, VariantType::StringName]);

impl Ledger {
    /// Takes entries with an int or a text as key and a plain leaf as value. Before another value it takes the key.
    #[inline]
    pub(super) fn entries<F>(
        &mut self,
        level: &mut Level<F>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
    ) -> Result<(), Fault> {
        if !rules.is_safe() || Trick::WalkEntries.is_off() {
            return Ok(());
        }
        // Both a key and its value count.
        while !level.is_full() && self.values.saturating_add(2) <= rules.limits.max_values {
            let declared = level.place(cursor.at()).declared;
            let Some((key, name)) = self.entry_key(declared, cursor, rules)? else { break };
            self.values = self.values.saturating_add(1);
            self.probe(level, rules, cursor.at(), || name.or_else(|| hash_of(&key)))?;
            level.key_done();
            if token::read_scalar(cursor, level.item_type).is_none()
                && self.costly(level, cursor, rules)?.is_none()
            {
                break;
            }
            self.took_items(level, 1, 1);
        }
        Ok(())
    }

    /// Takes an int or a plain text as a key, with the hash of a name; `None` when another key comes.
    #[inline(always)]
    fn entry_key<'a>(
        &mut self,
        declared: Option<VariantType>,
        cursor: &mut Cursor<'a>,
        rules: &Rules,
    ) -> Result<Option<(Leaf<'a>, Option<u32>)>, Fault> {
        let (at, int, allowed) = (cursor.at(), VariantType::Int, rules.limits.allowed_key_types);
        if declared.is_none_or(|ty| ty == int)
            && allowed.contains(int)
            && let Some(number) = token::read_plain_int(cursor)
        {
            took("IntKey", 1);
            return Ok(Some((Leaf::Int(number), None)));
        }
        let mut next = *cursor;
        let text = token::read_plain_text(&mut next, declared, rules);
        let Some((ty, text, _)) = text.filter(|(ty, ..)| allowed.contains(*ty)) else { return Ok(None) };
        *cursor = next;
        took("TextKey", 1);
        self.pay(heap::leaf(ty, next.at().wrapping_sub(at)), rules, at)?;
        let name = if ty == VariantType::StringName { self.names.key(text, rules, at)? } else { None };
        Ok(Some((Leaf::Text(ty, text), name)))
    }
}

/// Returns the hash of a key, for a Dictionary whose keys are counted.
fn hash_of(key: &Leaf<'_>) -> Option<u32> {
    match key {
        Leaf::Int(number) => Some(hash::int(number.cast_unsigned())),
        Leaf::Text(_, text) if text.is_ascii() => Some(hash::ascii(text.as_bytes())),
        Leaf::Text(_, text) => Some(hash::text(text.as_str())),
        _ => None,
    }
}
