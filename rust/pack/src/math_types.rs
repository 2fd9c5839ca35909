//! Packs values of a fixed count of numbers: vectors, rects, rotations, transforms.

use variant_core::ErrorKind;

use crate::number_codec::{Form, Number};
use crate::rotation;

/// The most numbers of a value: those of a Projection.
pub(crate) const MOST_NUMBERS: usize = 16;
pub(crate) type Numbers = [Number; MOST_NUMBERS];

/// How a value of several numbers is packed; numbers are bits.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "docs/PACKED_FORMAT.md describes each")]
pub enum Solid {
    /// Each number by itself.
    Each(Vec<Form>),
    /// A Vector3 of length 1.
    Direction(u32),
    /// A Vector2 of length 1.
    Flat(u32),
    Rotation(u32),
    /// A Transform3D without scale: the three forms of its origin, and the bits of its rotation.
    Rigid([Form; 3], u32),
}

impl Solid {
    pub(crate) const fn numbers(&self) -> usize {
        match self {
            Solid::Each(forms) => forms.len(),
            Solid::Direction(_) => 3,
            Solid::Flat(_) => 2,
            Solid::Rotation(_) => 4,
            Solid::Rigid(..) => 12,
        }
    }

    pub(crate) const fn codes(&self) -> usize {
        match self {
            Solid::Each(forms) => forms.len(),
            Solid::Direction(_) | Solid::Flat(_) => 2,
            Solid::Rotation(_) => 4,
            Solid::Rigid(..) => 7,
        }
    }

    /// Puts the codes of these numbers into their places.
    pub(crate) fn take(&self, numbers: &Numbers, codes: &mut [u64]) -> Result<(), ErrorKind> {
        let real = |at: usize| numbers.get(at).map_or(0.0, |number| number.real());
        let unit = ErrorKind::NotNormalized;
        match self {
            Solid::Each(forms) => {
                for ((form, number), code) in forms.iter().zip(numbers).zip(codes) {
                    *code = form.code(*number)?;
                }
            }
            Solid::Direction(bits) => {
                put(codes, &rotation::from_direction([0, 1, 2].map(real), *bits).ok_or(unit)?);
            }
            Solid::Flat(bits) => put(codes, &rotation::from_flat([0, 1].map(real), *bits).ok_or(unit)?),
            Solid::Rotation(bits) => {
                put(codes, &rotation::from_quaternion([0, 1, 2, 3].map(real), *bits).ok_or(unit)?);
            }
            Solid::Rigid(origin, bits) => {
                let basis = rotation::of_basis(&[0, 1, 2, 3, 4, 5, 6, 7, 8].map(real)).ok_or(unit)?;
                let (places, turn) = codes.split_at_mut_checked(3).ok_or(unit)?;
                for ((form, at), code) in origin.iter().zip([9, 10, 11]).zip(places) {
                    *code = form.code(Number::Real(real(at)))?;
                }
                put(turn, &rotation::from_quaternion(basis, *bits).ok_or(unit)?);
            }
        }
        Ok(())
    }

    /// The numbers of codes, which are as many as there have to be.
    pub(crate) fn make(&self, codes: &[u64]) -> Result<Numbers, ErrorKind> {
        let mut numbers = [Number::Real(0.0); MOST_NUMBERS];
        let code = |at: usize| codes.get(at).copied().unwrap_or(0);
        let mut put = |from: usize, made: &[f64]| {
            for (slot, number) in numbers.iter_mut().skip(from).zip(made) {
                *slot = Number::Real(*number);
            }
        };
        let none = ErrorKind::NotCanonical;
        match self {
            Solid::Each(forms) => {
                for ((slot, form), code) in numbers.iter_mut().zip(forms).zip(codes) {
                    *slot = form.number(*code);
                }
            }
            Solid::Direction(bits) => put(0, &rotation::to_direction([0, 1].map(code), *bits).ok_or(none)?),
            Solid::Flat(bits) => put(0, &rotation::to_flat([0, 1].map(code), *bits).ok_or(none)?),
            Solid::Rotation(bits) => {
                put(0, &rotation::to_quaternion([0, 1, 2, 3].map(code), *bits).ok_or(none)?);
            }
            Solid::Rigid(origin, bits) => {
                let codes = [3, 4, 5, 6].map(code);
                let basis = rotation::to_basis(rotation::to_quaternion(codes, *bits).ok_or(none)?);
                let again =
                    rotation::of_basis(&basis).and_then(|basis| rotation::from_quaternion(basis, *bits));
                if again != Some(codes) {
                    return Err(none);
                }
                put(0, &basis);
                for (at, form) in origin.iter().enumerate() {
                    put(at.saturating_add(9), &[form.number(code(at)).real()]);
                }
            }
        }
        Ok(numbers)
    }

    /// The form of each code: those of rotations are widths.
    #[inline]
    pub(crate) fn part(&self, at: usize) -> CodeForm<'_> {
        match self {
            Solid::Each(forms) => forms.get(at).map_or(CodeForm::Bits(0), CodeForm::Form),
            Solid::Direction(bits) => CodeForm::Bits(*bits),
            Solid::Flat(bits) => CodeForm::Bits(if at == 0 { *bits } else { 1 }),
            Solid::Rotation(bits) => CodeForm::Bits(if at == 0 { 2 } else { *bits }),
            Solid::Rigid(origin, bits) => match (origin.get(at), at) {
                (Some(form), _) => CodeForm::Form(form),
                (None, 3) => CodeForm::Bits(2),
                (None, _) => CodeForm::Bits(*bits),
            },
        }
    }

    /// The width of a code that a delta may say as a difference.
    pub(crate) fn relative(&self, at: usize) -> Option<u32> {
        match (self, self.part(at)) {
            (_, CodeForm::Form(form)) => form.relative(),
            (Solid::Rotation(_) | Solid::Rigid(..), CodeForm::Bits(width)) if at != self.turn_at() => {
                Some(width)
            }
            _ => None,
        }
    }

    /// Where the code stands that says which number of a rotation is the largest.
    pub(crate) const fn turn_at(&self) -> usize {
        match self {
            Solid::Rotation(_) => 0,
            Solid::Rigid(..) => 3,
            _ => usize::MAX,
        }
    }

    /// The least and the most bits.
    pub(crate) fn bits(&self) -> (u64, u64) {
        let all = (0..self.codes()).map(|at| match self.part(at) {
            CodeForm::Form(form) => form.bits(),
            CodeForm::Bits(width) => (u64::from(width), u64::from(width)),
        });
        all.fold((0, 0), |(least, most), (a, b)| (least.saturating_add(a), most.saturating_add(b)))
    }
}

pub(crate) enum CodeForm<'s> {
    Form(&'s Form),
    Bits(u32),
}

impl CodeForm<'_> {
    /// Whether a code is one that packing makes, of a number alone.
    pub(crate) fn check(&self, code: u64) -> Result<(), ErrorKind> {
        match self {
            CodeForm::Form(form) => form.is_code(code),
            CodeForm::Bits(width) if code.checked_shr(*width).unwrap_or(0) > 0 => Err(ErrorKind::OutOfRange),
            CodeForm::Bits(_) => Ok(()),
        }
    }
}

fn put(slots: &mut [u64], codes: &[u64]) {
    slots.iter_mut().zip(codes).for_each(|(slot, code)| *slot = *code);
}
