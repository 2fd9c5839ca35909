//! Reads and writes types of the `glam` crate as Godot's: `#[serde(with = "variant_serde::glam")]` on a
//! field of any of them, or of a `Vec` or an `Option` of some.
//!
//! Types of two versions of glam are two types, so each version has a feature: `glam_0_29` to `glam_0_34`. Several may be on.
//!
//! | glam | Godot |
//! |---|---|
//! | `Vec2`, `Vec3`, `Vec3A`, `Vec4`, `IVec2`, `IVec3`, `IVec4` | `Vector2` to `Vector4i` |
//! | `DVec2`, `DVec3`, `DVec4` | the same in doubles, as builds of double precision write them |
//! | `Quat`, `DQuat` | `Quaternion` |
//! | `Mat3`, `Mat3A` | `Basis` |
//! | `Affine2` | `Transform2D` |
//! | `Affine3A` | `Transform3D` |
//! | `Mat4` | `Projection` |
//! | `Vec` | `Array`, as that of Godot's own types; any array of such values is read |
//! | `Vec` of `Vec2`, `Vec3`, `Vec4` under `variant_serde::glam::packed` | `PackedVector2Array` to `PackedVector4Array` |
//!
//! ```
//! # extern crate glam_0_34 as glam;
//! use glam::{Quat, Vec3}; // 0.34, with the feature glam_0_34
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Body {
//!     #[serde(with = "variant_serde::glam")]
//!     pos: Vec3,
//!     #[serde(with = "variant_serde::glam")]
//!     turn: Option<Quat>,
//!     #[serde(with = "variant_serde::glam::packed")]
//!     trail: Vec<Vec3>,
//! }
//!
//! let body = Body { pos: Vec3::Y, turn: None, trail: vec![Vec3::ZERO] };
//! let bytes = variant_serde::to_vec(&body)?;
//! assert_eq!(variant_serde::from_slice::<Body>(&bytes)?, body);
//! # Ok::<(), variant_serde::Error>(())
//! ```

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::types::{PackedVector2Array, PackedVector3Array, PackedVector4Array, Vector2, Vector3, Vector4};

/// A type of glam's with the type of Godot's that it is written as.
pub trait Glam: Sized {
    /// Godot's type.
    type Godot: Serialize + for<'de> Deserialize<'de>;
    /// As Godot's type.
    fn to_godot(&self) -> Self::Godot;
    /// From Godot's type.
    fn from_godot(godot: Self::Godot) -> Self;
}

/// Writes a type of glam's; for `#[serde(with = "variant_serde::glam")]`.
///
/// # Errors
/// The error is that of the format.
pub fn serialize<T: Glam, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.to_godot().serialize(serializer)
}

/// Reads a type of glam's; for `#[serde(with = "variant_serde::glam")]`.
///
/// # Errors
/// The error is that of the format.
pub fn deserialize<'de, T: Glam, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::Godot::deserialize(deserializer).map(T::from_godot)
}

macro_rules! rows {
    ($($glam:ty => $godot:ty;)*) => {
        $(
            impl Glam for $glam {
                type Godot = $godot;

                fn to_godot(&self) -> $godot {
                    self.to_array().into()
                }

                fn from_godot(godot: $godot) -> $glam {
                    <$glam>::from_array(godot.into())
                }
            }
        )*
    };
}

/// glam keeps columns, and a Basis is written by rows.
macro_rules! bases {
    ($($glam:ty)*) => {
        $(
            impl Glam for $glam {
                type Godot = Basis;

                fn to_godot(&self) -> Basis {
                    Basis { rows: transposed(self.to_cols_array_2d()) }
                }

                fn from_godot(godot: Basis) -> $glam {
                    <$glam>::from_cols_array_2d(&transposed(godot.rows))
                }
            }
        )*
    };
}

macro_rules! packed {
    ($($glam:ty => $array:ty;)*) => {
        $(
            impl Packed for $glam {
                type Array = $array;
            }
        )*
    };
}

/// Converts the types of each version of glam whose feature is on.
macro_rules! versions {
    ($($feature:literal $glam:ident;)*) => {
        $(
            #[cfg(feature = $feature)]
            mod $glam {
                use ::$glam::*;

                use super::{Glam, Packed, transposed};
                use crate::types::{
                    Basis, PackedVector2Array, PackedVector3Array, PackedVector4Array, Projection, Quaternion,
                    Transform2D, Transform3D, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
                };

                rows! {
                    Vec2 => Vector2;
                    Vec3 => Vector3;
                    Vec3A => Vector3;
                    Vec4 => Vector4;
                    DVec2 => Vector2<f64>;
                    DVec3 => Vector3<f64>;
                    DVec4 => Vector4<f64>;
                    IVec2 => Vector2i;
                    IVec3 => Vector3i;
                    IVec4 => Vector4i;
                    Quat => Quaternion;
                    DQuat => Quaternion<f64>;
                }

                bases! { Mat3 Mat3A }

                packed! {
                    Vec2 => PackedVector2Array;
                    Vec3 => PackedVector3Array;
                    Vec4 => PackedVector4Array;
                }

                impl Glam for Mat4 {
                    type Godot = Projection;

                    fn to_godot(&self) -> Projection {
                        Projection { columns: self.to_cols_array_2d() }
                    }

                    fn from_godot(godot: Projection) -> Mat4 {
                        Mat4::from_cols_array_2d(&godot.columns)
                    }
                }

                impl Glam for Affine2 {
                    type Godot = Transform2D;

                    fn to_godot(&self) -> Transform2D {
                        self.to_cols_array().into()
                    }

                    fn from_godot(godot: Transform2D) -> Affine2 {
                        Affine2::from_cols_array(&godot.into())
                    }
                }

                impl Glam for Affine3A {
                    type Godot = Transform3D;

                    fn to_godot(&self) -> Transform3D {
                        Transform3D { basis: self.matrix3.to_godot(), origin: self.translation.to_godot() }
                    }

                    fn from_godot(godot: Transform3D) -> Affine3A {
                        Affine3A {
                            matrix3: Mat3A::from_godot(godot.basis),
                            translation: Vec3A::from_godot(godot.origin),
                        }
                    }
                }
            }
        )*
    };
}

versions! {
    "glam_0_29" glam_0_29;
    "glam_0_30" glam_0_30;
    "glam_0_31" glam_0_31;
    "glam_0_32" glam_0_32;
    "glam_0_33" glam_0_33;
    "glam_0_34" glam_0_34;
}

const fn transposed([[a, b, c], [d, e, f], [g, h, i]]: [[f32; 3]; 3]) -> [[f32; 3]; 3] {
    [[a, d, g], [b, e, h], [c, f, i]]
}

impl<T: Glam> Glam for Option<T> {
    type Godot = Option<T::Godot>;

    fn to_godot(&self) -> Option<T::Godot> {
        self.as_ref().map(T::to_godot)
    }

    fn from_godot(godot: Option<T::Godot>) -> Option<T> {
        godot.map(T::from_godot)
    }
}

/// A type of glam's that Godot has packed arrays of.
pub trait Packed: Glam {
    /// The packed array.
    type Array: Serialize + for<'de> Deserialize<'de> + From<Vec<Self::Godot>> + Into<Vec<Self::Godot>>;
}

macro_rules! items {
    ($($array:ty => $item:ty;)*) => {
        $(
            impl From<$array> for Vec<$item> {
                fn from(array: $array) -> Vec<$item> {
                    array.0
                }
            }
        )*
    };
}

items! {
    PackedVector2Array => Vector2;
    PackedVector3Array => Vector3;
    PackedVector4Array => Vector4;
}

impl<T: Glam> Glam for Vec<T> {
    type Godot = Vec<T::Godot>;

    fn to_godot(&self) -> Vec<T::Godot> {
        self.iter().map(T::to_godot).collect()
    }

    fn from_godot(godot: Vec<T::Godot>) -> Vec<T> {
        godot.into_iter().map(T::from_godot).collect()
    }
}

/// Reads and writes a `Vec` as a packed array: `#[serde(with = "variant_serde::glam::packed")]`.
pub mod packed {
    use super::{Deserialize, Deserializer, Packed, Serialize, Serializer};

    /// Writes a packed array.
    ///
    /// # Errors
    /// The error is that of the format.
    pub fn serialize<T: Packed, S: Serializer>(value: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        let all: Vec<T::Godot> = value.iter().map(T::to_godot).collect();
        T::Array::from(all).serialize(serializer)
    }

    /// Reads a packed array.
    ///
    /// # Errors
    /// The error is that of the format.
    pub fn deserialize<'de, T: Packed, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        let all: Vec<T::Godot> = T::Array::deserialize(deserializer)?.into();
        Ok(all.into_iter().map(T::from_godot).collect())
    }
}
