//! Reads and writes values where they lie, so that nothing is copied on the way.
//!
//! It uses only what `layout/` has proven. Where a value is not as it was foreseen, these readers and writers
//! stop and say so, and official calls (`read/`, `build/` and `into.rs` of `engine/`) begin anew: errors,
//! paths and rare values are theirs. No script runs meanwhile: nothing in here calls what could reach one.

mod ahead;
mod answer;
mod bits;
mod buffer;
mod calls;
mod cursor;
mod encoder;
mod encoding;
mod headers;
mod keys;
mod leaves;
mod packed;
mod packed_strings;
mod path_cache;
mod plain;
mod scalar;
mod single;
mod slot;
mod slot_writer;
mod slots;
mod strings;
mod tables;
mod templates;
mod text_cache;
mod texts;
mod unowned;
mod updater;

pub(super) use slots::{dictionary_types, element_type};

pub(crate) use encoding::{Bounds, EncodeRoom, append, encode, lend_encoded};
pub(crate) use keys::KeyCache;
pub(crate) use packed::{BorrowedBytes, bytes, is_large_numbers};
pub(crate) use plain::make;
pub(crate) use single::decode_single;
pub(crate) use slot_writer::put;
pub(crate) use slots::may_be_typed;
pub(crate) use unowned::{copy, null, put_int, put_truth, take};
pub(crate) use updater::update;

/// Tells whether anything may be read or written in place at all.
pub(crate) fn is_possible() -> bool {
    super::layout::proven().is_some()
}
