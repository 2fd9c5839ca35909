//! Brings a container to the value of bytes, whatever their form, and keeps its parts that fit. Nothing is touched before all of
//! the bytes are judged.

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{ErrorKind, VariantType, peek_type};
use variant_pack::{Layout, Packer};
use variant_schema::{DefaultingSink, Validator};

use crate::call::codec::{Codec, Extent};
use crate::call::declared::type_name;
use crate::call::form::{Call, CallForm};
use crate::call::judge::brief;
use crate::call::problem::Problem;
use crate::call::readings;
use crate::call::settings::Settings;
use crate::engine::build::References;
use crate::engine::into::{InPlace, is_changeable};
use crate::raw::in_place::{self, BorrowedBytes};
use crate::raw::variant::type_of;

impl Codec {
    /// Updates the target, or leaves it as it was where the bytes are refused.
    pub(crate) fn decode_into(
        &mut self,
        call: &Call<'_>,
        target: &Variant,
        lent: BorrowedBytes<'_>,
    ) -> Result<Extent, Problem> {
        match call.form {
            CallForm::Packed(packing) => {
                // What is let go of may be objects with scripts.
                let own = lent.own();
                let bytes = own.as_ref().map_or(lent.bytes, PackedByteArray::as_slice);
                return self.unpacked(call.settings, packing, bytes, Some(target), |codec, call, bytes| {
                    codec.decode_into(call, target, bytes.into())
                });
            }
            CallForm::Document(..) => {
                return Err(Problem::wrong_type("classes", "null: use decode()", "a VariantClassSet"));
            }
            CallForm::Plain | CallForm::Schema(_) | CallForm::Judged(_) => {}
        }
        let s = call.settings;
        let mut judged = None;
        if !call.form.asks_scripts()? {
            let (extent, built_of) = match self.judge_form(call, lent.bytes) {
                Ok(judged) => judged,
                Err(problem) => return check_target(target).and(Err(problem)),
            };
            if Self::may_build_in_place(s)
                && self.with_built_of(&built_of, &lent, |codec, bytes| codec.update(s, target, bytes.bytes))
            {
                return Ok(extent);
            }
            judged = Some(extent);
        }
        let own = lent.own();
        let bytes = own.as_ref().map_or(lent.bytes, PackedByteArray::as_slice);
        self.update_by_calls(call, target, bytes, judged)
    }

    /// Whether checked bytes could be put where the old values lie.
    pub(crate) fn update(&mut self, s: &Settings, target: &Variant, bytes: &[u8]) -> bool {
        readings::begin();
        in_place::update(target, bytes, &mut self.keys, References::of(s.limits())).is_some()
    }

    /// Whether the codes that were read could be put where the old values lie.
    pub(crate) fn put(&mut self, s: &Settings, target: &Variant, layout: &Layout, packer: &Packer) -> bool {
        readings::begin();
        in_place::put(target, layout, packer, &mut self.keys, References::of(s.limits())).is_some()
    }

    /// Updates by a walk through official calls: the fallback, which completes what was begun. Bytes are judged before, if they
    /// were not.
    #[inline(never)]
    fn update_by_calls(
        &mut self,
        call: &Call<'_>,
        target: &Variant,
        bytes: &[u8],
        judged: Option<Extent>,
    ) -> Result<Extent, Problem> {
        // A check of the game's own can let go of the target.
        let target = &target.clone();
        check_target(target)?;
        let extent = judged.map_or_else(|| self.validate(call, bytes), Ok)?;
        let (s, rules) = (call.settings, call.settings.rules());
        readings::begin();
        let mut sink = InPlace::new(target, s.building());
        let updated = match call.form.program()? {
            None => self.updating.decode(bytes, rules, &mut sink),
            Some(program) => {
                let validator = Validator::new(program, &mut self.schema, bytes, rules);
                self.updating.decode(bytes, rules, &mut DefaultingSink::new(validator, sink))
            }
        };
        updated.map(|_| extent).map_err(|error| match error.kind() {
            ErrorKind::InvalidArgument => wrong_target(target, bytes),
            _ => brief(s, error, bytes),
        })
    }
}

/// Checks that the target is a container that can be changed.
fn check_target(target: &Variant) -> Result<(), Problem> {
    match is_changeable(target) {
        Some(true) => Ok(()),
        Some(false) => Err(Problem::locked()),
        None => Err(Problem::wrong_type("target", "Dictionary or Array", type_of(target).name())),
    }
}

/// The bytes hold something that the target cannot become: no container, the other one, or one of other element types.
#[cold]
fn wrong_target(target: &Variant, bytes: &[u8]) -> Problem {
    match peek_type(bytes) {
        Some(held) if held == type_of(target) => {
            let typed = format!("{held} of the types in the bytes");
            Problem::wrong_type("target", &typed, &type_name(target))
        }
        Some(held @ (VariantType::Array | VariantType::Dictionary)) => {
            Problem::wrong_type("target", held.name(), type_of(target).name())
        }
        held => {
            Problem::wrong_type("bytes", "Dictionary or Array", held.map_or("another type", |ty| ty.name()))
        }
    }
}
