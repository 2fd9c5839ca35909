//! Gives serde the numbers of a vector, a matrix or a packed array, one after another, or in groups of some.

use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use variant_core::Step;
use variant_core::token::Lanes;
use variant_core::wire::Lane;

use crate::error::{Cause, Error};

#[derive(Clone, Copy, Debug)]
pub(crate) struct LaneReader<'de> {
    rest: &'de [u8],
    lane: Lane,
    /// Bytes of one element.
    step: usize,
    /// Elements there were.
    count: usize,
}

impl<'de> LaneReader<'de> {
    #[inline(always)]
    pub(crate) fn of(lanes: Lanes<'de>) -> LaneReader<'de> {
        LaneReader::in_groups(lanes, 1)
    }

    #[inline(always)]
    pub(crate) fn in_groups(lanes: Lanes<'de>, group: u8) -> LaneReader<'de> {
        let step = lanes.lane().size().saturating_mul(group.into());
        let rest = lanes.bytes();
        LaneReader { rest, lane: lanes.lane(), step, count: rest.len().checked_div(step).unwrap_or(0) }
    }

    fn left(&self) -> usize {
        self.rest.len().checked_div(self.step).unwrap_or(0)
    }

    pub(crate) fn is_over(&self) -> Result<(), Error> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let read = self.count.saturating_sub(self.left());
        Err(Error::new(Cause::WrongLength { expected: format!("{read} elements"), got: self.count }))
    }

    /// Says that an error is one of the element that was read last.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        let at = self.count.saturating_sub(self.left()).saturating_sub(1);
        error.within(|| Step::Index(u64::try_from(at).unwrap_or(u64::MAX)))
    }
}

impl<'de> SeqAccess<'de> for LaneReader<'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some((bytes, rest)) = self.rest.split_at_checked(self.step) else { return Ok(None) };
        if bytes.is_empty() {
            return Ok(None);
        }
        self.rest = rest;
        let value = if self.step == self.lane.size() {
            seed.deserialize(LaneNumber { bytes, lane: self.lane })
        } else {
            let step = self.lane.size();
            let count = bytes.len().checked_div(step).unwrap_or(0);
            seed.deserialize(Group(LaneReader { rest: bytes, lane: self.lane, step, count }))
        };
        value.map(Some).map_err(|error| self.placed(error))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left())
    }
}

pub(crate) struct Group<'de>(pub(crate) LaneReader<'de>);

impl<'de> Deserializer<'de> for Group<'de> {
    type Error = Error;

    #[inline(always)]
    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Error> {
        let value = if self.0.lane == Lane::F32 && self.0.step == SINGLE {
            visitor.visit_seq(SinglePrecision(&mut self.0))?
        } else {
            visitor.visit_seq(&mut self.0)?
        };
        self.0.is_over()?;
        Ok(value)
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    /// A type of ours within another one, of whose numbers it is made.
    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        seq tuple_struct map struct enum identifier ignored_any
    }
}

/// Bytes of a number in single precision.
const SINGLE: usize = 4;

/// Numbers in single precision that are left: most vectors, in half the instructions of a [`LaneReader`], which asks for the width of
/// each.
struct SinglePrecision<'r, 'de>(&'r mut LaneReader<'de>);

impl<'de> SeqAccess<'de> for SinglePrecision<'_, 'de> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some((bytes, rest)) = self.0.rest.split_first_chunk::<SINGLE>() else { return Ok(None) };
        self.0.rest = rest;
        let value = seed.deserialize(LaneNumber { bytes, lane: Lane::F32 });
        value.map(Some).map_err(|error| self.0.placed(error))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

struct LaneNumber<'de> {
    bytes: &'de [u8],
    lane: Lane,
}

impl LaneNumber<'_> {
    #[inline]
    fn array<const N: usize>(&self) -> [u8; N] {
        self.bytes.first_chunk().copied().unwrap_or([0; N])
    }
}

impl<'de> Deserializer<'de> for LaneNumber<'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.lane {
            Lane::U8 => visitor.visit_u8(u8::from_le_bytes(self.array())),
            Lane::I32 => visitor.visit_i32(i32::from_le_bytes(self.array())),
            Lane::I64 => visitor.visit_i64(i64::from_le_bytes(self.array())),
            Lane::F64 => visitor.visit_f64(f64::from_le_bytes(self.array())),
            Lane::F32 | Lane::Real => visitor.visit_f32(f32::from_le_bytes(self.array())),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
