//! Random schemas and values near them: the validator and a second checker agree, schemas come back from JSON, and
//! bytes of any kind get the verdict that their value gets.

use proptest::collection::vec;
use proptest::prelude::*;
use variant_testkit::schema;

/// `VARIANT_LONG=1` asks for the thorough form.
fn config() -> ProptestConfig {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    ProptestConfig {
        cases: if is_long { 400_000 } else { 1_500 },
        failure_persistence: None,
        ..Default::default()
    }
}

/// Draws that fuzzing found; what they lead to stands in `tests/schema` where it is a rule.
#[test]
fn what_was_found_stays_mended() {
    let found: [&[u8]; 1] = [b"{\"$Rec\x02)t2\":[1.0{\"$Rect2\":[1.0,2.0,:IIII\xb9\xb6\xb6\xb6IIII[1.\
        \x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x13\x12"];
    found.into_iter().for_each(schema::check);
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
        value in variant_testkit::arbitrary::value(),
        flip in any::<(u16, u8)>(),
    ) {
        let mut bytes = value.encode().unwrap_or_default();
        let at = usize::from(flip.0) % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= flip.1 & 3;
        }
        schema::check_bytes(&[data, bytes].concat());
    }
}
