//! Values read and written where they lie: what a walk over Variants costs when nothing is copied on the way.
//!
//! Only what `layout/` has proven is used. Where a value is not what was foreseen, these walks stop and say so, and
//! the plain walks (`read/`, `build/`, `into/`) begin anew: errors, paths and rare values are theirs.
//! No script runs while one of these is under way: nothing in here calls what could reach one.

mod bits;
mod buffer;
mod builder;
mod children;
mod encoder;
mod frame;
mod keys;
mod leaves;
mod made;
mod names;
mod packed;
mod packs;
mod path_cache;
mod place;
mod scalar;
mod slots;
mod strings;
mod tables;
mod texts;
mod to_slots;
mod updater;

pub(super) use slots::{array_slot, dictionary_slot};

pub(crate) use builder::build;
pub(crate) use encoder::{Bounds, EncodeRoom, encode};
pub(crate) use frame::Frame;
pub(crate) use keys::KeyCache;
pub(crate) use packed::{bytes, is_for_the_engine};
pub(crate) use to_slots::decode;
pub(crate) use updater::update;

/// Whether anything may be read or written in place at all.
pub(crate) fn is_possible() -> bool {
    super::layout::proven().is_some()
}
