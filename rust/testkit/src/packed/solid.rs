//! Packs values of a fixed count of numbers, by the format's page.

use variant_core::VariantType as T;
use variant_schema::{Schema, Shape, Width};

use super::bits::{Bits, Source};
use super::number::{Kind, Num};
use super::turn;

/// How such a value is packed.
#[derive(Clone, Debug)]
pub(super) enum Solid {
    Each(Vec<Kind>),
    Direction(u32),
    Flat(u32),
    Rotation(u32),
    /// The form of each number of the origin, and the bits of the rotation.
    Rigid(Kind, u32),
}

impl Solid {
    /// The form of a value of this type, and whether it comes out in 64 bits.
    pub(super) fn of(ty: T, schema: &Schema) -> Option<(Solid, bool)> {
        let demands = schema.demands();
        let count = match ty {
            T::Vector2 | T::Vector2i => 2,
            T::Vector3 | T::Vector3i => 3,
            T::Vector4 | T::Vector4i | T::Rect2 | T::Rect2i | T::Plane | T::Quaternion | T::Color => 4,
            T::Transform2D | T::Aabb => 6,
            T::Basis => 9,
            T::Transform3D => 12,
            T::Projection => 16,
            _ => return None,
        };
        let is_wide = demands.packing.width == Some(Width::Double);
        let solid = match (ty, demands.packing.bits, demands.packing.rigid) {
            (T::Quaternion, Some(bits), _) => Solid::Rotation(bits),
            (T::Vector3, Some(bits), _) if demands.normalized => Solid::Direction(bits),
            (T::Vector2, Some(bits), _) if demands.normalized => Solid::Flat(bits),
            (_, _, Some(rigid)) => Solid::Rigid(Kind::origin(rigid.step), rigid.bits),
            _ => {
                let within = demands.within.clone().unwrap_or_default();
                let half = within.len() / 2;
                let edge = |at: usize| (at < half).then(|| (within[at], within[at] + within[half + at]));
                let is_int = matches!(ty, T::Vector2i | T::Vector3i | T::Vector4i | T::Rect2i);
                let kind = |at: usize| {
                    if is_int { Kind::whole(edge(at)) } else { Kind::part(schema, edge(at), ty == T::Color) }
                };
                Solid::Each((0..count).map(kind).collect())
            }
        };
        Some((solid, is_wide))
    }

    /// The form of the elements of a packed array.
    pub(super) fn element(ty: T, schema: Option<&Schema>) -> Option<(Solid, bool)> {
        let any_int = Schema::int();
        let int = |lane: Option<(i64, i64)>| Kind::int(schema.unwrap_or(&any_int), lane);
        let one = |kind: Kind| Solid::Each(vec![kind]);
        let raw = Kind::Single { lossy: true };
        Some(match (ty, schema) {
            (T::PackedByteArray, _) => (one(int(Some((0, 255)))), false),
            (T::PackedInt32Array, _) => (one(int(Some((-2147483648, 2147483647)))), false),
            (T::PackedInt64Array, None) => (one(int(Some((i64::MIN, i64::MAX)))), true),
            (T::PackedInt64Array, _) => (one(int(None)), true),
            (T::PackedFloat32Array, None) => (one(raw), false),
            (T::PackedFloat32Array, Some(schema)) => (one(Kind::float(schema, true)), false),
            (T::PackedFloat64Array, None) => (one(Kind::Double), true),
            (T::PackedFloat64Array, Some(schema)) => (one(Kind::float(schema, false)), true),
            (_, Some(schema)) => match schema.shape() {
                Shape::Type(ty) => return Solid::of(*ty, schema),
                _ => return None,
            },
            (ty, None) => (Solid::Each(vec![raw; super::number::element(ty)]), false),
        })
    }

    pub(super) fn numbers(&self) -> usize {
        match self {
            Solid::Each(kinds) => kinds.len(),
            Solid::Direction(_) => 3,
            Solid::Flat(_) => 2,
            Solid::Rotation(_) => 4,
            Solid::Rigid(..) => 12,
        }
    }

    /// The number that stands for each part.
    pub(super) fn codes(&self, numbers: &[Num]) -> Option<Vec<u128>> {
        let reals: Vec<f64> = numbers.iter().map(|n| if let Num::Real(n) = n { *n } else { 0.0 }).collect();
        Some(match self {
            Solid::Each(kinds) => {
                return kinds.iter().zip(numbers).map(|(kind, number)| kind.code(*number)).collect();
            }
            Solid::Direction(bits) => turn::direction(reals.try_into().ok()?, *bits)?.to_vec(),
            Solid::Flat(bits) => turn::flat(reals.try_into().ok()?, *bits)?.to_vec(),
            Solid::Rotation(bits) => turn::rotation(reals.try_into().ok()?, *bits)?.to_vec(),
            Solid::Rigid(kind, bits) => {
                let quaternion = turn::of_basis(&reals[..9])?;
                let origin: Option<Vec<u128>> =
                    reals[9..].iter().map(|number| kind.code(Num::Real(*number))).collect();
                let mut codes = origin?;
                codes.extend(turn::rotation(quaternion, *bits)?);
                codes
            }
        })
    }

    pub(super) fn made(&self, codes: &[u128]) -> Option<Vec<Num>> {
        let reals = |numbers: &[f64]| numbers.iter().copied().map(Num::Real).collect::<Vec<_>>();
        Some(match self {
            Solid::Each(kinds) => {
                return kinds.iter().zip(codes).map(|(kind, code)| kind.number(*code)).collect();
            }
            Solid::Direction(bits) => reals(&turn::of_direction(codes.try_into().ok()?, *bits)?),
            Solid::Flat(bits) => reals(&turn::of_flat(codes.try_into().ok()?, *bits)?),
            Solid::Rotation(bits) => reals(&turn::of_rotation(codes.try_into().ok()?, *bits)?),
            Solid::Rigid(kind, bits) => {
                let mut all = reals(&turn::to_basis(turn::of_rotation(codes[3..].try_into().ok()?, *bits)?));
                for code in &codes[..3] {
                    all.push(kind.number(*code)?);
                }
                all
            }
        })
    }

    /// How each code is packed: as a number of a kind, or in so many bits.
    pub(super) fn forms(&self) -> Vec<Result<Kind, u32>> {
        match self {
            Solid::Each(kinds) => kinds.iter().copied().map(Ok).collect(),
            Solid::Direction(bits) => vec![Err(*bits); 2],
            Solid::Flat(bits) => vec![Err(*bits), Err(1)],
            Solid::Rotation(bits) => vec![Err(2), Err(*bits), Err(*bits), Err(*bits)],
            Solid::Rigid(kind, bits) => {
                vec![Ok(*kind), Ok(*kind), Ok(*kind), Err(2), Err(*bits), Err(*bits), Err(*bits)]
            }
        }
    }

    /// Where the code stands that says which number of a rotation is the largest.
    pub(super) fn turn(&self) -> Option<usize> {
        match self {
            Solid::Rotation(_) => Some(0),
            Solid::Rigid(..) => Some(3),
            _ => None,
        }
    }

    pub(super) fn put(&self, numbers: &[Num], bits: &mut Bits) -> Option<()> {
        let codes = self.codes(numbers)?;
        self.forms().iter().zip(codes).try_for_each(|(form, code)| put_one(form, code, bits))
    }

    pub(super) fn take(&self, source: &mut Source<'_>) -> Option<Vec<Num>> {
        let codes: Option<Vec<u128>> = self.forms().iter().map(|form| take_one(form, source)).collect();
        self.made(&codes?)
    }
}

pub(super) fn put_one(form: &Result<Kind, u32>, code: u128, bits: &mut Bits) -> Option<()> {
    match form {
        Ok(kind) => kind.put_code(code, bits),
        Err(width) => {
            bits.put(code, *width);
            Some(())
        }
    }
}

pub(super) fn take_one(form: &Result<Kind, u32>, source: &mut Source<'_>) -> Option<u128> {
    match form {
        Ok(kind) => kind.take_code(source),
        Err(width) => source.take(*width),
    }
}
