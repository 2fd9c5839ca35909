//! Counts allocations: reading and writing ask for what the type itself holds, and for nothing else.

use allocation_counter::measure;
use serde::{Deserialize, Serialize};
use variant_serde::*;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Packet<'a> {
    seq: u32,
    #[serde(borrow)]
    name: &'a str,
    pos: Vector3,
    vel: [f32; 2],
    kind: Cause,
    owner: Option<u64>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Cause {
    Walk,
    Hit { by: u32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Save {
    entities: Vec<Entity>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Entity {
    name: String,
    pos: Vector3,
    tags: Vec<String>,
}

fn packet() -> Packet<'static> {
    let (pos, vel) = (Vector3::new(1.0, 2.0, 3.0), [0.5, 1.0]);
    Packet { seq: 7, name: "Ann", pos, vel, kind: Cause::Hit { by: 3 }, owner: Some(1 << 40) }
}

#[test]
fn a_packet_of_borrowed_parts_takes_none() {
    let bytes = to_vec(&packet()).unwrap();
    let rules = Rules::safe(Limits::network());
    let used = measure(|| {
        let read: Packet<'_> = from_slice_with(&bytes, &rules).unwrap();
        assert_eq!(read.seq, 7);
        assert!(read == packet());
    });
    assert_eq!((used.count_total, used.bytes_total), (0, 0), "{used:?}");
}

/// A `Vec` and a `String` each is an allocation, and there is no other: room for elements is asked for once.
#[test]
fn a_save_takes_what_it_holds() {
    let entity = |at: u16| Entity {
        name: format!("entity_{at}"),
        pos: Vector3::new(1.0, 2.0, f32::from(at)),
        tags: vec!["a".to_owned(), format!("b{at}")],
    };
    let save = Save { entities: (0..50).map(entity).collect() };
    let bytes = to_vec(&save).unwrap();
    let used = measure(|| drop(from_slice::<Save>(&bytes).unwrap()));
    // The list; of each entity its name, its list of tags, and two of those.
    assert_eq!(used.count_total, 1 + 50 * 4, "{used:?}");
}

/// A reader that is kept pays for no walk, also where the bytes have to be walked with a ledger.
#[test]
fn a_warm_reader_takes_none() {
    let many: std::collections::HashMap<i32, i32> = (0..200).map(|at| (at, at)).collect();
    let typed = to_vec(&TypedMap(many)).unwrap();
    let mut reader = Reader::new(Rules::default());
    reader.read::<serde::de::IgnoredAny>(&typed).unwrap();
    let used = measure(|| assert!(reader.read::<serde::de::IgnoredAny>(&typed).is_ok()));
    assert_eq!(used.count_total, 0, "{used:?}");
}

#[test]
fn writing_takes_none_where_there_is_room() {
    let mut output = Vec::with_capacity(1024);
    let used = measure(|| append(&packet(), &mut output, &Writing::default()).unwrap());
    assert_eq!(used.count_total, 0, "{used:?}");
    let names = (StringName::from("walk"), vec![Vector2i::new(1, 2); 3]);
    let used = measure(|| append(&names, &mut output, &Writing::default()).unwrap());
    assert_eq!(used.count_total, 0, "{used:?}");
}

/// Ten megabytes are a vector that doubles from a packet's size: 16 times, and nothing else is asked for.
#[test]
fn a_large_save_doubles_its_vector() {
    let many = vec![1_i64; 1_300_000];
    let used = measure(|| assert!(to_vec(&many).is_ok_and(|bytes| bytes.len() > 10_000_000)));
    assert!(used.count_total <= 17, "{used:?}");
}
