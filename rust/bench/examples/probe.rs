#![allow(dead_code, unused)]
#[path = "../src/values.rs"]
mod values;
use serde::{Serialize, Deserialize};
use variant_serde::*;
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Packet { t: i64, pos: Vector3, vel: Vector3, id: i64, name: String }
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Save { version: i64, seed: i64, entities: Vec<Entity>, flags: Flags }
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Flags { intro: bool, boss: bool }
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Entity { id: i64, name: String, kind: String, pos: Vector3, rot: f64, hp: i64, alive: bool, tags: Vec<String>, inv: Bag, owner: Option<String>, vel: Vector3, speed: f64, level: i64, color: Color, faction: StringName, seen: bool }
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Bag { gold: i64, potions: i64 }
fn main() {
    let what = std::env::args().nth(1).unwrap();
    let n: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let rules = Rules::default();
    let p = values::packet().encode().unwrap();
    let s = values::save(200).encode().unwrap();
    let ps: Packet = from_slice(&p).unwrap();
    let ss: Save = from_slice(&s).unwrap();
    let rp = rmp_serde::to_vec_named(&ps).unwrap();
    let rs = rmp_serde::to_vec_named(&ss).unwrap();
    let t = std::time::Instant::now();
    for _ in 0..n {
        match what.as_str() {
            "packet" => { std::hint::black_box(from_slice_with::<Packet>(std::hint::black_box(&p), &rules).unwrap()); }
            "save" => { std::hint::black_box(from_slice_with::<Save>(std::hint::black_box(&s), &rules).unwrap()); }
            "rpacket" => { std::hint::black_box(rmp_serde::from_slice::<Packet>(std::hint::black_box(&rp)).unwrap()); }
            "rsave" => { std::hint::black_box(rmp_serde::from_slice::<Save>(std::hint::black_box(&rs)).unwrap()); }
            "esave" => { std::hint::black_box(to_vec(std::hint::black_box(&ss)).unwrap()); }
            "resave" => { std::hint::black_box(rmp_serde::to_vec_named(std::hint::black_box(&ss)).unwrap()); }
            _ => panic!(),
        }
    }
    println!("{what} {:.3} us", t.elapsed().as_secs_f64() * 1e6 / n as f64);
}
