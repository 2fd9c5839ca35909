//! Packs values by a schema, and makes values of packed bytes and of differences between them.

use godot::builtin::{PackedByteArray, VarDictionary, Variant, vdict};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_core::{Dialect, Limits, Strictness};
use variant_pack::{Bases, Tagging};

use super::{SchemaState, VariantSchema, uses};
use crate::api::limits::VariantLimits;
use crate::api::number::argument;
use crate::api::packed_form::{self, EngineBytes};
use crate::api::stream::with_room;
use crate::codec::{Codec, Problem, Settings};
use crate::decode::{bytes_argument, with_checked_bytes};
use crate::packed::{KeptBases, Packing, told};
use crate::raw::method::{Answer, Method, Returns};
use crate::raw::optional::Optional;
use crate::schema::BoundSchema;

type PackResult<T> = Result<T, Problem>;

/// Holds the terms that a call goes by.
struct PackSettings<'h> {
    settings: &'h Settings,
    tagging: Tagging,
    held: &'h BoundSchema,
}

/// The settings of a packet, for calls that leave the limits out.
static OF_PACKETS: Settings = within(Limits::network());

const fn within(limits: Limits) -> Settings {
    Settings::new(Strictness::Safe, limits, Dialect::Godot4)
}

impl<'h> PackSettings<'h> {
    fn of(held: &'h BoundSchema, tagging: &Variant, settings: &'h Settings) -> PackResult<PackSettings<'h>> {
        // Null stands for what a call leaves out.
        let tagging = if tagging.is_nil() { Tagging::Short } else { argument("tagging", tagging)? };
        Ok(PackSettings { settings, tagging, held })
    }

    const fn packing<'b>(&'b self, baseline: Option<Bases<'b>>) -> Packing<'b> {
        Packing { held: self.held, tagging: self.tagging, baseline, tells: false }
    }
}

/// Limits that are given, or else those of a packet.
pub(super) fn limits_argument(limits: &Variant) -> PackResult<Limits> {
    if limits.is_nil() {
        return Ok(Limits::network());
    }
    let wrong = |_| Problem::wrong_type("limits", "VariantLimits", limits.get_type().godot_type_name());
    let given: Gd<VariantLimits> = limits.try_to().map_err(wrong)?;
    let shared = given.bind().shared();
    Ok(shared.get())
}

pub(super) fn default_tagging() -> Optional {
    Optional(1_i64.to_variant())
}

/// Runs a call with this thread's memory; its outcome is what `get_error()` tells.
fn run<T>(
    held: &BoundSchema,
    (tagging, limits): (&Variant, &Variant),
    call: impl FnOnce(&mut Codec, &PackSettings<'_>) -> PackResult<T>,
) -> Option<T> {
    let call = |settings: &Settings| {
        let terms = PackSettings::of(held, tagging, settings)?;
        with_room(|codec| call(codec, &terms))
    };
    noted(match limits.is_nil() {
        true => call(&OF_PACKETS),
        false => limits_argument(limits).and_then(|limits| call(&within(limits))),
    })
}

/// Makes an outcome that which `get_error()` tells of.
pub(super) fn noted<T>(outcome: PackResult<T>) -> Option<T> {
    match outcome {
        Ok(answer) => {
            uses::note(None);
            Some(answer)
        }
        Err(problem) => {
            uses::note(Some(problem));
            None
        }
    }
}

fn packed(
    codec: &mut Codec,
    terms: &PackSettings<'_>,
    base: Option<Bases<'_>>,
    value: &Variant,
) -> PackResult<PackedByteArray> {
    codec.packed(terms.settings, terms.packing(base), value)
}

/// A baseline as packed bytes: as they are, or what a value is packed as.
fn baseline(
    codec: &mut Codec,
    terms: &PackSettings<'_>,
    given: &Variant,
) -> PackResult<KeptBases<EngineBytes>> {
    match packed_form::bases(given) {
        Ok(Some(bases)) => Ok(bases),
        Ok(None) => {
            let newer = packed(codec, terms, None, given)?.into();
            Ok(KeptBases { newer, older: None })
        }
        Err(_) => Err(Problem::wrong_type(
            "baseline",
            "packed bytes, or an Array [newer, older] or [newer, older, ahead, gap]",
            "another Array",
        )),
    }
}

/// The methods that games call for each packet.
pub(super) const PACK: Method<SchemaState> = Method {
    name: "pack",
    arguments: &["value", "tagging = 1", "limits"],
    optional: 2,
    returns: Returns::Bytes,
    run: |schema, given| {
        let done =
            run(&schema.held(), (given[1], given[2]), |codec, terms| packed(codec, terms, None, given[0]));
        Answer::Bytes(done.unwrap_or_default())
    },
};
pub(super) const UNPACK: Method<SchemaState> = Method {
    name: "unpack",
    arguments: &["bytes: PackedByteArray", "fallback", "tagging = 1", "limits"],
    optional: 3,
    returns: Returns::Value,
    run: |schema, given| {
        let held = schema.held();
        let done = run(&held, (given[2], given[3]), |codec, terms| {
            with_checked_bytes(given[0], &held, |bytes| {
                told(codec, terms.settings, terms.packing(None), bytes)
            })
        });
        Answer::Value(done.unwrap_or_else(|| given[1].clone()))
    },
};
pub(super) const PACK_DELTA: Method<SchemaState> = Method {
    name: "pack_delta",
    arguments: &["baseline", "value", "tagging = 1", "limits"],
    optional: 2,
    returns: Returns::Bytes,
    run: |schema, given| {
        let done = run(&schema.held(), (given[2], given[3]), |codec, terms| {
            let base = baseline(codec, terms, given[0])?;
            packed(codec, terms, Some(base.lent()), given[1])
        });
        Answer::Bytes(done.unwrap_or_default())
    },
};
pub(super) const APPLY_DELTA: Method<SchemaState> = Method {
    name: "apply_delta",
    arguments: &["baseline", "delta: PackedByteArray", "tagging = 1", "limits"],
    optional: 2,
    returns: Returns::Bytes,
    run: |schema, given| {
        let done = run(&schema.held(), (given[2], given[3]), |codec, terms| {
            let (base, delta) = (baseline(codec, terms, given[0])?, bytes_argument(given[1])?);
            codec.apply_packed(terms.settings, terms.packing(Some(base.lent())), delta.as_slice())
        });
        Answer::Bytes(done.unwrap_or_default())
    },
};

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    #[expect(clippy::too_many_arguments, reason = "two more may be left out than a call needs")]
    fn unpack_delta(
        &self,
        baseline: Variant,
        delta: Variant,
        #[opt(default = Optional::null())] fallback: Optional,
        #[opt(default = default_tagging())] tagging: Optional,
        #[opt(default = Optional::null())] limits: Optional,
    ) -> Variant {
        let done = run(&self.held(), (&tagging.0, &limits.0), |codec, terms| {
            let (base, delta) = (self::baseline(codec, terms, &baseline)?, bytes_argument(&delta)?);
            told(codec, terms.settings, terms.packing(Some(base.lent())), delta.as_slice())
        });
        done.unwrap_or(fallback.0)
    }

    #[func]
    fn is_packable(&self) -> bool {
        // A question: a schema that contradicts itself does not complain here.
        let held = self.held();
        held.build_error().is_none() && held.layout().is_ok()
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
