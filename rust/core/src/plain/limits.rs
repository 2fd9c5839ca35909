//! Says how few bytes a value of numbers, texts and plain containers must have, and how few levels, for no limit to refuse
//! it, so that a reader need not count while it reads. It reads no bytes.

use crate::flood::SMALL;
use crate::token;
use crate::wire::{Limits, Rules, TypeSet, VariantType};

/// The types of a flat value besides scalars and names. A reader asks for other types one by one.
const PARTS: TypeSet = TypeSet::of(&[VariantType::Array, VariantType::Dictionary, VariantType::String]);

const KEYS: TypeSet = TypeSet::of(&[VariantType::String, VariantType::Int]);

/// The most entries of a Dictionary that cannot be refused for its steps where each may take [`ENOUGH_PROBES`], whatever
/// its keys are: keys of one hash, of at most 32 bytes, take four each for each one before, twice where the table grows.
const TABLE: u32 = 64;
const ENOUGH_PROBES: u64 = 256;

/// Returns the most entries of a flat Dictionary: the steps to the keys of more of them are counted. Its keys have at most 32 bytes.
#[inline]
pub(super) fn most_flat_entries(rules: &Rules) -> u32 {
    if rules.limits.max_key_probes >= ENOUGH_PROBES { TABLE } else { SMALL }
}

/// The most names in a flat value: the steps to more of them are counted. A NodePath counts as two more than it has.
pub(crate) const MOST_FLAT_NAMES: u32 = 12;

/// Tells whether only names that differ count: each of so few is found in less than `ENOUGH_PROBES` steps, however often.
#[inline]
pub(crate) const fn flat_names_may_repeat(rules: &Rules) -> bool {
    rules.limits.max_key_probes >= ENOUGH_PROBES
}

/// The most bytes of a name in a flat value.
pub(crate) const LONGEST_FLAT_NAME: usize = 64;

/// The most bytes of a NodePath in a flat value.
pub(crate) const LONGEST_FLAT_PATH: usize = 128;

/// The most levels of a container that is a key: as many as the engine compares.
pub(super) const DEEPEST_FLAT_KEY: u64 = 50;

/// Returns how many levels of containers a flat value of so many bytes may have for no limit to refuse it, 0 where one
/// might all the same. Flat are leaves in their plainest form, of types that are allowed, with no more than [`MOST_FLAT_NAMES`] names
/// (see [`flat_names_may_repeat`]) and no paths of more segments than are allowed; in Arrays, PackedStringArrays and
/// Dictionaries with at most [`most_flat_entries`] keys, which are of types that are allowed and differ. A
/// container declares a builtin type or nothing.
#[inline]
#[must_use]
pub fn free_levels(bytes: u64, rules: &Rules) -> u64 {
    let Limits { max_depth, allowed_types, allowed_key_types, .. } = rules.limits;
    let entries = (bytes >> 3).min(u64::from(most_flat_entries(rules)));
    let is_free = rules.limits.are_beyond_with(bytes, entries, bytes, rules)
        && allowed_types.0 & PARTS.0 == PARTS.0
        && allowed_key_types.0 & KEYS.0 == KEYS.0
        && token::are_plain(rules);
    if is_free { max_depth.saturating_sub(1) } else { 0 }
}

#[cfg(test)]
pub(super) use tests::dearest;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::words;
    use crate::{RealWidth, Skip, Strictness, Walker};

    const LEVELS: u32 = 40;

    /// The dearest there are: arrays of nulls, of short texts and of vectors, dictionaries of short keys.
    pub(in crate::plain) fn dearest() -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        for count in 0..200_u32 {
            let items: [&[u32]; 5] =
                [&[0], &[4, 1, 0x61], &[4, 5, 0x6161_6161, 0x61], &[9, 1, 2, 3], &[2, 7]];
            all.extend(items.map(|item| [words(&[28, count]), words(item).repeat(count as usize)].concat()));
        }
        for count in 1..=SMALL {
            let entries = |entry: &dyn Fn(u32) -> Vec<u8>| (0..count).flat_map(entry).collect::<Vec<_>>();
            let texts = [words(&[27, count]), entries(&|n| words(&[4, 1, 0x61 + n, 0]))].concat();
            let ints = [words(&[27, count]), entries(&|n| words(&[2, n, 0]))].concat();
            for part in [&texts, &ints, &words(&[27, 0]), &words(&[28, 0]), &words(&[0x1_001C, 2, 1, 2, 3])] {
                all.push([words(&[28, 20]), part.repeat(20)].concat());
            }
            let around = (1..LEVELS).fold(texts, |inner, _| [words(&[28, 1]), inner].concat());
            all.extend([around, ints]);
        }
        all.extend(named());
        all.extend(typed());
        all.extend([&[34, 0][..], &[34, 1, 1, 0], &[34, 2, 5, 0x6161_6161, 0, 1, 0]].map(words));
        for leaf in [&[29, 0][..], &[29, 1, 1], &[32, 1, 0], &[36, 1, 0, 0, 0], &[34, 1, 1, 0]] {
            all.push([words(&[28, 20]), words(leaf).repeat(20)].concat());
        }
        for (count, leaf) in (1..=33).flat_map(|n| [(n, &[0x1_0018, 7, 0][..]), (n, &[23, 7, 0]), (n, &[25])])
        {
            all.push([words(&[28, count]), words(leaf).repeat(count as usize)].concat());
            let entry = |n: u32| [words(&[2, n]), words(leaf)].concat();
            let count = count.min(SMALL);
            all.push([words(&[27, count]), (0..count).flat_map(entry).collect()].concat());
        }
        for leaf in [(15, 4), (11, 6), (16, 6), (17, 9), (18, 12), (19, 16)] {
            all.push(
                [words(&[28, 5]), words(&[&[leaf.0][..], &vec![0; leaf.1]].concat()).repeat(5)].concat(),
            );
        }
        all.push([words(&[0x5_001B, 2, 2, 1, 2, 1, 2, 2])].concat());
        let within = |inner: Vec<u8>| [words(&[27, 1, 2, 7]), inner].concat();
        all.push((1..LEVELS).fold(words(&[27, 0]), |inner, _| within(inner)));
        all
    }

    /// As many keys as are never too many are accepted, though all want one place; the same under a limit that may refuse
    /// them is not said to be free.
    #[test]
    fn keys_of_one_hash_are_never_too_many() {
        let rules = |max_key_probes| Rules::safe(Limits { max_key_probes, ..Limits::save_file() });
        let small = SMALL;
        assert_eq!([255, 256, u64::MAX].map(|limit| most_flat_entries(&rules(limit))), [small, TABLE, TABLE]);
        // Six pairs of one hash: 33 times the first and the second.
        let text = |at: u32| {
            (0..6)
                .flat_map(move |bit| if at >> bit & 1 == 0 { *b"aB" } else { *b"b!" })
                .chain(*b"xxxxxxxxxxxx")
        };
        let key = |at: u32| [words(&[4, 24]), text(at).collect()].concat();
        let dictionary = |count: u32| {
            [words(&[27, count]), (0..count).flat_map(|at| [key(at), words(&[0])].concat()).collect()]
                .concat()
        };
        let refused =
            |count: u32, limit| Walker::new().decode(&dictionary(count), &rules(limit), &mut Skip).is_err();
        assert!((1..=TABLE).all(|count| !refused(count, ENOUGH_PROBES)));
        assert!(refused(TABLE, 16));
        let four = [words(&[28, 4]), dictionary(TABLE).repeat(4)].concat();
        assert!(Walker::new().decode(&four, &rules(ENOUGH_PROBES), &mut Skip).is_ok());
    }

    /// Names that come again and again are accepted, each the last of a chain.
    #[test]
    fn few_names_are_found_as_often_as_they_come() {
        let rules = |max_key_probes| Rules::safe(Limits { max_key_probes, ..Limits::save_file() });
        assert_eq!([255, 256].map(|limit| flat_names_may_repeat(&rules(limit))), [false, true]);
        for value in named() {
            let often = [words(&[28, 500]), value.repeat(500)].concat();
            let decode = |limit| Walker::new().decode(&often, &rules(limit), &mut Skip).is_ok();
            assert!(decode(ENOUGH_PROBES));
            assert!(!decode(0) || value.len() < 200, "{value:02x?}");
        }
    }

    /// The dearest names: of one hash, as long as they may be, in values, in keys and in paths.
    fn named() -> Vec<Vec<u8>> {
        let name = |at: u32| {
            let mut text = "x".repeat(LONGEST_FLAT_NAME - 8).into_bytes();
            // Pairs of one hash: 33 times the first and the second.
            text.extend((0..4).flat_map(|bit| if at >> bit & 1 == 0 { *b"aB" } else { *b"b!" }));
            text
        };
        let field = |text: &[u8]| [&words(&[u32::try_from(text.len()).unwrap()])[..], text].concat();
        let leaf = |at: u32| [words(&[21]), field(&name(at))].concat();
        let list = (0..MOST_FLAT_NAMES).map(leaf).collect::<Vec<_>>().concat();
        let again = [leaf(0), leaf(1).repeat(MOST_FLAT_NAMES as usize - 1)].concat();
        let keyed = (0..MOST_FLAT_NAMES).map(|at| [leaf(at), words(&[0])].concat()).collect::<Vec<_>>();
        let count = MOST_FLAT_NAMES - 2;
        let most = LONGEST_FLAT_PATH / 4 - 4 - count as usize;
        let segment = |at: u32| {
            let text = name(at);
            field(&text[text.len() - most * 4 / count as usize / 4 * 4..])
        };
        let segments = (0..count).map(segment).collect::<Vec<_>>().concat();
        let path = |names: u32| [words(&[22, names | 1 << 31, count - names, 1]), segments.clone()].concat();
        vec![
            [words(&[28, MOST_FLAT_NAMES]), list].concat(),
            [words(&[28, MOST_FLAT_NAMES]), again].concat(),
            [words(&[27, MOST_FLAT_NAMES]), keyed.concat()].concat(),
            [words(&[28, 1]), path(count)].concat(),
            [words(&[28, 1]), path(1)].concat(),
            words(&[&[28, 6][..], &[22, 1 << 31, 0, 0, 22, 1 << 31, 0, 1].repeat(3)].concat()),
        ]
    }

    /// Containers of classes, and of containers.
    fn typed() -> Vec<Vec<u8>> {
        let class: &[u32] = &[0x2_001C, 1, 0x41, 0];
        let nulls: &[u32] = &[0x2_001C, 1, 0x41, 1, 24 | 1 << 16, 0, 0];
        let both: &[u32] = &[0xA_001B, 1, 0x41, 1, 0x42, 0];
        let arrays: &[u32] = &[0x1_001C, 28, 1, 28, 1, 0];
        let dictionaries: &[u32] = &[0x1_001C, 27, 1, 27, 0];
        let values: &[u32] = &[0x4_001B, 28, 1, 2, 7, 28, 0];
        let few = |part: &[u32], count| [words(&[28, count]), words(part).repeat(count as usize)].concat();
        let many = [class, nulls, arrays, dictionaries, values].map(|part| few(part, 20));
        many.into_iter().chain([few(both, 5)]).collect()
    }

    /// A value that is said to be free is accepted under the lowest limits for which that is said; just below any of them
    /// it is not said.
    #[test]
    #[expect(clippy::too_many_lines, reason = "a list of cases")]
    fn what_is_free_is_accepted() {
        for (bytes, reals) in
            dearest().iter().flat_map(|bytes| [(bytes, RealWidth::Single), (bytes, RealWidth::Double)])
        {
            let length = bytes.len() as u64;
            let max_entries = (length >> 3).min(u64::from(SMALL));
            let least = Limits {
                max_bytes: length,
                max_string_bytes: length,
                max_values: length >> 2,
                max_entries,
                max_depth: u64::from(LEVELS) + 1,
                max_heap_bytes: length * 48 * (1 + u64::from(reals == RealWidth::Double)),
                max_key_probes: 0,
                allowed_types: TypeSet::ALL,
                allowed_key_types: TypeSet(KEYS.0 | TypeSet::of(&[VariantType::StringName]).0),
                ..Limits::network()
            };
            let rules = Rules { reals, ..Rules::safe(least) };
            assert_eq!(free_levels(length, &rules), u64::from(LEVELS), "{length}");
            let verdict = Walker::new().decode(bytes, &rules, &mut Skip);
            assert!(verdict.is_ok(), "{verdict:?} {bytes:02x?}");
            let less = [
                Limits { max_bytes: length - 1, ..least },
                Limits { max_string_bytes: length - 1, ..least },
                Limits { max_values: (length >> 2) - 1, ..least },
                Limits { max_entries: max_entries - 1, ..least },
                Limits { max_depth: 1, ..least },
                Limits { max_depth: 0, ..least },
                Limits { max_heap_bytes: least.max_heap_bytes - 1, ..least },
                Limits {
                    allowed_types: least.allowed_types.without(TypeSet::of(&[VariantType::String])),
                    ..least
                },
                Limits {
                    allowed_types: least.allowed_types.without(TypeSet::of(&[VariantType::Int])),
                    ..least
                },
                Limits { allowed_key_types: TypeSet::of(&[VariantType::Int]), ..least },
            ];
            for limits in less {
                assert_eq!(free_levels(length, &Rules { limits, ..rules }), 0, "{limits:?}");
            }
            let canonical = Rules { strictness: Strictness::Canonical, ..rules };
            assert_eq!(free_levels(length, &canonical), 0);
        }
    }
}
