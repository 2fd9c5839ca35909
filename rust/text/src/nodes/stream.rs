//! Streams as far as nodes need them: where the values of an input begin, and how it is framed when nobody said.

use variant_core::cursor::length;
use variant_core::{Dialect, ErrorKind, Framing, Limits, Rules, validate};

use crate::extent::between;

/// Bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: u64 = 4;

/// So much of a value that was cut off has to be there to be taken for one: one of so many parts.
const LEAST_PART: u64 = 256;

/// So many bytes of an input tell how it is framed, and that takes as long for any size.
pub const LOOKED_AT: usize = 64 << 10;

/// What an input begins with.
#[derive(Clone, Copy, Debug)]
pub struct Head<'a> {
    /// INVARIANT: no more than `LOOKED_AT`, and no more than `size`.
    bytes: &'a [u8],
    /// Of the whole input.
    size: u64,
}

impl<'a> Head<'a> {
    /// Of bytes that an input of this size begins with.
    #[must_use]
    pub fn new(bytes: &'a [u8], size: u64) -> Head<'a> {
        let bytes = bytes.get(..LOOKED_AT).unwrap_or(bytes);
        Head { bytes, size: size.max(length(bytes)) }
    }

    /// Of bytes that are the input.
    #[must_use]
    pub fn of(whole: &'a [u8]) -> Head<'a> {
        Head::new(whole, length(whole))
    }

    /// All that is looked at.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Whether it is a value in this dialect, or begins as one and goes on behind the head.
    #[must_use]
    pub fn goes_on(&self, dialect: Dialect) -> bool {
        let reach = reach(self.bytes, dialect);
        reach.is_whole || reach.goes_on(self.size - length(self.bytes))
    }

    const fn is_whole(&self) -> bool {
        self.bytes.len() as u64 == self.size
    }
}

/// One value's place.
pub(super) struct Frame {
    /// Behind its length.
    pub(super) value: u64,
    /// The end of its frame; where there is none, of the input.
    pub(super) end: u64,
    /// Bytes that its length declares and the input does not have.
    pub(super) missing: u64,
}

/// The value that begins at `at`, which is within the stream.
pub(super) fn frame(stream: &[u8], at: u64, framing: Framing) -> Frame {
    frame_in(stream, length(stream), at, framing)
}

/// The same where not all of the stream is there.
fn frame_in(stream: &[u8], whole: u64, at: u64, framing: Framing) -> Frame {
    let word = between(stream, at, at.saturating_add(4)).first_chunk().copied();
    let declared = match (framing, word) {
        (Framing::None, _) => return Frame { value: at, end: whole, missing: 0 },
        (_, None) => return Frame { value: whole, end: whole, missing: 4_u64.saturating_sub(whole - at) },
        (Framing::U32Be, Some(word)) => u64::from(u32::from_be_bytes(word)),
        (_, Some(word)) => u64::from(u32::from_le_bytes(word)),
    };
    let wanted = at + 4 + declared;
    Frame { value: at + 4, end: wanted.min(whole), missing: wanted.saturating_sub(whole) }
}

/// How these bytes are framed: by lengths where these add up and what stands between them makes more sense than the whole;
/// else by what they begin as.
#[must_use]
pub fn guess_framing(bytes: &[u8]) -> Framing {
    let head = Head::of(bytes);
    let framings = [Framing::U32, Framing::U32Be].into_iter();
    let adding_up =
        framings.into_iter().find(|framing| adds_up(bytes, *framing) && are_lengths(&head, *framing));
    adding_up.or_else(|| Some(begun(&head, Dialect::Godot4)?.framing)).unwrap_or_default()
}

/// Whether lengths that add up are some, by what stands between them: the first bytes of a value may add up as well.
#[must_use]
pub fn are_lengths(head: &Head<'_>, framing: Framing) -> bool {
    let whole = Dialect::ALL.map(|dialect| reach(head.bytes, dialect));
    if head.is_whole() && whole.iter().any(|reach| reach.is_whole) {
        return false;
    }
    let unframed = whole.iter().map(|reach| reach.bytes).max().unwrap_or(0);
    let framed = Dialect::ALL.map(|dialect| sense(head, framing, dialect)).into_iter().max().unwrap_or(0);
    // Where nothing makes sense, there are the lengths.
    framed > unframed || unframed == 0
}

/// The bytes of frames that are values, and those of other frames as far as a reader comes in them.
fn sense(head: &Head<'_>, framing: Framing, dialect: Dialect) -> u64 {
    let (mut at, mut sum) = (0, 0);
    while at < length(head.bytes) {
        let (frame, reach) = read(head, at, framing, dialect);
        sum += if reach.is_whole { frame.end.min(length(head.bytes)) - at } else { reach.bytes };
        at = frame.end.max(at + 4);
    }
    sum
}

/// A frame, and how far a reader comes in it. One that goes on behind the head is whole where nothing else is wrong.
fn read(head: &Head<'_>, at: u64, framing: Framing, dialect: Dialect) -> (Frame, Reach) {
    let frame = frame_in(head.bytes, head.size, at, framing);
    let mut reach = reach(between(head.bytes, frame.value, frame.end), dialect);
    let behind = frame.end.saturating_sub(length(head.bytes));
    reach.is_whole |= frame.missing == 0 && reach.goes_on(behind);
    (frame, reach)
}

/// The first value of a stream whose lengths do not add up.
#[derive(Clone, Copy, Debug)]
pub struct Begun {
    /// What stands before it.
    pub framing: Framing,
    /// What it is a value of, or begins as one.
    pub dialect: Dialect,
    /// So many bytes it has by its length.
    pub declared: u64,
    /// So many of them are there: all, or the stream was cut off.
    pub there: u64,
}

/// What an input begins as that is no value: a stream that was cut off, or in which something else follows. None where it
/// makes as much sense without a length; this dialect is asked first.
#[must_use]
pub fn begun(head: &Head<'_>, first: Dialect) -> Option<Begun> {
    let unframed = Dialect::ALL.into_iter().map(|dialect| reach(head.bytes, dialect).bytes).max();
    let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != first);
    let mut framings = [Framing::U32, Framing::U32Be];
    // What is cut off fits any length that is larger: the smaller one is the likelier.
    framings.sort_by_key(|framing| frame_in(head.bytes, head.size, 0, *framing).missing);
    let readings =
        [first].into_iter().chain(others).flat_map(|dialect| framings.map(|framing| (dialect, framing)));
    readings.into_iter().find_map(|(dialect, framing)| {
        let (frame, reach) = read(head, 0, framing, dialect);
        let there = frame.end - frame.value.min(frame.end);
        let declared = there + frame.missing;
        // Values are padded, and no number is a length of which next to nothing is there.
        if declared < LEAST_VALUE
            || !declared.is_multiple_of(4)
            || there <= LEAST_VALUE
            || declared / LEAST_PART > there
        {
            return None;
        }
        let is_begun = if frame.missing == 0 { reach.is_whole } else { reach.is_cut };
        let goes_further = || Some(framed_reach(head, framing, dialect)) > unframed;
        (is_begun && goes_further()).then_some(Begun { framing, dialect, declared, there })
    })
}

/// How far a reader comes.
struct Reach {
    bytes: u64,
    is_whole: bool,
    /// All is well but that it ends.
    is_cut: bool,
    /// So many bytes are missing then, at least.
    lacks: u64,
}

impl Reach {
    /// Whether so many bytes behind it may be the rest.
    const fn goes_on(&self, behind: u64) -> bool {
        self.is_cut && self.lacks <= behind
    }
}

/// How far one comes through values with their lengths.
fn framed_reach(head: &Head<'_>, framing: Framing, dialect: Dialect) -> u64 {
    let mut at = 0;
    while at < length(head.bytes) {
        let (frame, reach) = read(head, at, framing, dialect);
        if !reach.is_whole {
            return if reach.bytes > 0 { frame.value + reach.bytes } else { at };
        }
        at = frame.end;
    }
    at
}

fn reach(bytes: &[u8], dialect: Dialect) -> Reach {
    let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) }.of_dialect(dialect);
    match validate(bytes, &rules) {
        Ok(extent) => Reach { bytes: extent.consumed, is_whole: true, is_cut: false, lacks: 0 },
        Err(error) => {
            let lacks = if let ErrorKind::Incomplete { needed, .. } = error.kind() { needed } else { 0 };
            Reach { bytes: error.offset(), is_whole: false, is_cut: lacks > 0, lacks: u64::from(lacks) }
        }
    }
}

fn adds_up(bytes: &[u8], framing: Framing) -> bool {
    let mut at = 0;
    while at < length(bytes) {
        let frame = frame(bytes, at, framing);
        if frame.missing > 0 || frame.end - frame.value.min(frame.end) < LEAST_VALUE {
            return false;
        }
        at = frame.end;
    }
    at > 0
}
