//! FrameReader: values one after another out of a stream, however it is cut, and the entries of one without the rest.
//!
//! It does no input and output: the caller brings pieces, and asks for one thing at a time. It holds no more of a
//! stream than one cut token. Values are the walker's; here are only the lengths before them, and the containers
//! that the caller walks into, each of whose entries is a value by itself.

mod entry;
mod intake;
mod steps;
mod stop;
mod write;

use std::fmt::{self, Debug};

use crate::error::Error;
use crate::fault::ErrorKind;
use crate::push::PushDecoder;
use crate::sink::{Sink, Skip};
use crate::wire::Rules;
use entry::{Entered, Root};
use intake::Intake;
pub use stop::Stop;

/// How values stand in a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Framing {
    /// Back to back, nothing in between. After a refusal nobody knows where the next value begins.
    #[default]
    None,
    /// Each after its length as a little-endian u32: `StreamPeer.put_var`, `FileAccess.store_var`, `PacketPeerStream`.
    U32,
    /// The same in big endian: a StreamPeer or FileAccess with `big_endian` set.
    U32Be,
}

/// How an entry is read; it is finished as it was begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Build,
    Skip,
    /// Checked as by `Skip`, and its bytes are kept. A key is built all the same.
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A length comes next, or a value where there are none.
    Between,
    /// In a frame, or in a value where there are none.
    Inside,
    /// What is left of the frame is passed over.
    Dropping,
}

/// Reads a stream of values, built by the sink `S`.
///
/// Offsets in errors count from the start of the value, [`FrameReader::value_at`] tells where in the stream that is.
/// Limits hold for each value; in a container that was entered, for each entry.
pub struct FrameReader<S: Sink> {
    framing: Framing,
    /// What the next value goes by.
    wanted: Rules,
    rules: Rules,
    values: PushDecoder<Root<S>>,
    skips: PushDecoder<Root<Skip>>,
    intake: Intake,
    state: State,
    /// The containers entered, outermost first.
    levels: Vec<Entered>,
    key: Option<S::Output>,
    /// Set while an entry is being read.
    way: Option<Way>,
    value_at: u64,
    /// Where the key or value that is being read begins.
    part_at: u64,
    /// INVARIANT: set once the stream is broken, until `reset`.
    error: Option<Error>,
}

impl<S: Sink> FrameReader<S> {
    /// A reader at the start of a stream.
    #[must_use]
    pub fn new(sink: S, framing: Framing, rules: Rules) -> FrameReader<S> {
        FrameReader {
            framing,
            wanted: rules,
            rules,
            values: PushDecoder::new(Root::new(sink), rules),
            skips: PushDecoder::new(Root::new(Skip), rules),
            intake: Intake::default(),
            state: State::Between,
            levels: Vec::new(),
            key: None,
            way: None,
            value_at: 0,
            part_at: 0,
            error: None,
        }
    }

    /// What the next value goes by; one that is being read goes on as it began.
    pub const fn set_rules(&mut self, rules: Rules) {
        self.wanted = rules;
    }

    /// The next value, or entry of the container entered last; an entry's key is then with [`FrameReader::take_key`].
    /// Takes from the front of `input` what it reads.
    ///
    /// # Errors
    /// Why there is none; see [`Stop`].
    pub fn next(&mut self, input: &mut &[u8]) -> Result<S::Output, Stop> {
        loop {
            // Nothing came of an entry that a `skip` had begun: it is over, and this one is next.
            if let Some(output) = self.entry(Way::Build, input)? {
                return Ok(output);
            }
        }
    }

    /// The bytes of the next value, if it has a frame and all of it is in `input`, nothing of it was read, and it is no
    /// entry. For those who read it by other means, and then call [`FrameReader::pass_whole`]; else `next` reads it.
    ///
    /// # Errors
    /// As `next`, for what stands before the value.
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

    /// Passes over the frame that [`FrameReader::whole`] has just given.
    pub fn pass_whole(&mut self, input: &mut &[u8]) {
        self.intake.drop_rest(input);
        self.state = State::Dropping;
    }

    /// The bytes of what [`FrameReader::next`] would give, checked as `skip` does and not built, for those who build of them
    /// by other means. A key is built, and with [`FrameReader::take_key`]. Ask so again until they are there: what `next`
    /// had begun, this passes over, and the other way round.
    ///
    /// # Errors
    /// As `next`.
    pub fn next_bytes(&mut self, input: &mut &[u8]) -> Result<Vec<u8>, Stop> {
        loop {
            self.entry(Way::Keep, input)?;
            let kept = std::mem::take(&mut self.intake.kept);
            // No value is without bytes: nothing was kept of one that was begun another way, and this one is next.
            if !kept.is_empty() {
                return Ok(kept);
            }
        }
    }

    /// Passes over what [`FrameReader::next`] would give: the same checks, and nothing is built.
    ///
    /// # Errors
    /// As `next`.
    pub fn skip(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        self.entry(Way::Skip, input).map(drop)
    }

    /// Walks into the container that `next` would give: from now on that gives its entries. The key is read before.
    ///
    /// # Errors
    /// `Misplaced` when it is no Array or Dictionary, or when `next` has begun it. Else as `next`.
    pub fn enter(&mut self, input: &mut &[u8]) -> Result<(), Stop> {
        self.begin(input)?;
        while self.way == Some(Way::Skip) {
            self.entry(Way::Skip, input)?;
            self.begin(input)?;
        }
        self.read_key(Way::Build, input)?;
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

    /// Passes over the rest of the container entered last, and goes on behind it.
    ///
    /// # Errors
    /// `Misplaced` when none was entered. Else as `next`; call it again to go on.
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

    /// A frame of this length begins with the next piece; for packets, which have ends of their own.
    ///
    /// # Errors
    /// `Rejected` when it is over `max_bytes`; its bytes will be passed over.
    pub fn packet(&mut self, length: u64) -> Result<(), Stop> {
        self.open(length, true);
        self.check_length(length)
    }

    /// No more will come after the next piece.
    pub const fn close(&mut self) {
        self.intake.is_closed = true;
    }

    /// Back to the start of a stream, with another framing if wanted.
    pub fn reset(&mut self, framing: Framing) {
        self.framing = framing;
        self.forget();
        self.intake = Intake::default();
        self.state = State::Between;
        self.value_at = 0;
        self.error = None;
    }

    /// The key of the entry that was read last, or before the value that was entered.
    pub const fn take_key(&mut self) -> Option<S::Output> {
        self.key.take()
    }

    /// Where in the stream the value begins that was given, refused or begun last: its first byte, behind its length.
    #[must_use]
    pub const fn value_at(&self) -> u64 {
        self.value_at
    }

    /// Containers entered.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.levels.len()
    }

    /// The sink that values are built by.
    pub const fn sink_mut(&mut self) -> &mut S {
        self.values.sink_mut().inner_mut()
    }

    /// What the value or entry goes by that was read last, or is being read. Of its depth, what is left in the containers
    /// that were entered.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        self.values.rules()
    }

    /// Whether a value or entry was begun by [`FrameReader::next`] or [`FrameReader::next_bytes`], and is not whole.
    #[must_use]
    pub const fn is_begun(&self) -> bool {
        matches!(self.way, Some(Way::Build | Way::Keep))
    }

    /// Whether nothing was taken of a next value yet.
    #[must_use]
    pub const fn is_between(&self) -> bool {
        match self.state {
            State::Between => self.intake.head.is_empty(),
            State::Dropping => self.intake.left == 0,
            State::Inside => false,
        }
    }
}

/// Where it stands; not what it reads, nor the sink.
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
