//! The door of all encoding: one function encodes, whatever the form of the bytes.

use godot::builtin::{PackedByteArray, Variant};
use godot::meta::ToGodot;
use variant_core::{Rejection, Rules, Target};
use variant_schema::{Checker, Program, Validator};

use crate::call::codec::Codec;
use crate::call::form::{Call, CallForm};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::call::{checks, live};

impl Codec {
    /// Makes `answer` a PackedByteArray with the bytes of a value.
    #[inline]
    pub(crate) fn encode(
        &mut self,
        call: &Call<'_>,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        let s = call.settings;
        match call.form {
            CallForm::Plain => self.encode_plain(s, value, answer),
            CallForm::Schema(held) | CallForm::Judged(held) => self.encode_checked(s, held, value, answer),
            CallForm::Packed(packing) => self.with_packed(s, packing, value, |packed| {
                *answer = PackedByteArray::from(packed).to_variant();
            }),
            CallForm::Document(document) => self.encode_document(s, document, value, answer),
        }
    }

    /// Returns the bytes of a value.
    pub(crate) fn encoded(&mut self, call: &Call<'_>, value: &Variant) -> Result<PackedByteArray, Problem> {
        let mut answer = Variant::nil();
        self.encode(call, value, &mut answer)?;
        Ok(answer.try_to().unwrap_or_default())
    }

    /// Makes `answer` the bytes of a value that the schema accepts. A receiver with the same schema takes
    /// everything that is sent.
    fn encode_checked(
        &mut self,
        s: &Settings,
        held: &BoundSchema,
        value: &Variant,
        answer: &mut Variant,
    ) -> Result<(), Problem> {
        let program = held.program()?;
        self.encode_plain(s, value, answer)?;
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

    fn first_violation(&mut self, program: &Program, bytes: &[u8]) -> Option<Rejection> {
        let rules = Rules::engine();
        let mut validator = Validator::new(program, &mut self.schema, bytes, &rules);
        self.checking.decode(bytes, &rules, &mut validator).err()?;
        Checker::new().violations(program, bytes, &rules, 1).pop()
    }
}
