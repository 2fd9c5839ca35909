//! Checks whether short bytes are UTF-8. The fallback is [`std::str::from_utf8`].

mod short;

pub(crate) use short::short;

/// The number of bytes from which on the core checks for NUL by itself.
pub(crate) const LONG: usize = 1024;
