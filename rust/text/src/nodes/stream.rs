//! Streams as far as nodes need them: where the values of an input begin, and how it is framed when nobody said.

use variant_core::cursor::length;
use variant_core::{Dialect, ErrorKind, Framing, Limits, Rules, validate};

use crate::extent::between;

/// Bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: u64 = 4;

/// So much of a value that was cut off has to be there to be taken for one: one of so many parts.
const LEAST_PART: u64 = 256;

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
    let whole = length(stream);
    let word = between(stream, at, at.saturating_add(4)).first_chunk().copied();
    let declared = match (framing, word) {
        (Framing::None, _) => return Frame { value: at, end: whole, missing: 0 },
        (_, None) => return Frame { value: whole, end: whole, missing: 4 - (whole - at) },
        (Framing::U32Be, Some(word)) => u64::from(u32::from_be_bytes(word)),
        (_, Some(word)) => u64::from(u32::from_le_bytes(word)),
    };
    let wanted = at + 4 + declared;
    Frame { value: at + 4, end: wanted.min(whole), missing: wanted.saturating_sub(whole) }
}

/// How these bytes are framed: by lengths where these add up and the whole is no value in any dialect; else by what they
/// begin as.
#[must_use]
pub fn guess_framing(bytes: &[u8]) -> Framing {
    if Dialect::ALL.iter().any(|dialect| reach(bytes, *dialect).is_whole) {
        return Framing::None;
    }
    let framings = [Framing::U32, Framing::U32Be].into_iter();
    let adding_up = framings.into_iter().find(|framing| adds_up(bytes, *framing));
    adding_up.or_else(|| Some(begun(bytes, Dialect::Godot4)?.framing)).unwrap_or_default()
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

/// What bytes begin as that are no value: a stream that was cut off, or in which something else follows. None where they
/// make as much sense without a length; this dialect is asked first.
#[must_use]
pub fn begun(bytes: &[u8], first: Dialect) -> Option<Begun> {
    let unframed = Dialect::ALL.into_iter().map(|dialect| reach(bytes, dialect).bytes).max();
    let others = Dialect::ALL.into_iter().filter(|dialect| *dialect != first);
    let mut framings = [Framing::U32, Framing::U32Be];
    // What is cut off fits any length that is larger: the smaller one is the likelier.
    framings.sort_by_key(|framing| frame(bytes, 0, *framing).missing);
    let readings =
        [first].into_iter().chain(others).flat_map(|dialect| framings.map(|framing| (dialect, framing)));
    readings.into_iter().find_map(|(dialect, framing)| {
        let frame = frame(bytes, 0, framing);
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
        let reach = reach(between(bytes, frame.value, frame.end), dialect);
        let is_begun = if frame.missing == 0 { reach.is_whole } else { reach.is_cut };
        let goes_further = || Some(framed_reach(bytes, framing, dialect)) > unframed;
        (is_begun && goes_further()).then_some(Begun { framing, dialect, declared, there })
    })
}

/// How far a reader comes.
struct Reach {
    bytes: u64,
    is_whole: bool,
    /// All is well but that it ends.
    is_cut: bool,
}

/// How far one comes through values with their lengths.
fn framed_reach(bytes: &[u8], framing: Framing, dialect: Dialect) -> u64 {
    let mut at = 0;
    while at < length(bytes) {
        let frame = frame(bytes, at, framing);
        let reach = reach(between(bytes, frame.value, frame.end), dialect);
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
        Ok(extent) => Reach { bytes: extent.consumed, is_whole: true, is_cut: false },
        Err(error) => {
            let is_cut = matches!(error.kind(), ErrorKind::Incomplete { .. });
            Reach { bytes: error.offset(), is_whole: false, is_cut }
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
