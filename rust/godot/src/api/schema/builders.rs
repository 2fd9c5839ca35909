//! The static builders of `VariantSchema`. A mistake in an argument of the right type is told by the schema that it makes.

use godot::builtin::{AnyArray, AnyDictionary, GString, Variant};
use godot::obj::Gd;
use godot::register::godot_api;
use variant_core::VariantType;
use variant_schema::{Schema, Shape};

use super::VariantSchema;
use super::arguments::{self, ArgumentResult, or_mistake};
use crate::raw::optional::Optional;

fn build(schema: ArgumentResult<Schema>) -> Gd<VariantSchema> {
    VariantSchema::of(or_mistake(schema))
}

#[godot_api(secondary)]
impl VariantSchema {
    #[func]
    fn int(
        #[opt(default = Optional::null())] min: Optional,
        #[opt(default = Optional::null())] max: Optional,
    ) -> Gd<Self> {
        build(arguments::range(Schema::int(), &min.0, &max.0))
    }

    #[func]
    fn float(
        #[opt(default = Optional::null())] min: Optional,
        #[opt(default = Optional::null())] max: Optional,
    ) -> Gd<Self> {
        build(arguments::range(Schema::float(), &min.0, &max.0))
    }

    #[func]
    fn any() -> Gd<Self> {
        Self::of(Schema::any())
    }

    #[func(rename = enum)]
    fn enumeration(values: Variant) -> Gd<Self> {
        build(arguments::values("values", &values).map(Schema::enumeration))
    }

    #[func]
    fn literal(value: Variant) -> Gd<Self> {
        build(arguments::value("value", &value).map(Schema::literal))
    }

    #[func]
    fn union(alternatives: AnyArray) -> Gd<Self> {
        build(arguments::schemas("alternatives", &alternatives).map(Schema::union))
    }

    #[func]
    fn array(#[opt(default = Optional::none())] item: Optional<Option<Gd<Self>>>) -> Gd<Self> {
        let item = item.0.map_or_else(Schema::any, |item| item.bind().schema());
        Self::of(Schema::array(item))
    }

    #[func]
    fn tuple(items: AnyArray) -> Gd<Self> {
        build(arguments::schemas("items", &items).map(Schema::tuple))
    }

    #[func]
    fn dict(keys: AnyDictionary) -> Gd<Self> {
        build(arguments::keys("keys", &keys).map(Schema::dict))
    }

    #[func]
    fn map(key: Option<Gd<Self>>, value: Option<Gd<Self>>) -> Gd<Self> {
        let parts = arguments::given("key", key.as_ref())
            .and_then(|key| Ok((key, arguments::given("value", value.as_ref())?)));
        build(parts.map(|(key, value)| Schema::map(key, value)))
    }

    #[func(rename = ref)]
    fn reference(name: GString) -> Gd<Self> {
        Self::of(Schema::reference(&name.to_string()))
    }

    #[func]
    fn discriminated(key: GString, cases: AnyDictionary) -> Gd<Self> {
        let cases = arguments::cases("cases", &cases);
        build(cases.map(|cases| Schema::new(Shape::Discriminated { key: key.to_string(), cases })))
    }

    #[func]
    fn from_json(json: GString) -> Gd<Self> {
        Self::of(Schema::from_json(&json.to_string()).unwrap_or_else(Schema::mistaken))
    }

    #[func]
    fn from_example(example: Variant) -> Gd<Self> {
        build(arguments::value("example", &example).map(|value| Schema::from_example(&value)))
    }
}

macro_rules! builders {
    ([$($number:tt)*] $($name:ident $word:ident $ty:ident;)*) => {
        #[godot_api(secondary)]
        impl VariantSchema {
            $(
                #[func]
                fn $word() -> Gd<Self> {
                    Self::of(Schema::of_type(VariantType::$ty))
                }
            )*
        }
    };
}

variant_schema::type_builders! { builders }
