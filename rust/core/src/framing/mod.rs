//! Reads values one after another out of a stream, however it is cut, and a value's entries one by one.
//!
//! [`FrameReader`] does no input and output: the caller brings pieces, and asks for one thing at a time. It
//! holds no more of a stream than one cut token. The walker reads the values; here are only the lengths
//! before them, and the containers that the caller enters, each of whose entries is a value by itself.

mod input;
mod length;
mod steps;
mod stop;
mod write;

use std::fmt::{self, Debug};

use crate::error::Error;
use crate::fault::ErrorKind;
use crate::path::Step;
use crate::push::PushDecoder;
use crate::sink::{Sink, Skip};
use crate::walk::Level;
use crate::wire::Rules;
use input::Input;
pub use stop::Stop;

/// Says how values stand in a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// Back to back, nothing in between. After a refusal the beginning of the next value is unknown.
    #[default]
    None,
    /// Each after its length as a little-endian u32: `StreamPeer.put_var`, `FileAccess.store_var`,
    /// `PacketPeerStream`.
    U32,
    /// Each after its length as a big-endian u32: a StreamPeer or FileAccess with `big_endian` set.
    U32Be,
    /// Each after its length in 1 to 5 bytes: 7 bits in each, the lowest first, and the top bit set in all but the last. For
    /// small packets.
    Varint,
}

/// Says how an entry is read; it is finished as it was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadMode {
    Build,
    Skip,
    /// Checked as by `Skip`, with its bytes kept. A key is built all the same.
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FramingState {
    /// A length comes next, or a value where there are no lengths.
    Between,
    /// The reader is in a frame, or in a value where there are no lengths.
    Inside,
    /// The rest of the frame is skipped.
    Dropping,
}

/// Reads a stream of values, built by the sink `S`.
///
/// Offsets in errors count from the start of the value; [`FrameReader::value_at`] tells where in the stream
/// that is. Limits hold for each value; in a container that was entered, for each entry.
/// [`Sink::fills_tables`] and [`Sink::passes_over`] hold for the values that the sink builds. Where the upper bound of the steps
/// refuses such a value, no other walk is asked. Values that are skipped or returned as bytes are judged without the sink.
pub struct FrameReader<S: Sink> {
    framing: Framing,
    /// The rules of the next value.
    wanted: Rules,
    rules: Rules,
    values: PushDecoder<S>,
    skips: PushDecoder<Skip>,
    intake: Input,
    state: FramingState,
    /// The containers entered, outermost first, each with the current key as a step of a path.
    levels: Vec<Level<Option<Step>>>,
    key: Option<S::Output>,
    /// How the current entry is read; set while it is being read.
    way: Option<ReadMode>,
    value_at: u64,
    /// The place where its length begins.
    frame_at: u64,
    /// The place where the current key or value begins.
    part_at: u64,
    /// The error that broke the stream.
    ///
    /// INVARIANT: set once the stream is broken, until `reset`.
    error: Option<Error>,
    /// The bytes of the part that `next_bytes` refused last, up to its fault.
    refused: Vec<u8>,
}

impl<S: Sink> FrameReader<S> {
    /// Makes a reader at the start of a stream.
    #[must_use]
    pub fn new(sink: S, framing: Framing, rules: Rules) -> FrameReader<S> {
        FrameReader {
            framing,
            wanted: rules,
            rules,
            values: PushDecoder::new(sink, rules),
            skips: PushDecoder::new(Skip, rules),
            intake: Input::default(),
            state: FramingState::Between,
            levels: Vec::new(),
            key: None,
            way: None,
            value_at: 0,
            frame_at: 0,
            part_at: 0,
            error: None,
            refused: Vec::new(),
        }
    }

    /// Sets the rules of the next value; one that is being read goes on as it began.
    pub const fn set_rules(&mut self, rules: Rules) {
        self.wanted = rules;
    }

    /// Returns the next value, or the next entry of the container entered last; [`FrameReader::take_key`]
    /// then has the entry's key. It takes the bytes that it reads from the front of `input`.
    ///
    /// # Errors
    /// Says why there is no value; see [`Stop`].
    pub fn next(&mut self, input: &mut &[u8]) -> Result<S::Output, Stop> {
        loop {
            // An entry that a `skip` had begun gave nothing: it is over, and this one is next.
            if let Some(output) = self.entry(ReadMode::Build, input)? {
                return Ok(output);
            }
        }
    }

    /// Returns the bytes of the next value if it has a frame, all of it is in `input`, nothing of it was
    /// read, and it is no entry. The caller reads it by other means and then calls
    /// [`FrameReader::pass_whole`]; otherwise `next` reads it.
    ///
    /// # Errors
    /// Fails as `next` does, for the bytes before the value.
    pub fn whole<'i>(&mut self, input: &mut &'i [u8]) -> Result<Option<&'i [u8]>, Stop> {
        if !self.levels.is_empty() || self.way.is_some() {
            return Ok(None);
        }
        self.begin(input)?;
        let is_new =
            self.intake.is_bounded && self.intake.head.is_empty() && self.intake.at() == self.value_at;
        let length = usize::try_from(self.intake.left).ok().filter(|_| is_new);
        Ok(length.and_then(|length| input.get(..length)))
    }

    /// Skips the frame that [`FrameReader::whole`] has just returned.
    pub fn pass_whole(&mut self, input: &mut &[u8]) {
        self.intake.drop_rest(input);
        self.state = FramingState::Dropping;
    }

    /// Skips the frame that [`FrameReader::whole`] has just returned, whose value was refused with this error.
    pub fn refuse_whole(&mut self, input: &mut &[u8], error: &Error) -> Stop {
        self.part_at = self.value_at;
        self.pass_whole(input);
        self.refuse(error)
    }

    /// Returns the bytes of what [`FrameReader::next`] would return, checked as `skip` does and not built,
    /// for callers that build from them by other means. A key is built, and [`FrameReader::take_key`] has it.
    /// The call is repeated until the bytes are there: a value that `next` had begun is skipped, and the
    /// other way round.
    ///
    /// # Errors
    /// Fails as `next` does.
    pub fn next_bytes(&mut self, input: &mut &[u8]) -> Result<Vec<u8>, Stop> {
        loop {
            self.entry(ReadMode::Keep, input)?;
            let kept = std::mem::take(&mut self.intake.kept);
            // No value is without bytes: nothing was kept of one that another call had begun, and this one is
            // next.
            if !kept.is_empty() {
                return Ok(kept);
            }
        }
    }

    /// Returns the bytes of the next frame, whatever they are: the frames of a stream need not hold values.
    ///
    /// # Errors
    /// Returns `Misplaced` where there are no frames, or one was begun otherwise. Otherwise it fails as `next` does for the
    /// bytes before a value; a repeated call goes on.
    pub fn next_frame(&mut self, input: &mut &[u8]) -> Result<Vec<u8>, Stop> {
        if !self.levels.is_empty() || self.way.is_some() {
            return Err(Stop::Misplaced);
        }
        self.begin(input)?;
        if !self.intake.is_bounded {
            return Err(Stop::Misplaced);
        }
        let lacks = self.intake.take(self.intake.left, input);
        if lacks > 0 {
            return Err(self.need(lacks));
        }
        self.state = FramingState::Dropping;
        Ok(std::mem::take(&mut self.intake.head))
    }

    /// Skips what [`FrameReader::next`] would return, with the same checks and without building.
    ///
    /// # Errors
    /// Fails as `next` does.
    pub fn skip(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        self.entry(ReadMode::Skip, input).map(drop)
    }

    /// Enters the container that `next` would return, whose entries `next` then returns. The key is read
    /// before.
    ///
    /// # Errors
    /// Returns `Misplaced` when it is no Array or Dictionary, or when `next` has begun it. Otherwise it fails as `next` does.
    pub fn enter(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        self.begin(input)?;
        while self.way == Some(ReadMode::Skip) {
            self.entry(ReadMode::Skip, input)?;
            self.begin(input)?;
        }
        self.read_key(ReadMode::Build, input)?;
        if self.values.position() > 0 || self.skips.position() > 0 {
            return Err(Stop::Misplaced);
        }
        self.part_at = self.intake.part_at();
        if self.values.rules().limits.max_depth == 0 {
            return Err(self.refuse_at(ErrorKind::TooDeep { limit: 0 }, 0));
        }
        let level = self.opening(input)?;
        self.intake.head.clear();
        self.levels.push(level);
        self.way = None;
        self.nest();
        Ok(())
    }

    /// Skips the rest of the container entered last, and goes on behind it.
    ///
    /// # Errors
    /// Returns `Misplaced` when none was entered. Otherwise it fails as `next` does; a repeated call goes on.
    pub fn leave(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        if self.levels.is_empty() && self.error.is_none() {
            return Err(Stop::Misplaced);
        }
        loop {
            match self.skip(input) {
                Ok(()) => {}
                Err(Stop::End) => break,
                Err(other) => return Err(other),
            }
        }
        self.levels.pop();
        self.nest();
        self.end_value()
    }

    /// Begins a frame of this length with the next piece; for packets, which have ends of their own.
    ///
    /// # Errors
    /// Returns `Rejected` when it is over `max_bytes`; its bytes will be skipped.
    pub fn packet(&mut self, length: u64) -> Result<(), Stop> {
        self.open(length);
        self.intake.is_bounded = true;
        self.check_length(length)
    }

    /// Says that nothing will come after the next piece.
    pub const fn close(&mut self) {
        self.intake.is_closed = true;
    }

    /// Goes back to the start of a stream, with this framing.
    pub fn reset(&mut self, framing: Framing) {
        self.framing = framing;
        self.forget();
        self.intake = Input::default();
        self.state = FramingState::Between;
        self.value_at = 0;
        self.frame_at = 0;
        self.error = None;
    }

    /// Takes the key of the entry that was read last, or of the value that was entered.
    pub const fn take_key(&mut self) -> Option<S::Output> {
        self.key.take()
    }

    /// Takes the bytes of what [`FrameReader::next_bytes`] has just refused, up to the fault: a schema may find one before it.
    #[cfg(any(test, feature = "extension"))]
    #[doc(hidden)]
    pub fn take_refused(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.refused)
    }

    /// Returns the place in the stream of the value that was returned, refused or begun last: its first byte,
    /// behind its length.
    #[must_use]
    pub const fn value_at(&self) -> u64 {
        self.value_at
    }

    /// Returns the place in the stream of that value's length, or of the value where it has none.
    #[must_use]
    pub const fn frame_at(&self) -> u64 {
        self.frame_at
    }

    /// Returns the number of containers entered.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Returns the sink that builds the values.
    pub const fn sink_mut(&mut self) -> &mut S {
        self.values.sink_mut()
    }

    /// Returns the rules of the value or entry that was read last, or is being read. Their depth is what is
    /// left in the containers that were entered.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        self.values.rules()
    }

    /// Tells whether a value or entry was begun by [`FrameReader::next`] or [`FrameReader::next_bytes`], and
    /// is not whole.
    #[must_use]
    pub const fn is_begun(&self) -> bool {
        matches!(self.way, Some(ReadMode::Build | ReadMode::Keep))
    }

    /// Tells whether nothing was taken of a next value yet.
    #[must_use]
    pub const fn is_between(&self) -> bool {
        match self.state {
            FramingState::Between => self.intake.head.is_empty(),
            FramingState::Dropping => self.intake.left == 0,
            FramingState::Inside => false,
        }
    }
}

/// Prints the reader's position; not what it reads, nor the sink.
impl<S: Sink> Debug for FrameReader<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameReader")
            .field("framing", &self.framing)
            .field("state", &self.state)
            .field("value_at", &self.value_at)
            .field("depth", &self.depth())
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
