//! Makes Variants, takes them apart and updates them by official calls of the engine, and knows what this engine does otherwise.
//! The room `raw` reads the memory of the engine.

pub(crate) mod build;
pub(crate) mod declared;
pub(crate) mod fallbacks;
pub(crate) mod into;
pub(crate) mod key_hashes;
pub(crate) mod names;
mod numbers;
pub(crate) mod quiet;
pub(crate) mod read;
pub(crate) mod samples;
pub(crate) mod utf8;
