//! Packs values into as few bits as their schema allows, and differences between them into fewer. It transcodes: what goes
//! in and comes out is Godot's binary format; nothing here knows Godot. docs/PACKED_FORMAT.md has the bits.
//!
//! ```text
//! engine bytes ─► take ─► codes ─► write ─► packed bits
//!              ◄─ make ◄─  │   ◄─ read  ◄─
//!                          ├─ differ ─► delta
//!                          └─ apply  ◄─ delta
//! ```
//!
//! Writing and reading are one walk, `pass`, and making and applying a difference another, `delta`, each in two directions.
//!
//! A part that always has as many codes goes each way by a row, a flat plan. Where codes prove all that a schema asks, nobody
//! looks at the value that is made of them.
//!
//! A code is a number that stands for a part of a value. Each value has exactly one row of codes and each row one form in
//! bits, so that accepted bytes pack again to themselves, and a delta, which is a difference of codes, cannot drift.
//!
//! ```
//! use variant_core::{Rules, Value};
//! use variant_pack::{Layout, Packer};
//! use variant_schema::Schema;
//!
//! let schema = Schema::dict([("hp", Schema::int().min(0).max(100)), ("on", Schema::bool())]);
//! let layout = Layout::compile(schema.compile()?.into())?;
//! let value = Value::from([("hp", Value::Int(80)), ("on", Value::Bool(true))]);
//! let mut packer = Packer::new();
//! let packed = packer.pack(&layout, &value.encode()?, &Rules::default())?.to_vec();
//! assert_eq!(packed.len(), 1);
//! assert_eq!(packer.unpack(&layout, &packed, &Rules::default())?, value.encode()?);
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

mod apply;
mod bases;
mod bits;
mod codes;
mod columns;
mod compile;
mod count;
mod deal;
mod defaults;
mod delta;
mod differ;
mod digest;
mod fault;
mod fixed_record;
mod grid;
mod half;
mod judge;
mod keyed;
mod layout;
mod leaf;
mod ledger;
mod make;
mod mask;
mod math_types;
mod measure;
mod number_codec;
mod packer;
#[doc(hidden)]
pub mod parts;
mod pass;
mod precision;
mod proof;
mod read;
mod rotation;
mod size;
mod slots;
mod spots;
mod tag;
mod take;
mod text;
mod unions;
mod write;

pub use bases::Bases;
pub use deal::MOST_PARTS;
pub use layout::Layout;
pub use measure::{Deviation, Measurement};
pub use packer::Packer;
pub use precision::Precision;
pub use size::Size;
pub use spots::{ErrorLocation, Share};
pub use tag::Tagging;

// The sister crates and the tools need these, too. They are no part of what this crate offers, and change as those do.
#[doc(hidden)]
pub use self::{
    codes::{CodeBases, Codes},
    columns::{MeasuredPart, PartStates},
    deal::{Deal, PartBits, PartSet},
    digest::fnv,
    fixed_record::SlotWriter,
    proof::made_rules,
};

#[cfg(test)]
mod tests;
