//! Finds the packed bytes of each value of an input, and says what is wrong with them.

use variant_core::{Rejection, Strictness};

use crate::arguments::Reading;
use crate::failure::{BadData, Excerpt, Failure};
use crate::values::{Input, ValueStream};

/// A refusal, with the bytes around its place.
pub(crate) fn refused(problem: &Rejection, bytes: &[u8]) -> Failure {
    Failure::Data(Box::new(BadData {
        message: format!("{}: {problem}", problem.kind.name()),
        excerpt: Some(Excerpt::around(bytes, problem.offset())),
        ..BadData::default()
    }))
}

/// The packed bytes of one value.
#[derive(Clone, Copy)]
pub(crate) struct PackedFrame<'b> {
    pub(crate) bytes: &'b [u8],
    /// Its number and its first byte, where lengths stand between values.
    pub(crate) place: Option<(u64, u64)>,
}

impl PackedFrame<'_> {
    pub(crate) fn refused(&self, problem: &Rejection) -> Failure {
        let refused = refused(problem, self.bytes);
        match self.place {
            Some((number, byte)) => refused.at(format_args!("value {number} at byte {byte}")),
            None => refused,
        }
    }
}

/// Calls with the packed bytes of each value: those behind the lengths, or all.
pub(crate) fn for_each_frame(
    bytes: Vec<u8>,
    reading: &Reading,
    mut call: impl FnMut(&PackedFrame<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if !reading.framing.has_lengths() {
        return call(&PackedFrame { bytes: &bytes, place: None });
    }
    let rules = reading.rules(Strictness::Safe);
    let mut values = ValueStream::new(String::new(), Input::Held(bytes), Vec::new(), reading.framing, &rules);
    while let Some(one) = values.next()? {
        call(&PackedFrame { bytes: one.bytes, place: Some((one.at, one.start)) })?;
    }
    Ok(())
}
