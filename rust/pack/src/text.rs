//! Packs texts: as UTF-8, or as characters of an alphabet. The codes of a text are its length and its bytes, eight in a
//! code, or its characters, one in a code.

use variant_core::ErrorKind;

use crate::bits::width;
pub(crate) use crate::bits::{length, size};
use crate::count::Count;

/// How texts are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chars {
    /// Counts bytes, or characters of the alphabet.
    pub count: Count,
    /// The characters in the order of their numbers.
    pub alphabet: Option<Vec<char>>,
}

/// The most bytes of a character in UTF-8.
const WIDEST: u64 = 4;

impl Chars {
    pub(crate) fn new(alphabet: Option<Vec<char>>, min_chars: Option<u64>, max_chars: Option<u64>) -> Chars {
        let widest = if alphabet.is_some() { 1 } else { WIDEST };
        Chars { count: Count::new(min_chars, max_chars.map(|max| max.saturating_mul(widest))), alphabet }
    }

    /// The bits of each character, or of each byte.
    pub(crate) fn width(&self) -> u32 {
        let last =
            |alphabet: &Vec<char>| width(u64::try_from(alphabet.len()).unwrap_or(u64::MAX).saturating_sub(1));
        self.alphabet.as_ref().map_or(8, last)
    }

    pub(crate) fn least_bits(&self) -> u64 {
        self.count.bits().0.saturating_add(self.count.min.saturating_mul(u64::from(self.width())))
    }

    pub(crate) fn take(&self, text: &str, codes: &mut Vec<u64>) -> Result<(), ErrorKind> {
        let Some(alphabet) = &self.alphabet else {
            self.count.check(length(text.len()))?;
            push_bytes(text.as_bytes(), codes);
            return Ok(());
        };
        let head = codes.len();
        codes.push(0);
        for character in text.chars() {
            let at = alphabet.binary_search(&character).map_err(|_| ErrorKind::PatternMismatch)?;
            codes.push(length(at));
        }
        let count = length(codes.len().saturating_sub(head).saturating_sub(1));
        self.count.check(count)?;
        if let Some(slot) = codes.get_mut(head) {
            *slot = count;
        }
        Ok(())
    }

    /// How many codes follow the first.
    pub(crate) fn rest(&self, count: u64) -> usize {
        size(if self.alphabet.is_some() { count } else { count.div_ceil(8) })
    }

    /// Appends the text of these codes as UTF-8.
    pub(crate) fn make(&self, count: u64, codes: &[u64], text: &mut Vec<u8>) {
        let Some(alphabet) = &self.alphabet else {
            pull_bytes(count, codes, text);
            return;
        };
        for code in codes {
            let character = alphabet.get(size(*code)).copied().unwrap_or_default();
            text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}

/// Appends bytes as codes: their number, then eight at a time.
pub(crate) fn push_bytes(bytes: &[u8], codes: &mut Vec<u64>) {
    codes.push(length(bytes.len()));
    let (eights, rest) = bytes.as_chunks();
    codes.extend(eights.iter().map(|eight| u64::from_le_bytes(*eight)));
    if !rest.is_empty() {
        codes.push(rest.iter().rev().fold(0, |sum: u64, byte| sum.wrapping_shl(8) | u64::from(*byte)));
    }
}

pub(crate) fn pull_bytes(count: u64, codes: &[u64], bytes: &mut Vec<u8>) {
    let end = bytes.len().saturating_add(size(count));
    codes.iter().for_each(|code| bytes.extend_from_slice(&code.to_le_bytes()));
    bytes.truncate(end);
}
