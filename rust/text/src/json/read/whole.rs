//! Finds whole numbers that no int can hold, which serde_json would read as floats, another value of another
//! type.

use super::JsonError;

/// Finds the first number without point and exponent that does not fit, and where it ends.
pub(super) fn beyond_int(text: &str) -> Option<JsonError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'"' => text_end(bytes, at + 1),
            b'-' | b'0'..=b'9' => {
                let rest = &bytes[at..];
                let is_of_number = |byte: &&u8| byte.is_ascii_digit() || b"-+.eE".contains(byte);
                let length = rest.iter().take_while(is_of_number).count();
                if let Some(message) = misfit(&text[at..at + length]) {
                    return Some(refused(&text[..at + length], message));
                }
                at + length
            }
            _ => at + 1,
        };
    }
    None
}

/// Returns the place behind the quote that ends a text.
fn text_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn misfit(number: &str) -> Option<&'static str> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match number.parse::<i64>() {
        Err(_) if is_whole && number.starts_with('-') => Some("an int below -9223372036854775808"),
        Err(_) if is_whole => Some("an int above 9223372036854775807"),
        _ => None,
    }
}

/// Makes the error; its place is the last character of the text, as serde_json counts.
fn refused(text: &str, message: &str) -> JsonError {
    let start = text.rfind('\n').map_or(0, |newline| newline + 1);
    let line = 1 + text.bytes().filter(|byte| *byte == b'\n').count();
    JsonError { line, column: text.len() - start, message: message.to_owned() }
}
