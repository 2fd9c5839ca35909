//! Inputs: from a path or the standard input to the values in it, through whatever they are packed in.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use variant_core::Rules;

use crate::arguments::{Framing, Reading};
use crate::container::{self, Keys};
use crate::failure::Failure;
use crate::framing;

/// Bytes of an input that is read into memory. A file of many values may be larger than one value may.
const MOST_BYTES: u64 = 1 << 30;

/// One input, unpacked.
pub(crate) struct Blob {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    /// What it was packed in, outermost first.
    pub(crate) layers: Vec<&'static str>,
    pub(crate) framing: Framing,
    /// Where its values are.
    pub(crate) records: Vec<Range<usize>>,
}

impl Blob {
    /// The values, in order.
    pub(crate) fn values(&self) -> impl Iterator<Item = &[u8]> {
        self.records.iter().map(|record| &self.bytes[record.clone()])
    }

    /// How many values, in words.
    pub(crate) fn counted(&self) -> String {
        if self.records.len() == 1 { "1 value".to_owned() } else { format!("{} values", self.records.len()) }
    }

    /// The name of a value: the input's, and its number where there are more.
    pub(crate) fn name_of(&self, at: usize) -> String {
        if self.records.len() == 1 { self.name.clone() } else { format!("{} value {at}", self.name) }
    }
}

/// Reads an input and finds its values.
pub(crate) fn load(path: &Path, reading: &Reading, rules: &Rules) -> Result<Blob, Failure> {
    let packed = read(path, reading)?;
    let keys = Keys { password: reading.password.clone(), key: reading.key()? };
    let (bytes, layers) = container::unpack(packed, &keys, MOST_BYTES, reading.max_ratio)?;
    let (framing, records) = framing::records(&bytes, reading.framing, rules)?;
    Ok(Blob { name: name(path), bytes, layers, framing, records })
}

/// Reads an input as bytes, out of text where it is that.
pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Vec<u8>, Failure> {
    let bytes = raw(path)?;
    let decoded = match (reading.hex, reading.base64) {
        (true, _) => from_hex(&bytes).ok_or("expected pairs of hexadecimal digits"),
        (_, true) => from_base64(&bytes).ok_or("expected Base64"),
        _ => Ok(bytes),
    };
    decoded.map_err(Failure::data)
}

/// All bytes of a file or the standard input.
pub(crate) fn raw(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let taken = if is_stdin(path) {
        io::stdin().lock().take(MOST_BYTES + 1).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes))
    };
    taken.map_err(|error| Failure::file(path, error))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Failure::data(format!("more than {MOST_BYTES} bytes")));
    }
    Ok(bytes)
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// How an input is called.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// The named inputs, or the standard one.
pub(crate) fn named(inputs: &[PathBuf]) -> Vec<PathBuf> {
    if inputs.is_empty() { vec![PathBuf::from("-")] } else { inputs.to_vec() }
}

/// Bytes of hexadecimal digits; blanks and line ends between them do not count.
pub(crate) fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    let digits = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let nibbles: Option<Vec<u8>> = digits
        .map(|digit| char::from(*digit).to_digit(16).and_then(|value| u8::try_from(value).ok()))
        .collect();
    let nibbles = nibbles?;
    let (pairs, rest) = nibbles.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// Bytes of Base64 in either alphabet; blanks, line ends and signs at the end do not count.
pub(crate) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let is_filler = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'=';
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.iter().filter(|byte| !is_filler(byte)) {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xFF).ok()?);
        }
    }
    (count < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_bytes() {
        assert_eq!(from_hex(b"02 0a\nFf"), Some(vec![2, 10, 255]));
        assert_eq!(from_hex(b"020"), None);
        assert_eq!(from_hex(b"0g"), None);
        assert_eq!(from_base64(b"AgAAAAcAAAA="), Some(vec![2, 0, 0, 0, 7, 0, 0, 0]));
        assert_eq!(from_base64(b"_-8"), Some(vec![0xFF, 0xEF]));
        assert_eq!(from_base64(b"A"), None);
        assert_eq!(from_base64(b"A!AA"), None);
    }
}
