//! Takes from types of ours what they hold: numbers in a row, texts in a row, or one value as it is encoded.

use serde::ser::{self, Impossible, Serialize};
use variant_core::wire::Lane;

use super::numbers::ByteSink;
use crate::error::Error;

/// Refuses a part that no type of ours is made of.
#[cold]
fn foreign<T>() -> Result<T, Error> {
    Err(ser::Error::custom("a type of Godot's holds something else than what belongs in it"))
}

/// A serializer of few things: all others are refused.
macro_rules! refuse {
    ($($name:ident($($argument:ty),*);)*) => {
        $(
            fn $name(self, $(_: $argument),*) -> Result<(), Error> {
                foreign()
            }
        )*
    };
}

macro_rules! refuse_others {
    () => {
        type SerializeTupleVariant = Impossible<(), Error>;
        type SerializeMap = Impossible<(), Error>;
        type SerializeStruct = Impossible<(), Error>;
        type SerializeStructVariant = Impossible<(), Error>;

        refuse! {
            serialize_bool(bool);
            serialize_i8(i8);
            serialize_i16(i16);
            serialize_u16(u16);
            serialize_u32(u32);
            serialize_char(char);
            serialize_none();
            serialize_unit();
            serialize_unit_struct(&'static str);
            serialize_unit_variant(&'static str, u32, &'static str);
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

        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: &T,
        ) -> Result<(), Error> {
            foreign()
        }

        fn serialize_tuple_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeTupleVariant, Error> {
            foreign()
        }

        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Error> {
            foreign()
        }

        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct, Error> {
            foreign()
        }

        fn serialize_struct_variant(
            self,
            _: &'static str,
            _: u32,
            _: &'static str,
            _: usize,
        ) -> Result<Self::SerializeStructVariant, Error> {
            foreign()
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    };
}

/// Rows, which are written into what holds them.
macro_rules! rows {
    ($ty:ty, [$($generics:tt)*]) => {
        impl<$($generics)*> ser::SerializeSeq for $ty {
            type Ok = ();
            type Error = Error;
            #[inline]
            fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(&mut **self)
            }
            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }

        impl<$($generics)*> ser::SerializeTuple for $ty {
            type Ok = ();
            type Error = Error;
            #[inline]
            fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(&mut **self)
            }
            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }

        impl<$($generics)*> ser::SerializeTupleStruct for $ty {
            type Ok = ();
            type Error = Error;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(&mut **self)
            }
            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        }
    };
}

macro_rules! take_rows {
    () => {
        type SerializeSeq = Self;
        type SerializeTuple = Self;
        type SerializeTupleStruct = Self;

        fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
            Ok(self)
        }

        fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
            Ok(self)
        }

        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
            Ok(self)
        }
    };
}

/// Collects numbers, however they are nested, as the lanes of a payload.
#[derive(Debug)]
pub(super) struct Numbers<'r, R> {
    lane: Lane,
    room: &'r mut R,
}

impl<'r, R: ByteSink> Numbers<'r, R> {
    pub(super) const fn new(lane: Lane, room: &'r mut R) -> Numbers<'r, R> {
        Numbers { lane, room }
    }

    /// Returns the width of the numbers. Where there are none, reals are singles.
    pub(super) const fn lane(&self) -> Lane {
        match self.lane {
            Lane::Real => Lane::F32,
            known => known,
        }
    }

    #[inline]
    fn put(&mut self, lane: Lane, bytes: &[u8]) -> Result<(), Error> {
        if self.lane == Lane::Real && matches!(lane, Lane::F32 | Lane::F64) {
            self.lane = lane;
        }
        if self.lane == lane && self.room.put(bytes) { Ok(()) } else { foreign() }
    }
}

impl<R: ByteSink> ser::Serializer for &mut Numbers<'_, R> {
    type Ok = ();
    type Error = Error;

    take_rows!();
    refuse_others!();

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<(), Error> {
        self.put(Lane::U8, &[value])
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<(), Error> {
        self.put(Lane::I32, &value.to_le_bytes())
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<(), Error> {
        self.put(Lane::I64, &value.to_le_bytes())
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.put(Lane::F32, &value.to_le_bytes())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.put(Lane::F64, &value.to_le_bytes())
    }

    fn serialize_u64(self, _: u64) -> Result<(), Error> {
        foreign()
    }

    fn serialize_str(self, _: &str) -> Result<(), Error> {
        foreign()
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.put(Lane::U8, value)
    }
}

rows!(&mut Numbers<'_, R>, [R: ByteSink]);

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

impl ser::Serializer for &mut Texts {
    type Ok = ();
    type Error = Error;

    take_rows!();
    refuse_others!();

    refuse! {
        serialize_u8(u8);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_bytes(&[u8]);
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        self.all.push_str(value);
        self.ends.push(self.all.len());
        Ok(())
    }
}

rows!(&mut Texts, []);

/// Takes one text, one number, or the encoding of a value.
#[derive(Debug, Default)]
pub(super) enum Bytes {
    #[default]
    Nothing,
    Text(String),
    Number(u64),
    Encoded(Vec<u8>),
}

impl ser::Serializer for &mut Bytes {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;

    refuse_others!();

    refuse! {
        serialize_u8(u8);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_f32(f32);
        serialize_f64(f64);
    }

    fn serialize_u64(self, value: u64) -> Result<(), Error> {
        *self = Bytes::Number(value);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        *self = Bytes::Text(value.to_owned());
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        *self = Bytes::Encoded(value.to_vec());
        Ok(())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        foreign()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Error> {
        foreign()
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Error> {
        foreign()
    }
}
