//! Reads the value under a tag, in the form of its type.

use serde::de::{self, DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use variant_core::wire::RealWidth;
use variant_core::{Array, Dictionary, ElementType, Signal, Value, VariantType};

use super::numbers::NumberLayout;
use super::parts::{self, ObjectParts, PathParts};
use super::{EntryReader, Seed};
use crate::json::tag::JsonTag;
use crate::number::special_double;

/// Reads the value under this tag.
pub(super) struct TaggedReader<'l> {
    pub(super) tag: JsonTag,
    pub(super) seed: Seed<'l>,
}

impl<'de> DeserializeSeed<'de> for TaggedReader<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        let seed = self.seed;
        let (ty, reals) = match self.tag {
            JsonTag::Array(element) => return reader.deserialize_any(ItemReader { seed, element }),
            JsonTag::Dictionary(key, value) => {
                let dictionary = Dictionary { key, value, entries: Vec::new() };
                return reader.deserialize_any(EntryReader { seed, dictionary });
            }
            JsonTag::Plain(ty, reals) => (ty, reals),
        };
        match NumberLayout::of(ty, reals) {
            Some(numbers) => reader.deserialize_any(numbers),
            None if reals == RealWidth::Double => {
                Err(D::Error::custom("only a type of real numbers has :64"))
            }
            None => other(ty, seed, reader),
        }
    }
}

/// Reads types that are no numbers. Those with a JSON form of their own have no tag.
fn other<'de, D: Deserializer<'de>>(ty: VariantType, seed: Seed<'_>, reader: D) -> Result<Value, D::Error> {
    match ty {
        VariantType::Int => parts::number(&String::deserialize(reader)?).map(Value::Int),
        VariantType::Float => {
            let text = String::deserialize(reader)?;
            let number = || text.parse().ok().filter(|number: &f64| number.is_finite());
            special_double(&text)
                .or_else(number)
                .map(Value::Float)
                .ok_or_else(|| D::Error::custom("expected a number, nan, inf, -inf or nan: with its bits"))
        }
        VariantType::StringName => parts::text(String::deserialize(reader)?).map(Value::StringName),
        VariantType::NodePath => {
            reader.deserialize_any(PathParts).map(|path| Value::NodePath(Box::new(path)))
        }
        VariantType::Rid => parts::number(&String::deserialize(reader)?).map(Value::Rid),
        VariantType::Object => reader.deserialize_any(ObjectParts(seed)),
        VariantType::Callable => <()>::deserialize(reader).map(|()| Value::Callable),
        VariantType::Signal => {
            let (name, object_id) = <(String, String)>::deserialize(reader)?;
            let signal = Signal { name: parts::text(name)?, object_id: parts::number(&object_id)? };
            Ok(Value::Signal(Box::new(signal)))
        }
        VariantType::PackedStringArray => {
            let strings = Vec::<String>::deserialize(reader)?.into_iter().map(parts::text);
            strings.collect::<Result<_, _>>().map(Value::PackedStringArray)
        }
        VariantType::Dictionary => Err(D::Error::custom(
            "a Dictionary has no tag: {\"key\": 1}, or {\"$entries\": [[key, 1]]} where keys are no texts",
        )),
        _ => Err(D::Error::custom(format_args!("{ty} is written without a tag"))),
    }
}

struct ItemReader<'l> {
    seed: Seed<'l>,
    element: ElementType,
}

impl<'de> Visitor<'de> for ItemReader<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Value, A::Error> {
        let items = self.seed.items(items)?;
        Ok(Array { element: self.element, items }.into())
    }
}

/// Makes the error of a form that is not the one its tag wants.
pub(super) fn wrong<T, E: de::Error>(expected: &str) -> Result<T, E> {
    Err(E::custom(format_args!("expected {expected}")))
}
