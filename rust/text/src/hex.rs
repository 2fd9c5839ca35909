//! Writes and reads bytes as hexadecimal digits.

use std::fmt::{self, Display};

/// Prints two digits a byte.
#[derive(Clone, Copy, Debug)]
pub struct Hex<'b>(pub &'b [u8]);

impl Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Reads digits, or returns `None` for another character, or half a byte.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |[high, low]: &[u8; 2]| Some(nibble(*high)? << 4 | nibble(*low)?);
    if rest.is_empty() { pairs.iter().map(byte).collect() } else { None }
}
