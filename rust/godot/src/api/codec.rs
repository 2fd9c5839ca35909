//! `VariantCodec`: a configured, reusable encoder and decoder that answers with Error codes.
//!
//! The state of such an object, and the lock around it, is in `state.rs`.

use godot::builtin::{Array, GString, VarDictionary, Variant, VariantType};
use godot::classes::{IRefCounted, RefCounted};
use godot::meta::ClassId;
use godot::obj::{Base, Gd, GodotClass};
use godot::register::info::{PropertyHint, PropertyHintInfo, PropertyInfo, PropertyUsageFlags};
use godot::register::{GodotClass, godot_api};

use variant_pack::Tagging;

use super::class_set::VariantClassSet;
use super::limits::VariantLimits;
use super::number::{Choice, EnumNumber, saturated};
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
use crate::raw::method::{Answer, HandRegistered, Maker, Method, Receiver, Returns};
use crate::raw::register::{plain_info, property, variant_info};

/// `VariantCodec.Strictness`.
pub(super) const STRICTNESS: [(&str, i64); 3] = [("ENGINE", 0), ("SAFE", 1), ("CANONICAL", 2)];

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
    const METHODS: &'static [Method<CodecState>] = &[
        Method {
            name: "decode",
            arguments: &["bytes: PackedByteArray", "offset"],
            optional: 1,
            returns: Returns::Code,
            run: |codec, given| Answer::Code(codec.at_offset(given[0], given[1], CodecState::decode)),
        },
        Method {
            name: "validate",
            arguments: &["bytes: PackedByteArray", "offset"],
            optional: 1,
            returns: Returns::Code,
            run: |codec, given| Answer::Code(codec.at_offset(given[0], given[1], CodecState::validate)),
        },
        Method {
            name: "decode_into",
            arguments: &["target", "bytes: PackedByteArray", "offset"],
            optional: 1,
            returns: Returns::Code,
            run: |codec, given| {
                let decode = |codec: &CodecState, bytes: &Variant| codec.decode_into(given[0], bytes);
                Answer::Code(codec.at_offset(given[1], given[2], decode))
            },
        },
        Method {
            name: "apply_delta",
            arguments: &["delta: PackedByteArray"],
            optional: 0,
            returns: Returns::Bytes,
            run: |codec, given| Answer::Bytes(codec.apply_delta(given[0])),
        },
    ];
    const MAKERS: &'static [Maker<CodecState>] = &[
        Maker {
            name: "encode",
            arguments: &["value"],
            optional: 0,
            returns: Returns::Bytes,
            run: |codec, given, answer| codec.encode(given[0], answer),
        },
        Maker {
            name: "get_data",
            arguments: &[],
            optional: 0,
            returns: Returns::Value,
            run: |codec, _, answer| codec.outcome(|outcome| in_place::copy(&outcome.data, answer)),
        },
    ];
    const QUESTIONS: &'static [Method<CodecState>] = &[
        question("get_consumed", Returns::Number, |codec, _| {
            Answer::Number(codec.outcome(|outcome| saturated(outcome.extent.consumed)))
        }),
        question("get_trailing", Returns::Number, |codec, _| {
            Answer::Number(codec.outcome(|outcome| saturated(outcome.extent.trailing)))
        }),
        question("get_error", Returns::Details, |codec, _| {
            Answer::Details(codec.problem().map(|problem| problem.to_dictionary()).unwrap_or_default())
        }),
        question("get_error_message", Returns::Text, |codec, _| {
            Answer::Text(codec.problem().map(|problem| problem.to_text()).unwrap_or_default())
        }),
    ];
}

/// A method without arguments that changes nothing.
pub(super) const fn question<S>(
    name: &'static str,
    returns: Returns,
    run: fn(&S, &[&Variant]) -> Answer,
) -> Method<S> {
    Method { name, arguments: &[], optional: 0, returns, run }
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
        self.state.state().options(change)
    }
}

// Every method takes `&self`: the state has its own locks, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantCodec {
    #[func]
    fn get_errors(&self, #[opt(default = FEW_ERRORS)] max: i64) -> Array<VarDictionary> {
        self.state.state().problems(most_errors(max)).iter().map(Problem::to_dictionary).collect()
    }

    #[func]
    fn get_schema(&self) -> Option<Gd<VariantSchema>> {
        self.state.state().schema()
    }

    #[func]
    fn set_schema(&self, schema: PropertyArgument<Option<Gd<VariantSchema>>>) {
        schema.put("VariantCodec.schema", |schema| self.state.state().set_schema(schema));
    }

    #[func]
    fn get_classes(&self) -> Option<Gd<VariantClassSet>> {
        self.state.state().classes()
    }

    #[func]
    fn set_classes(&self, classes: PropertyArgument<Option<Gd<VariantClassSet>>>) {
        classes.put("VariantCodec.classes", |classes| self.state.state().set_classes(classes));
    }

    #[func]
    fn get_limits(&self) -> Option<Gd<VariantLimits>> {
        self.state.state().limits()
    }

    #[func]
    fn set_limits(&self, limits: PropertyArgument<Option<Gd<VariantLimits>>>) {
        limits.put("VariantCodec.limits", |limits| self.state.state().set_limits(limits));
    }
}

properties! {
    VariantCodec, options, options;
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

impl Choice for Strictness {
    const ENUM: &'static str = "VariantCodec.Strictness";
    const HINT: &'static str = "Engine:0,Safe:1,Canonical:2";
    const CONSTANTS: &'static [(&'static str, i64)] = &STRICTNESS;
    const VALUES: &'static [(Self, i64)] =
        &[(Strictness::Engine, 0), (Strictness::Safe, 1), (Strictness::Canonical, 2)];
}

/// The properties, with what gdext cannot say of them: a Variant to read only, a typed enum.
pub(super) fn register_properties() {
    let class = VariantCodec::class_id();
    let data = PropertyInfo { usage: PropertyUsageFlags::NIL_IS_VARIANT, ..variant_info("data") };
    property(class, &data, "", "get_data");
    VariantCodec::register_table();
    property(class, &limits_info(), "set_limits", "get_limits");
    property(class, &schema_info(), "set_schema", "get_schema");
    property(class, &classes_info(), "set_classes", "get_classes");
}

pub(super) fn classes_info() -> PropertyInfo {
    let held = VariantClassSet::class_id();
    PropertyInfo { class_name: held.to_string_name(), ..plain_info("classes", VariantType::OBJECT) }
}

pub(super) fn limits_info() -> PropertyInfo {
    resource("limits", VariantLimits::class_id())
}

pub(super) fn schema_info() -> PropertyInfo {
    resource("schema", VariantSchema::class_id())
}

fn resource(name: &str, held: ClassId) -> PropertyInfo {
    PropertyInfo {
        class_name: held.to_string_name(),
        hint_info: PropertyHintInfo { hint: PropertyHint::RESOURCE_TYPE, hint_string: held.to_gstring() },
        ..plain_info(name, VariantType::OBJECT)
    }
}
