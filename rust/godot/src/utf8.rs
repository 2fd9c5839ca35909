//! Utf8: lends the core a reader of text that uses the processor's wide registers: kernels of our own for short texts, which
//! `simdutf8` leaves to the standard library, its plain twin, and for long ones, which it reads in narrower registers than
//! some processors have. Where they refuse, so does that.

use variant_core::token::{ReadUtf8, has_nul, read_utf8_with};

use crate::raw;

/// For the whole process; a second call changes nothing.
pub(crate) fn lend() {
    read_utf8_with(ReadUtf8 { any, without_nul });
}

fn any(bytes: &[u8]) -> Option<&str> {
    match raw::read_short_utf8(bytes) {
        Some(read) => read,
        None => simdutf8::basic::from_utf8(bytes).ok(),
    }
}

fn without_nul(bytes: &[u8]) -> Option<&str> {
    match raw::read_long_utf8(bytes) {
        Some(read) => read,
        None => any(bytes).filter(|_| !has_nul(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(any(&bytes), expected, "{byte:#x} at {at}");
            let expected = expected.filter(|text| !text.contains('\0'));
            assert_eq!(without_nul(&bytes), expected, "{byte:#x} at {at}");
        }
        assert!(accepted > 1000, "{accepted}");
    }
}
