//! Holds everything that tests, fuzzing and benches share. It is not published, no product code depends on
//! it, and it may panic.
//!
//! | module | gives |
//! |---|---|
//! | [`golden`] | the bytes that a real engine wrote, with their meaning |
//! | [`malformed`] | bytes that a real engine was asked to read, with its verdict |
//! | [`arbitrary`] | proptest strategies: values of every type, and bytes that are nearly right |
//! | [`attack`] | the attack corpus: hostile inputs with the answer due to each |
//! | [`mutate`] | millions of broken inputs a minute, the same ones for the same seed |
//! | [`nest`] | deeply nested blobs |
//! | [`oracle`] | a second decoder, written from FORMAT.md alone |
//! | [`describe`] | a [`Value`](variant_core::Value) in the oracle's words |
//! | [`build_check`] | a walk that goes before a builder, against one that goes alone |
//! | [`same_key`] | whether two values are one key to a Dictionary |
//! | [`loss`] | the parts of a value that an engine would drop, convert or overwrite |
//! | [`pieces`] | a push decoder against the whole, however an input is cut |
//! | [`streams`] | a frame reader against whole decodes, however a stream is cut |
//! | [`properties`] | the properties that hold for every input; tests and fuzz targets call these |
//! | [`protocols`] | a server and a client of the protocol, played as an input says |
//! | [`bounds`] | limits against the values they should bound |
//! | [`schema`] | random schemas, values near them, and a second checker |
//! | [`objects`] | documents of objects and what the engine writes with objects, against the classes of a game |
//! | [`packed`] | a second packer, written from PACKED_FORMAT.md alone, against the library |
//! | [`saves`] | save files of any bytes: one verdict, and what opens is written and recovered again |
//! | [`typed`] | types that derive serde, and what must hold when any bytes are read into them |
//! | [`targets`] | the properties as fuzz targets |
//! | [`hex`] | bytes as pairs of hex digits |
#![forbid(unsafe_code)]

pub mod arbitrary;
pub mod attack;
pub mod bounds;
pub mod build_check;
pub mod canonical;
pub mod describe;
pub mod golden;
pub mod hex;
pub mod loss;
pub mod malformed;
pub mod mutate;
pub mod nest;
pub mod objects;
pub mod oracle;
pub mod packed;
pub mod pieces;
pub mod properties;
pub mod protocols;
pub mod same_key;
pub mod saves;
pub mod schema;
pub mod streams;
pub mod targets;
pub mod typed;
