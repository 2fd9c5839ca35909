//! Validates UTF-8: by the standard library, or by a faster validator that a program registers.
//!
//! The core has neither `unsafe` nor dependencies, so it cannot use a processor's SIMD registers itself. A
//! program that can do so registers its validator here; because the result is a `str`, it cannot lie about
//! the bytes being text.

use std::sync::OnceLock;

/// Validates bytes as [`std::str::from_utf8`] does; returns `None` where that returns an error.
pub type ReadUtf8 = for<'a> fn(&'a [u8]) -> Option<&'a str>;

static READER: OnceLock<ReadUtf8> = OnceLock::new();

/// Registers a validator for texts that are not ASCII, in the whole process and from now on. The first one
/// stays; returns false when there is one already.
pub fn read_utf8_with(reader: ReadUtf8) -> bool {
    READER.set(reader).is_ok()
}

/// Returns the bytes as text. It is not inlined, because most texts are ASCII and would pay for it.
#[inline(never)]
pub(super) fn read(bytes: &[u8]) -> Option<&str> {
    match READER.get() {
        Some(reader) => reader(bytes),
        None => std::str::from_utf8(bytes).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests all of it in one test, because a registered validator stays for the whole process. Other tests
    /// read texts meanwhile, so this one agrees with the standard library but for a letter that no other test
    /// has.
    #[test]
    fn texts_are_read_by_what_is_lent() {
        fn all_but_one(bytes: &[u8]) -> Option<&str> {
            let is_refused = bytes.starts_with("ҩ".as_bytes());
            std::str::from_utf8(bytes).ok().filter(|_| !is_refused)
        }
        let long = "ҩ".repeat(500);
        assert_eq!(read(long.as_bytes()), Some(&*long));
        assert_eq!(read("ҩ".as_bytes()), Some("ҩ"));
        assert!(read_utf8_with(all_but_one));
        assert_eq!(read(long.as_bytes()), None, "asked for a thousand bytes");
        assert_eq!(read("ҩ".as_bytes()), None, "asked for two");
        assert_eq!(read("ж".as_bytes()), Some("ж"));
        assert_eq!(read(&[0xFF; 100]), None);
        assert!(!read_utf8_with(|_| None), "the first one stays");
    }
}
