//! Tests the protocol with the product's own form. The schema of most messages packs its two parts into whole bytes, so that
//! packets can be read: the hit points, four times the count, and the items.

mod budget;
mod edges;
mod histories;
mod lives;
mod model;
mod motion;
mod outages;
mod packing;
mod peers;
mod receiving;
mod sending;
mod sessions;
mod specs;

use std::sync::Arc;

use variant_core::{Limits, Rules, Value, VariantType};
use variant_schema::Schema;

use crate::{
    Event, Form, Handshake, History, Message, Mode, Policy, Protocol, Rate, Refusal, Role, SERVER, Sender,
    Table, To,
};

pub(super) fn schema() -> Schema {
    let items = Schema::of_type(VariantType::PackedByteArray).max_size(63u64);
    // Two bits beside the six of the count make a byte.
    let in_front = Schema::int().min(0).max(3);
    Schema::dict([("hp", Schema::int().min(0).max(200)), ("in_front", in_front), ("items", items)])
}

pub(super) fn rules() -> Rules {
    Rules::safe(Limits::network())
}

pub(super) fn form_of(schema: &Schema) -> Arc<Form> {
    Form::of(schema, &rules()).unwrap()
}

/// A value in Godot's format, as it is given and as it arrives.
pub(super) fn value(hp: u8, items: &[u8]) -> Vec<u8> {
    let items = Value::PackedByteArray(items.to_vec());
    Value::from([("hp", Value::Int(i64::from(hp))), ("in_front", Value::Int(0)), ("items", items)])
        .encode()
        .unwrap()
}

/// A value without items.
pub(super) fn hp(hp: u8) -> Vec<u8> {
    value(hp, &[])
}

/// Returns what is sent of a value: 201 hit points and more are refused.
pub(super) fn sent(hp: u8, items: &[u8]) -> Vec<u8> {
    let mut sent = vec![hp, u8::try_from(items.len() << 2).unwrap()];
    sent.extend(items);
    sent
}

/// The packet of a message without items.
pub(super) fn packet(id: u8, hp: u8) -> Vec<u8> {
    vec![id, hp, 0]
}

pub(super) const BAD: u8 = 0xEE;

pub(super) fn message(name: &str, sender: Sender) -> Message {
    Message {
        name: name.into(),
        form: form_of(&schema()),
        sender,
        rate: None,
        mode: Mode::Reliable,
        id: None,
        relay: false,
        state: None,
    }
}

/// Lists "move" of clients (3 in a row, 10 a second), "chat" of both, "score" of the server, and the state "world".
pub(super) fn table() -> Table {
    let rate = Some(Rate::per_second(10, 3));
    let world = History { entries: 32, most_packet_bytes: 80, parts: None };
    let messages = vec![
        Message { rate, mode: Mode::Unreliable, ..message("move", Sender::Client) },
        Message { relay: true, ..message("chat", Sender::Both) },
        message("score", Sender::Server),
        Message { state: Some(world), mode: Mode::Unreliable, ..message("world", Sender::Server) },
    ];
    Table::new(messages, &[], 1200).unwrap()
}

pub(super) const MOVE: u8 = 1;
pub(super) const CHAT: u8 = 2;
pub(super) const SCORE: u8 = 3;
pub(super) const WORLD: u8 = 4;

pub(super) fn side(role: Role, handshake: Handshake, policy: Policy) -> Protocol {
    Protocol::new(table(), role, handshake, policy, role as u64)
}

/// Connects a peer as if its handshake had been accepted long ago.
pub(super) fn join(protocol: &mut Protocol, peer: i32) {
    protocol.connect(peer, 0).unwrap();
    protocol.greet(peer);
    while protocol.event().is_some() {}
}

/// A server with the greeted client 7.
pub(super) fn server() -> Protocol {
    let mut server = side(Role::Server, Handshake::Hello, Policy::default());
    join(&mut server, 7);
    server
}

pub(super) fn client() -> Protocol {
    let mut client = side(Role::Client, Handshake::Hello, Policy::for_client());
    join(&mut client, SERVER);
    client
}

/// Receives a whole packet.
pub(super) fn receive(
    protocol: &mut Protocol,
    peer: i32,
    packet: &[u8],
    now: u64,
) -> Vec<Result<(Event, Vec<u8>), Refusal>> {
    let mut incoming = match protocol.open(peer, packet, now) {
        Ok(incoming) => incoming,
        Err(refusal) => return vec![Err(refusal)],
    };
    let mut value = Vec::new();
    let mut events = Vec::new();
    while let Some(event) = protocol.next(packet, &mut incoming, &mut value) {
        events.push(event.map(|event| (event, value.clone())));
    }
    events
}

/// Calls `make` and returns all that it sends.
pub(super) fn carried(make: impl FnOnce(&mut dyn FnMut(i32, &[u8], Mode))) -> Vec<(i32, Vec<u8>)> {
    let mut packets = Vec::new();
    make(&mut |peer, bytes, _| packets.push((peer, bytes.to_vec())));
    packets
}

/// Sends a state to one peer and returns its packet.
pub(super) fn state_to(server: &mut Protocol, peer: i32, value: &[u8], now: u64) -> Vec<u8> {
    let sent = carried(|carry| {
        server.send_state(4, value, To::One(peer), now, carry).unwrap();
    });
    sent.into_iter().map(|(_, packet)| packet).find(|packet| packet[0] == WORLD).unwrap()
}

/// Returns what a tick sends.
pub(super) fn tick(protocol: &mut Protocol, now: u64) -> Vec<(i32, Vec<u8>)> {
    carried(|carry| protocol.tick(now, carry))
}

/// Returns the events that wait.
pub(super) fn events(protocol: &mut Protocol) -> Vec<Event> {
    std::iter::from_fn(|| protocol.event()).collect()
}
