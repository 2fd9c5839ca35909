//! Plays a game over a bad network with sessions that end and begin: packets are lost, doubled, delayed and swapped, both sides
//! restart, are kicked, disagree, stall and lie, and clocks jump.
//!
//! Each value that a handler sees was sent in this session, a reliable message that was accepted arrives or the peer has left, no honest
//! peer is thrown out, and what is kept is bounded by who is there.

use std::collections::VecDeque;

use super::{WORLD, events, hp, receive};
use crate::{
    Event, Handshake, LeaveReason, Mode, Offence, Policy, Protocol, Role, SERVER, SendError, Table, To,
};

/// A small generator of numbers, so that each run is the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Packets on their way to one side, each with the step in which it arrives.
#[derive(Default)]
struct Line {
    unreliable: Vec<(u64, Vec<u8>)>,
    reliable: VecDeque<(u64, Vec<u8>)>,
}

impl Line {
    fn put(&mut self, dice: &mut Dice, step: u64, packet: &[u8], mode: Mode) {
        if mode == Mode::Reliable {
            self.reliable.push_back((step + 1 + dice.roll(4), packet.to_vec()));
            return;
        }
        let copies = match dice.roll(10) {
            0 | 1 => 0,
            2 => 2,
            _ => 1,
        };
        for _ in 0..copies {
            self.unreliable.push((step + 1 + dice.roll(6), packet.to_vec()));
        }
    }

    fn take(&mut self, step: u64) -> Vec<Vec<u8>> {
        let (due, rest) = std::mem::take(&mut self.unreliable).into_iter().partition(|(at, _)| *at <= step);
        self.unreliable = rest;
        let due: Vec<(u64, Vec<u8>)> = due;
        let mut due: Vec<Vec<u8>> = due.into_iter().map(|(_, packet)| packet).collect();
        // What is reliable comes in order: one that is late holds up those behind it.
        while let Some((_, packet)) = self.reliable.pop_front_if(|(at, _)| *at <= step) {
            due.push(packet);
        }
        due
    }
}

/// A side, and what the model knows of it.
struct Side {
    protocol: Protocol,
    /// Its clock is ahead of the other's.
    ahead: u64,
    /// It does nothing before this step.
    stalls_until: u64,
    /// The states that it sent in this connection.
    sent_states: Vec<Vec<u8>>,
    /// The reliable messages that have to arrive, each with the step in which it was sent.
    sent_reliable: VecDeque<(u64, Vec<u8>)>,
}

#[derive(Debug, Default)]
struct Tally {
    states: u64,
    deltas: u64,
    messages: u64,
    greeted: u64,
    left: std::collections::BTreeMap<&'static str, u64>,
}

/// A server, a client and the lines to each.
struct Game {
    dice: Dice,
    sides: [Side; 2],
    lines: [Line; 2],
    seed: u64,
    step: u64,
    /// Steps until the connection that ended is made again.
    apart: u64,
    /// Whether the client lied in this connection: it may be thrown out.
    has_lied: bool,
    /// Whether the sides of this connection have different tables.
    differ: bool,
    counted: Tally,
}

/// The longest stall, in steps: what policies forgive.
const MOST_STALL: u64 = 280;
/// Until then a reliable message has arrived, or the peer has left: both sides may stall one after the other, and wait for a
/// handshake.
const MOST_DELAY: u64 = 3 * MOST_STALL + 200;

const IDS: [i32; 2] = [7, SERVER];

fn made(at: usize, table: Table, seed: u64) -> Side {
    let (role, policy) =
        if at == 0 { (Role::Server, Policy::default()) } else { (Role::Client, Policy::for_client()) };
    let policy = Policy { stay_out: 1_000_000, ..policy };
    let protocol = Protocol::new(table, role, Handshake::Hello, policy, seed);
    let (sent_states, sent_reliable) = (Vec::new(), VecDeque::new());
    Side { protocol, ahead: 0, stalls_until: 0, sent_states, sent_reliable }
}

/// A table of another version of the game.
fn other_table() -> Table {
    Table::new(vec![super::message("move", crate::Sender::Both)], &[], 1200).unwrap()
}

impl Game {
    fn new(seed: u64) -> Game {
        let sides = [made(0, super::table(), seed), made(1, super::table(), seed + 1)];
        let mut game = Game {
            dice: Dice(seed),
            sides,
            lines: Default::default(),
            seed: seed.wrapping_mul(1000),
            step: 0,
            apart: 0,
            has_lied: false,
            differ: false,
            counted: Tally::default(),
        };
        game.join();
        game
    }

    fn now(&self, at: usize) -> u64 {
        // Clocks begin anywhere.
        (at as u64 + 1) * 77_000_000 + self.step * 16_666 + self.sides[at].ahead
    }

    /// The transport connects both sides. Nothing of the connection before is on its way any more.
    fn join(&mut self) {
        self.lines = Default::default();
        for at in [0, 1] {
            let now = self.now(at);
            self.sides[at].sent_states.clear();
            self.sides[at].sent_reliable.clear();
            if self.sides[at].protocol.connect(IDS[at], now).is_err() {
                assert_eq!(at, 0, "only the server throws out");
                self.apart = 70;
            }
        }
        self.has_lied = false;
    }

    /// The transport loses the connection, which both sides hear of.
    fn part(&mut self) {
        for at in [0, 1] {
            let reason = if self.dice.roll(2) == 0 { LeaveReason::Closed } else { LeaveReason::TimedOut };
            self.sides[at].protocol.leave(IDS[at], reason);
            self.hear_events(at);
            assert_eq!((self.sides[at].protocol.peer_count(), self.peers_kept(at)), (0, 0));
        }
        self.lines = Default::default();
        self.apart = 1 + self.dice.roll(100);
        // A player updates the game before trying again, or does not.
        if self.differ && self.dice.roll(2) == 0 {
            self.other_client();
        }
    }

    /// The client comes back with the other version of the game.
    fn other_client(&mut self) {
        self.seed += 1;
        self.differ = !self.differ;
        let table = if self.differ { other_table() } else { super::table() };
        self.sides[1] = made(1, table, self.seed);
    }

    /// Returns the bytes that are kept for peers, without those that are out.
    fn peers_kept(&self, at: usize) -> usize {
        let protocol = &self.sides[at].protocol;
        protocol.kept_bytes() - protocol.outside.kept_bytes()
    }

    fn step(&mut self) {
        self.step += 1;
        if self.apart > 0 {
            self.apart -= 1;
            if self.apart == 0 {
                self.join();
            }
            for at in [0, 1] {
                self.tick(at);
            }
            return;
        }
        for at in [0, 1] {
            if self.step >= self.sides[at].stalls_until && self.apart == 0 {
                self.hear(at);
                self.talk(at);
                self.tick(at);
            }
            let oldest = self.sides[at].sent_reliable.front().map_or(self.step, |(step, _)| *step);
            assert!(self.step - oldest < MOST_DELAY, "step {}: it does not arrive", self.step);
            let kept = self.sides[at].protocol.kept_bytes();
            assert!(kept < 40 * 1024 && self.sides[at].protocol.peer_count() <= 1, "{kept} bytes");
        }
        if self.apart == 0 {
            self.misfortune();
        }
    }

    /// Takes packets to a side.
    fn hear(&mut self, at: usize) {
        let now = self.now(at);
        for packet in self.lines[at].take(self.step) {
            for outcome in receive(&mut self.sides[at].protocol, IDS[at], &packet, now) {
                match outcome {
                    Ok((Event::State { .. }, value)) => {
                        self.counted.states += 1;
                        let is_sent = self.sides[1 - at].sent_states.contains(&value);
                        assert!(is_sent, "step {}: a state that nobody sent", self.step);
                    }
                    Ok((Event::Message { id: 2 }, value)) => {
                        self.counted.messages += 1;
                        let sent = self.sides[1 - at].sent_reliable.pop_front();
                        let sent = sent.map(|(_, value)| value);
                        assert_eq!(sent, Some(value), "step {}: lost or out of order", self.step);
                    }
                    Ok((Event::Message { .. }, _)) => self.counted.messages += 1,
                    Ok((event, _)) => self.happened(at, &event),
                    Err(refusal) => self.refused(at, refusal.offence, refusal.expel),
                }
            }
        }
    }

    fn refused(&mut self, at: usize, offence: Offence, is_out: bool) {
        let is_excused = match offence {
            Offence::LostBaseline | Offence::Expelled => true,
            Offence::OtherProtocol => self.differ,
            // A made-up acknowledgement, or one of states before the peer began anew.
            Offence::FalseAck | Offence::NotGreeted | Offence::UnknownPeer => true,
            // Unreliable messages bunch up on their way.
            Offence::RateLimited => true,
            _ => self.has_lied,
        };
        assert!(is_excused, "step {}, side {at}: {offence:?}", self.step);
        assert!(!is_out || self.has_lied, "step {}: an honest client is thrown out", self.step);
    }

    fn hear_events(&mut self, at: usize) {
        for event in events(&mut self.sides[at].protocol) {
            self.happened(at, &event);
        }
    }

    fn happened(&mut self, at: usize, event: &Event) {
        match event {
            Event::Greeted { .. } => {
                self.counted.greeted += 1;
                assert!(!self.differ, "step {}: different tables", self.step);
                // What is sent when greeted arrives.
                self.say(at, 1);
            }
            Event::Left { reason, .. } => {
                *self.counted.left.entry(reason.name()).or_default() += 1;
                assert!(*reason != LeaveReason::ThrownOut || self.has_lied, "step {}", self.step);
                assert!(*reason != LeaveReason::OtherVersion || self.differ, "step {}", self.step);
                // What was on its way to it is lost, and the game knows.
                self.sides[at].sent_reliable.clear();
                if reason.must_close() {
                    self.part();
                }
            }
            Event::Mismatched { .. } => assert!(self.differ),
            other => panic!("{other:?}"),
        }
    }

    /// Sends a reliable message, and remembers it if that was said to be done.
    fn say(&mut self, at: usize, value: u8) {
        let (now, step) = (self.now(at), self.step);
        let Game { dice, sides, lines, .. } = self;
        let side = &mut sides[at];
        let line = &mut lines[1 - at];
        let mut carry = |_: i32, packet: &[u8], mode| line.put(dice, step, packet, mode);
        match side.protocol.send(2, &hp(value), To::One(IDS[at]), now, &mut carry) {
            Ok(_) => side.sent_reliable.push_back((step, hp(value))),
            Err(SendError::RateLimited { .. } | SendError::QueueFull { .. }) => {}
            Err(SendError::ThrownOut(_) | SendError::NoServer | SendError::UnknownPeer(_)) => {}
            Err(other) => panic!("{other}"),
        }
    }

    fn talk(&mut self, at: usize) {
        let value = u8::try_from(self.dice.roll(200)).unwrap();
        if self.differ {
            return;
        }
        if self.dice.roll(4) == 0 {
            self.say(at, value);
        }
        let (now, step) = (self.now(at), self.step);
        let Game { dice, sides, lines, counted, .. } = self;
        let Side { protocol, sent_states, .. } = &mut sides[at];
        let line = &mut lines[1 - at];
        let mut carry = |_: i32, packet: &[u8], mode| {
            counted.deltas += u64::from(packet[0] == WORLD && packet[3] != 0);
            line.put(dice, step, packet, mode);
        };
        if at == 0 {
            let state = super::value(value, &[7; 40]);
            if protocol.send_state(4, &state, To::One(7), now, &mut carry).is_ok()
                && !sent_states.contains(&state)
            {
                sent_states.push(state);
            }
        } else {
            // Far more often than it may.
            let sent = protocol.send(1, &hp(value), To::All, now, &mut carry);
            assert!(!matches!(sent, Err(SendError::Unfit(_) | SendError::WrongDirection)), "{sent:?}");
        }
    }

    fn tick(&mut self, at: usize) {
        let (now, step) = (self.now(at), self.step);
        let Game { dice, sides, lines, .. } = self;
        let line = &mut lines[1 - at];
        sides[at].protocol.tick(now, &mut |_: i32, packet: &[u8], mode| line.put(dice, step, packet, mode));
        self.hear_events(at);
    }

    /// Something happens once in a while.
    fn misfortune(&mut self) {
        let at = usize::try_from(self.dice.roll(2)).unwrap();
        match self.dice.roll(2000) {
            0 => self.part(),
            // A side restarts, and the other one's transport does not notice.
            1 => self.restart(at, super::table()),
            2 => {
                self.part();
                self.other_client();
            }
            3 => self.sides[at].stalls_until = self.step + self.dice.roll(MOST_STALL),
            4 => self.sides[at].ahead += self.dice.roll(100_000_000),
            5 => self.sides[at].ahead = self.sides[at].ahead.saturating_sub(self.dice.roll(100_000_000)),
            6 => self.sides[0].protocol.kick(7, "enough"),
            // The server forgets its client, and is told of it again.
            7 => {
                let now = self.now(0);
                self.sides[0].protocol.leave(7, LeaveReason::Closed);
                self.hear_events(0);
                if self.apart == 0 {
                    let _ = self.sides[0].protocol.connect(7, now);
                    self.sides[0].sent_reliable.clear();
                    self.cut_line(1);
                }
            }
            8..=12 if !self.differ => {
                self.has_lied = true;
                self.lie();
            }
            _ => {}
        }
    }

    /// The client sends what no honest one does.
    fn lie(&mut self) {
        let Game { dice, lines, step, .. } = self;
        if dice.roll(3) == 0 {
            (0..9).for_each(|_| lines[0].put(dice, *step, &super::packet(super::SCORE, 1), Mode::Unreliable));
            return;
        }
        let lie: Vec<u8> = (0..dice.roll(12)).map(|_| dice.roll(6).to_le_bytes()[0]).collect();
        // It is no batch and none of the messages that are counted.
        if !matches!(lie.first(), Some(2) | None) && lie.get(1) != Some(&4) {
            lines[0].put(dice, *step, &lie, Mode::Unreliable);
        }
    }

    /// A side begins anew in its process. All that the one before sent is gone with it.
    fn restart(&mut self, at: usize, table: Table) {
        if self.differ {
            return;
        }
        self.seed += 1;
        let ahead = self.sides[at].ahead;
        self.sides[at] = made(at, table, self.seed);
        self.sides[at].ahead = ahead;
        let now = self.now(at);
        self.sides[at].protocol.connect(IDS[at], now).unwrap();
        self.cut_line(1 - at);
    }

    /// Packets of a session that is over do not arrive: the transport's connection ended with it. Messages of the other side
    /// that still wait for a handshake are for the new one.
    fn cut_line(&mut self, other: usize) {
        self.lines = Default::default();
        if self.sides[other].protocol.is_greeted(IDS[other]) {
            self.sides[other].sent_reliable.clear();
        }
    }
}

/// Plays and checks. Returns what happened, so that the test sees that it tested something.
fn play(seed: u64, steps: u64) -> Tally {
    let mut game = Game::new(seed);
    for _ in 0..steps {
        game.step();
    }
    game.counted
}

/// Plays 4 games of 25 000 steps; `cargo xtask test --long` sets the variable for 10 games of 1 000 000.
#[test]
fn a_life_of_many_sessions() {
    let is_long = std::env::var_os("VARIANT_LONG").is_some();
    let (games, steps) = if is_long { (10, 1_000_000) } else { (4, 25_000) };
    let mut left = std::collections::BTreeMap::new();
    for seed in 0..games {
        let counted = play(seed, steps);
        assert!(counted.states > steps / 10, "{counted:?}");
        assert!(counted.deltas > steps / 10, "{counted:?}");
        assert!(counted.messages > steps / 20, "{counted:?}");
        assert!(counted.greeted > steps / 2000, "{counted:?}");
        for (reason, count) in counted.left {
            *left.entry(reason).or_insert(0) += count;
        }
    }
    let reasons: Vec<&str> = left.keys().copied().collect();
    assert_eq!(
        reasons,
        ["closed", "kicked", "other_version", "rejoined", "silent", "thrown_out", "timed_out"],
        "{left:?}"
    );
}
