//! Counts what keys and names cost the engine's hash tables, so that a flood of equal hashes is refused before it is built.
//!
//! It knows hashes and distances, and no values. [`Probes`] stands for the tables of dictionaries, [`Names`] for the
//! engine's one table of StringNames.

mod bound;
mod divisor;
mod key_hash;
mod last_path;
mod names;
mod probes;
pub(crate) mod scratch;
mod string_names;

pub(crate) use key_hash::KeyHash;
pub(crate) use names::Names;
pub(crate) use probes::{Probes, SMALL};
