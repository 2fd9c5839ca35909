//! Defines Godot's own types, exact on the wire. Through other formats of serde they are plain numbers,
//! texts and lists.

mod any;
mod math;
mod packed;
mod text;
mod typed;

pub use any::Any;
pub use math::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Real, Rect2, Rect2i, Transform2D, Transform3D,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
pub use packed::{
    PackedByteArray, PackedColorArray, PackedFloat32Array, PackedFloat64Array, PackedInt32Array,
    PackedInt64Array, PackedStringArray, PackedVector2Array, PackedVector3Array, PackedVector4Array,
};
pub use text::{NodePath, Rid, StringName};
pub use typed::{GodotType, Typed, TypedMap};
