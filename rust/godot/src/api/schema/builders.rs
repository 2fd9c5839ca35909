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
        Self::of(arguments::from_json(&json.to_string()))
    }

    #[func]
    fn from_example(example: Variant) -> Gd<Self> {
        build(arguments::example(&example))
    }
}

/// From one line a type: its builder.
macro_rules! type_builders {
    ($($name:ident $ty:ident;)*) => {
        #[godot_api(secondary)]
        impl VariantSchema {
            $(
                #[func]
                fn $name() -> Gd<Self> {
                    Self::of(Schema::of_type(VariantType::$ty))
                }
            )*
        }
    };
}

type_builders! {
    nil Nil;
    bool Bool;
    string String;
    string_name StringName;
    node_path NodePath;
    vector2 Vector2;
    vector2i Vector2i;
    rect2 Rect2;
    rect2i Rect2i;
    vector3 Vector3;
    vector3i Vector3i;
    transform2d Transform2D;
    vector4 Vector4;
    vector4i Vector4i;
    plane Plane;
    quaternion Quaternion;
    aabb Aabb;
    basis Basis;
    transform3d Transform3D;
    projection Projection;
    color Color;
    rid Rid;
    object_id Object;
    callable Callable;
    signal Signal;
    packed_byte_array PackedByteArray;
    packed_int32_array PackedInt32Array;
    packed_int64_array PackedInt64Array;
    packed_float32_array PackedFloat32Array;
    packed_float64_array PackedFloat64Array;
    packed_string_array PackedStringArray;
    packed_vector2_array PackedVector2Array;
    packed_vector3_array PackedVector3Array;
    packed_color_array PackedColorArray;
    packed_vector4_array PackedVector4Array;
}
