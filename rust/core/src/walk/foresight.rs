//! Foresight: tells a sink the hash of an int key some entries before it comes, so that the sink can ask for
//! the memory that the key will need. A large table is filled at random: every entry would else wait for
//! memory that is in no near cache, most of all where other programs crowd the far ones.
//!
//! It guesses that entries which follow each other have one length. A wrong guess costs time and nothing
//! else. Text keys are not told: to hash them twice costs more than it saves.

use super::level::Level;
use crate::cursor::Cursor;
use crate::sink::{FastPath, Sink};
use crate::token;
use crate::tricks::Trick;
use crate::wire::hash;

/// The entries by which a key is told ahead.
const ENTRIES: u64 = 8;
/// The entries from which on a table does not fit near caches.
const LARGE: u32 = 2048;

#[derive(Debug, Default)]
pub(super) struct Foresight {
    /// Where the int key before this one is.
    before: u64,
}

impl Foresight {
    pub(super) const fn clear(&mut self) {
        self.before = 0;
    }

    /// Looks ahead from the int key that the cursor is at.
    #[inline(always)]
    pub(super) fn look<S: Sink>(&mut self, level: &mut Level<S::Frame>, cursor: Cursor<'_>, sink: &mut S) {
        if level.count < LARGE || Trick::Foresight.is_off() {
            return;
        }
        let entry = cursor.at().wrapping_sub(std::mem::replace(&mut self.before, cursor.at()));
        let mut later = cursor;
        if later.take(entry.wrapping_mul(ENTRIES)).is_ok()
            && let Some(number) = token::read_plain_int(&mut later)
            && let Some(fast) = sink.fast_path()
        {
            fast.foresee_key(&mut level.frame, hash::int(number.cast_unsigned()));
        }
    }
}
