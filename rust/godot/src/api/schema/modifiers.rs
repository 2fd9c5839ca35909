//! The modifiers of `VariantSchema`: each returns a new schema and leaves this one as it is.

use godot::builtin::{AnyDictionary, Callable, GString, Variant};
use godot::obj::Gd;
use godot::register::godot_api;
use variant_schema::Schema;

use super::VariantSchema;
use super::arguments::{self, ArgumentResult, or_mistake};
use crate::api::changes::changes;
use crate::call::checks;
use crate::raw::optional::Optional;

changes! {
    VariantSchema, modified, Gd<VariantSchema>;
    min_size(count: i64) |it| Ok(it.min_size(arguments::count("min_size: count", count)?));
    max_size(count: i64) |it| Ok(it.max_size(arguments::count("max_size: count", count)?));
    min_chars(count: i64) |it| Ok(it.min_chars(arguments::count("min_chars: count", count)?));
    max_chars(count: i64) |it| Ok(it.max_chars(arguments::count("max_chars: count", count)?));
    pattern(regex: GString) |it| Ok(it.pattern(regex.to_string()));
    min_length(length: f64) |it| Ok(it.min_length(length));
    max_length(length: f64) |it| Ok(it.max_length(length));
    within(region: Variant) |it| Ok(it.within(arguments::region("within: region", &region)?));
    multiple_of(step: Variant) |it| Ok(it.multiple_of(arguments::number("multiple_of: step", &step)?));
    nullable() |it| Ok(it.nullable());
    required() |it| Ok(it.required());
    normalized() |it| Ok(it.normalized());
    allow_non_finite() |it| Ok(it.allow_non_finite());
    unique() |it| Ok(it.unique());
    typed() |it| Ok(it.typed());
    open() |it| Ok(it.open(true));
    closed() |it| Ok(it.open(false));
    describe(description: GString) |it| Ok(it.describe(&description.to_string()));
    define(name: GString, schema: Option<Gd<VariantSchema>>)
        |it| Ok(it.define(&name.to_string(), arguments::given("define: schema", schema.as_ref())?));
    check_with(callable: Callable)
        |it| Ok(it.check_with(checks::kept(it.check(), arguments::callable("check_with: callable", callable)?)));
    bits(bits: i64) |it| Ok(it.bits(small("bits: bits", bits)?));
    half() |it| Ok(it.half());
    single() |it| Ok(it.single());
    double() |it| Ok(it.double());
    lossy() |it| Ok(it.lossy());
    clamped() |it| Ok(it.clamped());
    alphabet(characters: GString) |it| Ok(it.alphabet(&characters.to_string()));
    elements(schema: Option<Gd<VariantSchema>>) |it| Ok(it.elements(arguments::given("elements: schema", schema.as_ref())?));
    growing(keys: AnyDictionary) |it| Ok(it.growing(arguments::keys("growing: keys", &keys)?));
    room_for(count: i64) |it| Ok(it.room_for(arguments::count("room_for: count", count)?));
    rigid(step: f64, bits: i64) |it| Ok(it.rigid(step, small("rigid: bits", bits)?));
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn angle(bits: i64) -> Gd<Self> {
        Self::of(or_mistake(small("angle: bits", bits).map(Schema::angle)))
    }

    #[func]
    fn keyed(&self, #[opt(default = "")] key: GString) -> Gd<Self> {
        Self::of(self.schema().keyed(&key.to_string()))
    }

    #[func]
    fn optional(&self, #[opt(default = Optional::null())] default: Optional) -> Gd<Self> {
        self.modified(|schema| {
            if default.0.is_nil() {
                return Ok(schema.optional());
            }
            Ok(schema.default_value(arguments::value("optional: default", &default.0)?))
        })
    }

    #[func]
    fn quantized(
        &self,
        step: f64,
        #[opt(default = Optional::null())] min: Optional,
        #[opt(default = Optional::null())] max: Optional,
    ) -> Gd<Self> {
        self.modified(|schema| match (min.0.is_nil(), max.0.is_nil()) {
            (true, true) => Ok(schema.quantized(step)),
            (false, false) => {
                let min = arguments::real("quantized: min", &min.0)?;
                Ok(schema.quantized_within(step, min, arguments::real("quantized: max", &max.0)?))
            }
            _ => Err("quantized: a range needs both ends".to_owned()),
        })
    }
}

impl VariantSchema {
    fn modified(&self, change: impl FnOnce(&Schema) -> ArgumentResult<Schema>) -> Gd<Self> {
        Self::of(or_mistake(change(&self.schema())))
    }
}

/// A number of bits; those that are too many for anything are refused when the schema is compiled.
fn small(place: &str, bits: i64) -> ArgumentResult<u32> {
    arguments::count(place, bits).map(|bits| u32::try_from(bits).unwrap_or(u32::MAX))
}
