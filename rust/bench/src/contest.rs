//! Sets up the contests: the same work on the same value by this crate and by each other one. Every answer is
//! compared before anything is timed; a wrong one is an error, and a crate that cannot give the answer is
//! left out.

use std::hint::black_box;

use published::decoder::Decoder;
use published::encoder::Encoder;
use published::types::primitive::{GodotBool, GodotFloat, GodotInteger, GodotNull, GodotString};
use published::types::structures::{GodotDictionary, GodotVector3};
use published::types::variant::GodotVariant;
use serde::de::IgnoredAny;
use variant_core::{Reals, Rules, Value};

use crate::tree::Tree;

/// The names of the columns; all others are measured against ours.
pub(crate) const OURS: &str = "variant-core";
pub(crate) const OTHERS: [&str; 4] = ["godot-binary-serialization", "serde_json", "rmp-serde", "memcpy"];

/// Holds a piece of work as one crate does it.
pub(crate) struct Job {
    pub(crate) who: &'static str,
    /// The size of the encoded value in this crate's format.
    pub(crate) bytes: usize,
    pub(crate) work: Box<dyn Fn()>,
}

/// Holds one piece of work as all crates do it that can, ours first.
pub(crate) struct Contest {
    pub(crate) workload: &'static str,
    pub(crate) what: &'static str,
    pub(crate) jobs: Vec<Job>,
}

/// Sets up encoding, decoding and checking of a value.
///
/// # Errors
/// Describes an answer that differs.
pub(crate) fn contests(workload: &'static str, value: &Value) -> Result<[Contest; 3], String> {
    let mut all = [("encode", Vec::new()), ("decode", Vec::new()), ("validate", Vec::new())];
    let bytes = ours(value, &mut all)?;
    if let Some(theirs) = published_of(value) {
        published_crate(theirs, &bytes, &mut all)?;
    }
    if let Some(tree) = Tree::of(value) {
        json(&tree, &mut all)?;
        message_pack(&tree, &mut all)?;
    }
    for (_, jobs) in &mut all {
        let bytes = bytes.clone();
        jobs.push(job("memcpy", bytes.len(), move || black_box(&bytes).to_vec()));
    }
    Ok(all.map(|(what, jobs)| Contest { workload, what, jobs }))
}

type All = [(&'static str, Vec<Job>); 3];

pub(crate) fn job<T>(who: &'static str, bytes: usize, work: impl Fn() -> T + 'static) -> Job {
    Job {
        who,
        bytes,
        work: Box::new(move || {
            black_box(work());
        }),
    }
}

/// Adds our jobs, under the default rules: SAFE, and the limits for saves.
fn ours(value: &Value, all: &mut All) -> Result<Vec<u8>, String> {
    let bytes = value.encode().map_err(|error| error.to_string())?;
    let decoded = variant_core::decode(&bytes, &Rules::default()).map_err(|error| error.to_string())?;
    same(OURS, &decoded, value)?;
    let (value, size) = (value.clone(), bytes.len());
    all[0].1.push(job(OURS, size, move || black_box(&value).encode().ok()));
    let given = bytes.clone();
    all[1].1.push(job(OURS, size, move || variant_core::decode(black_box(&given), &Rules::default()).ok()));
    let given = bytes.clone();
    all[2].1.push(job(OURS, size, move || variant_core::validate(black_box(&given), &Rules::default()).ok()));
    Ok(bytes)
}

/// Adds the published crate's jobs. Its format is the engine's, so its bytes must equal ours, and the value
/// it reads is written again to compare.
fn published_crate(value: Box<dyn GodotVariant>, bytes: &[u8], all: &mut All) -> Result<(), String> {
    let who = OTHERS[0];
    let encode = |value: &dyn GodotVariant| Encoder::encode_variant(value).map_err(|error| error.to_string());
    same(who, &encode(&*value)?, &bytes.to_vec())?;
    let decoded = Decoder::decode_variant(bytes).map_err(|error| error.to_string())?;
    same(who, &encode(&*decoded)?, &bytes.to_vec())?;
    let given = bytes.to_vec();
    all[0].1.push(job(who, bytes.len(), move || Encoder::encode_variant(black_box(&*value)).ok()));
    all[1].1.push(job(who, bytes.len(), move || Decoder::decode_variant(black_box(&given)).ok()));
    Ok(())
}

fn json(tree: &Tree, all: &mut All) -> Result<(), String> {
    let who = OTHERS[1];
    let bytes = serde_json::to_vec(tree).map_err(|error| error.to_string())?;
    let decoded: Tree = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
    near(who, &decoded, tree)?;
    let (size, tree) = (bytes.len(), tree.clone());
    all[0].1.push(job(who, size, move || serde_json::to_vec(black_box(&tree)).ok()));
    let given = bytes.clone();
    all[1].1.push(job(who, size, move || serde_json::from_slice::<Tree>(black_box(&given)).ok()));
    all[2].1.push(job(who, size, move || serde_json::from_slice::<IgnoredAny>(black_box(&bytes)).ok()));
    Ok(())
}

fn message_pack(tree: &Tree, all: &mut All) -> Result<(), String> {
    let who = OTHERS[2];
    let bytes = rmp_serde::to_vec(tree).map_err(|error| error.to_string())?;
    let decoded: Tree = rmp_serde::from_slice(&bytes).map_err(|error| error.to_string())?;
    same(who, &decoded, tree)?;
    let (size, tree) = (bytes.len(), tree.clone());
    all[0].1.push(job(who, size, move || rmp_serde::to_vec(black_box(&tree)).ok()));
    let given = bytes.clone();
    all[1].1.push(job(who, size, move || rmp_serde::from_slice::<Tree>(black_box(&given)).ok()));
    all[2].1.push(job(who, size, move || rmp_serde::from_slice::<IgnoredAny>(black_box(&bytes)).ok()));
    Ok(())
}

fn same<T: PartialEq>(who: &str, answer: &T, expected: &T) -> Result<(), String> {
    if answer == expected { Ok(()) } else { Err(format!("{who}: what comes back is another value")) }
}

/// Compares floats to their last bit but one: without its feature for exact floats, serde_json may miss the
/// last bit.
fn near(who: &str, answer: &Tree, expected: &Tree) -> Result<(), String> {
    match (answer, expected) {
        (Tree::Float(a), Tree::Float(b)) if (a - b).abs() <= f64::EPSILON * b.abs() => Ok(()),
        (Tree::List(a), Tree::List(b)) if a.len() == b.len() => {
            a.iter().zip(b).try_for_each(|(a, b)| near(who, a, b))
        }
        (Tree::Map(a), Tree::Map(b)) if a.len() == b.len() => {
            a.iter().zip(b).try_for_each(|(a, b)| same(who, &a.0, &b.0).and_then(|()| near(who, &a.1, &b.1)))
        }
        _ => same(who, answer, expected),
    }
}

/// Makes the published crate's own tree, or `None` where the value has a type that it does not know.
fn published_of(value: &Value) -> Option<Box<dyn GodotVariant>> {
    Some(match value {
        Value::Nil => Box::new(GodotNull),
        Value::Bool(value) => Box::new(GodotBool::new(*value)),
        Value::Int(value) => Box::new(GodotInteger::new_from_i64(*value)),
        Value::Float(value) if f64::from(*value as f32) == *value => {
            Box::new(GodotFloat::new_from_f32(*value as f32))
        }
        Value::Float(value) => Box::new(GodotFloat::new_from_f64(*value)),
        Value::String(text) => Box::new(GodotString::new(text)),
        Value::Vector3(Reals::Single([x, y, z])) => Box::new(GodotVector3::new(*x, *y, *z)),
        Value::Dictionary(dictionary) => {
            let mut theirs = GodotDictionary::new();
            for (key, value) in &dictionary.entries {
                theirs.map.insert(published_of(key)?, published_of(value)?);
            }
            Box::new(theirs)
        }
        _ => return None,
    })
}
