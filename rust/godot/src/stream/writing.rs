//! Writing: values behind one another, whole or container by container, each byte once and in its place.
//!
//! Numbers that are not certain yet (a frame's length, a count that was not told) stand as zeros and are put
//! right when they are known: in the buffer, or in the file. Where bytes cannot be taken back, none goes out
//! before it is certain.

use std::sync::Arc;

use godot::builtin::{PackedByteArray, Variant};
use godot::global::{Error, push_warning};
use godot::meta::ToGodot;
use variant_core::token::{Container, ContainerType};
use variant_core::{Encoder, ErrorKind, Framing};
use variant_save::OldFile;

use super::open_container::{NextPart, OpenContainer, OpenKind, misplaced};
use super::output::WriterOutput;
use super::{CHUNK, trouble};
use crate::call::codec::{Codec, Rules, append, sorted};
use crate::call::form::KeptPacking;
use crate::call::form::{Call, CallForm, KeptCall};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::objects;
use crate::raw::in_place::EncodeRoom;

/// Kept of the buffer between values.
const KEPT: usize = 1 << 20;

/// A stream that is being written.
pub(crate) struct Writing {
    outlet: WriterOutput,
    framing: Framing,
    /// Bytes that are not gone yet.
    buffer: Vec<u8>,
    room: EncodeRoom,
    /// Where in the stream the buffer begins.
    start: u64,
    open: Vec<OpenContainer>,
    /// Where the length of the frame stands that is being written.
    frame_at: Option<u64>,
    /// Where the value begins that is being written, behind its length.
    value_at: u64,
    /// The schema of the value that is being written. Nothing of it goes out before it is checked.
    schema: Option<Arc<BoundSchema>>,
    /// How the values that begin from now on are packed, if they are.
    packing: Option<KeptPacking>,
    /// The engine room of those checks, and of packing, made at the first.
    pub(crate) checking: Option<Box<Codec>>,
    /// INVARIANT: set once bytes were lost; nothing is written after that.
    broken: Option<Problem>,
    /// Why the first value is not there, as long as none is.
    refused: Option<Problem>,
}

impl Writing {
    pub(crate) fn new(outlet: WriterOutput, framing: Framing) -> Writing {
        Writing {
            outlet,
            framing,
            buffer: Vec::new(),
            room: EncodeRoom::default(),
            start: 0,
            open: Vec::new(),
            frame_at: None,
            value_at: 0,
            schema: None,
            packing: None,
            checking: None,
            broken: None,
            refused: None,
        }
    }

    /// Sets the schema and form of the values that begin from now on.
    pub(crate) fn go_by(&mut self, call: &KeptCall) {
        if self.open.is_empty() {
            self.schema.clone_from(&call.held);
            self.packing.clone_from(&call.packing);
        }
    }

    /// Tells whoever wrote the game that the end was forgotten. There is nobody to ask whether it was.
    #[cold]
    pub(crate) fn warn_of_no_end(&self) {
        if self.position() == 0 || self.broken.is_some() {
            return;
        }
        let Some(name) = self.outlet.file_name() else { return };
        let what = match self.outlet.is_saved() {
            true => "the file is as it was before",
            false => "its end may be missing",
        };
        let message = format!("VariantWriter: {name}: the writer ended without close(), and {what}");
        push_warning(&[message.to_variant()]);
    }

    /// Bytes of the stream so far, whether they are gone or not.
    pub(crate) fn position(&self) -> u64 {
        self.start.saturating_add(length(&self.buffer))
    }

    /// Bytes that wait for their peer or file.
    pub(crate) fn pending(&self) -> usize {
        match self.outlet {
            WriterOutput::Buffer => 0,
            _ => self.buffer.len().saturating_add(self.outlet.waiting()),
        }
    }

    /// Whether what is pending may stay so for as long as somebody else likes.
    pub(crate) const fn waits_for_peer(&self) -> bool {
        matches!(self.outlet, WriterOutput::Stream(_) | WriterOutput::Frames(..) | WriterOutput::Packets(_))
    }

    pub(crate) const fn depth(&self) -> usize {
        self.open.len()
    }

    /// Returns what was written into a buffer.
    pub(crate) fn buffer(&self) -> PackedByteArray {
        match self.outlet {
            WriterOutput::Buffer => PackedByteArray::from(self.buffer.as_slice()),
            _ => PackedByteArray::new(),
        }
    }

    /// Writes a value, as a whole or as the next element or value of the container begun last.
    pub(crate) fn write(&mut self, s: &Settings, value: &Variant) -> Result<(), Problem> {
        self.check_place(NextPart::Value)?;
        self.put(s, value)?;
        self.value_done(s)
    }

    /// Writes the key of a Dictionary's next entry.
    pub(crate) fn write_key(&mut self, s: &Settings, key: &Variant) -> Result<(), Problem> {
        self.check_place(NextPart::Key)?;
        self.put(s, key)?;
        if let Some(open) = self.open.last_mut() {
            open.has_key = true;
        }
        self.drain()
    }

    /// Both, or neither.
    pub(crate) fn write_entry(
        &mut self,
        s: &Settings,
        key: &Variant,
        value: &Variant,
    ) -> Result<(), Problem> {
        self.check_place(NextPart::Key)?;
        let before = self.buffer.len();
        self.put(s, key)?;
        self.put(s, value).inspect_err(|_| self.buffer.truncate(before))?;
        self.value_done(s)
    }

    /// Begins an Array, or a Dictionary, of so many entries, or of as many as will come.
    pub(crate) fn begin(
        &mut self,
        s: &Settings,
        kind: OpenKind,
        declared: Option<u32>,
    ) -> Result<(), Problem> {
        self.check_place(NextPart::Value)?;
        if self.schema.as_ref().is_some_and(|held| held.classes.is_some()) {
            let why = "a document of objects is written as a whole: write() it, or set codec.classes to null";
            return Err(misplaced(why));
        }
        if self.packing.is_some() {
            let why = "a packed value is written as a whole: write() it, or set codec.form to FORM_VARIANT";
            return Err(misplaced(why));
        }
        let before = self.buffer.len();
        self.begin_frame();
        let count = declared.unwrap_or(0);
        let (none, key) = (ContainerType::None, ContainerType::None);
        let container = match kind {
            OpenKind::Dictionary => Container::Dictionary { key, value: none, count },
            OpenKind::Array => Container::Array { element: none, count },
        };
        if let Err(problem) = self.put_opening(s, &container) {
            self.roll_back(before);
            return Err(problem);
        }
        let count_at = self.position().saturating_sub(4);
        self.open.push(OpenContainer { kind, declared, count_at, done: 0, has_key: false });
        self.drain()
    }

    /// Ends the container begun last.
    pub(crate) fn end(&mut self, s: &Settings) -> Result<(), Problem> {
        self.make_way()?;
        let Some(open) = self.open.last() else {
            return Err(misplaced("nothing to end: begin_array() or begin_dictionary() comes first"));
        };
        open.check_end()?;
        let (count_at, done, is_told) = (open.count_at, open.done, open.declared.is_some());
        if !is_told {
            self.patch(count_at, done.to_le_bytes())?;
        }
        self.open.pop();
        self.value_done(s)
    }

    /// Gets rid of what can go; a peer may leave some of it for the next time.
    pub(crate) fn flush(&mut self) -> Result<(), Problem> {
        self.make_way()?;
        self.drain_all()
    }

    /// Whether the stream could end here.
    pub(crate) fn check_end(&self) -> Result<(), Problem> {
        self.check_broken()?;
        if self.open.is_empty() {
            Ok(())
        } else {
            Err(misplaced("a container was begun and not ended: end() comes before close()"))
        }
    }

    /// Ends the stream; what became of it is in the answer. A file in which nothing is, since what was to be written was
    /// refused, does not take the place of one in which something is.
    pub(crate) fn finish(&mut self, old: OldFile) -> Result<(), Problem> {
        match self.refused.take() {
            Some(refused) if self.start == 0 && self.buffer.is_empty() && self.outlet.is_saved() => {
                Err(refused)
            }
            _ if self.outlet.is_file() => {
                std::mem::replace(&mut self.outlet, WriterOutput::Buffer).finish(old)
            }
            _ => Ok(()),
        }
    }

    /// Notes that a call was refused.
    pub(crate) fn note_refusal(&mut self, problem: &Problem) {
        if self.refused.is_none() && self.position() == 0 {
            self.refused = Some(problem.clone());
        }
    }

    /// Whether a value, or a key, may come now.
    fn check_place(&mut self, next: NextPart) -> Result<(), Problem> {
        self.make_way()?;
        match self.open.last() {
            Some(open) => open.check_next(next),
            None if next == NextPart::Key => {
                Err(misplaced("a key outside of a Dictionary: begin_dictionary() comes first"))
            }
            None => Ok(()),
        }
    }

    /// Before anything is added: packets that wait go first, and what is wrong with them is not what is added.
    fn make_way(&mut self) -> Result<(), Problem> {
        self.check_broken()?;
        self.outlet.send_packets()
    }

    fn check_broken(&self) -> Result<(), Problem> {
        self.broken.clone().map_or(Ok(()), Err)
    }

    /// Adds the bytes of a value, or nothing.
    fn put(&mut self, s: &Settings, value: &Variant) -> Result<(), Problem> {
        let before = self.buffer.len();
        if self.packing.is_some() {
            return self.put_packed(s, value).inspect_err(|_| self.roll_back(before));
        }
        self.begin_frame();
        let start = self.buffer.len();
        let classes = self.schema.as_ref().and_then(|held| held.classes.clone());
        let appended = match (&classes, self.open.is_empty() && !self.outlet.is_file()) {
            (Some(classes), _) => objects::appended(s, classes, value, &mut self.room, &mut self.buffer),
            (None, true) => append(s, value, &mut self.room, &mut self.buffer),
            (None, false) => append(&self.within(s), value, &mut self.room, &mut self.buffer),
        };
        let form = if classes.is_some() { s.for_document() } else { *s };
        let appended = appended.and_then(|_| self.sort_from(start, &form));
        appended.map_err(|problem| {
            self.roll_back(before);
            self.told(s, problem)
        })
    }

    /// Brings the keys of what stands there from a byte on into one order, where that is wanted.
    fn sort_from(&mut self, start: usize, s: &Settings) -> Result<(), Problem> {
        if s.sorts_keys {
            let in_order = sorted(s, self.buffer.get(start..).unwrap_or_default())?;
            self.buffer.truncate(start);
            self.buffer.extend_from_slice(&in_order);
        }
        Ok(())
    }

    /// Adds a packed value, which nothing but its frame says the end of.
    fn put_packed(&mut self, s: &Settings, value: &Variant) -> Result<(), Problem> {
        if self.framing == Framing::None && !self.outlet.is_packets() {
            let why = "packed values need a framing: FRAMING_VARINT, FRAMING_U32 or FRAMING_U32_BE";
            return Err(misplaced(why));
        }
        self.begin_frame();
        let call = Call::new(s, self.schema.as_deref(), self.packing.as_ref())?;
        let CallForm::Packed(packing) = call.form else { return Ok(()) };
        let (codec, buffer) = (self.checking.get_or_insert_default(), &mut self.buffer);
        codec.with_packed(s, packing, value, |packed| buffer.extend_from_slice(packed))
    }

    fn put_opening(&mut self, s: &Settings, container: &Container<'_>) -> Result<(), Problem> {
        let inner = self.within(s);
        let target = inner.target.ok_or_else(Problem::unknown_target)?;
        let mut encoder = Encoder::new(&mut self.buffer, inner.limits()).for_target(target);
        let opened = encoder.open(container);
        opened.map_err(|fault| {
            let problem = Problem::of_value(variant_core::Error::new(fault, variant_core::Path::default()));
            self.told(s, problem)
        })
    }

    /// A refusal of what stands in containers that were begun. Their levels count, and the limit is that of all.
    fn told(&self, s: &Settings, problem: Problem) -> Problem {
        let (begun, limit) = (u64::try_from(self.open.len()).unwrap_or(u64::MAX), s.limits().max_depth);
        let more = match begun >= limit {
            true => "this value",
            false => "more in this value, or a container that holds itself",
        };
        match begun {
            1.. if problem.is_any(&[ErrorKind::TooDeep { limit: 0 }]) => {
                problem.of_levels(limit, format!("{begun} that were begun, and {more}"))
            }
            _ => problem,
        }
    }

    /// Fewer levels are left in containers that were begun, and fewer types in files.
    fn within(&self, s: &Settings) -> Settings {
        let inner = s.within(u64::try_from(self.open.len()).unwrap_or(u64::MAX));
        if self.outlet.is_file() { inner.into_file() } else { inner }
    }

    /// Leaves room for the length of a frame, at its beginning.
    fn begin_frame(&mut self) {
        if !self.open.is_empty() {
            return;
        }
        if self.framing != Framing::None && self.frame_at.is_none() {
            self.frame_at = Some(self.position());
            self.buffer.resize(self.buffer.len().saturating_add(self.framing.least_length()), 0);
        }
        self.value_at = self.position();
    }

    fn roll_back(&mut self, length: usize) {
        self.buffer.truncate(length);
        if self.open.is_empty() {
            self.frame_at = None;
        }
    }

    /// Bytes of the buffer from there on.
    fn bytes_since(&self, at: u64) -> usize {
        usize::try_from(self.position().saturating_sub(at)).unwrap_or(usize::MAX)
    }

    /// A value is complete: an entry of the container around it, or a frame.
    fn value_done(&mut self, s: &Settings) -> Result<(), Problem> {
        if let Some(open) = self.open.last_mut() {
            open.done += 1;
            open.has_key = false;
            return self.drain();
        }
        self.check_by_schema(s)?;
        if let Some(at) = self.frame_at {
            let size = self.position().saturating_sub(self.value_at);
            if let Err(problem) = self.outlet.check_frame(usize::try_from(size).unwrap_or(usize::MAX)) {
                self.roll_back(self.buffer.len().saturating_sub(self.bytes_since(at)));
                return Err(problem);
            }
            self.frame_at = None;
            let Ok(size) = u32::try_from(size) else {
                let problem =
                    trouble(ErrorKind::TooLong, Error::ERR_OUT_OF_MEMORY, "no frame holds more than 4 GiB");
                self.broken = Some(problem.clone());
                return Err(problem);
            };
            self.put_length(at, size)?;
        }
        if self.outlet.is_packets() {
            return self.post();
        }
        self.drain()
    }

    /// Takes back a value that the schema refuses: no load under it would take the file.
    fn check_by_schema(&mut self, s: &Settings) -> Result<(), Problem> {
        // What is packed was judged as it was.
        let Some(held) = self.schema.clone().filter(|_| self.packing.is_none()) else { return Ok(()) };
        let s = match held.classes {
            Some(_) => s.reading_documents(),
            None => Settings::new(Rules::safe(*s.limits()).of_dialect(s.rules().dialect)),
        };
        let bytes = self.buffer.len().saturating_sub(self.bytes_since(self.value_at));
        let value = self.buffer.get(bytes..).unwrap_or_default();
        let verdict = self.checking.get_or_insert_default().verdict(&Call::under(&s, Some(&held)), value);
        let Err(refused) = verdict else { return Ok(()) };
        let from = self.frame_at.unwrap_or(self.value_at);
        self.roll_back(self.buffer.len().saturating_sub(self.bytes_since(from)));
        Err(refused)
    }

    /// Sends what was written as a packet. Where it is not taken over, it was not written.
    fn post(&mut self) -> Result<(), Problem> {
        let packet = PackedByteArray::from(self.buffer.as_slice());
        let size = length(&self.buffer);
        self.buffer.clear();
        self.buffer.shrink_to(KEPT);
        self.outlet.post(packet)?;
        self.start = self.start.saturating_add(size);
        Ok(())
    }

    /// Puts the length of a frame where zeros stand for it. A longer one moves what is behind it, of which
    /// nothing is gone.
    fn put_length(&mut self, at: u64, size: u32) -> Result<(), Problem> {
        let mut length = Vec::new();
        self.framing.write_length(size, &mut length);
        if let Some(word) = length.first_chunk().filter(|_| length.len() == self.framing.least_length()) {
            return self.patch(at, *word);
        }
        let from = self.buffer.len().saturating_sub(self.bytes_since(at));
        let to = from.saturating_add(self.framing.least_length()).min(self.buffer.len());
        self.buffer.splice(from..to, length);
        Ok(())
    }

    /// Puts right what stands as zeros.
    fn patch(&mut self, at: u64, word: [u8; 4]) -> Result<(), Problem> {
        let inside = at.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        if let Some(place) = inside.and_then(|at| self.buffer.get_mut(at..at.checked_add(4)?)) {
            place.copy_from_slice(&word);
            return Ok(());
        }
        // What is in the file already is never half of a word: all of the buffer goes at once.
        let outcome = self.send(self.buffer.len()).and_then(|()| self.outlet.patch(at, &word));
        outcome.inspect_err(|problem| self.broken = Some(problem.clone()))
    }

    /// Hands over what is certain: at once where that is wanted, else by the chunk.
    fn drain(&mut self) -> Result<(), Problem> {
        let is_due = self.outlet.is_eager() || self.buffer.len() >= CHUNK;
        if is_due { self.drain_all() } else { Ok(()) }
    }

    /// Hands over what is certain.
    fn drain_all(&mut self) -> Result<(), Problem> {
        if self.schema.is_some() && !self.open.is_empty() {
            return Ok(());
        }
        let is_moved = self.framing == Framing::Varint;
        let certain =
            if self.outlet.is_patchable() && !is_moved { self.buffer.len() } else { self.certain() };
        self.send(certain)
    }

    fn send(&mut self, count: usize) -> Result<(), Problem> {
        let bytes = self.buffer.get(..count).unwrap_or_default();
        if bytes.is_empty() {
            return Ok(());
        }
        match self.outlet.take(bytes) {
            Ok(taken) => {
                self.buffer.drain(..taken);
                self.buffer.shrink_to(KEPT);
                self.start = self.start.saturating_add(u64::try_from(taken).unwrap_or(0));
                Ok(())
            }
            Err(problem) => {
                self.broken = Some(problem.clone());
                Err(problem)
            }
        }
    }

    /// Bytes of the buffer that will not change any more.
    fn certain(&self) -> usize {
        let counts = self.open.iter().filter(|open| open.declared.is_none()).map(|open| open.count_at);
        let first = self.frame_at.into_iter().chain(counts).min();
        let bytes = first.map(|at| at.saturating_sub(self.start));
        bytes.map_or(self.buffer.len(), |bytes| {
            usize::try_from(bytes).unwrap_or(usize::MAX).min(self.buffer.len())
        })
    }
}

fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
