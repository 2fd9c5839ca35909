//! Paths: the short way past a NodePath that came before in the same walk, byte for byte. All limits are kept; it refuses
//! nothing: what is over a limit, or not known, is walked name by name.

use super::charge;
use super::ledger::Ledger;
use super::level::Level;
use crate::cursor::Cursor;
use crate::sink::Sink;
use crate::token::{self, Container, TextForm};
use crate::wire::Rules;

impl Ledger {
    /// Takes a NodePath that the sink knows as a value.
    #[inline]
    pub(super) fn known_path<S: Sink>(
        &mut self,
        level: &Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Option<S::Output> {
        let limits = &rules.limits;
        let record = token::peek_path(cursor.rest())?;
        let is_counted = self.values >= limits.max_values || !self.names.may_come_again(rules);
        if is_counted || level.item_type.is_some() || !rules.is_safe() {
            return None;
        }
        let opening = Container::NodePath { absolute: false, names: record.names, subnames: 0 };
        let fields = record.fields().map(|bytes| charge::text(TextForm::PathName, bytes));
        let price = fields.fold(charge::container(&opening), u64::saturating_add);
        // Twice as much in a double-precision build, as `pay` has it.
        if self.heap.saturating_add(price.saturating_mul(2)) > limits.max_heap_bytes {
            return None;
        }
        let output = sink.known_path(record.bytes)?;
        self.pay(price, rules, cursor.at()).ok()?;
        cursor.take(u64::try_from(record.bytes.len()).ok()?).ok()?;
        self.values = self.values.saturating_add(1);
        Some(output)
    }
}
