//! Columns: differences of keyed arrays by their numbers, each predicted from the base or from two of them, all of one kind
//! in one code. docs/PACKED_FORMAT.md has the bits under "Columns".

pub(crate) mod apply;
pub(crate) mod code;
mod cost;
pub(crate) mod differ;
mod entries;
mod likely;
mod mask;
mod parts;
mod plan;
pub(crate) mod predict;
mod row;
mod trial;

pub(crate) use parts::Part;
pub use parts::{MeasuredPart, PartStates};
pub(crate) use plan::{Plan, complete};
pub(crate) use predict::Distances;
pub(crate) use trial::States;
