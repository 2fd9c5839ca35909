//! Reads a type of the user's from a Variant, as the core's walk gives one token after another.

mod access;
mod lanes;
mod own;
mod variant;

use std::fmt;

use serde::de::{Deserialize, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use variant_core::token::{Container, Leaf, Token};
use variant_core::wire::Layout;
use variant_core::{ErrorKind, Extent, Fault, Pull, Rules, VariantType, Walker};

use crate::error::{Cause, Error};
use crate::mark::Mark;
use access::{ChildReader, StructReader, TextReader};
#[cfg(feature = "schema")]
pub(crate) use lanes::Group;
pub(crate) use lanes::LaneReader;

/// Levels that a type which holds itself may be nested, unless a reader allows more. Each takes stack, and
/// threads have little: 2 MiB are enough for this many in a build without optimisation.
pub const MAX_RECURSION: usize = 128;

/// Memory for reading: keep it and use it again. Most values need none.
#[derive(Debug, Default)]
pub struct DeserializerMemory(Option<Walker<()>>);

impl DeserializerMemory {
    /// Nothing in it.
    #[must_use]
    pub fn new() -> DeserializerMemory {
        DeserializerMemory::default()
    }
}

/// Reads one value out of bytes.
///
/// ```
/// use serde::Deserialize;
/// use variant_serde::{Deserializer, Rules, DeserializerMemory};
///
/// let bytes = variant_serde::to_vec(&[1, 2, 3])?;
/// let (mut scratch, rules) = (DeserializerMemory::new(), Rules::default());
/// let mut deserializer = Deserializer::new(&mut scratch, &bytes, &rules)?;
/// assert_eq!(<[u8; 3]>::deserialize(&mut deserializer)?, [1, 2, 3]);
/// deserializer.finish()?;
/// # Ok::<(), variant_serde::Error>(())
/// ```
pub struct Deserializer<'w, 'de> {
    pull: Pull<'w, 'de>,
    /// Levels that may still be entered, and how many there were.
    room: usize,
    limit: usize,
    /// Types that the Dictionary which comes next has to declare for its keys.
    key_type: Option<VariantType>,
    /// Whether what comes is a key of a map, or in one.
    is_key: bool,
    /// A token that was read before it was known who takes it, and where it began.
    held: Option<(u64, Token<'de>)>,
}

/// Where it stands; not what it reads.
impl fmt::Debug for Deserializer<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deserializer").field("at", &self.pull.at()).finish_non_exhaustive()
    }
}

impl<'w, 'de> Deserializer<'w, 'de> {
    /// Begins to read the value that `bytes` begin with.
    ///
    /// # Errors
    /// `TooManyBytes`.
    pub fn new(
        scratch: &'w mut DeserializerMemory,
        bytes: &'de [u8],
        rules: &'w Rules,
    ) -> Result<Deserializer<'w, 'de>, Error> {
        let pull = Pull::new(&mut scratch.0, bytes, rules);
        pull.map(|pull| Deserializer::over(pull, MAX_RECURSION)).map_err(|error| Error::of_format(&error))
    }

    #[inline(always)]
    pub(crate) const fn over(pull: Pull<'w, 'de>, levels: usize) -> Deserializer<'w, 'de> {
        Deserializer { pull, room: levels, limit: levels, key_type: None, is_key: false, held: None }
    }

    /// Allows types that hold themselves so many levels. The limits' own depth holds besides.
    #[must_use]
    pub const fn recursing(mut self, levels: usize) -> Self {
        self.room = levels;
        self.limit = levels;
        self
    }

    /// Ends the reading: with SAFE strictness no byte may follow the value.
    ///
    /// # Errors
    /// `TrailingBytes`.
    pub fn finish(self) -> Result<Extent, Error> {
        self.pull.finish().map_err(|error| Error::of_format(&error))
    }

    /// A value in its plainest form, if it comes next and nothing is held.
    #[inline(always)]
    fn plain<T>(&mut self, read: impl FnOnce(&mut Pull<'w, 'de>) -> Option<T>) -> Option<T> {
        if self.held.is_some() {
            return None;
        }
        read(&mut self.pull)
    }

    #[inline]
    fn next(&mut self) -> Result<(u64, Token<'de>), Error> {
        if self.held.is_some() {
            return self.take_held();
        }
        let at = self.pull.at();
        match self.pull.value() {
            Ok(token) => Ok((at, token)),
            Err(fault) => Err(self.refused(fault)),
        }
    }

    #[cold]
    fn take_held(&mut self) -> Result<(u64, Token<'de>), Error> {
        let at = self.pull.at();
        self.held.take().ok_or_else(|| Error::new(Cause::Format(ErrorKind::Refused)).at_byte(at))
    }

    #[cold]
    fn refused(&mut self, fault: Fault) -> Error {
        Error::of_format(&self.pull.error(fault))
    }

    #[inline]
    fn visit<V: Visitor<'de>>(&mut self, wish: Hint, visitor: V) -> Result<V::Value, Error> {
        let (at, token) = self.next()?;
        let ty = token.ty();
        let visited = match token {
            Token::Leaf(Leaf::Math(..) | Leaf::Packed(..)) if self.is_key && wish == Hint::Row => {
                Err(Error::tuple_key(ty))
            }
            Token::Leaf(leaf) => visit_leaf(leaf, wish, visitor),
            Token::Open(container) => self.visit_container(&container, wish, visitor),
        };
        visited.map_err(|error| error.at(at, ty))
    }

    fn visit_container<V: Visitor<'de>>(
        &mut self,
        container: &Container<'de>,
        wish: Hint,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match *container {
            Container::Array { count, .. } if wish != Hint::Fields => return self.items(count, visitor),
            Container::Dictionary { count, .. } if wish == Hint::Fields => {
                return self.fields(count, &[], visitor);
            }
            _ => {}
        }
        self.enter()?;
        let value = match *container {
            Container::Array { .. } => return Err(Error::invalid_type(Unexpected::Seq, &visitor)),
            Container::Dictionary { count, .. } => {
                let mut entries = ChildReader::new(self, count);
                let value = visitor.visit_map(&mut entries)?;
                entries.are_over()?;
                value
            }
            Container::Object { count, .. } => {
                let mut fields = StructReader::new(self, count, None);
                let value = visitor.visit_map(&mut fields)?;
                fields.children.are_over()?;
                value
            }
            Container::PackedStrings { count } => {
                let mut texts = TextReader(ChildReader::new(self, count));
                let value = visitor.visit_seq(&mut texts)?;
                texts.0.are_over()?;
                value
            }
            Container::NodePath { absolute, names, subnames } => {
                let path = crate::NodePath { absolute, ..self.path(names, subnames)? };
                visitor.visit_string::<Error>(path.to_string())?
            }
        };
        self.leave();
        Ok(value)
    }

    #[inline]
    fn items<V: Visitor<'de>>(&mut self, count: u32, visitor: V) -> Result<V::Value, Error> {
        self.enter()?;
        let mut items = ChildReader::new(self, count);
        let value = visitor.visit_seq(&mut items)?;
        items.are_over()?;
        self.leave();
        Ok(value)
    }

    #[inline]
    fn fields<V: Visitor<'de>>(
        &mut self,
        count: u32,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.enter()?;
        let mut fields = StructReader::new(self, count, Some(names));
        let value = visitor.visit_map(&mut fields)?;
        fields.children.are_over()?;
        self.leave();
        Ok(value)
    }

    #[inline]
    fn enter(&mut self) -> Result<(), Error> {
        let too_recursive = || Error::new(Cause::TooRecursive { limit: self.limit });
        self.room = self.room.checked_sub(1).ok_or_else(too_recursive)?;
        Ok(())
    }

    #[inline]
    fn leave(&mut self) {
        self.room = self.room.saturating_add(1);
        self.pull.close();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hint {
    Anything,
    /// Elements one by one, also of bytes.
    Row,
    Fields,
    /// Bytes, and no text in their place.
    Bytes,
    Float,
}

#[inline]
fn visit_leaf<'de, V: Visitor<'de>>(leaf: Leaf<'de>, wish: Hint, visitor: V) -> Result<V::Value, Error> {
    match leaf {
        Leaf::Nil => visitor.visit_unit(),
        Leaf::Bool(value) => visitor.visit_bool(value),
        Leaf::Int(value) if wish == Hint::Float => visit_int_as_float(value, visitor),
        Leaf::Int(value) => visitor.visit_i64(value),
        Leaf::Float(value) => visitor.visit_f64(value),
        Leaf::Text(..) if wish == Hint::Bytes => Err(Error::invalid_type(Unexpected::Str(""), &visitor)),
        Leaf::Text(_, text) => visitor.visit_borrowed_str(text.as_str()),
        Leaf::Math(_, lanes) => visit_row(LaneReader::of(lanes), visitor),
        Leaf::Packed(VariantType::PackedByteArray, lanes) if wish != Hint::Row => {
            visitor.visit_borrowed_bytes(lanes.bytes())
        }
        Leaf::Packed(ty, lanes) => match ty.layout() {
            Layout::Packed(_, group) => visit_row(LaneReader::in_groups(lanes, group), visitor),
            _ => visit_row(LaneReader::of(lanes), visitor),
        },
        Leaf::Rid(id) => visitor.visit_u64(id),
        Leaf::ObjectId(0) => visitor.visit_unit(),
        Leaf::ObjectId(id) => visitor.visit_u64(id),
        Leaf::Callable | Leaf::Signal(..) => {
            Err(Error::invalid_type(Unexpected::Other(leaf.ty().name()), &visitor))
        }
    }
}

fn visit_row<'de, V: Visitor<'de>>(mut row: LaneReader<'de>, visitor: V) -> Result<V::Value, Error> {
    let value = visitor.visit_seq(&mut row)?;
    row.is_over()?;
    Ok(value)
}

/// An int where a float is wanted, if it is the same number there.
fn visit_int_as_float<'de, V: Visitor<'de>>(value: i64, visitor: V) -> Result<V::Value, Error> {
    /// Every int up to here is a float.
    const EXACT: u64 = 1 << 53;
    #[expect(clippy::cast_precision_loss, reason = "it is looked at whether any is lost")]
    let float = value as f64;
    if value.unsigned_abs() <= EXACT {
        visitor.visit_f64(float)
    } else {
        Err(Error::invalid_value(Unexpected::Signed(value), &"a float, which holds ints up to 2^53"))
    }
}

/// Its errors get their place from the caller, since most values are right.
macro_rules! ints {
    ($($name:ident)*) => {
        $(
            #[inline]
            fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
                match self.plain(Pull::int) {
                    Some(number) => visitor.visit_i64(number),
                    None => self.visit(Hint::Anything, visitor),
                }
            }
        )*
    };
}

impl<'de> serde::Deserializer<'de> for &mut Deserializer<'_, 'de> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(Hint::Anything, visitor)
    }

    ints! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.plain(Pull::float) {
            Some(number) => visitor.visit_f64(number),
            None => self.visit(Hint::Float, visitor),
        }
    }

    #[inline]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.plain(Pull::bool) {
            Some(value) => visitor.visit_bool(value),
            None => self.visit(Hint::Anything, visitor),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Some(text) = self.plain(Pull::short_text) {
            return visitor.visit_borrowed_str(text.as_str());
        }
        match self.plain(Pull::plain_text) {
            Some((_, text)) => visitor.visit_borrowed_str(text.as_str()),
            None => self.visit(Hint::Anything, visitor),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(Hint::Bytes, visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.visit(Hint::Bytes, visitor)
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let is_null = match &self.held {
            Some((_, token)) => *token == Token::Leaf(Leaf::Nil),
            None => self.pull.peek() == Some(VariantType::Nil),
        };
        if !is_null {
            return visitor.visit_some(self);
        }
        if self.plain(Pull::nil).is_some() {
            return visitor.visit_none();
        }
        self.next()?;
        visitor.visit_none()
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        match Mark::of(name) {
            None => visitor.visit_newtype_struct(self),
            Some(mark) => self.own(mark, visitor),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.plain(Pull::array) {
            Some(count) => self.items(count, visitor),
            None => self.visit(Hint::Row, visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.visit(Hint::Row, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.plain(Pull::dictionary) {
            Some(count) => self.fields(count, names, visitor),
            None => self.visit(Hint::Fields, visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.variant(name, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.held.is_some() {
            return self.visit(Hint::Anything, visitor);
        }
        if let Err(fault) = self.pull.skip() {
            return Err(self.refused(fault));
        }
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        char unit unit_struct map identifier
    }
}

/// The value that bytes are, all of them.
#[inline]
pub(crate) fn whole<'de, T: Deserialize<'de>>(
    scratch: &mut DeserializerMemory,
    bytes: &'de [u8],
    rules: &Rules,
    levels: usize,
) -> Result<T, Error> {
    let pull = Pull::new(&mut scratch.0, bytes, rules).map_err(|error| Error::of_format(&error))?;
    let mut deserializer = Deserializer::over(pull, levels);
    all_of(&mut deserializer).map_err(|error| error.of_document(bytes))
}

#[inline]
fn all_of<'de, T: Deserialize<'de>>(deserializer: &mut Deserializer<'_, 'de>) -> Result<T, Error> {
    let value = T::deserialize(&mut *deserializer).map_err(|error| error.at_byte(0))?;
    match deserializer.pull.end() {
        Ok(_) => Ok(value),
        Err(error) => Err(Error::of_format(&error)),
    }
}
