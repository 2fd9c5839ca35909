//! Rows as bytes of Godot's format: their codes are taken from them, and they are made of codes.

use variant_core::token::{Lanes, Leaf, Writer, plain_bool, plain_float, plain_int};
use variant_core::wire::Lane;
use variant_core::{Target, VariantType};
use variant_schema::Width;

use super::{Place, Row};
use crate::judge::Judge;
use crate::math_types::{MOST_NUMBERS, Solid};
use crate::number_codec::{Form, Number, single_code};
use crate::rotation;
use crate::text::size;

impl Row {
    /// Takes the codes of the value at the front of these bytes; returns how many bytes it has. `None`: it lies in another
    /// way, or is none that the schema accepts.
    pub(crate) fn take(&self, bytes: &[u8], codes: &mut [u64]) -> Option<usize> {
        let rest = self.places.iter().try_fold(bytes, |rest, place| place.take(rest, codes))?;
        bytes.len().checked_sub(rest.len())
    }

    /// Appends the value of these codes. `None`: the codes are none that packing makes, or the schema does not accept it;
    /// some of it may be there then.
    pub(crate) fn make(&self, codes: &[u64], out: &mut Vec<u8>) -> Option<()> {
        out.reserve(self.most_bytes);
        for place in &self.places {
            match place {
                Place::Same(same) => out.extend_from_slice(same),
                Place::Int { at, form } => {
                    Writer::new(out, Target::default()).int(form.number(*codes.get(*at)?).int());
                }
                Place::Float { at, form, judge } => {
                    let number = form.number(*codes.get(*at)?).real();
                    judge.accepts(&Leaf::Float(number)).then_some(())?;
                    Writer::new(out, Target::default()).float(number);
                }
                Place::Solid { at, ty, solid, judge } => {
                    let codes = codes.get(*at..at.checked_add(solid.codes())?)?;
                    let start = out.len();
                    make_solid(solid, codes, |number| out.extend_from_slice(number))?;
                    let is_accepted = !judge.is_needed() || judge_solid(judge, *ty, out.get(start..)?);
                    is_accepted.then_some(())?;
                }
                Place::Bool { at } => {
                    Writer::new(out, Target::default()).leaf(&Leaf::Bool(*codes.get(*at)? == 1));
                }
                Place::Enum { at, all } => out.extend_from_slice(all.get(size(*codes.get(*at)?))?),
            }
        }
        Some(())
    }
}

impl Place {
    /// Takes the codes of what stands here; returns what follows.
    #[inline(always)]
    fn take<'b>(&self, bytes: &'b [u8], codes: &mut [u64]) -> Option<&'b [u8]> {
        match self {
            Place::Same(same) => bytes.strip_prefix(&**same),
            Place::Int { at, form } => {
                let (number, rest) = plain_int(bytes)?;
                *codes.get_mut(*at)? = form.code(Number::Int(number)).ok()?;
                Some(rest)
            }
            Place::Float { at, form, judge } => {
                let (number, rest) = plain_float(bytes)?;
                let code = form.code(Number::Real(number)).ok()?;
                *codes.get_mut(*at)? = code;
                let is_accepted = !judge.is_needed() || judge.accepts(&Leaf::Float(form.number(code).real()));
                is_accepted.then_some(rest)
            }
            Place::Solid { at, ty, solid, judge } => {
                let (numbers, rest) = bytes.split_at_checked(solid.numbers().wrapping_shl(2))?;
                let codes = codes.get_mut(*at..at.checked_add(solid.codes())?)?;
                take_solid(solid, numbers, codes)?;
                let is_accepted = !judge.is_needed() || judge_codes(judge, *ty, solid, codes)?;
                is_accepted.then_some(rest)
            }
            Place::Bool { at } => {
                let (is_so, rest) = plain_bool(bytes)?;
                *codes.get_mut(*at)? = u64::from(is_so);
                Some(rest)
            }
            Place::Enum { at, all } => {
                let mut all = (0..).zip(all);
                let (code, rest) =
                    all.find_map(|(code, value)| Some((code, bytes.strip_prefix(&**value)?)))?;
                *codes.get_mut(*at)? = code;
                Some(rest)
            }
        }
    }
}

fn singles(bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.as_chunks().0.iter().map(|number| f64::from(f32::from_le_bytes(*number)))
}

fn take_solid(solid: &Solid, numbers: &[u8], codes: &mut [u64]) -> Option<()> {
    match solid {
        Solid::Each(forms) => {
            let numbers = numbers.as_chunks().0.iter().map(|number| f32::from_le_bytes(*number));
            for ((form, number), code) in forms.iter().zip(numbers).zip(codes) {
                *code = match form {
                    Form::Grid(grid) => grid.code(f64::from(number)).ok()?,
                    Form::Raw { width: Width::Single, .. } => single_code(number),
                    form => form.code(Number::Real(f64::from(number))).ok()?,
                };
            }
        }
        Solid::Rotation(bits) => {
            let mut quaternion = [0.0; 4];
            quaternion.iter_mut().zip(singles(numbers)).for_each(|(slot, number)| *slot = number);
            codes.copy_from_slice(&rotation::from_quaternion(quaternion, *bits)?);
        }
        other => {
            let mut all = [Number::Real(0.0); MOST_NUMBERS];
            all.iter_mut().zip(singles(numbers)).for_each(|(slot, number)| *slot = Number::Real(number));
            other.take(&all, codes).ok()?;
        }
    }
    Some(())
}

#[inline(always)]
pub(super) fn make_solid(solid: &Solid, codes: &[u64], mut put: impl FnMut(&[u8; 4])) -> Option<()> {
    #[expect(clippy::cast_possible_truncation, reason = "numbers of 32 bits already")]
    let narrow = |number: f64| (number as f32).to_le_bytes();
    match solid {
        Solid::Each(forms) => {
            for (form, code) in forms.iter().zip(codes) {
                put(&match form {
                    Form::Grid(grid) => narrow(grid.number(*code)),
                    Form::Raw { width: Width::Single, .. } => u32::try_from(*code).ok()?.to_le_bytes(),
                    form => narrow(form.number(*code).real()),
                });
            }
        }
        Solid::Rotation(bits) => {
            let quaternion = rotation::to_quaternion(*codes.first_chunk()?, *bits)?;
            quaternion.iter().for_each(|number| put(&narrow(*number)));
        }
        other => {
            let numbers = other.make(codes).ok()?;
            numbers.iter().take(other.numbers()).for_each(|number| put(&narrow(number.real())));
        }
    }
    Some(())
}

fn judge_codes(judge: &Judge, ty: VariantType, solid: &Solid, codes: &[u64]) -> Option<bool> {
    let mut made = [0; MOST_NUMBERS * 4];
    let mut slots = made.as_chunks_mut().0.iter_mut();
    make_solid(solid, codes, |number| slots.by_ref().take(1).for_each(|slot| *slot = *number))?;
    Some(judge_solid(judge, ty, made.get(..solid.numbers().wrapping_shl(2))?))
}

fn judge_solid(judge: &Judge, ty: VariantType, made: &[u8]) -> bool {
    Lanes::new(made, Lane::F32).is_some_and(|lanes| judge.accepts(&Leaf::Math(ty, lanes)))
}
