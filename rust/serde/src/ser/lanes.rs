//! Takes from types of ours what they hold: numbers in a row, texts in a row, or one value as it is encoded.

use std::io;

use serde::ser::{self, Impossible, Serialize};
use variant_core::wire::Lane;

use crate::error::Error;

/// Refuses a part that no type of ours is made of.
#[cold]
fn foreign<T>() -> Result<T, Error> {
    Err(ser::Error::custom("a type of Godot's holds something else than what belongs in it"))
}

/// Holds what a type of ours is made of. It names what it takes; all else is refused.
pub(super) trait PartSink {
    /// Whether there may be several, in rows.
    const ARE_ROWS: bool;

    fn number(&mut self, _: Lane, _: &[u8]) -> Result<(), Error> {
        foreign()
    }

    fn id(&mut self, _: u64) -> Result<(), Error> {
        foreign()
    }

    fn text(&mut self, _: &str) -> Result<(), Error> {
        foreign()
    }

    fn bytes(&mut self, _: &[u8]) -> Result<(), Error> {
        foreign()
    }
}

/// Collects numbers, however they are nested, as the lanes of a payload.
#[derive(Debug)]
pub(super) struct LaneWriter<'r, R> {
    lane: Lane,
    room: &'r mut R,
}

impl<'r, R: io::Write> LaneWriter<'r, R> {
    pub(super) const fn new(lane: Lane, room: &'r mut R) -> LaneWriter<'r, R> {
        LaneWriter { lane, room }
    }

    /// Returns the width of the numbers. Where there are none, reals are singles.
    pub(super) const fn lane(&self) -> Lane {
        match self.lane {
            Lane::Real => Lane::F32,
            known => known,
        }
    }
}

impl<R: io::Write> PartSink for LaneWriter<'_, R> {
    const ARE_ROWS: bool = true;

    #[inline]
    fn number(&mut self, lane: Lane, bytes: &[u8]) -> Result<(), Error> {
        if self.lane == Lane::Real && matches!(lane, Lane::F32 | Lane::F64) {
            self.lane = lane;
        }
        if self.lane == lane && self.room.write_all(bytes).is_ok() { Ok(()) } else { foreign() }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.number(Lane::U8, bytes)
    }
}

/// Collects texts: a PackedStringArray tells their number first.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
    pub(super) ends: Vec<usize>,
}

impl Texts {
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| self.all.get(*start..*end).unwrap_or_default())
    }
}

impl PartSink for Texts {
    const ARE_ROWS: bool = true;

    fn text(&mut self, text: &str) -> Result<(), Error> {
        self.all.push_str(text);
        self.ends.push(self.all.len());
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(super) enum Bytes {
    #[default]
    Nothing,
    Text(String),
    Number(u64),
    Encoded(Vec<u8>),
}

impl PartSink for Bytes {
    const ARE_ROWS: bool = false;

    fn id(&mut self, id: u64) -> Result<(), Error> {
        *self = Bytes::Number(id);
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Error> {
        *self = Bytes::Text(text.to_owned());
        Ok(())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        *self = Bytes::Encoded(bytes.to_vec());
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(super) struct Collector<P>(pub(super) P);

impl<P: PartSink> Collector<P> {
    fn row(&mut self) -> Result<&mut Self, Error> {
        if P::ARE_ROWS { Ok(self) } else { foreign() }
    }
}

macro_rules! refuse {
    ($($name:ident($($argument:ty),*) -> $answer:ty;)*) => {
        $(
            fn $name(self, $(_: $argument),*) -> Result<$answer, Error> {
                foreign()
            }
        )*
    };
}

macro_rules! numbers {
    ($($name:ident $ty:ty, $lane:ident;)*) => {
        $(
            #[inline]
            fn $name(self, value: $ty) -> Result<(), Error> {
                self.0.number(Lane::$lane, &value.to_le_bytes())
            }
        )*
    };
}

type Nothing = Impossible<(), Error>;

impl<P: PartSink> ser::Serializer for &mut Collector<P> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Nothing;
    type SerializeMap = Nothing;
    type SerializeStruct = Nothing;
    type SerializeStructVariant = Nothing;

    numbers! {
        serialize_u8 u8, U8;
        serialize_i32 i32, I32;
        serialize_i64 i64, I64;
        serialize_f32 f32, F32;
        serialize_f64 f64, F64;
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        self.0.id(value)
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.0.text(value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.0.bytes(value)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        self.row()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        self.row()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        self.row()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Error> {
        foreign()
    }

    refuse! {
        serialize_bool(bool) -> ();
        serialize_i8(i8) -> ();
        serialize_i16(i16) -> ();
        serialize_u16(u16) -> ();
        serialize_u32(u32) -> ();
        serialize_char(char) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_unit_variant(&'static str, u32, &'static str) -> ();
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Nothing;
        serialize_map(Option<usize>) -> Nothing;
        serialize_struct(&'static str, usize) -> Nothing;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Nothing;
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Rows, which are written into what holds them.
macro_rules! rows {
    ($($name:ident $element:ident,)*) => {
        $(
            impl<P: PartSink> ser::$name for &mut Collector<P> {
                type Ok = ();
                type Error = Error;

                #[inline]
                fn $element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                    value.serialize(&mut **self)
                }

                fn end(self) -> Result<(), Error> {
                    Ok(())
                }
            }
        )*
    };
}

rows! {
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
}
