//! The plain reader: reads bytes that are one container in its plainest form, of which no limit and no rule
//! can refuse anything, without a ledger. It refuses nothing: all else is left to the walk, which is its
//! fallback. `limits.rs` says where no limit can refuse anything.
//!
//! It is generic over its maker ([`Make`]): `()` for a check, `Tree`, and in the extension `Slots`, which makes the engine's
//! values, and `Updater`. It recurses, but never deeper than [`Make::DEEPEST`], and reads every byte once.

mod check;
mod entries;
mod keys;
mod leaf;
mod limits;
mod make;
mod names;

use crate::cursor::length;
use crate::flood::SMALL;
use crate::token::{self, ARRAY, BOOL, DICTIONARY, NIL, Record, STRING, WIDE_FLOAT, WIDE_INT, short_string};
use crate::tricks::Trick;
use crate::wire::Rules;
pub use check::CheckBy;
use entries::RemainingEntries;
use keys::{Key, Keys, MOST, Template};
pub use limits::free_levels;
use limits::most_flat_entries;
pub(crate) use make::narrow_numbers;
pub use make::{EntryTypes, Make, PlainLeaf};
pub use names::FlatNames;

/// Fewer bytes hold too few dictionaries with the same keys for templates to be worth their room.
const WORTH_TEMPLATES: usize = 2048;

/// Tells whether the bytes are one flat Array or Dictionary that nothing can speak against, so that a walk would accept
/// them, all of them. For a leaf `single` tells that.
#[inline]
#[must_use]
pub fn is_flat(bytes: &[u8], rules: &Rules) -> bool {
    make(bytes, rules, (), ())
}

/// Makes the value of bytes that are one flat Array or Dictionary, as [`is_flat`] tells it, in this place. Where they are
/// not, some of it may have been made already.
#[inline]
pub(crate) fn make<M: Make>(bytes: &[u8], rules: &Rules, make: M, place: M::Place<'_>) -> bool {
    if !matches!(bytes, [27 | 28, ..]) || Trick::PlainReader.is_off() {
        return false;
    }
    if bytes.len() < WORTH_TEMPLATES {
        let mut keys = [Key::NONE; 24];
        let keys = Keys::new(&mut keys, &mut [], &mut []);
        matches!(made(bytes, rules, keys, make, place), Some([]))
    } else {
        made_with_templates(bytes, rules, make, place)
    }
}

#[inline(never)]
fn made_with_templates<M: Make>(bytes: &[u8], rules: &Rules, make: M, place: M::Place<'_>) -> bool {
    let mut keys = [Key::NONE; 96];
    let mut records = [Record::NONE; 128];
    let mut templates = [Template::NONE; 16];
    let keys = Keys::new(&mut keys, &mut records, &mut templates);
    matches!(made(bytes, rules, keys, make, place), Some([]))
}

/// Makes the value that the bytes begin with, of any type, by a maker that finds equal keys itself. Returns what follows
/// it. Where it is given up, some of it may have been made already.
#[inline]
pub fn make_first<'b, M: Make>(
    bytes: &'b [u8],
    rules: &Rules,
    make: M,
    place: M::Place<'_>,
    check: CheckBy<'_>,
) -> Option<&'b [u8]> {
    const { assert!(M::FINDS_DUPLICATES, "there is no room for keys") };
    let (levels, most) = match check {
        CheckBy::Caller { .. } => (M::DEEPEST, u32::MAX),
        CheckBy::Walk { levels, .. } => (levels, most_flat_entries(rules)),
        CheckBy::Nobody => (free_levels(length(bytes), rules), most_flat_entries(rules)),
    };
    let keys = Keys::new(&mut [], &mut [], &mut []);
    Reader { rules, keys, make, names: FlatNames::new(rules), check, most }.first(bytes, place, levels)
}

#[inline(always)]
fn made<'b, M: Make>(
    bytes: &'b [u8],
    rules: &Rules,
    keys: Keys<'b, '_>,
    make: M,
    place: M::Place<'_>,
) -> Option<&'b [u8]> {
    let (check, levels) = (CheckBy::Nobody, free_levels(length(bytes), rules));
    let (names, most) = (FlatNames::new(rules), most_flat_entries(rules));
    Reader { rules, keys, make, names, check, most }.first(bytes, place, levels)
}

/// Reads the bytes of one value.
struct Reader<'b, 'r, 'j, M> {
    rules: &'r Rules,
    keys: Keys<'b, 'r>,
    make: M,
    names: FlatNames<'b>,
    check: CheckBy<'j>,
    /// Entries of a Dictionary at most, until a walk has judged.
    most: u32,
}

const _: () = assert!(SMALL == 16 && MOST == 16, "there is room for each");

impl<'b, M: Make> Reader<'b, '_, '_, M> {
    /// Reads the value that the bytes begin with. Returns what follows it.
    #[inline]
    fn first(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        // Counts are of 31 bits.
        let is_short = i32::try_from(bytes.len()).is_ok();
        if levels == 0 || !is_short {
            return None;
        }
        self.value(bytes, place, levels.min(M::DEEPEST))
    }

    /// Reads the value that comes next, if it is flat and has no more levels than these. Returns what follows it.
    #[inline(always)]
    fn value(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        match self.make.leaf(place, bytes) {
            Ok(used) => bytes.get(used..),
            Err(place) => self.other(bytes, place, levels),
        }
    }

    /// Reads the value that comes next, which the maker has not made by itself.
    #[inline(always)]
    fn other(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (header, rest) = word(bytes)?;
        let scalar = token::scalar_bytes(header);
        if scalar > 0 {
            let (field, behind) = bytes.split_at_checked(scalar)?;
            self.make.plain(place, PlainLeaf::Scalar(field))?;
            return Some(behind);
        }
        if header == STRING {
            return match short_string(bytes) {
                Some((text, used)) => {
                    self.make.plain(place, PlainLeaf::Text(text))?;
                    bytes.get(usize::try_from(used).ok()?..)
                }
                None => self.make.string(place, bytes, self.rules),
            };
        }
        match header {
            BOOL => match rest {
                [value @ (0 | 1), 0, 0, 0, behind @ ..] => {
                    self.make.plain(place, PlainLeaf::Bool(*value == 1))?;
                    Some(behind)
                }
                _ => None,
            },
            WIDE_INT | WIDE_FLOAT => {
                let (field, behind) = bytes.split_at_checked(12)?;
                self.make.plain(place, PlainLeaf::Scalar(field))?;
                Some(behind)
            }
            DICTIONARY => self.dictionary(rest, place, levels.checked_sub(1)?),
            ARRAY => self.array(rest, place, levels.checked_sub(1)?),
            _ => self.rare(header, bytes, place, levels),
        }
    }

    /// Reads an Array without a type, by what follows its header.
    fn array(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (mut count, mut rest) = word(bytes)?;
        let mut items = self.make.array(place, NIL, count)?;
        while count > 0 {
            let (used, taken) = self.make.run(&mut items, NIL, rest, count)?;
            if taken > 0 {
                (rest, count) = (rest.get(used..)?, count.checked_sub(taken)?);
                if count == 0 {
                    break;
                }
            }
            let place = self.make.item(&mut items)?;
            (rest, count) = (self.value(rest, place, levels)?, count.wrapping_sub(1));
        }
        Some(rest)
    }

    /// Begins a Dictionary, of which all bytes are checked if it is large.
    #[inline(always)]
    fn begin<'p>(&mut self, place: M::Place<'p>, declared: EntryTypes, count: u32) -> Option<M::Entries<'p>> {
        if M::FINDS_DUPLICATES && count > self.most {
            self.check_all()?;
        }
        self.make.dictionary(place, declared, count)
    }

    /// Reads a Dictionary without types, by what follows its header.
    fn dictionary(&mut self, bytes: &'b [u8], place: M::Place<'_>, levels: u64) -> Option<&'b [u8]> {
        let (count, mut rest) = word(bytes)?;
        let declared = EntryTypes::default();
        let mut entries = self.begin(place, declared, count)?;
        if count == 1 && M::FINDS_DUPLICATES {
            return self.only_entry(rest, entries, levels);
        }
        if let Some(mut template) = self.make.template(&mut entries, count, rest) {
            for at in 0..count {
                let Some((used, place)) = self.make.templated_key(&mut template, rest) else {
                    self.make.leave(template, &mut entries, at)?;
                    let count = usize::try_from(count.checked_sub(at)?).ok()?;
                    let left = RemainingEntries { count, declared, before: None };
                    return self.entries(rest, left, entries, levels);
                };
                rest = self.value(rest.get(used..)?, place, levels)?;
            }
            self.make.followed(template);
            return Some(rest);
        }
        let count = usize::try_from(count).ok()?;
        let Some(template) = self.keys.follow(count, rest) else {
            return self.entries(rest, RemainingEntries { count, declared, before: None }, entries, levels);
        };
        for at in 0..count {
            let Some(field) = self.keys.field(template, at, rest) else {
                let left = RemainingEntries {
                    count: count.checked_sub(at)?,
                    declared,
                    before: Some((template, at)),
                };
                return self.entries(rest, left, entries, levels);
            };
            let (field, behind) = rest.split_at_checked(field)?;
            let place = self.make.key(&mut entries, field)?;
            rest = self.value(behind, place, levels)?;
        }
        self.keys.release();
        Some(rest)
    }
}

#[inline(always)]
fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    bytes.split_first_chunk().map(|(word, rest)| (u32::from_le_bytes(*word), rest))
}

#[cfg(test)]
mod tests;
