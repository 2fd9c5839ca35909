//! Columns: differences of keyed arrays by their numbers, each predicted from the base or from two of them, all of one kind
//! in one code. docs/PACKED_FORMAT.md has the bits under "Columns".
//!
//! ```text
//! plan       which parts of a schema are columns
//! predict    a number, an angle or a rotation from two earlier ones
//! likely     the codes of a value by those
//! code       the bits of how far a number is from that
//! mask       the bits of a choice among entries
//! entries    the entries that a writer may have to tell
//! row        how far the numbers of an entry are
//! trial      what each column would take, for the writer
//! differ     the writer
//! apply      the reader
//! entry      an entry that it keeps
//! ```

pub(crate) mod apply;
pub(crate) mod code;
mod cost;
pub(crate) mod differ;
mod entries;
mod entry;
mod likely;
mod mask;
mod plan;
pub(crate) mod predict;
mod row;
mod trial;

pub(crate) use plan::{Plan, complete};
pub(crate) use predict::Distances;
pub(crate) use trial::States;
