//! Decoding under a schema: the engine room's calls with a validator in front, in the same walk.

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{ErrorKind, Rules};
use variant_schema::{Program, Shaped, Validator};

use crate::checks;
use crate::codec::{Codec, Dialect, Extent, Limits, Problem, Settings, Strictness, wrong_target};
use crate::into::{InPlace, check_target};
use crate::key_hashes;
use crate::schema::{Held, encoded};

impl Codec {
    pub(crate) fn decode_checked(
        &mut self,
        s: &Settings,
        held: &Held,
        bytes: &PackedByteArray,
    ) -> Result<(Variant, Extent), Problem> {
        let (program, rules) = (held.program()?, s.rules());
        let validator = Validator::new(program, &mut self.schema, bytes.as_slice(), &rules);
        let mut sink = Shaped::new(validator, s.building());
        let outcome = self.building.decode(bytes.as_slice(), &rules, &mut sink);
        let (value, extent) = outcome.map_err(|error| self.explain(s, program, bytes, &error))?;
        if program.has_checks() {
            checks::run(&held.schema, &value)?;
        }
        Ok((value, extent))
    }

    pub(crate) fn validate_checked(
        &mut self,
        s: &Settings,
        held: &Held,
        bytes: &PackedByteArray,
    ) -> Result<Extent, Problem> {
        let (program, rules) = (held.program()?, s.rules());
        if program.has_checks() || key_hashes::are_asked() {
            // A check of the game's own wants the value, the engine's hash wants each key.
            return self.decode_checked(s, held, bytes).map(|(_, extent)| extent);
        }
        let mut validator = Validator::new(program, &mut self.schema, bytes.as_slice(), &rules);
        match self.checking.decode(bytes.as_slice(), &rules, &mut validator) {
            Ok(((), extent)) => Ok(extent),
            Err(error) => Err(self.explain(s, program, bytes, &error)),
        }
    }

    pub(crate) fn decode_into_checked(
        &mut self,
        s: &Settings,
        held: &Held,
        target: &Variant,
        bytes: &PackedByteArray,
    ) -> Result<Extent, Problem> {
        check_target(target)?;
        let extent = self.validate_checked(s, held, bytes)?;
        let (program, rules) = (held.program()?, s.rules());
        let validator = Validator::new(program, &mut self.schema, bytes.as_slice(), &rules);
        let mut sink = Shaped::new(validator, InPlace::new(target, s.building()));
        match self.updating.decode(bytes.as_slice(), &rules, &mut sink) {
            Ok(_) => Ok(extent),
            Err(error) if error.kind() == ErrorKind::InvalidArgument => Err(wrong_target(target, bytes)),
            Err(error) => Err(self.explain(s, program, bytes, &error)),
        }
    }

    /// A value whose bytes are gone, as the schema shapes it. It is encoded again, so that offsets count in what the
    /// engine would write.
    pub(crate) fn shape(&mut self, s: &Settings, held: &Held, value: &Variant) -> Result<Variant, Problem> {
        let live_references = s.limits.live_references;
        let limits = Limits { live_references, ..Limits::engine() };
        // What these may refuse, they have refused already.
        let s = Settings { strictness: Strictness::Engine, dialect: Dialect::Godot4, limits, ..*s };
        let bytes = encoded(value).map_err(|error| Problem::of_value(&error))?;
        self.decode_checked(&s, held, &PackedByteArray::from(bytes)).map(|(value, _)| value)
    }

    /// Only now, when something was refused, is it asked where and what: the walk stops at the same value.
    #[cold]
    fn explain(
        &mut self,
        s: &Settings,
        program: &Program,
        bytes: &PackedByteArray,
        error: &variant_core::Error,
    ) -> Problem {
        let rules: Rules = s.rules();
        let first = error
            .kind()
            .is_of_schema()
            .then(|| self.explaining.violations(program, bytes.as_slice(), &rules, 1).pop());
        match first.flatten() {
            Some(violation) => Problem::of_violation(&violation),
            None => Problem::of_bytes(error, s),
        }
    }
}
