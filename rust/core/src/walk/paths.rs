//! Paths: the fast path past a NodePath whose bytes are all there, for a sink that needs none of its names. It keeps all limits
//! and refuses nothing: a path that is over a limit, or not plain, is walked name by name.

use super::charge;
use super::ledger::Ledger;
use super::level::Level;
use super::ways::took;
use crate::cursor::{Cursor, length};
use crate::flood::Names;
use crate::token::{self, PathRecord};
use crate::tricks::Trick;
use crate::wire::{Rules, VariantType};

impl Ledger {
    /// Takes a NodePath as a value.
    #[inline]
    pub(super) fn path<F>(
        &mut self,
        level: &mut Level<F>,
        cursor: &mut Cursor<'_>,
        rules: &Rules,
    ) -> Option<()> {
        if Trick::WalkPaths.is_off() {
            return None;
        }
        let record = token::peek_path(cursor.rest())?;
        let may_be_here = level.item_type.is_none_or(|ty| ty == VariantType::NodePath);
        if self.values >= rules.limits.max_values || !may_be_here || !rules.is_safe() {
            return None;
        }
        let price = charge::path(record);
        // Twice as much in a double-precision build, as `pay` has it.
        if self.heap.saturating_add(price.saturating_mul(2)) > rules.limits.max_heap_bytes {
            return None;
        }
        let mark = self.names.mark();
        if count_names(&mut self.names, record, *cursor, rules).is_none() {
            self.names.go_back(mark);
            return None;
        }
        took("Path", 1);
        self.pay(price, rules, cursor.at()).ok()?;
        cursor.take(length(record.bytes)).ok()?;
        self.took_items(level, 1, 1);
        Some(())
    }
}

/// Counts the names of a NodePath that may be here, if all are plain. `None`: some of them may be counted.
#[inline(never)]
fn count_names(names: &mut Names, record: PathRecord<'_>, cursor: Cursor<'_>, rules: &Rules) -> Option<()> {
    let limits = &rules.limits;
    let is_allowed = limits.allowed_types.contains(VariantType::NodePath);
    if !is_allowed || u64::from(record.names) > limits.max_path_segments {
        return None;
    }
    names.path(record, cursor, rules)
}

#[cfg(test)]
mod tests {
    use crate::tests::words as bytes;
    use crate::walk::ways_taken;
    use crate::{BuildCheck, Limits, Rules, Skip, ToValue, TypeSet, VariantType, Walker, validate};

    /// "a/b" without a header before it, as words.
    const PATH: [u32; 8] = [22, 0x8000_0002, 0, 0, 1, 0x61, 1, 0x62];

    fn array(items: &[&[u32]]) -> Vec<u8> {
        bytes(&[&[28, u32::try_from(items.len()).unwrap()], &items.concat()[..]].concat())
    }

    /// How many paths were taken at once; the verdict is that of a walk that takes none.
    #[track_caller]
    fn taken(input: &[u8], limits: Limits) -> u64 {
        let rules = Rules::safe(limits);
        let verdict = Walker::new().decode(input, &rules, &mut ToValue).map(|(_, extent)| extent);
        assert_eq!(Walker::new().decode(input, &rules, &mut Skip).map(|((), extent)| extent), verdict);
        ways_taken();
        assert_eq!(Walker::new().decode(input, &rules, &mut BuildCheck).map(|((), extent)| extent), verdict);
        let ways = ways_taken();
        let path = ways.split(", ").find_map(|way| way.strip_prefix("Path "));
        path.map_or(0, |times| times.parse().unwrap())
    }

    #[test]
    fn a_path_too_many_is_not_taken() {
        let dictionary = bytes(&[&[27, 2, 2, 1][..], &PATH, &[2, 2], &PATH].concat());
        for max_values in 0..8 {
            let limits = Limits { max_values, ..Limits::save_file() };
            let expected = u64::from(max_values >= 3) + u64::from(max_values >= 5);
            assert_eq!(taken(&dictionary, limits), expected, "{max_values} values");
        }
    }

    /// A name that is found again costs 8 steps, of which some are free: a path that comes often enough is refused.
    #[test]
    fn names_that_are_counted_are_not_passed() {
        let often = array(&[&PATH[..]; 400]);
        for (max_key_probes, expected) in [(0, 43), (7, 349), (8, 400), (1024, 400)] {
            let limits = Limits { max_key_probes, ..Limits::save_file() };
            assert_eq!(taken(&often, limits), expected, "{max_key_probes} steps a name");
        }
    }

    /// Twice what the path costs has to be there, for builds of double precision.
    #[test]
    fn a_path_that_can_be_paid_twice_is_taken() {
        let least = |input: &[u8]| {
            let passes = |max_heap_bytes| Rules::safe(Limits { max_heap_bytes, ..Limits::save_file() });
            (0..10_000).find(|limit| validate(input, &passes(*limit)).is_ok()).unwrap()
        };
        let twice = array(&[&PATH, &PATH]);
        let before = least(&array(&[&PATH, &[0]]));
        let price = least(&twice) - before;
        for (max_heap_bytes, expected) in [
            (before - price, 0),
            (before, 0),
            (before + price - 1, 0),
            (before + price, 1),
            (before + 2 * price - 1, 1),
            (before + 2 * price, 2),
        ] {
            let limits = Limits { max_heap_bytes, ..Limits::save_file() };
            assert_eq!(taken(&twice, limits), expected, "{max_heap_bytes} bytes");
        }
    }

    /// In a typed array a path may be of the wrong type: only one of paths takes it.
    #[test]
    fn a_path_is_taken_only_where_it_may_be() {
        let of = |ty, count: usize| {
            [&[0x1_001C, ty, u32::try_from(count).unwrap()], &PATH.repeat(count)[..]].concat()
        };
        for (ty, is_good) in [(22, true), (2, false), (21, false)] {
            let input = bytes(&of(ty, 2));
            let expected = if is_good { 2 } else { 0 };
            assert_eq!(taken(&input, Limits::save_file()), expected, "of type {ty}");
            assert_eq!(validate(&input, &Rules::default()).is_ok(), is_good);
        }
        assert_eq!(taken(&array(&[&PATH, &PATH]), Limits::save_file()), 2);
        // A key is noted name by name.
        assert_eq!(taken(&bytes(&[&[27, 1][..], &PATH, &[0]].concat()), Limits::save_file()), 0);
    }

    #[test]
    fn only_what_is_allowed_is_made() {
        let once = array(&[&PATH]);
        let limits = Limits::save_file();
        assert_eq!(taken(&once, limits), 1);
        let allowed_types = limits.allowed_types.without(TypeSet::of(&[VariantType::NodePath]));
        assert_eq!(taken(&once, Limits { allowed_types, ..limits }), 0);
        for (max_path_segments, made) in [(0, 0), (1, 0), (2, 1), (3, 1)] {
            assert_eq!(taken(&once, Limits { max_path_segments, ..limits }), made);
        }
        for (max_string_bytes, made) in [(0, 0), (1, 1)] {
            assert_eq!(taken(&once, Limits { max_string_bytes, ..limits }), made);
        }
        for max_depth in 0..4 {
            let made = u64::from(max_depth > 1);
            assert_eq!(taken(&once, Limits { max_depth, ..limits }), made, "{max_depth} levels");
        }
        // One name too few, so that something is left over; absolute; other flags; lengths, text and padding that are not right.
        for (at, word, made) in [
            (1, 0x8000_0001, 1),
            (3, 1, 1),
            (3, 2, 0),
            (3, 3, 0),
            (4, 0, 0),
            (4, 2, 0),
            (5, 0x0161, 0),
            (5, 0x80, 0),
            (5, 0, 0),
        ] {
            let mut path = PATH;
            path[at] = word;
            assert_eq!(taken(&array(&[&path]), limits), made, "word {at}: {word:#x}");
        }
        assert_eq!(taken(&array(&[&[22, 0x8000_0001, 1, 0, 1, 0x61, 1, 0x62]]), limits), 1);
        assert_eq!(taken(&array(&[&[22, 0x8000_0000, 0, 0]]), limits), 1);
    }

    /// Names that were counted for a path that is not taken after all are counted once: as many pass as without.
    #[test]
    fn what_was_counted_is_taken_back() {
        let names = |n: u32| [0x61 + n % 26, 0x61 + n / 26 % 26, 0x61 + n / 676];
        let path = |n: u32| {
            let [a, b, c] = names(n);
            [22, 0x8000_0002, 0, 0, 3, a | b << 8 | c << 16, 1, 0x62]
        };
        let paths: Vec<[u32; 8]> = (0..3000).chain(0..3000).map(path).collect();
        let items: Vec<&[u32]> = paths.iter().map(|path| &path[..]).collect();
        let input = array(&items);
        let mut seen = std::collections::BTreeSet::new();
        for max_key_probes in 0..64 {
            let rules = Rules::safe(Limits { max_key_probes, ..Limits::save_file() });
            let answer = Walker::new().decode(&input, &rules, &mut BuildCheck).map(|((), extent)| extent);
            let named = Walker::new().decode(&input, &rules, &mut ToValue).map(|(_, extent)| extent);
            assert_eq!(answer, named, "{max_key_probes}");
            seen.insert(answer.is_ok());
        }
        assert_eq!(seen.len(), 2, "some are refused and some are not");
    }
}
