//! Writes and reads bytes as pairs of hex digits. It makes no dump with offsets.

use std::fmt::{self, Display, Write};

/// Prints bytes as hex.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'a>(pub &'a [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| {
            f.write_char(digit(byte >> 4))?;
            f.write_char(digit(byte & 15))
        })
    }
}

fn digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or('?')
}

/// Reads the bytes that hex digits name; spaces are skipped.
///
/// # Panics
/// On anything but pairs of hex digits.
#[must_use]
#[track_caller]
pub fn bytes(text: &str) -> Vec<u8> {
    let value = |c: char| c.to_digit(16).unwrap_or_else(|| panic!("`{c}` is no hex digit in `{text}`"));
    let digits: Vec<u32> = text.chars().filter(|c| !c.is_whitespace()).map(value).collect();
    let (pairs, rest) = digits.as_chunks::<2>();
    assert!(rest.is_empty(), "half a byte at the end of `{text}`");
    pairs.iter().map(|[high, low]| u8::try_from(high * 16 + low).unwrap_or_default()).collect()
}
