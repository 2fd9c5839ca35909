//! Makes cargo run the programs of `docs/RUST.md` and `docs/RUST_SERVER.md` as doc tests. The tests that cross crates are in
//! `tests/tests`.
#![doc = include_str!("../docs/RUST.md")]
#![doc = include_str!("../docs/RUST_SERVER.md")]
