//! Reads the bytes out of text that people paste for `--hex`: digits in most of the forms in which programs
//! write them, literals of programming languages, lists of numbers, and dumps.
//!
//! The editor's panel reads the same texts in `pasted.gd`; `tests/pasted.json` tests both.

use std::iter::Peekable;

use variant_text::from_hex;

use crate::hex_dump;

const NO_DIGITS: &str = "expected hexadecimal digits, a literal with escapes, a [list of numbers] or a dump";
const ODD: &str = "expected pairs of hexadecimal digits; decimal numbers go into [brackets]";
const NO_BYTE: &str = "a list with something in it that is no byte (0 to 255)";
const LEFT_OUT: &str = "an answer that leaves bytes out: make the program that wrote it print all of them";
const BETWEEN: &str = "letters between the escapes: a literal has quotes around it";
const BAD_ESCAPE: &str = "a wrong escape: \\x has two digits";

pub(crate) fn read(text: &[u8]) -> Result<Vec<u8>, &'static str> {
    let text = std::str::from_utf8(text).map_err(|_| NO_DIGITS)?;
    of_text(text.trim())
}

fn of_text(text: &str) -> Result<Vec<u8>, &'static str> {
    // Dumps are tried before quotes and brackets, since the text behind a dump's bytes may have both.
    if let Some(dump) = hex_dump::read(text) {
        return dump;
    }
    // As Node shows bytes: `<Buffer 1b 00 00 00>`.
    if let Some(inner) = text.strip_prefix("<Buffer").and_then(|text| text.strip_suffix('>')) {
        return if inner.contains("more byte") { Err(LEFT_OUT) } else { digits(inner) };
    }
    if let Some(inner) = quoted(text) {
        return if inner.contains('\\') { literal(inner, false) } else { of_text(inner.trim()) };
    }
    if text.contains('\\') {
        return literal(text, true);
    }
    match in_brackets(text) {
        Some(inner) => list(inner),
        None => match called_with(text) {
            Some(given) if !text.contains("hex") => list(given),
            given => digits(given.unwrap_or(text)),
        },
    }
}

/// Returns the text between quotes, which up to two letters may precede: `b'\x1b'`, `X'1b00'`. The literal
/// may be the argument of a call.
fn quoted(text: &str) -> Option<&str> {
    let text = called_with(text).unwrap_or(text).trim();
    let open = text.find(['"', '\'']).filter(|open| *open <= 2)?;
    let (letters, rest) = text.split_at(open);
    let mark = rest.chars().next()?;
    let inner = rest.strip_prefix(mark)?.trim_end_matches(';').strip_suffix(mark)?;
    letters.chars().all(|c| c.is_ascii_alphabetic()).then_some(inner)
}

/// Returns the arguments of a call such as `PackedByteArray(...)` or `bytes.fromhex(...)`.
fn called_with(text: &str) -> Option<&str> {
    let (name, rest) = text.split_once('(')?;
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':'));
    let inner = rest.trim_end_matches(';').strip_suffix(')')?;
    is_name.then(|| inner.trim())
}

/// Returns the text between the innermost brackets or braces that are not empty: `[27, 0]`,
/// `char a[] = { 0x1b, 0x00 };`, or the JSON of Node's Buffer.
fn in_brackets(text: &str) -> Option<&str> {
    let between = |text: &'_ str, open: char, close: char| {
        let start = text.rfind(open)? + 1;
        let end = start + text[start..].find(close)?;
        (!text[start..end].trim().is_empty()).then_some((start, end))
    };
    let in_braces = text.find('{').and_then(|open| {
        let close = text.rfind('}').filter(|close| *close > open)?;
        Some(text[open + 1..close].trim())
    });
    let inner = in_braces.filter(|inner| !inner.is_empty()).unwrap_or(text);
    match between(inner, '[', ']') {
        Some((start, end)) => Some(&inner[start..end]),
        None if in_braces.is_some() => Some(inner),
        None => None,
    }
}

/// Reads a list of numbers. They are decimal, unless a `0x` marks them or they are pairs of digits with
/// nothing but blanks between them.
fn list(inner: &str) -> Result<Vec<u8>, &'static str> {
    let words: Vec<&str> = words(inner, |c| c == ',').collect();
    let is_marked = words.iter().any(|word| word.starts_with("0x") || word.starts_with("0X"));
    let are_pairs = !inner.contains(',') && words.len() > 1 && words.iter().all(|word| word.len() == 2);
    let has_letters = words.iter().any(|word| word.contains(|c: char| c.is_ascii_alphabetic()));
    if is_marked || are_pairs || has_letters && words.len() > 1 && words.iter().all(|word| word.len() == 2) {
        return digits(inner);
    }
    words.iter().map(|word| word.parse().map_err(|_| NO_BYTE)).collect()
}

fn words(text: &str, is_between: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    text.split(move |c: char| c.is_whitespace() || is_between(c)).filter(|word| !word.is_empty())
}

/// Reads a literal of letters and escapes as C, Python, Rust and JavaScript write them. A single `\x` before
/// all digits is the form of Postgres.
fn literal(text: &str, may_be_folded: bool) -> Result<Vec<u8>, &'static str> {
    if let Some(digits) = text.strip_prefix("\\x").filter(|digits| digits.len() > 2)
        && let Some(bytes) = from_hex(digits)
    {
        return Ok(bytes);
    }
    // Without quotes, escapes may stand on several lines; within quotes a blank is a byte.
    let are_escapes = text.split_whitespace().all(|word| word.len() % 4 == 0 && word.starts_with("\\x"));
    if may_be_folded && !are_escapes {
        return Err(BETWEEN);
    }
    let mut bytes = Vec::new();
    let mut rest = text.chars().filter(|c| !(may_be_folded && c.is_whitespace())).peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        bytes.push(escape(&mut rest)?);
    }
    Ok(bytes)
}

fn escape(rest: &mut Peekable<impl Iterator<Item = char>>) -> Result<u8, &'static str> {
    let escaped = rest.next().ok_or(BAD_ESCAPE)?;
    Ok(match escaped {
        'x' => {
            let digits: String = [rest.next(), rest.next()].into_iter().flatten().collect();
            let byte = from_hex(&digits).and_then(|bytes| bytes.first().copied());
            byte.ok_or(BAD_ESCAPE)?
        }
        '0'..='7' => {
            let mut number = escaped.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else { break };
                number = number * 8 + digit;
                rest.next();
            }
            u8::try_from(number).map_err(|_| BAD_ESCAPE)?
        }
        'a' => 7,
        'b' => 8,
        't' => b'\t',
        'n' => b'\n',
        'v' => 11,
        'f' => 12,
        'r' => b'\r',
        '\\' | '\'' | '"' => u8::try_from(escaped).map_err(|_| BAD_ESCAPE)?,
        _ => return Err(BAD_ESCAPE),
    })
}

/// Reads hexadecimal digits. Blanks, line ends, colons, commas, hyphens and each `0x` between them do not
/// count. A line of digits alone may end within a byte; where a line has several words, each is whole bytes,
/// since else numbers would run into each other.
fn digits(text: &str) -> Result<Vec<u8>, &'static str> {
    let mut digits = String::new();
    for line in text.lines() {
        let line: Vec<&str> = words(line, |c| matches!(c, ':' | ',' | '-' | ';')).collect();
        for word in &line {
            let number = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
            let word = number.unwrap_or(word);
            match (word.len(), number.is_some()) {
                // `0x0` is a byte.
                (1, true) => digits.push('0'),
                (length, is_number) if length % 2 == 1 && (is_number || line.len() > 1) => {
                    return Err(if word.chars().all(|c| c.is_ascii_hexdigit()) { ODD } else { NO_DIGITS });
                }
                _ => {}
            }
            digits.push_str(word);
        }
    }
    if !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(NO_DIGITS);
    }
    from_hex(&digits).ok_or(ODD)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the texts that the test of the editor's panel pastes, too.
    #[test]
    fn pasted_text_becomes_bytes() {
        let table = include_str!("../../../tests/pasted.json");
        let rows: Vec<serde_json::Value> = serde_json::from_str(table).expect("a list");
        let mut wrong = Vec::new();
        for row in &rows {
            let text = row["text"].as_str().expect("a text");
            let expected = row["bytes"].as_str().map(|digits| from_hex(digits).expect("digits"));
            let read = read(text.as_bytes());
            if read.as_ref().ok() != expected.as_ref() {
                wrong.push(format!("{text:?}: {read:x?}, not {expected:x?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(rows.len() > 60);
    }

    /// Tests that a dump which gdvar shows can be pasted back into it.
    #[test]
    fn its_own_dump_becomes_bytes() {
        let value = b"\x1b\0\0\0\x01\0\0\0\x04\0\0\0\x03\0\0\0a|b\0\x02\0\0\0\x07\0\0\0";
        let mut dump = Vec::new();
        variant_text::dump(value, &variant_text::looking(), &mut dump).unwrap().unwrap();
        assert_eq!(read(&dump), Ok(value.to_vec()));
        assert!(read(b"00000000 | 02 00 +8 | int").is_err());
        let stopped =
            b"00000000 | 02 00  00 07      | int  (root)  7 | 8\n00000004 |     | ^^ stopped here\n";
        assert_eq!(read(stopped), Ok(vec![2, 0, 0, 7]));
    }
}
