//! Holds the modifiers of `VariantSchema` that say how values are packed, and the builder of angles.

use godot::builtin::{GString, Variant};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_schema::Schema;

use super::VariantSchema;
use super::arguments::{self, Given, or_mistake};
use crate::raw::optional::Optional;

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn angle(bits: Variant) -> Gd<Self> {
        Self::of(or_mistake(small("angle: bits", &bits).map(Schema::angle)))
    }

    #[func]
    fn quantized(
        &self,
        step: Variant,
        #[opt(default = Optional::null())] min: Optional,
        #[opt(default = Optional::null())] max: Optional,
    ) -> Gd<Self> {
        self.modified(|schema| {
            let step = arguments::real("quantized: step", &step)?;
            match (min.0.is_nil(), max.0.is_nil()) {
                (true, true) => Ok(schema.quantized(step)),
                (false, false) => {
                    let min = arguments::real("quantized: min", &min.0)?;
                    Ok(schema.quantized_within(step, min, arguments::real("quantized: max", &max.0)?))
                }
                _ => Err("quantized: a range needs both ends".to_owned()),
            }
        })
    }

    #[func]
    fn bits(&self, bits: Variant) -> Gd<Self> {
        self.modified(|schema| Ok(schema.bits(small("bits: bits", &bits)?)))
    }

    #[func]
    fn half(&self) -> Gd<Self> {
        Self::of(self.schema().half())
    }

    #[func]
    fn single(&self) -> Gd<Self> {
        Self::of(self.schema().single())
    }

    #[func]
    fn double(&self) -> Gd<Self> {
        Self::of(self.schema().double())
    }

    #[func]
    fn lossy(&self) -> Gd<Self> {
        Self::of(self.schema().lossy())
    }

    #[func]
    fn clamped(&self) -> Gd<Self> {
        Self::of(self.schema().clamped())
    }

    #[func]
    fn alphabet(&self, characters: Variant) -> Gd<Self> {
        self.modified(|schema| Ok(schema.alphabet(&arguments::text("alphabet: characters", &characters)?)))
    }

    #[func]
    fn elements(&self, schema: Variant) -> Gd<Self> {
        self.modified(|this| Ok(this.elements(arguments::schema("elements: schema", &schema)?)))
    }

    #[func]
    fn keyed(&self, #[opt(default = Optional(GString::new().to_variant()))] key: Optional) -> Gd<Self> {
        self.modified(|schema| Ok(schema.keyed(&arguments::text("keyed: key", &key.0)?)))
    }

    #[func]
    fn growing(&self, keys: Variant) -> Gd<Self> {
        self.modified(|schema| Ok(schema.growing(arguments::keys("growing: keys", &keys)?)))
    }

    #[func]
    fn room_for(&self, count: Variant) -> Gd<Self> {
        self.modified(|schema| Ok(schema.room_for(arguments::count("room_for: count", &count)?)))
    }

    #[func]
    fn rigid(&self, step: Variant, bits: Variant) -> Gd<Self> {
        self.modified(|schema| {
            let step = arguments::real("rigid: step", &step)?;
            Ok(schema.rigid(step, small("rigid: bits", &bits)?))
        })
    }
}

/// A number of bits; those that are too many for anything are refused when the schema is compiled.
fn small(place: &str, bits: &Variant) -> Given<u32> {
    arguments::count(place, bits).map(|bits| u32::try_from(bits).unwrap_or(u32::MAX))
}
