//! Checks random schemas and values near them: the validator and a second checker agree. Schemas also come
//! back from JSON, and bytes of any kind get the verdict that their value gets.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use variant_core::{Array, Rules, Value, validate};
use variant_schema::{Checker, Samples, Schema};
use variant_testkit::{arbitrary, schema};

/// Returns the settings of proptest; `VARIANT_LONG=1` asks for the thorough form.
fn config() -> ProptestConfig {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    ProptestConfig {
        cases: if is_long { 400_000 } else { 1_500 },
        failure_persistence: None,
        ..Default::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn two_checkers_find_the_same(data in vec(any::<u8>(), 0..200)) {
        schema::check(&data);
    }

    #[test]
    fn bytes_and_their_value_get_one_verdict(
        data in vec(any::<u8>(), 64),
        value in arbitrary::value(),
        flip in any::<(u16, u8)>(),
    ) {
        let mut bytes = value.encode().unwrap_or_default();
        let at = usize::from(flip.0) % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= flip.1 & 3;
        }
        schema::check_bytes(&[data, bytes].concat());
    }

    /// Tests schemas that are made from one example and from several. A value that no engine can hold, a
    /// typed container with other elements, is not an example.
    #[test]
    fn examples_are_what_their_schema_accepts(mut values in vec(arbitrary::value(), 1..4)) {
        let is_sound = |value: &Value| validate(&value.encode().unwrap(), &Rules::default()).is_ok();
        values.retain(is_sound);
        let mut samples = Samples::new();
        values.iter().for_each(|value| samples.add(value));
        let program = samples.schema().compile().unwrap();
        for value in &values {
            prop_assert_eq!(Checker::new().check(&program, value), Ok(()));
            let program = Schema::from_example(value).compile().unwrap();
            prop_assert_eq!(Checker::new().check(&program, value), Ok(()));
        }
        let all = Value::from(values.into_iter().collect::<Array>());
        let program = Schema::from_example(&all).compile().unwrap();
        prop_assert_eq!(Checker::new().check(&program, &all), Ok(()));
    }
}

/// Tests that random draws come to a verdict, and to both verdicts, because otherwise the properties above
/// would test nothing.
#[test]
fn draws_try_both_sides() {
    let mut runner =
        TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let (mut checked, mut of_bytes) = ([0; 2], [0; 2]);
    for value in arbitrary::samples(1000, 5) {
        let data = vec(any::<u8>(), 64..200).new_tree(&mut runner).expect("bytes are drawn").current();
        if let Some(fits) = schema::tried(&data) {
            checked[usize::from(fits)] += 1;
        }
        let bytes = value.encode().expect("what strategies make can be written");
        if let Some(fits) = schema::tried_bytes(&[&data[..64], &bytes].concat()) {
            of_bytes[usize::from(fits)] += 1;
        }
    }
    assert!(checked.iter().all(|count| *count > 100), "values that do not fit, and that do: {checked:?}");
    assert!(of_bytes.iter().all(|count| *count > 20), "bytes that do not fit, and that do: {of_bytes:?}");
}

/// Tests a failure that the properties above found: a default that was filled into a typed array is not of
/// its type.
#[test]
fn a_typed_array_that_is_filled_in_is_untyped() {
    schema::check(&[
        210, 136, 12, 153, 3, 0, 0, 0, 0, 3, 29, 128, 0, 180, 0, 161, 151, 9, 223, 99, 0, 0, 18, 0, 12, 0,
        18, 0, 4, 9, 0, 0, 0, 0, 0, 132, 0, 28, 0, 0, 0, 60, 12, 0, 0, 253, 0, 17, 0, 0, 0, 0, 0, 0, 0, 0,
        211, 119,
    ]);
}
