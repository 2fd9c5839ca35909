//! Puts spoiled bytes to a Godot 3 and to ENGINE strictness: both give the same verdict, byte count and
//! value.
//!
//! A refusal of `bytes2var` ends a script of Godot 3, and its answer does not distinguish null from nothing.
//! So each blob is the element of an array in a file, where a refusal gives a null in place of the array. A
//! blob that is accepted is read once more with another element behind it, which is found only by a reader
//! that counts the same bytes.

use variant_core::{Dialect, Dictionary, Rules, Strictness, ToValue, Value, Walker, decode};
use variant_testkit::describe::describe;
use variant_testkit::golden;
use variant_testkit::hex::Hex;
use variant_testkit::mutate::Mutator;
use variant_testkit::same_key::same_key;

/// The number of blobs in all.
const COUNT: usize = 24_000;
/// The number of blobs for one start of the engine.
const BATCH: usize = 4_000;
/// The element that stands behind a blob.
const SENTINEL: i64 = 0x5EED_1DEA;

#[test]
#[ignore = "needs a Godot 3: cargo xtask test --long"]
fn spoiled_bytes_are_read_as_godot_3_reads_them() {
    let seeds = golden::file("godot3_6").cases.into_iter().map(|case| case.bytes).collect();
    let mut mutator = Mutator::new(3, seeds).of_godot_3();
    let (mut accepted, mut differences) = (0, Vec::new());
    for batch in 0..COUNT / BATCH {
        let blobs: Vec<Blob> = (0..BATCH).map(|_| Blob::new(&mut mutator)).collect();
        let alone = blobs.iter().map(|blob| array(&[&blob.bytes]));
        let sentinel = Value::Int(SENTINEL).encode().unwrap();
        let followed = blobs.iter().filter_map(Blob::consumed).map(|bytes| array(&[&bytes, &sentinel]));
        let given: Vec<_> = alone.chain(followed).collect();
        let echo = super::talk::with_godot_3(&format!("spoiled{batch}"), &given, 0).echo;
        assert_eq!(echo.len(), given.len());
        let (alone, followed) = echo.split_at(BATCH);
        let mut followed = followed.iter();
        for (blob, echo) in blobs.iter().zip(alone) {
            let behind = blob.read.is_ok().then(|| followed.next().unwrap());
            accepted += usize::from(blob.read.is_ok());
            differences.extend(blob.difference(echo, behind).map(|what| (what, blob.bytes.clone())));
        }
    }
    for (what, bytes) in differences.iter().take(20) {
        eprintln!("{what}: {}", Hex(bytes));
    }
    println!("{COUNT} blobs, {accepted} of them accepted, {} differences", differences.len());
    assert!(accepted > COUNT / 10 && accepted < COUNT * 9 / 10, "{accepted} accepted say little");
    assert_eq!(differences.len(), 0);
}

/// Holds a spoiled input, and what ENGINE strictness reads from it.
struct Blob {
    bytes: Vec<u8>,
    /// The value and how many bytes it took, or why there is none.
    read: Result<(Value, u64), String>,
}

impl Blob {
    fn new(mutator: &mut Mutator) -> Blob {
        let mut bytes = Vec::new();
        mutator.fill(&mut bytes);
        let outcome = Walker::new().decode(&bytes, &rules(), &mut ToValue);
        let read = outcome.map(|(value, extent)| (value, extent.consumed)).map_err(|error| error.to_string());
        Blob { bytes, read }
    }

    /// Returns the bytes of the value; padding that is missing at the end is zeros.
    fn consumed(&self) -> Option<Vec<u8>> {
        let (_, length) = self.read.as_ref().ok()?;
        let mut bytes = self.bytes.clone();
        bytes.resize(usize::try_from(*length).unwrap(), 0);
        Some(bytes)
    }

    /// Describes the difference to Godot 3, if there is one.
    fn difference(&self, echo: &[u8], behind: Option<&Vec<u8>>) -> Option<String> {
        let told = element(echo, 1);
        let (value, length) = match (&self.read, told) {
            (Err(_), None) => return None,
            (Err(error), Some(told)) => return Some(format!("it reads {}, we say {error}", describe(&told))),
            (Ok((value, _)), None) => return Some(format!("it refuses, we read {}", describe(value))),
            (Ok((value, length)), Some(told)) => {
                let (ours, theirs) = (describe(&kept(value)), describe(&kept(&told)));
                if ours != theirs {
                    return Some(format!("it reads {theirs}, we read {ours}"));
                }
                (value, length)
            }
        };
        let sentinel = behind.and_then(|echo| element(echo, 2));
        let is_there = matches!(sentinel, Some(Value::Int(SENTINEL)));
        (!is_there).then(|| format!("it does not take {length} bytes for {}", describe(value)))
    }
}

fn rules() -> Rules {
    Rules { strictness: Strictness::Engine, ..Rules::engine() }.of_dialect(Dialect::Godot3)
}

/// Makes an array of Godot 3 with these elements.
fn array(elements: &[&[u8]]) -> Vec<u8> {
    let count = u32::try_from(elements.len()).unwrap();
    [&[19, 0, 0, 0][..], &count.to_le_bytes(), &elements.concat()].concat()
}

/// Returns the last element of the array that came back, which has `count` elements, or nothing when it is a
/// null.
fn element(echo: &[u8], count: usize) -> Option<Value> {
    match decode(echo, &rules()) {
        Ok(Value::Array(mut array)) => {
            assert_eq!(array.items.len(), count, "{}", Hex(echo));
            array.items.pop()
        }
        Ok(Value::Nil) => None,
        other => panic!("{other:?} came back: {}", Hex(echo)),
    }
}

/// Changes a value as Godot 3 does: of equal keys it keeps the last value, at the place of the first; an id
/// becomes any object; there is no root path.
fn kept(value: &Value) -> Value {
    match value {
        Value::Array(array) => {
            let mut array = array.clone();
            array.items = array.items.iter().map(kept).collect();
            Value::Array(array)
        }
        Value::Dictionary(dictionary) => {
            let mut entries: Vec<(Value, Value)> = Vec::new();
            for (key, value) in &dictionary.entries {
                match entries.iter_mut().find(|(earlier, _)| same_key(earlier, key)) {
                    Some((_, earlier)) => *earlier = kept(value),
                    None => entries.push((kept(key), kept(value))),
                }
            }
            Value::Dictionary(Box::new(Dictionary { entries, ..Dictionary::default() }))
        }
        Value::ObjectId(0) => Value::Nil,
        Value::ObjectId(_) => Value::ObjectId(1),
        Value::NodePath(path) if path.names.is_empty() && path.subnames.is_empty() => {
            Value::NodePath(Box::default())
        }
        leaf => leaf.clone(),
    }
}
