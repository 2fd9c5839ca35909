//! Walks bytes and gives one token after another to a caller who asks for them, within all limits of the
//! rules.
//!
//! [`Walker::decode`] tells a sink what the bytes are. A reader that knows what it wants, as one driven by
//! serde does, asks for the next value instead, and borrows texts from the input. Verdicts, faults and
//! paths are the walk's.
//!
//! ```text
//! hoping ── all is plain ───────────────────────────────────────► done, in one pass
//!    └── something unusual ─► the walk judges all bytes ─┬─► sure: nothing can speak against them any more
//!                                                        └─► its error
//! ```
//! The caller counts children itself; asking for more of them than there are is refused.

mod plain;

use super::{Extent, Walker};
use crate::cursor::{Cursor, length};
use crate::error::Error;
use crate::fault::{ErrorKind, Fault};
use crate::path::{Label, Path, Step};
use crate::plain::{FlatNames, free_levels};
use crate::sink::Skip;
use crate::token::{self, Text, TextForm, Token};
use crate::wire::{Header, Limits, Rules, Strictness, VariantType};

/// A walk over one value that is asked for its tokens. It keeps no ledger: as long as all is plain there is nothing to
/// count, and when something else comes all bytes are judged at once, before any more of them is given.
#[derive(Debug)]
pub struct Pull<'w, 'a> {
    /// Judges all bytes where that is needed; made at the first time.
    walker: &'w mut Option<Walker<()>>,
    rules: &'w Rules,
    bytes: &'a [u8],
    cursor: Cursor<'a>,
    mode: Mode,
    /// The error of a walk over all bytes.
    refusal: Option<Error>,
    /// StringNames that came while nobody had to answer for them; nothing before the first.
    names: Option<FlatNames<'a>>,
    /// Children that memory may still be asked for: each of them takes a word at least, of the bytes that
    /// are there.
    room: usize,
}

/// Says who answers for the tokens that are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Nobody has to: bytes of this number are plain as far as they were read, and no limit speaks against
    /// plain ones.
    Hoping {
        /// Levels that may still be entered.
        levels: u64,
    },
    /// Somebody has judged all bytes. The value ends at this one.
    Sure { end: u64 },
}

impl<'w, 'a> Pull<'w, 'a> {
    /// Begins a walk. Bytes that a limit might refuse for their number are judged at once.
    ///
    /// # Errors
    /// Fails as [`Walker::decode`] does, where they are judged.
    #[inline(always)]
    pub fn new(
        walker: &'w mut Option<Walker<()>>,
        bytes: &'a [u8],
        rules: &'w Rules,
    ) -> Result<Pull<'w, 'a>, Error> {
        // It is made where it stays: to move one takes as long as to read some ten numbers.
        let mode = match free_levels(length(bytes), rules) {
            0 => Mode::Sure { end: walker.get_or_insert_default().validate(bytes, rules)?.consumed },
            levels => Mode::Hoping { levels },
        };
        let (cursor, room) = (Cursor::new(bytes), bytes.len() >> 2);
        Ok(Pull { walker, rules, bytes, cursor, mode, refusal: None, names: None, room })
    }

    /// Returns where the next token begins.
    #[inline]
    #[must_use]
    pub fn at(&self) -> u64 {
        self.cursor.at()
    }

    /// Returns the whole input.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the rules of the walk.
    #[must_use]
    pub const fn rules(&self) -> &'w Rules {
        self.rules
    }

    /// Returns the type that the header of the next value names. Nothing is judged yet.
    #[inline]
    #[must_use]
    pub fn peek(&self) -> Option<VariantType> {
        let mut cursor = self.cursor;
        cursor.u32().ok().and_then(|word| Header(word).ty(self.rules.dialect))
    }

    /// Returns for how many of so many children memory may be asked for: never more, in all, than the bytes
    /// could hold.
    #[inline]
    pub fn reserve(&mut self, children: u32) -> usize {
        let granted = usize::try_from(children).unwrap_or(usize::MAX).min(self.room);
        self.room = self.room.saturating_sub(granted);
        granted
    }

    /// Reads the next value, or the opening of one. After an opening come its children, and then
    /// [`Pull::close`].
    ///
    /// # Errors
    /// The faults are those of a walk, and `Refused` where no value comes. [`Pull::error`] makes an error
    /// of one.
    #[inline]
    pub fn value(&mut self) -> Result<Token<'a>, Fault> {
        if !self.is_sure() {
            self.judge()?;
        }
        self.sure()
    }

    /// Reads the next bare text: a NodePath's name, a PackedStringArray's entry, the name of an Object's next
    /// property.
    ///
    /// # Errors
    /// The faults are those of [`Pull::value`].
    pub fn text(&mut self, form: TextForm) -> Result<Text<'a>, Fault> {
        token::read_text(&mut self.cursor, form, self.rules)
    }

    /// Ends the container that was opened last, all of whose children were read.
    #[inline]
    pub fn close(&mut self) {
        if let Mode::Hoping { levels } = &mut self.mode {
            *levels = levels.saturating_add(1);
        }
    }

    /// Passes over the next value, whatever is in it, without recursion.
    ///
    /// # Errors
    /// The faults are those of [`Pull::value`].
    pub fn skip(&mut self) -> Result<(), Fault> {
        let before = self.cursor;
        if let Token::Leaf(_) = self.value()? {
            return Ok(());
        }
        // All bytes are judged by now: nothing is to be compared or counted.
        self.cursor = before;
        let limits = Limits { max_key_probes: u64::MAX, ..self.rules.limits };
        let rules = Rules { strictness: Strictness::Engine, limits, ..*self.rules };
        let walker = self.walker.get_or_insert_default();
        walker.begin();
        walker.walk(&mut self.cursor, &rules, &mut Skip)
    }

    /// Ends the walk: the value has to be complete, and with [SAFE](crate::Strictness::Safe) no byte may
    /// follow it.
    ///
    /// # Errors
    /// `TrailingBytes`, or `Refused` when values were left unread.
    pub fn finish(mut self) -> Result<Extent, Error> {
        self.end()
    }

    /// Ends the walk as [`Pull::finish`] does, where it stays.
    ///
    /// # Errors
    /// Those of [`Pull::finish`].
    #[inline]
    pub fn end(&mut self) -> Result<Extent, Error> {
        let extent = Extent { consumed: self.cursor.at(), trailing: length(self.cursor.rest()) };
        if !self.is_sure()
            && extent.trailing > 0
            && let Err(fault) = self.judge()
        {
            return Err(self.error(fault));
        }
        if matches!(self.mode, Mode::Sure { end } if end != extent.consumed) {
            return Err(self.error(Fault::new(ErrorKind::Refused, extent.consumed)));
        }
        if extent.trailing > 0 && self.rules.is_safe() {
            let kind = ErrorKind::TrailingBytes { count: extent.trailing };
            return Err(self.error(Fault::new(kind, extent.consumed)));
        }
        Ok(extent)
    }

    /// Makes the error of a fault that this walk has just found, with the way to it.
    #[cold]
    pub fn error(&mut self, fault: Fault) -> Error {
        if let Some(refusal) = self.refusal.take() {
            return refusal;
        }
        Error::new(fault, Path::default())
    }

    /// Returns the step of a path to the entry of a Dictionary, or the property of an Object, whose key or name begins at
    /// this byte. `entry` counts from 0.
    #[cold]
    #[must_use]
    pub fn step(&self, key_at: u64, holder: VariantType, entry: u64) -> Step {
        let from = usize::try_from(key_at).ok().and_then(|at| self.bytes.get(at..));
        let mut cursor = Cursor::new(from.unwrap_or_default());
        let step = if holder == VariantType::Object {
            let name = token::read_text(&mut cursor, TextForm::Plain, self.rules).ok();
            name.map(|name| Label::Property(name.as_bytes()).step())
        } else {
            let key = token::read(&mut cursor, self.rules).ok();
            key.and_then(|key| key.as_leaf()?.key_step())
        };
        step.unwrap_or(Step::Entry(entry))
    }
}

#[cfg(test)]
mod tests;
