//! Nodes: the tree of bytes of any size, of which only what somebody unfolds is ever made.
//!
//! ```text
//! bytes ─► Walker ─► Survey ─► spans of large containers, marks on the way ─┐
//!                     once, with progress                                   ├─► children, locate
//! bytes at a mark ─► token::read, Walker<Skip> ─────────────────────────────┘   a few kilobytes each
//! ```
//!
//! A survey walks everything once and keeps little: where containers of a kilobyte and more end, and every four
//! kilobytes which child begins there. It shows nothing; what a node looks like is said in `list`.

mod list;
mod survey;

use variant_core::{Framing, Rules, VariantType};

/// Containers from this size on have their ends kept; the others are walked again when somebody asks.
const SPAN_BYTES: u64 = 1 << 10;
/// Bytes between two kept beginnings of children.
const MARK_BYTES: u64 = 4 << 10;
/// The container of the values of the stream themselves, in marks and questions.
pub const TOP: u64 = u64::MAX;
/// Values that cannot be read and are told of.
const MOST_BROKEN: usize = 64;

/// A container whose end is known.
#[derive(Clone, Copy, Debug)]
struct Span {
    at: u64,
    end: u64,
}

/// A child that begins at a known place. Ordered by container, then by child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    container: u64,
    child: u64,
    start: u64,
}

/// A value that cannot be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which value of the stream, from 0.
    pub value: u64,
    /// The byte at which reading stopped, counted from the start of the stream.
    pub at: u64,
    /// Where in the value, as people write it.
    pub path: String,
    /// Why, in words.
    pub message: String,
}

/// What a survey found: where children can be looked up.
#[derive(Clone, Debug)]
pub struct Nodes {
    rules: Rules,
    framing: Framing,
    /// By place.
    spans: Vec<Span>,
    marks: Vec<Mark>,
    count: u64,
    broken: Vec<Broken>,
}

/// One value of the tree, or one bare text: a NodePath's name, a PackedStringArray's string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Which child of its container, from 0.
    pub index: u64,
    /// First byte: of the key or name before the value where there is one, of the length of a frame.
    pub start: u64,
    /// First byte of the value: its header, or the length of a bare text. No two nodes share it.
    pub at: u64,
    /// The byte behind.
    pub end: u64,
    /// How a path names it: `hp`, `[3]`, `#0` for a value of the stream.
    pub name: String,
    /// `None`: the bytes are no value.
    pub ty: Option<VariantType>,
    /// The type as GDScript writes it, with what a container declares.
    pub type_name: String,
    /// The value in a few words; of what cannot be read, why.
    pub value: String,
    /// Children it declares.
    pub children: u64,
}

impl Nodes {
    /// Values of the stream, the last of which may be broken.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The first values that cannot be read.
    #[must_use]
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// What the bytes were read by.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }
}
