//! Gives a reader's call the part of the stream that it wants: by the frame reader, in place, or under a schema. It keeps nothing.

use std::sync::Arc;
use std::time::Duration;

use godot::builtin::Variant;
use variant_core::{FrameReader, Stop};

use crate::call::codec::Codec;
use crate::call::form::{Call, CallForm, KeptCall};
use crate::call::problem::Problem;
use crate::call::readings;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::engine::build::ToVariant;
use crate::stream::reading::{NextValue, ReadStop, Reading};
use crate::stream::shaping::Shaping;

/// Bytes that are decoded under a schema in one go, which is several times as fast: less than a tenth of a millisecond.
const AT_ONCE: usize = 1 << 14;

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
    pub(super) const fn misplaced(self, call: &KeptCall) -> &'static str {
        match self {
            ReadRequest::Value | ReadRequest::Skip if call.packing.is_some() => {
                "packed values need a framing: FRAMING_VARINT, FRAMING_U32 or FRAMING_U32_BE"
            }
            ReadRequest::Value => "no value can come here",
            ReadRequest::Skip => "nothing can be skipped here",
            ReadRequest::Enter => "what comes next is no Array or Dictionary to enter: next() reads it",
            ReadRequest::Leave => "there is nothing to leave: enter() comes first",
        }
    }
}

/// A call that reads: what it goes by, and the place for its value.
pub(super) struct ReadCall<'c> {
    pub(super) codec: &'c mut Codec,
    pub(super) call: &'c KeptCall,
    /// The schema of the value that comes next, which may be that of an earlier call.
    pub(super) schema: Option<&'c Arc<BoundSchema>>,
    pub(super) wanted: ReadRequest,
    pub(super) budget: Option<Duration>,
    /// Whether the value that comes next was begun by other rules.
    pub(super) keeps_rules: bool,
    /// Holds null, for a value that is built where it stays.
    pub(super) place: &'c mut Variant,
}

type Frames = FrameReader<ToVariant>;

impl ReadCall<'_> {
    /// Reads what is wanted from the bytes that came.
    pub(super) fn read(&mut self, frames: &mut Frames, input: &mut &[u8]) -> Result<NextValue, Stop> {
        if self.call.packing.is_some() {
            return self.packed(frames, input);
        }
        if self.wanted == ReadRequest::Value
            && !self.keeps_rules
            && let Some(told) = self.whole(frames, input)?
        {
            return Ok(told);
        }
        match (self.wanted, self.schema) {
            (ReadRequest::Value, Some(held)) => return self.under(held, frames, input),
            (ReadRequest::Enter, Some(held)) if held.classes.is_some() && frames.depth() == 0 => {
                return Err(Stop::Misplaced);
            }
            _ => {}
        }
        readings::begin();
        match self.wanted {
            ReadRequest::Value => *self.place = frames.next(input)?,
            ReadRequest::Skip => frames.skip(input)?,
            ReadRequest::Enter => frames.enter(input)?,
            ReadRequest::Leave => frames.leave(input)?,
        }
        Ok(NextValue::Made(Ok(())))
    }

    /// Reads the next packed value, which is all of its frame. It cannot be entered.
    fn packed(&mut self, frames: &mut Frames, input: &mut &[u8]) -> Result<NextValue, Stop> {
        if matches!(self.wanted, ReadRequest::Enter | ReadRequest::Leave) {
            return Err(Stop::Misplaced);
        }
        let mut read = |bytes: &[u8]| {
            let KeptCall { settings, packing, .. } = self.call;
            let call = Call::new(settings, self.schema.map(|held| &**held), packing.as_ref())?;
            match self.wanted {
                ReadRequest::Value => self.decode(&call, bytes),
                _ => self.codec.verdict(&call, bytes),
            }
        };
        let told = match frames.whole(input)? {
            Some(frame) => {
                let told = read(frame);
                frames.pass_whole(input);
                told
            }
            None => read(&frames.next_frame(input)?),
        };
        Ok(NextValue::Made(told))
    }

    /// Decodes a message that is all there and of which nothing was read into the place of a null, if that comes next. The frame
    /// reader says in its own way what breaks the format.
    fn whole(&mut self, frames: &mut Frames, input: &mut &[u8]) -> Result<Option<NextValue>, Stop> {
        let Some(frame) = frames.whole(input)? else { return Ok(None) };
        let call = Call::under(&self.call.settings, self.schema.map(|held| &**held));
        let is_single =
            matches!(call.form, CallForm::Plain) && Codec::decode_single(call.settings, frame, self.place);
        let decoded =
            if is_single { Ok(()) } else { self.codec.decode(&call, frame.into(), self.place).map(drop) };
        if let Err(problem) = &decoded
            && let Some(error) = problem.error_of_bytes()
        {
            let stop = frames.refuse_whole(input, &error);
            self.codec.reuse(decoded.err());
            return Err(stop);
        }
        frames.pass_whole(input);
        Ok(Some(NextValue::Made(decoded.map_err(|problem| call.explained(frame, problem)))))
    }

    /// Decodes into the place, where a refused value stays: ending it can run scripts, and those may ask the reader.
    fn decode(&mut self, call: &Call<'_>, bytes: &[u8]) -> Result<(), Problem> {
        let decoded = self.codec.decode(call, bytes.into(), self.place);
        decoded.map(drop).map_err(|problem| call.explained(bytes, problem))
    }

    /// Reads the next value under a schema, of the bytes that came. With little time it is only begun where it has many bytes.
    /// Nothing is built of one that is refused.
    fn under(
        &mut self,
        held: &Arc<BoundSchema>,
        frames: &mut Frames,
        input: &mut &[u8],
    ) -> Result<NextValue, Stop> {
        let bytes = frames.next_bytes(input)?;
        let settings = Settings::new(*frames.rules());
        let call = Call::under(&settings, Some(held));
        // A document is checked as a whole before anything of it is made.
        if self.budget.is_none() || bytes.len() <= AT_ONCE || matches!(call.form, CallForm::Document(..)) {
            return Ok(NextValue::Made(self.decode(&call, &bytes)));
        }
        let shaping = Shaping::new(held, &settings, bytes);
        Ok(shaping.map_or_else(|problem| NextValue::Made(Err(problem)), NextValue::Begun))
    }
}

/// A value that was begun, and what is passed over with its key by a call that does not want it.
pub(super) type PassedOver = Option<(Box<Shaping>, Option<Variant>)>;

/// Goes on with a value whose bytes were read, if there is one.
pub(super) fn resumed(
    reading: &mut Reading,
    wanted: ReadRequest,
) -> (Option<Result<NextValue, ReadStop>>, PassedOver) {
    let Some(shaping) = reading.shaping.take() else { return (None, None) };
    match wanted {
        ReadRequest::Value => (Some(Ok(NextValue::Begun(shaping))), None),
        ReadRequest::Enter => {
            reading.shaping = Some(shaping);
            (Some(Err(ReadStop::Misplaced)), None)
        }
        ReadRequest::Skip => (Some(Ok(NextValue::Made(Ok(())))), Some((shaping, None))),
        ReadRequest::Leave => (None, Some((shaping, reading.frames.take_key()))),
    }
}
