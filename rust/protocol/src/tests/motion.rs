//! Measures what motion costs over two sides, heads counted: a recording of 250 bodies of Godot's physics, 30 states a second,
//! 66 milliseconds each way. `cargo nextest run -p variant-protocol motion --no-capture` prints the figures.

use std::collections::VecDeque;
use std::path::PathBuf;

use variant_core::Value;
use variant_pack::{Bases, Layout, Packer};
use variant_schema::Schema;

use super::histories::{Dice, side};
use super::{receive, rules};
use crate::{Event, History, Policy, Role, SERVER, To};

const ID: u16 = 4;
/// The time of a tick, in microseconds.
pub(super) const TICK: u64 = 33_333;
/// The ticks that a packet is on its way.
pub(super) const DELAY: u64 = 2;

fn schema() -> Schema {
    let body = Schema::dict([
        ("id", Schema::int().min(0).max(255)),
        ("p", Schema::vector3().quantized_within(0.01, -64.0, 64.0)),
        ("r", Schema::quaternion().bits(11)),
    ]);
    let tick = Schema::int().min(0).max(i64::from(u32::MAX));
    Schema::dict([("tick", tick), ("e", Schema::array(body).keyed("id").max_size(256u64))])
}

pub(super) fn layout() -> Layout {
    Layout::compile(std::sync::Arc::new(schema().compile().unwrap())).unwrap()
}

/// The states of the demo: the first packed, each other as its difference from the one before and, if there is one, that before.
fn recording() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../godot_project/demo/motion/bodies.states")
}

/// Returns the packed states of the recording.
pub(super) fn states() -> Vec<Vec<u8>> {
    let (layout, mut packer) = (layout(), Packer::new());
    let bytes = std::fs::read(recording()).unwrap();
    let mut rest = bytes.as_slice();
    let mut states: Vec<Vec<u8>> = Vec::new();
    while let [low, high, behind @ ..] = rest {
        let (told, behind) = behind.split_at(usize::from(u16::from_le_bytes([*low, *high])));
        let state = match states.as_slice() {
            [] => told.to_vec(),
            [only] => packer.apply(&layout, only, told, &rules()).unwrap().to_vec(),
            [.., older, newer] => {
                packer.apply(&layout, Bases::two(newer, older), told, &rules()).unwrap().to_vec()
            }
        };
        states.push(state);
        rest = behind;
    }
    states
}

/// Sends the states, and returns the kilobytes a second of them: the mean of all ticks behind the first second.
fn measured(values: &[Vec<u8>], loss: u64) -> f64 {
    let history = History { entries: 32, most_packet_bytes: 1200, parts: None };
    let mut server = side(Role::Server, &schema(), history, Policy::default());
    let mut client = side(Role::Client, &schema(), history, Policy::for_client());
    let mut dice = Dice(7);
    let (mut down, mut up) = (VecDeque::new(), VecDeque::new());
    let (mut sum, mut taken, mut value) = (0, 0, Vec::new());
    for (tick, state) in (0u64..).zip(values) {
        let now = tick * TICK;
        server
            .send_state(ID, state, To::All, now, &mut |_, packet, _| {
                sum += if tick >= 30 { packet.len() } else { 0 };
                if dice.roll(100) >= loss {
                    down.push_back((tick + DELAY, packet.to_vec()));
                }
            })
            .unwrap();
        while let Some((_, packet)) = down.pop_front_if(|(at, _)| *at <= tick) {
            assert_eq!(receive(&mut client, SERVER, &packet, now), [], "tick {tick}");
        }
        while let Some(told) = client.next_state(now, &mut value) {
            assert!(matches!(told, Ok((SERVER, Event::State { .. }))), "tick {tick}: {told:?}");
            taken += 1;
        }
        client.tick(now, &mut |_, packet, _| {
            if dice.roll(100) >= loss {
                up.push_back((tick + DELAY, packet.to_vec()));
            }
        });
        while let Some((_, packet)) = up.pop_front_if(|(at, _)| *at <= tick) {
            assert!(receive(&mut server, 7, &packet, now).is_empty());
        }
    }
    assert!(taken > values.len() * 8 / 10, "{taken}");
    f64::from(u32::try_from(sum).unwrap()) * 30.0 / (values.len() - 30) as f64 / 1000.0
}

/// The goals of the design: 13.2 kB/s, and 13.5 where 5 of 100 packets are lost.
#[test]
fn the_bodies_cost_what_the_documents_say() {
    let (layout, mut packer) = (layout(), Packer::new());
    let states = states();
    let ticks = if std::env::var_os("VARIANT_LONG").is_some() { states.len() } else { 180 };
    let values: Vec<Vec<u8>> = states
        .iter()
        .take(ticks)
        .map(|packed| packer.unpack(&layout, packed, &rules()).unwrap().to_vec())
        .collect();
    let [whole, lossy] = [0, 5].map(|loss| measured(&values, loss));
    println!("250 bodies, {ticks} ticks: {whole:.2} kB/s, with 5 % loss {lossy:.2} kB/s");
    assert!(whole <= 13.2 && lossy <= 13.5, "{whole:.2} and {lossy:.2} kB/s");
}

/// The goals of the design for differences alone, from a state 1, 3 and 6 ticks old: from two states, and from one 15 % less than
/// what they took before there were tables of columns.
#[test]
fn differences_cost_what_the_documents_say() {
    let (layout, mut packer) = (layout(), Packer::new());
    let states = states();
    let step = if std::env::var_os("VARIANT_LONG").is_some() { 1 } else { 7 };
    for (age, most_of_two, before) in [(1, 10.8, 46.8), (3, 11.8, 53.7), (6, 13.0, 59.1)] {
        let ticks: Vec<usize> = (2 * age..states.len()).step_by(step).collect();
        let mut mean = |has_two: bool| {
            let told = ticks.iter().map(|at| {
                let (newer, older) = (&states[at - age], &states[at - 2 * age]);
                let bases = if has_two { Bases::two(newer, older) } else { Bases::one(newer) };
                packer.delta(&layout, bases, &states[*at], &rules()).unwrap().len()
            });
            told.sum::<usize>() as f64 * 30.0 / ticks.len() as f64 / 1000.0
        };
        let (two, one) = (mean(true), mean(false));
        println!("{age} ticks old: {two:.2} kB/s from two states, {one:.2} from one");
        assert!(two <= most_of_two && one <= before * 0.85, "{age}: {two:.2} and {one:.2} kB/s");
    }
}

/// The recording has the bytes that its states are packed to; `BLESS=1` writes these. `VARIANT_BODIES` names a raw recording from which it is made anew.
#[test]
fn the_recording_is_what_its_states_are_packed_to() {
    if let Some(raw) = std::env::var_os("VARIANT_BODIES") {
        std::fs::write(recording(), recorded(&raw_states(&std::fs::read(raw).unwrap()))).unwrap();
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(recording(), recorded(&states())).unwrap();
    }
    assert!(recorded(&states()) == std::fs::read(recording()).unwrap(), "packing gives other bytes");
}

/// Packs the states of a raw recording: two counts as u32, of bodies and ticks; places in millimetres as i32, three of each body
/// and tick; rotations as i16, four of them.
fn raw_states(raw: &[u8]) -> Vec<Vec<u8>> {
    let number = |at: usize| i32::from_le_bytes(raw[at..at + 4].try_into().unwrap());
    let [count, ticks] = [0, 4].map(|at| usize::try_from(number(at)).unwrap());
    let turns = 8 + count * ticks * 12;
    let (layout, mut packer) = (layout(), Packer::new());
    let state = |tick: usize| {
        let body = |id: usize| {
            let at = tick * count + id;
            let place = [0, 1, 2].map(|axis| (f64::from(number(8 + at * 12 + axis * 4)) / 1000.0) as f32);
            let turn = [0, 1, 2, 3].map(|axis| {
                let from = turns + at * 8 + axis * 2;
                f32::from(i16::from_le_bytes(raw[from..from + 2].try_into().unwrap())) / 32_767.0
            });
            let length = turn.iter().map(|number| number * number).sum::<f32>().sqrt();
            Value::from([
                ("id", Value::Int(i64::try_from(id).unwrap())),
                ("p", Value::Vector3(place.into())),
                ("r", Value::Quaternion(turn.map(|number| number / length).into())),
            ])
        };
        let bodies: Vec<Value> = (0..count).map(body).collect();
        let value =
            Value::from([("tick", Value::Int(i64::try_from(tick).unwrap())), ("e", Value::from(bodies))]);
        packer.pack(&layout, &value.encode().unwrap(), &rules()).unwrap().to_vec()
    };
    (0..ticks).map(state).collect()
}

/// Returns the bytes of a recording of these states.
fn recorded(states: &[Vec<u8>]) -> Vec<u8> {
    let (layout, mut packer) = (layout(), Packer::new());
    let mut out = Vec::new();
    for (at, packed) in states.iter().enumerate() {
        let told = match &states[at.saturating_sub(2)..at] {
            [older, newer] => {
                packer.delta(&layout, Bases::two(newer, older), packed, &rules()).unwrap().to_vec()
            }
            [only] => packer.delta(&layout, only, packed, &rules()).unwrap().to_vec(),
            _ => packed.clone(),
        };
        out.extend(u16::try_from(told.len()).unwrap().to_le_bytes());
        out.extend(told);
    }
    out
}
