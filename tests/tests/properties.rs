//! Checks random and mutated inputs against every property: 10^5 by default, 10^7 with `VARIANT_LONG=1`.
//! `VARIANT_SEED=n` tries others; a seed gives the same inputs on every machine.

use std::env;
use std::thread;
use std::time::Instant;

use proptest::prelude::*;
use variant_core::{Limits, Rules, Value, validate};
use variant_testkit::hex::Hex;
use variant_testkit::loss::has_duplicate_keys;
use variant_testkit::mutate::Mutator;
use variant_testkit::properties::{self, Properties};
use variant_testkit::{arbitrary, golden, malformed};

/// The number of threads, each with a share of the inputs and a seed of its own. It is not the number of
/// cores, so that the inputs are the same everywhere.
const SHARES: usize = 8;

fn is_long() -> bool {
    env::var_os("VARIANT_LONG").is_some_and(|value| value != "0")
}

fn seed() -> u64 {
    env::var("VARIANT_SEED").map_or(20240, |text| text.parse().expect("VARIANT_SEED is a number"))
}

/// Collects golden values, the table of malformed inputs, and trees of both widths, which no single-precision
/// engine wrote.
fn seeds() -> Vec<Vec<u8>> {
    let trees = arbitrary::samples(400, seed());
    let trees = trees.iter().map(|tree| tree.encode().expect("what strategies make can be written"));
    golden::seeds()
        .into_iter()
        .chain(malformed::rows().into_iter().map(|row| row.bytes))
        .chain(trees)
        .collect()
}

/// Prints the input when anything panics before the test does.
struct Witness<'a>(&'a [u8]);

impl Drop for Witness<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the input: {}", Hex(self.0));
        }
    }
}

/// Tries `inputs` inputs and returns how many of them ENGINE accepts.
fn try_share(seed: u64, inputs: usize, seeds: Vec<Vec<u8>>) -> usize {
    let mut mutator = Mutator::new(seed, seeds);
    let mut properties = Properties::new();
    let mut input = Vec::new();
    let mut accepted = 0;
    for _ in 0..inputs {
        mutator.fill(&mut input);
        let cut = mutator.below(usize::MAX);
        let _witness = Witness(&input);
        accepted += usize::from(properties.hold(&input, cut));
    }
    accepted
}

#[test]
fn mutated_inputs_hold_every_property() {
    let inputs = if is_long() { 10_000_000 } else { 100_000 };
    let (start, seeds) = (Instant::now(), seeds());
    let accepted: usize = thread::scope(|scope| {
        let share = |at: u64| {
            let seeds = seeds.clone();
            scope.spawn(move || try_share(seed().wrapping_add(at), inputs / SHARES, seeds))
        };
        let shares: Vec<_> = (0..SHARES as u64).map(share).collect();
        shares.into_iter().map(|share| share.join().expect("every share holds")).sum()
    });
    let seconds = start.elapsed().as_secs_f64();
    println!("{inputs} inputs, {accepted} accepted by ENGINE, seed {}, {seconds:.1} s", seed());
    let fraction = accepted * 100 / inputs;
    assert!((10..90).contains(&fraction), "{fraction} % accepted: the other side is hardly tried");
}

fn cases(default: u32) -> ProptestConfig {
    arbitrary::config(if is_long() { default * 50 } else { default }, seed())
}

fn is_accepted_by_safe(value: &Value) -> bool {
    let bytes = value.encode().expect("what strategies make can be written");
    validate(&bytes, &Rules::safe(Limits::engine())).is_ok()
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn values_come_back(value in arbitrary::value()) {
        properties::value_comes_back(&value);
    }

    #[test]
    fn written_values_hold_every_property(value in arbitrary::value(), cut in any::<usize>()) {
        let bytes = value.encode().unwrap();
        prop_assert!(Properties::new().hold(&bytes, cut) || holds_object(&value));
    }

    #[test]
    fn prefixes_of_written_values_are_incomplete(value in arbitrary::any_leaf()) {
        properties::prefixes_are_incomplete(&value.encode().unwrap(), &Rules::engine());
    }

    #[test]
    fn nearly_right_bytes_hold_every_property(bytes in arbitrary::near_valid_bytes(), cut in any::<usize>()) {
        Properties::new().hold(&bytes, cut);
    }

    #[test]
    fn noise_holds_every_property(bytes in prop::collection::vec(any::<u8>(), 0..64), cut in any::<usize>()) {
        Properties::new().hold(&bytes, cut);
    }

    /// Tests keys that are alike: only the keys can be wrong here, so the verdict must be right both ways.
    #[test]
    fn keys_are_told_apart(value in arbitrary::dictionary_of_like_keys()) {
        prop_assert_eq!(is_accepted_by_safe(&value), !has_duplicate_keys(&value));
    }

    /// Tests typed arrays. An element that is a dictionary may still have a key twice.
    #[test]
    fn safe_accepts_arrays_that_hold_what_they_declare(value in arbitrary::typed_array()) {
        prop_assert_eq!(is_accepted_by_safe(&value), !has_duplicate_keys(&value));
    }
}

fn holds_object(value: &Value) -> bool {
    format!("{value:?}").contains("Object(Object {")
}
