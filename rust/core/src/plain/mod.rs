//! The plain reader: reads bytes that are one container in its plainest form, of which no limit and no rule can refuse
//! anything, without a ledger. It refuses nothing: all else is left to the walk, which is its slow twin. `limits.rs` says
//! where no limit can refuse anything.
//!
//! It is generic over what it makes of the bytes ([`Make`]): nothing, for a check, or a tree. It recurses, but never deeper
//! than [`DEEPEST`], and reads every byte once.

mod entries;
mod keys;
mod leaf;
mod limits;
mod make;

use crate::cursor::length;
use crate::flood::SMALL;
use crate::token::{
    self, ARRAY, BOOL, DICTIONARY, NIL, Record, STRING, WIDE_FLOAT, WIDE_INT, plain_text, short_string,
};
use crate::wire::{Rules, VariantType};
use entries::Rest;
use keys::{Key, Keys, MOST, Template};
pub use limits::{
    LONGEST_FLAT_NAME, LONGEST_FLAT_PATH, MOST_FLAT_NAMES, flat_names_may_repeat, free_flat_levels,
    most_flat_entries,
};
pub(crate) use make::Make;

/// Levels of containers. Each takes less than 512 bytes of stack in a release build, and not all threads have much.
const DEEPEST: u64 = 32;
/// Fewer bytes hold too few dictionaries with the same keys for templates to be worth their room.
const WORTH_TEMPLATES: usize = 2048;

/// Tells whether the bytes are one flat Array or Dictionary that nothing can speak against, so that a walk would accept
/// them, all of them. For a leaf `lone` tells that.
#[inline]
#[must_use]
pub fn is_flat(bytes: &[u8], rules: &Rules) -> bool {
    make(bytes, rules, (), ())
}

/// Makes the value of bytes that are flat as [`is_flat`] tells it, in this place. Where they are not, some of it may have been
/// made already.
#[inline]
pub(crate) fn make<M: Make>(bytes: &[u8], rules: &Rules, make: M, place: M::Place<'_>) -> bool {
    let levels = free_flat_levels(length(bytes), rules).min(DEEPEST);
    // Counts are of 31 bits.
    let is_short = i32::try_from(bytes.len()).is_ok();
    if levels == 0 || !is_short || !matches!(bytes, [27 | 28, ..]) {
        return false;
    }
    if bytes.len() < WORTH_TEMPLATES {
        let mut keys = [Key::NONE; 24];
        let keys = Keys::new(&mut keys, &mut [], &mut []);
        Reader::new(rules, keys, make).is_all(bytes, place, levels)
    } else {
        made_with_templates(bytes, rules, make, (place, levels))
    }
}

#[inline(never)]
fn made_with_templates<M: Make>(
    bytes: &[u8],
    rules: &Rules,
    make: M,
    (place, levels): (M::Place<'_>, u64),
) -> bool {
    let mut keys = [Key::NONE; 96];
    let mut records = [Record::NONE; 128];
    let mut templates = [Template::NONE; 16];
    let keys = Keys::new(&mut keys, &mut records, &mut templates);
    Reader::new(rules, keys, make).is_all(bytes, place, levels)
}

/// Reads the bytes of one value.
struct Reader<'b, 'r, M> {
    rules: &'r Rules,
    keys: Keys<'b, 'r>,
    make: M,
    /// Names that may come still.
    names: u32,
    /// The fields of those that came, where they are free from then on.
    came: [&'b [u8]; NAMES],
}

/// As many names as may come.
const NAMES: usize = 12;
const _: () = assert!(MOST_FLAT_NAMES == 12 && SMALL == 16 && MOST == 16, "there is room for each");

impl<'b, 'r, M: Make> Reader<'b, 'r, M> {
    const fn new(rules: &'r Rules, keys: Keys<'b, 'r>, make: M) -> Reader<'b, 'r, M> {
        Reader { rules, keys, make, names: MOST_FLAT_NAMES, came: [&[]; NAMES] }
    }

    fn is_all(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> bool {
        matches!(self.value(bytes, place, levels), Some([]))
    }

    /// Reads the value that comes next, if it is flat and has no more levels than these; what follows it.
    #[inline(always)]
    fn value(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (header, rest) = word(bytes)?;
        let scalar = token::scalar_bytes(header);
        if scalar > 0 {
            let (field, behind) = bytes.split_at_checked(scalar)?;
            self.make.scalar(place, field)?;
            return Some(behind);
        }
        if header == STRING {
            return match short_string(bytes) {
                Some((text, used)) => {
                    self.make.text(place, VariantType::String, text)?;
                    bytes.get(usize::try_from(used).ok()?..)
                }
                None => self.longer(bytes, place),
            };
        }
        match header {
            BOOL => match rest {
                [value @ (0 | 1), 0, 0, 0, behind @ ..] => {
                    self.make.bool(place, *value == 1);
                    Some(behind)
                }
                _ => None,
            },
            WIDE_INT | WIDE_FLOAT => {
                let (field, behind) = bytes.split_at_checked(12)?;
                self.make.scalar(place, field)?;
                Some(behind)
            }
            DICTIONARY => self.dictionary(rest, place, levels.checked_sub(1)?),
            ARRAY => self.array(rest, place, levels.checked_sub(1)?),
            _ => self.rare(header, bytes, place, levels),
        }
    }

    /// Reads the String that comes next, which is not so short.
    #[inline(never)]
    fn longer(&mut self, bytes: &'b [u8], place: M::Place<'_>) -> Option<&'b [u8]> {
        let (ty, text, rest) = plain_text(bytes, self.rules)?;
        self.make.text(place, ty, text)?;
        Some(rest)
    }

    /// Reads an Array without a type, by what follows its header.
    fn array(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (mut count, mut rest) = word(bytes)?;
        let mut items = self.make.array(place, NIL, count)?;
        while count > 0 {
            match rest {
                [2 | 3, 0, 0, 0, ..] => {
                    let (alike, behind) = narrow_numbers(rest, count)?;
                    self.make.row(&mut items, alike)?;
                    (rest, count) = (behind, count.checked_sub(u32::try_from(alike.len()).ok()?)?);
                }
                _ => {
                    let place = self.make.item(&mut items)?;
                    (rest, count) = (self.value(rest, place, levels)?, count.wrapping_sub(1));
                }
            }
        }
        Some(rest)
    }

    /// Reads a Dictionary without types, by what follows its header.
    fn dictionary(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (count, mut rest) = word(bytes)?;
        let declared = (NIL, NIL);
        let mut entries = self.make.dictionary(place, declared, count)?;
        let count = usize::try_from(count).ok()?;
        let Some(template) = self.keys.follow(count, rest) else {
            return self.entries(rest, (Rest { count, declared, before: None }, entries), levels);
        };
        for at in 0..count {
            let Some(field) = self.keys.field(template, at, rest) else {
                let left = Rest { count: count.checked_sub(at)?, declared, before: Some((template, at)) };
                return self.entries(rest, (left, entries), levels);
            };
            let (field, behind) = rest.split_at_checked(field)?;
            let place = self.make.key(&mut entries, field)?;
            rest = self.value(behind, place, levels)?;
        }
        self.keys.release();
        Some(rest)
    }
}

/// Splits off the ints and floats of four bytes that come next: one at least.
#[inline(always)]
fn narrow_numbers(bytes: &[u8], most: u32) -> Option<(&[[u8; 8]], &[u8])> {
    let (eights, _) = bytes.as_chunks::<8>();
    let eights = eights.get(..usize::try_from(most).ok()?).unwrap_or(eights);
    let is_other = |eight: &[u8; 8]| !matches!(eight, [2 | 3, 0, 0, 0, ..]);
    let count = eights.iter().position(is_other).unwrap_or(eights.len());
    let alike = eights.get(..count).filter(|alike| !alike.is_empty())?;
    Some((alike, bytes.get(alike.as_flattened().len()..)?))
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}

#[cfg(test)]
mod tests;
