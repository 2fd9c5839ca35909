//! Gives serde the children of a container, one after another. Each error is told by the way to the child
//! that it is in.

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor, value::BorrowedStrDeserializer};
use serde::forward_to_deserialize_any;
use variant_core::token::{Leaf, TextForm, Token};
use variant_core::{Pull, Step, VariantType};

use super::{Deserializer, Hint};
use crate::error::{Cause, Error};

/// The children of a container: elements of an Array, or entries of a Dictionary under keys of any type.
pub(super) struct ChildReader<'a, 'w, 'de> {
    from: &'a mut Deserializer<'w, 'de>,
    count: u32,
    left: u32,
    /// How many of them memory may be asked for.
    hint: usize,
    /// Where the key begins that was read last.
    key_at: u64,
}

impl<'a, 'w, 'de> ChildReader<'a, 'w, 'de> {
    #[inline]
    pub(super) fn new(from: &'a mut Deserializer<'w, 'de>, count: u32) -> Self {
        let hint = from.pull.reserve(count);
        ChildReader { from, count, left: count, hint, key_at: 0 }
    }

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let at = self.count.saturating_sub(self.left);
        self.left = self.left.checked_sub(1)?;
        Some(at)
    }

    const fn last(&self) -> u32 {
        self.count.saturating_sub(self.left).saturating_sub(1)
    }

    /// Refuses a container of which children are left that nobody asked for.
    pub(super) fn are_over(&self) -> Result<(), Error> {
        if self.left == 0 {
            return Ok(());
        }
        let read = self.count.saturating_sub(self.left);
        let got = usize::try_from(self.count).unwrap_or(usize::MAX);
        Err(Error::new(Cause::WrongLength { expected: format!("{read} elements"), got }))
    }
}

impl<'de> SeqAccess<'de> for ChildReader<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(at) = self.next() else { return Ok(None) };
        let begin = self.from.pull.at();
        let value = seed.deserialize(&mut *self.from).map(Some);
        value.map_err(|error| error.at_byte(begin).within(|| Step::Index(at.into())))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint)
    }
}

impl<'de> MapAccess<'de> for ChildReader<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(at) = self.next() else { return Ok(None) };
        self.key_at = self.from.pull.at();
        let was_key = std::mem::replace(&mut self.from.is_key, true);
        let key = seed.deserialize(&mut *self.from).map(Some);
        self.from.is_key = was_key;
        key.map_err(|error| error.at_byte(self.key_at).within(|| Step::KeyOf(at.into())))
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let (at, begin) = (self.last(), self.from.pull.at());
        let value = seed.deserialize(&mut *self.from);
        let step = || self.from.pull.step(self.key_at, VariantType::Dictionary, at.into());
        value.map_err(|error| error.at_byte(begin).within(step))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint)
    }
}

/// A Dictionary's entries for a struct, or the properties of an object.
pub(super) struct StructReader<'a, 'w, 'de> {
    pub(super) children: ChildReader<'a, 'w, 'de>,
    names: Option<&'static [&'static str]>,
    next: usize,
}

impl<'a, 'w, 'de> StructReader<'a, 'w, 'de> {
    pub(super) const fn new(
        from: &'a mut Deserializer<'w, 'de>,
        count: u32,
        names: Option<&'static [&'static str]>,
    ) -> Self {
        StructReader {
            children: ChildReader { from, count, left: count, hint: 0, key_at: 0 },
            names,
            next: 0,
        }
    }

    /// The name of the field whose key comes next, where keys come in the order of the fields. Each struct asks in one place.
    #[inline(always)]
    fn foreseen(&mut self) -> Option<&'static str> {
        let (names, next) = (self.names?, self.next);
        let at = self.children.from.plain(|pull| pull.field(names, next))?;
        self.next = at.saturating_add(1);
        names.get(at).copied()
    }

    /// The step to the field that was begun last.
    #[cold]
    fn step(&self) -> Step {
        let holder = self.names.map_or(VariantType::Object, |_| VariantType::Dictionary);
        self.children.from.pull.step(self.children.key_at, holder, self.children.last().into())
    }
}

impl<'de> MapAccess<'de> for StructReader<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.children.next().is_none() {
            return Ok(None);
        }
        self.children.key_at = self.children.from.pull.at();
        let name = if let Some(name) = self.foreseen() {
            seed.deserialize(BorrowedStrDeserializer::new(name))
        } else if self.names.is_none() {
            match self.children.from.pull.text(TextForm::Plain) {
                Ok(name) => seed.deserialize(BorrowedStrDeserializer::new(name.as_str())),
                Err(fault) => return Err(self.children.from.refused(fault)),
            }
        } else {
            seed.deserialize(Field(self.children.from))
        };
        name.map(Some).map_err(|error: Error| error.at_byte(self.children.key_at).within(|| self.step()))
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        let begin = self.children.from.pull.at();
        let value = seed.deserialize(&mut *self.children.from);
        value.map_err(|error| error.at_byte(begin).within(|| self.step()))
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.children.left).ok()
    }
}

/// Reads a key that is to be a field's name. A key that is no text is no field: serde would take an int for
/// a field's number.
struct Field<'a, 'w, 'de>(&'a mut Deserializer<'w, 'de>);

/// A name that no field has, since Rust has no such name, and nobody renames one to it.
const NO_FIELD: &[u8] = b"\0";

impl<'de> serde::Deserializer<'de> for Field<'_, '_, 'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Field(from) = self;
        // What comes in another order than the fields may come twice: that is judged first.
        let is_sure = from.pull.is_sure();
        if is_sure && let Some(name) = from.plain(Pull::short_text) {
            return visitor.visit_borrowed_str(name.as_str());
        }
        let (at, token) = from.next()?;
        match token {
            Token::Leaf(Leaf::Text(_, text)) => visitor.visit_borrowed_str(text.as_str()),
            Token::Leaf(_) => visitor.visit_borrowed_bytes(NO_FIELD),
            Token::Open(_) => {
                from.held = Some((at, token));
                from.visit(Hint::Anything, serde::de::IgnoredAny)?;
                visitor.visit_borrowed_bytes(NO_FIELD)
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

pub(super) struct TextReader<'a, 'w, 'de>(pub(super) ChildReader<'a, 'w, 'de>);

impl<'de> SeqAccess<'de> for TextReader<'_, '_, 'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(entry) = self.0.next() else { return Ok(None) };
        let from = &mut *self.0.from;
        let at = from.pull.at();
        let text = from.pull.text(TextForm::Terminated).map_err(|fault| from.refused(fault))?;
        let placed = |error: Error| error.at_byte(at).within(|| Step::Index(entry.into()));
        seed.deserialize(BorrowedStrDeserializer::new(text.as_str())).map(Some).map_err(placed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.hint)
    }
}

impl Deserializer<'_, '_> {
    pub(super) fn path(&mut self, names: u32, subnames: u32) -> Result<crate::NodePath, Error> {
        let mut path = crate::NodePath::default();
        for at in 0..names.saturating_add(subnames) {
            match self.pull.text(TextForm::PathName) {
                Ok(name) if at < names => path.names.push(name.as_str().to_owned()),
                Ok(name) => path.subnames.push(name.as_str().to_owned()),
                Err(fault) => return Err(self.refused(fault)),
            }
        }
        Ok(path)
    }
}
