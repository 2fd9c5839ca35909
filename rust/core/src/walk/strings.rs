//! Strings: the fast path through the entries of a PackedStringArray. It refuses only what is over the budget of memory, as the
//! fallback `plain.rs` does in the same place.

use super::charge;
use super::ledger::Ledger;
use super::level::Level;
use super::ways::{Way, took};
use crate::cursor::Cursor;
use crate::fault::Fault;
use crate::sink::Sink;
use crate::token::{self, TextForm};
use crate::tricks::Trick;
use crate::wire::Rules;

impl Ledger {
    /// Takes the plain entries that come next.
    #[inline]
    pub(super) fn strings<S: Sink>(
        &mut self,
        level: &mut Level<S::Frame>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        if Trick::WalkStrings.is_off() {
            return Ok(());
        }
        let left = rules.limits.max_values.saturating_sub(self.values);
        let most = level.left().min(u32::try_from(left).unwrap_or(u32::MAX));
        let (mut count, mut outcome) = (0_u32, Ok(()));
        while count < most {
            let at = cursor.at();
            let Some(text) = token::read_plain_string(cursor, rules) else { break };
            let price = charge::text(TextForm::Terminated, cursor.at().wrapping_sub(at));
            outcome = self.pay(price, rules, at);
            if outcome.is_err() {
                break;
            }
            outcome = sink.text(&mut level.frame, text).map_err(|refusal| Fault::new(refusal, at));
            if outcome.is_err() {
                break;
            }
            count = count.saturating_add(1);
        }
        took(Way::Strings, count.into());
        self.took_items(level, count, count.into());
        outcome
    }
}
