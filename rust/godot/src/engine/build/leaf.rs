//! Makes Variants of leaves. Math types take their numbers in wire order (FORMAT.md 3.4).

use godot::builtin::{
    Aabb, Basis, Callable, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Rid, Transform2D,
    Transform3D, Variant, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, real,
};
use godot::meta::ToGodot;
use variant_core::token::{Lanes, Leaf};
use variant_core::{ErrorKind, RealWidth, Refusal, VariantType};

use super::{engine_leaf, packed, text};

pub(crate) fn build(leaf: &Leaf<'_>) -> Result<Variant, Refusal> {
    Ok(match leaf {
        Leaf::Nil => Variant::nil(),
        Leaf::Bool(value) => value.to_variant(),
        Leaf::Int(value) => value.to_variant(),
        Leaf::Float(value) => value.to_variant(),
        Leaf::Text(VariantType::StringName, name) => text::string_name(name).to_variant(),
        Leaf::Text(_, string) => text::string(string).to_variant(),
        Leaf::Math(ty, lanes) => math(*ty, lanes).ok_or(ErrorKind::Refused)?,
        Leaf::Packed(ty, lanes) => packed::build(*ty, lanes).ok_or(ErrorKind::Refused)?,
        Leaf::Rid(id) => Rid::new(*id).to_variant(),
        Leaf::Callable => Callable::invalid().to_variant(),
        Leaf::ObjectId(_) | Leaf::Signal(..) => engine_leaf::build(leaf)?,
    })
}

/// Says how wide the numbers of this build's vectors are.
pub(crate) const REALS: RealWidth =
    if cfg!(feature = "double-precision") { RealWidth::Double } else { RealWidth::Single };

/// Returns the next numbers of a real-valued type, as wide as this build's.
pub(super) fn reals(lanes: &Lanes<'_>) -> impl Iterator<Item = real> {
    #[cfg(feature = "double-precision")]
    return lanes.widened();
    #[cfg(not(feature = "double-precision"))]
    return lanes.narrowed();
}

fn math(ty: VariantType, lanes: &Lanes<'_>) -> Option<Variant> {
    use VariantType as T;
    if let T::Vector2i | T::Rect2i | T::Vector3i | T::Vector4i = ty {
        return ints(ty, lanes);
    }
    if ty == T::Color {
        return color(&mut lanes.f32s()).map(|color| color.to_variant());
    }
    let n = &mut reals(lanes);
    Some(match ty {
        T::Vector2 => vector2(n)?.to_variant(),
        T::Rect2 => Rect2 { position: vector2(n)?, size: vector2(n)? }.to_variant(),
        T::Vector3 => vector3(n)?.to_variant(),
        T::Transform2D => Transform2D { a: vector2(n)?, b: vector2(n)?, origin: vector2(n)? }.to_variant(),
        T::Vector4 => vector4(n)?.to_variant(),
        T::Plane => Plane { normal: vector3(n)?, d: n.next()? }.to_variant(),
        T::Quaternion => Quaternion { x: n.next()?, y: n.next()?, z: n.next()?, w: n.next()? }.to_variant(),
        T::Aabb => Aabb { position: vector3(n)?, size: vector3(n)? }.to_variant(),
        T::Basis => basis(n)?.to_variant(),
        T::Transform3D => Transform3D { basis: basis(n)?, origin: vector3(n)? }.to_variant(),
        T::Projection => {
            Projection { cols: [vector4(n)?, vector4(n)?, vector4(n)?, vector4(n)?] }.to_variant()
        }
        _ => return None,
    })
}

fn ints(ty: VariantType, lanes: &Lanes<'_>) -> Option<Variant> {
    let n = &mut lanes.i32s();
    Some(match ty {
        VariantType::Vector2i => vector2i(n)?.to_variant(),
        VariantType::Rect2i => Rect2i { position: vector2i(n)?, size: vector2i(n)? }.to_variant(),
        VariantType::Vector3i => Vector3i { x: n.next()?, y: n.next()?, z: n.next()? }.to_variant(),
        VariantType::Vector4i => {
            Vector4i { x: n.next()?, y: n.next()?, z: n.next()?, w: n.next()? }.to_variant()
        }
        _ => return None,
    })
}

pub(super) fn vector2(n: &mut impl Iterator<Item = real>) -> Option<Vector2> {
    Some(Vector2 { x: n.next()?, y: n.next()? })
}

fn vector2i(n: &mut impl Iterator<Item = i32>) -> Option<Vector2i> {
    Some(Vector2i { x: n.next()?, y: n.next()? })
}

pub(super) fn vector3(n: &mut impl Iterator<Item = real>) -> Option<Vector3> {
    Some(Vector3 { x: n.next()?, y: n.next()?, z: n.next()? })
}

pub(super) fn vector4(n: &mut impl Iterator<Item = real>) -> Option<Vector4> {
    Some(Vector4 { x: n.next()?, y: n.next()?, z: n.next()?, w: n.next()? })
}

/// Reads a basis row by row.
fn basis(n: &mut impl Iterator<Item = real>) -> Option<Basis> {
    Some(Basis { rows: [vector3(n)?, vector3(n)?, vector3(n)?] })
}

pub(super) fn color(n: &mut impl Iterator<Item = f32>) -> Option<Color> {
    Some(Color { r: n.next()?, g: n.next()?, b: n.next()?, a: n.next()? })
}
