//! Moves a FrameReader step by step: to a frame, to an entry's key, to its value, and out again. The public
//! methods are in `mod.rs`.

use super::{FrameReader, Framing, FramingState, ReadMode, Stop};
use crate::cursor::{Cursor, Shortage, length};
use crate::error::Error;
use crate::fault::{ErrorKind, Fault, Part, word};
use crate::path::{Path, Step};
use crate::sink::Sink;
use crate::token::{self, Token};
use crate::walk::{ContainerGrant, Context, Level};
use crate::wire::{Dialect, Header, VariantType};

impl<S: Sink> FrameReader<S> {
    /// Reads one entry or value; a skipped one gives `None`.
    pub(super) fn entry(&mut self, way: ReadMode, input: &mut &[u8]) -> Result<Option<S::Output>, Stop> {
        self.begin(input)?;
        self.read_key(way, input)?;
        let output = self.part(way, input)?;
        self.end_value()?;
        Ok(output)
    }

    /// Reads the key of the entry that comes next, where it has one.
    pub(super) fn read_key(&mut self, way: ReadMode, input: &mut &[u8]) -> Result<(), Stop> {
        match self.levels.last() {
            Some(level) if level.is_full() => return Err(Stop::End),
            Some(level) if level.awaits_key() => {}
            _ => return Ok(()),
        }
        self.key = self.part(way, input)?;
        let name = self.values.take_key().or_else(|| self.skips.take_key());
        if let Some(level) = self.levels.last_mut() {
            level.key_done();
            level.frame = name;
        }
        Ok(())
    }

    fn part(&mut self, way: ReadMode, input: &mut &[u8]) -> Result<Option<S::Output>, Stop> {
        let way = *self.way.get_or_insert(way);
        if self.values.position() == 0 && self.skips.position() == 0 {
            self.part_at = self.intake.part_at();
            let place = self.place();
            self.values.set_place(place);
            self.skips.set_place(place);
            self.intake.kept.clear();
            self.refused = Vec::new();
        }
        let is_key = self.place().is_key;
        self.intake.keeps = way == ReadMode::Keep && !is_key;
        let outcome = if way == ReadMode::Build || (way == ReadMode::Keep && is_key) {
            self.intake.drive(&mut self.values, input).map(|output| output.map(Some))
        } else {
            self.intake.drive(&mut self.skips, input).map(|output| output.map(|()| None))
        };
        match outcome {
            Ok(Some(output)) => Ok(output),
            Ok(None) => Err(self.need(self.intake.needed)),
            Err(error) => Err(self.refuse(&error)),
        }
    }

    pub(super) fn opening(&mut self, input: &mut &[u8]) -> Result<Level<Option<Step>>, Stop> {
        loop {
            if is_leaf(&self.intake.head, self.rules.dialect) {
                return Err(Stop::Misplaced);
            }
            let mut cursor = Cursor::piece(&self.intake.head, 0);
            match token::read(&mut cursor, &self.rules) {
                Ok(Token::Open(container)) => {
                    // Its entries are counted against no limit, because they are never in memory together.
                    let (ty, level) =
                        (container.ty(), Level::new(&container, None, 0, ContainerGrant::default(), 0));
                    let entered = self.place().check(ty, ty, &self.rules).map(|()| level);
                    return entered.map_err(|kind| self.refuse_at(kind, 0));
                }
                Ok(Token::Leaf(_)) => return Err(Stop::Misplaced),
                Err(fault @ Fault { kind: ErrorKind::Incomplete { needed, .. }, .. }) => {
                    let before = self.intake.head.len();
                    let lacks = self.intake.take(u64::from(needed), input);
                    let is_last = self.intake.left == 0;
                    // The rest of the frame was taken: the opening is read once more, for the details of the
                    // shortage.
                    let is_new = is_last && self.intake.head.len() > before;
                    if lacks > 0 && is_last && !is_new {
                        return Err(self.refuse_at(fault.kind, fault.at));
                    } else if lacks > 0 && !is_last {
                        // No more than the frame has left can come.
                        return Err(self.need(lacks.min(self.intake.left)));
                    }
                }
                Err(fault) => return Err(self.refuse_at(fault.kind, fault.at)),
            }
        }
    }

    /// Returns what is known of the key or value that comes next, which is read as a value by itself.
    fn place(&self) -> Context {
        let inner = self.levels.last().map_or(Context::ROOT, Level::context);
        Context { declared: inner.declared.filter(|_| self.rules.is_safe()), depth: 0, ..inner }
    }

    /// Brings the reader to where a value begins or goes on.
    pub(super) fn begin(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        if let Some(error) = &self.error {
            return Err(Stop::Broken(error.clone()));
        }
        loop {
            match self.state {
                FramingState::Inside => return Ok(()),
                FramingState::Dropping => {
                    let lacks = self.intake.drop_rest(input);
                    if lacks > 0 {
                        return Err(self.need(lacks));
                    }
                    self.state = FramingState::Between;
                    self.intake.left = u64::MAX;
                }
                FramingState::Between => self.begin_frame(input)?,
            }
        }
    }

    fn begin_frame(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        if self.intake.is_closed && self.intake.head.is_empty() && input.is_empty() {
            return Err(Stop::End);
        }
        if self.framing == Framing::None {
            if input.is_empty() {
                self.value_at = self.intake.at();
                return Err(self.need(4));
            }
            self.open(u64::MAX);
            return Ok(());
        }
        let frame_at = self.intake.at();
        let declared = loop {
            if let Some((declared, _)) = self.framing.read_length(&self.intake.head) {
                break declared;
            }
            let least = u64::try_from(self.framing.least_length()).unwrap_or(u64::MAX);
            let lacks = self.intake.take(least.saturating_sub(length(&self.intake.head)).max(1), input);
            if lacks > 0 {
                (self.value_at, self.frame_at) = (frame_at, frame_at);
                return Err(self.need(lacks));
            }
        };
        self.intake.head.clear();
        self.open(declared);
        self.frame_at = frame_at;
        // A length over the limit is most likely no length at all.
        self.check_length(declared)?;
        self.intake.is_bounded = true;
        Ok(())
    }

    /// Refuses a frame over the limit by its length.
    #[inline]
    pub(super) fn check_length(&mut self, declared: u64) -> Result<(), Stop> {
        let limit = self.rules.limits.max_bytes;
        if declared <= limit {
            return Ok(());
        }
        let Fault { kind, at } = Fault::too_many_bytes(limit, Some(declared));
        Err(self.refuse_at(kind, at))
    }

    pub(super) fn open(&mut self, length: u64) {
        self.state = FramingState::Inside;
        self.intake.left = length;
        self.intake.is_bounded = false;
        self.intake.unpadded = 0;
        self.value_at = self.intake.at();
        (self.part_at, self.frame_at) = (self.value_at, self.value_at);
        if self.rules != self.wanted {
            self.rules = self.wanted;
            self.nest();
        }
    }

    /// Ends the value or entry that was being read, which is whole.
    pub(super) fn end_value(&mut self) -> Result<(), Stop> {
        self.way = None;
        if let Some(level) = self.levels.last_mut() {
            level.item_done();
            level.frame = None;
            return Ok(());
        }
        self.state = if self.intake.is_bounded { FramingState::Dropping } else { FramingState::Between };
        let count = self.intake.left;
        if self.intake.is_bounded && count > 0 && self.rules.is_safe() {
            let at = self.intake.at().saturating_sub(self.value_at);
            self.part_at = self.value_at;
            return Err(self.refuse_at(ErrorKind::TrailingBytes { count }, at));
        }
        Ok(())
    }

    /// Reduces the allowed depth for the entries of the containers that were entered.
    pub(super) fn nest(&mut self) {
        let mut rules = self.rules;
        let entered = u64::try_from(self.levels.len()).unwrap_or(u64::MAX);
        rules.limits.max_depth = rules.limits.max_depth.saturating_sub(entered);
        self.values.set_rules(rules);
        self.skips.set_rules(rules);
    }

    pub(super) fn need(&mut self, at_least: u64) -> Stop {
        if !self.intake.is_closed {
            return Stop::NeedMore { at_least };
        }
        // The stream was cut off in the middle: there is no next frame to go on with.
        self.intake.is_bounded = false;
        self.part_at = self.value_at;
        let at = self.intake.at().saturating_sub(self.value_at);
        let kind = match self.state {
            FramingState::Inside if self.framing != Framing::None && self.levels.is_empty() => {
                let (declared, left) = (word(at.saturating_add(self.intake.left)), word(at));
                ErrorKind::Incomplete { needed: word(at_least), part: Part::Frame, declared, left }
            }
            _ => Fault::incomplete(Shortage(at_least), at, length(&self.intake.head)).kind,
        };
        self.refuse_at(kind, at)
    }

    #[cold]
    pub(super) fn refuse_at(&mut self, kind: ErrorKind, at: u64) -> Stop {
        self.refuse(&Error::new(Fault::new(kind, at), Path::default()))
    }

    /// Gives up the value, and with it the frame or the stream. The error names its place from the value's
    /// start.
    #[cold]
    pub(super) fn refuse(&mut self, error: &Error) -> Stop {
        let at = error.offset().saturating_add(self.part_at.saturating_sub(self.value_at));
        let inner = error.path().0.iter().cloned();
        // Bytes behind the value, and a cut frame, are no fault of an entry.
        let is_whole = matches!(error.kind(), ErrorKind::TrailingBytes { .. });
        let step = |level: &Level<Option<Step>>| level.frame.clone().unwrap_or_else(|| level.child());
        let outer = self.levels.iter().map(step).take(if is_whole { 0 } else { usize::MAX });
        let mut kind = error.kind();
        if let ErrorKind::TooDeep { limit } = &mut kind {
            *limit = self.rules.limits.max_depth;
        } else if error.path().is_root()
            && let Some(level) = self.levels.last()
        {
            level.explain(&mut kind);
        }
        let error = Error::new(Fault::new(kind, at), Path(outer.chain(inner).collect()));
        self.refused = std::mem::take(&mut self.intake.kept);
        self.forget();
        if self.intake.is_bounded {
            self.state = FramingState::Dropping;
            return Stop::Rejected(error);
        }
        self.error = Some(error.clone());
        Stop::Broken(error)
    }

    /// Forgets everything that was begun or entered.
    pub(super) fn forget(&mut self) {
        self.values.reset();
        self.skips.reset();
        self.intake.head.clear();
        self.intake.kept = Vec::new();
        self.levels.clear();
        self.key = None;
        self.way = None;
        self.nest();
    }
}

/// Tells whether these bytes begin a value that is neither an Array nor a Dictionary. An unknown type is left
/// to the reader.
fn is_leaf(head: &[u8], dialect: Dialect) -> bool {
    let word = head.first_chunk::<4>().copied().map(u32::from_le_bytes);
    let ty = word.and_then(|word| Header(word).ty(dialect));
    ty.is_some_and(|ty| !matches!(ty, VariantType::Array | VariantType::Dictionary))
}
