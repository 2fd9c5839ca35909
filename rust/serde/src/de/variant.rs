//! Finds out which variant of an enum comes: a name or a number alone, or a Dictionary of one entry under
//! its name.

use serde::de::value::{BorrowedStrDeserializer, U64Deserializer};
use serde::de::{DeserializeSeed, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor};
use variant_core::token::{Container, Leaf, Token};
use variant_core::{Pull, VariantType};

use super::Deserializer;
use crate::error::{Cause, Error};

impl<'de> Deserializer<'_, 'de> {
    pub(super) fn variant<V: Visitor<'de>>(
        &mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Some(text) = self.plain(Pull::short_text) {
            return visitor.visit_enum(UnitVariant(BorrowedStrDeserializer::new(text.as_str())));
        }
        let at = self.pull.at();
        if let Some(count) = self.plain(Pull::dictionary) {
            let read = self.tagged(count, name, visitor);
            return read.map_err(|error| error.at(at, VariantType::Dictionary));
        }
        let (at, token) = self.next()?;
        let ty = token.ty();
        let read = match token {
            Token::Leaf(Leaf::Text(_, text)) => {
                visitor.visit_enum(UnitVariant(BorrowedStrDeserializer::new(text.as_str())))
            }
            Token::Leaf(Leaf::Int(number)) => {
                numbered(number).and_then(|number| visitor.visit_enum(UnitVariant(number)))
            }
            Token::Open(Container::Dictionary { count, .. }) => self.tagged(count, name, visitor),
            other => {
                let expected =
                    format!("a variant of {name}: its name, or a Dictionary of one entry under its name");
                let got = crate::error::type_name(other.ty()).to_owned();
                Err(Error::new(Cause::WrongType { expected, got }))
            }
        };
        read.map_err(|error: Error| error.at(at, ty))
    }

    fn tagged<V: Visitor<'de>>(
        &mut self,
        count: u32,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if count != 1 {
            let expected = format!("a Dictionary of one entry for a variant of {name}");
            let got = usize::try_from(count).unwrap_or(usize::MAX);
            return Err(Error::new(Cause::WrongLength { expected, got }));
        }
        self.enter()?;
        let key_at = self.pull.at();
        let value = visitor.visit_enum(TaggedVariant(self));
        let value =
            value.map_err(|error| error.within(|| self.pull.step(key_at, VariantType::Dictionary, 0)))?;
        self.leave();
        Ok(value)
    }
}

fn numbered(number: i64) -> Result<U64Deserializer<Error>, Error> {
    let wrong = |_| Error::invalid_value(Unexpected::Signed(number), &"the number of a variant");
    u64::try_from(number).map(U64Deserializer::new).map_err(wrong)
}

/// A variant without a value, by its name or its number.
struct UnitVariant<D>(D);

impl<'de, D: serde::Deserializer<'de, Error = Error>> EnumAccess<'de> for UnitVariant<D> {
    type Error = Error;
    type Variant = NoValue;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, NoValue), Error> {
        Ok((seed.deserialize(self.0)?, NoValue))
    }
}

struct NoValue;

impl NoValue {
    fn missing<T>() -> Result<T, Error> {
        let expected = "a Dictionary of one entry, the variant's name with its value".to_owned();
        Err(Error::new(Cause::WrongValue { expected, got: "the name alone".to_owned() }))
    }
}

impl<'de> VariantAccess<'de> for NoValue {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, _: T) -> Result<T::Value, Error> {
        NoValue::missing()
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Error> {
        NoValue::missing()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], _: V) -> Result<V::Value, Error> {
        NoValue::missing()
    }
}

struct TaggedVariant<'a, 'w, 'de>(&'a mut Deserializer<'w, 'de>);

impl<'de> EnumAccess<'de> for TaggedVariant<'_, '_, 'de> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Error> {
        let at = self.0.pull.at();
        if let Some(name) = self.0.plain(Pull::short_text) {
            let variant = seed.deserialize(BorrowedStrDeserializer::new(name.as_str()));
            return Ok((variant.map_err(|error: Error| error.at_byte(at))?, self));
        }
        let (at, token) = self.0.next()?;
        let variant = match token {
            Token::Leaf(Leaf::Text(_, text)) => seed.deserialize(BorrowedStrDeserializer::new(text.as_str())),
            Token::Leaf(Leaf::Int(number)) => numbered(number).and_then(|number| seed.deserialize(number)),
            other => {
                let expected = "the name of a variant".to_owned();
                let got = crate::error::type_name(other.ty()).to_owned();
                return Err(Error::new(Cause::WrongType { expected, got }).at_byte(at));
            }
        };
        Ok((variant.map_err(|error| error.at(at, token.ty()))?, self))
    }
}

impl<'de> VariantAccess<'de> for TaggedVariant<'_, '_, 'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        let (at, token) = self.0.next()?;
        if token.ty() == VariantType::Nil {
            return Ok(());
        }
        let got = crate::error::type_name(token.ty()).to_owned();
        let expected = "null, as the variant has no value".to_owned();
        Err(Error::new(Cause::WrongType { expected, got }).at_byte(at))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        serde::Deserializer::deserialize_seq(self.0, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        serde::Deserializer::deserialize_struct(self.0, "", names, visitor)
    }
}
