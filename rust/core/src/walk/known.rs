//! Known: the fast path past keys and names that a sink has in its cache. It keeps all limits and refuses
//! nothing: a text that is not known, or over a limit, is left to `plain.rs`.

use super::ledger::Ledger;
use super::level::Level;
use super::ways::took;
use crate::cursor::Cursor;
use crate::flood::SMALL;
use crate::sink::{CachedName, FastPath, Sink};
use crate::tricks::Trick;
use crate::wire::{Rules, VariantType, heap};

/// The longest text that a sink may know.
const LONGEST_KNOWN: u64 = 64;

impl Ledger {
    /// Takes entries with keys that the sink knows, within all limits. Entries that are over them are left,
    /// to be refused.
    #[inline]
    pub(super) fn entries<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) {
        let limits = &rules.limits;
        let is_open = !Trick::WalkEntries.is_off()
            && level.count <= SMALL
            && level.takes_text_entries(LONGEST_KNOWN, rules);
        if !is_open {
            return;
        }
        let values = limits.max_values.saturating_sub(self.values) >> 1;
        let most = level.left().min(u32::try_from(values).unwrap_or(u32::MAX));
        let (bytes, price) = self.text_room(rules);
        if most == 0 {
            return;
        }
        let Some(fast) = sink.fast_path() else { return };
        let run = fast.entries(&mut level.frame, cursor, most, bytes);
        let keys = u64::from(run.entries).saturating_add(u64::from(run.open_key > 0));
        self.took_items(level, run.entries, u64::from(run.entries).saturating_add(keys));
        self.heap = self.heap.saturating_add(run.text_bytes.saturating_mul(price));
        if run.open_key > 0 {
            level.key_is_at(cursor.at().saturating_sub(run.open_key));
            level.key_done();
        }
    }

    /// Takes a name that the sink knows as a value, if no limit and no declared type speaks against it.
    #[inline(always)]
    pub(super) fn known_name<S: Sink>(
        &mut self,
        level: &Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Option<S::Output> {
        if Trick::WalkKnown.is_off() {
            return None;
        }
        let ty = VariantType::StringName;
        let CachedName { length, is_again, output } = sink.fast_path()?.known_name(cursor.rest())?;
        let is_free = is_again && self.names.may_come_again(rules);
        let is_refused = u64::from(length) > rules.limits.max_string_bytes
            || level.item_type.is_some_and(|declared| declared != ty)
            || !rules.is_safe();
        if !is_free || is_refused {
            return None;
        }
        let at = cursor.at();
        let field = u64::from(length).saturating_add(8 + 3) & !3;
        self.pay(heap::leaf(ty, field), rules, at).ok()?;
        cursor.take(field).ok()?;
        took("Known", 1);
        Some(output)
    }
}
