//! Installs and starts the programs that the project's commands need: engines, emulators and compilers.
//!
//! The checks that use them are in `xtask`.

pub mod child;
pub mod cross;
pub mod engine;
pub mod files;
pub mod flags;
pub mod workspace;
