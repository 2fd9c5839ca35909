//! Builds the library for other platforms, with the compilers, emulators and system libraries that each
//! needs.
//!
//! `cargo xtask cross` judges the results.

pub mod glibc;
pub mod kits;
pub mod rows;
pub mod tools;
pub mod wine;
