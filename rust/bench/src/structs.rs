//! Compares structs instead of trees: the packet and the save of `values.rs` as types that derive serde,
//! through ours and through other formats. It times nothing.

use std::fmt::Debug;
use std::hint::black_box;

use published::decoder::Decoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use variant_core::{Limits, Rules, Value};
use variant_serde::{Color, StringName, Vector3};

use crate::contest::{Contest, Job, job};

/// The crate that the columns are measured against.
pub(crate) const OURS: &str = "variant-serde";
/// The other columns. MessagePack comes twice: with the names of fields, as ours has them, and by place
/// without names; so is postcard, which has neither names nor types.
pub(crate) const OTHERS: [&str; 5] =
    ["rmp-serde, named", "rmp-serde, by place", "postcard", "serde_json", "godot-binary-serialization"];

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Packet {
    t: i64,
    pos: Vector3,
    vel: Vector3,
    id: i64,
    name: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Save {
    version: i64,
    seed: i64,
    entities: Vec<Entity>,
    flags: Flags,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Flags {
    intro: bool,
    boss: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Entity {
    id: i64,
    name: String,
    kind: String,
    pos: Vector3,
    rot: f64,
    hp: i64,
    alive: bool,
    tags: Vec<String>,
    inv: Bag,
    owner: Option<String>,
    vel: Vector3,
    speed: f64,
    level: i64,
    color: Color,
    faction: StringName,
    seen: bool,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Bag {
    gold: i64,
    potions: i64,
}

/// Encoding and decoding of a packet.
///
/// # Errors
/// Names the crate whose answer differs.
pub(crate) fn packet(workload: &'static str, value: &Value) -> Result<[Contest; 2], String> {
    contests::<Packet>(workload, value, Rules::safe(Limits::network()))
}

/// Encoding and decoding of a save.
///
/// # Errors
/// Names the crate whose answer differs.
pub(crate) fn save(workload: &'static str, value: &Value) -> Result<[Contest; 2], String> {
    contests::<Save>(workload, value, Rules::default())
}

fn contests<T>(workload: &'static str, value: &Value, rules: Rules) -> Result<[Contest; 2], String>
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone + 'static,
{
    let bytes = value.encode().map_err(told)?;
    let it: T = variant_serde::from_slice(&bytes).map_err(told)?;
    if variant_serde::to_vec(&it).map_err(told)? != bytes {
        return Err(format!("{OURS}: other bytes are written than those of the tree"));
    }
    let mut jobs = [Vec::new(), Vec::new()];
    let read = move |bytes: &[u8]| variant_serde::from_slice_with::<T>(bytes, &rules).map_err(told);
    other(OURS, &it, |it| variant_serde::to_vec(it).map_err(told), read, &mut jobs)?;
    let named = |it: &T| rmp_serde::to_vec_named(it).map_err(told);
    other(OTHERS[0], &it, named, |bytes| rmp_serde::from_slice(bytes).map_err(told), &mut jobs)?;
    let by_place = |it: &T| rmp_serde::to_vec(it).map_err(told);
    other(OTHERS[1], &it, by_place, |bytes| rmp_serde::from_slice(bytes).map_err(told), &mut jobs)?;
    let postcard = |it: &T| postcard::to_allocvec(it).map_err(told);
    other(OTHERS[2], &it, postcard, |bytes| postcard::from_bytes(bytes).map_err(told), &mut jobs)?;
    let json = |it: &T| serde_json::to_vec(it).map_err(told);
    other(OTHERS[3], &it, json, |bytes| serde_json::from_slice(bytes).map_err(told), &mut jobs)?;
    // It has no structs: what it reads is a tree, which a program would still have to take apart.
    if Decoder::decode_variant(&bytes).is_ok() {
        jobs[1].push(job(OTHERS[4], bytes.len(), move || Decoder::decode_variant(black_box(&bytes)).ok()));
    }
    let [encode, decode] = jobs;
    Ok([
        Contest { workload, what: "encode", jobs: encode },
        Contest { workload, what: "decode", jobs: decode },
    ])
}

fn told(error: impl ToString) -> String {
    error.to_string()
}

/// Adds what a crate does, once what it wrote has come back as the same struct.
fn other<T: PartialEq + Clone + 'static>(
    who: &'static str,
    it: &T,
    write: impl Fn(&T) -> Result<Vec<u8>, String> + 'static,
    read: impl Fn(&[u8]) -> Result<T, String> + 'static,
    jobs: &mut [Vec<Job>; 2],
) -> Result<(), String> {
    let bytes = write(it)?;
    // serde_json may miss the last bit of a float without its feature for exact ones; all others may not.
    if read(&bytes)? != *it && who != "serde_json" {
        return Err(format!("{who}: what comes back is another value"));
    }
    let (size, it) = (bytes.len(), it.clone());
    jobs[0].push(job(who, size, move || write(black_box(&it)).ok()));
    jobs[1].push(job(who, size, move || read(black_box(&bytes)).ok()));
    Ok(())
}
