//! Holds a short text as it is in the bytes, header and padding included, in four words.
//!
//! Two records are compared in a few instructions. The text itself is not checked.

/// The number of bytes of the longest record: header, length and 24 bytes of text.
const LONGEST: usize = 32;
const LONGEST_TEXT: u64 = 24;
const STRING: u32 = 4;
const STRING_NAME: u32 = 21;

/// Holds the bytes of a String or StringName of at most 24 bytes.
///
/// The default record is no text, and [`Record::read`] never returns it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Record {
    /// The bytes with zeros behind them. Their number follows from the length field.
    words: [u64; 4],
}

impl Eq for Record {}

impl PartialEq for Record {
    /// Compares word by word. As an array the words would be written to memory and then read in larger parts,
    /// which has to wait for the writes.
    #[inline(always)]
    fn eq(&self, other: &Record) -> bool {
        let different = self.words.iter().zip(other.words).fold(0, |bits, (a, b)| bits | (a ^ b));
        different == 0
    }
}

impl Record {
    /// The default record, which is no text.
    pub(crate) const NONE: Record = Record { words: [0; 4] };

    /// Reads the short text at the front of `bytes`. Its characters and padding are not checked.
    #[inline(always)]
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Record> {
        let [a, b, c, d, length @ ..] = *bytes.first_chunk::<8>()?;
        let length = u64::from(u32::from_le_bytes(length));
        if !matches!(u32::from_le_bytes([a, b, c, d]), STRING | STRING_NAME) || length > LONGEST_TEXT {
            return None;
        }
        Some(Record { words: words(bytes, length)? })
    }

    /// Tells whether bytes begin with this record.
    #[inline(always)]
    #[must_use]
    pub fn begins(&self, bytes: &[u8]) -> bool {
        let (Some(start), Some(masks)) = (bytes.first_chunk::<LONGEST>(), masks(self.text_bytes())) else {
            return self.is_all_of(bytes);
        };
        let mut difference = 0;
        for ((part, word), mask) in start.as_chunks().0.iter().zip(self.words).zip(masks) {
            difference |= (u64::from_le_bytes(*part) ^ word) & mask;
        }
        difference == 0
    }

    /// Tells whether bytes begin with this record, where there are fewer than the longest record has.
    #[inline(always)]
    fn is_all_of(&self, bytes: &[u8]) -> bool {
        let field = usize::try_from(self.field()).ok().and_then(|field| bytes.get(..field));
        let Some(field) = field else { return false };
        let [a, b, c, d] = self.words;
        let difference =
            (word(field, 0) ^ a) | (word(field, 8) ^ b) | (word(field, 16) ^ c) | (word(field, 24) ^ d);
        difference == 0
    }

    /// Tells whether it is a StringName.
    #[inline(always)]
    #[must_use]
    pub fn is_name(&self) -> bool {
        let [head, ..] = self.words;
        head & 0xFF == u64::from(STRING_NAME)
    }

    /// Returns the number of bytes of the text, without header, length and padding.
    #[inline(always)]
    #[must_use]
    pub fn length(&self) -> u32 {
        u32::try_from(self.text_bytes()).unwrap_or(u32::MAX)
    }

    /// Returns a number in which most short texts differ, for the text at the front of `bytes`: a hash of
    /// header, length and 8 bytes of text. It reads no more than that.
    #[inline(always)]
    #[must_use]
    pub fn hint(bytes: &[u8]) -> Option<u64> {
        let [head, text, ..] = *bytes.as_chunks::<8>().0 else { return None };
        let head = u64::from_le_bytes(head);
        let bits = u32::try_from((head >> 32).min(8)).unwrap_or(8) << 3;
        let mask = u64::MAX.checked_shr(u64::BITS.wrapping_sub(bits)).unwrap_or(0);
        Some(glance_of(head, u64::from_le_bytes(text) & mask))
    }

    /// Returns the number that [`Record::hint`] returns for the bytes of this record.
    #[inline(always)]
    pub(crate) const fn own_hint(&self) -> u64 {
        let [head, text, ..] = self.words;
        glance_of(head, text)
    }

    /// Returns the number of bytes on the wire.
    #[inline(always)]
    #[must_use]
    pub const fn field(&self) -> u64 {
        field_of(self.text_bytes())
    }

    #[inline(always)]
    const fn text_bytes(&self) -> u64 {
        let [head, ..] = self.words;
        head >> 32
    }

    /// Returns a hash of all bits of all words: where texts differ only in their last character, the words
    /// differ in their top bits.
    #[inline(always)]
    #[must_use]
    pub const fn hash(&self) -> u64 {
        let [a, b, c, d] = self.words;
        let mixed = (a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (c ^ d.rotate_left(29)).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        (mixed ^ (mixed >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
    }
}

/// Returns the number of bytes on the wire of a text with `length` bytes, at most 24.
#[inline(always)]
const fn field_of(length: u64) -> u64 {
    length.wrapping_add(11) & !3
}

#[inline(always)]
const fn glance_of(head: u64, text: u64) -> u64 {
    (head ^ text.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

/// Returns the record of a text with `length` bytes as words, with zeros behind it.
#[inline(always)]
fn words(bytes: &[u8], length: u64) -> Option<[u64; 4]> {
    if let Some(record) = bytes.first_chunk::<LONGEST>() {
        let mut words = [0; 4];
        for ((word, part), mask) in words.iter_mut().zip(record.as_chunks().0).zip(masks(length)?) {
            *word = u64::from_le_bytes(*part) & mask;
        }
        return Some(words);
    }
    // Each word is read by itself: in a copy, they would be read in larger parts than they were written.
    let field = bytes.get(..usize::try_from(field_of(length)).ok()?)?;
    Some([word(field, 0), word(field, 8), word(field, 16), word(field, 24)])
}

/// Returns the word at a position in a field, with zeros behind the field.
#[inline(always)]
fn word(field: &[u8], at: usize) -> u64 {
    let rest = field.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(whole) => u64::from_le_bytes(*whole),
        None => rest.first_chunk().map_or(0, |half| u64::from(u32::from_le_bytes(*half))),
    }
}

#[inline(always)]
fn masks(length: u64) -> Option<&'static [u64; 4]> {
    MASKS.get(usize::try_from(length).ok()?)
}

/// The bits of a record, by the length of its text.
static MASKS: [[u64; 4]; LONGEST - 8 + 1] = {
    let mut table = [[0; 4]; LONGEST - 8 + 1];
    let mut rest: &mut [[u64; 4]] = &mut table;
    let mut length = 0_u32;
    // The mask has header and length, then four bytes more for each four that have begun.
    let mut mask = [u64::MAX, 0, 0, 0];
    while let [row, tail @ ..] = rest {
        *row = mask;
        rest = tail;
        if length.is_multiple_of(4) {
            let [_, b, c, d] = mask;
            mask = [u64::MAX, b << 32 | LOW, c << 32 | b >> 32, d << 32 | c >> 32];
        }
        length = length.saturating_add(1);
    }
    table
};

const LOW: u64 = 0xFFFF_FFFF;

#[cfg(test)]
mod tests {
    use super::*;

    fn written(header: u32, text: &str) -> Vec<u8> {
        let mut bytes = header.to_le_bytes().to_vec();
        bytes.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        bytes.extend(text.bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    /// Tests that the record is the same whatever follows it and wherever the bytes end, and that only its
    /// own bytes match it.
    #[test]
    fn a_record_is_its_bytes() {
        for length in 0..=24 {
            let text = "abcdefghijklmnopqrstuvwxyz".get(..length).unwrap();
            for header in [STRING, STRING_NAME] {
                let mut bytes = written(header, text);
                let field = bytes.len();
                let record = Record::read(&bytes).unwrap();
                let lengths =
                    (usize::try_from(record.field()).unwrap(), usize::try_from(record.length()).unwrap());
                assert_eq!(lengths, (field, length));
                assert_eq!(record.is_name(), header == STRING_NAME);
                assert!(record.begins(&bytes), "{length}");
                assert!(Record::read(&bytes[..field - 1]).is_none() && !record.begins(&bytes[..field - 1]));
                bytes.resize(48, 0xEE);
                assert_eq!(Record::read(&bytes), Some(record), "{length}");
                assert!(record.begins(&bytes), "{length}");
                for at in 0..48 {
                    for end in [field, 48] {
                        let mut bytes = bytes.get(..end).unwrap().to_vec();
                        let Some(byte) = bytes.get_mut(at) else { continue };
                        *byte ^= 0x80;
                        assert_eq!(record.begins(&bytes), at >= field, "{at} of {length}");
                    }
                }
                let whole = bytes.get(..16.max(field)).unwrap();
                assert_eq!(Record::hint(whole), Some(record.own_hint()), "{length}");
            }
        }
        assert!(Record::read(&written(STRING, "a text of twenty-five byte")).is_none());
        assert!(Record::read(&written(2, "int")).is_none());
    }

    /// Tests that similar texts of every length mostly have different hashes.
    #[test]
    fn hashes_depend_on_every_character() {
        for length in 1..=24_usize {
            for at in 0..length {
                let mut places: Vec<u64> = (b'0'..b'p')
                    .map(|byte| {
                        let mut text = vec![b'x'; length];
                        *text.get_mut(at).unwrap() = byte;
                        let text = String::from_utf8(text).unwrap();
                        Record::read(&written(STRING, &text)).unwrap().hash() & 1023
                    })
                    .collect();
                places.sort_unstable();
                places.dedup();
                assert!(places.len() > 52, "{} places for 64 texts of {length}, {at}", places.len());
            }
        }
    }
}
