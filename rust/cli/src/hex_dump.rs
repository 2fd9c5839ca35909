//! Reads the bytes of a dump, whose lines are an offset, bytes, and what they mean.
//!
//! It knows the dumps of gdvar, `xxd`, `hexdump -C` and `od -t x1`. A dump whose offsets do not count its
//! bytes is refused: something is missing, or it is in another order.

use variant_text::from_hex;

/// The least digits of an offset in a line without a colon and bars.
const LEAST_DIGITS: usize = 6;
/// The most bytes that a `*` stands for, which says that the line before it is repeated.
const MOST_REPEATED: u64 = 16 << 20;
/// The digits of `od`'s offsets, which are octal, or decimal with `-A d`. All other offsets are hexadecimal;
/// those of `od -A x` have six digits.
const OD_DIGITS: usize = 7;

const LEAVES_OUT: &str = "a dump that leaves bytes out, or has numbers in their place: use xxd or hexdump -C";
const MISCOUNTS: &str = "a dump whose offsets do not count its bytes";

struct Line<'t> {
    offset: &'t str,
    bytes: Vec<u8>,
    /// Whether the line cannot be digits of bytes alone.
    is_dump: bool,
    is_whole: bool,
    is_repeated: bool,
}

/// Reads the bytes of a dump, or says why it cannot. Returns `None` for a text that is no dump.
pub(crate) fn read(text: &str) -> Option<Result<Vec<u8>, &'static str>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for row in text.lines().filter(|row| !row.trim().is_empty()) {
        match lines.last_mut() {
            Some(last) if row.trim() == "*" => last.is_repeated = true,
            _ => lines.push(line(row.trim_end())?),
        }
    }
    lines.iter().any(|line| line.is_dump).then(|| joined(&lines))
}

/// Reads the offset and bytes of a line. Returns `None` for one that begins with no offset.
fn line(row: &str) -> Option<Line<'_>> {
    let row = row.trim_start();
    let digits = row.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(row.len());
    let (offset, rest) = row.split_at(digits);
    if !(4..=16).contains(&digits) {
        return None;
    }
    let has_colon = rest.starts_with(':') && rest[1..].chars().next().is_none_or(char::is_whitespace);
    let has_bar = !has_colon && rest.starts_with(char::is_whitespace) && rest.trim_start().starts_with('|');
    if !has_colon && !has_bar && rest.starts_with(|c: char| !c.is_whitespace()) {
        return None;
    }
    let is_marked = has_colon || has_bar;
    let rest = if is_marked { &rest[rest.find([':', '|'])? + 1..] } else { rest }.trim();
    // In a line with a colon, the text follows two blanks or a tab; in others a `|` or `>` stands before it.
    let ends: &[&str] = if has_colon { &["  ", "\t"] } else { &["|", ">"] };
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let words: Vec<&str> = rest[..end].split_whitespace().collect();
    let are_bytes = words.iter().all(|word| word.len() == 2);
    let has_words = !words.is_empty();
    let is_dump = is_marked
        || end < rest.len()
        || (offset.len() >= LEAST_DIGITS && are_bytes && has_words)
        // `od` and `hexdump` write numbers in the machine's byte order when they are not asked for bytes.
        || (offset.len() == OD_DIGITS && has_words);
    let bytes = from_hex(&words.concat());
    let is_whole = bytes.is_some() && (is_marked || are_bytes);
    Some(Line { offset, bytes: bytes.unwrap_or_default(), is_dump, is_whole, is_repeated: false })
}

fn joined(lines: &[Line<'_>]) -> Result<Vec<u8>, &'static str> {
    if !lines.iter().all(|line| line.is_whole) {
        return Err(LEAVES_OUT);
    }
    let is_of_od = lines.first().is_some_and(|line| line.offset.len() == OD_DIGITS);
    let radixes: &[u32] = if is_of_od { &[8, 10] } else { &[16] };
    radixes.iter().find_map(|radix| counted(lines, *radix)).ok_or(MISCOUNTS)
}

fn counted(lines: &[Line<'_>], radix: u32) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let first = u64::from_str_radix(lines.first()?.offset, radix).ok()?;
    let mut before: Option<&Line<'_>> = None;
    for line in lines {
        let at = u64::from_str_radix(line.offset, radix).ok()?.checked_sub(first)?;
        if let Some(again) = before.filter(|before| before.is_repeated && !before.bytes.is_empty()) {
            while (bytes.len() as u64) < at.min(MOST_REPEATED) {
                bytes.extend_from_slice(&again.bytes);
            }
        }
        if at != bytes.len() as u64 {
            return None;
        }
        bytes.extend_from_slice(&line.bytes);
        before = Some(line);
    }
    (!bytes.is_empty()).then_some(bytes)
}
