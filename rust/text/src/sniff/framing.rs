//! Guesses what stands before the values of an input. Nothing in a stream names its framing, so the reading
//! that gets further wins.

use variant_core::cursor::length;
use variant_core::{Dialect, Framing};

use super::head::{InputHead, ReadableExtent, reach};
use crate::extent::between;
use crate::frame::{FrameSpan, frame};

/// The bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: u64 = 4;

/// The divisor of the least part of a cut value that must be there for it to be recognized.
const LEAST_PART: u64 = 256;

/// Guesses how these bytes are framed: by lengths if these add up and the frames between them can be read
/// further than the whole; otherwise by the value that they begin with.
#[must_use]
pub fn guess_framing(bytes: &[u8]) -> Framing {
    framing_of(&InputHead::of(bytes), Dialect::Godot4, |framing| adds_up(bytes, framing)).unwrap_or_default()
}

/// Returns the same for an input of which only the head is held. `adds_up` tells whether the whole input is values
/// with their lengths before them; `None` where no length begins it. This dialect is asked first.
pub fn framing_of(
    head: &InputHead<'_>,
    first: Dialect,
    mut adds_up: impl FnMut(Framing) -> bool,
) -> Option<Framing> {
    let framings = [Framing::U32, Framing::U32Be].into_iter();
    let adding_up = framings.into_iter().find(|framing| adds_up(*framing) && are_lengths(head, *framing));
    adding_up.or_else(|| Some(begun(head, first)?.framing))
}

/// Tells whether lengths that add up are really lengths, by the frames between them: the first bytes of a
/// value may add up as well. Where all can be read in both ways, in one dialect, they are lengths: an empty
/// text is a null with its length before it.
#[must_use]
pub fn are_lengths(head: &InputHead<'_>, framing: Framing) -> bool {
    for dialect in Dialect::ALL {
        if is_stream(head, framing, dialect) {
            return true;
        }
        if head.is_whole() && head.goes_on(dialect) {
            return false;
        }
    }
    let unframed =
        Dialect::ALL.map(|dialect| reach(head.bytes, dialect).bytes).into_iter().max().unwrap_or(0);
    let framed = Dialect::ALL.map(|dialect| sense(head, framing, dialect)).into_iter().max().unwrap_or(0);
    // If nothing can be read, the lengths decide.
    framed > unframed || unframed == 0
}

/// Tells whether everything is values, each with its length before it.
pub(super) fn is_stream(head: &InputHead<'_>, framing: Framing, dialect: Dialect) -> bool {
    let mut frames = frames(head, framing, dialect);
    !head.bytes.is_empty() && frames.all(|(_, frame, reach)| reach.is_whole && frame.missing == 0)
}

/// Counts the bytes of frames that are values, and those of other frames as far as they can be read.
fn sense(head: &InputHead<'_>, framing: Framing, dialect: Dialect) -> u64 {
    let whole = |at, frame: FrameSpan| frame.end.min(length(head.bytes)) - at;
    let frames = frames(head, framing, dialect);
    frames.map(|(at, frame, reach)| if reach.is_whole { whole(at, frame) } else { reach.bytes }).sum()
}

/// Reads the frames that begin in the head, each with its place.
fn frames(
    head: &InputHead<'_>,
    framing: Framing,
    dialect: Dialect,
) -> impl Iterator<Item = (u64, FrameSpan, ReadableExtent)> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let at = next;
        let (frame, reach) = (at < length(head.bytes)).then(|| read(head, at, framing, dialect))?;
        next = frame.end.max(at + 4);
        Some((at, frame, reach))
    })
}

/// Reads a frame, and how far it can be read. A frame that goes on behind the head is whole if nothing else
/// is wrong.
fn read(head: &InputHead<'_>, at: u64, framing: Framing, dialect: Dialect) -> (FrameSpan, ReadableExtent) {
    let frame = frame(head.bytes, head.size, at, framing);
    let mut reach = reach(between(head.bytes, frame.value, frame.end), dialect);
    let behind = frame.end.saturating_sub(length(head.bytes));
    reach.is_whole |= frame.missing == 0 && reach.goes_on(behind);
    (frame, reach)
}

/// Describes the first value of a stream whose lengths do not add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameStart {
    /// The framing before it.
    pub framing: Framing,
    /// The dialect in which it is a value, or begins as one.
    pub dialect: Dialect,
    /// The bytes that it has by its length.
    pub declared: u64,
    /// The bytes of it that are there: all, or fewer if the stream was cut off.
    pub there: u64,
}

impl FrameStart {
    /// Tells whether it is not cut off.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.there == self.declared
    }
}

/// Recognizes a first value in an input that is no value: in a stream that was cut off, or that something
/// else follows. It returns `None` if the input can be read as far without a length; this dialect is tried
/// first.
#[must_use]
pub fn begun(head: &InputHead<'_>, first: Dialect) -> Option<FrameStart> {
    let unframed = Dialect::ALL.into_iter().map(|dialect| reach(head.bytes, dialect).bytes).max();
    let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != first);
    let mut framings = [Framing::U32, Framing::U32Be];
    // A cut value fits any larger length: the smaller one is the likelier.
    framings.sort_by_key(|framing| frame(head.bytes, head.size, 0, *framing).missing);
    let readings =
        [first].into_iter().chain(others).flat_map(|dialect| framings.map(|framing| (dialect, framing)));
    readings.into_iter().find_map(|(dialect, framing)| {
        let (frame, reach) = read(head, 0, framing, dialect);
        let there = frame.end - frame.value.min(frame.end);
        let declared = there + frame.missing;
        // Values are padded, and a number is no length if next to nothing of its value is there.
        if declared < LEAST_VALUE
            || !declared.is_multiple_of(4)
            || there <= LEAST_VALUE
            || declared / LEAST_PART > there
        {
            return None;
        }
        let is_begun = if frame.missing == 0 { reach.is_whole } else { reach.is_cut };
        let goes_further = || Some(framed_reach(head, framing, dialect)) > unframed;
        (is_begun && goes_further()).then_some(FrameStart { framing, dialect, declared, there })
    })
}

fn framed_reach(head: &InputHead<'_>, framing: Framing, dialect: Dialect) -> u64 {
    let mut end = 0;
    for (at, frame, reach) in frames(head, framing, dialect) {
        if !reach.is_whole {
            return if reach.bytes > 0 { frame.value + reach.bytes } else { at };
        }
        end = frame.end;
    }
    end
}

fn adds_up(bytes: &[u8], framing: Framing) -> bool {
    let mut at = 0;
    while at < length(bytes) {
        let frame = frame(bytes, length(bytes), at, framing);
        if frame.missing > 0 || frame.end - frame.value.min(frame.end) < LEAST_VALUE {
            return false;
        }
        at = frame.end;
    }
    at > 0
}
