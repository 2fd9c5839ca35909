//! Schemas: what a Variant must look like, said once and checked while its bytes are walked.
//!
#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! ```text
//! Schema ─► compile ─► Program ─┬─ straight    a verdict without a walk, on bytes that lie as foreseen
//!   ▲  │                        ├─ Validator   a sink: refuses at the first violation
//!   │  │                        ├─ DefaultingSink  the same before another sink, with defaults and typed containers
//!   │  │                        ├─ Sliced      both, a part at a time
//!   │  └─► JSON, Markdown, hash └─ coerce      repairs what JSON breaks
//! JSON, example
//! ```
//!
//! A [`Schema`] is a tree that people write; a [`Program`] is the same without references, contradictions and
//! text to search. Nothing here knows Godot, and what bytes mean `variant-core` says.
//!
//! ```
//! use variant_core::Value;
//! use variant_schema::{Checker, Schema};
//!
//! let program = Schema::dict([("hp", Schema::int().min(0).max(99))]).compile()?;
//! let like_seven = Schema::from_example(&Value::Int(7)).compile()?;
//! let mut checker = Checker::new();
//! assert!(checker.check(&like_seven, &Value::Int(8)).is_ok());
//! let violation = checker.check(&program, &Value::Int(7)).unwrap_err();
//! assert_eq!(violation.to_string(), "(root): expected Dictionary, got int 7 (byte 0)");
//! # Ok::<(), variant_core::Mistakes>(())
//! ```
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod builders;
mod checker;
mod coerce;
mod compiler;
mod complete;
mod defaulting_sink;
mod defaults;
mod definitions;
mod describe;
mod fast;
mod from_json;
mod from_native;
mod from_text;
mod json;
mod judge;
mod kinds;
mod lint;
mod literal;
mod literals_index;
mod markdown;
mod opened;
mod packing;
mod patterns;
mod possible;
mod program;
mod samples;
mod schema;
mod scope;
mod size;
mod sliced;
mod trail;
mod validator;

pub use checker::Checker;
pub use definitions::Definitions;
pub use packing::{Grid, Packing, Rigid, Width};
pub use program::Program;
pub use samples::Samples;
pub use schema::{Check, Demands, Number, Presence, Schema, Shape};

// The sister crates and the tools need these, too. They are no part of what this crate offers, and change as those do.
#[doc(hidden)]
pub use self::{
    defaulting_sink::DefaultingSink,
    fast::{EntryPoint, FilledBytes, FollowStart, PendingReference, RowValidator, Target, Verdict},
    markdown::{PartInWords, markdown_cell},
    packing::alphabet_characters,
    scope::{Definition, ReferenceTable, Scope},
    sliced::Sliced,
    validator::{Scratch, Validator},
};
