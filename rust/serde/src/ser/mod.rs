//! Writes a type of the user's as a Variant, token by token into the core's encoder.

mod compound;
mod lanes;
mod own;

use serde::ser::Serialize;
use variant_core::token::{Container, ContainerType, Lanes, Leaf, Text};
use variant_core::wire::Lane;
use variant_core::{Encoder, ErrorKind, Fault, Limits, Step, Target, VariantType};

use crate::error::{Cause, Error};
use crate::mark::Mark;
pub use compound::Compound;

/// How an enum's variant without a value is written. Both are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Variants {
    /// As a String, its name.
    #[default]
    Names,
    /// As an int, its place in the enum from 0, as GDScript's enums are.
    Numbers,
}

/// Says how a value is written, for whom, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Writing {
    /// Bounds on depth and bytes.
    pub limits: Limits,
    /// The engine that is to read it: a type that it does not know is refused.
    pub target: Target,
    /// How variants of enums are written.
    pub variants: Variants,
}

impl Default for Writing {
    /// For Godot 4, as deep and as large as the engine writes.
    fn default() -> Writing {
        Writing { limits: Limits::engine(), target: Target::default(), variants: Variants::Names }
    }
}

/// Types that a container will declare, of its keys and its elements.
#[derive(Clone, Copy, Debug, Default)]
struct DeclaredTypes {
    key: Option<VariantType>,
    item: Option<VariantType>,
}

/// Writes one value, appended to a buffer. The part that was written stays there when it fails.
#[derive(Debug)]
pub struct Serializer<'o> {
    encoder: Encoder<'o>,
    variants: Variants,
    declared: DeclaredTypes,
    text: VariantType,
    /// Numbers of a packed array on their way.
    numbers: Vec<u8>,
}

impl<'o> Serializer<'o> {
    /// Appends to `output`.
    #[must_use]
    pub fn new(output: &'o mut Vec<u8>, writing: &Writing) -> Serializer<'o> {
        let encoder = Encoder::new(output, &writing.limits).for_target(writing.target);
        let (variants, declared) = (writing.variants, DeclaredTypes::default());
        Serializer { encoder, variants, declared, text: VariantType::String, numbers: Vec::new() }
    }

    /// Ends the value. How many bytes it has.
    ///
    /// # Errors
    /// `OutputTooLarge`: the last of it may have passed the limit.
    pub fn finish(self) -> Result<u64, Error> {
        self.encoder.finish().map_err(refused)
    }

    #[inline]
    fn leaf(&mut self, leaf: &Leaf<'_>) -> Result<(), Error> {
        self.encoder.leaf(leaf).map_err(refused)
    }

    #[inline]
    fn int(&mut self, value: Option<i64>) -> Result<(), Error> {
        match value {
            Some(value) => self.leaf(&Leaf::Int(value)),
            None => Err(self.fault(Cause::IntTooLarge)),
        }
    }

    #[cold]
    fn fault(&self, kind: Cause) -> Error {
        Error::new(kind).at_byte(self.encoder.at())
    }

    /// Text that a reader gets back as it is: Godot cuts at a NUL and drops a byte order mark, without a
    /// word.
    #[inline]
    fn text<'t>(&self, text: &'t str) -> Result<Text<'t>, Error> {
        let read = Text::new(text);
        let fault = |kind| self.fault(Cause::Format(kind));
        if read.as_bytes().len() != text.len() {
            return Err(fault(ErrorKind::EmbeddedNul));
        }
        if text.starts_with('\u{FEFF}') {
            return Err(fault(ErrorKind::LeadingBom));
        }
        Ok(read)
    }

    /// Writes a text. Inlined, since the compiler makes the bytes of one that it knows: the name of a field.
    #[inline(always)]
    fn string(&mut self, ty: VariantType, text: &str) -> Result<(), Error> {
        if self.encoder.short_text(ty, text) { Ok(()) } else { self.long_string(ty, text) }
    }

    #[inline(never)]
    fn long_string(&mut self, ty: VariantType, text: &str) -> Result<(), Error> {
        let text = self.text(text)?;
        self.leaf(&Leaf::Text(ty, text))
    }

    /// A count as the format has it; one that is not known yet is written over at the end.
    #[inline]
    fn count(&self, count: Option<usize>) -> Result<u32, Error> {
        let told = i32::try_from(count.unwrap_or(0));
        told.map(i32::cast_unsigned).map_err(|_| self.fault(Cause::Format(ErrorKind::TooLong)))
    }

    #[inline]
    fn open_array(&mut self, length: Option<usize>) -> Result<(), Error> {
        let element = declared(std::mem::take(&mut self.declared).item);
        let container = Container::Array { element, count: self.count(length)? };
        self.encoder.open(&container).map_err(refused)
    }

    #[inline]
    fn open_dictionary(&mut self, length: Option<usize>) -> Result<(), Error> {
        let types = std::mem::take(&mut self.declared);
        let (key, value) = (declared(types.key), declared(types.item));
        let container = Container::Dictionary { key, value, count: self.count(length)? };
        self.encoder.open(&container).map_err(refused)
    }

    fn array<'s>(&'s mut self, length: Option<usize>) -> Result<Compound<'s, 'o>, Error> {
        self.open_array(length)?;
        Ok(Compound::new(self, length, None))
    }

    #[inline]
    fn dictionary<'s>(&'s mut self, length: Option<usize>) -> Result<Compound<'s, 'o>, Error> {
        self.open_dictionary(length)?;
        Ok(Compound::new(self, length, None))
    }

    /// A variant's value in a Dictionary of one entry under its name.
    fn tagged<T>(
        &mut self,
        variant: &'static str,
        write: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.open_dictionary(Some(1))?;
        self.string(VariantType::String, variant)?;
        write(self).map_err(|error| error.within(|| Step::Key(variant.to_owned())))
    }
}

const fn declared(ty: Option<VariantType>) -> ContainerType<'static> {
    match ty {
        Some(ty) => ContainerType::Builtin(ty),
        None => ContainerType::None,
    }
}

#[cold]
fn refused(fault: Fault) -> Error {
    Error::new(Cause::Format(fault.kind)).at_byte(fault.at)
}

macro_rules! ints {
    ($($name:ident $ty:ty,)*) => {
        $(
            #[inline]
            fn $name(self, value: $ty) -> Result<(), Error> {
                self.int(i64::try_from(value).ok())
            }
        )*
    };
}

impl<'s, 'o> serde::Serializer for &'s mut Serializer<'o> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, 'o>;
    type SerializeTuple = Compound<'s, 'o>;
    type SerializeTupleStruct = Compound<'s, 'o>;
    type SerializeTupleVariant = Compound<'s, 'o>;
    type SerializeMap = Compound<'s, 'o>;
    type SerializeStruct = Compound<'s, 'o>;
    type SerializeStructVariant = Compound<'s, 'o>;

    ints! {
        serialize_i8 i8,
        serialize_i16 i16,
        serialize_i32 i32,
        serialize_i64 i64,
        serialize_i128 i128,
        serialize_u8 u8,
        serialize_u16 u16,
        serialize_u32 u32,
        serialize_u64 u64,
        serialize_u128 u128,
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.leaf(&Leaf::Bool(value))
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.leaf(&Leaf::Float(f64::from(value)))
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.leaf(&Leaf::Float(value))
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Error> {
        let ty = std::mem::replace(&mut self.text, VariantType::String);
        self.string(ty, value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        match Lanes::new(value, Lane::U8) {
            Some(lanes) => self.leaf(&Leaf::Packed(VariantType::PackedByteArray, lanes)),
            None => Err(self.fault(Cause::Format(ErrorKind::Refused))),
        }
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.leaf(&Leaf::Nil)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.leaf(&Leaf::Nil)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.leaf(&Leaf::Nil)
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, variant: &'static str) -> Result<(), Error> {
        match self.variants {
            Variants::Names => self.string(VariantType::String, variant),
            Variants::Numbers => self.leaf(&Leaf::Int(index.into())),
        }
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        match Mark::of(name) {
            None => value.serialize(self),
            Some(mark) => self.own(mark, value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        self.tagged(variant, |this| value.serialize(&mut *this))?;
        self.encoder.close();
        Ok(())
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Compound<'s, 'o>, Error> {
        self.array(length)
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'s, 'o>, Error> {
        self.array(Some(length))
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Compound<'s, 'o>, Error> {
        self.array(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'s, 'o>, Error> {
        self.tagged(variant, |this| this.open_array(Some(length)))?;
        Ok(Compound::new(self, Some(length), Some(variant)))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Compound<'s, 'o>, Error> {
        self.dictionary(length)
    }

    #[inline]
    fn serialize_struct(self, _: &'static str, length: usize) -> Result<Compound<'s, 'o>, Error> {
        self.dictionary(Some(length))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Compound<'s, 'o>, Error> {
        self.tagged(variant, |this| this.open_dictionary(Some(length)))?;
        Ok(Compound::new(self, Some(length), Some(variant)))
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
