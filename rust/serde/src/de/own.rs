//! Reads types of ours, each of which is only read from bytes that name its type.

use serde::de::value::{
    BorrowedBytesDeserializer, BorrowedStrDeserializer, BytesDeserializer, U64Deserializer,
};
use serde::de::{Error as _, Expected, Unexpected, Visitor};
use variant_core::token::{Container, ContainerType, Leaf, Token};
use variant_core::wire::Layout;
use variant_core::{Dialect, Pull, Target, VariantType, transcode};

use super::Deserializer;
use super::lanes::{Group, LaneReader};
use crate::error::{Cause, Error};
use crate::mark::Mark;

impl<'de> Deserializer<'_, 'de> {
    /// Reads what a mark asks for. The mark is known where it is compiled: nothing of this but one arm is left there.
    #[inline(always)]
    pub(super) fn own<V: Visitor<'de>>(&mut self, mark: Mark, visitor: V) -> Result<V::Value, Error> {
        match mark {
            Mark::Own(ty) => match ty.layout() {
                Layout::Math(..) | Layout::Packed(..) => self.numbers(ty, visitor),
                _ => self.own_other(ty, visitor),
            },
            Mark::Any => self.raw(None, visitor),
            Mark::Element(ty) => self.typed(visitor, |container| {
                matches!(container, Container::Array { element, .. } if *element == ContainerType::Builtin(ty))
            }),
            Mark::Key(ty) => {
                self.key_type = Some(ty);
                visitor.visit_newtype_struct(self)
            }
            Mark::Value(ty) => {
                let keys = self.key_type.take().map_or(ContainerType::None, ContainerType::Builtin);
                self.typed(visitor, |container| {
                    matches!(container, Container::Dictionary { key, value, .. }
                        if *key == keys && *value == ContainerType::Builtin(ty))
                })
            }
        }
    }

    /// Reads a plain vector where it is used, so that its numbers stay in registers: stored one by one and then loaded two at
    /// once, they would make the processor wait longer than all the rest takes.
    #[inline(always)]
    fn numbers<V: Visitor<'de>>(&mut self, ty: VariantType, visitor: V) -> Result<V::Value, Error> {
        if let Layout::Math(lane, count) = ty.layout()
            && let Some(lanes) = self.plain(|pull| pull.lanes(ty, lane, count))
        {
            return visitor.visit_newtype_struct(Group(LaneReader::of(lanes)));
        }
        self.any_numbers(ty, visitor)
    }

    #[inline(never)]
    fn any_numbers<V: Visitor<'de>>(&mut self, ty: VariantType, visitor: V) -> Result<V::Value, Error> {
        let (at, token) = self.next()?;
        let row = match (token, ty.layout()) {
            (Token::Leaf(Leaf::Math(found, lanes)), _) if found == ty => LaneReader::of(lanes),
            (Token::Leaf(Leaf::Packed(found, lanes)), Layout::Packed(_, group)) if found == ty => {
                LaneReader::in_groups(lanes, group)
            }
            _ => return Err(wrong(&token, &visitor).at(at, token.ty())),
        };
        visitor.visit_newtype_struct(Group(row)).map_err(|error| error.at(at, ty))
    }

    fn own_other<V: Visitor<'de>>(&mut self, ty: VariantType, visitor: V) -> Result<V::Value, Error> {
        if ty == VariantType::StringName
            && let Some((_, text)) = self.plain(Pull::plain_text)
        {
            return visitor.visit_newtype_struct(BorrowedStrDeserializer::new(text.as_str()));
        }
        if !matches!(ty, VariantType::StringName | VariantType::PackedStringArray | VariantType::Rid) {
            return self.raw(Some(ty), visitor);
        }
        let (at, token) = self.next()?;
        let read: Result<_, Error> = match token {
            Token::Leaf(Leaf::Text(_, text)) if ty == VariantType::StringName => {
                visitor.visit_newtype_struct(BorrowedStrDeserializer::new(text.as_str()))
            }
            Token::Leaf(Leaf::Rid(id)) if ty == VariantType::Rid => {
                visitor.visit_newtype_struct(U64Deserializer::new(id))
            }
            Token::Open(Container::PackedStrings { .. }) if ty == VariantType::PackedStringArray => {
                self.held = Some((at, token));
                return visitor.visit_newtype_struct(self);
            }
            _ => return Err(wrong(&token, &visitor).at(at, token.ty())),
        };
        read.map_err(|error| error.at(at, ty))
    }

    fn typed<V: Visitor<'de>>(
        &mut self,
        visitor: V,
        is_it: impl FnOnce(&Container<'de>) -> bool,
    ) -> Result<V::Value, Error> {
        let (at, token) = self.next()?;
        match token {
            Token::Open(container) if is_it(&container) => {
                self.held = Some((at, token));
                visitor.visit_newtype_struct(self)
            }
            _ => {
                let got = declared(&token);
                let expected = (&visitor as &dyn Expected).to_string();
                Err(Error::new(Cause::WrongType { expected, got }).at_byte(at))
            }
        }
    }

    /// The bytes of the next value, which is passed over and so judged.
    fn raw<V: Visitor<'de>>(&mut self, ty: Option<VariantType>, visitor: V) -> Result<V::Value, Error> {
        let at = self.pull.at();
        let found = self.pull.peek();
        if let Err(fault) = self.pull.skip() {
            return Err(self.refused(fault));
        }
        let found = found.unwrap_or(VariantType::Nil);
        if ty.is_some_and(|ty| ty != found) {
            return Err(Error::invalid_type(Unexpected::Other(found.name()), &visitor).at(at, found));
        }
        let range = usize::try_from(at).ok().zip(usize::try_from(self.pull.at()).ok());
        let bytes = range.and_then(|(from, to)| {
            // Of the last padding of a byte array the engine counts what is not there.
            let all = self.pull.bytes();
            all.get(from..to.min(all.len()))
        });
        let bytes = bytes.unwrap_or_default();
        if self.pull.rules().dialect == Dialect::Godot4 {
            let bytes = BorrowedBytesDeserializer::new(bytes);
            return visitor.visit_newtype_struct(bytes).map_err(|error: Error| error.at(at, found));
        }
        let written = transcode(bytes, self.pull.rules(), Target::default());
        let written = written.map_err(|error| Error::new(Cause::Format(error.kind())).at_byte(at))?;
        let bytes = BytesDeserializer::new(&written);
        visitor.visit_newtype_struct(bytes).map_err(|error: Error| error.at(at, found))
    }
}

#[cold]
fn wrong<'de, V: Visitor<'de>>(token: &Token<'de>, visitor: &V) -> Error {
    Error::invalid_type(Unexpected::Other(token.ty().name()), visitor)
}

/// Names the type that a container declares, as GDScript writes it.
#[cold]
fn declared(token: &Token<'_>) -> String {
    let name = |of: &ContainerType<'_>| match of {
        ContainerType::None => "Variant",
        ContainerType::Builtin(ty) => ty.name(),
        ContainerType::Class(_) | ContainerType::Script(_) => "Object",
    };
    match token {
        Token::Open(Container::Array { element, .. }) if *element != ContainerType::None => {
            format!("Array[{}]", name(element))
        }
        Token::Open(Container::Dictionary { key, value, .. })
            if (*key, *value) != (ContainerType::None, ContainerType::None) =>
        {
            format!("Dictionary[{}, {}]", name(key), name(value))
        }
        other => crate::error::type_name(other.ty()).to_owned(),
    }
}
