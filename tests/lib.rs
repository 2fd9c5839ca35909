//! Tests that cross crates live in `tests/`; here are the programs of `docs/RUST.md` alone, which cargo runs.
#![doc = include_str!("../docs/RUST.md")]
