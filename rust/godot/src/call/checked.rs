//! Decoding under a schema: the engine room's calls with a validator in front, in the same walk.
//!
//! It makes no text of what a schema refused: that is a second walk, for when somebody asks.

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{ErrorKind, Rejection, Rules, Trick};
use variant_schema::{Checker, DefaultingSink, Program, Validator, Verdict};

use crate::call::attempts::Misses;
use crate::call::checks;
use crate::call::codec::{Codec, Extent, Target};
use crate::call::decode::{UpdateBytes, check_target, wrong_target};
use crate::call::live;
use crate::call::problem::Problem;
use crate::call::readings;
use crate::call::schema::{BoundSchema, violations};
use crate::call::settings::Settings;
use crate::call::sniff::Beginning;
use crate::engine::into::InPlace;
use crate::engine::key_hashes::AsksEngine;

/// The bytes of which the value of checked bytes is built.
enum BuiltOf {
    /// These bytes.
    Bytes,
    /// Bytes of the codec's own, with what the schema fills in and declares.
    FilledBytes,
    /// The schema makes another value of them, in a walk.
    Walk,
}

impl Codec {
    /// Puts the value into `value`, which is null. A value that is left there after a refusal counts for
    /// nothing.
    pub(crate) fn decode_checked(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        bytes: &[u8],
        value: &mut Variant,
    ) -> Result<Extent, Problem> {
        if held.classes.is_some() {
            return self.decode_document(s, held, bytes, value);
        }
        let program = held.program()?;
        let extent = match self.decode_checked_in_place(s, program, bytes, value)? {
            Some(extent) => extent,
            None => {
                let (built, extent) = self.build_checked(s, program, bytes)?;
                *value = built;
                extent
            }
        };
        // Scripts run from here on, and may change what the bytes were lent from.
        if program.has_checks() {
            checks::run(held, value)?;
        }
        Ok(extent)
    }

    /// Does so with bytes of which it is known that the schema accepts them, limits and all, and that nothing is to be filled
    /// in or declared.
    pub(crate) fn decode_accepted(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        bytes: &[u8],
        value: &mut Variant,
    ) -> Result<Extent, Problem> {
        let is_built = held.classes.is_none()
            && Self::may_build_in_place(s)
            && self.build_judged(s, &bytes.into(), value);
        if !is_built {
            return self.decode_checked(s, held, bytes, value);
        }
        if held.program()?.has_checks() {
            checks::run(held, value)?;
        }
        Ok(whole(bytes))
    }

    /// Checks first, then builds what is good where it will stay. `None`: the schema makes another value of these
    /// bytes, or they take official calls for another reason.
    fn decode_checked_in_place(
        &mut self,
        s: &Settings,
        program: &Program,
        bytes: &[u8],
        value: &mut Variant,
    ) -> Result<Option<Extent>, Problem> {
        if !Self::may_build_in_place(s) {
            return Ok(None);
        }
        let (extent, built_of) = self.check_by(s, program, bytes)?;
        let is_built = match built_of {
            BuiltOf::Bytes => self.build_judged(s, &bytes.into(), value),
            BuiltOf::FilledBytes => {
                let shaped = std::mem::take(&mut self.reshaped);
                let is_built = self.build_judged(s, &shaped.bytes().into(), value);
                self.reshaped = shaped;
                is_built
            }
            BuiltOf::Walk => false,
        };
        Ok(is_built.then_some(extent))
    }

    /// Checks, fills in defaults and builds in one walk, through official calls.
    fn build_checked(
        &mut self,
        s: &Settings,
        program: &Program,
        bytes: &[u8],
    ) -> Result<(Variant, Extent), Problem> {
        readings::begin();
        let rules = s.rules();
        let validator = Validator::new(program, &mut self.schema, bytes, rules);
        let mut sink = DefaultingSink::new(validator, s.building());
        self.building.decode(bytes, rules, &mut sink).map_err(|error| brief(s, error, bytes))
    }

    /// Checks alone, and what the value is to be built of.
    fn check_by(
        &mut self,
        s: &Settings,
        program: &Program,
        bytes: &[u8],
    ) -> Result<(Extent, BuiltOf), Problem> {
        let rules = s.rules();
        let reshaped = &mut self.reshaped;
        match without_walk(&mut self.walked, || program.reshape(bytes, rules, reshaped)) {
            Some(Verdict::Fits { reshapes }) => {
                self.walked.note(true);
                let built_of = if reshapes { BuiltOf::FilledBytes } else { BuiltOf::Bytes };
                Ok((whole(bytes), built_of))
            }
            Some(Verdict::Refused(kind)) => Err(self.refused(kind)),
            None => match self.walk_by(program, bytes, rules) {
                Ok(judged) => {
                    self.walked.note(false);
                    Ok(judged)
                }
                Err(error) => Err(brief(s, error, bytes)),
            },
        }
    }

    /// Checks the bytes by a walk with the schema's validator.
    fn walk_by(
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

    pub(crate) fn validate_checked(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        bytes: &[u8],
    ) -> Result<Extent, Problem> {
        if held.classes.is_some() {
            return self.validate_document(s, held, bytes);
        }
        let program = held.program()?;
        if !program.has_checks() {
            let rules = s.rules();
            match without_walk(&mut self.walked, || program.straight(bytes, rules)) {
                Some(Verdict::Fits { .. }) => {
                    self.walked.note(true);
                    return Ok(whole(bytes));
                }
                Some(Verdict::Refused(kind)) => return Err(self.refused(kind)),
                None => {
                    let judged = self.walk_by(program, bytes, rules);
                    let (extent, _) = judged.map_err(|error| brief(s, error, bytes))?;
                    self.walked.note(false);
                    return Ok(extent);
                }
            }
        }
        // A check of the game's own wants the value.
        self.decode_checked(s, held, bytes, &mut Variant::nil())
    }

    /// Updates the target as [`Codec::decode_into`] does, and leaves it as it was if the schema refuses the
    /// bytes.
    pub(crate) fn decode_into_checked(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        target: &Variant,
        bytes: UpdateBytes<'_, impl FnOnce() -> Result<PackedByteArray, Problem>>,
    ) -> Result<Extent, Problem> {
        if held.classes.is_some() {
            return Err(Problem::wrong_type("classes", "null: use decode()", "a VariantClassSet"));
        }
        let (program, rules) = (held.program()?, s.rules());
        if let Some(lent) = bytes.lent.filter(|_| Self::may_build_in_place(s) && !program.has_checks()) {
            let (extent, built_of) = self.check_by(s, program, lent)?;
            let is_done = match built_of {
                BuiltOf::Bytes => self.update(s, target, lent),
                BuiltOf::FilledBytes => {
                    let shaped = std::mem::take(&mut self.reshaped);
                    let is_done = self.update(s, target, shaped.bytes());
                    self.reshaped = shaped;
                    is_done
                }
                BuiltOf::Walk => false,
            };
            if is_done {
                return Ok(extent);
            }
        }
        let bytes = &(bytes.own)()?;
        // A check of the game's own can let go of the target.
        let target = &target.clone();
        check_target(target)?;
        let extent = self.validate_checked(s, held, bytes.as_slice())?;
        let validator = Validator::new(program, &mut self.schema, bytes.as_slice(), rules);
        readings::begin();
        let mut sink = DefaultingSink::new(validator, InPlace::new(target, s.building()));
        match self.updating.decode(bytes.as_slice(), rules, &mut sink) {
            Ok(_) => Ok(extent),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => Err(wrong_target(target, bytes)),
            Err(error) => Err(brief(s, error, bytes.as_slice())),
        }
    }

    /// Makes `answer` the bytes of a value that the schema accepts. A receiver with the same schema takes
    /// everything that is sent.
    pub(crate) fn encode_checked(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        if held.classes.is_some() {
            return self.encode_document(s, held, value, answer);
        }
        let program = held.program()?;
        self.encode(s, value, answer)?;
        let is_own = !s.full_objects && s.target.is_some_and(Target::is_newest_godot_4);
        let found = if is_own {
            let bytes: PackedByteArray = answer.try_to().unwrap_or_default();
            self.first_violation(program, bytes.as_slice())
        } else {
            // Another dialect's bytes may say less than the value.
            live::violations(&mut Checker::new(), program, value, 1, u64::MAX).pop()
        };
        match found {
            Some(rejection) => Err(Problem::of_live(&rejection)),
            None if program.has_checks() => checks::run_live(held, program, value),
            None => Ok(()),
        }
    }

    /// Refused by the schema at a place that is only looked for when somebody asks.
    #[cold]
    pub(crate) fn refused(&mut self, kind: ErrorKind) -> Problem {
        let mut problem = self.spare.take().unwrap_or_default();
        problem.note_brief(kind);
        problem
    }

    fn first_violation(&mut self, program: &Program, bytes: &[u8]) -> Option<Rejection> {
        let rules = Rules::engine();
        let mut validator = Validator::new(program, &mut self.schema, bytes, &rules);
        self.checking.decode(bytes, &rules, &mut validator).err()?;
        Checker::new().violations(program, bytes, &rules, 1).pop()
    }
}

/// Asks a schema's own reader, unless it is switched off, or could say nothing of the last values.
fn without_walk(walked: &mut Misses, read: impl FnOnce() -> Option<Verdict>) -> Option<Verdict> {
    if Trick::Straight.is_off() || !walked.is_worth_trying() {
        return None;
    }
    readings::begin();
    read()
}

/// All of the bytes were one value.
fn whole(bytes: &[u8]) -> Extent {
    Extent { consumed: u64::try_from(bytes.len()).unwrap_or(u64::MAX), trailing: 0 }
}

/// Returns the refusal, without a word where the schema refused: most games drop a bad packet and ask
/// nothing.
#[cold]
fn brief(s: &Settings, error: variant_core::Error, bytes: &[u8]) -> Problem {
    if error.kind().is_of_schema() {
        let mut problem = Problem::default();
        problem.note_brief(error.kind());
        problem.byte_offset = i64::try_from(error.offset()).unwrap_or(i64::MAX);
        problem
    } else {
        Problem::of_bytes(error, s).beginning(Beginning::of(bytes, s.rules().dialect))
    }
}

/// A brief problem in full: the walk is made again, and stops at the same value.
#[cold]
pub(crate) fn explained(s: &Settings, held: &BoundSchema, bytes: &[u8], problem: Problem) -> Problem {
    let found = violations(held, bytes, s.rules(), 1).ok().and_then(|mut found| found.pop());
    let beginning = Beginning::of(bytes, s.rules().dialect);
    found.map_or(problem, |rejection| Problem::of_rejection(&rejection).beginning(beginning))
}
