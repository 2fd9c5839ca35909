//! Marks types of ours for our own serializer. They are newtypes of a name that nobody else has; other
//! formats of serde see plain numbers, texts and lists.

use std::fmt::{self, Display};
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, SeqAccess, Unexpected, Visitor};
use variant_core::VariantType;

const PREFIX: &str = "variant-serde ";

/// Names the type that a newtype of ours stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Own(VariantType),
    /// An Array that declares its elements.
    Element(VariantType),
    /// A Dictionary that declares its keys. Within stands the mark of its values.
    Key(VariantType),
    Value(VariantType),
    /// A value of any type, as the bytes of it.
    Any,
}

pub(crate) const ANY: &str = "variant-serde *";

macro_rules! names {
    ($letter:literal, $($id:literal)*) => {
        [$(concat!("variant-serde ", $letter, $id)),*]
    };
}

macro_rules! table {
    ($letter:literal) => {
        names!($letter, "00" "01" "02" "03" "04" "05" "06" "07" "08" "09" "10" "11" "12" "13" "14" "15" "16" "17"
            "18" "19" "20" "21" "22" "23" "24" "25" "26" "27" "28" "29" "30" "31" "32" "33" "34" "35" "36" "37" "38")
    };
}

static OWN: [&str; 39] = table!("o");
static ELEMENT: [&str; 39] = table!("e");
static KEY: [&str; 39] = table!("k");
static VALUE: [&str; 39] = table!("v");

impl Mark {
    pub(crate) fn name(self) -> &'static str {
        let (table, ty) = match self {
            Mark::Own(ty) => (&OWN, ty),
            Mark::Element(ty) => (&ELEMENT, ty),
            Mark::Key(ty) => (&KEY, ty),
            Mark::Value(ty) => (&VALUE, ty),
            Mark::Any => return ANY,
        };
        table.get(usize::from(ty.id())).copied().unwrap_or(ANY)
    }

    #[inline]
    pub(crate) fn of(name: &str) -> Option<Mark> {
        let rest = name.strip_prefix(PREFIX)?;
        let [letter, digits @ ..] = rest.as_bytes() else { return None };
        if *letter == b'*' {
            return Some(Mark::Any);
        }
        let [tens, ones] = digits else { return None };
        let id = tens.wrapping_sub(b'0').wrapping_mul(10).wrapping_add(ones.wrapping_sub(b'0'));
        let ty = VariantType::from_id(id)?;
        match letter {
            b'o' => Some(Mark::Own(ty)),
            b'e' => Some(Mark::Element(ty)),
            b'k' => Some(Mark::Key(ty)),
            b'v' => Some(Mark::Value(ty)),
            _ => None,
        }
    }
}

/// Reads what stands behind a mark; messages name it as `expected`.
#[inline(always)]
pub(crate) fn read<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    mark: Mark,
    expected: impl Display,
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_newtype_struct(mark.name(), Inner { mark, expected, ty: PhantomData })
}

struct Inner<T, E> {
    mark: Mark,
    expected: E,
    ty: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, E: Display> Inner<T, E> {
    /// Reads a value that is no newtype: a part of another value, or what one of serde's own deserializers holds.
    fn bare<D: Deserializer<'de>>(self, deserializer: D, got: Unexpected<'_>) -> Result<T, D::Error> {
        let is_of_type = match self.mark {
            Mark::Own(VariantType::StringName) => matches!(got, Unexpected::Str(_)),
            Mark::Own(VariantType::Rid) => matches!(got, Unexpected::Unsigned(_)),
            Mark::Own(_) => got == Unexpected::Seq,
            _ => false,
        };
        if is_of_type { T::deserialize(deserializer) } else { Err(D::Error::invalid_type(got, &self)) }
    }
}

impl<'de, T: Deserialize<'de>, E: Display> Visitor<'de> for Inner<T, E> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expected.fmt(f)
    }

    #[inline(always)]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }

    fn visit_str<F: Error>(self, text: &str) -> Result<T, F> {
        self.bare(text.into_deserializer(), Unexpected::Str(text))
    }

    fn visit_u64<F: Error>(self, number: u64) -> Result<T, F> {
        self.bare(number.into_deserializer(), Unexpected::Unsigned(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<T, A::Error> {
        self.bare(SeqAccessDeserializer::new(items), Unexpected::Seq)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_found_by_its_name() {
        for ty in VariantType::ALL.iter().copied() {
            for mark in [Mark::Own(ty), Mark::Element(ty), Mark::Key(ty), Mark::Value(ty), Mark::Any] {
                assert_eq!(Mark::of(mark.name()), Some(mark));
            }
        }
        for name in
            ["", "Player", "variant-serde ", "variant-serde o", "variant-serde o39", "variant-serde x01"]
        {
            assert_eq!(Mark::of(name), None, "{name}");
        }
    }
}
