//! Gives a reader's call the part of the stream that it wants: by the frame reader, in place, or under a
//! schema. It keeps nothing.

use std::time::Duration;

use godot::builtin::Variant;
use variant_core::{FrameReader, Stop};

use crate::call::form::KeptPacking;
use crate::call::problem::Problem;
use crate::engine::build::ToVariant;
use crate::stream::reading::{NextValue, ReadStop, Reading};
use crate::stream::shaping::Shaping;

/// The part of a stream that a call wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadRequest {
    Value,
    // To go on, without a value.
    Skip,
    Enter,
    Leave,
}

impl ReadRequest {
    /// Returns the message for a call that cannot come where the stream is.
    pub(super) const fn misplaced(self, packing: Option<&KeptPacking>) -> &'static str {
        match self {
            ReadRequest::Value | ReadRequest::Skip if packing.is_some() => {
                "packed values need a framing: FRAMING_VARINT, FRAMING_U32 or FRAMING_U32_BE"
            }
            ReadRequest::Value => "no value can come here",
            ReadRequest::Skip => "nothing can be skipped here",
            ReadRequest::Enter => "what comes next is no Array or Dictionary to enter: next() reads it",
            ReadRequest::Leave => "there is nothing to leave: enter() comes first",
        }
    }
}

/// Reads the next packed value, which is all of its frame. It cannot be entered.
pub(super) fn packed_given(
    frames: &mut FrameReader<ToVariant>,
    input: &mut &[u8],
    wanted: ReadRequest,
    read: impl FnOnce(&[u8]) -> Result<Variant, Problem>,
) -> Result<NextValue, Stop> {
    if matches!(wanted, ReadRequest::Enter | ReadRequest::Leave) {
        return Err(Stop::Misplaced);
    }
    let told = match frames.whole(input)? {
        Some(frame) => {
            let told = read(frame);
            frames.pass_whole(input);
            told
        }
        None => read(&frames.next_frame(input)?),
    };
    Ok(NextValue::Decoded(told))
}

/// A value that was begun, and what is passed over with its key by a call that does not want it.
pub(super) type PassedOver = Option<(Box<Shaping>, Option<Variant>)>;

/// Goes on with a value whose bytes were read, if there is one.
pub(super) fn resumed(
    reading: &mut Reading,
    wanted: ReadRequest,
    budget: Option<Duration>,
) -> (Option<Result<NextValue, ReadStop>>, PassedOver) {
    let Some(shaping) = reading.shaping.take() else { return (None, None) };
    match wanted {
        ReadRequest::Value => (Some(reading.shape(shaping, budget).map(NextValue::Decoded)), None),
        ReadRequest::Enter => {
            reading.shaping = Some(shaping);
            (Some(Err(ReadStop::Misplaced)), None)
        }
        ReadRequest::Skip => (Some(Ok(NextValue::Built(Variant::nil()))), Some((shaping, None))),
        ReadRequest::Leave => (None, Some((shaping, reading.frames.take_key()))),
    }
}
