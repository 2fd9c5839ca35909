//! Tests that what is accepted can be freed again: the levels of objects are those of the longest way, whatever leads to the
//! objects besides.

use variant_core::{Array, ErrorKind, Limits, Rejection, Rules, Value};
use variant_schema::Schema;

use crate::*;

fn reference(row: usize) -> Value {
    Value::Rid(Reference { class: 0, row: u32::try_from(row).unwrap_or(0) }.in_document())
}

fn array(items: Vec<Value>) -> Value {
    Value::Array(Box::new(Array { items, ..Array::default() }))
}

fn table() -> Table {
    let knot = Class::new(
        "knot",
        [
            Property::new("held", Schema::array(Schema::any())),
            Property { is_weak: true, ..Property::new("seen", Table::variable(Some("knot"))) },
        ],
    );
    let plain = Class::new("plain", [Property::new("held", Schema::array(Schema::any()))]);
    Table::new(vec![knot, plain]).expect("a table without contradictions")
}

/// Returns the verdict of objects that hold these, of a class with a weak property or without one.
fn verdict(
    tag: &str,
    held: &[Vec<Value>],
    seen: Option<usize>,
    value: Value,
    limits: &Limits,
) -> Result<u32, Rejection> {
    let mut document = Document::default();
    for held in held {
        let held = array(held.clone());
        match tag {
            "knot" => {
                let seen = seen.map_or(Value::Nil, reference);
                document.add(tag, 1, &["held", "seen"], vec![held, seen]);
            }
            _ => drop(document.add(tag, 1, &["held"], vec![held])),
        }
    }
    document.value = value;
    let bytes = document.to_value().encode().expect("bytes");
    let table = table();
    table.check(&mut Scratch::default(), &bytes, &Rules::safe(*limits), None).map(|checked| checked.objects())
}

/// Objects of which each holds the next one, inside so many Arrays; the property is one itself.
fn chain(links: usize, arrays: usize) -> Vec<Vec<Value>> {
    let next = |at: usize| {
        let wrapped = (1..arrays).fold(reference(at), |value, _| array(vec![value]));
        vec![wrapped]
    };
    (1..=links).map(|at| if at < links { next(at) } else { Vec::new() }).collect()
}

fn levels(refused: Result<u32, Rejection>) -> u64 {
    let refusal = refused.expect_err("a refusal");
    assert!(matches!(refusal.kind, ErrorKind::TooDeep { .. }), "{refusal}");
    assert!(refusal.expected.contains("max_object_depth"), "{refusal}");
    refusal.got.parse().expect("a number of levels")
}

#[test]
fn a_chain_is_as_deep_as_its_objects_and_containers() {
    for (links, arrays) in [(2048, 1), (70, 58), (1366, 2)] {
        // One level to the first, and from each to the next its containers and itself.
        let deep = 1 + (links as u64 - 1) * (arrays as u64 + 1);
        for tag in ["plain", "knot"] {
            let limits = Limits { max_object_depth: deep, ..Limits::save_file() };
            let held = chain(links, arrays);
            assert_eq!(
                verdict(tag, &held, None, reference(0), &limits),
                Ok(links as u32),
                "{links} {arrays}"
            );
            let limits = Limits { max_object_depth: deep - 1, ..limits };
            assert_eq!(levels(verdict(tag, &held, None, reference(0), &limits)), deep, "{links} {arrays}");
        }
    }
    let default = verdict("plain", &chain(40_000, 1), None, reference(0), &Limits::save_file());
    assert_eq!(levels(default), 79_999);
    let default = verdict("plain", &chain(1_020, 55), None, reference(0), &Limits::network());
    assert_eq!(levels(default), 1 + 1_019 * 56);
}

/// Tests that an Array of all objects, last ones first, hides no chain: what is let go of last is freed.
#[test]
fn another_way_to_an_object_hides_no_chain() {
    let all = array((0..5_000).rev().map(reference).collect());
    assert_eq!(levels(verdict("plain", &chain(5_000, 1), None, all, &Limits::save_file())), 2 + 4_999 * 2);
    let all = array((0..5_000).map(reference).collect());
    assert_eq!(levels(verdict("plain", &chain(5_000, 1), None, all, &Limits::save_file())), 2 + 4_999 * 2);
}

#[test]
fn weak_references_are_no_levels_and_hide_none() {
    let held = vec![Vec::new(); 5_000];
    let all = || array((0..5_000).rev().map(reference).collect());
    assert_eq!(verdict("knot", &held, Some(0), all(), &Limits::save_file()), Ok(5_000));
    // Each sees the first one, so they would be one circle.
    let refused = verdict("knot", &chain(5_000, 1), Some(0), all(), &Limits::save_file());
    assert_eq!(levels(refused), 2 + 4_999 * 2);
    let strict = Limits { circles: false, max_object_depth: u64::MAX, ..Limits::save_file() };
    assert_eq!(verdict("knot", &chain(50, 1), Some(0), all_of(50), &strict), Ok(50), "no circle");
}

fn all_of(count: usize) -> Value {
    array((0..count).map(reference).collect())
}

#[test]
fn circles_are_refused_where_they_are_off() {
    let network = Limits::network();
    for held in [
        vec![vec![reference(0)]],
        vec![vec![reference(1)], vec![reference(2)], vec![reference(0)]],
        vec![vec![reference(1)], vec![reference(1)]],
    ] {
        let refusal = verdict("plain", &held, None, reference(0), &network).expect_err("a circle");
        assert_eq!(refusal.kind, ErrorKind::CircularReference, "{refusal}");
        assert!(refusal.path.to_string().starts_with("plain["), "{refusal}");
        let allowed = Limits { circles: true, ..network };
        assert!(verdict("plain", &held, None, reference(0), &allowed).is_ok());
    }
    let shared = vec![vec![reference(1), reference(2)], vec![reference(2)], Vec::new()];
    assert_eq!(verdict("plain", &shared, None, reference(0), &network), Ok(3), "sharing is no circle");
}

/// Tests that a ring is as deep as the way around it, and what hangs below one counts as well.
#[test]
fn circles_have_a_depth() {
    let mut ring = chain(3_000, 1);
    ring[2_999] = vec![reference(0)];
    assert_eq!(levels(verdict("plain", &ring, None, reference(0), &Limits::save_file())), 1 + 2_999 * 2);
    let mut tail = chain(3_000, 1);
    tail[0] = vec![reference(0), reference(1)];
    assert_eq!(levels(verdict("plain", &tail, None, reference(0), &Limits::save_file())), 1 + 2_999 * 2);
    // Many friends of one another are near each other.
    let friends = vec![(0..100).map(reference).collect::<Vec<_>>(); 100];
    let near = Limits { max_object_depth: 3, ..Limits::save_file() };
    assert_eq!(verdict("plain", &friends, None, reference(0), &near), Ok(100));
}

/// Tests random graphs without circles against the longest way by trying all.
#[test]
fn the_longest_way_is_found() {
    fn longest(held: &[Vec<usize>], at: usize) -> u64 {
        held[at].iter().map(|next| 2 + longest(held, *next)).max().unwrap_or(0)
    }
    let mut seed = 7_u64;
    let mut below = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap_or(0) % most
    };
    for _ in 0..300 {
        let count = 2 + below(8);
        let held: Vec<Vec<usize>> = (0..count)
            .map(|at| {
                let mut later: Vec<usize> = (at + 1..count).filter(|_| below(3) == 0).collect();
                later.extend((at + 1 < count).then_some(at + 1).filter(|_| at == 0 || below(2) == 0));
                later.reverse();
                later
            })
            .collect();
        let values: Vec<Vec<Value>> =
            held.iter().map(|held| held.iter().copied().map(reference).collect()).collect();
        let expected = (0..count).map(|at| 2 + longest(&held, at)).max().unwrap_or(0);
        let most = Limits { max_object_depth: expected, ..Limits::save_file() };
        assert!(verdict("plain", &values, None, all_of(count), &most).is_ok());
        if expected > 2 {
            let most = Limits { max_object_depth: expected - 1, ..most };
            assert_eq!(levels(verdict("plain", &values, None, all_of(count), &most)), expected);
        }
    }
}
