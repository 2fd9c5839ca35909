//! Finds the oldest glibc that a library runs on, from the names of the symbol versions that it needs.
//!
//! The names stand as text in its table of strings, so the ELF file is not parsed.

use std::fmt;

/// The newest glibc that a release may need: RHEL 8, Debian 10, Ubuntu 20.04 and newer have it.
pub(crate) const FLOOR: Glibc = Glibc(2, 28);

/// Holds a version of glibc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Glibc(u32, u32);

impl fmt::Display for Glibc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0, self.1)
    }
}

/// Returns the newest version that a library needs; `None` for a library that does not use glibc.
pub(crate) fn needed(library: &[u8]) -> Option<Glibc> {
    const MARK: &[u8] = b"GLIBC_";
    let at = library.iter().enumerate().filter(|(_, byte)| **byte == b'G').map(|(at, _)| &library[at..]);
    at.filter_map(|rest| read(rest.strip_prefix(MARK)?)).max()
}

/// Reads `2.28` up to the next zero byte; `2.3.4` counts as 2.3.
fn read(text: &[u8]) -> Option<Glibc> {
    let end = text.iter().take(16).position(|byte| *byte == 0)?;
    let mut numbers = std::str::from_utf8(&text[..end]).ok()?.split('.');
    Some(Glibc(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_counts() {
        let library = b"\x7fELF..GLIBC_2.2.5\0memcpy\0GLIBC_2.14\0GLIBC_2.9\0GLIBC_PRIVATE\0GCC_3.0\0";
        assert_eq!(needed(library), Some(Glibc(2, 14)));
        assert!(needed(library) <= Some(FLOOR) && needed(b"GLIBC_2.34\0") > Some(FLOOR));
        assert_eq!(needed(b"MZ GLIBC_"), None);
        assert_eq!(FLOOR.to_string(), "2.28");
    }
}
