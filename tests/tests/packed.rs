//! Checks packing by random schemas: the library and a second, naive packer make the same bits, accept the same bits and
//! make the same differences. `VARIANT_LONG=1` tries a million of each.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use variant_core::{Limits, Rules};
use variant_pack::{Bases, Layout, Packer, Tagging};
use variant_schema::Schema;
use variant_testkit::packed;

/// Returns the settings of proptest.
fn config() -> ProptestConfig {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    ProptestConfig {
        cases: if is_long { 1_000_000 } else { 5_000 },
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn two_packers_agree(data in vec(any::<u8>(), 0..260)) {
        packed::check(&data);
    }

    #[test]
    fn two_packers_make_the_same_differences(data in vec(any::<u8>(), 0..260)) {
        packed::check_delta(&data);
    }
}

/// Tests that random draws are accepted and refused often enough, because otherwise the properties above would test
/// nothing.
#[test]
fn draws_try_both_sides() {
    let mut runner =
        TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let mut all = packed::Tried::default();
    for _ in 0..1500 {
        let data = vec(any::<u8>(), 150..260).new_tree(&mut runner).expect("bytes are drawn").current();
        all.add(packed::tried(&data).unwrap_or_default());
        all.add(packed::tried_delta(&data).unwrap_or_default());
    }
    println!("{all:?}");
    for counts in [all.packed, all.unpacked, all.applied, all.by_columns] {
        assert!(counts.iter().all(|count| *count > 100), "{all:?}");
    }
}

/// Tests what the properties above found: a key beyond ASCII that a used checker took for ASCII, and a difference that ends in
/// a number that is none, in another form than the one that is packed.
#[test]
fn what_was_found_is_right() {
    packed::check(&[
        213, 1, 160, 29, 129, 198, 33, 1, 94, 3, 150, 0, 0, 0, 0, 4, 0, 0, 78, 55, 121, 69, 0, 31, 166, 0, 0,
        0, 77, 0, 104, 117, 0, 91, 0, 14, 110, 160, 63, 0, 15, 1, 21, 6, 27, 20, 2, 45, 3, 66, 108, 3, 0, 0,
        0, 0, 180, 62, 0, 0, 123, 46, 222, 0, 91, 15, 0, 0, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 134, 19, 12, 0, 0, 0, 0, 0, 0, 168, 0, 0, 255, 0, 0,
        0, 11, 0, 0, 0, 153, 0, 0, 0, 1, 0, 0, 193, 0, 0, 0, 0, 0, 96, 0, 0, 0, 0, 0, 8, 0, 13, 0, 0, 0,
    ]);
    packed::check_delta(&[
        182, 52, 0, 0, 0, 29, 37, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        40, 0, 1, 0, 0, 0, 186, 0, 0, 0, 177, 57, 0, 0, 4, 1, 95, 50, 0, 0, 1, 45, 34,
    ]);
}

const PAGE: &str = include_str!("../../docs/PACKED_FORMAT.md");

/// The cells of the page's examples, and what bits they have, as bytes.
fn examples() -> Vec<(Vec<&'static str>, Vec<u8>)> {
    let section = PAGE.split("## Examples").nth(1).and_then(|rest| rest.split("\n## ").next());
    let rows = section.expect("the page has examples").lines().filter(|line| line.starts_with("| `{"));
    let cells = |row: &'static str| {
        let mut cells: Vec<&str> =
            row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let bits: Vec<u8> = cells.pop().expect("it has bits").bytes().filter(|bit| *bit != b' ').collect();
        let byte = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit - b'0'));
        (cells, bits.chunks(8).map(byte).collect())
    };
    rows.map(cells).collect()
}

/// The bases of a row, of which there may be one, and how far they are apart.
fn bases<'b>(newer: &'b [u8], older: &'b [u8], apart: &str) -> Bases<'b> {
    match apart.split_once(", ") {
        None => Bases::one(newer),
        Some(apart) => {
            let [ahead, gap] = [apart.0, apart.1].map(|states| states.parse().expect("a number over 0"));
            Bases::apart(newer, older, ahead, gap)
        }
    }
}

/// Checks a row that says a tag: a value in full where it has no bases.
fn check_with_a_tag(
    layout: &Layout,
    (tagging, apart): (&str, &str),
    [newer, older, to]: [&[u8]; 3],
    bits: &[u8],
) {
    let rules = Rules::safe(Limits::network());
    let mut packer = Packer::tagged(match tagging {
        "BARE" => Tagging::Bare,
        "TAGGED" => Tagging::Short,
        _ => Tagging::Long,
    });
    if newer.is_empty() {
        assert_eq!(packer.pack(layout, to, &rules), Ok(bits), "{tagging}");
        assert_eq!(packer.unpack(layout, bits, &rules), Ok(to), "{tagging}");
        return;
    }
    let mut base = |value: &[u8]| match value {
        [] => Vec::new(),
        value => packer.pack(layout, value, &rules).expect("it fits").to_vec(),
    };
    let (newer, older, new) = (base(newer), base(older), base(to));
    let bases = bases(&newer, &older, apart);
    assert_eq!(packer.pack_delta(layout, bases, to, &rules), Ok(bits), "{tagging} {apart}");
    assert_eq!(packer.apply(layout, bases, bits, &rules), Ok(&new[..]), "{tagging} {apart}");
}

/// Tests that the examples of the page are what packing makes, and what it is made of.
#[test]
fn examples_of_the_page_are_right() {
    let rules = Rules::safe(Limits::network());
    let (mut values, mut differences, mut tagged_or_by_columns) = (0, 0, 0);
    for (cells, bits) in examples() {
        let schema = cells[0].replacen('{', "{\"schema_version\":1,", 1);
        let schema = Schema::from_json(&schema).unwrap_or_else(|error| panic!("{error}: {}", cells[0]));
        let layout = Layout::compile(Arc::new(schema.compile().expect("no mistake"))).expect("packable");
        let value = |text: &str| {
            variant_text::json::from_json(text, &rules.limits).expect("a value").encode().expect("short")
        };
        let mut packer = Packer::new();
        if let [_, tagging, newer, older, apart, to] = cells[..] {
            let [newer, older, to] =
                [newer, older, to].map(|text| if text.is_empty() { Vec::new() } else { value(text) });
            check_with_a_tag(&layout, (tagging, apart), [&newer, &older, &to], &bits);
            tagged_or_by_columns += 1;
            continue;
        }
        if let [_, from, to] = cells[..] {
            let [from, to] =
                [from, to].map(|text| packer.pack(&layout, &value(text), &rules).expect("it fits").to_vec());
            assert_eq!(packer.delta(&layout, &from, &to, &rules), Ok(&bits[..]), "{cells:?}");
            assert_eq!(packer.apply(&layout, &from, &bits, &rules), Ok(&to[..]), "{cells:?}");
            differences += 1;
            continue;
        }
        assert_eq!(packer.pack(&layout, &value(cells[1]), &rules), Ok(&bits[..]), "{cells:?}");
        assert_eq!(packer.unpack(&layout, &bits, &rules), Ok(&value(cells[1])[..]), "{cells:?}");
        values += 1;
    }
    assert_eq!((values, differences, tagged_or_by_columns), (29, 14, 9));
}
