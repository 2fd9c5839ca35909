//! Reads, checks and writes documents of objects, `variant_objects/1`, by an allow-list of classes and without the engine.
//!
//! A document is one ordinary value: `[form, classes, value]`, with a fourth element where containers in plain values are declared
//! for a class. A class is `[tag, version, names, rows]`, a row holds the
//! values of one object in the order of the names, and an RID stands for an object: its upper half is the number of the
//! class from 1 on, its lower half the row. So sharing and cycles are kept, and depth of a graph costs no depth of a value.
//!
//! ```text
//! Class ─► Table ─► check ─► Heads    which classes, versions and names, with limits charged
//!                          ─► Judge   every value by its schema, every reference; builds, if somebody wants to
//!                          ─► Graph   every object is led to, and in which order
//!       ─► straight               the first two in one pass, of bytes that lie as today's writer lays them
//! ```
//!
//! Nothing here makes an object, runs code of a class, or looks up a name that bytes contain: names are only compared with
//! those of the table. `variant-schema` says how a property has to look.
//!
//! ```
//! use variant_core::{Rules, Value};
//! use variant_objects::{Class, Document, Property, Scratch, Table};
//! use variant_schema::Schema;
//!
//! let hero = Class::new("hero", [Property::new("hp", Schema::int().min(0).max(100))]);
//! let table = Table::new(vec![hero])?;
//! let mut document = Document::default();
//! document.value = document.add("hero", 1, &["hp"], vec![Value::Int(7)]);
//! let bytes = document.to_value().encode()?;
//! assert_eq!(table.check(&mut Scratch::default(), &bytes, &Rules::default(), None)?.objects(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
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

mod check;
mod depth;
mod document;
mod engine;
mod fast;
mod graph;
mod heads;
mod judge;
mod own_classes;
mod place;
mod program;
mod reference;
mod refusal;
mod table;
#[cfg(test)]
mod tests;
mod translate;
mod typed;

pub use check::{Scratch, rules_of};
pub use document::{Document, Rows};
pub use judge::CheckedDocument;
pub use reference::{any_object, is_document, is_encoded_document, object};
pub use table::{Class, ClassKind, Property, Table};

// The sister crates and the tools need these, too. They are no part of what this crate offers, and change as those do.
#[doc(hidden)]
pub use self::{
    document::{begin_array, begin_class, begin_document},
    engine::{EngineClass, TranslatedDocument, engine_rules_of},
    heads::Head,
    judge::Chunk,
    own_classes::with_objects_as,
    reference::{ObjectOrder, Reference, stand_in},
    table::Column,
    typed::{class_of_mark, mark, rids_in},
};

/// The first element of every document: the form and its version.
pub const FORM: &str = "variant_objects/1";

/// The memory that an object costs beside what its row does: what the engine needs for one with a script, and a slot for
/// each property of its class.
pub const OBJECT_HEAP: u64 = 512;
/// The memory of a property's slot.
pub const SLOT_HEAP: u64 = 24;
