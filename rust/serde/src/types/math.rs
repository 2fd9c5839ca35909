//! Defines vectors, rectangles, matrices and colors. Numbers stand in the order in which Godot writes them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Mul, Neg, Sub};

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use variant_core::VariantType;

use super::GodotType;
use crate::mark::Mark;

/// Is implemented by the numbers of a vector: `f32`, or `f64` from and for builds of double precision.
pub trait Real:
    Copy
    + Default
    + fmt::Debug
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Serialize
    + for<'de> Deserialize<'de>
{
    /// The number 0.
    const ZERO: Self;
    /// The number 1.
    const ONE: Self;
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}

/// Reads so many numbers from a row of them.
pub(crate) struct NumberVisitor<T, const N: usize> {
    ty: VariantType,
    number: PhantomData<T>,
}

impl<T, const N: usize> NumberVisitor<T, N> {
    pub(crate) const fn new(ty: VariantType) -> NumberVisitor<T, N> {
        NumberVisitor { ty, number: PhantomData }
    }
}

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de> for NumberVisitor<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ty.name())
    }

    #[inline(always)]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<[T; N], D::Error> {
        deserializer.deserialize_tuple(N, self)
    }

    #[inline(always)]
    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<[T; N], A::Error> {
        let mut row = [T::default(); N];
        for (at, number) in row.iter_mut().enumerate() {
            let next = numbers.next_element()?;
            *number = next.ok_or_else(|| serde::de::Error::invalid_length(at, &self))?;
        }
        Ok(row)
    }
}

/// A type that is a row of numbers on the wire: `From` both ways, and serde by its mark.
macro_rules! row {
    ($name:ident [$($generic:ident)?] $number:ty, $count:literal,
        |$this:ident| $out:expr, |$row:pat_param| $in:expr) => {
        impl$(<$generic: Real>)? From<$name$(<$generic>)?> for [$number; $count] {
            #[inline]
            fn from($this: $name$(<$generic>)?) -> [$number; $count] {
                $out
            }
        }

        impl$(<$generic: Real>)? From<[$number; $count]> for $name$(<$generic>)? {
            #[inline]
            fn from($row: [$number; $count]) -> $name$(<$generic>)? {
                $in
            }
        }

        impl$(<$generic: Real>)? Serialize for $name$(<$generic>)? {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let row: [$number; $count] = (*self).into();
                serializer.serialize_newtype_struct(Mark::Own(VariantType::$name).name(), &row)
            }
        }

        impl<'de $(, $generic: Real)?> Deserialize<'de> for $name$(<$generic>)? {
            #[inline(always)]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let row = NumberVisitor::<$number, $count>::new(VariantType::$name);
                let name = Mark::Own(VariantType::$name).name();
                deserializer.deserialize_newtype_struct(name, row).map(Self::from)
            }
        }

        impl$(<$generic>)? GodotType for $name$(<$generic>)? {
            const TYPE: VariantType = VariantType::$name;
        }
    };
}

/// A type whose numbers have a name each.
macro_rules! named {
    ($($(#[doc = $doc:literal])+ $(#[derive($($derived:ident),*)])? $name:ident [$($generic:ident)?] $number:ty, $count:literal {
        $($field:ident),*
    })*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, PartialEq $($(, $derived)*)?)]
            pub struct $name$(<$generic = f32>)? {
                $(
                    #[doc = concat!("The number `", stringify!($field), "`.")]
                    pub $field: $number,
                )*
            }

            impl$(<$generic: Real>)? $name$(<$generic>)? {
                #[doc = concat!("A `", stringify!($name), "` of these numbers.")]
                #[must_use]
                pub const fn new($($field: $number),*) -> Self {
                    Self { $($field),* }
                }
            }

            row!($name [$($generic)?] $number, $count, |it| [$(it.$field),*], |[$($field),*]| Self { $($field),* });
        )*
    };
}

named! {
    /// Godot's `Vector2`.
    #[derive(Default)]
    Vector2 [R] R, 2 { x, y }
    /// Godot's `Vector2i`. It is a key of maps, too.
    #[derive(Default, Eq, Hash, PartialOrd, Ord)]
    Vector2i [] i32, 2 { x, y }
    /// Godot's `Vector3`.
    #[derive(Default)]
    Vector3 [R] R, 3 { x, y, z }
    /// Godot's `Vector3i`. It is a key of maps, too.
    #[derive(Default, Eq, Hash, PartialOrd, Ord)]
    Vector3i [] i32, 3 { x, y, z }
    /// Godot's `Vector4`.
    #[derive(Default)]
    Vector4 [R] R, 4 { x, y, z, w }
    /// Godot's `Vector4i`. It is a key of maps, too.
    #[derive(Default, Eq, Hash, PartialOrd, Ord)]
    Vector4i [] i32, 4 { x, y, z, w }
    /// Godot's `Quaternion`; by default the identity, as in Godot.
    Quaternion [R] R, 4 { x, y, z, w }
    /// Godot's `Color`, of singles in every build; by default opaque black, as in Godot.
    Color [] f32, 4 { r, g, b, a }
}

/// Godot's `Plane`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Plane<R = f32> {
    /// The direction that it faces.
    pub normal: Vector3<R>,
    /// How far it is from the origin.
    pub d: R,
}

row!(Plane [R] R, 4,
    |it| [it.normal.x, it.normal.y, it.normal.z, it.d],
    |[x, y, z, d]| Plane { normal: Vector3 { x, y, z }, d });

/// Godot's `Rect2`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect2<R = f32> {
    /// Its corner of least numbers.
    pub position: Vector2<R>,
    /// How far it reaches from there.
    pub size: Vector2<R>,
}

row!(Rect2 [R] R, 4,
    |it| [it.position.x, it.position.y, it.size.x, it.size.y],
    |[x, y, width, height]| Rect2 { position: Vector2 { x, y }, size: Vector2 { x: width, y: height } });

/// Godot's `Rect2i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rect2i {
    /// Its corner of least numbers.
    pub position: Vector2i,
    /// How far it reaches from there.
    pub size: Vector2i,
}

row!(Rect2i [] i32, 4,
    |it| [it.position.x, it.position.y, it.size.x, it.size.y],
    |[x, y, width, height]| Rect2i { position: Vector2i { x, y }, size: Vector2i { x: width, y: height } });

/// Godot's `AABB`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb<R = f32> {
    /// Its corner of least numbers.
    pub position: Vector3<R>,
    /// How far it reaches from there.
    pub size: Vector3<R>,
}

row!(Aabb [R] R, 6,
|it| [it.position.x, it.position.y, it.position.z, it.size.x, it.size.y, it.size.z],
|[x, y, z, width, height, depth]| Aabb {
    position: Vector3 { x, y, z },
    size: Vector3 { x: width, y: height, z: depth },
});

/// Godot's `Transform2D`: its axes, and where it moves to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform2D<R = f32> {
    /// Where the x axis points.
    pub x: Vector2<R>,
    /// Where the y axis points.
    pub y: Vector2<R>,
    /// Where the origin moves to.
    pub origin: Vector2<R>,
}

row!(Transform2D [R] R, 6,
|it| [it.x.x, it.x.y, it.y.x, it.y.y, it.origin.x, it.origin.y],
|[a, b, c, d, e, f]| Transform2D {
    x: Vector2 { x: a, y: b },
    y: Vector2 { x: c, y: d },
    origin: Vector2 { x: e, y: f },
});

/// Godot's `Basis`, a 3x3 matrix. GDScript's `basis.x` is a column: the first number of each row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Basis<R = f32> {
    /// Rows, as they stand on the wire.
    pub rows: [[R; 3]; 3],
}

row!(Basis [R] R, 9,
    |it| { let [[a, b, c], [d, e, f], [g, h, i]] = it.rows; [a, b, c, d, e, f, g, h, i] },
    |[a, b, c, d, e, f, g, h, i]| Basis { rows: [[a, b, c], [d, e, f], [g, h, i]] });

/// Godot's `Transform3D`: a basis, and where it moves to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform3D<R = f32> {
    /// Rotation, scale and shear.
    pub basis: Basis<R>,
    /// Where the origin moves to.
    pub origin: Vector3<R>,
}

row!(Transform3D [R] R, 12,
|it| {
    let [[a, b, c], [d, e, f], [g, h, i]] = it.basis.rows;
    [a, b, c, d, e, f, g, h, i, it.origin.x, it.origin.y, it.origin.z]
},
|[a, b, c, d, e, f, g, h, i, x, y, z]| Transform3D {
    basis: Basis { rows: [[a, b, c], [d, e, f], [g, h, i]] },
    origin: Vector3 { x, y, z },
});

/// Godot's `Projection`, a 4x4 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection<R = f32> {
    /// Columns, as they stand on the wire.
    pub columns: [[R; 4]; 4],
}

row!(Projection [R] R, 16,
|it| {
    let [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]] = it.columns;
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
},
|[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]| Projection {
    columns: [[a, b, c, d], [e, f, g, h], [i, j, k, l], [m, n, o, p]],
});

/// Gives a type the identity, which Godot makes where nothing is said.
macro_rules! identities {
    ($($name:ident { $($field:ident: $value:expr),* })*) => {
        $(
            impl<R: Real> $name<R> {
                /// Changes nothing.
                pub const IDENTITY: Self = Self { $($field: $value),* };
            }

            impl<R: Real> Default for $name<R> {
                fn default() -> Self {
                    Self::IDENTITY
                }
            }
        )*
    };
}

identities! {
    Quaternion { x: R::ZERO, y: R::ZERO, z: R::ZERO, w: R::ONE }
    Transform2D {
        x: Vector2 { x: R::ONE, y: R::ZERO },
        y: Vector2 { x: R::ZERO, y: R::ONE },
        origin: Vector2 { x: R::ZERO, y: R::ZERO }
    }
    Basis {
        rows: [[R::ONE, R::ZERO, R::ZERO], [R::ZERO, R::ONE, R::ZERO], [R::ZERO, R::ZERO, R::ONE]]
    }
    Transform3D { basis: Basis::IDENTITY, origin: Vector3 { x: R::ZERO, y: R::ZERO, z: R::ZERO } }
    Projection {
        columns: [
            [R::ONE, R::ZERO, R::ZERO, R::ZERO],
            [R::ZERO, R::ONE, R::ZERO, R::ZERO],
            [R::ZERO, R::ZERO, R::ONE, R::ZERO],
            [R::ZERO, R::ZERO, R::ZERO, R::ONE]
        ]
    }
}

impl Default for Color {
    fn default() -> Color {
        Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 }
    }
}

/// Sums, differences and multiples, number by number. Ints wrap, as Godot's do.
macro_rules! vectors {
    ($($name:ident [$($generic:ident)?] $number:ty { $($field:ident),* } |$a:ident, $b:ident| $add:expr, $sub:expr, $mul:expr, $neg:expr;)*) => {
        $(
            impl$(<$generic: Real>)? Add for $name$(<$generic>)? {
                type Output = Self;

                fn add(self, other: Self) -> Self {
                    let add = |$a: $number, $b: $number| $add;
                    Self { $($field: add(self.$field, other.$field)),* }
                }
            }

            impl$(<$generic: Real>)? Sub for $name$(<$generic>)? {
                type Output = Self;

                fn sub(self, other: Self) -> Self {
                    let sub = |$a: $number, $b: $number| $sub;
                    Self { $($field: sub(self.$field, other.$field)),* }
                }
            }

            impl$(<$generic: Real>)? Mul<$number> for $name$(<$generic>)? {
                type Output = Self;

                fn mul(self, $b: $number) -> Self {
                    let mul = |$a: $number| $mul;
                    Self { $($field: mul(self.$field)),* }
                }
            }

            impl$(<$generic: Real>)? Neg for $name$(<$generic>)? {
                type Output = Self;

                fn neg(self) -> Self {
                    let neg = |$a: $number| $neg;
                    Self { $($field: neg(self.$field)),* }
                }
            }
        )*
    };
}

#[expect(clippy::arithmetic_side_effects, reason = "floats have none, and ints wrap")]
mod arithmetic {
    use super::*;

    vectors! {
        Vector2 [R] R { x, y } |a, b| a + b, a - b, a * b, -a;
        Vector3 [R] R { x, y, z } |a, b| a + b, a - b, a * b, -a;
        Vector4 [R] R { x, y, z, w } |a, b| a + b, a - b, a * b, -a;
        Vector2i [] i32 { x, y } |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg();
        Vector3i [] i32 { x, y, z } |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg();
        Vector4i [] i32 { x, y, z, w } |a, b| a.wrapping_add(b), a.wrapping_sub(b), a.wrapping_mul(b), a.wrapping_neg();
    }
}
