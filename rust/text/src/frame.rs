//! Finds where a value of a stream lies, by the length before it.

use variant_core::Framing;
use variant_core::cursor::length;

use crate::extent::between;

/// Holds the place of one value.
pub(crate) struct FrameSpan {
    /// The beginning of the value, behind its length.
    pub(crate) value: u64,
    /// The end of its frame, or of the input where there is no frame.
    pub(crate) end: u64,
    /// The bytes that its length declares and the input does not have.
    pub(crate) missing: u64,
}

/// Returns the place of the value that begins at `at`, which is within the stream.
pub(crate) fn frame(stream: &[u8], at: u64, framing: Framing) -> FrameSpan {
    frame_in(stream, length(stream), at, framing)
}

/// Returns the place of a value where not all of the stream is there.
pub(crate) fn frame_in(stream: &[u8], whole: u64, at: u64, framing: Framing) -> FrameSpan {
    if framing == Framing::None {
        return FrameSpan { value: at, end: whole, missing: 0 };
    }
    let Some((declared, size)) = framing.read_length(between(stream, at, whole)) else {
        let least = framing.least_length() as u64;
        return FrameSpan { value: whole, end: whole, missing: least.saturating_sub(whole - at).max(1) };
    };
    let value = at + size as u64;
    let wanted = value.saturating_add(declared);
    FrameSpan { value, end: wanted.min(whole), missing: wanted.saturating_sub(whole) }
}
