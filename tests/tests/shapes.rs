//! Checks that what a walker has read before never changes a verdict: one that has read all earlier values and a new one
//! agree on every verdict, byte and path.

use proptest::prelude::*;
use variant_core::{Limits, Progress, PushDecoder, Rules, Skip, ToValue, Walker, validate};

fn word(bytes: &mut Vec<u8>, word: usize) {
    bytes.extend(u32::try_from(word).unwrap().to_le_bytes());
}

fn text(header: usize, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    word(&mut bytes, header);
    word(&mut bytes, text.len());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// Makes a key of a few, so that keys come again, in another order, twice, or as names.
fn key() -> impl Strategy<Value = Vec<u8>> {
    const KEYS: [&str; 9] = ["id", "a", "b", "kind", "position_in_room", "seventeen_letters", "", "имя", "x"];
    prop_oneof![
        12 => (0..KEYS.len()).prop_map(|at| text(4, KEYS[at])),
        1 => (0..KEYS.len()).prop_map(|at| text(21, KEYS[at])),
        1 => (0..3_u8).prop_map(|n| vec![2, 0, 0, 0, n, 0, 0, 0]),
    ]
}

fn leaf() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(vec![0; 4]),
        Just(vec![2, 0, 0, 0, 7, 0, 0, 0]),
        Just(text(4, "short")),
        Just(text(4, "a text of more than sixteen letters")),
        Just([&[9, 0, 0, 0][..], &[0; 12]].concat()),
    ]
}

/// Encodes a dictionary of these entries.
fn dictionary(entries: Vec<(Vec<u8>, Vec<u8>)>) -> Vec<u8> {
    let mut bytes = vec![27, 0, 0, 0];
    word(&mut bytes, entries.len());
    for (key, value) in entries {
        bytes.extend(key);
        bytes.extend(value);
    }
    bytes
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    leaf().prop_recursive(3, 40, 6, |inner| {
        prop_oneof![
            4 => proptest::collection::vec((key(), inner.clone()), 1..7).prop_map(dictionary),
            1 => proptest::collection::vec(inner, 0..4).prop_map(|items| {
                let mut bytes = vec![28, 0, 0, 0];
                word(&mut bytes, items.len());
                bytes.extend(items.concat());
                bytes
            }),
        ]
    })
}

/// Makes limits that end a walk anywhere, or not at all.
fn rules() -> impl Strategy<Value = Rules> {
    (0..60_u64, 0..6000_u64, 0..20_u64, 0..8).prop_map(|(values, heap, text, which)| {
        let mut limits = Limits::network();
        match which {
            0 => limits.max_values = values,
            1 => limits.max_heap_bytes = heap,
            2 => limits.max_string_bytes = text,
            3 => return Rules { limits: Limits::engine(), ..Rules::engine() },
            _ => {}
        }
        Rules::safe(limits)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn what_was_read_before_changes_nothing(
        inputs in proptest::collection::vec((value(), rules(), any::<prop::sample::Index>(), 0..4), 1..12),
    ) {
        let mut checker = Walker::new();
        let mut builder = Walker::new();
        for (mut bytes, rules, at, spoil) in inputs {
            // It is read twice, so that the second time its own keys are cached.
            for _ in 0..2 {
                let fresh = Walker::new().decode(&bytes, &rules, &mut Skip);
                prop_assert_eq!(&checker.decode(&bytes, &rules, &mut Skip), &fresh);
                let tree = Walker::new().decode(&bytes, &rules, &mut ToValue);
                prop_assert_eq!(tree.as_ref().err(), fresh.as_ref().err());
                prop_assert_eq!(&builder.decode(&bytes, &rules, &mut ToValue), &tree);
            }
            let at = at.index(bytes.len());
            match spoil {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1,
                2 => bytes[at] = 0xFF,
                _ => {}
            }
            prop_assert_eq!(
                checker.decode(&bytes, &rules, &mut Skip),
                Walker::new().decode(&bytes, &rules, &mut Skip)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Tests that `validate`, which tries the fast path first, gives the verdict of a walk, with and without
    /// a cache of key orders.
    #[test]
    fn a_look_changes_nothing(
        values in proptest::collection::vec(value(), 1..24),
        rules in rules(),
        spoils in proptest::collection::vec((any::<prop::sample::Index>(), 0..4), 1..12),
        is_long: bool,
    ) {
        let mut bytes = vec![28, 0, 0, 0];
        word(&mut bytes, values.len() + usize::from(is_long));
        bytes.extend(values.concat());
        let end = bytes.len();
        if is_long {
            bytes.extend([&[29, 0, 0, 0, 0, 8, 0, 0][..], &[1; 2048]].concat());
        }
        let agrees = |bytes: &[u8]| {
            let walked = Walker::new().decode(bytes, &rules, &mut Skip).map(|((), extent)| extent);
            prop_assert_eq!(validate(bytes, &rules), walked);
            Ok(())
        };
        agrees(&bytes)?;
        for (at, spoil) in spoils {
            let (mut bytes, at) = (bytes.clone(), at.index(end));
            match spoil {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 1,
                2 => bytes[at] = 0xFF,
                _ => bytes.copy_within(at & !3..end, (at & !3) / 2),
            }
            agrees(&bytes)?;
        }
    }
}

/// Tests that a cached key order which a level follows is unchanged while others are learnt inside, and that
/// a dictionary in a dictionary may have the same key order.
#[test]
fn shapes_within_shapes() {
    let int = vec![2, 0, 0, 0, 1, 0, 0, 0];
    let rules = Rules::default();
    let mut walker = Walker::new();
    let record = |inner: Vec<u8>, last: &str| {
        dictionary(vec![(text(4, "a"), int.clone()), (text(4, "b"), inner), (text(4, last), int.clone())])
    };
    let plain = record(int.clone(), "c");
    for _ in 0..3 {
        walker.decode(&plain, &rules, &mut Skip).unwrap();
    }
    for first in 0..400 {
        let other =
            dictionary(vec![(text(4, &format!("k{first}")), int.clone()), (text(4, "z"), int.clone())]);
        for inner in [other, plain.clone(), record(plain.clone(), "d")] {
            walker.decode(&record(inner.clone(), "c"), &rules, &mut Skip).unwrap();
            walker.decode(&record(inner.clone(), "d"), &rules, &mut Skip).unwrap();
            let twice = walker.decode(&record(inner, "a"), &rules, &mut Skip).unwrap_err();
            assert_eq!(twice.kind(), variant_core::ErrorKind::DuplicateKey);
        }
    }
}

/// Tests that a key order which a level follows keeps its keys, however many others are learnt meanwhile.
#[test]
fn a_shape_that_is_followed_is_not_replaced() {
    let int = vec![2, 0, 0, 0, 1, 0, 0, 0];
    let rules = Rules::safe(Limits { max_heap_bytes: u64::MAX, ..Limits::save_file() });
    let mut others = vec![28, 0, 0, 0];
    word(&mut others, 400 * 12);
    for first in 0..400 {
        let keys = [format!("k{first}"), "y".to_owned(), "z".to_owned()];
        let other = dictionary(keys.map(|key| (text(4, &key), int.clone())).to_vec());
        (0..12).for_each(|_| others.extend(&other));
    }
    let record = |inner: &Vec<u8>, last: &str| {
        dictionary(vec![
            (text(4, "a"), int.clone()),
            (text(4, "b"), inner.clone()),
            (text(4, last), int.clone()),
        ])
    };
    let mut walker = Walker::new();
    walker.decode(&record(&int, "c"), &rules, &mut Skip).unwrap();
    let twice = walker.decode(&record(&others, "a"), &rules, &mut Skip).unwrap_err();
    assert_eq!(twice.kind(), variant_core::ErrorKind::DuplicateKey);
}

/// Tests pieces that end anywhere, also between a predicted key and its value.
#[test]
fn pieces_of_known_shapes() {
    let int = vec![2, 0, 0, 0, 1, 0, 0, 0];
    let keys = ["id", "name", "kind", "hp"];
    let record = dictionary(keys.map(|key| (text(4, key), int.clone())).to_vec());
    let mut list = vec![28, 0, 0, 0, 5, 0, 0, 0];
    (0..5).for_each(|_| list.extend(&record));
    let rules = Rules::default();
    let whole = Walker::new().decode(&list, &rules, &mut ToValue).unwrap().0;
    for size in 1..40 {
        let mut decoder = PushDecoder::new(ToValue, rules);
        let mut outcome = None;
        for piece in list.chunks(size) {
            if let Progress::Done { output, .. } = decoder.feed(piece).unwrap() {
                outcome = Some(output);
            }
        }
        assert_eq!(outcome.as_ref(), Some(&whole), "{size}");
    }
}
