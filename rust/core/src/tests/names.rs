//! Tests floods of names: StringNames that hash to one slot of the engine's table of all names are refused
//! early. This holds wherever they stand; ordinary names pass, equal or different. `cargo xtask instructions`
//! counts the cost.

use super::word;
use crate::tests::short_cuts::Promises;
use crate::wire::hash;
use crate::{ErrorKind, Limits, Rules, TypeSet, validate};

/// The number of names in a flood.
const FLOOD: usize = 8192;

/// Makes a value that holds a name.
type Hold = fn(&str) -> Vec<u8>;

/// Encodes a length, the text and its padding.
fn text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    word(&mut bytes, text.len());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn array(items: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let items: Vec<_> = items.into_iter().collect();
    let mut bytes = vec![28, 0, 0, 0];
    word(&mut bytes, items.len());
    bytes.extend(items.concat());
    bytes
}

fn name(of: &str) -> Vec<u8> {
    [vec![21, 0, 0, 0], text(of)].concat()
}

/// Makes a Dictionary of `count` entries, whose keys are ints but for the first.
fn keyed(count: usize, first: &[u8]) -> Vec<u8> {
    let mut bytes = vec![27, 0, 0, 0];
    word(&mut bytes, count);
    bytes.extend([first, &[0; 4]].concat());
    for key in 1..count {
        [2, key, 0].into_iter().for_each(|part| word(&mut bytes, part));
    }
    bytes
}

/// Lists every way in which a name can stand in bytes.
fn holders() -> [(&'static str, Hold); 9] {
    [
        ("a StringName", name),
        ("a key", |of| keyed(1, &name(of))),
        ("a key of many", |of| keyed(17, &name(of))),
        ("a name of a path", |of| {
            [&[22, 0, 0, 0, 1, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0, 0][..], &text(of)].concat()
        }),
        ("a sub-name", |of| [&[22, 0, 0, 0, 0, 0, 0, 128, 1, 0, 0, 0, 0, 0, 0, 0][..], &text(of)].concat()),
        ("a Signal", |of| [&[26, 0, 0, 0][..], &text(of), &[0; 8]].concat()),
        ("the class of an array", |of| [&[28, 0, 2, 0][..], &text(of), &[0; 4]].concat()),
        ("the class of an object", |of| [&[24, 0, 0, 0][..], &text(of), &[0; 4]].concat()),
        ("a property", |of| [&[24, 0, 0, 0][..], &text("A"), &[1, 0, 0, 0], &text(of), &[0; 4]].concat()),
    ]
}

/// Makes rules that allow everything but the flood itself.
fn rules(max_key_probes: u64) -> [Rules; 2] {
    let limits = Limits { max_key_probes, allowed_types: TypeSet::ALL, ..Limits::save_file() };
    [Rules::safe(limits), Rules { limits, ..Rules::engine() }]
        .map(|rules| Rules { full_objects: true, ..rules })
}

/// Makes the n-th text of pairs that are equal in base 33: all have one length and one hash.
fn of_one_hash(n: usize) -> String {
    (0..14).map(|bit| ["aB", "b!"][n >> bit & 1]).collect()
}

/// Makes texts of one slot of the table and of different hashes.
fn of_one_place(count: usize) -> Vec<String> {
    let place = hash::text("x0") & 0xFFFF;
    let texts = (0..).map(|n| format!("x{n}"));
    texts.filter(|text| hash::text(text) & 0xFFFF == place).take(count).collect()
}

#[test]
fn names_of_one_place_are_refused_wherever_they_stand() {
    let one_place = of_one_place(200);
    let one_hash: Vec<_> = (0..FLOOD).map(of_one_hash).collect();
    assert!(one_hash.iter().all(|text| hash::text(text) == hash::text(&one_hash[0])));
    for (what, hold) in holders() {
        for names in [&one_hash, &one_place] {
            let bytes = array(names.iter().map(|name| hold(name)));
            for rules in rules(16) {
                let error = validate(&bytes, &rules).expect_err(what);
                assert_eq!(error.kind(), ErrorKind::TooManyProbes { limit: 16 }, "{what}");
                let first = hold(&names[0]).len() as u64;
                // The n-th costs 8 n steps or more, so that a budget of 16 a name is spent after some 20 of
                // them.
                assert!(error.offset() < 8 + 40 * first, "{what}: only at byte {}", error.offset());
                assert!(error.path().to_string().starts_with('['), "{what}: {error}");
            }
            for rules in rules(u64::MAX) {
                validate(&bytes, &rules).expect("without a limit nothing is counted");
            }
        }
    }
}

/// Tests texts that stay Strings, which are in no table of the engine's.
#[test]
fn strings_are_no_names() {
    let string = |n: usize| [vec![4, 0, 0, 0], text(&of_one_hash(n))].concat();
    let holders: [&dyn Fn(usize) -> Vec<u8>; 3] =
        [&string, &|n| keyed(1, &string(n)), &|n| keyed(17, &string(n))];
    for hold in holders {
        let bytes = array((0..1000).map(hold));
        for rules in rules(16) {
            let canonical = Rules { strictness: crate::Strictness::Canonical, ..rules };
            for rules in [rules, canonical] {
                assert!(validate(&bytes, &rules).is_ok());
                let mut quick = crate::Walker::new();
                assert!(quick.decode(&bytes, &rules, &mut Promises::<true>::default()).is_ok());
            }
        }
    }
    // Names are names too for a sink that finds equal keys itself.
    for count in [1, 17] {
        let bytes = array((0..1000).map(|n| keyed(count, &name(&of_one_hash(n)))));
        let outcome = crate::Walker::new().decode(&bytes, &rules(16)[0], &mut Promises::<true>::default());
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::TooManyProbes { limit: 16 }, "{count} keys");
    }
}

#[test]
fn a_refusal_says_where() {
    let bytes = array((0..FLOOD).map(|n| name(&of_one_hash(n))));
    let error = validate(&bytes, &Rules::safe(Limits::network())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "[61]: expected at most 256 steps to find each key or name (max_key_probes), got more (byte 2204)"
    );
}

/// Tests kinds of names that games have. The hash puts similar texts side by side, so that some cost more
/// steps than chance would.
#[test]
fn ordinary_names_pass() {
    type Make = fn(usize) -> String;
    let kinds: [(&str, Make); 9] = [
        ("one name", |_| "health".to_owned()),
        ("one long name", |n| "x".repeat(if n < 100 { 8000 } else { 8 })),
        ("few names", |n| format!("state_{}", n % 50)),
        ("item names", |n| format!("item_{n}")),
        ("padded names", |n| format!("player{n:07}")),
        ("hexadecimal", |n| format!("{n:x}")),
        ("paths", |n| format!("world/{}/{}", n / 100, n % 100)),
        ("grid", |n| format!("Tile_{}_{}", n % 256, n / 256)),
        ("Node2D names", |n| format!("@Node2D@{n}")),
    ];
    for (what, make) in kinds {
        for (count, limits) in [(60_000, Limits::network()), (100_000, Limits::save_file())] {
            let limits = Limits { max_bytes: 64 << 20, max_heap_bytes: 512 << 20, ..limits };
            let bytes = array((0..count).map(|n| name(&make(n))));
            let verdict = validate(&bytes, &Rules::safe(limits));
            assert!(verdict.is_ok(), "{count} of {what}: {verdict:?}");
        }
    }
}

/// Tests ENGINE strictness: Strings of which it makes names are counted as names; the others are not.
#[test]
fn strings_that_become_names_are_counted() {
    let texts: Vec<_> = (0..FLOOD).map(|n| [vec![4, 0, 0, 0], text(&of_one_hash(n))].concat()).collect();
    let safe_or_engine = rules(16);
    for (ty, is_name) in [(21, true), (22, true), (4, false), (20, false)] {
        let mut of_type = vec![28, 0, 1, 0, ty, 0, 0, 0];
        // These are a key and a value of two types, and a flood of values.
        let mut values = vec![27, 0, 0b0101, 0, 2, 0, 0, 0, ty, 0, 0, 0];
        word(&mut of_type, FLOOD);
        word(&mut values, FLOOD);
        let entry = |(n, text): (usize, &Vec<u8>)| {
            [&[2, 0, 0, 0][..], &u32::try_from(n).unwrap().to_le_bytes(), text].concat()
        };
        of_type.extend(texts.concat());
        values.extend(texts.iter().enumerate().flat_map(entry));
        for bytes in [of_type, values] {
            let [safe, engine] = safe_or_engine.map(|rules| validate(&bytes, &rules));
            if is_name {
                let error = engine.expect_err("names of one hash");
                assert_eq!(error.kind(), ErrorKind::TooManyProbes { limit: 16 }, "{ty}");
                assert!(error.offset() < 40 * 44, "{ty}: only at byte {}", error.offset());
            } else {
                assert!(engine.is_ok(), "{ty}: {engine:?}");
            }
            let kind = safe.map_err(|error| error.kind().name()).err();
            assert_eq!(kind, (ty != 4).then_some("WRONG_ELEMENT_TYPE"), "SAFE converts nothing");
        }
    }
}
