//! Measures structs that derive serde: the save and the packet of `shapes.rs`, written and read without a tree.

use std::fmt::Debug;
use std::hint::black_box;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use variant_core::{Limits, Rules, Value};
use variant_serde::{Reader, Vector3, Writing, append, to_vec};

use crate::shapes::{packet, save};
use crate::{case, claim};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Packet {
    t: i64,
    pos: Vector3,
    vel: Vector3,
    id: i64,
    name: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Entity {
    id: i64,
    name: String,
    position: Vector3,
    health: f64,
    is_alive: bool,
    items: Vec<i64>,
}

pub(crate) fn count() {
    structs::<Vec<Entity>>("save", &save(2_000), &Rules::default());
    structs::<Packet>("packet", &packet(), &Rules::safe(Limits::network()));
}

/// Claims of structs. A struct is written from less than a tree, and its names are known when it is compiled.
pub(crate) fn claims() {
    claim("0.5", "write structs of packet", "encode packet");
    claim("0.6", "write structs of save", "encode save");
}

fn structs<T>(what: &str, value: &Value, rules: &Rules)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let bytes = value.encode().unwrap_or_else(|error| panic!("{error}"));
    let mut reader = Reader::new(*rules);
    let it: T = reader.read(&bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!(
        to_vec(&it).is_ok_and(|written| written == bytes),
        "other bytes are written than those of the tree"
    );
    let mut output = Vec::new();
    case(&format!("write structs of {what}"), || {
        output.clear();
        assert!(black_box(append(black_box(&it), &mut output, &Writing::default())).is_ok());
    });
    case(&format!("read structs of {what}"), || {
        assert!(black_box(reader.read::<T>(black_box(&bytes))).is_ok())
    });
}
