//! Tests sessions: a side that begins anew is noticed, and nothing of the one before counts any more.

use super::{CHAT, SCORE, carried, events, hp, packet, receive, side, state_to};
use crate::{Event, Handshake, LeaveReason, Mode, Offence, Policy, Protocol, Role, SERVER, SendError, To};

/// A server and a client on a line that loses nothing.
struct Line {
    sides: [Protocol; 2],
    now: u64,
    /// The events that the games of both sides were told.
    told: [Vec<Event>; 2],
    refused: Vec<Offence>,
}

const PEERS: [i32; 2] = [7, SERVER];

fn fresh(at: usize, seed: u64) -> Protocol {
    let (role, policy) =
        if at == 0 { (Role::Server, Policy::default()) } else { (Role::Client, Policy::for_client()) };
    Protocol::new(super::table(), role, Handshake::Hello, policy, seed)
}

impl Line {
    fn new() -> Line {
        let mut sides = [fresh(0, 100), fresh(1, 200)];
        for (side, peer) in sides.iter_mut().zip(PEERS) {
            side.connect(peer, 0).unwrap();
        }
        Line { sides, now: 0, told: Default::default(), refused: Vec::new() }
    }

    fn deliver(&mut self, from: usize, packets: Vec<(i32, Vec<u8>)>) -> Vec<Vec<u8>> {
        let to = 1 - from;
        let mut values = Vec::new();
        for (_, packet) in packets {
            for outcome in receive(&mut self.sides[to], PEERS[to], &packet, self.now) {
                match outcome {
                    Ok((Event::Message { .. } | Event::State { .. }, value)) => values.push(value),
                    Ok((event, _)) => self.told[to].push(event),
                    Err(refusal) => self.refused.push(refusal.offence),
                }
            }
        }
        values
    }

    fn frame(&mut self) {
        self.now += 16_666;
        for from in [0, 1] {
            let packets = super::tick(&mut self.sides[from], self.now);
            let waiting = events(&mut self.sides[from]);
            self.told[from].extend(waiting);
            self.deliver(from, packets);
        }
    }

    fn frames(&mut self, count: u32) {
        (0..count).for_each(|_| self.frame());
    }

    /// Sends a state and returns what arrived.
    fn state(&mut self, hp: u8) -> Vec<Vec<u8>> {
        let packet = state_to(&mut self.sides[0], 7, &super::hp(hp), self.now);
        self.deliver(0, vec![(7, packet)])
    }

    fn say(&mut self, from: usize, hp: u8) -> Vec<Vec<u8>> {
        let now = self.now;
        let sent = |carry: &mut dyn FnMut(i32, &[u8], Mode)| {
            self.sides[from].send(2, &super::hp(hp), To::All, now, carry).unwrap();
        };
        let packets = carried(sent);
        self.deliver(from, packets)
    }

    fn play(&mut self, states: u32) {
        for step in 0..states {
            let value = u8::try_from(step % 200).unwrap();
            assert_eq!(self.state(value), [hp(value)]);
            self.frame();
        }
    }
}

const GREETED: [Event; 2] = [Event::Greeted { peer: 7 }, Event::Greeted { peer: SERVER }];

#[test]
fn both_sides_are_greeted_within_two_frames() {
    let mut line = Line::new();
    line.frames(2);
    assert_eq!(line.told.concat(), GREETED);
    assert_eq!(line.refused, []);
}

#[test]
fn both_sides_greet_each_other_although_packets_are_lost() {
    for lost in 0..6 {
        let mut line = Line::new();
        let mut sent = 0;
        let mut greeted = 0;
        for now in (0..10u64).map(|step| step * 400_000) {
            let ours = [0, 1].map(|from| super::tick(&mut line.sides[from], now));
            for (from, packets) in ours.into_iter().enumerate() {
                for (_, packet) in packets {
                    sent += 1;
                    if sent > lost {
                        let to = 1 - from;
                        greeted += receive(&mut line.sides[to], PEERS[to], &packet, now).len();
                    }
                }
            }
        }
        assert!(line.sides[0].is_greeted(7) && line.sides[1].is_greeted(SERVER), "{lost}");
        assert_eq!(greeted, 2, "each side is told once");
        assert!(sent <= lost + 6, "{sent} packets: nobody answers answers");
    }
}

#[test]
fn a_client_that_restarts_gets_the_first_state_of_its_new_session() {
    let mut line = Line::new();
    line.frames(3);
    line.play(400);
    line.told = Default::default();
    line.sides[1] = fresh(1, 999);
    line.sides[1].connect(SERVER, line.now).unwrap();
    line.frames(2);
    assert_eq!(
        line.told[0],
        [Event::Left { peer: 7, reason: LeaveReason::Rejoined, text: "".into() }, GREETED[0].clone()]
    );
    assert_eq!(line.told[1], GREETED[1..]);
    line.play(10);
    assert_eq!((line.refused.as_slice(), line.sides[1].counts().late), (&[][..], 0));
}

#[test]
fn a_server_that_restarts_or_forgets_is_noticed_by_its_clients() {
    for restarts in [true, false] {
        let mut line = Line::new();
        line.frames(3);
        line.play(20_000);
        line.told = Default::default();
        if restarts {
            line.sides[0] = fresh(0, 1);
        } else {
            line.sides[0].leave(7, LeaveReason::Closed);
            events(&mut line.sides[0]);
        }
        line.sides[0].connect(7, line.now).unwrap();
        line.frames(2);
        assert_eq!(line.told[0], GREETED[..1]);
        let rejoined = Event::Left { peer: SERVER, reason: LeaveReason::Rejoined, text: "".into() };
        assert_eq!(line.told[1], [rejoined, GREETED[1].clone()]);
        line.play(50);
        assert_eq!(line.sides[1].counts().late, 0);
        assert_eq!(line.sides[0].score(7, line.now), 0.0);
    }
}

#[test]
fn who_says_that_it_does_not_know_us_begins_anew() {
    let mut line = Line::new();
    line.frames(100);
    line.play(3);
    line.told = Default::default();
    // A client with the same number each time, such as one in another language that has none to draw.
    let known = line.sides[0].peers[&7].session.theirs.unwrap();
    let hello = super::table().hello(known, 0);
    line.deliver(1, vec![(SERVER, hello)]);
    assert_eq!(line.told[0].len(), 2, "{:?}", line.told[0]);
    assert_eq!(state_to(&mut line.sides[0], 7, &hp(1), line.now)[..4], [super::WORLD, 1, 0, 0]);
}

#[test]
fn a_repeated_hello_of_the_beginning_is_none_of_a_new_session() {
    let mut line = Line::new();
    let hello = super::tick(&mut line.sides[1], 0);
    line.deliver(1, hello.clone());
    line.frames(3);
    line.deliver(1, hello);
    assert_eq!(line.told[0], GREETED[..1]);
}

#[test]
fn what_is_sent_when_greeted_arrives() {
    // Whoever is greeted first, and whatever it does then, the other side hears its handshake before.
    for first in [0, 1] {
        let mut line = Line::new();
        let hello = super::tick(&mut line.sides[1 - first], 0);
        line.deliver(1 - first, hello);
        assert_eq!(line.told[first], GREETED[first..=first]);
        assert_eq!(line.say(first, 5), [hp(5)]);
        assert_eq!(line.refused, []);
        assert_eq!(line.told[1 - first], GREETED[1 - first..2 - first]);
    }
    // The same of a state, and of what was queued.
    let mut line = Line::new();
    let hello = super::tick(&mut line.sides[1], 0);
    line.deliver(1, hello);
    let sent = carried(|carry| {
        line.sides[0].send_state(4, &hp(9), To::All, 0, carry).unwrap();
    });
    assert_eq!(line.deliver(0, sent), [hp(9)]);
    let mut line = Line::new();
    let hello = super::tick(&mut line.sides[1], 0);
    line.deliver(1, hello);
    line.sides[0].queue(2, &hp(8), To::All, 0).unwrap();
    let sent = carried(|carry| line.sides[0].flush(0, carry));
    assert_eq!(line.deliver(0, sent), [hp(8)]);
}

#[test]
fn reliable_messages_wait_for_the_handshake_and_are_bounded() {
    let mut line = Line::new();
    let large = super::value(1, &[3; 60]);
    let mut carry = |_: i32, _: &[u8], _| panic!("nothing goes out before the handshake");
    let count =
        (0..1000).take_while(|_| line.sides[1].send(2, &large, To::All, 0, &mut carry).is_ok()).count();
    assert!((230..270).contains(&count), "{count}");
    let full = line.sides[1].send(2, &large, To::All, 0, &mut carry).unwrap_err();
    assert_eq!(full, SendError::QueueFull { peer: SERVER, most: 16 << 10 });
    let unreliable = line.sides[1].send(1, &hp(1), To::All, 0, &mut carry).unwrap_err();
    assert_eq!(unreliable, SendError::NotGreeted(SERVER));
    assert!(line.sides[1].kept_bytes() <= 16 << 10);
    let mut arrived = 0;
    for _ in 0..3 {
        line.now += 16_666;
        for from in [0, 1] {
            let packets = super::tick(&mut line.sides[from], line.now);
            arrived += line.deliver(from, packets).len();
        }
    }
    assert_eq!((arrived, line.refused.len()), (count, 0));
}

#[test]
fn a_new_session_is_no_way_out_of_a_score() {
    let mut line = Line::new();
    line.frames(3);
    for number in 0..4 {
        line.deliver(1, vec![(SERVER, super::table().hello(5000 + number, 0)), (SERVER, packet(SCORE, 1))]);
    }
    assert!(line.sides[0].score(7, line.now) >= 99.0);
    assert_eq!(line.sides[0].listeners().count(), 0);
}

#[test]
fn packets_of_the_session_before_cost_an_honest_client_nothing() {
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    super::join(&mut server, 7);
    server.leave(7, LeaveReason::Closed);
    server.connect(7, 0).unwrap();
    for _ in 0..8 {
        receive(&mut server, 7, &packet(CHAT, 1), 0);
        receive(&mut server, 7, &[0, 2, super::WORLD, 1, 0, 0, 0, 0, 0], 0);
    }
    assert_eq!(server.score(7, 0), 0.0);
    receive(&mut server, 7, &packet(CHAT, 1), 0);
    assert_eq!(server.score(7, 0), 5.0, "not for ever");
}
