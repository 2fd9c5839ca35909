//! Makes vectors, matrices and packed arrays of their numbers on the wire, and tells those numbers, through official calls.

use std::slice;

use godot::builtin::{
    Aabb, Basis, Color, PackedArray, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
    Variant, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use godot::meta::{PackedElement, ToGodot};
use variant_core::token::{Lanes, Leaf};
use variant_core::wire::Layout;
use variant_core::{ErrorKind, Fault, VariantType as T};

use super::read::{Listener, taken};
use crate::raw::numbers::{NumberRow, WireNumber, bytes_of, fill, value_of};

macro_rules! number_types {
    ($($single:ident)*; $($packed:ident $element:ty,)*) => {
        /// Makes a value of these numbers; `None` for a type that has none.
        pub(crate) fn build(ty: T, lanes: &Lanes<'_>) -> Option<Variant> {
            Some(match ty {
                $(T::$single => value_of::<$single>(lanes).to_variant(),)*
                $(T::$packed => packed::<$element>(lanes),)*
                _ => return None,
            })
        }

        /// Tells the numbers of a value.
        pub(crate) fn write<L: Listener>(value: &Variant, ty: T, listener: &mut L) -> Result<(), Fault> {
            match ty {
                $(T::$single => tell(ty, slice::from_ref(&taken::<$single, L>(value, listener)?), listener),)*
                $(T::$packed => {
                    tell(ty, taken::<PackedArray<$element>, L>(value, listener)?.as_slice(), listener)
                })*
                _ => Err(listener.fault(ErrorKind::Refused)),
            }
        }
    };
}

number_types! {
    Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D Vector4 Vector4i Plane Quaternion Aabb Basis Transform3D
    Projection Color;
    PackedByteArray u8, PackedInt32Array i32, PackedInt64Array i64, PackedFloat32Array f32, PackedFloat64Array f64,
    PackedVector2Array Vector2, PackedVector3Array Vector3, PackedVector4Array Vector4, PackedColorArray Color,
}

fn packed<E: PackedElement + NumberRow>(lanes: &Lanes<'_>) -> Variant {
    let mut array = PackedArray::<E>::new();
    array.resize(lanes.count() * size_of::<E::Lane>() / size_of::<E>());
    fill(array.as_mut_slice(), lanes);
    array.to_variant()
}

fn tell<N: NumberRow, L: Listener>(ty: T, values: &[N], listener: &mut L) -> Result<(), Fault> {
    let bytes = bytes_of(values);
    let lanes = Lanes::new(&bytes, <N::Lane as WireNumber>::LANE)
        .ok_or_else(|| listener.fault(ErrorKind::Refused))?;
    listener.leaf(&match ty.layout() {
        Layout::Packed(..) => Leaf::Packed(ty, lanes),
        _ => Leaf::Math(ty, lanes),
    })
}
