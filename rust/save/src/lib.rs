//! Writes, verifies, opens, previews and recovers files of "save format 1", and keeps backups of them.
//!
//! ```text
//! write:  payload ─► cut ─► pack ─► seal ─► chunks with CRC-32 ─► BLAKE3 over all ─► place (backups, rename)
//! open:   choose a file ─► chunks ─► BLAKE3 ─► key check ─► unseal ─► unpack ─► payload
//! ```
//! A payload is one value in Godot's binary format; this crate reads it only to cut it, and to join what is left of it: between the
//! entries of its root Dictionary, or the rows of a document of objects. The format is described in docs/SAVE_FORMAT.md. Every refusal is a [`SaveFault`] with its
//! kind and its byte. Nothing is allocated because a file claims a size.
//!
//! ```
//! use variant_save::{Draft, OpenOptions, open, write};
//!
//! let payload = variant_core::Value::Int(7).encode()?;
//! let file = write(&Draft::new(&payload)).expect("a random id");
//! let opened = open(&file, &OpenOptions::default()).expect("an intact file");
//! assert_eq!(opened.payload, payload);
//!
//! let mut damaged = file.clone();
//! damaged[60] ^= 1;
//! assert_eq!(open(&damaged, &OpenOptions::default()).unwrap_err().kind, variant_save::Kind::Damaged);
//! # Ok::<(), variant_core::Error>(())
//! ```
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod choose;
mod chunk;
pub mod container;
mod cut;
mod disk;
mod document;
mod fault;
mod head;
mod keys;
mod lineage;
mod move_to;
mod names;
mod open;
mod pack;
mod peek;
mod place;
mod rebuild;
mod recover;
mod remove;
mod replace;
mod ring;
mod slice;
#[cfg(test)]
mod tests;
mod unpack;
mod verdict;
mod write;

pub use choose::{ChoiceError, ChosenFile, Search, choose};
pub use disk::{Disk, RealDisk};
pub use fault::{Kind, SaveFault};
pub use head::{Compression, Head, MOST_ANCESTORS, SaveId};
pub use keys::{KdfCost, SaveKeys};
pub use lineage::{Order, compare};
pub use move_to::move_to;
pub use names::{backup_path, save_of_side_file};
pub use open::{END_OF_FILE, OpenOptions, SaveContents, identity, open, open_watched, verify};
pub use pack::Packer;
pub use peek::{SaveFront, Thumbnail, peek};
pub use place::{PlaceError, PlaceOutcome, PlacePlan, Placing, Standing};
pub use recover::{RecoveredEntries, recover};
pub use remove::remove;
pub use replace::{OldFile, Replacement, target_of};
pub use ring::{Ring, ring};
pub use unpack::Unpack;
pub use verdict::{FileError, Refusal, Verdict, judge};
pub use write::{Draft, Protection, WriteError, write};

/// The first eight bytes of every save. They show whether a transfer has cut off the eighth bit or changed
/// line ends.
pub const SIGNATURE: [u8; 8] = *b"\x89VSAV\r\n\x1a";
/// The newest format that this crate reads, and the one that it writes.
pub const FORMAT: u16 = 1;
/// The size of the largest metadata and the largest thumbnail: both are read before the state is.
pub const MOST_META_BYTES: usize = 1 << 20;
