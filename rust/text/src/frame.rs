//! Finds where a value of a stream lies, by the length before it.

use variant_core::Framing;

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

/// Returns the place of the value that begins at `at` in a stream of so many bytes, not all of which have to be there.
pub(crate) fn frame(stream: &[u8], whole: u64, at: u64, framing: Framing) -> FrameSpan {
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
