//! Decodes values a second time, by code written from FORMAT.md sections 1, 3 and 5.1 alone: recursive, slow
//! and obvious.
//!
//! It knows ENGINE strictness only and shares no code with the core, not even the check of UTF-8. Where the
//! two disagree, one of them misreads the format.

mod container;
mod text;

use std::fmt::Write;

pub use text::clean_text;

/// Holds the result of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The bytes as the engine counts them: the missing padding of a last byte array is included.
    pub consumed: usize,
    /// The value in words, which are equal exactly when the values are, down to the bits of a NaN.
    pub description: String,
}

/// Says why nothing was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The bytes end too early; more of them might make the value right.
    Truncated,
    /// No further byte can make the value right.
    Malformed,
    /// A full object stands where objects are not read.
    Forbidden,
    /// The value is nested deeper than the engine goes.
    TooDeep,
}

/// Reads the value that `bytes` begin with, as `bytes_to_var` or `bytes_to_var_with_objects` does.
///
/// # Errors
/// Reports the first fault.
pub fn decode(bytes: &[u8], with_objects: bool) -> Result<Reading, Rejection> {
    let mut oracle = Oracle { bytes, at: 0, with_objects, said: String::new() };
    oracle.value(0)?;
    Ok(Reading { consumed: oracle.at, description: oracle.said })
}

struct Oracle<'a> {
    bytes: &'a [u8],
    /// The position. It exceeds the length by the padding that is missing.
    at: usize,
    with_objects: bool,
    said: String,
}

type CheckedDocument<T = ()> = Result<T, Rejection>;

impl<'a> Oracle<'a> {
    /// Reads a value by section 2 for the ids, section 3 for what follows them, and rule 13 for the depth.
    fn value(&mut self, depth: u32) -> CheckedDocument {
        if depth > 1024 {
            return Err(Rejection::TooDeep);
        }
        let header = self.u32()?;
        let id = header & 0xFF;
        let bit_16 = header & 0x1_0000 != 0;
        self.say(&id.to_string());
        match id {
            0 | 25 => Ok(()),
            1 => self.bool(),
            2 => self.int(bit_16),
            3 => self.float(bit_16),
            4 | 21 => self.said_text(),
            5 => self.reals(2, bit_16),
            6 => self.plain(2 * 4),
            7 | 12 | 14 | 15 => self.reals(4, bit_16),
            8 | 13 | 20 => self.plain(4 * 4),
            9 => self.reals(3, bit_16),
            10 => self.plain(3 * 4),
            11 | 16 => self.reals(6, bit_16),
            17 => self.reals(9, bit_16),
            18 => self.reals(12, bit_16),
            19 => self.reals(16, bit_16),
            22 => self.node_path(),
            23 => self.plain(8),
            24 if bit_16 => self.plain(8),
            24 => self.object(depth),
            26 => self.said_text().and_then(|()| self.plain(8)),
            27 => self.dictionary(header, depth),
            28 => self.array(header, depth),
            29 => self.byte_array(),
            30 | 32 => self.packed(4, false),
            31 | 33 => self.packed(8, false),
            34 => self.strings(),
            35 => self.packed_reals(2, bit_16),
            36 => self.packed_reals(3, bit_16),
            37 => self.packed(16, false),
            38 => self.packed_reals(4, bit_16),
            _ => Err(Rejection::Malformed),
        }
    }

    /// Reads a bool by rule 3: any number but zero is true.
    fn bool(&mut self) -> CheckedDocument {
        let word = self.u32()?;
        self.say(if word == 0 { ":false" } else { ":true" });
        Ok(())
    }

    fn int(&mut self, wide: bool) -> CheckedDocument {
        let value = if wide { self.u64()?.cast_signed() } else { i64::from(self.u32()?.cast_signed()) };
        self.say(&format!(":{value}"));
        Ok(())
    }

    fn float(&mut self, wide: bool) -> CheckedDocument {
        let bits = if wide { self.u64()? } else { f64::from(f32::from_bits(self.u32()?)).to_bits() };
        self.say(&format!(":{bits:016x}"));
        Ok(())
    }

    /// Reads `count` real numbers: singles, or doubles when bit 16 is set (section 1).
    fn reals(&mut self, count: usize, wide: bool) -> CheckedDocument {
        if wide {
            self.say("w");
            self.plain(count * 8)
        } else {
            self.plain(count * 4)
        }
    }

    /// Takes `count` bytes over as they are.
    fn plain(&mut self, count: usize) -> CheckedDocument {
        let bytes = self.take(count)?;
        self.say(":");
        bytes.iter().for_each(|byte| write!(self.said, "{byte:02x}").unwrap_or_default());
        Ok(())
    }

    fn said_text(&mut self) -> CheckedDocument {
        let text = self.text()?;
        self.say(&format!(":{text:?}"));
        Ok(())
    }

    /// Reads a byte array by rule 4: its last padding is counted whether it is there or not.
    fn byte_array(&mut self) -> CheckedDocument {
        let count = self.packed_count(1)?;
        self.plain(count)?;
        self.at += (4 - count % 4) % 4;
        Ok(())
    }

    fn packed_reals(&mut self, per_element: usize, wide: bool) -> CheckedDocument {
        self.packed(per_element * if wide { 8 } else { 4 }, wide)
    }

    fn packed(&mut self, element: usize, wide: bool) -> CheckedDocument {
        if wide {
            self.say("w");
        }
        let count = self.packed_count(element)?;
        self.plain(count * element)
    }

    /// Reads a count by rule 11: it is signed, and the bytes it asks for must fit a signed 32-bit number too.
    fn packed_count(&mut self, element: usize) -> CheckedDocument<usize> {
        let count = i64::from(self.u32()?.cast_signed());
        let bytes = count * i64::try_from(element).map_err(|_| Rejection::Malformed)?;
        if count < 0 || bytes > 0x7FFF_FFFF {
            return Err(Rejection::Malformed);
        }
        usize::try_from(count).map_err(|_| Rejection::Malformed)
    }

    /// Reads strings by rule 10: a negative count means none.
    fn strings(&mut self) -> CheckedDocument {
        self.say("[");
        for _ in 0..self.u32()?.cast_signed() {
            let text = self.text()?;
            self.say(&format!("{text:?},"));
        }
        self.say("]");
        Ok(())
    }

    /// Reads a text by rule 4: its length is signed, and text and padding must both be there.
    fn text(&mut self) -> CheckedDocument<String> {
        let length = usize::try_from(self.u32()?.cast_signed()).map_err(|_| Rejection::Malformed)?;
        let field = self.take(length + (4 - length % 4) % 4)?;
        clean_text(&field[..length]).ok_or(Rejection::Malformed)
    }

    fn u32(&mut self) -> CheckedDocument<u32> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte)))
    }

    fn u64(&mut self) -> CheckedDocument<u64> {
        let bytes = self.take(8)?;
        Ok(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    fn take(&mut self, count: usize) -> CheckedDocument<&'a [u8]> {
        let end = self.at + count;
        let taken = self.bytes.get(self.at..end).ok_or(Rejection::Truncated)?;
        self.at = end;
        Ok(taken)
    }

    fn say(&mut self, words: &str) {
        self.said.push_str(words);
    }
}
