//! Holds the modifiers of `VariantSchema` that say how values are packed, and the builder of angles.

use godot::builtin::GString;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_schema::Schema;

use super::VariantSchema;
use super::arguments::{self, ArgumentResult, or_mistake};
use crate::raw::optional::Optional;

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn angle(bits: i64) -> Gd<Self> {
        Self::of(or_mistake(small("angle: bits", bits).map(Schema::angle)))
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

    #[func]
    fn bits(&self, bits: i64) -> Gd<Self> {
        self.modified(|schema| Ok(schema.bits(small("bits: bits", bits)?)))
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
    fn alphabet(&self, characters: GString) -> Gd<Self> {
        Self::of(self.schema().alphabet(&characters.to_string()))
    }

    #[func]
    fn keyed(&self, #[opt(default = "")] key: GString) -> Gd<Self> {
        Self::of(self.schema().keyed(&key.to_string()))
    }

    #[func]
    fn rigid(&self, step: f64, bits: i64) -> Gd<Self> {
        self.modified(|schema| Ok(schema.rigid(step, small("rigid: bits", bits)?)))
    }
}

/// A number of bits; those that are too many for anything are refused when the schema is compiled.
fn small(place: &str, bits: i64) -> ArgumentResult<u32> {
    arguments::count(place, bits).map(|bits| u32::try_from(bits).unwrap_or(u32::MAX))
}
