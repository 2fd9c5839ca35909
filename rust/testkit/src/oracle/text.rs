//! Reads text for the oracle, with UTF-8 decoded by hand, since the core leaves it to the standard library.

/// Reads a text by rule 5: one leading mark is dropped, a NUL ends the text, the rest is strict UTF-8.
pub fn clean_text(bytes: &[u8]) -> Option<String> {
    let bytes = bytes.strip_prefix(&[0xEF, 0xBB, 0xBF]).unwrap_or(bytes);
    let mut rest = bytes.split(|byte| *byte == 0).next()?;
    let mut text = String::new();
    while let Some(first) = rest.first() {
        let (length, lead, smallest) = match first {
            0x00..=0x7F => (1, first & 0x7F, 0),
            0xC0..=0xDF => (2, first & 0x1F, 0x80),
            0xE0..=0xEF => (3, first & 0x0F, 0x800),
            0xF0..=0xF7 => (4, first & 0x07, 0x1_0000),
            _ => return None,
        };
        let (character, after) = rest.split_at_checked(length)?;
        let mut code = u32::from(lead);
        for byte in &character[1..] {
            if byte & 0xC0 != 0x80 {
                return None;
            }
            code = code << 6 | u32::from(byte & 0x3F);
        }
        if code < smallest {
            return None;
        }
        // This refuses surrogates and everything above U+10FFFF.
        text.push(char::from_u32(code)?);
        rest = after;
    }
    Some(text)
}
