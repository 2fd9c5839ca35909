//! Plays a game over a bad network: packets are lost, doubled, delayed and swapped, clients start anew and lie.
//! Whatever arrives as a state is exactly a state that was sent.

use std::collections::HashMap;

use super::{WORLD, receive, table};
use crate::{Event, Handshake, Offence, Policy, Protocol, Refusal, Role, SERVER};

/// A small generator of numbers, so that each run is the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Packets under way, each with the step in which it arrives.
#[derive(Default)]
struct Line(Vec<(u64, Vec<u8>)>);

impl Line {
    fn put(&mut self, dice: &mut Dice, step: u64, packet: &[u8]) {
        let copies = match dice.roll(10) {
            0 | 1 => 0,
            2 => 2,
            _ => 1,
        };
        for _ in 0..copies {
            self.0.push((step + 1 + dice.roll(6), packet.to_vec()));
        }
    }

    fn take(&mut self, step: u64) -> Vec<Vec<u8>> {
        let (due, rest) = std::mem::take(&mut self.0).into_iter().partition(|(at, _)| *at <= step);
        self.0 = rest;
        let due: Vec<(u64, Vec<u8>)> = due;
        due.into_iter().map(|(_, packet)| packet).collect()
    }
}

#[derive(Default)]
struct Counted {
    states: u64,
    deltas: u64,
    resyncs: u64,
}

/// A server, a client and the lines between them.
struct Game {
    dice: Dice,
    server: Protocol,
    client: Protocol,
    down: Line,
    up: Line,
    state: Vec<u8>,
    sent: HashMap<u16, Vec<u8>>,
    seq: u16,
    counted: Counted,
}

fn new_client() -> Protocol {
    let mut client = Protocol::new(table(), Role::Client, Handshake::Hello, Policy::for_client());
    client.connect(SERVER, 0);
    client
}

impl Game {
    fn new(seed: u64) -> Game {
        let lenient = Policy { packets: None, bytes: None, disconnect_at: None, ..Policy::default() };
        let mut server = Protocol::new(table(), Role::Server, Handshake::Hello, lenient);
        server.connect(7, 0);
        Game {
            dice: Dice(seed),
            server,
            client: new_client(),
            down: Line::default(),
            up: Line::default(),
            state: vec![0; 48],
            sent: HashMap::new(),
            seq: 0,
            counted: Counted::default(),
        }
    }

    fn step(&mut self, step: u64) {
        let now = step * 16_666;
        self.play_server(step, now);
        self.play_client(step, now);
        for packet in self.up.take(step) {
            for event in receive(&mut self.server, 7, &packet, now) {
                if let Err(refusal) = event {
                    assert_eq!(refusal.offence, Offence::FalseAck, "{refusal:?}");
                }
            }
        }
    }

    fn play_server(&mut self, step: u64, now: u64) {
        let Game { dice, server, down, state, sent, seq, counted, .. } = self;
        for _ in 0..dice.roll(4) {
            let at = usize::try_from(dice.roll(48)).unwrap();
            state[at] = u8::try_from(dice.roll(200)).unwrap();
        }
        if server.is_greeted(7) {
            let mut carry = |_, packet: &[u8], _| {
                counted.deltas += u64::from(packet[3] != 0);
                down.put(dice, step, packet);
            };
            server.send_state(4, state, &[7], &mut carry).unwrap();
            *seq = seq.wrapping_add(1);
            sent.insert(*seq, state.clone());
        }
        server.tick(now, &mut |_, packet, _| down.put(dice, step, packet));
    }

    fn play_client(&mut self, step: u64, now: u64) {
        for packet in self.down.take(step) {
            for event in receive(&mut self.client, SERVER, &packet, now) {
                self.check(event, step);
            }
        }
        let Game { dice, client, up, .. } = self;
        client.tick(now, &mut |_, packet, _| up.put(dice, step, packet));
        match dice.roll(500) {
            // The game of the client is started anew.
            0 => *client = new_client(),
            // An acknowledgement that was made up.
            1 => {
                let made_up = u16::try_from(dice.roll(65_536)).unwrap().to_le_bytes();
                up.put(dice, step, &[0, 2, WORLD, made_up[0], made_up[1], 0, 0, 0, 0]);
            }
            _ => {}
        }
    }

    fn check(&mut self, event: Result<(Event, Vec<u8>), Refusal>, step: u64) {
        match event {
            Ok((Event::State { seq, .. }, value)) => {
                self.counted.states += 1;
                assert_eq!(self.sent.get(&seq), Some(&value), "step {step}, state {seq}");
            }
            Ok(_) => {}
            Err(refusal) => {
                let is_loss = matches!(refusal.offence, Offence::LostBaseline | Offence::NotGreeted);
                assert!(is_loss, "{refusal:?}");
                self.counted.resyncs += 1;
            }
        }
    }
}

/// Plays and checks. Returns what happened, so that the test sees that it tested something.
fn play(seed: u64, steps: u64) -> Counted {
    let mut game = Game::new(seed);
    for step in 0..steps {
        game.step(step);
    }
    game.counted
}

/// Plays 8 games of 4 000 steps; `cargo xtask test --long` sets the variable for 10 games of 100 000.
#[test]
fn states_that_arrive_are_states_that_were_sent() {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    let (games, steps) = if is_long { (10, 100_000) } else { (8, 4000) };
    for seed in 0..games {
        let counted = play(seed, steps);
        assert!(counted.states > steps / 4, "{} states arrived", counted.states);
        assert!(counted.deltas > steps / 2, "{} deltas", counted.deltas);
        assert!(counted.resyncs > 0);
    }
}
