//! Exchanges values with a running Godot 3: each side reads what the other writes, and both agree on spoiled
//! bytes. `cargo xtask test --long` runs it; it finds the engine and names it in `VARIANT_GODOT3`. Without an
//! engine the test fails.

mod spoiled;
mod talk;

use variant_core::{Dialect, ErrorKind, Limits, Rules, Target, Value, decode, validate};
use variant_testkit::arbitrary;
use variant_testkit::describe::describe;
use variant_testkit::hex::Hex;

/// The number of values in each direction.
const COUNT: usize = 2000;

#[test]
#[ignore = "needs a Godot 3: cargo xtask test --long"]
fn both_sides_read_what_the_other_writes() {
    let given = given();
    let talk = talk::with_godot_3("whole", &given, COUNT);
    it_wrote_what_it_was_given(&given, &talk.echo);
    we_write_what_it_wrote(&talk.own);
}

/// Makes random values as bytes for Godot 3, those that it can express and reads unchanged.
fn given() -> Vec<Vec<u8>> {
    let mut given = Vec::new();
    let mut seed = 0;
    while given.len() < COUNT {
        given.extend(arbitrary::samples(COUNT, seed).iter().filter_map(for_godot_3));
        seed += 1;
    }
    given.truncate(COUNT);
    given
}

/// Encodes a value for Godot 3 without the parts that Godot 3 cannot express: hardly any random tree is
/// without such parts.
fn for_godot_3(value: &Value) -> Option<Vec<u8>> {
    let value = pruned(value)?;
    let mut bytes = Vec::new();
    let outcome = value.encode_for(Target::newest(Dialect::Godot3), &mut bytes, &Limits::engine());
    outcome.map(|()| bytes).ok().filter(|bytes| {
        // SAFE refuses a key that comes twice, which Godot 3 would keep once.
        validate(bytes, &Rules::safe(Limits::engine()).of_dialect(Dialect::Godot3)).is_ok()
    })
}

fn pruned(value: &Value) -> Option<Value> {
    match value {
        Value::Array(array) => {
            let mut array = array.clone();
            array.items = array.items.iter().filter_map(pruned).collect();
            Some(Value::Array(array))
        }
        Value::Dictionary(dictionary) => {
            let mut dictionary = dictionary.clone();
            let entries = dictionary.entries.iter();
            dictionary.entries = entries.filter_map(|(key, value)| pruned(key).zip(pruned(value))).collect();
            Some(Value::Dictionary(dictionary))
        }
        // An id would come back as the id of another object, and a full object needs its class.
        Value::ObjectId(_) | Value::Object(_) => None,
        leaf => {
            let mut bytes = Vec::new();
            let target = Target::newest(Dialect::Godot3);
            match leaf.encode_for(target, &mut bytes, &Limits::engine()) {
                Ok(()) => Some(leaf.clone()),
                Err(error) => {
                    assert!(matches!(error.kind(), ErrorKind::NotInDialect { .. }), "{error}");
                    None
                }
            }
        }
    }
}

/// Checks that each value came back unchanged in as many bytes; only the padding of NodePaths may hold other
/// bytes.
fn it_wrote_what_it_was_given(given: &[Vec<u8>], echo: &[Vec<u8>]) {
    assert_eq!((given.len(), echo.len()), (COUNT, COUNT));
    let rules = Rules::safe(Limits::engine()).of_dialect(Dialect::Godot3);
    for (given, echo) in given.iter().zip(echo) {
        let read = |bytes: &[u8]| {
            describe(&decode(bytes, &rules).unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes))))
        };
        assert_eq!(read(given), read(echo), "{} came back as {}", Hex(given), Hex(echo));
        assert_eq!(given.len(), echo.len(), "{} came back as {}", Hex(given), Hex(echo));
    }
}

fn we_write_what_it_wrote(own: &[Vec<u8>]) {
    assert_eq!(own.len(), COUNT);
    let rules = Rules::engine().of_dialect(Dialect::Godot3);
    for bytes in own {
        let value = decode(bytes, &rules).unwrap_or_else(|error| panic!("{error}: {}", Hex(bytes)));
        let mut again = Vec::new();
        value.encode_for(Target::newest(Dialect::Godot3), &mut again, &Limits::engine()).unwrap();
        let read = decode(&again, &rules).unwrap();
        assert_eq!((describe(&value), bytes.len()), (describe(&read), again.len()), "{}", Hex(bytes));
        if !describe(&value).contains("22:") {
            assert_eq!(Hex(&again).to_string(), Hex(bytes).to_string(), "no NodePath, so the same bytes");
        }
    }
}
