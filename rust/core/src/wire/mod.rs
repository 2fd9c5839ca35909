//! What the bytes mean: the one type table, the header word, strictness and limits.
//!
//! Nothing here reads a buffer. Only this module knows type ids and bit positions.

mod coercion;
pub mod hash;
pub(crate) mod hash_table;
mod header;
pub mod heap;
mod limits;
mod types;

pub use coercion::{Coercion, coercion};
pub use header::{ContainerKind, Header, WIDE};
pub use limits::{Limits, MAX_NESTING, Rules, Strictness, TypeSet};
pub use types::{Lane, Layout, VARIANT_TYPE_COUNT, VariantType};
