//! Whether short bytes are UTF-8. The plain twin is [`std::str::from_utf8`].

mod short;

pub(crate) use short::short;

/// Bytes from which on the core wants to know of no NUL.
pub(crate) const LONG: usize = 1024;
