//! `VariantCodec`: a configured, reusable encoder and decoder that answers with Error codes.
//!
//! The state of such an object, and the lock around it, is in `state.rs`.

use godot::builtin::{Array, GString, VarDictionary, Variant};
use godot::classes::{IRefCounted, RefCounted};
use godot::obj::{Base, Gd, GodotClass};
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};

use variant_pack::Tagging;

use super::class_set::VariantClassSet;
use super::limits::VariantLimits;
use super::method_rows::{makers, methods};
use super::number::{EnumNumber, choices, saturated};
use super::options::Options;
use super::packed_form::{self, PackedForm};
use super::property_argument::{PropertyArgument, properties};
use super::schema::VariantSchema;
use super::state::CodecState;
use crate::call::codec::{Dialect, Strictness};
use crate::call::form::KeptBases;
use crate::call::problem::Problem;
use crate::raw::in_place;
use crate::raw::instance::Anchor;
use crate::raw::method::{HandRegistered, Maker, Method, Receiver};
use crate::raw::register::{property, variant_info};

/// A configured, reusable encoder and decoder.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantCodec {
    pub(super) state: Anchor<CodecState>,
}

#[godot_api]
impl IRefCounted for VariantCodec {
    fn init(_base: Base<RefCounted>) -> Self {
        Self { state: Anchor::new(CodecState::default()) }
    }
}

impl HandRegistered for VariantCodec {
    type State = CodecState;
    const RECEIVER: Receiver<Self, CodecState> = Receiver::Object(|codec| &codec.state);
    const METHODS: &'static [Method<CodecState>] = methods! {
        decode("bytes: PackedByteArray"; "offset") Code
            |codec, given| codec.at_offset(given[0], given[1], CodecState::decode);
        validate("bytes: PackedByteArray"; "offset") Code
            |codec, given| codec.at_offset(given[0], given[1], CodecState::validate);
        decode_into("target", "bytes: PackedByteArray"; "offset") Code |codec, given| {
            codec.at_offset(given[1], given[2], |codec, bytes| codec.decode_into(given[0], bytes))
        };
        apply_delta("delta: PackedByteArray") Bytes |codec, given| codec.apply_delta(given[0]);
    };
    const MAKERS: &'static [Maker<CodecState>] = makers! {
        encode("value") Bytes |codec, given, answer| codec.encode(given[0], answer);
        get_data() Value |codec, _, answer| codec.outcome(|outcome| in_place::copy(&outcome.data, answer));
    };
    const QUESTIONS: &'static [Method<CodecState>] = methods! {
        get_consumed() Number |codec, _| codec.outcome(|outcome| saturated(outcome.extent.consumed));
        get_trailing() Number |codec, _| codec.outcome(|outcome| saturated(outcome.extent.trailing));
        get_error() Details |codec, _| codec.problem().as_ref().map(Problem::to_dictionary).unwrap_or_default();
        get_error_message() Text |codec, _| codec.problem().as_ref().map(Problem::to_text).unwrap_or_default();
    };
}

/// How many errors are told where nobody says how many.
pub(super) const FEW_ERRORS: i64 = 32;
/// Each error costs about a kilobyte: no caller gets more of them, whatever it asks for.
const MOST_ERRORS: i64 = 256;

/// How many errors are told where this many are asked for.
pub(super) fn most_errors(max: i64) -> usize {
    usize::try_from(max.min(MOST_ERRORS)).unwrap_or(0)
}

impl VariantCodec {
    fn options<R>(&self, change: impl FnOnce(&mut Options) -> R) -> R {
        self.codec(|codec| codec.options(change))
    }

    fn codec<R>(&self, call: impl FnOnce(&CodecState) -> R) -> R {
        call(self.state.state())
    }
}

// Every method takes `&self`: the state has its own locks, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantCodec {
    #[func]
    fn get_errors(&self, #[opt(default = FEW_ERRORS)] max: i64) -> Array<VarDictionary> {
        self.state.state().problems(most_errors(max)).iter().map(Problem::to_dictionary).collect()
    }
}

properties! {
    VariantCodec;
    options, options {
        get_dialect, set_dialect, "dialect": EnumNumber<Dialect> = Dialect, |options| EnumNumber(options.dialect),
            |options, value| options.dialect = value;
        get_target, set_target, "target": GString = GString, |options| options.target.as_str().into(),
            |options, value| options.target = value.to_string();
        get_strictness, set_strictness, "strictness": EnumNumber<Strictness> = Strictness,
            |options| EnumNumber(options.strictness), |options, value| options.strictness = value;
        get_full_objects, set_full_objects, "full_objects": bool = bool, |options| options.full_objects,
            |options, value| options.full_objects = value;
        get_sort_keys, set_sort_keys, "sort_keys": bool = bool, |options| options.sorts_keys,
            |options, value| options.sorts_keys = value;
        get_form, set_form, "form": EnumNumber<PackedForm> = PackedForm, |options| EnumNumber(options.form),
            |options, value| options.form = value;
        get_tagging, set_tagging, "tagging": EnumNumber<Tagging> = Tagging, |options| EnumNumber(options.tagging),
            |options, value| options.tagging = value;
        get_baseline, set_baseline, "baseline": Variant = KeptBases<packed_form::EngineBytes>,
            |options| packed_form::shown(options.baseline.as_ref()),
            |options, value| options.baseline = packed_form::kept(&value);
        get_read_engine_objects, set_read_engine_objects, "read_engine_objects": bool = bool,
            |options| options.reads_engine_objects, |options, value| options.reads_engine_objects = value;
    }
    codec, codec {
        get_limits, set_limits, "limits": Option<Gd<VariantLimits>> = Option<Gd<VariantLimits>>,
            |codec| codec.limits(), |codec, limits| codec.set_limits(limits);
        get_schema, set_schema, "schema": Option<Gd<VariantSchema>> = Option<Gd<VariantSchema>>,
            |codec| codec.schema(), |codec, schema| codec.set_schema(schema);
        get_classes, set_classes, "classes": Option<Gd<VariantClassSet>> = Option<Gd<VariantClassSet>>,
            |codec| codec.classes(), |codec, classes| codec.set_classes(classes);
    }
}

choices! {
    Strictness, "VariantCodec.Strictness", "Engine:0,Safe:1,Canonical:2" {
        Strictness::Engine, 0, "ENGINE";
        Strictness::Safe, 1, "SAFE";
        Strictness::Canonical, 2, "CANONICAL";
    }
}

/// The properties, with what gdext cannot say of them: a Variant to read only, a typed enum.
pub(super) fn register_properties() {
    let class = VariantCodec::class_id();
    let data = PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info("data") };
    property(class, &data, "", "get_data");
    VariantCodec::register_table();
}
