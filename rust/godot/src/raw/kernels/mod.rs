//! Converts text between the engine's 32-bit characters and UTF-8, many characters at a time. It knows no
//! Variant.
//!
//! Every kernel for one processor has a scalar fallback beside it, and a test that both agree.

pub(super) mod narrow;
#[cfg(target_arch = "x86_64")]
mod pairs;
#[cfg(target_arch = "x86_64")]
mod processor;
mod quads;
#[cfg(test)]
mod samples;
pub(super) mod valid;
mod vector;
pub(super) mod widen;
mod window;
