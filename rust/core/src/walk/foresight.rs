//! Foresight: tells a sink of int keys some entries before they come, so that it can ask for the memory that each will need.
//! A large table is filled at random: every entry would else wait for a place that lies in no near cache, most of all
//! where other programs take the far ones.
//!
//! Entries that follow each other mostly have one length. Where that is not so, nothing is told, or what is wrong: it
//! refuses nothing, and whoever is told may lose time alone. Of texts nothing is told: to hash them twice costs more.

use super::level::Level;
use crate::cursor::Cursor;
use crate::sink::Sink;
use crate::token;
use crate::tricks::Trick;
use crate::wire::hash;

/// So many entries before it comes a key is told.
const ENTRIES: u64 = 8;
/// Tables of fewer entries lie near.
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

    /// Before the int key that the cursor is at.
    #[inline(always)]
    pub(super) fn look<S: Sink>(&mut self, level: &mut Level<S::Frame>, cursor: Cursor<'_>, sink: &mut S) {
        if level.count < LARGE || Trick::Foresight.is_off() {
            return;
        }
        let entry = cursor.at().wrapping_sub(std::mem::replace(&mut self.before, cursor.at()));
        let mut later = cursor;
        if later.take(entry.wrapping_mul(ENTRIES)).is_ok()
            && let Some(number) = token::read_plain_int(&mut later)
        {
            sink.foresee_key(&mut level.frame, hash::int(number.cast_unsigned()));
        }
    }
}
