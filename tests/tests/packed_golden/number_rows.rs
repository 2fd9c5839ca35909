//! Lists rows of vectors, rotations and packed arrays.

use variant_core::{PackedReals, Value};
use variant_schema::Schema;

use super::rows::{Row, int, v2};

fn v3(x: f32, y: f32, z: f32) -> Value {
    Value::Vector3([x, y, z].into())
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
pub(crate) fn vectors() -> Vec<Row> {
    let basis = [0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    vec![
        (
            "vector2",
            Schema::vector2().allow_non_finite(),
            vec![v2(0.1, -0.0), v2(f32::NAN, f32::INFINITY), Value::Vector2([0.1_f64, 2.0].into())],
        ),
        ("vector2, half", Schema::vector2().half(), vec![v2(0.5, -7.5), v2(0.1, 65504.0)]),
        (
            "vector2, double",
            Schema::vector2().double(),
            vec![Value::Vector2([0.1_f64, 2.0].into()), v2(0.1, 2.0)],
        ),
        (
            "vector2, own range",
            Schema::vector2().quantized_within(0.5, -1.0, 1.0),
            vec![v2(0.5, -1.0), v2(0.24, 0.26), v2(-0.0, 1.0)],
        ),
        (
            "vector2, tenths",
            Schema::vector2().quantized_within(0.1, 0.1, 0.7),
            vec![v2(0.1, 0.7), v2(0.3, 0.35)],
        ),
        (
            "vector2, clamped",
            Schema::vector2().quantized_within(0.5, -1.0, 1.0).clamped(),
            vec![v2(1.0, 0.0)],
        ),
        (
            "vector2, within and steps",
            Schema::vector2().within(vec![0.1, 0.0, 0.6, 8.0]).quantized(0.1),
            vec![v2(0.4, 8.0), v2(0.2, 0.0)],
        ),
        (
            "vector2, within and bits",
            Schema::vector2().within(vec![0.0, -4.0, 4.0, 8.0]).bits(4),
            vec![v2(4.0, 0.0), v2(0.0, -4.0)],
        ),
        ("vector2, steps", Schema::vector2().quantized(0.5), vec![v2(0.5, -1.0), v2(2_097_152.0, 0.0)]),
        ("vector3", Schema::vector3(), vec![v3(1.0, 2.0, -3.0), v3(1.0, 2.5, -3.0)]),
        (
            "vector3, within and steps",
            Schema::vector3().within(vec![-512.0, -64.0, -512.0, 1024.0, 256.0, 1024.0]).quantized(0.01),
            vec![v3(-512.0, -64.0, 512.0), v3(0.0, 192.0, 0.005), v3(0.0, 191.99, 0.005)],
        ),
        ("vector4", Schema::vector4().half(), vec![Value::Vector4([1.0_f32, 2.0, 3.0, 4.0].into())]),
        (
            "vector2i",
            Schema::vector2i(),
            vec![Value::Vector2i([-5, i32::MAX]), Value::Vector2i([i32::MIN, i32::MAX])],
        ),
        (
            "vector2i, within",
            Schema::vector2i().within(vec![-3.5, 0.0, 7.0, 15.0]),
            vec![Value::Vector2i([-3, 15]), Value::Vector2i([3, 0])],
        ),
        ("vector3i", Schema::vector3i(), vec![Value::Vector3i([1, -2, 3])]),
        ("vector4i", Schema::vector4i(), vec![Value::Vector4i([1, -2, 3, 0])]),
        ("rect2", Schema::rect2(), vec![Value::Rect2([1.0_f32, 2.0, 3.0, 4.0].into())]),
        ("rect2i", Schema::rect2i(), vec![Value::Rect2i([1, -2, 3, 4])]),
        ("plane", Schema::plane(), vec![Value::Plane([0.0_f32, 1.0, 0.0, -4.5].into())]),
        (
            "aabb",
            Schema::aabb().quantized(0.25),
            vec![Value::Aabb(Box::new([0.0_f32, 1.0, -0.25, 4.0, 5.0, 6.0].into()))],
        ),
        ("basis", Schema::basis(), vec![Value::Basis(Box::new(basis.into()))]),
        (
            "transform2d",
            Schema::transform2d().quantized_within(0.5, -8.0, 8.0),
            vec![Value::Transform2D(Box::new([1.0_f32, 0.0, 0.0, 1.0, -8.0, 8.0].into()))],
        ),
        ("projection", Schema::projection().half(), vec![Value::Projection(Box::new([0.5_f32; 16].into()))]),
        ("color", Schema::color(), vec![Value::Color([0.1, 0.2, 0.3, 7.0])]),
        (
            "color of 8 bits",
            Schema::color().bits(8),
            vec![Value::Color([1.0, 0.0, 0.5, 1.0]), Value::Color([1.0, 0.1, 0.5, 0.0])],
        ),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
pub(crate) fn turns() -> Vec<Row> {
    let q = |x: f32, y: f32, z: f32, w: f32| Value::Quaternion([x, y, z, w].into());
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let at = |x: f32, z: f32| {
        Value::Transform3D(Box::new([0.0_f32, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, x, -1.0, z].into()))
    };
    vec![
        ("quaternion", Schema::quaternion(), vec![q(0.0, 0.0, 0.0, 1.0)]),
        (
            "quaternion of 10 bits",
            Schema::quaternion().bits(10),
            vec![
                q(0.0, 0.0, 0.0, 1.0),
                q(0.0, 0.0, 0.1, -0.994_987_4),
                q(0.5, 0.5, 0.5, 0.5),
                q(-half, 0.0, half, 0.0),
            ],
        ),
        (
            "quaternion of 2 bits",
            Schema::quaternion().bits(2),
            vec![q(0.5, -0.5, 0.5, -0.5), q(1.0, 0.0, 0.0, 0.0)],
        ),
        (
            "quaternion of 20 bits",
            Schema::quaternion().bits(20),
            vec![q(0.1, 0.2, 0.3, 0.927_361_85), q(0.1, 0.2, 0.300_01, 0.927_358_6)],
        ),
        (
            "direction",
            Schema::vector3().normalized().bits(8),
            vec![v3(0.0, 0.0, 1.0), v3(0.0, 0.0, -1.0), v3(-1.0, 0.0, 0.0), v3(0.6, -0.64, -0.48)],
        ),
        (
            "direction of 2 bits",
            Schema::vector3().normalized().bits(2),
            vec![v3(0.0, 1.0, 0.0), v3(0.0, 0.0, -1.0)],
        ),
        (
            "direction in a plane",
            Schema::vector2().normalized().bits(8),
            vec![v2(1.0, 0.0), v2(0.0, -1.0), v2(-0.6, -0.8)],
        ),
        ("rigid transform3d", Schema::transform3d().rigid(0.5, 10), vec![at(0.5, 2.0), at(0.5, 1000.0)]),
    ]
}

#[expect(clippy::too_many_lines, reason = "a list of rows")]
pub(crate) fn packed_arrays() -> Vec<Row> {
    let rows = |rows: &[[f32; 2]]| Value::PackedVector2Array(PackedReals::from(rows.to_vec()));
    let bytes = |bytes: &[u8]| Value::PackedByteArray(bytes.to_vec());
    vec![
        (
            "packed_byte_array",
            Schema::packed_byte_array(),
            vec![bytes(&[]), bytes(&[1, 255]), bytes(&[1, 254, 3])],
        ),
        ("packed_byte_array of few", Schema::packed_byte_array().elements(int(0, 3)), vec![bytes(&[1, 3])]),
        ("packed_byte_array of one", Schema::packed_byte_array().elements(int(5, 5)), vec![bytes(&[5; 9])]),
        (
            "packed_int32_array",
            Schema::packed_int32_array(),
            vec![Value::PackedInt32Array(vec![-1, i32::MAX]), Value::PackedInt32Array(vec![-1, i32::MIN])],
        ),
        (
            "packed_int64_array",
            Schema::packed_int64_array(),
            vec![Value::PackedInt64Array(vec![i64::MIN]), Value::PackedInt64Array(vec![i64::MAX])],
        ),
        (
            "packed_int64_array of varints",
            Schema::packed_int64_array().elements(Schema::int()),
            vec![Value::PackedInt64Array(vec![1, -1000])],
        ),
        (
            "packed_float32_array",
            Schema::packed_float32_array(),
            vec![Value::PackedFloat32Array(vec![0.1, -0.0])],
        ),
        (
            "packed_float32_array of steps",
            Schema::packed_float32_array().elements(Schema::float().min(0.0).max(1.0).quantized(0.1)),
            vec![Value::PackedFloat32Array(vec![0.1, 1.0])],
        ),
        ("packed_float64_array", Schema::packed_float64_array(), vec![Value::PackedFloat64Array(vec![0.1])]),
        (
            "packed_float64_array of floats",
            Schema::packed_float64_array().elements(Schema::float()),
            vec![Value::PackedFloat64Array(vec![0.1, 0.5])],
        ),
        (
            "packed_string_array",
            Schema::packed_string_array().max_chars(9_u64),
            vec![Value::PackedStringArray(vec!["a".to_owned(), String::new()])],
        ),
        (
            "packed_string_array of an alphabet",
            Schema::packed_string_array().elements(Schema::string().alphabet("a-d").max_chars(3_u64)),
            vec![Value::PackedStringArray(vec!["bad".to_owned(), String::new()])],
        ),
        (
            "packed_vector2_array",
            Schema::packed_vector2_array(),
            vec![rows(&[[0.5, 1.0], [2.0, 4.0]]), rows(&[[0.5, 1.0], [2.0, 5.0], [0.0, 0.0]])],
        ),
        (
            "packed_vector2_array of halves",
            Schema::packed_vector2_array().elements(Schema::vector2().half()),
            vec![rows(&[[0.5, 1.0]])],
        ),
        (
            "packed_vector3_array of directions",
            Schema::packed_vector3_array().elements(Schema::vector3().normalized().bits(6)),
            vec![Value::PackedVector3Array(PackedReals::from(vec![[0.0_f32, 1.0, 0.0]]))],
        ),
        (
            "packed_vector4_array of doubles",
            Schema::packed_vector4_array().elements(Schema::vector4().double()),
            vec![Value::PackedVector4Array(vec![[0.1_f64, 0.2, 0.3, 0.4]].into())],
        ),
        (
            "packed_color_array",
            Schema::packed_color_array().elements(Schema::color().bits(8)),
            vec![Value::PackedColorArray(vec![[0.1, 0.2, 0.3, 1.0]])],
        ),
    ]
}
