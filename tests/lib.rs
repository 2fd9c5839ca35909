//! Makes cargo run the programs of `docs/RUST.md` and `docs/RUST_SERVER.md` as doc tests. The tests that cross crates are in
//! `tests/tests`.
#![doc = include_str!("../docs/RUST.md")]
#![doc = include_str!("../docs/RUST_SERVER.md")]

/// A module of `gdvar protocol rust`. A field has the width that its range asks for, so that a program whose number is wider does
/// not compile:
///
/// ```
/// let (seq, dir, jump) = (7_u16, Default::default(), false);
/// assert_eq!(variant_tests::arena::Move { seq, dir, jump }.seq, 7);
/// ```
///
/// ```compile_fail,E0308
/// let (seq, dir, jump) = (7_u32, Default::default(), false);
/// assert_eq!(variant_tests::arena::Move { seq, dir, jump }.seq, 7);
/// ```
#[path = "protocol/arena.rs"]
#[rustfmt::skip]
pub mod arena;
