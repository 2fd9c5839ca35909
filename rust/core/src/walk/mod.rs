//! Walker: the careful loop over values. It keeps nesting, depth and counts, judges every byte and words
//! every fault. The fast loop, for values that no limit can refuse, is the plain reader (`plain/`).
//!
//! ```text
//! cursor ─► token ─► leaf: sink.leaf ────────────► output ─┐
//!                └─► container: sink.open ─► level pushed  │ key or item of the innermost level,
//!                    level full: popped, sink.close ───────┴─► or the result when there is none
//! ```

mod charge;
mod entries;
mod keys;
mod ledger;
mod level;
mod paths;
mod plain;
mod pull;
mod repair;
mod single;
mod trail;
mod ways;

use std::ops::Range;

use crate::cursor::{Cursor, length};
use crate::error::Error;
use crate::error_location::ErrorLocation;
use crate::fault::{ErrorKind, Fault};
use crate::flood::KeyHash;
use crate::path::Step;
use crate::plain::is_flat;
use crate::sink::{Sink, Skip};
use crate::token::{self, Container, Leaf, Token};
use crate::tricks::Trick;
use crate::wire::{Cost, Dialect, Rules, VariantType};
use ledger::Ledger;
pub(crate) use level::{ContainerGrant, Context, Level};
pub use pull::Pull;
pub(crate) use repair::{is_lax_text, rewrite_text};
pub use single::{Single, may_be_single, single};
#[cfg(test)]
pub(crate) use ways::counts::{compared as keys_compared, taken as ways_taken};

/// The bytes from which on a value may leave tables that are too large to be kept.
const LARGE: usize = 16 * 1024;

/// A container that opens, and where its header stands. It is written to one place and read there: a record
/// that is moved is read in larger parts than it was written in, and the processor waits for that.
struct OpeningContainer<'a> {
    at: u64,
    container: Container<'a>,
}

impl OpeningContainer<'_> {
    /// A value to be written over.
    const NONE: OpeningContainer<'static> =
        OpeningContainer { at: 0, container: Container::PackedStrings { count: 0 } };
}

/// Holds what a walk reads from, and where it puts a container that opens.
struct Input<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    opening: &'c mut OpeningContainer<'a>,
}

/// Holds a leaf that was read, and the bytes that it stands at.
struct LeafToken<'a> {
    leaf: Leaf<'a>,
    at: Range<u64>,
}

/// Tells how far a decode got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The bytes of the value: up to 3 more than there are where the engine would count padding that is
    /// missing.
    pub consumed: u64,
    /// The bytes after it.
    pub trailing: u64,
}

/// Walks encoded values into sinks. It owns the stack of open containers: keep it and use it again, then it
/// allocates nothing.
#[derive(Debug)]
pub struct Walker<F> {
    levels: Vec<Level<F>>,
    ledger: Ledger,
    /// Where the root stands, which may be an entry of a container that is read one by one.
    pub(crate) place: Context,
    /// The step of a path to what stands under the root, where that is a key.
    pub(crate) key: Option<Step>,
}

impl<F> Default for Walker<F> {
    fn default() -> Walker<F> {
        Walker { levels: Vec::new(), ledger: Ledger::default(), place: Context::ROOT, key: None }
    }
}

impl<F> Walker<F> {
    /// Makes a walker with nothing on its stack.
    #[must_use]
    pub fn new() -> Walker<F> {
        Walker::default()
    }

    /// Walks the one value that `bytes` begin with.
    ///
    /// # Errors
    /// Reports the first fault, with its byte and path. SAFE refuses bytes after the value; ENGINE reports
    /// them.
    pub fn decode<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(S::Output, Extent), Error> {
        let mut spot = ErrorLocation::default();
        self.judged(bytes, rules, sink, &mut spot).ok_or_else(|| spot.error())
    }

    /// Walks without making an error: `spot` then has what is wrong. Noted there it costs no memory once both
    /// are warm, and nothing is put into words.
    pub fn judged<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut S,
        spot: &mut ErrorLocation,
    ) -> Option<(S::Output, Extent)> {
        self.begin();
        let is_lax = rules.dialect.has_lax_text() && !rules.is_safe();
        let is_within = length(bytes) <= rules.limits.max_bytes;
        let repaired = if is_lax && is_within { repair::repaired(bytes, rules) } else { None };
        let bytes = repaired.as_deref().unwrap_or(bytes);
        let decoded = self.decode_root(bytes, rules, sink, &mut spot.fault);
        if decoded.is_none() {
            self.locate(bytes, 0, rules, spot);
        }
        self.levels.clear();
        if bytes.len() >= LARGE {
            self.ledger.let_go();
        }
        decoded
    }

    /// Notes the path to the fault that is in `spot`. `bytes` are those at hand, from offset `start`; the keys of a
    /// walk in pieces that stood before them are on its trail.
    #[cold]
    #[inline(never)]
    fn locate(&mut self, bytes: &[u8], start: u64, rules: &Rules, spot: &mut ErrorLocation) {
        self.settle(&mut spot.fault, rules);
        spot.clear();
        // The fault is in the key that the innermost level read last, which has a name.
        let is_doubled = spot.fault.kind == ErrorKind::DuplicateKey;
        let is_at_key = |level: &Level<F>| {
            is_doubled && level.depth == self.levels.len() && level.ty() == VariantType::Dictionary
        };
        for level in &self.levels {
            let at = match level.child() {
                Step::Entry(at) => at,
                Step::KeyOf(at) if is_at_key(level) => at,
                child => {
                    spot.step(child);
                    continue;
                }
            };
            let name = if level.key_at >= start {
                level.named_in(bytes, start, rules.dialect)
            } else {
                self.ledger.trail.key(level.depth)
            };
            spot.named(name, at);
        }
        if let Some(level) = self.levels.last() {
            level.explain(&mut spot.fault.kind);
        }
    }

    /// Forgets the walk before, and gives back the memory of a giant value.
    pub(crate) fn let_go(&mut self) {
        self.begin();
        self.ledger.let_go();
    }

    /// Forgets the walk before.
    pub(crate) fn begin(&mut self) {
        self.levels.clear();
        self.ledger.clear();
    }

    /// Before the bytes of a piece are given back, which begin at offset `start`: notes the keys in them that a path
    /// may need later. Only levels that changed in this piece are looked at, so time stays linear.
    pub(crate) fn note_keys(&mut self, bytes: &[u8], start: u64, rules: &Rules) {
        let changed = self.levels.iter().rev().take_while(|level| level.key_at >= start).count();
        let kept = self.levels.len().saturating_sub(changed);
        self.ledger.trail.forget_below(kept);
        for level in self.levels.get(kept..).unwrap_or_default() {
            if let Some(key) = level.current_key(bytes, start, rules.dialect) {
                self.ledger.trail.note(level.depth, key.step());
            }
        }
    }

    /// Makes the error for a fault of a walk in pieces, which is over then. `bytes` are those at hand, from
    /// offset `start`.
    pub(crate) fn fail(&mut self, fault: Fault, bytes: &[u8], start: u64, rules: &Rules) -> Error {
        let mut spot = ErrorLocation::default();
        spot.fault = fault;
        self.locate(bytes, start, rules, &mut spot);
        self.levels.clear();
        spot.error()
    }

    /// Decodes the root. `None`: `fault` has what is wrong; an answer with the fault in it would be moved
    /// more than once.
    fn decode_root<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut S,
        fault: &mut Fault,
    ) -> Option<(S::Output, Extent)> {
        let limit = rules.limits.max_bytes;
        if length(bytes) > limit {
            *fault = Fault::too_many_bytes(limit, Some(length(bytes)));
            return None;
        }
        let mut cursor = Cursor::new(bytes);
        let output = match self.walk(&mut cursor, rules, sink) {
            Ok(output) => output,
            Err(found) => {
                *fault = found;
                return None;
            }
        };
        let extent = Extent { consumed: cursor.at(), trailing: length(cursor.rest()) };
        if extent.trailing > 0 && rules.is_safe() {
            *fault = Fault::new(ErrorKind::TrailingBytes { count: extent.trailing }, extent.consumed);
            return None;
        }
        Some((output, extent))
    }

    /// Walks until the root is complete. On `Incomplete`, cursor and levels stand before the unfinished
    /// token, so that the walk can go on when more bytes have come.
    pub(crate) fn walk<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<S::Output, Fault> {
        self.ledger.leave_tables_to(sink);
        let mut opening = OpeningContainer::NONE;
        if self.levels.is_empty()
            && let Some(leaf) = self.root(cursor, rules, sink, &mut opening)?
        {
            return Ok(leaf);
        }
        loop {
            if self.fill(cursor, rules, sink, &mut opening)? {
                self.open(&opening, cursor, rules, sink)?;
            } else if let Some(root) = self.close(cursor.at(), rules, sink)? {
                return Ok(root);
            }
        }
    }

    /// Reads the root: a leaf is the result, a container becomes the first level.
    fn root<'a, S: Sink<Frame = F> + ?Sized>(
        &mut self,
        cursor: &mut Cursor<'a>,
        rules: &Rules,
        sink: &mut S,
        opening: &mut OpeningContainer<'a>,
    ) -> Result<Option<S::Output>, Fault> {
        let (at, place) = (cursor.at(), self.place);
        check_depth(0, rules, at)?;
        if !place.is_checked()
            && token::are_plain(rules)
            && let Some(container) = token::read_plain_opening(cursor, rules)
        {
            *opening = OpeningContainer { at, container };
            self.ledger.admit_plain(&opening.container, 0, rules, at)?;
            return self.open(opening, cursor, rules, sink).map(|()| None);
        }
        match token::read(cursor, rules)? {
            Token::Leaf(leaf) => {
                self.ledger.admit_leaf(&leaf, place, rules, at)?;
                self.ledger.charge_leaf(&leaf, place, rules, at..cursor.at())?;
                self.key = if place.is_key { leaf.key_step() } else { None };
                sink.leaf(at, leaf).map(Some).map_err(|refusal| Fault::new(refusal, at))
            }
            Token::Open(container) => {
                *opening = OpeningContainer { at, container };
                self.ledger.admit_container(&opening.container, place, rules, at)?;
                self.key = None;
                self.open(opening, cursor, rules, sink).map(|()| None)
            }
        }
    }

    /// Fills the innermost level until it is full, or until a container opens in it, which is put into
    /// `opening`. Tells whether one opens. This is the hot loop.
    fn fill<'a, S: Sink<Frame = F> + ?Sized>(
        &mut self,
        cursor: &mut Cursor<'a>,
        rules: &Rules,
        sink: &mut S,
        opening: &mut OpeningContainer<'a>,
    ) -> Result<bool, Fault> {
        let Some(level) = self.levels.last_mut() else { return Ok(false) };
        let has_plain_items = !Trick::WalkPlain.is_off()
            && self.ledger.takes_scalars(rules)
            && check_depth(level.depth, rules, 0).is_ok();
        while !level.is_full() {
            if has_plain_items {
                if self.ledger.plain(level, Input { cursor, opening }, rules, sink)? {
                    return Ok(true);
                }
                if level.is_full() {
                    break;
                }
            }
            if self.ledger.careful(level, Input { cursor, opening }, rules, sink)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn open<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        OpeningContainer { at, container }: &OpeningContainer<'_>,
        cursor: &Cursor<'_>,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<(), Fault> {
        if let Some(around) = self.levels.last_mut() {
            self.ledger.promised = self.ledger.promised.saturating_sub(around.child_begins());
        }
        let entry = self.ledger.open(container, cursor.rest().len(), rules);
        let frame = sink.open(*at, *container, entry.promised).map_err(|refusal| Fault::new(refusal, *at))?;
        let depth = self.levels.len().saturating_add(1);
        self.levels.push(Level::new(container, frame, depth, entry, *at));
        Ok(())
    }

    /// Closes the innermost level and hands it to the one around it; the root is returned.
    fn close<S: Sink<Frame = F> + ?Sized>(
        &mut self,
        at: u64,
        rules: &Rules,
        sink: &mut S,
    ) -> Result<Option<S::Output>, Fault> {
        // The level is read where it lies, and only its frame is moved, for the reason that `OpeningContainer` gives.
        let closed = self.levels.last().map(|level| self.ledger.close(level, rules));
        let (Some(closed), Some(Level { frame, .. })) = (closed, self.levels.pop()) else {
            return Err(Fault::new(ErrorKind::Refused, at));
        };
        closed.map_err(|kind| Fault::new(kind, at))?;
        let (cost_at, cost) = sink.adds();
        self.ledger.add(cost, rules, cost_at)?;
        let output = sink.close(frame).map_err(|refusal| Fault::new(refusal, at))?;
        match self.levels.last_mut() {
            Some(around) => {
                self.ledger.probe(around, rules, at, || sink.key_hash(&output))?;
                self.ledger.deliver(around, output, sink, at).map(|()| None)
            }
            None => Ok(Some(output)),
        }
    }

    /// Replaces the fault where a key that was read before it, and not judged yet, is one too many.
    fn settle(&mut self, fault: &mut Fault, rules: &Rules) {
        if let Err(kind) = self.ledger.probes.settle(rules) {
            fault.kind = kind;
        }
    }
}

#[inline]
fn check_depth(depth: usize, rules: &Rules, at: u64) -> Result<(), Fault> {
    let limit = rules.limits.max_depth;
    if u64::try_from(depth).unwrap_or(u64::MAX) < limit {
        Ok(())
    } else {
        Err(Fault::new(ErrorKind::TooDeep { limit }, at))
    }
}

impl Walker<()> {
    /// Checks that bytes hold one value, without building it: [`validate`] with a walker that is used again. The plain
    /// reader is enough where nothing in them is unusual; other bytes are read once more, by a walk, which tells what is
    /// wrong.
    ///
    /// # Errors
    /// Fails as [`Walker::decode`] does.
    pub fn validate(&mut self, bytes: &[u8], rules: &Rules) -> Result<Extent, Error> {
        match is_flat(bytes, rules) {
            true => Ok(Extent { consumed: length(bytes), trailing: 0 }),
            false => self.decode(bytes, rules, &mut Skip).map(|((), extent)| extent),
        }
    }

    /// Does what [`Walker::decode`] does, for a sink that makes nothing and need not be fast: all such walks are one function,
    /// which keeps programs small.
    ///
    /// # Errors
    /// Fails as [`Walker::decode`] does.
    #[inline(never)]
    pub fn visit(
        &mut self,
        bytes: &[u8],
        rules: &Rules,
        sink: &mut dyn Sink<Output = (), Frame = ()>,
    ) -> Result<Extent, Error> {
        self.decode(bytes, rules, sink).map(|((), extent)| extent)
    }

    /// Counts the value that these bytes hold against the limits, whether it is within them or not.
    ///
    /// # Errors
    /// Reports what is wrong with the bytes, by the rules of an engine.
    pub fn cost(&mut self, bytes: &[u8]) -> Result<Cost, Error> {
        self.decode(bytes, &Rules { full_objects: true, ..Rules::engine() }, &mut Skip)?;
        Ok(self.ledger.cost())
    }
}

/// Checks that bytes hold one value, without building it.
///
/// # Errors
/// Fails as [`Walker::decode`] does.
pub fn validate(bytes: &[u8], rules: &Rules) -> Result<Extent, Error> {
    Walker::new().validate(bytes, rules)
}

/// Returns what Godot 4.6.3's `hash()` says of an encoded value, in a build of the precision that the rules
/// name. Objects hash by their address there, which no bytes tell.
///
/// # Errors
/// Fails as [`Walker::decode`] does.
pub fn key_hash(bytes: &[u8], rules: &Rules) -> Result<u32, Error> {
    let mut hash = KeyHash::alone(rules.reals);
    Walker::new().visit(bytes, rules, &mut hash)?;
    Ok(hash.last())
}

/// Returns the type of an encoded value of Godot 4, by its header alone.
#[must_use]
pub fn peek_type(bytes: &[u8]) -> Option<VariantType> {
    Cursor::new(bytes).u32().ok().and_then(|word| crate::wire::Header(word).ty(Dialect::Godot4))
}

#[cfg(test)]
mod tests;
