//! Gives a reader's call the part of the stream that it wants: by the frame reader, in place, or under a
//! schema. It keeps nothing.

use std::time::Duration;

use godot::builtin::Variant;
use variant_core::{Extent, FrameReader, Stop};

use crate::call::codec::Codec;
use crate::call::packed::KeptPacking;
use crate::call::problem::Problem;
use crate::call::settings::Settings;
use crate::engine::build::ToVariant;
use crate::stream::reading::{Checked, ReadStop, Reading};
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

/// A value that was read, by whom.
pub(super) enum NextValue {
    /// By the frame reader.
    Built(Variant),
    /// Where it stays, of a message that is all there.
    InPlace,
    /// Under the schema.
    Checked(Result<Variant, Problem>),
    /// Its bytes: it is made under the schema.
    Begun(Box<Shaping>),
}

impl From<Checked> for NextValue {
    fn from(checked: Checked) -> NextValue {
        match checked {
            Checked::Told(told) => NextValue::Checked(told),
            Checked::Begun(shaping) => NextValue::Begun(shaping),
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
    Ok(NextValue::Checked(told))
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
        ReadRequest::Value => (Some(reading.shape(shaping, budget).map(NextValue::Checked)), None),
        ReadRequest::Enter => {
            reading.shaping = Some(shaping);
            (Some(Err(ReadStop::Misplaced)), None)
        }
        ReadRequest::Skip => (Some(Ok(NextValue::Built(Variant::nil()))), Some((shaping, None))),
        ReadRequest::Leave => (None, Some((shaping, reading.frames.take_key()))),
    }
}

/// Puts the next value in the place of a null, if all of its message is there. Tells whether it is there; else the frame
/// reader has to read it.
pub(super) fn built(
    codec: &mut Codec,
    s: &Settings,
    frames: &mut FrameReader<ToVariant>,
    input: &mut &[u8],
    place: &mut Variant,
) -> Result<bool, Stop> {
    let Some(frame) = frames.whole(input)? else { return Ok(false) };
    let outcome = match Codec::decode_single(s, frame, place) {
        true => Some(Ok(())),
        false => codec.decode_in_place(s, &frame.into(), place, &mut Extent::default()),
    };
    match outcome {
        None => return Ok(false),
        Some(Ok(())) => frames.pass_whole(input),
        Some(Err(problem)) => {
            let stop = frames.refuse_whole(input, &problem.spot.error());
            codec.reuse(Some(problem));
            return Err(stop);
        }
    }
    Ok(true)
}
