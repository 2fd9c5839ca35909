//! Measures that a packet refused by a budget costs a fraction of an accepted one, and that a state is packed once for all
//! peers, with one difference for each base among them.

use std::hint::black_box;

use variant_core::{Limits, Rules, Value};
use variant_protocol::{
    Declared, Form, Handshake, LeaveReason, Policy, Protocol, Rate, Role, SERVER, Sender, Spec, To,
};
use variant_schema::Schema;

use crate::shapes::array;
use crate::{case, claim};

const MOVE: u16 = 1;
const WORLD: u16 = 2;
const PEERS: i32 = 64;
/// Many peers share a base when they acknowledged the same state.
const BASES: i32 = 8;
const ENTITIES: i64 = 50;

pub(crate) fn count() {
    receiving();
    sending();
}

fn protocol(role: Role, policy: Policy) -> Protocol {
    let step = Schema::dict([
        ("seq", Schema::int().min(0).max(65_535)),
        ("dir", Schema::array(Schema::int().min(-100).max(100)).min_size(2u64).max_size(2u64)),
        ("jump", Schema::bool()),
        ("act", Schema::int().min(0).max(7)),
    ]);
    let entity = Schema::dict([
        ("id", Schema::int().min(0).max(65_535)),
        ("x", Schema::int().min(0).max(100_000)),
        ("y", Schema::int().min(0).max(100_000)),
        ("hp", Schema::int().min(0).max(100)),
    ]);
    let world = Schema::dict([("entities", Schema::array(entity).keyed("id").max_size(64u64))]);
    let rate = Rate::of(30.0, Some(10));
    let step = Declared { sender: Sender::Client, rate, ..Declared::new("move", step) };
    let spec = Spec { messages: vec![step, Declared::state("world", world)], ..Spec::default() };
    let rules = Rules { limits: Limits::network(), ..Rules::default() };
    let table = spec.table(|schema| Form::of(schema, &rules)).unwrap_or_else(|error| panic!("{error}"));
    Protocol::new(table, role, Handshake::None, policy, 1)
}

fn receiving() {
    let open_handed = Policy { packets: None, bytes: None, disconnect_at: None, ..Policy::default() };
    let mut server = protocol(Role::Server, open_handed);
    connect(&mut server, 7);
    let step = Value::from([
        ("seq", Value::Int(9)),
        ("dir", array([3, 4].into_iter().map(Value::Int))),
        ("jump", Value::Bool(true)),
        ("act", Value::Int(2)),
    ]);
    let mut packet = Vec::new();
    let mut client = protocol(Role::Client, Policy::for_client());
    let step = step.encode().unwrap_or_else(|error| panic!("{error}"));
    client.encode(MOVE, &step, &mut packet).unwrap_or_else(|error| panic!("{error}"));
    let (mut value, mut now) = (Vec::new(), 0);
    case("receive an accepted move", || {
        // More seldom would be a stall, which is forgiven.
        now += 200_000;
        assert!(receive(&mut server, &packet, now, &mut value));
    });
    while receive(&mut server, &packet, now, &mut value) {}
    case("receive a move over its rate", || {
        for _ in 0..20 {
            assert!(!receive(&mut server, &packet, now, &mut value));
        }
    });
    case("receive the id of no message", || {
        for _ in 0..20 {
            assert!(!receive(&mut server, &[99, 1, 2, 3], now, &mut value));
        }
    });
    outside(&packet);
    // Twenty refusals against one accepted message: each costs at most 0.15 of it.
    claim("3", "receive a packet of a peer that was thrown out", "receive an accepted move");
    claim("3", "receive a move over its rate", "receive an accepted move");
    claim("3", "receive the id of no message", "receive an accepted move");
}

/// Counts the packets of a peer that was thrown out and goes on.
fn outside(packet: &[u8]) {
    let mut value = Vec::new();
    let mut strict = protocol(Role::Server, Policy { disconnect_at: Some(0.0), ..Policy::default() });
    connect(&mut strict, 7);
    assert!(!receive(&mut strict, &[99, 1, 2, 3], 0, &mut value), "one mistake is too much");
    for _ in 0..2 {
        strict.tick(0, &mut |_, _, _| ());
    }
    case("receive a packet of a peer that was thrown out", || {
        for _ in 0..20 {
            assert!(!receive(&mut strict, packet, 0, &mut value));
        }
    });
}

/// Connects a peer, without a handshake: what the game would be told of it waits for nobody.
fn connect(side: &mut Protocol, peer: i32) {
    side.connect(peer, 0).unwrap_or_else(|error| panic!("{error}"));
    while side.event().is_some() {}
}

fn receive(server: &mut Protocol, packet: &[u8], now: u64, value: &mut Vec<u8>) -> bool {
    let Ok(mut incoming) = server.open(7, black_box(packet), now) else { return false };
    server.next(packet, &mut incoming, value).is_some_and(|event| event.is_ok())
}

fn sending() {
    let mut one = Sides::new(1, 1);
    let mut eight = Sides::new(BASES, BASES);
    let mut shared = Sides::new(PEERS, 1);
    let mut many = Sides::new(PEERS, BASES);
    case("send a state to one peer", || one.send());
    case("send a state to 8 peers of 8 bases", || eight.send());
    case("send a state to 64 peers of one base", || shared.send());
    case("send a state to 64 peers of 8 bases", || many.send());
    // What each further peer adds: the rest, which all share, may cost less without breaking it.
    claim("+1100*63", "send a state to 64 peers of one base", "send a state to one peer");
    claim("+1350*56", "send a state to 64 peers of 8 bases", "send a state to 8 peers of 8 bases");
}

/// Holds a server whose peers have acknowledged one of the last states.
struct Sides {
    server: Protocol,
    peers: Vec<i32>,
    /// The next states, so that making them is not counted.
    states: Vec<Vec<u8>>,
}

/// Makes the state of a tick: every second entity moves.
fn state(tick: i64) -> Vec<u8> {
    let entity = |id: i64| {
        Value::from([
            ("id", Value::Int(id)),
            ("x", Value::Int(id * 1000 + tick * (id % 2) * 7)),
            ("y", Value::Int(id * 500)),
            ("hp", Value::Int(100 - id)),
        ])
    };
    let state = Value::from([("entities", array((0..ENTITIES).map(entity)))]);
    state.encode().unwrap_or_else(|error| panic!("{error}"))
}

impl Sides {
    fn new(peers: i32, bases: i32) -> Sides {
        let mut server = protocol(Role::Server, Policy::default());
        let peers: Vec<i32> = (2..2 + peers).collect();
        peers.iter().for_each(|peer| connect(&mut server, *peer));
        // The states that give the bases, one that is not counted, and one that is.
        let states = (0..i64::from(bases) + 2).rev().map(state).collect();
        let mut sides = Sides { server, peers, states };
        for base in 0..bases {
            let mut client = protocol(Role::Client, Policy::for_client());
            connect(&mut client, SERVER);
            let packets = sides.sent();
            for (peer, packet) in packets.iter().filter(|(peer, _)| peer % bases == base) {
                let mut incoming = client.open(SERVER, packet, 0).expect("a state");
                let mut value = Vec::new();
                client.next(packet, &mut incoming, &mut value).expect("a state").expect("a state");
                let mut acks = Vec::new();
                client.tick(0, &mut |_, ack, _| acks.push(ack.to_vec()));
                for ack in acks {
                    let mut incoming = sides.server.open(*peer, &ack, 0).expect("within its budget");
                    assert!(
                        sides.server.next(&ack, &mut incoming, &mut value).is_none(),
                        "an acknowledgement"
                    );
                }
                client.leave(SERVER, LeaveReason::Closed);
                connect(&mut client, SERVER);
            }
        }
        sides
    }

    fn sent(&mut self) -> Vec<(i32, Vec<u8>)> {
        let mut packets = Vec::new();
        self.send_with(&mut |peer, packet| packets.push((peer, packet.to_vec())));
        packets
    }

    fn send(&mut self) {
        let mut bytes = 0;
        self.send_with(&mut |_, packet| bytes += black_box(packet).len());
        assert!(bytes > 0);
    }

    fn send_with(&mut self, carry: &mut dyn FnMut(i32, &[u8])) {
        let state = self.states.pop().expect("as many as are sent");
        self.server
            .send_state(WORLD, &state, To::Each(&self.peers), 0, &mut |peer, packet, _| carry(peer, packet))
            .unwrap_or_else(|error| panic!("{error}"));
    }
}
