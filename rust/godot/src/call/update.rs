//! Brings a container to the value of bytes, whatever their form, and keeps its parts that fit. Nothing is touched before all of
//! the bytes are judged.

use godot::builtin::{PackedByteArray, Variant};
use variant_core::{VariantType, peek_type};
use variant_pack::{Layout, Packer};

use crate::call::codec::{Codec, Extent};
use crate::call::form::{Call, CallForm};
use crate::call::problem::Problem;
use crate::call::readings;
use crate::call::settings::Settings;
use crate::engine::build::References;
use crate::engine::declared::type_name;
use crate::engine::into::{self, is_changeable};
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
        let (s, bytes) = (call.settings, lent.bytes);
        let mut value = Variant::nil();
        let told = if Self::may_build_in_place(s) && !call.form.asks_scripts()? {
            let (extent, built_of) = match self.judge_form(call, bytes) {
                Ok(judged) => judged,
                Err(problem) => return check_target(target).and(Err(problem)),
            };
            if self.with_built_of(&built_of, &lent, |codec, bytes| codec.update(s, target, bytes.bytes)) {
                return Ok(extent);
            }
            check_target(target)?;
            self.decode_by_calls(call, &lent, &mut value)
        } else {
            check_target(target)?;
            self.decode(call, lent, &mut value)
        };
        let held = held_type(bytes, &value);
        let is_updated =
            told.is_ok() && held == type_of(target) && into::update(target, &value, &mut self.ended);
        self.ended.push(value);
        told.and_then(|extent| if is_updated { Ok(extent) } else { Err(wrong_target(target, held)) })
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
}

/// Checks that the target is a container that can be changed.
fn check_target(target: &Variant) -> Result<(), Problem> {
    match is_changeable(target) {
        Some(true) => Ok(()),
        Some(false) => Err(Problem::locked()),
        None => Err(Problem::wrong_type("target", "Dictionary or Array", type_of(target).name())),
    }
}

/// Returns the type that bytes hold, also of a reference that came out as plain data.
fn held_type(bytes: &[u8], value: &Variant) -> VariantType {
    let reference = peek_type(bytes).filter(|ty| matches!(ty, VariantType::Object | VariantType::Signal));
    reference.unwrap_or_else(|| type_of(value))
}

/// The bytes hold something that the target cannot become: no container, the other one, or one of other element types.
#[cold]
fn wrong_target(target: &Variant, held: VariantType) -> Problem {
    match held {
        _ if held == type_of(target) => {
            let typed = format!("{held} of the types in the bytes");
            Problem::wrong_type("target", &typed, &type_name(target))
        }
        VariantType::Array | VariantType::Dictionary => {
            Problem::wrong_type("target", held.name(), type_of(target).name())
        }
        _ => Problem::wrong_type("bytes", "Dictionary or Array", held.name()),
    }
}
