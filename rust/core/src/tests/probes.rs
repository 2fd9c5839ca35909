//! Tests floods of keys: dictionaries that keep the engine's hash table searching are refused, early and in
//! linear time. Ordinary ones pass. `cargo xtask instructions` counts that a flood is cheap to refuse.

use std::collections::BTreeSet;

use super::short_cuts::Promises;
use super::word;
use crate::wire::hash;
use crate::{ErrorKind, FrameReader, Framing, Limits, Rules, Walker, key_hash, validate};

/// The capacities of the engine's table that a flood of some thousand keys reaches.
const CAPACITIES: [u32; 4] = [389, 1543, 6151, 12289];
/// A tight budget, by which small floods are noticed.
const PROBES: u64 = 16;
const FLOOD: usize = 3000;

/// Makes the n-th key of a kind, encoded.
type Make = fn(u64) -> Vec<u8>;
/// Computes its hash.
type Hash = fn(u64) -> u32;

/// Makes a Dictionary with these keys and `null` under each.
fn dictionary(keys: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![27, 0, 0, 0];
    word(&mut bytes, keys.len());
    for key in keys {
        bytes.extend(key);
        word(&mut bytes, 0);
    }
    bytes
}

fn int(key: u64) -> Vec<u8> {
    [&[2, 0, 1, 0][..], &key.to_le_bytes()].concat()
}

fn float(key: f64) -> Vec<u8> {
    [&[3, 0, 1, 0][..], &key.to_le_bytes()].concat()
}

fn text(ty: u8, key: &str) -> Vec<u8> {
    let mut bytes = vec![ty, 0, 0, 0];
    word(&mut bytes, key.len());
    bytes.extend(key.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

fn rules() -> [Rules; 2] {
    let limits = Limits { max_key_probes: PROBES, ..Limits::save_file() };
    [Rules::safe(limits), Rules { limits, ..Rules::engine() }]
}

#[track_caller]
fn refused(keys: &[Vec<u8>], what: &str) {
    let bytes = dictionary(keys);
    for rules in rules() {
        let error = validate(&bytes, &rules).expect_err(what);
        assert_eq!(error.kind(), ErrorKind::TooManyProbes { limit: PROBES }, "{what}");
        // The n-th key costs 2 n steps, so that a budget of 16 a key is spent after some 40 of them.
        assert!(
            error.offset() < bytes.len() as u64 / 20,
            "{what}: only at byte {} of {}",
            error.offset(),
            bytes.len()
        );
    }
    validate(&bytes, &Rules::engine()).expect("the engine preset knows no such limit");
}

/// Returns the numbers of the first keys that hash to slot 7 of a table, as many as are needed.
fn aimed(capacity: u32, hash: Hash) -> Vec<u64> {
    let wants = |n: &u64| hash(*n) % capacity == 7;
    (0..).filter(wants).take(FLOOD / 10).collect()
}

#[test]
fn keys_of_one_place_are_refused_for_every_capacity_and_type() {
    for capacity in CAPACITIES {
        // A quarter of the table is filled by others first, so that it has this capacity when the flood
        // comes.
        let filled = u64::from(capacity) * 3 / 8 + 1;
        let of_text: Hash = |n| hash::text(&format!("x{n}"));
        let kinds: [(&str, Hash, &[Make]); 3] = [
            ("int", |n| hash::int(n << 20), &[|n| int(n << 20)]),
            (
                "float",
                |n| key_hash(&float(n as f64 + 0.5), &Rules::engine()).unwrap(),
                &[|n| float(n as f64 + 0.5)],
            ),
            ("text", of_text, &[|n| text(4, &format!("x{n}")), |n| text(21, &format!("x{n}"))]),
        ];
        for (what, hash, makes) in kinds {
            if what != "int" && capacity > 2000 {
                continue;
            }
            let numbers = aimed(capacity, hash);
            for make in makes {
                let flood: Vec<_> = numbers.iter().map(|n| make(*n)).collect();
                let hashes: BTreeSet<u32> =
                    flood.iter().map(|key| key_hash(key, &Rules::engine()).unwrap()).collect();
                assert!(hashes.iter().all(|hash| hash % capacity == 7), "{what}: the place is one");
                assert!(hashes.len() > flood.len() * 9 / 10, "{what}: the hashes differ");
                let keys: Vec<_> = (0..filled).map(int).chain(flood).collect();
                for rules in rules() {
                    let error = validate(&dictionary(&keys), &rules).expect_err(what);
                    assert_eq!(error.kind(), ErrorKind::TooManyProbes { limit: PROBES }, "{what} {capacity}");
                }
            }
        }
    }
}

/// Tests arrays of texts as keys, which are hashed by their texts.
#[test]
fn arrays_of_texts_are_told_apart() {
    let key = |n: usize| {
        let text = format!("{n}\0");
        let mut bytes = vec![34, 0, 0, 0];
        word(&mut bytes, 1);
        word(&mut bytes, text.len());
        bytes.extend(text.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    };
    let keys: Vec<_> = (0..FLOOD).map(key).collect();
    for rules in rules() {
        validate(&dictionary(&keys), &rules).unwrap();
    }
    let canonical = Rules { strictness: crate::Strictness::Canonical, ..rules()[0] };
    validate(&dictionary(&keys), &canonical).unwrap();
}

/// Makes texts of equal length and equal hash: in base 33 "bA" is "a" + "b".
fn equal_texts(ty: u8, count: usize) -> Vec<Vec<u8>> {
    let pieces = ["aB", "b!"];
    assert_eq!(hash::text(pieces[0]), hash::text(pieces[1]));
    let spell = |n: usize| (0..14).map(|bit| pieces[n >> bit & 1]).collect::<String>();
    (0..count).map(|n| text(ty, &spell(n))).collect()
}

#[test]
fn texts_of_one_hash_are_refused_early() {
    for ty in [4, 21] {
        refused(&equal_texts(ty, FLOOD), "texts of one hash");
    }
    let nested: Vec<_> =
        equal_texts(4, FLOOD).iter().map(|key| [&[28, 0, 0, 0, 1, 0, 0, 0][..], key].concat()).collect();
    refused(&nested, "arrays of such texts");
}

/// Tests kinds of keys that games have: none of them is refused where its preset's other limits allow it.
#[test]
fn ordinary_keys_pass() {
    let kinds: [(&str, u64, Make); 9] = [
        ("ints", 1_000_000, int),
        ("even ints", 1_000_000, |n| int(n * 1024)),
        ("floats", 1_000_000, |n| float(n as f64 * 0.25)),
        ("grid", 1_000_000, |n| {
            [&[6, 0, 0, 0][..], &(n % 1000 * (1 << 32) + n / 1000).to_le_bytes()].concat()
        }),
        ("item names", 1_000_000, |n| text(4, &format!("item_{n}"))),
        ("padded names", 1_000_000, |n| text(21, &format!("player{n:07}"))),
        ("paths", 1_000_000, |n| text(4, &format!("world/{}/{}", n / 100, n % 100))),
        ("properties", 1_000_000, |n| text(4, &format!("{n}:position:x"))),
        ("hexadecimal", 100_000, |n| text(4, &format!("{n:x}"))),
    ];
    for (what, count, make) in kinds {
        let passes = |count: u64, max_key_probes: u64| {
            let bytes = dictionary(&(0..count).map(make).collect::<Vec<_>>());
            let limits = Limits { max_key_probes, ..rules()[0].limits };
            let verdict = validate(&bytes, &Rules { limits, ..Rules::engine() });
            assert!(verdict.is_ok(), "{what}: {verdict:?}");
        };
        passes(4_096, Limits::network().max_key_probes);
        passes(count, Limits::save_file().max_key_probes);
    }
}

/// Tests a sink that gives hashes of its own: in a walk by itself, and in a reader of streams, which
/// checks the root.
#[test]
fn what_a_sink_says_of_a_key_counts() {
    let ordinary = dictionary(&(0..1000).map(|n| text(4, &format!("item_{n}"))).collect::<Vec<_>>());
    let flood = dictionary(&equal_texts(4, 1000));
    for (apart, passes) in [(0, false), (1, true)] {
        for bytes in [&ordinary, &flood] {
            let sink = || Promises::<false>::hashing(apart);
            let outcome = Walker::new().decode(bytes, &rules()[0], &mut sink());
            assert_eq!(outcome.is_ok(), passes, "hashes {apart} apart: {outcome:?}");
            let outcome = FrameReader::new(sink(), Framing::None, rules()[0]).next(&mut &bytes[..]);
            assert_eq!(outcome.is_ok(), passes, "in a stream: {outcome:?}");
        }
    }
}
