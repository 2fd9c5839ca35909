//! Shows encoded Variants as text, for people and for scripts.
//!
#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! ```text
//! bytes ─► variant_core::Walker ─► ViewSink ─► View ─┬─ fields     every run of bytes, for dump: a line for each
//!                                                  ├─ nodes      every value with its size, for outline: a tree
//!                                                  ├─ json       tagged and lossless, or plain
//!                                                  ├─ sizes      bytes by path and by type
//!                                                  └─ scan       what could run code
//! bytes ─► variant_core::Walker ─► nodes            a tree that is made as far as it is unfolded
//! first bytes ─► looks             what they may be that were refused: framing, dialect, files of other kinds
//! JSON text ─► json::read ─► variant_core::Value ─► bytes
//! ```
//!
//! Everything is written as it is walked, so memory does not grow with the text. Only [`diff`] holds its two
//! values, and JSON that is read becomes a [`Value`](variant_core::Value). This crate does not open files,
//! choose colours, or know Godot.
//!
//! Text of the bytes is escaped wherever it is shown, so that it can neither break a line nor steer a
//! terminal: by [`QuotedText`](variant_core::QuotedText).
#![forbid(unsafe_code)]

mod brief;
mod diff;
mod diff_encoded;
mod digest;
mod document;
mod dump;
mod extent;
mod fields;
mod frame;
mod hex;
pub mod json;
pub mod nodes;
mod number;
mod objects;
mod outline;
mod place;
mod places;
mod scan;
mod sizes;
pub mod sniff;
mod trail;

pub use diff::{Change, Difference, diff};
pub use diff_encoded::{Side, diff_encoded};
pub use document::{Document, is_document};
pub use dump::{dump, excerpt};
pub use fields::{Field, FieldPart, fields};
pub use objects::{NulledObject, transcode_without_objects};
pub use outline::{OutlineNode, nodes, outline};
pub use place::ShownPath;
pub use scan::{Finding, FindingKind, scan};
pub use sizes::{SizeReport, Tally, sizes, sizes_merging};
pub use trail::{Trail, View, ViewSink, view};

use variant_core::{Limits, Rules, TypeSet};

/// The levels that text is indented by. Deeper values stand below each other: else a value of a few bytes would become a line
/// of kilobytes.
pub(crate) const MOST_INDENTED: usize = 64;

/// Returns rules to inspect bytes with: all that the engine reads, full objects as what they are, in the
/// memory of a save.
#[must_use]
pub const fn looking() -> Rules {
    let limits = Limits {
        max_depth: Limits::engine().max_depth,
        allowed_types: TypeSet::ALL,
        allowed_key_types: TypeSet::ALL,
        ..Limits::save_file()
    };
    Rules { limits, full_objects: true, ..Rules::engine() }
}

// Only `gdvar` needs these.
#[doc(hidden)]
pub use self::hex::{Hex, from_hex};
