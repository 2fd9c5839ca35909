//! Writes values token by token into a buffer that may be reused, in one pass, within limits.
//!
//! The [`Encoder`] is also a [`Sink`], so a walk can be written straight out again. It does not read Variants
//! or [`Value`](crate::Value)s; their sources do that and call it.

use crate::fault::{ErrorKind, Fault};
use crate::sink::{Refusal, Sink};
use crate::token::{Container, Leaf, Output, Text, TextForm, Writer, put_short_text, utf8_length};
use crate::wire::{Lane, Limits, Target, VariantType};

/// The engine's own bound on a length: an i32.
const MAX_LENGTH: usize = 0x7FFF_FFFF;

/// The most bytes that a text takes which is written by one copy, with its header.
const MOST_OF_SHORT: u64 = 24;

/// The property that holds an object's script.
const SCRIPT: &str = "script";

/// Writes one value. Everything is checked against `max_depth` and `max_output_bytes` before it is written.
#[derive(Debug)]
pub struct Encoder<'o, O: Output = Vec<u8>> {
    output: &'o mut O,
    /// The output length at which `max_output_bytes` is reached.
    end: u64,
    start: u64,
    limits: Limits,
    target: Target,
    /// Whether the target may be unable to read something; the default target reads everything.
    is_limited: bool,
    /// Whether an object's script may be written, whatever its value is.
    writes_scripts: bool,
    /// The containers opened and not closed.
    depth: u64,
    /// Whether the last token was the name of an object's script, so that the script comes next.
    script_next: bool,
}

impl<'o, O: Output> Encoder<'o, O> {
    /// Appends to `output`, at most `limits.max_output_bytes` more.
    #[must_use]
    pub fn new(output: &'o mut O, limits: &Limits) -> Encoder<'o, O> {
        let start = output.len();
        Encoder {
            output,
            start,
            end: start.saturating_add(limits.max_output_bytes),
            limits: *limits,
            target: Target::default(),
            is_limited: false,
            writes_scripts: true,
            depth: 0,
            script_next: false,
        }
    }

    /// Writes for another reader: a value that it cannot read is refused as `NotInDialect`, types of
    /// containers that it does not know are left out, and doubles in vectors and matrices become singles
    /// where it reads no doubles.
    #[must_use]
    pub const fn for_target(mut self, target: Target) -> Encoder<'o, O> {
        self.target = target;
        self.is_limited = !target.is_newest_godot_4();
        self.writes_scripts = target.knows_script_paths();
        self
    }

    /// Refuses scripts whatever the target knows.
    pub(crate) const fn without_scripts(mut self) -> Encoder<'o, O> {
        self.writes_scripts = false;
        self.is_limited = true;
        self
    }

    /// Returns the number of bytes written so far.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.output.len().saturating_sub(self.start)
    }

    /// Returns the output, for callers that move what was written.
    pub(crate) const fn output_mut(&mut self) -> &mut O {
        self.output
    }

    /// Makes a fault of this kind at the byte reached.
    #[cold]
    #[must_use]
    pub fn fault(&self, kind: ErrorKind) -> Fault {
        Fault::new(kind, self.at())
    }

    /// Writes a whole value.
    ///
    /// # Errors
    /// Fails with `TooDeep`, `NotInDialect`, `OutputTooLarge` or `TooLong`; nothing of the leaf is written
    /// then.
    #[inline]
    pub fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        self.leaf_here(leaf)
    }

    /// Writes a whole value, inlined, for a caller that knows which leaf it is: the checks for all others are
    /// left out then.
    #[inline(always)]
    pub(crate) fn leaf_here(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        self.nest()?;
        if self.is_limited {
            self.check_leaf(leaf)?;
        }
        let payload = match leaf {
            Leaf::Text(_, text) | Leaf::Signal(text, _) => text.as_bytes().len(),
            Leaf::Math(_, lanes) => lanes.bytes().len(),
            Leaf::Packed(_, lanes) => lanes.bytes().len(),
            _ => 0,
        };
        self.room(payload)?;
        Writer::new(self.output, self.target).leaf_here(leaf);
        Ok(())
    }

    /// Writes a String or StringName of at most 16 bytes by one copy, inlined, and tells whether it did: nothing is
    /// written of a longer text, of one that a reader would cut or take a mark from, for other targets, and where
    /// [`Encoder::leaf`] could refuse it. The compiler makes the bytes of a text that it knows, such as a field's name.
    #[inline(always)]
    pub fn short_text(&mut self, ty: VariantType, text: &str) -> bool {
        let has_room = self.output.len().saturating_add(MOST_OF_SHORT) <= self.end;
        let is_allowed = !self.is_limited && has_room && self.depth < self.limits.max_depth;
        is_allowed && put_short_text(self.output, ty, text)
    }

    /// Opens a container; `close` ends it after its children.
    ///
    /// # Errors
    /// Fails as [`Encoder::leaf`] does.
    pub fn open(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        self.nest()?;
        if self.is_limited {
            self.check_opening(container)?;
        }
        self.room(0)?;
        Writer::new(self.output, self.target).open(container);
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// Writes another count into an Array or Dictionary that was opened before, for callers that learn it only at
    /// its end. `end`: what [`Encoder::at`] said right after its opening.
    ///
    /// # Errors
    /// `TooLong`.
    pub fn recount(&mut self, end: u64, count: usize) -> Result<(), Fault> {
        let count = i32::try_from(count).map_err(|_| self.fault(ErrorKind::TooLong))?;
        let at = self.start.saturating_add(end.saturating_sub(4));
        self.output.put_over(at, count.to_le_bytes());
        Ok(())
    }

    /// Ends the container opened last.
    pub fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Writes a bare text of the container opened last.
    ///
    /// # Errors
    /// Fails with `OutputTooLarge` or `TooLong`.
    pub fn text(&mut self, form: TextForm, text: &str) -> Result<(), Fault> {
        self.room(text.len())?;
        match form {
            TextForm::Terminated => Writer::new(self.output, self.target).terminated(text),
            TextForm::Plain | TextForm::PathName => Writer::new(self.output, self.target).text(text),
        }
        self.note_name(form, || text == SCRIPT);
        Ok(())
    }

    /// Notes whether a property of this name is a script, which not every target reads.
    fn note_name(&mut self, form: TextForm, is_script: impl FnOnce() -> bool) {
        self.script_next = self.is_limited && form == TextForm::Plain && is_script();
    }

    /// Checks that the target can read a value of this type here.
    fn check(&mut self, ty: VariantType) -> Result<(), Fault> {
        let is_script = std::mem::take(&mut self.script_next);
        if is_script && ty != VariantType::Nil && !self.writes_scripts {
            return Err(self.fault(ErrorKind::NotInDialect { ty: VariantType::Object }));
        }
        if self.target.knows(ty) { Ok(()) } else { Err(self.fault(ErrorKind::NotInDialect { ty })) }
    }

    /// Checks an opening; a path that the reader would take for another is refused.
    fn check_opening(&mut self, container: &Container<'_>) -> Result<(), Fault> {
        let ty = container.ty();
        self.check(ty)?;
        let is_root = matches!(container, Container::NodePath { absolute: true, names: 0, subnames: 0 });
        if is_root && self.target.dialect().forgets_root_path() {
            return Err(self.fault(ErrorKind::NotInDialect { ty }));
        }
        Ok(())
    }

    /// Writes a `String` or `StringName` from its characters.
    ///
    /// # Errors
    /// Fails as [`Encoder::leaf`] does.
    pub fn chars(&mut self, ty: VariantType, chars: &[char]) -> Result<(), Fault> {
        self.nest()?;
        if self.is_limited {
            self.check(ty)?;
        }
        self.chars_room(chars)?;
        Writer::new(self.output, self.target).headed_chars(ty, chars);
        Ok(())
    }

    /// Writes a bare text of the container opened last from its characters.
    ///
    /// # Errors
    /// Fails as [`Encoder::text`] does.
    pub fn text_chars(&mut self, form: TextForm, chars: &[char]) -> Result<(), Fault> {
        self.chars_room(chars)?;
        Writer::new(self.output, self.target).chars(chars, form);
        self.note_name(form, || chars.iter().copied().eq(SCRIPT.chars()));
        Ok(())
    }

    /// Checks that characters fit. Short texts are not measured: 4 bytes a character is the most they take.
    fn chars_room(&self, chars: &[char]) -> Result<(), Fault> {
        let most = chars.len().saturating_mul(4);
        if self.room(most).is_ok() {
            return Ok(());
        }
        self.room(usize::try_from(utf8_length(chars)).unwrap_or(usize::MAX))
    }

    /// Checks a leaf, whose payload may be more than the target reads.
    fn check_leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Fault> {
        let dialect = self.target.dialect();
        let ty = match leaf {
            // It is written as nil.
            Leaf::ObjectId(0) => VariantType::Nil,
            other => other.ty(),
        };
        self.check(ty)?;
        let lost = match leaf {
            Leaf::Rid(id) => *id != 0 && !dialect.has_rid_payload(),
            Leaf::Math(ty, lanes) if lanes.lane() == Lane::F64 && dialect.has_doubles() => {
                !self.target.knows_doubles_in(*ty)
            }
            _ => false,
        };
        if lost { Err(self.fault(ErrorKind::NotInDialect { ty })) } else { Ok(()) }
    }

    #[inline]
    fn nest(&self) -> Result<(), Fault> {
        let limit = self.limits.max_depth;
        if self.depth < limit { Ok(()) } else { Err(self.fault(ErrorKind::TooDeep { limit })) }
    }

    /// Checks that a payload of this size may still be written, with the one word that every token has beside
    /// it. The rest of a token passes the limit by a few bytes at most, which `finish` checks.
    #[inline]
    fn room(&self, payload: usize) -> Result<(), Fault> {
        if payload >= MAX_LENGTH {
            return Err(self.fault(ErrorKind::TooLong));
        }
        let payload = u64::try_from(payload).unwrap_or(u64::MAX);
        let smallest = payload.saturating_add(4);
        if self.output.len().saturating_add(smallest) > self.end {
            let limit = self.limits.max_output_bytes;
            return Err(self.fault(ErrorKind::OutputTooLarge { limit }));
        }
        Ok(())
    }

    /// Ends the encode when the value is complete: the last token may have passed the limit by a few bytes.
    ///
    /// # Errors
    /// Fails with `OutputTooLarge`.
    pub fn finish(self) -> Result<u64, Fault> {
        let limit = self.limits.max_output_bytes;
        if self.output.len() > self.end {
            return Err(self.fault(ErrorKind::OutputTooLarge { limit }));
        }
        Ok(self.at())
    }
}

/// Writes the bytes of a walk in canonical form: narrow ints, zero padding, counts without flags.
impl<O: Output> Sink for Encoder<'_, O> {
    type Output = ();
    type Frame = TextForm;

    fn leaf(&mut self, _: u64, leaf: Leaf<'_>) -> Result<(), Refusal> {
        Encoder::leaf(self, &leaf).map_err(|fault| fault.kind)
    }

    fn open(&mut self, _: u64, container: Container<'_>, _: usize) -> Result<TextForm, Refusal> {
        Encoder::open(self, &container).map_err(|fault| fault.kind)?;
        Ok(match container {
            Container::PackedStrings { .. } => TextForm::Terminated,
            Container::NodePath { .. } => TextForm::PathName,
            _ => TextForm::Plain,
        })
    }

    fn text(&mut self, frame: &mut TextForm, text: Text<'_>) -> Result<(), Refusal> {
        Encoder::text(self, *frame, text.as_str()).map_err(|fault| fault.kind)
    }

    fn close(&mut self, _: TextForm) -> Result<(), Refusal> {
        Encoder::close(self);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
