//! Tests that a walk charges a value alike on every way, and what a sink adds to it.

use super::*;
use crate::tests::words as bytes;
use crate::token::Text;
use crate::{Limits, Skip, Strictness, TypeSet, Walker, validate};

/// Rules that take the fast path, and rules that read every token with care: of one form, and without
/// some type.
fn all_ways(limits: Limits) -> [(&'static str, Rules); 4] {
    let safe = Rules::safe(limits);
    let colorless = TypeSet::ALL.without(TypeSet::of(&[VariantType::Color]));
    let careful = Limits { allowed_types: colorless, ..limits };
    [
        ("SAFE", safe),
        ("CANONICAL", Rules { strictness: Strictness::Canonical, ..safe }),
        ("without colors", Rules::safe(careful)),
        ("ENGINE without colors", Rules { limits: careful, ..Rules::engine() }),
    ]
}

#[test]
fn memory_without_values_is_charged() {
    let rules = Rules::safe(Limits { max_heap_bytes: 100, ..Limits::engine() });
    let mut ledger = Ledger::default();
    assert_eq!(ledger.add(Cost { values: 0, heap: 100 }, &rules, 8), Ok(()));
    let refused = ledger.add(Cost { values: 0, heap: 1 }, &rules, 8).unwrap_err();
    assert!(matches!(refused.kind, ErrorKind::TooMuchMemory { .. }), "{refused:?}");
}

/// A value is charged alike whichever way it is read on, whatever leaf it is.
#[test]
fn leaves_are_charged_alike_on_every_way() {
    let leaves: [(u32, usize, u64); 20] = [
        (5, 2, 0),
        (6, 2, 0),
        (7, 4, 0),
        (8, 4, 0),
        (9, 3, 0),
        (10, 3, 0),
        (11, 6, 40),
        (12, 4, 0),
        (13, 4, 0),
        (14, 4, 0),
        (15, 4, 0),
        (16, 6, 40),
        (17, 9, 64),
        (18, 12, 64),
        (19, 16, 80),
        (4, 0, 8 * 8),
        (21, 0, 8 * 8 + 56),
        (29, 0, 8 * 2 + 112),
        (33, 0, 8 * 2 + 112),
        (26, 3, 8 * 16 + 748),
    ];
    for (header, words, expected) in leaves {
        let mut array = vec![28, 1, header];
        array.extend(std::iter::repeat_n(0, words.max(1)));
        let array = bytes(&array);
        for (what, rules) in all_ways(Limits::engine()) {
            // The array of one slot.
            let charged = 96 + 96 + expected;
            let passes = |max_heap_bytes| {
                validate(&array, &Rules { limits: Limits { max_heap_bytes, ..rules.limits }, ..rules })
            };
            let (enough, less) = (passes(charged), passes(charged - 1));
            assert!(enough.is_ok(), "{header}, {what}: {enough:?}");
            let kind = less.map_err(|error| error.kind().name());
            assert_eq!(kind, Err("TOO_MUCH_MEMORY"), "{header}, {what}");
        }
    }
}

/// Strings of a packed array are values, the names of a path are none.
#[test]
fn strings_are_counted_alike_on_every_way() {
    let strings: &[u32] = &[28, 2, 34, 2, 2, 0x61, 2, 0x62, 0];
    let path: &[u32] = &[28, 2, 22, 0x8000_0002, 0, 0, 1, 0x61, 1, 0x62, 0];
    for (words, expected) in [(strings, 5), (path, 3)] {
        for (what, rules) in all_ways(Limits::engine()) {
            let passes = |max_values| {
                let limits = Limits { max_values, ..rules.limits };
                validate(&bytes(words), &Rules { limits, ..rules }).is_ok()
            };
            assert!(passes(expected) && !passes(expected - 1), "{expected}, {what}");
        }
    }
}

/// A giant value leaves no giant tables.
#[test]
fn what_a_giant_needed_is_given_back() {
    let words: Vec<u32> = [27, 5000].into_iter().chain((0..5000).flat_map(|key| [2, key, 0])).collect();
    let mut walker = Walker::new();
    walker.decode(&bytes(&words), &Rules::default(), &mut Skip).unwrap();
    // 32 bytes for each.
    assert!(walker.ledger.keys.held() <= 16 * 1024 / 32, "{} keys", walker.ledger.keys.held());
}

/// Only ENGINE converts, and what it makes is charged besides.
#[test]
fn a_conversion_is_charged_where_there_is_one() {
    let text = Leaf::Text(VariantType::String, Text::new("abc"));
    let name = 8 * (3 + 4 + 4 + 3) + 56;
    for (rules, declared, expected) in [
        (Rules::default(), None, 96),
        (Rules::default(), Some(VariantType::StringName), 96),
        (Rules::engine(), None, 96),
        (Rules::engine(), Some(VariantType::String), 96),
        (Rules::engine(), Some(VariantType::StringName), 96 + name),
    ] {
        let mut ledger = Ledger::default();
        ledger.charge_leaf(&text, Context { declared, ..Context::ROOT }, &rules, 0..12).unwrap();
        assert_eq!(ledger.heap, expected, "{declared:?} {:?}", rules.strictness);
    }
}
