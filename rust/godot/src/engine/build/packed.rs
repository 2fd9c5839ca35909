//! Fills packed arrays from lanes: an array is sized once from bytes that are there, then filled through its
//! slice.

use godot::builtin::{PackedArray, Variant};
use godot::meta::{PackedElement, ToGodot};
use variant_core::VariantType;
use variant_core::token::Lanes;

use super::leaf::{color, reals, vector2, vector3, vector4};

pub(super) fn build(ty: VariantType, lanes: &Lanes<'_>) -> Option<Variant> {
    use VariantType as T;
    let n = &mut reals(lanes);
    let count = lanes.count();
    Some(match ty {
        T::PackedByteArray => PackedArray::<u8>::from(lanes.bytes()).to_variant(),
        T::PackedInt32Array => copied(count, |slots| lanes.copy_to_i32s(slots)),
        T::PackedInt64Array => copied(count, |slots| lanes.copy_to_i64s(slots)),
        T::PackedFloat32Array => copied(count, |slots| lanes.copy_to_f32s(slots)),
        T::PackedFloat64Array => copied(count, |slots| lanes.copy_to_f64s(slots)),
        T::PackedVector2Array => filled(count / 2, || vector2(n)),
        T::PackedVector3Array => filled(count / 3, || vector3(n)),
        T::PackedColorArray => {
            let n = &mut lanes.f32s();
            filled(count / 4, || color(n))
        }
        T::PackedVector4Array => filled(count / 4, || vector4(n)),
        _ => return None,
    })
}

fn copied<T: PackedElement>(count: usize, copy: impl FnOnce(&mut [T])) -> Variant {
    let mut array = PackedArray::<T>::new();
    array.resize(count);
    copy(array.as_mut_slice());
    array.to_variant()
}

fn filled<T: PackedElement>(count: usize, mut next: impl FnMut() -> Option<T>) -> Variant {
    copied(count, |slots: &mut [T]| {
        for slot in slots {
            let Some(element) = next() else { break };
            *slot = element;
        }
    })
}
