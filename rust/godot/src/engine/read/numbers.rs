//! Writes the numbers of a Variant in wire order: math types and packed arrays (FORMAT.md 3.3, 3.4, 3.7).

use godot::builtin::{
    Aabb, Basis, Color, PackedArray, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D,
    Variant, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i, real,
};
use godot::meta::PackedElement;
use variant_core::token::{Lanes, Leaf};
use variant_core::wire::{Lane, Layout};
use variant_core::{ErrorKind, Fault, VariantType};

use super::leaf::taken;
use super::listener::Listener;

/// The lane type of a real number in this build.
const REAL: Lane = if size_of::<real>() == 8 { Lane::F64 } else { Lane::F32 };
/// The number of bytes of the largest math type: a Projection of doubles.
const LARGEST: usize = 16 * 8;

pub(super) fn write<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    match ty.layout() {
        Layout::Packed(..) => packed(value, ty, encoder),
        Layout::Math(Lane::I32, _) => ints(value, ty, encoder),
        _ => reals(value, ty, encoder),
    }
}

fn reals<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    use VariantType as T;
    match ty {
        T::Vector2 => real_lanes(ty, &row2(&taken(value, encoder)?), encoder),
        T::Rect2 => {
            let rect: Rect2 = taken(value, encoder)?;
            real_lanes(ty, [row2(&rect.position), row2(&rect.size)].as_flattened(), encoder)
        }
        T::Vector3 => real_lanes(ty, &row3(&taken(value, encoder)?), encoder),
        T::Vector4 => real_lanes(ty, &row4(&taken(value, encoder)?), encoder),
        T::Plane => {
            let plane: Plane = taken(value, encoder)?;
            let [x, y, z] = row3(&plane.normal);
            real_lanes(ty, &[x, y, z, plane.d], encoder)
        }
        T::Quaternion => {
            let quaternion: Quaternion = taken(value, encoder)?;
            real_lanes(ty, &[quaternion.x, quaternion.y, quaternion.z, quaternion.w], encoder)
        }
        T::Aabb => {
            let aabb: Aabb = taken(value, encoder)?;
            real_lanes(ty, [row3(&aabb.position), row3(&aabb.size)].as_flattened(), encoder)
        }
        T::Color => {
            let color: Color = taken(value, encoder)?;
            small_lanes(ty, &rgba(&color), Lane::F32, f32::to_le_bytes, encoder)
        }
        _ => matrix(value, ty, encoder),
    }
}

fn matrix<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    use VariantType as T;
    match ty {
        T::Transform2D => {
            let transform: Transform2D = taken(value, encoder)?;
            let columns = [transform.a, transform.b, transform.origin];
            real_lanes(ty, columns.map(|column| row2(&column)).as_flattened(), encoder)
        }
        T::Basis => {
            let basis: Basis = taken(value, encoder)?;
            real_lanes(ty, basis.rows.map(|row| row3(&row)).as_flattened(), encoder)
        }
        T::Transform3D => {
            let transform: Transform3D = taken(value, encoder)?;
            let [x, y, z] = transform.basis.rows.map(|row| row3(&row));
            real_lanes(ty, [x, y, z, row3(&transform.origin)].as_flattened(), encoder)
        }
        _ => {
            let projection: Projection = taken(value, encoder)?;
            real_lanes(ty, projection.cols.map(|column| row4(&column)).as_flattened(), encoder)
        }
    }
}

fn ints<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    let vector = |v: Vector2i| [v.x, v.y];
    let numbers: &[i32] = match ty {
        VariantType::Vector2i => &vector(taken(value, encoder)?),
        VariantType::Rect2i => {
            let rect: Rect2i = taken(value, encoder)?;
            &[rect.position.x, rect.position.y, rect.size.x, rect.size.y]
        }
        VariantType::Vector3i => {
            let v: Vector3i = taken(value, encoder)?;
            &[v.x, v.y, v.z]
        }
        _ => {
            let v: Vector4i = taken(value, encoder)?;
            &[v.x, v.y, v.z, v.w]
        }
    };
    small_lanes(ty, numbers, Lane::I32, i32::to_le_bytes, encoder)
}

fn packed<L: Listener>(value: &Variant, ty: VariantType, encoder: &mut L) -> Result<(), Fault> {
    use VariantType as T;
    match ty {
        T::PackedByteArray => {
            let bytes: PackedArray<u8> = taken(value, encoder)?;
            lanes(ty, bytes.as_slice(), Lane::U8, encoder)
        }
        T::PackedInt32Array => rows(value, ty, Lane::I32, encoder, |n: &i32| n.to_le_bytes()),
        T::PackedInt64Array => rows(value, ty, Lane::I64, encoder, |n: &i64| n.to_le_bytes()),
        T::PackedFloat32Array => rows(value, ty, Lane::F32, encoder, |n: &f32| n.to_le_bytes()),
        T::PackedFloat64Array => rows(value, ty, Lane::F64, encoder, |n: &f64| n.to_le_bytes()),
        T::PackedVector2Array => rows(value, ty, REAL, encoder, |v: &Vector2| row2(v).map(real::to_le_bytes)),
        T::PackedVector3Array => rows(value, ty, REAL, encoder, |v: &Vector3| row3(v).map(real::to_le_bytes)),
        T::PackedVector4Array => rows(value, ty, REAL, encoder, |v: &Vector4| row4(v).map(real::to_le_bytes)),
        _ => rows(value, ty, Lane::F32, encoder, |c: &Color| rgba(c).map(f32::to_le_bytes)),
    }
}

/// Writes the elements of a packed array, each as its little-endian bytes.
fn rows<T: PackedElement, B: AsBytes, L: Listener>(
    value: &Variant,
    ty: VariantType,
    lane: Lane,
    encoder: &mut L,
    row: impl Fn(&T) -> B,
) -> Result<(), Fault> {
    let array: PackedArray<T> = taken(value, encoder)?;
    let mut bytes = Vec::with_capacity(array.len().saturating_mul(size_of::<B>()));
    for element in array.as_slice() {
        bytes.extend_from_slice(row(element).as_bytes());
    }
    lanes(ty, &bytes, lane, encoder)
}

/// Gives the bytes of one element, which has one number or several.
trait AsBytes {
    fn as_bytes(&self) -> &[u8];
}

impl<const N: usize> AsBytes for [u8; N] {
    fn as_bytes(&self) -> &[u8] {
        self
    }
}

impl<const N: usize, const M: usize> AsBytes for [[u8; N]; M] {
    fn as_bytes(&self) -> &[u8] {
        self.as_flattened()
    }
}

fn real_lanes<L: Listener>(ty: VariantType, numbers: &[real], encoder: &mut L) -> Result<(), Fault> {
    small_lanes(ty, numbers, REAL, real::to_le_bytes, encoder)
}

/// Writes a math type's numbers, through a buffer on the stack.
fn small_lanes<T: Copy, const N: usize, L: Listener>(
    ty: VariantType,
    numbers: &[T],
    lane: Lane,
    to_le_bytes: impl Fn(T) -> [u8; N],
    encoder: &mut L,
) -> Result<(), Fault> {
    let mut buffer = [0; LARGEST];
    for (slot, number) in buffer.as_chunks_mut::<N>().0.iter_mut().zip(numbers) {
        *slot = to_le_bytes(*number);
    }
    lanes(ty, buffer.get(..numbers.len().saturating_mul(N)).unwrap_or_default(), lane, encoder)
}

fn lanes<L: Listener>(ty: VariantType, bytes: &[u8], lane: Lane, encoder: &mut L) -> Result<(), Fault> {
    let lanes = Lanes::new(bytes, lane).ok_or_else(|| encoder.fault(ErrorKind::Refused))?;
    encoder.leaf(&match ty.layout() {
        Layout::Packed(..) => Leaf::Packed(ty, lanes),
        _ => Leaf::Math(ty, lanes),
    })
}

const fn row2(v: &Vector2) -> [real; 2] {
    [v.x, v.y]
}

const fn row3(v: &Vector3) -> [real; 3] {
    [v.x, v.y, v.z]
}

const fn row4(v: &Vector4) -> [real; 4] {
    [v.x, v.y, v.z, v.w]
}

const fn rgba(color: &Color) -> [f32; 4] {
    [color.r, color.g, color.b, color.a]
}
