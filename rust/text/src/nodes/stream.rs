//! Streams as far as nodes need them: where the values of an input begin, and how it is framed when nobody said.

use variant_core::cursor::length;
use variant_core::{Dialect, Framing, Limits, Rules, validate};

use crate::extent::between;

/// Bytes of the smallest value: zeros are no stream of empty ones.
const LEAST_VALUE: u64 = 4;

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

/// How these bytes are framed: by lengths where these add up and the whole is no value in any dialect.
#[must_use]
pub fn guess_framing(bytes: &[u8]) -> Framing {
    let is_value = |dialect: &Dialect| {
        let rules = Rules { full_objects: true, ..Rules::safe(Limits::engine()) }.of_dialect(*dialect);
        validate(bytes, &rules).is_ok()
    };
    if Dialect::ALL.iter().any(is_value) {
        return Framing::None;
    }
    let framings = [Framing::U32, Framing::U32Be].into_iter();
    framings.into_iter().find(|framing| adds_up(bytes, *framing)).unwrap_or_default()
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
