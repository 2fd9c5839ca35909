//! Lends the numbers of vectors, matrices and packed arrays where they lie: each of these types is a row of equal numbers without a
//! gap, in the order in which the wire has them.

use std::borrow::Cow;
use std::slice;

use godot::builtin::{
    Aabb, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i, real,
};
use variant_core::token::Lanes;
use variant_core::wire::Lane;

/// Describes a number of the wire.
pub(crate) trait WireNumber: Copy + 'static {
    const LANE: Lane;

    /// Copies these numbers into a slice; numbers beyond either end are left alone.
    fn copy(lanes: &Lanes<'_>, slots: &mut [Self]);

    fn put(self, bytes: &mut Vec<u8>);
}

/// Describes a type whose values are rows of such numbers.
///
/// # Safety
/// It is made of these numbers alone, without a gap, and every number in every place makes a value.
pub(crate) unsafe trait NumberRow: Copy {
    type Lane: WireNumber;
}

macro_rules! numbers {
    ($($number:ident $lane:ident, |$lanes:ident, $slots:ident| $copy:expr, $($ty:ident)*;)*) => {$(
        impl WireNumber for $number {
            const LANE: Lane = Lane::$lane;

            fn copy($lanes: &Lanes<'_>, $slots: &mut [Self]) {
                $copy;
            }

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }

        // SAFETY: a row of one number.
        unsafe impl NumberRow for $number {
            type Lane = $number;
        }

        rows! { $number $($ty)* }
    )*};
}

macro_rules! rows {
    ($number:ident $($ty:ident)*) => {$(
        // SAFETY: gdext declares it `repr(C)`, of these numbers or of rows of them.
        unsafe impl NumberRow for $ty {
            type Lane = $number;
        }
        const _: () = assert!(align_of::<$ty>() == align_of::<$number>() && size_of::<$ty>() % size_of::<$number>() == 0);
    )*};
}

numbers! {
    u8 U8, |lanes, slots| slots.iter_mut().zip(lanes.bytes()).for_each(|(slot, byte)| *slot = *byte),;
    i32 I32, |lanes, slots| lanes.copy_to_i32s(slots), Vector2i Rect2i Vector3i Vector4i;
    i64 I64, |lanes, slots| lanes.copy_to_i64s(slots),;
    f32 F32, |lanes, slots| match lanes.is_wide() {
        true => slots.iter_mut().zip(lanes.narrowed()).for_each(|(slot, number)| *slot = number),
        false => lanes.copy_to_f32s(slots),
    }, Color;
    f64 F64, |lanes, slots| match lanes.is_wide() {
        true => lanes.copy_to_f64s(slots),
        false => slots.iter_mut().zip(lanes.widened()).for_each(|(slot, number)| *slot = number),
    },;
}
rows! { real Vector2 Rect2 Vector3 Vector4 Plane Quaternion Aabb Transform2D Basis Transform3D Projection }

/// Fills values with the numbers of the wire, as far as there are any.
pub(crate) fn fill<T: NumberRow>(values: &mut [T], lanes: &Lanes<'_>) {
    let count = size_of_val(values) / size_of::<T::Lane>();
    // SAFETY: by the contract of `NumberRow` the slice is so many numbers, and takes any.
    let numbers = unsafe { slice::from_raw_parts_mut(values.as_mut_ptr().cast(), count) };
    <T::Lane as WireNumber>::copy(lanes, numbers);
}

/// Makes one value of the numbers of the wire, with zeros where there are none.
pub(crate) fn value_of<T: NumberRow>(lanes: &Lanes<'_>) -> T {
    // SAFETY: by the contract of `NumberRow` zeros are a value.
    let mut value = unsafe { std::mem::zeroed() };
    fill(slice::from_mut(&mut value), lanes);
    value
}

/// Returns the numbers of values as the bytes of the wire.
pub(crate) fn bytes_of<T: NumberRow>(values: &[T]) -> Cow<'_, [u8]> {
    let (first, size) = (values.as_ptr(), size_of_val(values));
    if cfg!(target_endian = "little") {
        // SAFETY: by the contract of `NumberRow` there is no gap, so every byte is initialised.
        return Cow::Borrowed(unsafe { slice::from_raw_parts(first.cast(), size) });
    }
    // SAFETY: by the contract of `NumberRow` the slice is so many numbers.
    let numbers: &[T::Lane] = unsafe { slice::from_raw_parts(first.cast(), size / size_of::<T::Lane>()) };
    let mut bytes = Vec::with_capacity(size);
    numbers.iter().for_each(|number| number.put(&mut bytes));
    Cow::Owned(bytes)
}
