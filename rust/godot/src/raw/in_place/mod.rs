//! Values read and written where they lie: what a walk over Variants costs when nothing is copied on the way.
//!
//! Only what `layout/` has proven is used. Where a value is not what was foreseen, these walks stop and say so, and
//! the plain walks (`read/`, `build/`, `into/`) begin anew: errors, paths and rare values are theirs.
//! No script runs while one of these is under way: nothing in here calls what could reach one.

mod bits;
mod buffer;
mod encoder;
mod leaves;
mod names;
mod slots;
mod texts;

pub(super) use slots::{array_slot, dictionary_slot};

pub(crate) use encoder::{Bounds, EncodeRoom, encode};
