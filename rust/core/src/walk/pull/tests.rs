//! Tests the walk that is asked: its verdicts are those of the walk that tells, and more than there is
//! it refuses.

use super::*;
use crate::tests::words as bytes;
use crate::{Limits, TypeSet, Value, validate};

/// Everything there is in the bytes, asked for one by one.
fn pulled(bytes: &[u8], rules: &Rules) -> Result<Extent, Error> {
    let mut spare = None;
    let mut pull = Pull::new(&mut spare, bytes, rules)?;
    match pull.skip() {
        Ok(()) => pull.finish(),
        Err(fault) => Err(pull.error(fault)),
    }
}

/// Values of every form, typed containers, keys that are containers, and an object.
fn samples() -> Vec<Vec<u8>> {
    let mut samples: Vec<Vec<u8>> = [
        &[0][..],
        &[2, 7],
        &[4, 3, 0x0063_6261],
        &[27, 2, 4, 1, 0x61, 2, 1, 4, 1, 0x61, 2, 2],
        &[27, 1, 28, 1, 2, 1, 22, 0x8000_0002, 0, 0, 1, 0x61, 1, 0x62],
        &[0x1_001C, 2, 2, 2, 1, 2, 2],
        &[0x1_001C, 2, 2, 2, 1, 4, 0],
        &[24, 1, 0x61, 1, 1, 0x62, 28, 1, 34, 2, 2, 0x61, 2, 0x62],
        &[28, 2, 29, 3, 0x0003_0201, 30, 2, 1, 2],
        &[28, 3, 0],
        &[2, 7, 0],
        &[99],
    ]
    .map(bytes)
    .into();
    let entries = (0..40).map(|at| (Value::Int(at), Value::from("text")));
    samples.push(Value::from(entries.collect::<crate::Dictionary>()).encode().unwrap());
    samples
}

/// Asked for, the bytes get the verdict that they get told, at the same byte and path, whatever is cut or
/// spoiled.
#[test]
fn what_is_pulled_is_what_is_walked() {
    let few = Limits { max_values: 3, max_depth: 2, ..Limits::engine() };
    let keys = Limits { allowed_key_types: TypeSet::of(&[VariantType::Int]), ..Limits::network() };
    let heap = Limits { max_heap_bytes: 300, ..Limits::engine() };
    let objects = Rules { full_objects: true, ..Rules::engine() };
    let rules =
        [Rules::default(), Rules::engine(), objects, Rules::safe(few), Rules::safe(keys), Rules::safe(heap)];
    let mut accepted = 0;
    for sample in samples() {
        let cut = (0..sample.len()).map(|end| sample[..end].to_vec());
        let spoiled = (0..sample.len()).map(|at| {
            let mut bytes = sample.clone();
            bytes[at] ^= 0x81;
            bytes
        });
        for bytes in cut.chain(spoiled).chain([sample.clone()]) {
            for rules in &rules {
                let told = validate(&bytes, rules);
                accepted += u32::from(told.is_ok());
                assert_eq!(pulled(&bytes, rules), told, "{bytes:?} {rules:?}");
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
}

/// A value of which something is left unread is none.
#[test]
fn a_value_is_read_to_its_end() {
    let array = bytes(&[28, 1, 34, 1, 2, 0x61]);
    let rules = Rules::default();
    let mut other = None;
    let mut begun = Pull::new(&mut other, &array, &rules).unwrap();
    begun.value().unwrap();
    assert_eq!(begun.finish().unwrap_err().kind(), ErrorKind::Refused);
}

/// Tests that bytes which a limit may refuse are judged before anything of them is given.
#[test]
fn what_a_limit_refuses_is_never_begun() {
    let bytes = Value::Int(7).encode().unwrap();
    let mut spare = None;
    let strict = Rules::safe(Limits { max_bytes: 4, ..Limits::default() });
    let refused = Pull::new(&mut spare, &bytes, &strict).map(drop).map_err(|error| error.kind());
    assert_eq!(refused, Err(ErrorKind::TooManyBytes { limit: 4, declared: 8 }));
    let rules = Rules::default();
    let mut pull = Pull::new(&mut spare, &bytes, &rules).unwrap();
    assert_eq!((pull.int(), pull.end().map(|extent| extent.consumed)), (Some(7), Ok(8)));
}

/// As long as nothing unusual comes nobody judges: names of fields in their order, plain leaves, few names.
/// Then somebody does, and what was cut off behind is told before more is given.
#[test]
fn bytes_are_judged_when_something_unusual_comes() {
    let rules = Rules::default();
    let mut spare = None;
    // {"a": 1, "c": [true, &"n", 0.5], "b": Basis(...)}
    let value = Value::from([
        ("a", Value::Int(1)),
        ("c", Value::from([Value::Bool(true), Value::StringName("n".into()), Value::Float(0.5)])),
        ("b", Value::Basis(Box::new([0.5_f32; 9].into()))),
    ]);
    let bytes = value.encode().unwrap();
    let fields = ["a", "b", "c", "d"];
    let read = |pull: &mut Pull<'_, '_>| {
        assert_eq!(pull.dictionary(), Some(3));
        assert_eq!((pull.field(&fields, 0), pull.int()), (Some(0), Some(1)));
        assert_eq!((pull.field(&fields, 1), pull.array()), (Some(2), Some(3)));
        assert_eq!((pull.int(), pull.nil(), pull.bool()), (None, None, Some(true)));
        assert_eq!(pull.plain_text().map(|(ty, _)| ty), Some(VariantType::StringName));
        assert_eq!((pull.bool(), pull.float()), (None, Some(0.5)));
        pull.close();
        assert_eq!(pull.field(&fields, 3), None, "it comes in another order, and might come twice");
        assert!(!pull.is_sure());
    };
    let mut pull = Pull::new(&mut spare, &bytes, &rules).unwrap();
    read(&mut pull);
    assert!(matches!(pull.value(), Ok(Token::Leaf(_))) && pull.is_sure());
    assert!(pull.skip().is_ok());
    pull.close();
    assert!(pull.finish().is_ok());
    let cut = &bytes[..bytes.len() - 4];
    let mut pull = Pull::new(&mut spare, cut, &rules).unwrap();
    read(&mut pull);
    let fault = pull.value().unwrap_err();
    assert_eq!(pull.error(fault), validate(cut, &rules).unwrap_err());
}

/// More names than are free, or long ones, are somebody's to judge.
#[test]
fn names_are_counted() {
    let name = |at: usize| Value::StringName(format!("name_{at}"));
    let rules = Rules::default();
    let read = |names: Vec<Value>| {
        let bytes = Value::from(names).encode().unwrap();
        let mut spare = None;
        let mut pull = Pull::new(&mut spare, &bytes, &rules).unwrap();
        let count = pull.array().unwrap();
        (0..count).take_while(|_| pull.plain_text().is_some()).count()
    };
    assert_eq!(read((0..20).map(name).collect()), 12);
    assert_eq!(read((0..40).map(|at| name(at % 12)).collect()), 40);
    assert_eq!(read(vec![Value::StringName("n".repeat(65))]), 0);
}
