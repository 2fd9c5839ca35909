//! Packs values by a schema, and makes values of packed bytes. Differences between them are a codec's.

use godot::builtin::{PackedByteArray, VarDictionary, Variant, vdict};
use godot::register::godot_api;
use variant_core::{Limits, Rules};
use variant_pack::Tagging;

use super::{VariantSchema, uses};
use crate::api::stream::with_room;
use crate::call::codec::Codec;
use crate::call::decode::with_bytes;
use crate::call::form::{Call, CallForm};
use crate::call::form::{KeptPacking, Packing};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;

type PackResult<T> = Result<T, Problem>;

/// The settings of a packet.
static OF_PACKETS: Settings = Settings::new(Rules::safe(Limits::network()));

static TAGGED: KeptPacking = KeptPacking { tagging: Tagging::Short, baseline: None };

/// Runs a call with this thread's memory; its outcome is what `get_error()` tells.
fn run<T>(held: &BoundSchema, call: impl FnOnce(&mut Codec, Packing<'_>) -> PackResult<T>) -> Option<T> {
    let packing = Packing { held, kept: &TAGGED };
    noted(with_room(|codec| call(codec, packing)))
}

/// Makes an outcome that which `get_error()` tells of.
pub(super) fn noted<T>(outcome: PackResult<T>) -> Option<T> {
    uses::noted(outcome.map_err(uses::all)).ok()
}

/// Packs a value. Games call this for each packet: tags and limits of another kind, and differences, are those of a codec.
pub(super) fn packed(held: &BoundSchema, value: &Variant) -> PackedByteArray {
    let packed = run(held, |codec, packing| {
        codec.with_packed(&OF_PACKETS, packing, value, |packed| PackedByteArray::from(packed))
    });
    packed.unwrap_or_default()
}

/// Makes the value of packed bytes.
pub(super) fn unpacked(held: &BoundSchema, bytes: &Variant) -> Option<Variant> {
    run(held, |codec, packing| {
        let call = Call { settings: &OF_PACKETS, form: CallForm::Packed(packing) };
        with_bytes(&call, bytes, |bytes| codec.value(&call, bytes.bytes))
    })
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn is_packable(&self) -> bool {
        // A question: a schema that contradicts itself does not complain here.
        let held = self.held();
        held.mistakes().is_none() && held.layout().is_ok()
    }

    #[func]
    fn get_pack_error(&self) -> VarDictionary {
        match self.held().layout() {
            Ok(_) => VarDictionary::new(),
            Err(problem) => {
                vdict! { "path" => problem.path().as_ref(), "message" => problem.message().as_ref() }
            }
        }
    }

    #[func]
    fn get_pack_hash(&self) -> i64 {
        self.held().layout().map_or(0, |layout| layout.hash().cast_signed())
    }

    #[func]
    fn get_packed_size(&self) -> VarDictionary {
        let held = self.held();
        let Ok(layout) = held.layout() else { return VarDictionary::new() };
        let size = layout.size();
        let bits = |bits: u64| i64::try_from(bits).unwrap_or(i64::MAX);
        vdict! {
            "min_bits" => bits(size.min_bits),
            "max_bits" => size.max_bits.map_or(-1, bits),
            "is_fixed" => size.is_fixed(),
        }
    }
}
