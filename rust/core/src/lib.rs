//! Reads and writes Godot's Variant binary format outside the engine: the bytes of `var_to_bytes` and
//! `bytes_to_var`.
//!
#![doc = include_str!("../README.md")]
//!
//! # How it is made
//!
//! ```text
//! bytes ─► Cursor ─► token::read ─► Walker ─► Sink ─┬─ ToValue   a Rust tree
//!                                                   ├─ Encoder   bytes again
//!                                                   └─ Skip      is it valid, where does it end
//! Value ─► source ─► Encoder ─► token::write ─► bytes
//! ```
//!
//! | you want to | call |
//! |---|---|
//! | read bytes into a tree | [`decode`] |
//! | write a tree | [`Value::encode`]; into a stream [`Framing::write`] |
//! | know whether bytes are valid | [`validate`] |
//! | read what arrives in pieces | [`PushDecoder`] |
//! | read a stream of values, or a container entry by entry | [`FrameReader`] |
//! | read into something of your own | [`Walker::decode`] with your [`Sink`] |
//! | ask for one token after another | [`Pull`] |
//! | write from something of your own | [`Encoder`] |
//! | turn Godot 3 bytes into Godot 4 bytes | [`transcode`] |
//! | know which Godot bytes may be from | [`guess_dialect`] |
//!
//! It promises: no panic, no unsafe code, no recursion over the input (but for 32 levels of the fast path of
//! `validate` and `decode`), nothing allocated because bytes claim a size, time linear in the input. An arrow
//! in the drawing is the only knowledge a module has of another: imports go left.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "extension"),
    allow(
        unreachable_pub,
        unused_imports,
        dead_code,
        reason = "what only the extension and the tests link is there all the same"
    )
)]
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

#[doc(hidden)]
pub mod cursor;
mod encode;
mod error;
mod error_location;
mod fault;
mod flood;
mod framing;
mod mistake;
mod path;
mod plain;
mod push;
mod quote;
mod rejection;
mod sink;
mod sorted;
pub mod token;
mod transcode;
mod tricks;
mod value;
mod walk;
#[doc(hidden)]
pub mod wire;

pub use encode::Encoder;
pub use error::Error;
pub use error_location::ErrorLocation;
pub use fault::ErrorKind;
pub use framing::{FrameReader, Framing, Stop};
pub use mistake::{Mistake, Mistakes};
pub use path::{Path, Step};
pub use push::{Progress, PushDecoder};
pub use rejection::{Place, Rejection};
pub use sink::{Refusal, Sink, Skip};
pub use sorted::sort_keys;
pub use transcode::{guess_dialect, transcode};
pub use value::{
    Array, Dictionary, ElementType, NodePath, Object, PackedReals, PartialContainer, Reals, Signal, ToValue,
    Value,
};
pub use walk::{Extent, Pull, Walker, peek_type, validate};
pub use wire::{Dialect, Limits, RealWidth, Rules, Strictness, Target, TypeSet, VariantType};

// The sister crates and the tools need these, too. They are no part of what this crate offers, and change as those do.
#[doc(hidden)]
pub use self::{
    fault::{Fault, Part},
    plain::{FlatNames, is_flat},
    push::PushWalker,
    quote::{EscapedText, QuotedText},
    tricks::Trick,
    walk::key_hash,
    wire::{Contents, Cost},
};
// These are the fast paths of the extension, which builds the engine's values, and of the tests of them. They
// are no part of what this crate offers, and change as those do.
#[cfg(any(test, feature = "extension"))]
#[doc(hidden)]
pub use self::{
    plain::{CheckBy, EntryTypes, Make, PlainLeaf, free_levels, make_first},
    sink::BuildCheck,
    walk::{Single, may_be_single, single},
};

/// Reads the value that `bytes` begin with.
///
/// # Errors
/// Reports the first fault, with kind, byte and path.
pub fn decode(bytes: &[u8], rules: &Rules) -> Result<Value, Error> {
    match value::tree(bytes, rules) {
        Some(value) => Ok(value),
        None => Walker::new().decode(bytes, rules, &mut ToValue).map(|(value, _)| value),
    }
}

// Tests share a check with the testkit, which knows this crate by its name.
#[cfg(test)]
extern crate self as variant_core;
#[cfg(test)]
#[path = "../../testkit/src/build_check.rs"]
#[expect(unreachable_pub, reason = "the testkit has it too")]
mod build_check;
#[cfg(test)]
#[path = "../../testkit/src/same_key.rs"]
#[expect(unreachable_pub, reason = "the testkit has it too")]
mod same_key;
#[cfg(test)]
mod tests;
