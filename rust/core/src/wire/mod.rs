//! Defines the meaning of the bytes: the one type table, dialects and targets, the header word, strictness
//! and limits.
//!
//! Nothing here reads a buffer. Only this module knows type ids and bit positions.

mod coercion;
mod cost;
mod dialect;
pub mod hash;
pub mod hash_table;
mod header;
pub mod heap;
mod limits;
mod target;
mod types;

pub use coercion::{Coercion, coercion};
pub use cost::Cost;
pub use dialect::Dialect;
pub use header::{ContainerKind, Header, WIDE};
pub use limits::{Contents, Limits, MAX_NESTING, RealWidth, Rules, Strictness, TypeSet};
pub use target::Target;
pub(crate) use types::for_each_variant_type;
pub use types::{Lane, Layout, VariantType};
