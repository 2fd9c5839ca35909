//! Token: one header with its own payload. Leaves are grouped by shape; containers carry only their opening.

mod lanes;
mod lax;
mod plain;
mod read;
mod record;
mod scalar;
mod text;
mod utf8;
mod write;

pub use lanes::Lanes;
pub(crate) use lax::rewrite as rewrite_lax;
pub(crate) use plain::{PATH_HEAD, read_plain_bare, read_plain_name, read_plain_numbers};
pub use plain::{PathRecord, long_text, peek_path, plain_numbers, string_field};
pub use read::{read, read_text};
pub use record::Record;
pub(crate) use scalar::{
    ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, STRING, STRING_NAME, WIDE_FLOAT, WIDE_INT, are_plain,
    read_plain_int, read_plain_opening, read_plain_string, read_plain_text, read_scalar, scalar_bytes,
    short_word,
};
pub use scalar::{plain_string, plain_text, short_string, short_string_as_number};
pub use text::LONG as LONG_TEXT;
pub use text::{Text, TextForm, is_bare_ascii};
pub use utf8::{ReadUtf8, has_nul, read_utf8_with};
pub(crate) use write::utf8_length;
pub use write::{Count, Output, Writer};

use crate::wire::{ContainerKind, VariantType};

/// What one step of the format can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A whole value.
    Leaf(Leaf<'a>),
    /// A value that goes on with children.
    Open(Container<'a>),
}

impl Token<'_> {
    /// The type its header names.
    #[must_use]
    pub const fn ty(&self) -> VariantType {
        match self {
            Token::Leaf(leaf) => leaf.ty(),
            Token::Open(container) => container.ty(),
        }
    }
}

/// A value without children.
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
    /// A vector, rect, matrix or color: its numbers in wire order.
    Math(VariantType, Lanes<'a>),
    /// A packed array of numbers: all of them in wire order.
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

impl Leaf<'_> {
    /// The type its header names.
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

    /// The type that limits go by: a null object is no object.
    pub(crate) const fn limited_type(&self) -> VariantType {
        match self {
            Leaf::ObjectId(0) => VariantType::Nil,
            other => other.ty(),
        }
    }
}

/// The opening of a value with children. Counts are declared, not yet seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Container<'a> {
    /// `Array` of so many elements.
    Array {
        /// What it is declared to hold.
        element: ContainerType<'a>,
        /// Elements.
        count: u32,
    },
    /// `Dictionary` of so many entries.
    Dictionary {
        /// What its keys are declared to be.
        key: ContainerType<'a>,
        /// What its values are declared to be.
        value: ContainerType<'a>,
        /// Entries: a key and a value each.
        count: u32,
    },
    /// `Object` with class and properties.
    Object {
        /// Class name, never empty.
        class: Text<'a>,
        /// Properties: a bare text and a value each.
        count: u32,
    },
    /// `NodePath`: bare texts, names first.
    NodePath {
        /// Starts with a slash.
        absolute: bool,
        /// Names.
        names: u32,
        /// Sub-names, after the colons.
        subnames: u32,
    },
    /// `PackedStringArray`: bare texts.
    PackedStrings {
        /// Strings.
        count: u32,
    },
}

impl Container<'_> {
    /// The type its header names.
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

/// What a typed container declares of its elements, keys or values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerType<'a> {
    /// Untyped.
    None,
    /// One of Godot's own types.
    Builtin(VariantType),
    /// Objects of a class.
    Class(Text<'a>),
    /// Objects with a script, named by its path.
    Script(Text<'a>),
}

impl ContainerType<'_> {
    /// This one, or untyped for a reader that knows no types here.
    #[must_use]
    pub(crate) const fn if_known(self, known: bool) -> Self {
        if known { self } else { ContainerType::None }
    }

    /// The kind its header bits carry.
    #[must_use]
    pub const fn kind(&self) -> ContainerKind {
        match self {
            ContainerType::None => ContainerKind::None,
            ContainerType::Builtin(_) => ContainerKind::Builtin,
            ContainerType::Class(_) => ContainerKind::Class,
            ContainerType::Script(_) => ContainerKind::Script,
        }
    }

    /// The type elements must have; `None` when anything goes. Builtin `Nil` is how the engine reads "untyped".
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
