//! Text of the bytes, quoted and escaped as in JSON, so that it stays one word on one line.

use std::fmt::{self, Display, Write};

/// A text in double quotes. Displays at most so many characters, then `...`.
#[derive(Clone, Copy, Debug)]
pub struct Quoted<'t> {
    text: &'t str,
    most: usize,
}

impl<'t> Quoted<'t> {
    /// All of it: valid JSON.
    #[must_use]
    pub const fn whole(text: &'t str) -> Quoted<'t> {
        Quoted { text, most: usize::MAX }
    }

    /// The first `most` characters.
    #[must_use]
    pub const fn cut(text: &'t str, most: usize) -> Quoted<'t> {
        Quoted { text, most }
    }
}

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        let mut plain_from = 0;
        for (count, (at, c)) in self.text.char_indices().enumerate() {
            if count == self.most {
                f.write_str(&self.text[plain_from..at])?;
                return f.write_str("\"...");
            }
            if is_plain(c) {
                continue;
            }
            f.write_str(&self.text[plain_from..at])?;
            write_escape(f, c)?;
            plain_from = at + c.len_utf8();
        }
        f.write_str(&self.text[plain_from..])?;
        f.write_char('"')
    }
}

/// Characters that stand for themselves: no quotes, no controls, no marks that reorder or hide the text
/// around them.
fn is_plain(c: char) -> bool {
    let is_mark =
        matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    !(c == '"' || c == '\\' || c.is_control() || is_mark)
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
            Quoted::whole("a\"\\\n\u{1b}[2J\u{202E}ü").to_string(),
            "\"a\\\"\\\\\\n\\u001b[2J\\u202eü\""
        );
        assert_eq!(Quoted::cut("abc", 3).to_string(), "\"abc\"");
        assert_eq!(Quoted::cut("abcd", 3).to_string(), "\"abc\"...");
        assert_eq!(Quoted::whole("").to_string(), "\"\"");
    }

    #[test]
    fn it_is_json() {
        let every: String = (0..0x3000).filter_map(char::from_u32).collect();
        let read: String = serde_json::from_str(&Quoted::whole(&every).to_string()).unwrap();
        assert_eq!(read, every);
    }
}
