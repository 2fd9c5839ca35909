//! Measures that time is linear: each family of inputs costs in proportion at once and twice the size. The
//! families are the values of `shapes`, deeply nested inputs, random trees, and every line of the attack
//! corpus that repeats something.

use std::hint::black_box;

use variant_core::{Limits, PushDecoder, Rules, Skip, Value, Walker, is_flat};
use variant_testkit::nest::{self, Level};
use variant_testkit::{arbitrary, attack};

use crate::shapes::{ASCII, CYRILLIC, array, dictionary, ints, keyed, packed, save, text, texts};
use crate::{case, claim, is_tried, push, walk};

/// The highest cost that twice the input may have, as a multiple of the cost of the input.
const FACTOR: &str = "2.3";
/// The size in bytes of the smaller input that is made from a line of the corpus.
const SMALL: usize = 24_000;

/// Makes the value of a family in the given size.
type Make = fn(usize) -> Value;

const SHAPES: [(&str, usize, Make); 18] = [
    ("ints", 4000, |n| ints(n as i64)),
    ("saves", 100, |n| save(n as i64)),
    ("ASCII texts", 500, |n| texts(n, ASCII)),
    ("Cyrillic texts", 500, |n| texts(n, CYRILLIC)),
    ("one text", 30_000, |n| text("x".repeat(n))),
    ("one text of two bytes a character", 30_000, |n| text("ж".repeat(n))),
    ("packed arrays", 1000, packed),
    ("empty arrays", 3000, |n| array((0..n).map(|_| array([])))),
    ("empty dictionaries", 3000, |n| array((0..n).map(|_| dictionary([])))),
    ("int keys", 2000, |n| keyed(n as i64, Value::Int)),
    ("float keys", 2000, |n| keyed(n as i64, |n| Value::Float(n as f64 * 0.5))),
    ("text keys", 2000, |n| keyed(n as i64, |n| text(format!("key {n}")))),
    ("name keys", 2000, |n| keyed(n as i64, |n| Value::StringName(format!("key {n}")))),
    ("names", 2000, |n| array((0..n).map(|n| Value::StringName(format!("name {n}"))))),
    ("one name again and again", 2000, |n| array((0..n).map(|_| Value::StringName("name".to_owned())))),
    ("array keys", 1000, |n| keyed(n as i64, |n| array([Value::Int(n), Value::Nil]))),
    ("one key again and again", 2000, |n| keyed(n as i64, |_| text("key"))),
    ("random trees", 60, |n| array(arbitrary::samples(60, 7).into_iter().cycle().take(n))),
];

pub(crate) fn count() {
    let tried = |(name, ..): &(&str, usize, Make)| is_tried(name, ["saves", "text keys", "random trees"]);
    for (name, size, make) in SHAPES.into_iter().filter(tried) {
        twice(name, &[make(size), make(2 * size)].map(|value| value.encode().expect("a value is written")));
    }
    for (name, kinds) in [
        ("arrays in arrays", &[Level::Array][..]),
        ("dictionaries in dictionaries", &[Level::Value]),
        ("dictionaries as keys", &[Level::Key]),
        ("objects in objects", &[Level::Object]),
        ("all of these", &Level::ALL),
    ] {
        if !is_tried(name, ["arrays in arrays", "dictionaries as keys", "all of these"]) {
            continue;
        }
        twice(name, &[nest::nested(kinds, 500), nest::nested(kinds, 1000)]);
    }
    let rows = attack::rows();
    // The first, one in the middle and the last of those that can be made longer.
    let scaled: Vec<_> = rows.iter().filter_map(|row| Some((row, row.scaled(SMALL)?))).collect();
    let three = [0, scaled.len() / 2, scaled.len() - 1].map(|at| scaled[at].0.name.as_str());
    for (row, pair) in scaled {
        if is_tried(&row.name, three) {
            twice(&row.name, &pair);
        }
    }
    in_pieces();
}

fn twice(name: &str, sizes: &[Vec<u8>; 2]) {
    let objects = Rules { full_objects: true, ..Rules::engine() };
    let unlimited = Limits { max_key_probes: Limits::save_file().max_key_probes, ..Limits::engine() };
    let safe = Rules { full_objects: true, ..Rules::safe(unlimited) };
    for (mode, rules) in [("ENGINE", objects), ("SAFE", safe)] {
        let names = [format!("{name}, {mode}"), format!("{name}, {mode}, twice")];
        for (name, bytes) in names.iter().zip(sizes) {
            let mut walker = Walker::new();
            // Another test checks whether it is accepted; this one measures only the cost.
            case(name, || {
                walk(&mut walker, bytes, &rules, &mut Skip);
            });
        }
        claim(FACTOR, &names[1], &names[0]);
        let names = names.map(|name| format!("{name}, at a look"));
        for (name, bytes) in names.iter().zip(sizes) {
            case(name, || {
                black_box(is_flat(black_box(bytes), &rules));
            });
        }
        claim(FACTOR, &names[1], &names[0]);
    }
}

/// Measures inputs in which one token is much larger than a piece and is carried from piece to piece.
fn in_pieces() {
    let shapes: [(&str, usize, Make); 3] = [
        ("one text in pieces", 1 << 20, |n| text("x".repeat(n))),
        ("one packed array in pieces", 1 << 20, |n| Value::PackedByteArray(vec![1; n])),
        ("saves in pieces", 200, |n| save(n as i64)),
    ];
    for (name, size, make) in shapes {
        let names = [name.to_owned(), format!("{name}, twice")];
        for (name, size) in names.iter().zip([size, 2 * size]) {
            let bytes = make(size).encode().expect("a value is written");
            let mut decoder = PushDecoder::new(Skip, Rules::engine());
            case(name, || push(&mut decoder, &bytes));
        }
        claim(FACTOR, &names[1], &names[0]);
    }
}
