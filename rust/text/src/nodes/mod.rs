//! Finds the nodes of a tree in bytes of any size, and makes only the nodes that are unfolded.
//!
//! ```text
//! bytes ─► Walker ─► Survey ─► spans of large containers, marks on the way ─┐
//!                     once, with progress                                   ├─► children, locate
//! bytes at a mark ─► token::read, Walker<Skip> ─────────────────────────────┘   a few kilobytes each
//! ```
//!
//! A survey walks everything once and keeps little: where containers of a kilobyte and more end, and every
//! four kilobytes which child begins there. It shows nothing; `list` makes the nodes.

mod list;
mod objects;
mod survey;

use variant_core::{Framing, Rules, VariantType};

/// The size from which on the ends of containers are kept; smaller ones are walked again on demand.
const SPAN_BYTES: u64 = 1 << 10;
/// The bytes between two kept beginnings of children.
const MARK_BYTES: u64 = 4 << 10;
/// Stands for the container of the stream's values, in marks and arguments.
pub const TOP: u64 = u64::MAX;
/// The most unreadable values that are listed.
const MOST_BROKEN: usize = 64;

#[derive(Clone, Copy, Debug)]
struct Span {
    at: u64,
    end: u64,
}

/// Holds a child that begins at a known place. Marks are ordered by container, then by child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ChildMark {
    container: u64,
    child: u64,
    start: u64,
}

/// Describes a value that cannot be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenValue {
    /// The index of the value in the stream, from 0.
    pub value: u64,
    /// The byte at which reading stopped, counted from the start of the stream.
    pub at: u64,
    /// The place in the value, as people write it.
    pub path: String,
    /// The reason, in words.
    pub message: String,
}

/// Holds what a survey found, by which children can be found.
#[derive(Clone, Debug)]
pub struct Nodes {
    rules: Rules,
    framing: Framing,
    /// The spans, ordered by place.
    spans: Vec<Span>,
    marks: Vec<ChildMark>,
    count: u64,
    broken: Vec<BrokenValue>,
}

/// Describes one value of the tree, or one bare text: a NodePath's name, a PackedStringArray's string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The index in its container, from 0.
    pub index: u64,
    /// The first byte: of the key or name before the value where there is one, of the length of a frame.
    pub start: u64,
    /// The first byte of the value: its header, or the length of a bare text. No two nodes share it.
    pub at: u64,
    /// The byte behind.
    pub end: u64,
    /// The name in a path: `hp`, `[3]`, `#0` for a value of the stream.
    pub name: String,
    /// The type; `None` if the bytes are no value.
    pub ty: Option<VariantType>,
    /// The type as GDScript writes it, with what a container declares.
    pub type_name: String,
    /// The value in a few words; the reason if it cannot be read.
    pub value: String,
    /// The children that it declares.
    pub children: u64,
}

impl Nodes {
    /// Returns the number of values of the stream, the last of which may be broken.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Returns the first values that cannot be read.
    #[must_use]
    pub fn broken(&self) -> &[BrokenValue] {
        &self.broken
    }

    /// Returns the rules by which the bytes were read.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }
}
