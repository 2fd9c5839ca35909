//! Repair: text that Godot 3 takes and that is no UTF-8 is rewritten in a copy of the input before the walk.
//!
//! Only under a dialect with lax text, and only in ENGINE. Nothing moves: offsets stay those of the input.

use super::Walker;
use crate::cursor::Cursor;
use crate::fault::{ErrorKind, Fault};
use crate::sink::Skip;
use crate::token::rewrite_lax;
use crate::wire::Rules;

/// Returns the input with its lax texts rewritten, or `None` when there are none. It stops at the first thing
/// wrong that is no text, which the walk then finds as well. Each text is walked over twice at most, so time
/// stays linear.
pub(super) fn repaired(bytes: &[u8], rules: &Rules) -> Option<Vec<u8>> {
    let mut copy: Option<Vec<u8>> = None;
    let mut walker = Walker::new();
    let mut at = 0;
    loop {
        let input = copy.as_deref().unwrap_or(bytes);
        let mut cursor = Cursor::last_piece(input.get(usize::try_from(at).ok()?..)?, at);
        let Err(fault) = walker.walk(&mut cursor, rules, &mut Skip) else { return copy };
        at = cursor.at();
        if fault.kind != ErrorKind::InvalidUtf8 {
            return copy;
        }
        let field = field_at(copy.get_or_insert_with(|| bytes.to_vec()), fault.at);
        if !field.is_some_and(rewrite_lax) {
            return copy;
        }
    }
}

/// Tells whether a walk stopped at text that Godot 3 may take all the same.
pub(crate) fn is_lax_text(fault: Fault, rules: &Rules) -> bool {
    rules.dialect.has_lax_text() && !rules.is_safe() && fault.kind == ErrorKind::InvalidUtf8
}

/// Rewrites the lax text at which a walk stopped, in the bytes of its token, which begin at offset `at`. False when
/// Godot 3 refuses it as well.
pub(crate) fn rewrite_text(token: &mut [u8], fault: Fault, at: u64) -> bool {
    field_at(token, fault.at.saturating_sub(at)).is_some_and(rewrite_lax)
}

/// Returns the bytes of the text field that begins here; its length stands before it.
fn field_at(bytes: &mut [u8], at: u64) -> Option<&mut [u8]> {
    let start = usize::try_from(at).ok()?;
    let (before, field) = bytes.split_at_mut_checked(start)?;
    let length = u32::from_le_bytes(*before.last_chunk()?);
    field.get_mut(..usize::try_from(length).ok()?)
}
