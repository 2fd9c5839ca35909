//! The commands, one file each: what they read, what they ask the libraries, what they say.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod guess;
pub(crate) mod json;
pub(crate) mod look;
pub(crate) mod packed;
pub(crate) mod protocol;
pub(crate) mod save;
pub(crate) mod scan;
pub(crate) mod schema;
pub(crate) mod shell;
pub(crate) mod split;
pub(crate) mod transcode;
