//! Reads the numbers of vectors, matrices, colors and packed arrays, as the bytes of their payload.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use variant_core::token::Lanes;
use variant_core::wire::{Lane, Layout, RealWidth};
use variant_core::{Value, VariantType};

use super::AnySeed;
use super::tagged::wrong;
use crate::hex::from_hex;
use crate::number::{narrowed, special_double, special_single};

/// Describes the payload of a type: its kind of numbers, and how many.
#[derive(Clone, Copy)]
pub(super) struct NumberLayout {
    ty: VariantType,
    lane: Lane,
}

impl NumberLayout {
    /// Describes a type, or returns `None` for a type without numbers, and for doubles where none can be.
    pub(super) fn of(ty: VariantType, reals: RealWidth) -> Option<NumberLayout> {
        let (Layout::Math(lane, _) | Layout::Packed(lane, _)) = ty.layout() else { return None };
        let lane = match (lane, reals) {
            (Lane::Real, RealWidth::Single) => Lane::F32,
            (Lane::Real, RealWidth::Double) => Lane::F64,
            (_, RealWidth::Double) => return None,
            (other, RealWidth::Single) => other,
        };
        Some(NumberLayout { ty, lane })
    }

    fn value<E: de::Error>(self, payload: &[u8]) -> Result<Value, E> {
        let value = Lanes::new(payload, self.lane).and_then(|lanes| Value::of_numbers(self.ty, &lanes));
        value.map_or_else(|| wrong("as many numbers as the type has"), Ok)
    }
}

impl<'de> Visitor<'de> for NumberLayout {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.lane == Lane::U8 { "hexadecimal digits" } else { "a list of numbers" })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        match from_hex(text) {
            Some(bytes) if self.lane == Lane::U8 => self.value(&bytes),
            _ => Err(E::invalid_value(de::Unexpected::Other("text"), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Value, A::Error> {
        let mut payload = Vec::new();
        while let Some(()) =
            numbers.next_element_seed(AnySeed(OneNumber { lane: self.lane, payload: &mut payload }))?
        {
        }
        self.value(&payload)
    }
}

struct OneNumber<'p> {
    lane: Lane,
    payload: &'p mut Vec<u8>,
}

impl<'de> Visitor<'de> for OneNumber<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.lane {
            Lane::F32 | Lane::F64 => "a number, nan, inf or -inf",
            Lane::I64 => "a whole number of 64 bits",
            Lane::U8 => "a byte",
            _ => "a whole number of 32 bits",
        })
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<(), E> {
        match self.lane {
            Lane::I64 => self.payload.extend(number.to_le_bytes()),
            Lane::F32 | Lane::F64 => return self.visit_f64(number as f64),
            Lane::U8 => match u8::try_from(number) {
                Ok(byte) => self.payload.push(byte),
                Err(_) => return Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
            },
            _ => match i32::try_from(number) {
                Ok(narrow) => self.payload.extend(narrow.to_le_bytes()),
                Err(_) => return Err(E::invalid_value(de::Unexpected::Signed(number), &self)),
            },
        }
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<(), E> {
        match i64::try_from(number) {
            Ok(number) => self.visit_i64(number),
            Err(_) => Err(E::invalid_value(de::Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<(), E> {
        match self.lane {
            Lane::F32 => self.payload.extend(narrowed(number).to_le_bytes()),
            Lane::F64 => self.payload.extend(number.to_le_bytes()),
            _ => return Err(E::invalid_value(de::Unexpected::Float(number), &self)),
        }
        Ok(())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<(), E> {
        let bytes = match self.lane {
            Lane::F32 => special_single(text).map(|number| number.to_le_bytes().to_vec()),
            Lane::F64 => special_double(text).map(|number| number.to_le_bytes().to_vec()),
            Lane::I64 => text.parse::<i64>().ok().map(|number| number.to_le_bytes().to_vec()),
            _ => None,
        };
        let Some(bytes) = bytes else { return Err(E::invalid_value(de::Unexpected::Other("text"), &self)) };
        self.payload.extend(bytes);
        Ok(())
    }
}
