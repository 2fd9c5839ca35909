//! Judges bytes by a schema before anything is built of them: by the schema's own reader, which takes no walk, or by a walk.
//!
//! It makes no text of what a schema refused: that is a second walk, for when somebody asks.

use variant_core::{ErrorKind, Rules, Trick};
use variant_schema::{FilledBytes, Program, Validator, Verdict};

use crate::call::codec::{Codec, Extent};
use crate::call::problem::{Problem, refused};
use crate::call::readings;
use crate::call::settings::Settings;
use crate::engine::key_hashes::AsksEngine;

/// The bytes of which the value of checked bytes is built.
pub(crate) enum BuiltOf {
    /// These bytes.
    Bytes,
    /// Bytes of the codec's own, with what the schema fills in and declares.
    FilledBytes,
    /// The schema makes another value of them, in a walk.
    Walk,
}

impl Codec {
    /// Checks alone, and says what the value is to be built of. The schema's own reader is `read`, which is not asked while it is
    /// switched off, or could say nothing of the last values.
    pub(crate) fn judge(
        &mut self,
        s: &Settings,
        program: &Program,
        bytes: &[u8],
        read: impl FnOnce(&Program, &[u8], &Rules, &mut FilledBytes) -> Option<Verdict>,
    ) -> Result<(Extent, BuiltOf), Problem> {
        let rules = s.rules();
        if !Trick::Straight.is_off() && self.walked.is_worth_trying() {
            readings::begin();
            match read(program, bytes, rules, &mut self.reshaped) {
                Some(Verdict::Fits { reshapes }) => {
                    self.walked.note_answer();
                    let built_of = if reshapes { BuiltOf::FilledBytes } else { BuiltOf::Bytes };
                    return Ok((whole(bytes), built_of));
                }
                Some(Verdict::Refused(kind)) => return Err(self.refused(kind)),
                None => {}
            }
        }
        let judged = self.judge_by_walk(program, bytes, rules).map_err(|error| brief(s, error, bytes))?;
        self.walked.note_miss();
        Ok(judged)
    }

    fn judge_by_walk(
        &mut self,
        program: &Program,
        bytes: &[u8],
        rules: &Rules,
    ) -> Result<(Extent, BuiltOf), variant_core::Error> {
        readings::begin();
        let mut validator = Validator::new(program, &mut self.schema, bytes, rules).passing_over();
        let ((), extent) = match AsksEngine::around(validator, bytes, rules) {
            Ok(mut asking) => {
                let walked = self.checking.decode(bytes, rules, &mut asking)?;
                validator = asking.into_inner();
                walked
            }
            Err(mut alone) => {
                let walked = self.checking.decode(bytes, rules, &mut alone)?;
                validator = alone;
                walked
            }
        };
        Ok((extent, if validator.reshapes() { BuiltOf::Walk } else { BuiltOf::Bytes }))
    }

    /// Refused by the schema at a place that is only looked for when somebody asks.
    #[cold]
    pub(crate) fn refused(&mut self, kind: ErrorKind) -> Problem {
        let mut problem = self.spare.take().unwrap_or_default();
        problem.note_brief(kind);
        problem
    }
}

/// All of the bytes were one value.
pub(crate) fn whole(bytes: &[u8]) -> Extent {
    Extent { consumed: u64::try_from(bytes.len()).unwrap_or(u64::MAX), trailing: 0 }
}

/// Returns the refusal, without a word where the schema refused: most games drop a bad packet and ask
/// nothing.
#[cold]
pub(crate) fn brief(s: &Settings, error: variant_core::Error, bytes: &[u8]) -> Problem {
    if !error.kind().is_of_schema() {
        return refused(error, s, bytes);
    }
    let mut problem = Problem::default();
    problem.note_brief(error.kind());
    problem.byte_offset = i64::try_from(error.offset()).unwrap_or(i64::MAX);
    problem
}
