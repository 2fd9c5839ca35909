//! Brings the programs that the project's commands need: engines of several kinds, emulators of other processors,
//! compilers for other platforms. It installs and starts them; the checks that use them stand in `xtask`.

pub mod child;
pub mod cross;
pub mod engine;
pub mod files;
pub mod flags;
pub mod workspace;
