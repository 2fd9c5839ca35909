//! Foreign: what is said of a file in which no length of a value stands where one should, by the bytes that stand there
//! instead. It quotes none of them.

use godot::classes::FileAccess;
use godot::global::Error;
use godot::obj::Gd;
use variant_core::{ErrorKind, Framing, Part};

use crate::codec::{Problem, Settings};
use crate::problem::Said;

/// Bytes that are looked at.
const LOOKED_AT: i64 = 64;

/// The bytes at a place of a file, a few of them, and how many there are.
pub(super) struct Head {
    bytes: Vec<u8>,
    /// Whether the file begins here.
    is_first: bool,
    there: u64,
}

impl Head {
    /// Looks at a place of a file, which is then where it was.
    pub(super) fn of(file: &mut Gd<FileAccess>, at: u64) -> Head {
        let before = file.get_position();
        file.seek(at);
        let bytes = file.get_buffer(LOOKED_AT).to_vec();
        file.seek(before);
        Head { bytes, is_first: at == 0, there: file.get_length().saturating_sub(at) }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The length that stands here, if one does.
    pub(super) fn declared(&self, framing: Framing) -> Option<u64> {
        let word = self.bytes.first_chunk::<4>().copied();
        word.map(|word| {
            u64::from(if framing == Framing::U32Be {
                u32::from_be_bytes(word)
            } else {
                u32::from_le_bytes(word)
            })
        })
    }

    /// Bytes behind it.
    pub(super) const fn left(&self) -> u64 {
        self.there.saturating_sub(4)
    }

    /// What the file may be instead.
    fn guess(&self, framing: Framing) -> &'static str {
        let swapped = if framing == Framing::U32Be { Framing::U32 } else { Framing::U32Be };
        let is_length = |declared: u64| declared > 0 && declared <= self.left();
        match self.bytes.as_slice() {
            [b'G', b'C', b'P', b'F', ..] => {
                "; it is a compressed file: open it with FileAccess.open_compressed()"
            }
            [b'G', b'D', b'E', b'C', ..] => {
                "; it is an encrypted file: open it with FileAccess.open_encrypted()"
            }
            bytes if is_text(bytes) => "; it looks like text, such as JSON",
            _ if self.declared(swapped).is_some_and(is_length) && framing == Framing::U32Be => {
                "; its length is in little endian: a VariantReader with FRAMING_U32 reads it"
            }
            _ if self.declared(swapped).is_some_and(is_length) => {
                "; its length is in big endian: a VariantReader with FRAMING_U32_BE reads it"
            }
            _ => "",
        }
    }
}

/// A length of more bytes than there are.
#[cold]
pub(super) fn problem(head: &Head, framing: Framing, s: &Settings) -> Problem {
    let (declared, left) = (head.declared(framing).unwrap_or(0), head.left());
    let guess = if head.is_first { head.guess(framing) } else { "" };
    let is_cut = guess.is_empty() && declared <= s.limits().max_bytes;
    let what = if is_cut { "the file is cut off" } else { "this is no file of values" };
    let word = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let mut problem = Problem::of_call(ErrorKind::Incomplete {
        needed: word(declared.saturating_sub(left)),
        part: Part::Header,
        declared: word(declared),
        left: word(left),
    });
    let (expected, got) = (format!("{declared} bytes"), format!("{left} bytes"));
    problem.error = if is_cut { Error::ERR_FILE_EOF } else { Error::ERR_FILE_UNRECOGNIZED };
    problem.byte_offset = 0;
    problem.fatal = true;
    let message = format!("{what}: its length says {expected}, {got} are there{guess}");
    problem.saying(Said { message, expected, got, ..Said::default() })
}

/// Whether it begins like text: spaces, then a letter or what JSON, configuration and scenes begin with, and nothing that
/// text has not.
fn is_text(bytes: &[u8]) -> bool {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"{[\"<#;/-".contains(byte))
        && bytes.iter().all(|byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(bytes: &[u8], there: u64) -> &'static str {
        Head { bytes: bytes.to_vec(), is_first: true, there }.guess(Framing::U32)
    }

    #[test]
    fn files_of_other_kinds_are_recognised() {
        assert!(guess(b"GCPF\x02\0\0\0", 800).contains("open_compressed"));
        assert!(guess(b"GDEC\x01\0\0\0", 800).contains("open_encrypted"));
        for text in ["{\"hp\": 80}\n", " [1, 2]", "[gd_scene format=3]", "name=\"\u{e4}\"\n", "// note"] {
            assert!(guess(text.as_bytes(), 800).contains("text"), "{text}");
        }
        assert!(guess(&[0, 0, 0, 20, 27, 0, 0, 0], 24).contains("FRAMING_U32_BE"));
    }

    #[test]
    fn nothing_is_guessed_of_others() {
        for other in [b"\x89PNG\r\n\x1a\n".as_slice(), &[0, 0, 1, 0], &[255; 8], b"\xff\xfe{\0"] {
            assert_eq!(guess(other, 100), "", "{other:?}");
        }
    }
}
