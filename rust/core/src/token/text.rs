//! Text: a string whose bytes have been checked, cut and cleaned as the engine does it.
//!
//! The engine skips one leading byte order mark, stops at the first NUL and then wants strict UTF-8
//! (FORMAT.md 5.1 rule 5). In SAFE strictness a mark or a NUL is an error instead.

use crate::fault::ErrorKind;

/// Valid UTF-8 without NUL. The private flag is what lets a sink take a faster constructor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    text: &'a str,
    /// INVARIANT: true only when every byte of `text` is below 0x80.
    ascii: bool,
}

/// The three ways text stands in the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextForm {
    /// A String, StringName, class, property or signal name: the length counts the text only.
    Plain,
    /// A PackedStringArray's entry: the length counts a terminating NUL.
    Terminated,
    /// A NodePath's name: plain, but engines before 4.6.3 left heap bytes in the padding.
    PathName,
}

const BOM: &[u8] = &[0xEF, 0xBB, 0xBF];

impl<'a> Text<'a> {
    /// Text that is known to be text. A NUL cuts it, as it would in the engine.
    #[must_use]
    pub fn new(text: &'a str) -> Text<'a> {
        let text = text.split('\0').next().unwrap_or_default();
        Text { text, ascii: text.is_ascii() }
    }

    /// Checks and cleans the bytes of a text field (without padding).
    pub fn from_wire(bytes: &'a [u8], form: TextForm, safe: bool) -> Result<Text<'a>, ErrorKind> {
        let body = match (form, bytes) {
            (TextForm::Terminated, [body @ .., 0]) => body,
            _ => bytes,
        };
        let unmarked = match body.strip_prefix(BOM) {
            Some(_) if safe => return Err(ErrorKind::LeadingBom),
            Some(rest) => rest,
            None => body,
        };
        let cut = match unmarked.contains(&0) {
            true if safe => return Err(ErrorKind::EmbeddedNul),
            true => unmarked.split(|byte| *byte == 0).next().unwrap_or_default(),
            false => unmarked,
        };
        match std::str::from_utf8(cut) {
            Ok(text) => Ok(Text { text, ascii: text.is_ascii() }),
            Err(_) => Err(ErrorKind::InvalidUtf8),
        }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Whether every character is below U+0080.
    #[must_use]
    pub const fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// Whether it has no character.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(bytes: &[u8], form: TextForm, engine: Result<&str, ErrorKind>, safe: Result<&str, ErrorKind>) {
        assert_eq!(Text::from_wire(bytes, form, false).map(|t| t.as_str()), engine, "engine");
        assert_eq!(Text::from_wire(bytes, form, true).map(|t| t.as_str()), safe, "safe");
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
    }
}
