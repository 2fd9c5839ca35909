//! Look: whether bytes are one flat container that no limit and no rule can speak against, told without a ledger and
//! without memory. It refuses nothing: all else is the walk's, which is the plain twin. What flat is, `walk/flat.rs` says.
//!
//! It recurses, but never deeper than [`DEEPEST`], and every byte is looked at once.

mod entries;
mod known;
mod leaf;

use super::flat::{MOST_FLAT_NAMES, free_flat_levels};
use crate::cursor::length;
use crate::flood::SMALL;
use crate::token::{
    self, ARRAY, BOOL, DICTIONARY, FLOAT, INT, NIL, Record, STRING, STRING_NAME, WIDE_FLOAT, WIDE_INT,
    plain_text, short_string,
};
use crate::wire::Rules;
use entries::Entries;
use known::{Key, Known, MOST, Shape};

/// Levels of containers. Each takes less than 512 bytes of stack in a release build, and not all threads have much.
const DEEPEST: u64 = 32;
/// Fewer bytes hold too few dictionaries of one shape for that to be worth its room.
const WORTH_SHAPES: usize = 2048;

/// Whether the bytes are one flat Array or Dictionary that nothing can speak against, so that a walk would accept them,
/// all of them. Of a leaf `lone` tells that.
#[inline]
#[must_use]
pub fn is_flat(bytes: &[u8], rules: &Rules) -> bool {
    let levels = free_flat_levels(length(bytes), rules).min(DEEPEST);
    // Counts are of 31 bits.
    let is_short = i32::try_from(bytes.len()).is_ok();
    if levels == 0 || !is_short || !matches!(bytes, [27 | 28, ..]) {
        return false;
    }
    if bytes.len() < WORTH_SHAPES {
        looked(bytes, levels, rules)
    } else {
        looked_with_shapes(bytes, levels, rules)
    }
}

fn looked(bytes: &[u8], levels: u64, rules: &Rules) -> bool {
    let mut keys = [Key::NONE; 24];
    Look::new(rules, Known::new(&mut keys, &mut [], &mut [])).is_all(bytes, levels)
}

#[inline(never)]
fn looked_with_shapes(bytes: &[u8], levels: u64, rules: &Rules) -> bool {
    let mut keys = [Key::NONE; 96];
    let mut records = [Record::NONE; 128];
    let mut shapes = [Shape::NONE; 16];
    Look::new(rules, Known::new(&mut keys, &mut records, &mut shapes)).is_all(bytes, levels)
}

/// A look through the bytes of one value.
struct Look<'b, 'r> {
    rules: &'r Rules,
    known: Known<'b, 'r>,
    /// Names that may come still.
    names: u32,
    /// The fields of those that came, where they are free from then on.
    came: [&'b [u8]; NAMES],
}

/// As many as may come.
const NAMES: usize = 12;
const _: () = assert!(MOST_FLAT_NAMES == 12 && SMALL == 16 && MOST == 16, "there is room for each");

impl<'b, 'r> Look<'b, 'r> {
    const fn new(rules: &'r Rules, known: Known<'b, 'r>) -> Look<'b, 'r> {
        Look { rules, known, names: MOST_FLAT_NAMES, came: [&[]; NAMES] }
    }

    fn is_all(&mut self, bytes: &'b [u8], levels: u64) -> bool {
        matches!(self.value(bytes, levels), Some([]))
    }

    /// What follows the value that comes next, if that is flat and has no more levels than these.
    #[inline(always)]
    fn value(&mut self, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (header, rest) = word(bytes)?;
        let scalar = token::scalar_bytes(header);
        if scalar > 0 {
            return bytes.get(scalar..);
        }
        if header == STRING {
            return match short_string(bytes) {
                Some((_, used)) => bytes.get(usize::try_from(used).ok()?..),
                None => longer(bytes, self.rules),
            };
        }
        match header {
            BOOL => match rest {
                [0 | 1, 0, 0, 0, behind @ ..] => Some(behind),
                _ => None,
            },
            WIDE_INT | WIDE_FLOAT => bytes.get(12..),
            DICTIONARY => self.dictionary(rest, levels.checked_sub(1)?),
            ARRAY => self.array(rest, levels.checked_sub(1)?),
            _ => self.rare(header, bytes, levels),
        }
    }

    /// What follows an Array without a type, of which these bytes are what follows the header.
    fn array(&mut self, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (mut count, mut rest) = word(bytes)?;
        while count > 0 {
            match rest {
                [2 | 3, 0, 0, 0, ..] => {
                    let (behind, alike) = numbers(rest, count)?;
                    (rest, count) = (behind, count.checked_sub(alike)?);
                }
                _ => (rest, count) = (self.value(rest, levels)?, count.wrapping_sub(1)),
            }
        }
        Some(rest)
    }

    /// The same of a Dictionary without types.
    fn dictionary(&mut self, bytes: &'b [u8], levels: u64) -> Option<&'b [u8]> {
        let (count, mut rest) = word(bytes)?;
        let count = usize::try_from(count).ok()?;
        let declared = (NIL, NIL);
        let Some(shape) = self.known.follow(count, rest) else {
            return self.entries(rest, Entries { count, declared, before: None }, levels);
        };
        for at in 0..count {
            let Some(field) = self.known.field(shape, at, rest) else {
                let left = count.checked_sub(at)?;
                return self.entries(
                    rest,
                    Entries { count: left, declared, before: Some((shape, at)) },
                    levels,
                );
            };
            rest = self.value(rest.get(field..)?, levels)?;
        }
        self.known.release();
        Some(rest)
    }
}

/// What follows the ints and floats of four bytes that come next, and how many they are: one at least.
#[inline(always)]
fn numbers(bytes: &[u8], most: u32) -> Option<(&[u8], u32)> {
    let (eights, _) = bytes.as_chunks::<8>();
    let eights = eights.get(..usize::try_from(most).ok()?).unwrap_or(eights);
    let is_other = |eight: &[u8; 8]| !matches!(eight, [2 | 3, 0, 0, 0, ..]);
    let alike = eights.iter().position(is_other).unwrap_or(eights.len());
    let behind = bytes.get(alike.checked_mul(8)?..)?;
    Some((behind, u32::try_from(alike).ok().filter(|alike| *alike > 0)?))
}

/// What follows the String that comes next, which is not so short.
#[inline(never)]
fn longer<'b>(bytes: &'b [u8], rules: &Rules) -> Option<&'b [u8]> {
    plain_text(bytes, rules).map(|(.., rest)| rest)
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}

#[cfg(test)]
mod tests;
