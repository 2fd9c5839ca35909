//! Walker: nesting, depth, counts and where we are. The only loop over values in the house.
//!
//! ```text
//! cursor ─► token ─► leaf: sink.leaf ────────────► output ─┐
//!                └─► container: sink.open ─► level pushed  │ key or item of the innermost level,
//!                    level full: popped, sink.close ───────┴─► or the result when there is none
//! ```

mod keys;
mod level;

use crate::cursor::{Cursor, length};
use crate::error::Error;
use crate::fault::{ErrorKind, Fault};
use crate::path::Path;
use crate::sink::Sink;
use crate::token::{self, Container, TextForm, Token};
use crate::wire::{Coercion, Rules, VariantType, coercion};
use keys::KeySet;
use level::Level;

/// How far a decode got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Bytes of the value. Up to 3 more than there are when the engine would count padding that is missing.
    pub consumed: u64,
    /// Bytes after it.
    pub trailing: u64,
}

/// Walks encoded values into sinks. It owns the stack, so keep it and use it again: no allocation once warm.
#[derive(Debug)]
pub struct Walker<F> {
    levels: Vec<Level<F>>,
    /// Tokens and packed strings so far.
    values: u64,
    /// Children that open levels were told to reserve for and that have not come yet.
    promised: usize,
    keys: KeySet,
}

impl<F> Default for Walker<F> {
    fn default() -> Walker<F> {
        Walker { levels: Vec::new(), values: 0, promised: 0, keys: KeySet::default() }
    }
}

impl<F> Walker<F> {
    /// A walker with nothing on its stack.
    #[must_use]
    pub fn new() -> Walker<F> {
        Walker::default()
    }

    /// Walks the one value that `bytes` begin with.
    ///
    /// # Errors
    /// The first thing wrong, with its byte and path. SAFE refuses bytes after the value; ENGINE reports them.
    pub fn decode<S: Sink<Frame = F>>(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(S::Output, Extent), Error> {
        self.levels.clear();
        self.values = 0;
        self.promised = 0;
        self.keys.clear();
        let outcome = self.decode_root(bytes, rules, sink);
        let outcome = outcome.map_err(|fault| Error::new(fault, self.path(fault, bytes)));
        self.levels.clear();
        outcome
    }

    fn decode_root<S: Sink<Frame = F>>(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(S::Output, Extent), Fault> {
        let limit = rules.limits.max_bytes;
        if length(bytes) > limit {
            return Err(Fault::new(ErrorKind::TooManyBytes { limit }, limit));
        }
        let mut cursor = Cursor::new(bytes);
        let output = self.walk(&mut cursor, rules, sink)?;
        let extent = Extent { consumed: cursor.at(), trailing: length(cursor.rest()) };
        if extent.trailing > 0 && rules.is_safe() {
            return Err(Fault::new(ErrorKind::TrailingBytes { count: extent.trailing }, extent.consumed));
        }
        Ok((output, extent))
    }

    /// Runs until the root is complete. On `Incomplete` cursor and levels stand before the unfinished token,
    /// so that the walk can go on when more bytes have come.
    fn walk<S: Sink<Frame = F>>(
        &mut self,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<S::Output, Fault> {
        let mut finished = None;
        loop {
            if let Some(output) = finished.take()
                && let Some(root) = self.deliver(output, rules, sink, cursor.at())?
            {
                return Ok(root);
            }
            finished = match self.levels.last() {
                Some(level) if level.is_full() => self.close(cursor.at(), sink)?,
                Some(level) => match level.next_text() {
                    Some(form) => self.text(form, cursor, rules, sink)?,
                    None => self.value(cursor, rules, sink)?,
                },
                None => self.value(cursor, rules, sink)?,
            };
        }
    }

    /// Reads one token: a leaf is finished at once, a container becomes a level.
    fn value<S: Sink<Frame = F>>(
        &mut self,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<Option<S::Output>, Fault> {
        let at = cursor.at();
        let is_key = self.levels.last_mut().is_some_and(|level| {
            let is_key = level.awaits_key();
            if is_key {
                level.key_at = at;
            }
            is_key
        });
        let limit = rules.limits.max_depth;
        if u64::try_from(self.levels.len()).unwrap_or(u64::MAX) >= limit {
            return Err(Fault::new(ErrorKind::TooDeep { limit }, at));
        }
        let token = token::read(cursor, rules)?;
        self.admit(&token, is_key, rules, at)?;
        match token {
            Token::Leaf(leaf) => {
                self.keys.record_leaf(&leaf, is_key, rules.double_precision);
                sink.leaf(at, leaf).map(Some).map_err(|refusal| Fault::new(refusal, at))
            }
            Token::Open(container) => self.open(at, &container, cursor, sink).map(|()| None),
        }
    }

    /// What may stand here: value count, key type, declared type.
    fn admit(&mut self, token: &Token<'_>, is_key: bool, rules: &Rules, at: u64) -> Result<(), Fault> {
        let ty = token.ty();
        self.count_values(1, rules, at)?;
        if let Token::Open(Container::Array { count, .. } | Container::PackedStrings { count }) = token {
            // A declared count over the limit is refused before its first element comes.
            let limit = rules.limits.max_values;
            if self.values.saturating_add(u64::from(*count)) > limit {
                return Err(Fault::new(ErrorKind::TooManyValues { limit }, at));
            }
        }
        if is_key && !rules.limits.allowed_key_types.contains(ty) {
            return Err(Fault::new(ErrorKind::KeyTypeNotAllowed { ty }, at));
        }
        if rules.is_safe() {
            let declared = self.levels.last().and_then(Level::declared_type);
            if let Some(expected) = declared
                && coercion(expected, ty) != Coercion::Same
            {
                return Err(Fault::new(ErrorKind::WrongElementType { expected, got: ty }, at));
            }
            if is_key {
                self.keys.begin_key();
            }
        }
        Ok(())
    }

    fn count_values(&mut self, more: u64, rules: &Rules, at: u64) -> Result<(), Fault> {
        let limit = rules.limits.max_values;
        self.values = self.values.saturating_add(more);
        if self.values > limit { Err(Fault::new(ErrorKind::TooManyValues { limit }, at)) } else { Ok(()) }
    }

    fn open<S: Sink<Frame = F>>(
        &mut self,
        at: u64,
        container: &Container<'_>,
        cursor: &Cursor<'_>,
        sink: &mut S,
    ) -> Result<(), Fault> {
        self.keys.record_open(container);
        let reserve = reserve(container, cursor.rest().len(), self.promised);
        let frame = sink.open(at, *container, reserve).map_err(|refusal| Fault::new(refusal, at))?;
        self.promised = self.promised.saturating_add(reserve);
        self.levels.push(Level::new(container, frame, reserve, self.keys.marks()));
        Ok(())
    }

    /// Reads one bare text of the innermost level.
    fn text<S: Sink<Frame = F>>(
        &mut self,
        form: TextForm,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<Option<S::Output>, Fault> {
        let at = cursor.at();
        let text = token::read_text(cursor, form, rules)?;
        if form == TextForm::Terminated {
            self.count_values(1, rules, at)?;
        }
        self.keys.record_text(&text);
        let Some(level) = self.levels.last_mut() else { return Ok(None) };
        sink.text(&mut level.frame, text).map_err(|refusal| Fault::new(refusal, at))?;
        if form == TextForm::Plain {
            level.key_at = at;
            level.key_done();
        } else {
            level.item_done();
        }
        Ok(None)
    }

    /// Hands a finished value to the container it belongs to; gives it back when it belongs to none.
    fn deliver<S: Sink<Frame = F>>(
        &mut self,
        output: S::Output,
        rules: &Rules,
        sink: &mut S,
        at: u64,
    ) -> Result<Option<S::Output>, Fault> {
        let Some(level) = self.levels.last_mut() else { return Ok(Some(output)) };
        if level.awaits_key() {
            let key_at = level.key_at;
            if rules.is_safe() && !self.keys.end_key(&level.marks) {
                return Err(Fault::new(ErrorKind::DuplicateKey, key_at));
            }
            sink.key(&mut level.frame, output).map_err(|refusal| Fault::new(refusal, key_at))?;
            level.key_done();
        } else {
            sink.item(&mut level.frame, output).map_err(|refusal| Fault::new(refusal, at))?;
            self.promised = self.promised.saturating_sub(level.item_done());
        }
        Ok(None)
    }

    fn close<S: Sink<Frame = F>>(&mut self, at: u64, sink: &mut S) -> Result<Option<S::Output>, Fault> {
        let Some(level) = self.levels.pop() else { return Ok(None) };
        self.keys.close(&level.marks);
        sink.close(level.frame).map(Some).map_err(|refusal| Fault::new(refusal, at))
    }

    fn path(&self, fault: Fault, input: &[u8]) -> Path {
        let at_named_key = fault.kind == ErrorKind::DuplicateKey;
        let last = self.levels.len().saturating_sub(1);
        let steps = self.levels.iter().enumerate();
        Path(steps.map(|(at, level)| level.step(input, at_named_key && at == last)).collect())
    }
}

/// How many children the bytes at hand could hold at most, whatever is declared: a value is at least a header,
/// an entry two of them, a text its length. What was promised to outer levels comes out of the same bytes, so
/// that nesting cannot multiply it.
fn reserve(container: &Container<'_>, bytes: usize, promised: usize) -> usize {
    let (count, smallest) = match *container {
        Container::Dictionary { count, .. } | Container::Object { count, .. } => (count, 8),
        Container::Array { count, .. } | Container::PackedStrings { count } => (count, 4),
        Container::NodePath { names, subnames, .. } => (names.saturating_add(subnames), 4),
    };
    let declared = usize::try_from(count).unwrap_or(usize::MAX);
    declared.min(bytes.checked_div(smallest).unwrap_or(0).saturating_sub(promised))
}

/// Checks that bytes hold one value, without building it.
///
/// # Errors
/// As [`Walker::decode`].
pub fn validate(bytes: &[u8], rules: &Rules) -> Result<Extent, Error> {
    Walker::new().decode(bytes, rules, &mut crate::sink::Skip).map(|((), extent)| extent)
}

/// The type an encoded value has, from its header alone.
#[must_use]
pub fn peek_type(bytes: &[u8]) -> Option<VariantType> {
    Cursor::new(bytes).u32().ok().and_then(|word| crate::wire::Header(word).ty())
}

#[cfg(test)]
mod tests;
