//! Prints text from outside so that it stays on one line, in its order, with nothing hidden. Every message,
//! path, dump and report shows names and values through this; the callers know which texts those are.

use std::fmt::{self, Display, Write};

/// Prints a text without quotes around it, such as the name of a file: characters that could break a line,
/// control a terminal, or reorder or hide the text around them become `\n`, `\u202e` and so on. All others
/// are unchanged, quotes and backslashes too, so JSON on one line stays the JSON that it was.
///
/// ```
/// use variant_core::EscapedText;
///
/// assert_eq!(EscapedText("a\u{202e}b\n\\\"c\"").to_string(), "a\\u202eb\\n\\\"c\"");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EscapedText<'t>(pub &'t str);

impl Display for EscapedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_plain(f, self.0, usize::MAX, stands_for_itself).map(drop)
    }
}

/// Prints a text in double quotes, escaped as in JSON, at most `most` characters and then `...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedText<'t> {
    text: &'t str,
    most: usize,
}

impl<'t> QuotedText<'t> {
    /// Prints the whole text, which is valid JSON.
    #[must_use]
    pub const fn whole(text: &'t str) -> QuotedText<'t> {
        QuotedText { text, most: usize::MAX }
    }

    /// Prints the first `most` characters.
    #[must_use]
    pub const fn cut(text: &'t str, most: usize) -> QuotedText<'t> {
        QuotedText { text, most }
    }
}

impl Display for QuotedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let is_cut = write_inside(f, self.text, self.most)?;
        f.write_str(if is_cut { "\"..." } else { "\"" })
    }
}

/// Writes the first `most` characters as they stand between double quotes, and tells whether there are more.
pub(crate) fn write_inside(f: &mut fmt::Formatter<'_>, text: &str, most: usize) -> Result<bool, fmt::Error> {
    write_plain(f, text, most, |c| stands_for_itself(c) && c != '"' && c != '\\')
}

/// Writes runs of characters that need no escape at once, and escapes all others.
fn write_plain(
    f: &mut fmt::Formatter<'_>,
    text: &str,
    most: usize,
    is_plain: impl Fn(char) -> bool,
) -> Result<bool, fmt::Error> {
    let mut plain_from = 0;
    for (count, (at, c)) in text.char_indices().enumerate() {
        let is_cut = count == most;
        if is_plain(c) && !is_cut {
            continue;
        }
        f.write_str(text.get(plain_from..at).unwrap_or_default())?;
        if is_cut {
            return Ok(true);
        }
        write_escape(f, c)?;
        plain_from = at.saturating_add(c.len_utf8());
    }
    f.write_str(text.get(plain_from..).unwrap_or_default())?;
    Ok(false)
}

/// Tells whether a character neither breaks a line nor controls a terminal, and neither reorders nor hides
/// the text around it.
fn stands_for_itself(c: char) -> bool {
    !(c.is_control() || is_mark(c))
}

/// Tells whether a character is one of Unicode's format characters (Cf) without a shape of their own, fillers
/// that look like nothing, or its ends of lines and paragraphs.
const fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E007F}')
}

fn write_escape(f: &mut fmt::Formatter<'_>, c: char) -> fmt::Result {
    match c {
        '"' => f.write_str("\\\""),
        '\\' => f.write_str("\\\\"),
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        other => {
            let mut units = [0; 2];
            other.encode_utf16(&mut units).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_one_word() {
        assert_eq!(
            QuotedText::whole("a\"\\\n\u{1b}[2J\u{202E}ü").to_string(),
            "\"a\\\"\\\\\\n\\u001b[2J\\u202eü\""
        );
        assert_eq!(QuotedText::cut("abc", 3).to_string(), "\"abc\"");
        assert_eq!(QuotedText::cut("abcd", 3).to_string(), "\"abc\"...");
        assert_eq!(QuotedText::cut("\n\n", 1).to_string(), "\"\\n\"...");
        assert_eq!(QuotedText::whole("").to_string(), "\"\"");
        assert_eq!(QuotedText::cut("a", 0).to_string(), "\"\"...");
    }

    #[test]
    fn names_stay_on_their_line() {
        assert_eq!(EscapedText("C:\\saves\\\"a\".bin").to_string(), "C:\\saves\\\"a\".bin");
        for (c, shown) in [
            ('\n', "\\n"),
            ('\u{9b}', "\\u009b"),
            ('\u{7f}', "\\u007f"),
            ('\u{61c}', "\\u061c"),
            ('\u{2028}', "\\u2028"),
            ('\u{2066}', "\\u2066"),
            ('\u{e0041}', "\\udb40\\udc41"),
        ] {
            assert_eq!(EscapedText(&format!("a{c}b")).to_string(), format!("a{shown}b"));
            assert_eq!(QuotedText::whole(&format!("a{c}b")).to_string(), format!("\"a{shown}b\""));
        }
        for plain in ["", "имя", "名前", "é", "😀", " \u{a0}~"] {
            assert_eq!(EscapedText(plain).to_string(), plain);
        }
    }
}
