//! Defines what only speeds a walk up: values that a sink takes at once, in larger steps than one by one. A
//! sink without it gets each of them by the methods of [`Sink`], with the same answer.

use std::convert::Infallible;

use super::Sink;
use crate::cursor::Cursor;
use crate::wire::VariantType;

/// Holds a StringName that a sink has cached, at the beginning of some input.
#[derive(Clone, Copy, Debug)]
pub struct CachedName<O> {
    /// The bytes of the text, without header, length and padding.
    pub length: u32,
    /// Whether it came in this very walk, as a token.
    pub is_again: bool,
    /// The output that [`Sink::leaf`] would return.
    pub output: O,
}

/// Counts entries of a Dictionary that a sink has taken in one call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// The number of whole entries.
    pub entries: u32,
    /// The bytes of all texts, with header, length and padding.
    pub text_bytes: u64,
    /// The bytes of a key whose value is still to come; 0 when there is none.
    pub open_key: u64,
}

/// Takes values of a sink `S` at once. The walker calls it only where it has no other check to make than those
/// that a method names, and passes by the methods of [`Sink`] what is left.
pub trait FastPath<S: Sink + ?Sized> {
    /// Takes the scalars that come next, moves the cursor behind them, and returns how many it took: at most
    /// `most` nulls, bools, numbers and short vectors in exactly the forms that `leaf` and `item` would be
    /// called with, all of the declared type.
    #[inline(always)]
    fn scalars(
        &mut self,
        _frame: &mut S::Frame,
        _cursor: &mut Cursor<'_>,
        _declared: Option<VariantType>,
        _most: u32,
    ) -> u32 {
        0
    }

    /// Returns the StringName of at most 64 bytes that the input begins with, if it is in the sink's cache as
    /// the very same field, valid under SAFE and padded with zeros. Otherwise `leaf` gets it.
    #[inline(always)]
    fn known_name(&mut self, _input: &[u8]) -> Option<CachedName<S::Output>> {
        None
    }

    /// Returns the NodePath that is written in exactly these bytes, header, counts and names. `count` judges them and counts their names: it has to be asked before, and to say
    /// yes, unless this very walk has given the sink these bytes before and `may_come_again`. A path that the
    /// sink does not take goes to `open` and `text`.
    #[inline(always)]
    fn path(
        &mut self,
        _record: &[u8],
        _may_come_again: bool,
        _count: impl FnOnce() -> bool,
    ) -> Option<S::Output> {
        None
    }

    /// Takes the entries that come next: those that begin with a String in the sink's cache and hold a scalar
    /// or a text that [`short_string`](crate::token::short_string) takes, at most `most`, with `bytes` bytes
    /// of texts. It moves the cursor behind them, and behind a key whose value is something else. It is
    /// called only for a Dictionary that declares no types, of a sink that fills tables.
    #[inline(always)]
    fn entries(&mut self, _frame: &mut S::Frame, _cursor: &mut Cursor<'_>, _most: u32, _bytes: u64) -> Run {
        Run::default()
    }

    /// Announces the hash of a key, as 4.6.3 computes it, that probably comes soon in this Dictionary, which
    /// has many: a sink that puts it into a table may prefetch its memory. It is called only for sinks that
    /// fill tables.
    #[inline(always)]
    fn foresee_key(&mut self, _frame: &mut S::Frame, _hash: u32) {}
}

/// Stands for the fast path of a sink that has none.
impl<S: Sink + ?Sized> FastPath<S> for Infallible {}
