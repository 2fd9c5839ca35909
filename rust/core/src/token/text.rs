//! Holds text whose bytes have been checked, cut and cleaned as the engine does it.
//!
//! The engine skips one leading byte order mark, stops at the first NUL and then requires strict UTF-8
//! (FORMAT.md 5.1 rule 5). In SAFE strictness a mark or a NUL is an error instead.

use super::utf8;
use crate::fault::ErrorKind;
use crate::wire::Rules;

/// Holds valid UTF-8 without NUL, and knows whether it is ASCII, for which a sink has a faster constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a>(CheckedText<'a>);

/// Holds the checked text. A fast scan finds ASCII; making a `str` of the same bytes would check them all
/// again, which a walk that only checks does not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckedText<'a> {
    /// INVARIANT: every byte is below 0x80.
    Ascii(&'a [u8]),
    /// INVARIANT: some byte is not below 0x80.
    Wide(&'a str),
}

/// Lists the three forms of text in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// The form of a String, StringName, class, property or signal name: the length counts the text only.
    Plain,
    /// The form of a PackedStringArray's entry: the length counts a terminating NUL.
    Terminated,
    /// The form of a NodePath's name: as [`Plain`](TextForm::Plain), but engines before 4.6.3 left heap bytes
    /// in the padding.
    PathName,
}

const BOM: &[u8] = &[0xEF, 0xBB, 0xBF];
const TOPS: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

impl<'a> Text<'a> {
    /// Makes a text of a `str`. A NUL cuts it, as in the engine.
    #[must_use]
    #[inline]
    pub fn new(text: &'a str) -> Text<'a> {
        match scanned(text.as_bytes()) {
            (true, false) => Text(CheckedText::Ascii(text.as_bytes())),
            (false, false) => Text(CheckedText::Wide(text)),
            (_, true) => Text::of(text.split('\0').next().unwrap_or_default()),
        }
    }

    /// Returns what a reader sees of a text, which is what stands before a NUL. To make a [`Text`] of it and a `str` of that
    /// would check every byte again.
    #[inline]
    pub(crate) fn seen(text: &str) -> &str {
        let (_, has_nul) = scanned(text.as_bytes());
        if has_nul { text.split('\0').next().unwrap_or_default() } else { text }
    }

    fn of(text: &'a str) -> Text<'a> {
        Text(if text.is_ascii() { CheckedText::Ascii(text.as_bytes()) } else { CheckedText::Wide(text) })
    }

    /// Checks and cleans the bytes of a text field (without padding).
    pub(crate) fn from_wire(bytes: &'a [u8], form: TextForm, rules: &Rules) -> Result<Text<'a>, ErrorKind> {
        let body = match (form, bytes) {
            (TextForm::Terminated, [body @ .., 0]) => body,
            _ => bytes,
        };
        if let Some(text) = Text::plain(body) {
            return Ok(text);
        }
        let unmarked = match body.strip_prefix(BOM) {
            Some(_) if rules.is_safe() => return Err(ErrorKind::LeadingBom),
            Some(rest) => rest,
            None => body,
        };
        let cut = match unmarked.contains(&0) {
            true if rules.is_safe() => return Err(ErrorKind::EmbeddedNul),
            true => unmarked.split(|byte| *byte == 0).next().unwrap_or_default(),
            false => unmarked,
        };
        utf8::read(cut).map(Text::of).ok_or(ErrorKind::InvalidUtf8)
    }

    /// Returns the bytes of a text field as text, if nothing in them has to be cut, cleaned or refused.
    #[inline]
    pub(crate) fn plain(bytes: &'a [u8]) -> Option<Text<'a>> {
        let (ascii, has_nul) = scanned(bytes);
        if has_nul || (!ascii && bytes.starts_with(BOM)) {
            return None;
        }
        Some(Text(if ascii { CheckedText::Ascii(bytes) } else { CheckedText::Wide(utf8::read(bytes)?) }))
    }

    /// Makes a text of bytes that the caller has found to be below 0x80, without a NUL.
    #[inline]
    pub(super) const fn seen_ascii(bytes: &'a [u8]) -> Text<'a> {
        Text(CheckedText::Ascii(bytes))
    }

    pub(crate) fn characters(&self) -> usize {
        match self.0 {
            CheckedText::Ascii(bytes) => bytes.len(),
            CheckedText::Wide(text) => text.chars().count(),
        }
    }

    /// Returns the bytes of the text.
    #[inline]
    #[must_use]
    pub const fn as_bytes(&self) -> &'a [u8] {
        match self.0 {
            CheckedText::Ascii(bytes) => bytes,
            CheckedText::Wide(text) => text.as_bytes(),
        }
    }

    /// Returns the text as a `str`. Where bytes are enough, [`Text::as_bytes`] costs nothing.
    #[inline]
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        match self.0 {
            // ASCII is UTF-8, so the other arm is never taken.
            CheckedText::Ascii(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(_) => "",
            },
            CheckedText::Wide(text) => text,
        }
    }

    /// Tells whether every character is below U+0080.
    #[must_use]
    pub const fn is_ascii(&self) -> bool {
        matches!(self.0, CheckedText::Ascii(_))
    }

    /// Tells whether it has no character.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.as_bytes().is_empty()
    }
}

/// Tells whether all bytes are ASCII, and whether one is NUL, eight bytes at a time. A byte is zero if it has
/// no top bit and gets one when 1 is subtracted; a borrow from it can only make a second NUL of the byte
/// behind the first.
#[inline]
fn scanned(bytes: &[u8]) -> (bool, bool) {
    let (words, _) = bytes.as_chunks();
    let nuls_of = |word: u64| word.wrapping_sub(ONES) & !word;
    let mut tops = last_word(bytes);
    let mut nuls = nuls_of(tops);
    for word in words.iter().map(|word| u64::from_le_bytes(*word)) {
        tops |= word;
        nuls |= nuls_of(word);
    }
    (tops & TOPS == 0, nuls & TOPS != 0)
}

/// Returns a word of the last bytes only, each of them once or more: a loop over them would be mispredicted,
/// because their number differs from text to text.
#[inline]
fn last_word(bytes: &[u8]) -> u64 {
    let twice = |half: u64| half | half << 32;
    if let Some(last) = bytes.last_chunk() {
        u64::from_le_bytes(*last)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        twice(u64::from(u16::from_le_bytes(*first)) | u64::from(u16::from_le_bytes(*last)) << 16)
    } else {
        bytes.first().map_or(ONES, |byte| u64::from(*byte).wrapping_mul(ONES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Limits;

    const SAFE: Rules = Rules::safe(Limits::engine());
    /// The length of a text that fills many words.
    const LONG: usize = 1024;

    #[track_caller]
    fn reads(bytes: &[u8], form: TextForm, engine: Result<&str, ErrorKind>, safe: Result<&str, ErrorKind>) {
        assert_eq!(Text::from_wire(bytes, form, &Rules::engine()).map(|t| t.as_str()), engine, "engine");
        assert_eq!(Text::from_wire(bytes, form, &SAFE).map(|t| t.as_str()), safe, "safe");
    }

    #[test]
    fn bytes_are_scanned_eight_at_a_time() {
        for length in 0..20 {
            let mut bytes = vec![b'a'; length];
            assert_eq!(scanned(&bytes), (true, false));
            for at in 0..length {
                for byte in [0, 1, 0x7F, 0x80, 0x81, 0xFF] {
                    bytes[at] = byte;
                    assert_eq!(scanned(&bytes), (byte < 0x80, byte == 0), "{byte} at {at} of {length}");
                }
                bytes[at] = b'a';
            }
        }
    }

    /// Tests that a text is plain exactly when the full check accepts it, and that both give the same text.
    #[test]
    fn plain_text_is_what_is_read_with_care() {
        for text in ["", "a", "an ASCII text", "съешь ещё", "a\u{FEFF}b", "\u{FEFF}b", "a\0b", "😀"]
        {
            let read = Text::from_wire(text.as_bytes(), TextForm::Plain, &SAFE).ok();
            assert_eq!(Text::plain(text.as_bytes()), read, "{text:?}");
        }
        assert_eq!(Text::plain(b"\xED\xA0\x80"), None);
    }

    #[test]
    fn what_is_seen_is_the_text() {
        for text in [
            "",
            "a",
            "an ASCII text",
            "съешь ещё",
            "\u{FEFF}b",
            "a\0b",
            "ж\0",
            "\0",
            "sixteen letters\0, and more",
        ] {
            assert_eq!(Text::seen(text), Text::new(text).as_str(), "{text:?}");
        }
    }

    #[test]
    fn long_text_is_what_is_read_with_care() {
        for text in ["a", "ж", "漢", "😀"] {
            for length in [LONG - 1, LONG, LONG + 1, LONG + 255, LONG + 300] {
                let mut bytes = text.repeat(length).into_bytes();
                bytes.truncate(length);
                for at in (0..length).step_by(7).chain([0, length - 1]) {
                    for byte in [0, 1, 0x7F, 0x80, 0xC3, 0xFF] {
                        let before = std::mem::replace(&mut bytes[at], byte);
                        let read = Text::from_wire(&bytes, TextForm::Plain, &SAFE).ok();
                        assert_eq!(Text::plain(&bytes), read, "{byte} at {at} of {length}");
                        bytes[at] = before;
                    }
                }
            }
        }
    }

    #[test]
    fn marks_and_nuls() {
        use ErrorKind::{EmbeddedNul, InvalidUtf8, LeadingBom};
        use TextForm::{Plain, Terminated};
        reads(b"abc", Plain, Ok("abc"), Ok("abc"));
        reads(b"\xEF\xBB\xBFx", Plain, Ok("x"), Err(LeadingBom));
        reads(b"\xEF\xBB", Plain, Err(InvalidUtf8), Err(InvalidUtf8));
        reads(b"\xEF\xBB\xBF\xEF\xBB\xBF", Plain, Ok("\u{FEFF}"), Err(LeadingBom));
        reads(b"a\0b", Plain, Ok("a"), Err(EmbeddedNul));
        reads(b"ok\0\xFF\xFE", Plain, Ok("ok"), Err(EmbeddedNul));
        reads(b"a\xFF", Plain, Err(InvalidUtf8), Err(InvalidUtf8));
        reads(b"\xED\xA0\x80", Plain, Err(InvalidUtf8), Err(InvalidUtf8));
        reads(b"\xF4\x90\x80\x80", Plain, Err(InvalidUtf8), Err(InvalidUtf8));
        reads(b"abc\0", Terminated, Ok("abc"), Ok("abc"));
        reads(b"abc", Terminated, Ok("abc"), Ok("abc"));
        reads(b"a\0b\0", Terminated, Ok("a"), Err(EmbeddedNul));
        reads(b"", Terminated, Ok(""), Ok(""));
        let long = "漢".repeat(LONG);
        reads(long.as_bytes(), Plain, Ok(&long), Ok(&long));
        reads(format!("\u{FEFF}{long}").as_bytes(), Plain, Ok(&long), Err(LeadingBom));
        reads(format!("{long}\0{long}").as_bytes(), Plain, Ok(&long), Err(EmbeddedNul));
        reads(&[long.as_bytes(), b"\0\xFF"].concat(), Plain, Ok(&long), Err(EmbeddedNul));
        reads(&[long.as_bytes(), b"\xFF"].concat(), Plain, Err(InvalidUtf8), Err(InvalidUtf8));
        let ascii = "a".repeat(LONG);
        reads(format!("{ascii}\0{ascii}").as_bytes(), Plain, Ok(&ascii), Err(EmbeddedNul));
    }
}
