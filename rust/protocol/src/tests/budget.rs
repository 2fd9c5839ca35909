//! Measures how old the bodies are that a peer has whose budget is too small for all of them. `cargo nextest run -p
//! variant-protocol budget --no-capture` prints the figures.

use std::collections::VecDeque;

use variant_core::Value;
use variant_pack::Packer;
use variant_schema::Schema;

use super::histories::{Dice, side};
use super::motion::{DELAY, TICK, layout, states};
use super::{receive, rules};
use crate::{History, Policy, Protocol, Rate, Role, SERVER, To};

const ID: u16 = 4;
const GROUPS: usize = 4;
/// How many of a hundred packets are lost, each way.
const LOSS: u64 = 5;
/// The bytes a second that a peer gets.
const BUDGET: u32 = 30_000;

/// 1,000 bodies: four times the recorded ones, each group some time behind the last.
fn schema() -> Schema {
    let body = Schema::dict([
        ("id", Schema::int().min(0).max(1023)),
        ("p", Schema::vector3().quantized_within(0.01, -64.0, 64.0)),
        ("r", Schema::quaternion().bits(11)),
    ]);
    let tick = Schema::int().min(0).max(i64::from(u32::MAX));
    Schema::dict([("tick", tick), ("e", Schema::array(body).keyed("id").max_size(1000u64))])
}

/// Returns the bodies of each recorded state.
fn recorded() -> Vec<Vec<Value>> {
    let (layout, mut packer) = (layout(), Packer::new());
    let bodies = |packed: &Vec<u8>| {
        let value =
            variant_core::decode(packer.unpack(&layout, packed, &rules()).unwrap(), &rules()).unwrap();
        let Value::Array(bodies) = &value["e"] else { panic!("{value:?}") };
        bodies.items.clone()
    };
    states().iter().map(bodies).collect()
}

fn value(recorded: &[Vec<Value>], tick: usize) -> Vec<u8> {
    let group = |group: usize| {
        let bodies = &recorded[(tick + group * 37) % recorded.len()];
        bodies.iter().enumerate().map(move |(number, body)| {
            let id = i64::try_from(group * 250 + number).unwrap();
            Value::from([("id", Value::Int(id)), ("p", body["p"].clone()), ("r", body["r"].clone())])
        })
    };
    let bodies: Vec<Value> = (0..GROUPS).flat_map(group).collect();
    let tick = Value::Int(i64::try_from(tick).unwrap());
    Value::from([("tick", tick), ("e", Value::from(bodies))]).encode().unwrap()
}

/// A server, a client, and the packets on their way, of which some are lost.
struct Line {
    sides: [Protocol; 2],
    down: VecDeque<(u64, Vec<u8>)>,
    up: VecDeque<(u64, Vec<u8>)>,
    dice: Dice,
    bytes: usize,
}

impl Line {
    /// Sends a state, and lets arrive what is due.
    fn step(&mut self, tick: u64, state: &[u8]) {
        let Line { sides: [server, client], down, up, dice, bytes } = self;
        let now = tick * TICK;
        let carry = &mut |_, packet: &[u8], _| {
            *bytes += packet.len();
            if dice.roll(100) >= LOSS {
                down.push_back((tick + DELAY, packet.to_vec()));
            }
        };
        server.send_state(ID, state, To::All, now, carry).unwrap();
        while let Some((_, packet)) = down.pop_front_if(|(at, _)| *at <= tick) {
            assert_eq!(receive(client, SERVER, &packet, now), [], "tick {tick}");
        }
        while let Some(told) = client.next_state(now, &mut Vec::new()) {
            told.unwrap();
        }
        client.tick(now, &mut |_, packet, _| {
            if dice.roll(100) >= LOSS {
                up.push_back((tick + DELAY, packet.to_vec()));
            }
        });
        while let Some((_, packet)) = up.pop_front_if(|(at, _)| *at <= tick) {
            assert_eq!(receive(server, 7, &packet, now), []);
        }
    }

    /// Returns the ages of all parts in milliseconds. The first state has the number 1.
    fn ages(&self, tick: u64) -> Vec<u64> {
        let parts = self.sides[1].peers[&SERVER].got[&ID].latest.values();
        parts.map(|(seq, _)| (tick + 1 - u64::from(*seq)) * TICK / 1000).collect()
    }
}

/// The goal of the design: 99 of 100 bodies are at most 200 milliseconds old, and none is older than 300.
#[test]
fn a_thousand_bodies_stay_young_in_a_small_budget() {
    let history = History { entries: 32, most_packet_bytes: 1200, parts: None };
    let state_bytes = Some(Rate { burst: BUDGET / 10, ..Rate::per_second(BUDGET, 1) });
    let policy = Policy { state_bytes, ..Policy::default() };
    let sides = [(Role::Server, policy), (Role::Client, Policy::for_client())];
    let sides = sides.map(|(role, policy)| side(role, &schema(), history, policy));
    let parts = sides[0].table().parts(ID);
    let mut line = Line { sides, down: VecDeque::new(), up: VecDeque::new(), dice: Dice(7), bytes: 0 };
    let (recorded, mut ages) = (recorded(), Vec::new());
    let ticks: u64 = if std::env::var_os("VARIANT_LONG").is_some() { 1800 } else { 150 };
    for tick in 0..ticks {
        line.step(tick, &value(&recorded, usize::try_from(tick).unwrap()));
        // A second and a half is for the first parts to come, which are in full.
        if tick >= 45 {
            let now = line.ages(tick);
            assert_eq!(now.len(), usize::from(parts), "all parts are there");
            ages.extend(now);
        }
    }
    ages.sort_unstable();
    let (most, worst) = (ages[ages.len() * 99 / 100], ages[ages.len() - 1]);
    let rate = f64::from(u32::try_from(line.bytes).unwrap()) * 1e6 / (ticks * TICK) as f64;
    println!(
        "1,000 bodies in {parts} parts: {rate:.0} bytes a second; 99 % are up to {most} ms old, the oldest {worst}"
    );
    assert!(rate <= f64::from(BUDGET) * 1.1 && rate > f64::from(BUDGET) * 0.5, "{rate}");
    assert!(most <= 200 && worst <= 300, "{most} and {worst} ms");
}
