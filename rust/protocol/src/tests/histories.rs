//! Sends states of a crowd that moves, turns, comes and goes over a line that loses packets both ways: what the receiver has is
//! what was sent, to the byte.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use variant_core::{Rules, Value};
use variant_pack::{Layout, Packer};
use variant_schema::Schema;

use super::receive;
use crate::{
    Declared, Event, Form, Handshake, History, Mode, Policy, Protocol, Rate, Role, SERVER, Spec, To,
};

/// The id of the state.
const ID: u16 = 4;
/// The time of a tick, in microseconds.
const TICK: u64 = 33_333;
const WHOLE: History = History { entries: 32, most_packet_bytes: 1200, parts: None };

/// A small generator of numbers, so that each run is the same.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A member of the crowd: it goes on as it did, and seldom does something else.
struct Walker {
    place: [f64; 3],
    speed: [f64; 3],
    /// The turn about the vertical axis, and how far it turns in a tick.
    turn: (f64, f64),
    hp: i64,
}

pub(super) struct Crowd {
    dice: Dice,
    tick: i64,
    walkers: BTreeMap<i64, Walker>,
    ids: u64,
}

impl Crowd {
    pub(super) fn new(seed: u64, count: u64, ids: u64) -> Crowd {
        let mut crowd = Crowd { dice: Dice(seed), tick: 0, walkers: BTreeMap::new(), ids };
        (0..count).for_each(|_| crowd.add());
        crowd
    }

    fn real(&mut self, most: f64) -> f64 {
        (self.dice.roll(20_001) as f64 / 10_000.0 - 1.0) * most
    }

    fn add(&mut self) {
        let id = i64::try_from(self.dice.roll(self.ids)).unwrap();
        let place = [self.real(50.0), self.real(50.0), self.real(50.0)];
        let speed = [self.real(0.3), 0.0, self.real(0.3)];
        let turn = (self.real(3.0), self.real(0.2));
        self.walkers.insert(id, Walker { place, speed, turn, hp: 100 });
    }

    /// Goes on by one tick, and returns the state in Godot's format.
    pub(super) fn step(&mut self) -> Vec<u8> {
        self.tick += 1;
        match self.dice.roll(12) {
            0 => self.add(),
            1 => {
                let gone = self.walkers.keys().nth(self.dice.roll(8) as usize).copied();
                gone.and_then(|id| self.walkers.remove(&id));
            }
            _ => {}
        }
        for walker in self.walkers.values_mut() {
            match self.dice.roll(40) {
                0 => walker.speed = walker.speed.map(|speed| -speed),
                1 => walker.speed = [0.0; 3],
                2 => walker.turn.1 = -walker.turn.1 + 0.05,
                3 => walker.hp = (walker.hp + 93) % 101,
                _ => {}
            }
            for (place, speed) in walker.place.iter_mut().zip(walker.speed) {
                *place = (*place + speed).clamp(-60.0, 60.0);
            }
            walker.turn.0 += walker.turn.1;
        }
        self.value().encode().unwrap()
    }

    fn value(&self) -> Value {
        let entry = |(id, walker): (&i64, &Walker)| {
            let [x, y, z] = walker.place.map(|number| number as f32);
            let (sin, cos) = (walker.turn.0 / 2.0).sin_cos();
            Value::from([
                ("id", Value::Int(*id)),
                ("p", Value::Vector3([x, y, z].into())),
                ("r", Value::Quaternion([0.0, sin as f32, 0.0, cos as f32].into())),
                ("hp", Value::Int(walker.hp)),
            ])
        };
        let all: Vec<Value> = self.walkers.iter().map(entry).collect();
        Value::from([("tick", Value::Int(self.tick)), ("e", Value::from(all))])
    }
}

pub(super) fn schema(ids: u64) -> Schema {
    let id = Schema::int().min(0).max(i64::try_from(ids).unwrap() - 1);
    let entry = Schema::dict([
        ("id", id),
        ("p", Schema::vector3().quantized_within(0.01, -64.0, 64.0)),
        ("r", Schema::quaternion().bits(11)),
        ("hp", Schema::int().min(0).max(100)),
    ]);
    let tick = Schema::int().min(0).max(i64::from(u32::MAX));
    Schema::dict([("tick", tick), ("e", Schema::array(entry).keyed("id").max_size(ids))])
}

/// A side of a protocol with the state alone.
pub(super) fn side(role: Role, schema: &Schema, history: History, policy: Policy) -> Protocol {
    let state = Declared { id: Some(ID), state: Some(history), ..Declared::state("world", schema.clone()) };
    let spec = Spec { messages: vec![state], ..Spec::default() };
    let table = spec.table(|schema| Form::of(schema, &super::rules())).unwrap();
    let mut protocol = Protocol::new(table, role, Handshake::None, policy, 1);
    super::join(&mut protocol, if role == Role::Server { 7 } else { SERVER });
    protocol
}

/// Packets on their way, each with the tick in which it arrives.
#[derive(Default)]
struct Line(VecDeque<(u64, Vec<u8>)>);

impl Line {
    fn take(&mut self, tick: u64) -> Vec<Vec<u8>> {
        let (arrived, rest) = self.0.drain(..).partition(|(at, _)| *at <= tick);
        self.0 = rest;
        let arrived: VecDeque<(u64, Vec<u8>)> = arrived;
        arrived.into_iter().map(|(_, packet)| packet).collect()
    }
}

/// Counts what came of a history.
#[derive(Debug, Default)]
struct Tally {
    full: u64,
    from_one: u64,
    from_two: u64,
    taken: u64,
    /// Values with parts of different states.
    mixed: u64,
}

/// A server and a client, and what was sent.
struct Run {
    layout: Layout,
    sides: [Protocol; 2],
    parts: u8,
    down: Line,
    up: Line,
    dice: Dice,
    /// How many of a hundred packets are lost.
    loss: u64,
    /// The states of late by their numbers, each in its parts.
    sent: BTreeMap<u16, Vec<Vec<u8>>>,
    seq: u16,
    counted: Tally,
}

/// The part of a value that is in one of several parts.
fn part_of(value: &[u8], part: u8, count: u8) -> Vec<u8> {
    let value = variant_core::decode(value, &Rules::default()).unwrap();
    let Value::Array(entries) = &value["e"] else { panic!("{value:?}") };
    let is_in = |entry: &&Value| {
        let Value::Int(id) = entry["id"] else { panic!("{entry:?}") };
        id % i64::from(count) == i64::from(part)
    };
    let entries: Vec<Value> = entries.items.iter().filter(is_in).cloned().collect();
    let tick = if part == 0 { value["tick"].clone() } else { Value::Int(0) };
    Value::from([("tick", tick), ("e", Value::from(entries))]).encode().unwrap()
}

impl Run {
    fn new(seed: u64, loss: u64, history: History, policy: Policy) -> Run {
        let schema = schema(32);
        let server = side(Role::Server, &schema, history, policy);
        let client = side(Role::Client, &schema, history, Policy::for_client());
        let parts = server.table().parts(ID);
        Run {
            layout: Layout::compile(Arc::new(schema.compile().unwrap())).unwrap(),
            sides: [server, client],
            parts,
            down: Line::default(),
            up: Line::default(),
            dice: Dice(seed ^ 0x5EED),
            loss,
            sent: BTreeMap::new(),
            seq: 0,
            counted: Tally::default(),
        }
    }

    fn parts_of(&self, value: &[u8]) -> Vec<Vec<u8>> {
        if self.parts == 1 {
            vec![value.to_vec()]
        } else {
            (0..self.parts).map(|part| part_of(value, part, self.parts)).collect()
        }
    }

    /// The value that a receiver gets of one that is sent.
    fn received(&self, value: &[u8]) -> Vec<u8> {
        let mut packer = Packer::new();
        let packed = packer.pack(&self.layout, value, &super::rules()).unwrap().to_vec();
        packer.unpack(&self.layout, &packed, &super::rules()).unwrap().to_vec()
    }

    fn send(&mut self, value: &[u8], tick: u64) {
        self.seq = self.seq.wrapping_add(1);
        let parts = self.parts_of(&self.received(value));
        self.sent.insert(self.seq, parts);
        // An outage and a budget together let a part wait for more than a hundred states.
        self.sent.remove(&self.seq.wrapping_sub(1_000));
        let Run { sides, down, dice, counted, loss, .. } = self;
        let delay = 1 + dice.roll(4);
        let mut carry = |_: i32, packet: &[u8], _: Mode| {
            *match packet[3] {
                0 => &mut counted.full,
                1..=31 => &mut counted.from_one,
                _ => &mut counted.from_two,
            } += 1;
            if !is_outage(tick) && dice.roll(100) >= *loss {
                down.0.push_back((tick + delay, packet.to_vec()));
            }
        };
        sides[0].send_state(ID, value, To::All, tick * TICK, &mut carry).unwrap();
    }

    /// Compares what arrives with what was sent.
    fn hear(&mut self, tick: u64) {
        for packet in self.down.take(tick) {
            for event in receive(&mut self.sides[1], SERVER, &packet, tick * TICK) {
                let Ok((Event::State { seq, .. }, value)) = event else { panic!("tick {tick}: {event:?}") };
                assert_eq!(
                    Some(&vec![value]),
                    self.sent.get(&seq),
                    "tick {tick}: the state {seq} is another"
                );
                self.counted.taken += 1;
            }
        }
        let mut value = Vec::new();
        while let Some(told) = self.sides[1].next_state(tick * TICK, &mut value) {
            let Ok((SERVER, Event::State { seq, .. })) = told else { panic!("tick {tick}: {told:?}") };
            let parts = self.parts_of(&value);
            let info = self.sides[1].state_info(SERVER, ID).unwrap();
            assert_eq!((info.newest, info.missing), (seq, 0));
            self.counted.mixed += u64::from(info.newest != info.oldest);
            assert!(
                self.sent.contains_key(&info.oldest),
                "tick {tick}: {info:?} is older than what is kept here"
            );
            for (at, part) in parts.iter().enumerate() {
                let is_sent = (0..=seq.wrapping_sub(info.oldest))
                    .any(|back| self.sent.get(&seq.wrapping_sub(back)).is_some_and(|sent| sent[at] == *part));
                assert!(is_sent, "tick {tick}: part {at} was never sent");
            }
            self.counted.taken += 1;
        }
    }

    fn answer(&mut self, tick: u64) {
        let Run { sides, up, dice, loss, .. } = self;
        let delay = 1 + dice.roll(4);
        sides[1].tick(tick * TICK, &mut |_, packet, _| {
            if !is_outage(tick) && dice.roll(100) >= *loss {
                up.0.push_back((tick + delay, packet.to_vec()));
            }
        });
        for packet in up.take(tick) {
            assert!(receive(&mut sides[0], 7, &packet, tick * TICK).is_empty());
        }
    }

    /// Hears forged packets before the right ones. Returns how many values were taken, and how many packets were refused.
    fn hear_forged(&mut self, tick: u64) -> (u64, u64) {
        let right = self.down.take(tick);
        let mut all = Vec::new();
        for packet in right {
            for _ in 0..3 {
                let mut forged = packet.clone();
                for _ in 0..=self.dice.roll(2) {
                    let at = usize::try_from(self.dice.roll(packet.len() as u64 - 1)).unwrap() + 1;
                    forged[at] ^= 1 << self.dice.roll(8);
                }
                all.push(forged);
            }
            all.push(packet);
        }
        self.down.0 = all.into_iter().map(|packet| (tick, packet)).chain(self.down.0.drain(..)).collect();
        self.hear_anyhow(tick)
    }

    /// Hears what arrives, whatever it is.
    fn hear_anyhow(&mut self, tick: u64) -> (u64, u64) {
        let (mut taken, mut refused, mut value) = (0, 0, Vec::new());
        for packet in self.down.take(tick) {
            for event in receive(&mut self.sides[1], SERVER, &packet, tick * TICK) {
                assert!(event.is_err(), "a state of parts is told by next_state()");
                refused += 1;
            }
        }
        while let Some(told) = self.sides[1].next_state(tick * TICK, &mut value) {
            if told.is_ok() {
                taken += 1;
                self.received(&value);
            }
        }
        (taken, refused)
    }

    /// Answers, whatever the server says of it.
    fn answer_anyhow(&mut self, tick: u64) {
        let mut answers = Vec::new();
        self.sides[1].tick(tick * TICK, &mut |_, packet, _| answers.push(packet.to_vec()));
        for packet in answers {
            receive(&mut self.sides[0], 7, &packet, tick * TICK);
        }
    }

    fn play(mut self, seed: u64, ticks: u64) -> Tally {
        let mut crowd = Crowd::new(seed, 20, 32);
        for tick in 0..ticks {
            self.send(&crowd.step(), tick);
            self.hear(tick);
            self.answer(tick);
        }
        self.counted
    }
}

/// Seldom nothing comes through for a while, both ways.
const fn is_outage(tick: u64) -> bool {
    tick % 700 > 640
}

/// 3 histories of 1500 ticks; `cargo xtask test --long` sets the variable for a million in all.
fn ticks() -> u64 {
    if std::env::var_os("VARIANT_LONG").is_some() { 333_334 } else { 1_500 }
}

#[test]
fn the_receiver_has_the_bytes_of_the_sender() {
    for (seed, loss) in [(1, 0), (2, 5), (3, 30)] {
        let counted = Run::new(seed, loss, WHOLE, Policy::default()).play(seed, ticks());
        assert!(counted.from_two > ticks() * 7 / 10, "{counted:?}");
        assert!(counted.taken > ticks() * (85 - loss) / 100 * 8 / 10, "{counted:?}");
        assert!(counted.full > 0 && (loss < 30 || counted.from_one > 0), "{counted:?}");
    }
}

/// Each part is that of a state that was sent, also where packets are small, lost, or more than the budget has.
#[test]
fn each_part_is_that_of_a_state_that_was_sent() {
    let budget = Some(Rate::per_second(700, 100));
    for (seed, loss, parts, most, state_bytes) in [
        (1, 0, 3, 1200, None),
        (2, 5, 5, 100, None),
        (3, 30, 9, 100, None),
        (4, 5, 5, 100, budget),
        (5, 5, 32, 64, budget),
    ] {
        let history = History { entries: 32, most_packet_bytes: most, parts: Some(parts) };
        let policy = Policy { state_bytes, ..Policy::default() };
        let counted = Run::new(seed, loss, history, policy).play(seed, ticks());
        assert!(counted.from_two > ticks() / 10, "{parts}: {counted:?}");
        assert!(counted.taken > ticks() / 4, "{parts}: {counted:?}");
        assert!(loss == 0 || counted.mixed > 0, "{parts}: {counted:?}");
    }
}

/// Packets of parts with bits that are others: refused, or a value within the schema, never more work than they have bits, and
/// twenty states after them the receiver has what is sent.
#[test]
fn forged_packets_of_parts_are_refused_or_make_values() {
    let history = History { entries: 32, most_packet_bytes: 200, parts: Some(9) };
    let policy = Policy { disconnect_at: None, ..Policy::default() };
    let mut run = Run::new(1, 0, history, policy);
    let mut crowd = Crowd::new(1, 20, 32);
    let (mut taken, mut refused) = (0, 0);
    for tick in 0..3_600 {
        run.send(&crowd.step(), tick);
        match tick % 60 {
            // Three forged ones before each that is right.
            0..20 => {
                let (some, bad) = run.hear_forged(tick);
                (taken, refused) = (taken + some, refused + bad);
            }
            20..40 => _ = run.hear_anyhow(tick),
            _ => run.hear(tick),
        }
        assert!(run.sides[1].kept_bytes() < 1 << 20);
        run.answer_anyhow(tick);
    }
    let settled = run.counted.taken;
    assert!(taken > 100 && refused > 5_000, "{taken} taken, {refused} refused");
    assert!(settled > 3_600 / 3 / 2, "{settled} taken where nothing was forged");
}

#[test]
fn acknowledgements_of_parts_have_one_form() {
    let history = History { entries: 32, most_packet_bytes: 1200, parts: Some(9) };
    let mut server = side(Role::Server, &schema(32), history, Policy::default());
    let state = Crowd::new(1, 20, 32).step();
    server.send_state(ID, &state, To::All, 0, &mut |_, _, _| ()).unwrap();
    let ack = |server: &mut Protocol, groups: &[u8]| {
        let packet = [&[0, 2, 4, 1, 0][..], groups].concat();
        receive(server, 7, &packet, 0).remove(0).err().map(|refusal| refusal.offence)
    };
    let mask = [1, 0, 0, 0];
    for groups in [
        vec![],
        vec![0, 0, 1, 0, 0, 0],
        vec![0, 2, 1, 0, 0, 0],
        vec![1, 0, 1, 0, 0],
        [&[3, 0][..], &mask, &[2, 0], &mask].concat(),
    ] {
        assert_eq!(ack(&mut server, &groups), Some(crate::Offence::Malformed), "{groups:?}");
    }
    let good = [&[0, 2, 4, 1, 0, 3, 0][..], &mask, &[4, 1], &mask].concat();
    assert!(receive(&mut server, 7, &good, 0).is_empty());
}
