//! Makes cargo run the programs of `docs/RUST.md` as doc tests. The tests that cross crates are in
//! `tests/tests`.
#![doc = include_str!("../docs/RUST.md")]
