//! Feeds the walker in pieces: the value, error, byte and path are those of the whole, however it is cut.
//!
//! The [`PushDecoder`] reads the caller's piece in place; only a token that a piece cuts in two is carried,
//! and no more of the next piece than that token wants. Nothing is read twice but the head of such a token,
//! so time stays linear. The carry grows by bytes that came, never by what a token claims.

use std::borrow::Cow;

use crate::cursor::{Cursor, length};
use crate::error::Error;
use crate::fault::{ErrorKind, Fault};
use crate::path::Step;
use crate::sink::Sink;
use crate::walk::{Context, Walker, is_lax_text, rewrite_text};
use crate::wire::Rules;

/// The capacity of the carry that is kept between values; what a giant token needed beyond it is freed.
const KEPT_CARRY: usize = 1 << 15;
/// The most that the carry has in reserve. Allocators grow large blocks in place, so that many small steps
/// cost no more than few large ones, and no memory.
const RESERVE: usize = 48 << 10;

/// Says what became of a piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<T> {
    /// A value is complete. The next piece begins another one.
    Done {
        /// The value.
        output: T,
        /// The bytes at the end of the piece that belong to what follows.
        unused: usize,
    },
    /// All of the piece was taken, and more is needed.
    NeedMore {
        /// The least number of bytes that are needed: never more than the value really lacks.
        at_least: u64,
    },
}

/// Decodes values that arrive in pieces.
///
/// Two rules need the whole input: a SAFE walk over a whole input refuses bytes after the value, here they
/// are `unused`; and an input over `max_bytes` is refused here when the value turns out to need more.
#[derive(Debug)]
pub struct PushDecoder<S: Sink> {
    pub(crate) walker: PushWalker<S::Frame>,
    sink: S,
}

impl<S: Sink> PushDecoder<S> {
    /// Makes a decoder at the start of a value.
    #[must_use]
    pub fn new(sink: S, rules: Rules) -> PushDecoder<S> {
        PushDecoder { walker: PushWalker::new(rules), sink }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// Reports the first fault, again and again until [`PushDecoder::reset`].
    pub fn feed(&mut self, piece: &[u8]) -> Result<Progress<S::Output>, Error> {
        self.walker.feed(&mut self.sink, piece)
    }

    /// Says that no more will come, so that the value must be complete now.
    ///
    /// # Errors
    /// Fails with `Incomplete`, unless only padding is missing that ENGINE can do without.
    pub fn finish(&mut self) -> Result<S::Output, Error> {
        self.walker.finish(&mut self.sink)
    }

    /// Goes back to the start of a value, whatever was begun.
    pub fn reset(&mut self) {
        self.walker.reset();
    }

    /// Sets the rules of the next value. It may be called only between two values.
    pub const fn set_rules(&mut self, rules: Rules) {
        self.walker.rules = rules;
    }

    /// Says where the next value stands. It may be called only between two values.
    pub(crate) const fn set_place(&mut self, place: Context) {
        self.walker.walker.place = place;
    }

    /// Takes the step of a path to what stands under the key that was read last.
    pub(crate) const fn take_key(&mut self) -> Option<Step> {
        self.walker.walker.key.take()
    }

    /// Returns the rules of the current value.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.walker.rules
    }

    /// Returns the sink of the decoder.
    pub const fn sink_mut(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Returns the number of bytes taken of the value so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.walker.at.saturating_add(length(&self.walker.carry))
    }
}

/// A [`PushDecoder`] without its sink, for sinks that are made for each piece because they borrow.
#[derive(Debug)]
pub struct PushWalker<F> {
    rules: Rules,
    walker: Walker<F>,
    /// The beginning of a token that a piece has cut.
    carry: Vec<u8>,
    /// The bytes that this token lacks before another try is worth it.
    needed: u64,
    /// The place where the unread bytes begin, from the start of the value.
    at: u64,
    /// Whether the bytes end within `max_bytes`, as the caller knows: a value that needs more is then
    /// incomplete.
    pub(crate) has_end: bool,
    /// The first error.
    ///
    /// INVARIANT: set after a refusal, until `reset`.
    error: Option<Error>,
}

impl<F> PushWalker<F> {
    /// Makes a walker at the start of a value.
    #[must_use]
    pub fn new(rules: Rules) -> PushWalker<F> {
        PushWalker {
            rules,
            walker: Walker::new(),
            carry: Vec::new(),
            needed: 0,
            at: 0,
            has_end: false,
            error: None,
        }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// Reports the first fault, again and again.
    pub fn feed<S: Sink<Frame = F>>(
        &mut self,
        sink: &mut S,
        piece: &[u8],
    ) -> Result<Progress<S::Output>, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let mut rest = piece;
        while !self.carry.is_empty() {
            rest = self.complete_carry(rest);
            if self.needed > 0 {
                return Ok(Progress::NeedMore { at_least: self.needed });
            }
            let mut carry = Cow::Owned(std::mem::take(&mut self.carry));
            let advance = self.advance(sink, &mut carry, false);
            self.carry = carry.into_owned();
            match advance? {
                Advance::Done(output, _) => {
                    self.reset();
                    return Ok(Progress::Done { output, unused: rest.len() });
                }
                Advance::Short(read) => drop(self.carry.drain(..read.min(self.carry.len()))),
            }
        }
        match self.advance(sink, &mut Cow::Borrowed(rest), false)? {
            Advance::Done(output, unused) => {
                self.reset();
                Ok(Progress::Done { output, unused })
            }
            Advance::Short(read) => {
                self.carry(rest.get(read..).unwrap_or_default());
                Ok(Progress::NeedMore { at_least: self.needed })
            }
        }
    }

    /// Says that no more will come, so that the value must be complete now.
    ///
    /// # Errors
    /// Fails with `Incomplete`, unless only padding is missing that ENGINE can do without.
    pub fn finish<S: Sink<Frame = F>>(&mut self, sink: &mut S) -> Result<S::Output, Error> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let mut carry = Cow::Owned(std::mem::take(&mut self.carry));
        match self.advance(sink, &mut carry, true)? {
            Advance::Done(output, _) => {
                self.reset();
                Ok(output)
            }
            // With nothing more to come every shortage is an error, so this is not reached.
            Advance::Short(_) => Err(self.fail(Fault::new(ErrorKind::Refused, self.at), &[], self.at)),
        }
    }

    fn reset(&mut self) {
        self.walker.let_go();
        self.carry.clear();
        self.carry.shrink_to(KEPT_CARRY);
        self.needed = 0;
        self.at = 0;
        self.error = None;
    }

    /// Moves what the carried token lacks from the piece to the carry, and returns the rest of the piece.
    fn complete_carry<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let count = usize::try_from(self.needed).unwrap_or(usize::MAX).min(piece.len());
        let (head, rest) = piece.split_at_checked(count).unwrap_or((piece, &[]));
        self.carry(head);
        self.needed = self.needed.saturating_sub(length(head));
        rest
    }

    /// Takes bytes into the carry, with little room beyond them.
    fn carry(&mut self, bytes: &[u8]) {
        let room = self.carry.capacity().saturating_sub(self.carry.len());
        if room < bytes.len() {
            self.carry.reserve_exact(self.carry.len().min(RESERVE).max(bytes.len()));
        }
        self.carry.extend_from_slice(bytes);
    }

    /// Walks on over these bytes until the value is complete or they end.
    fn advance<S: Sink<Frame = F>>(
        &mut self,
        sink: &mut S,
        bytes: &mut Cow<'_, [u8]>,
        is_last: bool,
    ) -> Result<Advance<S::Output>, Error> {
        let start = self.at;
        let mut from = 0_usize;
        loop {
            let input = bytes.get(from..).unwrap_or_default();
            let cursor = if is_last { Cursor::last_piece } else { Cursor::piece };
            let mut cursor = cursor(input, self.at);
            let outcome = self.walker.walk(&mut cursor, &self.rules, sink);
            let left = cursor.rest().len();
            from = from.saturating_add(input.len().saturating_sub(left));
            self.at = cursor.at();
            match outcome {
                Ok(output) => {
                    self.within_limit(self.at, bytes, start)?;
                    return Ok(Advance::Done(output, left));
                }
                Err(Fault { kind: ErrorKind::Incomplete { needed, .. }, .. }) if !is_last => {
                    self.needed = u64::from(needed);
                    let known = u64::try_from(left).unwrap_or(u64::MAX).saturating_add(self.needed);
                    self.within_limit(self.at.saturating_add(known), bytes, start)?;
                    self.walker.note_keys(bytes, start, &self.rules);
                    return Ok(Advance::Short(from));
                }
                Err(fault) => {
                    // Text that only Godot 3 accepts is rewritten, in a copy of a piece and in place in the
                    // carry.
                    let is_rewritten = is_lax_text(fault, &self.rules)
                        && rewrite_text(bytes.to_mut().get_mut(from..).unwrap_or_default(), fault, self.at);
                    if !is_rewritten {
                        return Err(self.fail(fault, bytes, start));
                    }
                }
            }
        }
    }

    fn within_limit(&mut self, count: u64, bytes: &[u8], start: u64) -> Result<(), Error> {
        let limit = self.rules.limits.max_bytes;
        if count <= limit || self.has_end {
            return Ok(());
        }
        Err(self.fail(Fault::too_many_bytes(limit, None), bytes, start))
    }

    /// Makes the error, with the keys of its path that are in the bytes at hand, which begin at offset
    /// `start`.
    #[cold]
    fn fail(&mut self, fault: Fault, bytes: &[u8], start: u64) -> Error {
        let error = self.walker.fail(fault, bytes, start, &self.rules);
        self.error = Some(error.clone());
        error
    }
}

/// Says how a walk over some bytes ended.
enum Advance<T> {
    /// The value, and how many bytes follow it.
    Done(T, usize),
    /// They ended first: this many of them were read, and the rest is the beginning of a token.
    Short(usize),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Skip, ToValue, Value, decode};

    fn sample() -> Vec<u8> {
        let entry = |key: &str, value| (Value::String(key.into()), value);
        let inner = vec![
            entry("name", Value::StringName("ü".repeat(40))),
            entry("bytes", Value::PackedByteArray(vec![1, 2, 3])),
            (Value::Int(-4), Value::PackedStringArray(vec!["a".into(), String::new()])),
        ];
        let inner = crate::Dictionary { entries: inner, ..crate::Dictionary::default() };
        let items = vec![Value::Nil, Value::Dictionary(Box::new(inner)), Value::PackedByteArray(vec![9; 5])];
        Value::Array(Box::new(crate::Array { items, ..crate::Array::default() })).encode().unwrap()
    }

    /// Feeds the whole in pieces of these lengths, over and over.
    fn pushed(bytes: &[u8], lengths: &[usize], rules: Rules) -> Result<Value, Error> {
        let mut decoder = PushDecoder::new(ToValue, rules);
        let mut rest = bytes;
        for length in lengths.iter().cycle() {
            let (piece, tail) = rest.split_at((*length).min(rest.len()));
            if let Progress::Done { output, unused } = decoder.feed(piece)? {
                assert_eq!(unused + tail.len(), 0, "the sample is one value");
                return Ok(output);
            }
            rest = tail;
            if rest.is_empty() {
                return decoder.finish();
            }
        }
        unreachable!("lengths are never empty")
    }

    #[test]
    fn every_cut_gives_the_value() {
        let bytes = sample();
        for rules in [Rules::engine(), Rules::safe(Limits::engine())] {
            let whole = decode(&bytes, &rules);
            for cut in 1..bytes.len() {
                assert_eq!(pushed(&bytes, &[cut, bytes.len()], rules), whole, "cut at {cut}");
            }
            for piece in 1..9 {
                assert_eq!(pushed(&bytes, &[piece], rules), whole, "pieces of {piece}");
            }
        }
    }

    #[test]
    fn every_cut_gives_the_error() {
        let mut bytes = sample();
        for at in (0..bytes.len()).step_by(3) {
            bytes[at] ^= 0x81;
            for rules in [Rules::engine(), Rules::safe(Limits::engine())] {
                let whole = decode(&bytes, &rules);
                if whole.as_ref().is_err_and(|error| !matches!(error.kind(), ErrorKind::TrailingBytes { .. }))
                {
                    for piece in [1, 2, 5, 7] {
                        assert_eq!(pushed(&bytes, &[piece], rules), whole, "byte {at}, pieces of {piece}");
                    }
                }
            }
            bytes[at] ^= 0x81;
        }
    }

    #[test]
    fn a_declared_length_over_the_limit_fails_at_once() {
        let rules = Rules::safe(Limits { max_bytes: 100, ..Limits::engine() });
        let mut decoder = PushDecoder::new(Skip, rules);
        assert_eq!(decoder.feed(&[29, 0, 0, 0]).unwrap(), Progress::NeedMore { at_least: 4 });
        let error = decoder.feed(&[0, 0, 0, 1]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TooManyBytes { limit: 100, declared: 0 });
        assert_eq!(decoder.feed(&[0]).unwrap_err(), error, "it stays refused");
        assert_eq!(decoder.finish().unwrap_err(), error);
        decoder.reset();
        assert_eq!(decoder.feed(&[0, 0, 0, 0, 7]).unwrap(), Progress::Done { output: (), unused: 1 });
    }

    #[test]
    fn padding_may_be_missing_at_the_very_end_only() {
        let mut decoder = PushDecoder::new(ToValue, Rules::engine());
        let bytes = [29, 0, 0, 0, 1, 0, 0, 0, 5];
        assert_eq!(decoder.feed(&bytes).unwrap(), Progress::NeedMore { at_least: 3 });
        assert_eq!(decoder.finish().unwrap(), Value::PackedByteArray(vec![5]));
    }

    /// Tests that a token which comes in many pieces is not copied for each of them, does not take twice its
    /// memory, and leaves no large carry.
    #[test]
    fn the_carry_grows_in_few_steps_and_shrinks_again() {
        let length = 1_u32 << 20;
        let text = vec![b'a'; 1 << 20];
        let bytes = [&4_u32.to_le_bytes()[..], &length.to_le_bytes(), &text].concat();
        let mut decoder = PushDecoder::new(Skip, Rules::safe(Limits::engine()));
        let (mut steps, mut capacity) = (0, 0);
        for piece in bytes.chunks(1400) {
            let progress = decoder.feed(piece).unwrap();
            let now = decoder.walker.carry.capacity();
            if matches!(progress, Progress::Done { .. }) {
                break;
            }
            steps += usize::from(now != capacity);
            capacity = now;
            assert!(
                now <= decoder.walker.carry.len() + RESERVE + 1400,
                "{now} for {}",
                decoder.walker.carry.len()
            );
        }
        assert_eq!(decoder.position(), 0, "the text is whole");
        assert!((20..40).contains(&steps), "{steps} steps");
        assert!(
            decoder.walker.carry.capacity() <= KEPT_CARRY,
            "{} are kept",
            decoder.walker.carry.capacity()
        );
        assert!(decoder.walker.carry.capacity() > 0, "a small carry is kept");
    }
}
