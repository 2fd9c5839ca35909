//! Gives the core a UTF-8 validator that uses the processor's SIMD registers.
//!
//! Short texts have a kernel of our own, because `simdutf8` leaves them to the standard library, which is the
//! fallback.

use variant_core::token::read_utf8_with;

use crate::raw;

/// Registers the validator for the whole process; a second call changes nothing.
pub(crate) fn lend() {
    read_utf8_with(read);
}

/// Returns bytes as text if they are UTF-8.
pub(crate) fn read(bytes: &[u8]) -> Option<&str> {
    raw::read_short_utf8(bytes).unwrap_or_else(|| simdutf8::basic::from_utf8(bytes).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_what_the_standard_library_reads() {
        let characters = ["a", "ж", "漢", "\u{D7FF}", "\u{E000}", "😀", "\u{10FFFF}"];
        let mut accepted = 0;
        for (at, byte) in (0..260_usize).flat_map(|at| (0..=255_u8).map(move |byte| (at, byte))) {
            // `simdutf8` reads the long ones.
            let times = if at % 16 == 0 { 600 } else { 40 };
            let mut bytes = characters[at % 7].repeat(times).into_bytes();
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
