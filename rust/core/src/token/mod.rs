//! Defines tokens: a token is a header with its own payload. Leaves are grouped by layout; containers have
//! only their opening.

/// Makes a table by type id, of what this is for each type.
macro_rules! by_type {
    ($none:expr, |$ty:ident| $value:expr) => {{
        let mut table = [$none; VariantType::ALL.len()];
        let (mut slots, mut types): (&mut [_], _) = (&mut table, VariantType::ALL);
        while let ([slot, slots_tail @ ..], [$ty, types_tail @ ..]) = (slots, types) {
            *slot = $value;
            (slots, types) = (slots_tail, types_tail);
        }
        table
    }};
}

mod lanes;
mod lax;
mod number;
mod plain;
mod read;
mod record;
mod scalar;
mod text;
mod utf8;
mod write;

pub use lanes::Lanes;
pub(crate) use lax::rewrite as rewrite_lax;
#[doc(hidden)]
pub use number::{plain_bool, plain_container, plain_float, plain_int, two_words};
pub(crate) use number::{read_plain_bool, read_plain_float, read_plain_int};
pub(crate) use plain::{PATH_HEAD, read_plain_bare, read_plain_name, read_plain_numbers};
#[doc(hidden)]
pub use plain::{PathRecord, peek_path, plain_numbers};
pub use read::{read, read_text};
#[doc(hidden)]
pub use record::Record;
pub(crate) use scalar::{
    ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, STRING, STRING_NAME, WIDE_FLOAT, WIDE_INT, are_plain,
    read_plain_opening, read_plain_string, read_plain_text, read_scalar, scalar_bytes, short_word,
};
#[doc(hidden)]
pub use scalar::{plain_string, plain_text, short_string, short_string_as_number};
pub use text::{Text, TextForm};
#[doc(hidden)]
pub use utf8::{ReadUtf8, read_utf8_with};
pub use write::{Count, Output, Writer};
pub(crate) use write::{put_short_text, utf8_length};

use crate::path::{Label, Step};
use crate::wire::{ContainerKind, Lane, VariantType};

/// Holds one step of the format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A whole value.
    Leaf(Leaf<'a>),
    /// The opening of a value whose children follow.
    Open(Container<'a>),
}

impl Token<'_> {
    /// Returns the type in its header.
    #[must_use]
    pub const fn ty(&self) -> VariantType {
        match self {
            Token::Leaf(leaf) => leaf.ty(),
            Token::Open(container) => container.ty(),
        }
    }
}

/// Holds a value without children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// `null`.
    Nil,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `float`; a 32-bit one is widened.
    Float(f64),
    /// `String` or `StringName`.
    Text(VariantType, Text<'a>),
    /// A vector, rect, matrix or color, as its numbers in wire order.
    Math(VariantType, Lanes<'a>),
    /// A packed array of numbers, all of them in wire order.
    Packed(VariantType, Lanes<'a>),
    /// `RID`.
    Rid(u64),
    /// `Object` as an instance id; 0 is a null object.
    ObjectId(u64),
    /// `Callable`, whose target the format does not carry.
    Callable,
    /// `Signal`.
    Signal(Text<'a>, u64),
}

impl<'a> Token<'a> {
    pub(crate) const fn as_leaf(&self) -> Option<&Leaf<'a>> {
        match self {
            Token::Leaf(leaf) => Some(leaf),
            Token::Open(_) => None,
        }
    }
}

impl<'a> Leaf<'a> {
    /// Returns its name as a key, if it has one.
    pub(crate) fn label(&self) -> Option<Label<'a>> {
        match self {
            Leaf::Text(_, text) => Some(Label::Key(text.as_bytes())),
            Leaf::Int(key) => Some(Label::IntKey(*key)),
            Leaf::Math(ty, lanes) if lanes.lane() == Lane::I32 => match Step::of_vector(*ty, lanes.i32s())? {
                Step::VectorKey(ty, numbers) => Some(Label::VectorKey(ty, numbers)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the step of a path to what stands under this key, if it has a name: a text, an int, a vector of ints.
    #[must_use]
    #[doc(hidden)]
    pub fn key_step(&self) -> Option<Step> {
        self.label().map(Label::step)
    }
}

impl Leaf<'_> {
    /// Returns the type in its header.
    #[must_use]
    pub const fn ty(&self) -> VariantType {
        match self {
            Leaf::Nil => VariantType::Nil,
            Leaf::Bool(_) => VariantType::Bool,
            Leaf::Int(_) => VariantType::Int,
            Leaf::Float(_) => VariantType::Float,
            Leaf::Text(ty, _) | Leaf::Math(ty, _) | Leaf::Packed(ty, _) => *ty,
            Leaf::Rid(_) => VariantType::Rid,
            Leaf::ObjectId(_) => VariantType::Object,
            Leaf::Callable => VariantType::Callable,
            Leaf::Signal(..) => VariantType::Signal,
        }
    }

    /// Returns the type that limits apply to: a null object does not count as an object.
    pub(crate) const fn limited_type(&self) -> VariantType {
        match self {
            Leaf::ObjectId(0) => VariantType::Nil,
            other => other.ty(),
        }
    }
}

/// Holds the opening of a value with children. The counts are declared; the children may be missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Container<'a> {
    /// An `Array` with `count` elements.
    Array {
        /// The declared type of its elements.
        element: ContainerType<'a>,
        /// The number of elements.
        count: u32,
    },
    /// A `Dictionary` with `count` entries.
    Dictionary {
        /// The declared type of its keys.
        key: ContainerType<'a>,
        /// The declared type of its values.
        value: ContainerType<'a>,
        /// The number of entries, each a key and a value.
        count: u32,
    },
    /// An `Object` with class and properties.
    Object {
        /// The class name, which is never empty.
        class: Text<'a>,
        /// The number of properties, each a bare text and a value.
        count: u32,
    },
    /// A `NodePath`, whose names are bare texts, followed by its sub-names.
    NodePath {
        /// Whether it starts with a slash.
        absolute: bool,
        /// The number of names.
        names: u32,
        /// The number of sub-names, which stand after the colons.
        subnames: u32,
    },
    /// A `PackedStringArray`, whose entries are bare texts.
    PackedStrings {
        /// The number of strings.
        count: u32,
    },
}

impl Container<'_> {
    /// Returns the type in its header.
    #[must_use]
    pub const fn ty(&self) -> VariantType {
        match self {
            Container::Array { .. } => VariantType::Array,
            Container::Dictionary { .. } => VariantType::Dictionary,
            Container::Object { .. } => VariantType::Object,
            Container::NodePath { .. } => VariantType::NodePath,
            Container::PackedStrings { .. } => VariantType::PackedStringArray,
        }
    }
}

/// Holds what a typed container declares of its elements, keys or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerType<'a> {
    /// The container is untyped.
    None,
    /// The type is one of Godot's own.
    Builtin(VariantType),
    /// The type is a class of objects.
    Class(Text<'a>),
    /// The type is a script, named by its path.
    Script(Text<'a>),
}

impl ContainerType<'_> {
    /// Returns the kind in the bits of the header.
    #[must_use]
    pub const fn kind(&self) -> ContainerKind {
        match self {
            ContainerType::None => ContainerKind::None,
            ContainerType::Builtin(_) => ContainerKind::Builtin,
            ContainerType::Class(_) => ContainerKind::Class,
            ContainerType::Script(_) => ContainerKind::Script,
        }
    }

    /// Returns the type that elements must have; `None` when any type is allowed. The engine reads the
    /// builtin `Nil` as "untyped".
    #[must_use]
    pub const fn element_type(&self) -> Option<VariantType> {
        match self {
            ContainerType::None | ContainerType::Builtin(VariantType::Nil) => None,
            ContainerType::Builtin(ty) => Some(*ty),
            ContainerType::Class(_) | ContainerType::Script(_) => Some(VariantType::Object),
        }
    }
}

#[cfg(test)]
mod tests;
