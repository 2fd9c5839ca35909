//! Shows that the walk takes whatever the plain reader takes, to the byte, and that the reader takes what games send.

use super::limits::{LONGEST_FLAT_NAME, MOST_FLAT_NAMES};
use super::*;
use crate::plain::limits::dearest;
use crate::tests::words;
use crate::token::STRING_NAME;
use crate::{Limits, RealWidth, Skip, Strictness, TypeSet, VariantType, Walker, validate};

fn text(header: u32, text: &str) -> Vec<u8> {
    let mut bytes = words(&[header, u32::try_from(text.len()).unwrap()]);
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn string(text: &str) -> Vec<u8> {
    self::text(STRING, text)
}

fn name(text: &str) -> Vec<u8> {
    self::text(STRING_NAME, text)
}

fn array(items: &[Vec<u8>]) -> Vec<u8> {
    [words(&[ARRAY, u32::try_from(items.len()).unwrap()]), items.concat()].concat()
}

/// With an int under each key.
fn dictionary(keys: &[Vec<u8>]) -> Vec<u8> {
    let entries = keys.iter().map(|key| [key.clone(), words(&[2, 7])].concat());
    [words(&[DICTIONARY, u32::try_from(keys.len()).unwrap()]), entries.collect::<Vec<_>>().concat()].concat()
}

fn record(keys: &[&str]) -> Vec<u8> {
    dictionary(&keys.iter().map(|key| string(key)).collect::<Vec<_>>())
}

/// So much that shapes are worth their room.
fn filler() -> Vec<u8> {
    let length = u32::try_from(WORTH_TEMPLATES).unwrap();
    [words(&[29, length]), vec![7; WORTH_TEMPLATES]].concat()
}

/// Alone, after others, and where shapes are learnt.
fn places(value: &[u8]) -> [Vec<u8>; 3] {
    let around = |more| array(&[value.to_vec(), record(&["a", "b"]), value.to_vec(), more]);
    [array(&[value.to_vec()]), around(vec![0; 4]), around(filler())]
}

fn is_accepted(bytes: &[u8], rules: &Rules) -> bool {
    let walked = Walker::new().decode(bytes, rules, &mut Skip).map(|((), extent)| extent);
    assert_eq!(validate(bytes, rules), walked, "{bytes:02x?} {rules:?}");
    walked.is_ok_and(|extent| extent.consumed == length(bytes) && extent.trailing == 0)
}

/// Whether the look takes it, which the walk does then.
fn is_taken(bytes: &[u8], rules: &Rules) -> bool {
    let is_taken = is_flat(bytes, rules);
    assert!(is_accepted(bytes, rules) || !is_taken, "{bytes:02x?} {rules:?}");
    is_taken
}

/// Values that are flat.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn flat() -> Vec<Vec<u8>> {
    let entity = |id: u32| {
        let entries = [
            [string("id"), words(&[2, id])].concat(),
            [string("name"), string(&format!("entity_{id}"))].concat(),
            [string("position in room"), words(&[9, 1, 2, 3])].concat(),
            [string("a key of more than sixteen"), words(&[0x1_0003, 1, 2])].concat(),
            [string("жизнь"), words(&[1, id & 1])].concat(),
            [string("bag"), record(&["gold", "potions"])].concat(),
        ];
        [words(&[DICTIONARY, 6]), entries.concat()].concat()
    };
    let typed = |header: u32, declared: &[u32], entries: &[Vec<u8>]| {
        let count = u32::try_from(entries.len()).unwrap();
        [words(&[header]), words(declared), words(&[count]), entries.concat()].concat()
    };
    let path = words(&[22, 0x8000_0001, 1, 1, 1, 0x61, 2, 0x6262]);
    let names: Vec<Vec<u8>> = (0..MOST_FLAT_NAMES).map(|at| name(&format!("n{at}"))).collect();
    let keys: Vec<Vec<u8>> = (0..16).map(|at| string(&format!("key {at:02}"))).collect();
    vec![
        array(&[]),
        dictionary(&[]),
        array(&[entity(1), entity(2), entity(3)]),
        dictionary(&keys),
        dictionary(&[words(&[2, 1]), words(&[2, 2]), words(&[2, 3])]),
        dictionary(&[words(&[0x1_0002, 1, 0])]),
        dictionary(&[words(&[6, 1, 2])]),
        dictionary(&[name("a"), name("b")]),
        record(&["", "a"]),
        array(&[record(&["a", "b", "c"]), record(&["a", "c", "b"]), record(&["a", "b", "c"])]),
        array(&[words(&[2, 1]), words(&[3, 0x3F80_0000]), words(&[0x1_0002, 1, 2]), vec![0; 4]]),
        array(&[string(&"long ".repeat(20)), string("ж"), string("")]),
        array(&names),
        array(&[names.clone(), names.clone()].concat()),
        array(&[path.clone(), path]),
        array(&[words(&[22, 1 << 31, 0, 0])]),
        array(&[[words(&[34, 2, 2, 0x61, 20]), b"nineteen characters\0".to_vec()].concat()]),
        array(&[words(&[29, 3, 0x0003_0201]), words(&[31, 1, 1, 2]), words(&[36, 1, 1, 2, 3])]),
        array(&[[words(&[18]), vec![1; 48]].concat()]),
        typed(0x1_001C, &[2], &[words(&[2, 1]), words(&[0x1_0002, 1, 1])]),
        typed(0x1_001C, &[4], &[string("a"), string("ж")]),
        typed(0x1_001C, &[9], &[words(&[9, 1, 2, 3])]),
        typed(0x1_001C, &[1], &[words(&[1, 1]), words(&[1, 0])]),
        [words(&[0x5_001B, 4, 2, 2]), [string("a"), words(&[2, 1]), string("b"), words(&[2, 1])].concat()]
            .concat(),
        [words(&[0x4_001B, 3, 1]), string("a"), words(&[0x1_0003, 1, 2])].concat(),
        [words(&[0x1_001B, 21, 1]), name("a"), array(&[])].concat(),
    ]
}

#[test]
fn what_is_flat_is_taken() {
    for (at, value) in flat().iter().enumerate() {
        for bytes in places(value) {
            for rules in [Rules::default(), Rules::engine(), Rules::safe(Limits::engine())] {
                assert!(is_taken(&bytes, &rules), "{at} {bytes:02x?} {rules:?}");
            }
        }
    }
}

/// Cut anywhere, or with any byte another, it is taken only if the walk takes it.
#[test]
fn what_is_spoiled_is_taken_only_where_it_is_accepted() {
    let (mut taken, mut left) = (0, 0);
    let mut count = |is_taken| *(if is_taken { &mut taken } else { &mut left }) += 1;
    let rules = [Rules::default(), Rules { reals: RealWidth::Double, ..Rules::safe(Limits::network()) }];
    let all = flat();
    let is_named = |value: &Vec<u8>| value.chunks(4).any(|word| matches!(word, [21 | 22, 0, 0, 0]));
    let unnamed = all.iter().filter(|value| !is_named(value)).cloned();
    let shaped = array(&unnamed.chain([filler()]).collect::<Vec<_>>());
    assert!(is_taken(&shaped, &rules[0]));
    for value in all.iter().filter(|value| value.len() < 300).chain([&shaped]) {
        let end = value.len().min(2500);
        for rules in &rules {
            (0..end).step_by(4).for_each(|at| count(is_taken(&value[..at], rules)));
            for at in 0..end {
                for byte in [value[at] ^ 1, value[at] ^ 4, value[at] ^ 0x80, 0, 0xFF] {
                    let mut spoiled = value.clone();
                    spoiled[at] = byte;
                    count(is_taken(&spoiled, rules));
                }
            }
        }
    }
    assert!(taken > 5000 && left > 5000, "{taken} taken, {left} left to the walk");
}

/// No value that a limit refuses is taken, not even among the most expensive ones under the lowest limits.
#[test]
fn the_dearest_are_taken_only_where_they_are_accepted() {
    let mut taken = 0;
    for bytes in dearest() {
        for (reals, max_key_probes) in
            [(RealWidth::Single, 0), (RealWidth::Double, 0), (RealWidth::Single, 256)]
        {
            let length = length(&bytes);
            for max_depth in [2, 3, 34, 41, 1000] {
                let limits = Limits {
                    max_bytes: length,
                    max_string_bytes: length,
                    max_values: length >> 2,
                    max_entries: length >> 3,
                    max_heap_bytes: length * 64 * (1 + u64::from(reals == RealWidth::Double)),
                    max_depth,
                    max_key_probes,
                    ..Limits::network()
                };
                taken += u32::from(is_taken(&bytes, &Rules { reals, ..Rules::safe(limits) }));
            }
        }
    }
    assert!(taken > 10_000, "{taken}");
}

/// Values with one fault each, under rules for which they would be taken without it.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn what_the_walk_refuses_is_not_taken() {
    let limits = Limits { max_path_segments: 2, ..Limits::save_file() };
    let rules = Rules::safe(limits);
    let value = |value: Vec<u8>| array(&[value]);
    let twice = |keys: &[&str]| array(&[record(&["a", "b", "c"]), record(keys), filler()]);
    let typed = |words: &[u32]| value(self::words(words));
    let names: Vec<Vec<u8>> = (0..=MOST_FLAT_NAMES).map(|at| name(&format!("n{at}"))).collect();
    for (what, bytes) in [
        ("equal texts", value(record(&["a", "b", "a"]))),
        ("equal texts of a shape", twice(&["a", "b", "b"])),
        ("the first of a shape again", twice(&["a", "b", "a"])),
        ("equal ones behind those of a shape", twice(&["a", "c", "c"])),
        ("equal long texts", value(record(&["a key of more than sixteen", "a key of more than sixteen"]))),
        ("equal ints", value(dictionary(&[words(&[2, 1]), words(&[2, 1])]))),
        ("equal ints of two widths", value(dictionary(&[words(&[2, 1]), words(&[0x1_0002, 1, 0])]))),
        ("equal wide ints", value(dictionary(&[words(&[0x1_0002, 1, 0]), words(&[0x1_0002, 1, 0])]))),
        ("a text and a name that are equal", value(dictionary(&[string("a"), name("a")]))),
        ("equal names", value(dictionary(&[name("a"), name("a")]))),
        ("a bool of 2", value(words(&[1, 2]))),
        ("a bool of 2 in its second byte", value(words(&[1, 0x201]))),
        ("bad UTF-8", value(words(&[4, 4, 0xFFFF_FFFF]))),
        ("bad UTF-8 in a key", value(dictionary(&[words(&[4, 4, 0xFFFF_FFFF])]))),
        ("a byte order mark", value(string("\u{FEFF}a"))),
        ("a NUL", value(string("a\0b"))),
        ("padding", value(words(&[4, 1, 0x0161]))),
        ("padding of a key", value(dictionary(&[words(&[4, 1, 0x0161])]))),
        ("padding of a long text", value([words(&[4, 17]), b"seventeen letters\0\x01\0".to_vec()].concat())),
        ("padding of bytes", value(words(&[29, 1, 0x0100]))),
        ("a path of three", value(words(&[22, 0x8000_0003, 0, 0, 1, 0x61, 1, 0x61, 1, 0x61]))),
        ("a flag of a path", value(words(&[22, 0x8000_0001, 0, 2, 1, 0x61]))),
        ("a path of the old form", value(words(&[22, 1, 0x61]))),
        ("one more byte", [value(vec![]), vec![0]].concat()),
        ("an int cut short", array(&[vec![2, 0, 0, 0]])),
        ("a count too many", words(&[ARRAY, 2, 0])),
        ("a count too few", words(&[ARRAY, 1, 0, 0])),
        ("an element of another type", typed(&[0x1_001C, 2, 1, 3, 0])),
        ("an unknown flag", typed(&[0x2_0002, 0])),
        ("a key of another type", typed(&[0x1_001B, 4, 1, 2, 1, 0])),
        ("a value of another type", typed(&[0x4_001B, 4, 1, 2, 1, 2, 1])),
        ("an unknown type", value(words(&[63, 0]))),
        ("an RID", value(words(&[23, 0, 0]))),
    ] {
        assert!(!is_flat(&bytes, &rules), "{what}");
        let is_width = matches!(what, "one more byte") || !is_accepted(&bytes, &rules);
        assert!(is_width, "{what} is accepted: no example");
    }
    // Accepted, and counted by the walk.
    assert!(!is_flat(&array(&names), &rules) && is_accepted(&array(&names), &rules));
    assert!(is_flat(&array(&names[1..]), &rules));
}

#[test]
fn types_are_asked_for() {
    let without = |ty| TypeSet::ALL.without(TypeSet::of(&[ty]));
    let allowing = |allowed_types, allowed_key_types| {
        Rules::safe(Limits { allowed_types, allowed_key_types, ..Limits::save_file() })
    };
    for (ty, leaf) in [
        (VariantType::NodePath, words(&[22, 1 << 31, 0, 0])),
        (VariantType::PackedStringArray, words(&[34, 0])),
        (VariantType::PackedByteArray, words(&[29, 0])),
        (VariantType::PackedVector3Array, words(&[36, 0])),
    ] {
        let bytes = array(&[leaf]);
        assert!(is_taken(&bytes, &allowing(TypeSet::ALL, TypeSet::ALL)), "{ty:?}");
        assert!(!is_taken(&bytes, &allowing(without(ty), TypeSet::ALL)), "{ty:?}");
    }
    for (ty, key) in [
        (VariantType::StringName, name("a")),
        (VariantType::Vector2i, words(&[6, 1, 2])),
        (VariantType::Color, words(&[20, 0, 0, 0, 0])),
    ] {
        let typed = [words(&[0x1_001B, u32::from(ty.id()), 0])].concat();
        for bytes in [dictionary(std::slice::from_ref(&key)), typed] {
            assert!(is_taken(&bytes, &allowing(TypeSet::ALL, TypeSet::ALL)), "{ty:?}");
            assert!(!is_flat(&bytes, &allowing(TypeSet::ALL, without(ty))), "{ty:?}");
        }
        is_taken(&dictionary(&[key]), &allowing(TypeSet::ALL, without(ty)));
    }
}

/// A value of one level more than a limit or the stack allows is left to the walk.
#[test]
fn levels_are_counted() {
    let nested = |levels: usize, kind: &[u8]| [kind.repeat(levels - 1), words(&[ARRAY, 0])].concat();
    for kind in [words(&[ARRAY, 1]), words(&[DICTIONARY, 1, 2, 7]), words(&[0x1_001B, 2, 1, 2, 7])] {
        for max_depth in [3, 8, 20] {
            let rules = Rules::safe(Limits { max_depth, ..Limits::save_file() });
            let most = usize::try_from(max_depth).unwrap() - 1;
            assert!(is_taken(&nested(most, &kind), &rules), "{max_depth}");
            assert!(!is_taken(&nested(most + 1, &kind), &rules), "{max_depth}");
            assert!(!is_taken(&nested(most + 2, &kind), &rules), "{max_depth}");
        }
        let deepest = usize::try_from(<() as Make>::DEEPEST).unwrap();
        assert!(is_taken(&nested(deepest, &kind), &Rules::engine()));
        assert!(!is_taken(&nested(deepest + 1, &kind), &Rules::engine()));
    }
    let typed = [words(&[ARRAY, 1]).repeat(2), words(&[0x1_001C, 2, 0])].concat();
    let rules = |max_depth| Rules::safe(Limits { max_depth, ..Limits::save_file() });
    assert!(is_taken(&typed, &rules(4)) && !is_taken(&typed, &rules(3)));
}

/// However many shapes there are, however their keys are changed afterwards, and wherever they nest.
#[test]
fn shapes_come_and_go() {
    let rules = Rules::default();
    let keys = |shape: usize| -> Vec<String> {
        (0..2 + shape % 15)
            .map(|at| format!("{}{at}", char::from(b'a' + u8::try_from(shape % 23).unwrap())))
            .collect()
    };
    let shaped = |shape: usize| {
        let keys = keys(shape);
        record(&keys.iter().map(String::as_str).collect::<Vec<_>>())
    };
    // Each holds the next one under its first key, so that shapes are followed while others are learnt.
    let nest = |from: usize, depth: usize| {
        (from..from + depth).rev().fold(words(&[2, 7]), |inner, shape| {
            let mut bytes = shaped(shape);
            let at = 8 + string(&keys(shape)[0]).len();
            bytes.splice(at..at + 8, inner);
            bytes
        })
    };
    for depth in [1, 2, 4] {
        let mut items: Vec<Vec<u8>> = (0..200).map(|at| nest(at * 7 % 50, depth)).collect();
        items.extend((0..100).map(|at| nest(at % 3, depth)));
        let bytes = array(&items);
        assert!(is_taken(&bytes, &rules), "{depth}");
        // Any key made another's, in any of them.
        for item in (0..items.len()).step_by(3) {
            for (from, to) in [(b'0', b'1'), (b'1', b'0'), (b'2', b'1')] {
                let mut items = items.clone();
                let Some(key) = items[item].iter().rposition(|byte| *byte == from) else { continue };
                items[item][key] = to;
                is_taken(&array(&items), &rules);
            }
        }
    }
    let strict = Rules { strictness: Strictness::Canonical, ..rules };
    assert!(!is_flat(&array(&[nest(0, 2)]), &strict));
}

/// Keys of a shape that is followed stay, though so many others are learnt meanwhile that there is no more room: else the
/// second key would be compared with one of another shape.
#[test]
fn a_shape_that_is_followed_is_not_forgotten() {
    let rules = Rules::default();
    let outer = |inner: Vec<u8>, last: &str| {
        [words(&[DICTIONARY, 2]), string("a"), inner, string(last), words(&[2, 7])].concat()
    };
    for room in 0..40 {
        let large = |at: usize| {
            let keys =
                (0..16).map(|key| string(&format!("{}{key}", char::from(b'c' + u8::try_from(at).unwrap()))));
            dictionary(&keys.collect::<Vec<_>>())
        };
        let mut inner: Vec<Vec<u8>> = (0..9).map(large).collect();
        inner.extend((0..room).map(|at| record(&[&format!("x{at}"), "a"])));
        let value = |last| array(&[record(&["a", "b"]), outer(array(&inner), last), filler()]);
        assert!(is_taken(&value("b"), &rules) && is_taken(&value("c"), &rules), "{room}");
        assert!(!is_taken(&value("a"), &rules), "{room}");
    }
}

/// Where the steps to each name count, they are the walk's to count, however few names differ.
#[test]
fn names_that_come_often_are_counted() {
    let rules = |max_key_probes| Rules::safe(Limits { max_key_probes, ..Limits::save_file() });
    for (bytes, is_short) in [(LONGEST_FLAT_NAME, true), (LONGEST_FLAT_NAME + 1, false)] {
        assert_eq!(is_taken(&array(&[name(&"n".repeat(bytes))]), &rules(256)), is_short);
        assert_eq!(is_taken(&record(&["a", &"k".repeat(bytes - 8)]), &rules(256)), is_short);
    }
    // Keys too, which are no shape.
    let named = array(&[vec![dictionary(&[name("a"), name("b")]); 20], vec![filler()]].concat());
    assert!(is_taken(&named, &rules(256)) && !is_taken(&named, &rules(255)));
    for count in 1..60_u32 {
        let often = array(&vec![name("a"); usize::try_from(count).unwrap()]);
        assert!(is_taken(&often, &rules(256)));
        assert_eq!(is_taken(&often, &rules(255)), count <= MOST_FLAT_NAMES, "{count}");
        let others = array(&(0..count).map(|at| name(&format!("n{at}"))).collect::<Vec<_>>());
        for limit in [0, 255, 256] {
            assert_eq!(is_taken(&others, &rules(limit)), count <= MOST_FLAT_NAMES, "{count}");
        }
    }
}
