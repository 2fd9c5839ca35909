//! A living Godot 3: it reads what we write for it and writes the same again, and we read what it writes; of spoiled
//! bytes it and we say the same. Run by `cargo xtask test --long`, which finds the engine and names it in
//! `VARIANT_GODOT3`; without one it is red.

mod spoiled;
mod talk;

use variant_core::{Dialect, ErrorKind, Limits, Rules, Target, Value, decode, validate};
use variant_testkit::arbitrary;
use variant_testkit::describe::describe;
use variant_testkit::hex::Hex;

/// Values in each direction.
const COUNT: usize = 2000;

#[test]
#[ignore = "needs a Godot 3: cargo xtask test --long"]
fn both_sides_read_what_the_other_writes() {
    let given = given();
    let talk = talk::with_godot_3("whole", &given, COUNT);
    it_wrote_what_it_was_given(&given, &talk.echo);
    we_write_what_it_wrote(&talk.own);
}

/// Random values as bytes for Godot 3, as far as it can say them and reads each as it is.
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

/// A tree of all types is hardly ever one that Godot 3 can say, so what it cannot say is left out.
fn for_godot_3(value: &Value) -> Option<Vec<u8>> {
    let value = pruned(value)?;
    let mut bytes = Vec::new();
    let outcome = value.encode_for(Target::newest(Dialect::Godot3), &mut bytes, &Limits::engine());
    outcome.map(|()| bytes).ok().filter(|bytes| {
        // A key that comes twice is kept once.
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
        // An id would come back as the id of another object, and a whole one needs its class.
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

/// The same value in as many bytes; only the padding of NodePaths may hold others.
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
