//! Gives the core a UTF-8 validator that uses the processor's SIMD registers.
//!
//! Short texts have a kernel of our own, because `simdutf8` leaves them to the standard library, which is the
//! fallback. The core wants long texts without NUL.

use variant_core::token::{has_nul, read_utf8_with};

use crate::raw;

/// Registers the validator for the whole process; a second call changes nothing.
pub(crate) fn lend() {
    read_utf8_with(read);
}

/// Returns bytes as text if they are UTF-8; long ones only if they have no NUL.
pub(crate) fn read(bytes: &[u8]) -> Option<&str> {
    if let Some(read) = raw::read_short_utf8(bytes) {
        return read;
    }
    let is_long = bytes.len() >= raw::LONG_UTF8;
    simdutf8::basic::from_utf8(bytes).ok().filter(|_| !is_long || !has_nul(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_read_without_nul() {
        for text in ["a", "ж", "漢", "😀"] {
            let long = text.repeat(raw::LONG_UTF8);
            assert_eq!(read(long.as_bytes()), Some(&*long));
            assert_eq!(read(format!("{long}\0").as_bytes()), None);
            assert_eq!(read(format!("\0{long}").as_bytes()), None);
            assert_eq!(read(&[long.as_bytes(), b"\xFF"].concat()), None);
        }
    }

    #[test]
    fn it_reads_what_the_standard_library_reads() {
        let characters = ["a", "ж", "漢", "\u{D7FF}", "\u{E000}", "😀", "\u{10FFFF}"];
        let mut accepted = 0;
        for (at, byte) in (0..260_usize).flat_map(|at| (0..=255_u8).map(move |byte| (at, byte))) {
            let mut bytes = characters[at % 7].repeat(40).into_bytes();
            bytes.extend(characters[(at / 7) % 7].bytes());
            let length = bytes.len();
            bytes[at % length] = byte;
            let expected = std::str::from_utf8(&bytes).ok();
            accepted += usize::from(expected.is_some());
            assert_eq!(read(&bytes), expected, "{byte:#x} at {at}");
        }
        assert!(accepted > 1000, "{accepted}");
    }
}
