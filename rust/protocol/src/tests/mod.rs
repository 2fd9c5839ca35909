//! Tests the protocol with a form that is easy to see through: values are sent as they are.

mod edges;
mod model;
mod packing;
mod peers;
mod receiving;
mod sending;
mod specs;

use std::sync::Arc;

use variant_core::ErrorKind;

use crate::{
    Event, Form, Handshake, History, Message, Mode, Policy, Protocol, Rate, Refusal, Role, SERVER, Sender,
    Table, Unfit, Why,
};

/// Sends values as they are. Values that begin with `BAD` are refused, and those with `BIG` break a limit.
pub(super) struct Plain {
    pub(super) hash: u64,
    pub(super) most: Option<u64>,
}

pub(super) const BAD: u8 = 0xEE;
pub(super) const BIG: u8 = 0xEF;

impl Plain {
    fn check(bytes: &[u8]) -> Result<(), Unfit> {
        match bytes.first() {
            Some(&BAD) => Err(unfit(Why::Refused)),
            Some(&BIG) => Err(unfit(Why::OverLimit)),
            _ => Ok(()),
        }
    }
}

fn unfit(why: Why) -> Unfit {
    let (expected, got) = ("less".to_owned(), "more".to_owned());
    Unfit { why, kind: ErrorKind::OutOfRange, at: 0, bit: None, path: "hp".to_owned(), expected, got }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(bytes.len().to_le_bytes()[0], |sum, byte| sum.wrapping_mul(31).wrapping_add(*byte))
}

impl Form for Plain {
    fn hash(&self) -> u64 {
        self.hash
    }

    fn most_bytes(&self) -> Option<u64> {
        self.most
    }

    fn largest_part(&self) -> String {
        "items".to_owned()
    }

    fn pack(&self, value: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        Plain::check(value)?;
        out.extend(value);
        Ok(())
    }

    fn unpack(&self, sent: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        self.pack(sent, out)
    }

    /// Writes the sum of the base and then each byte that differs, with its place.
    fn delta(&self, base: &[u8], new: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        out.extend([sum(base), new.len().to_le_bytes()[0]]);
        for (at, byte) in new.iter().enumerate() {
            if base.get(at) != Some(byte) {
                out.extend([at.to_le_bytes()[0], *byte]);
            }
        }
        Ok(())
    }

    fn apply(&self, base: &[u8], delta: &[u8], out: &mut Vec<u8>) -> Result<(), Unfit> {
        let [of, size, changes @ ..] = delta else { return Err(unfit(Why::Refused)) };
        if *of != sum(base) {
            return Err(unfit(Why::OtherBase));
        }
        let mut new = base.to_vec();
        new.resize(usize::from(*size), 0);
        for change in changes.chunks_exact(2) {
            let byte = new.get_mut(usize::from(change[0])).ok_or_else(|| unfit(Why::Refused))?;
            *byte = change[1];
        }
        out.extend(new);
        Ok(())
    }
}

pub(super) fn message(name: &str, from: Sender) -> Message {
    Message {
        name: name.into(),
        form: Arc::new(Plain { hash: 11, most: Some(64) }),
        from,
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
    let world = History { entries: 32, most_packet_bytes: 120 };
    let messages = vec![
        Message { rate, ..message("move", Sender::Client) },
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

/// A server with the greeted client 7.
pub(super) fn server() -> Protocol {
    let mut server = Protocol::new(table(), Role::Server, Handshake::Hello, Policy::default());
    server.connect(7, 0);
    server.greet(7);
    server
}

pub(super) fn client() -> Protocol {
    let mut client = Protocol::new(table(), Role::Client, Handshake::Hello, Policy::for_client());
    client.connect(SERVER, 0);
    client.greet(SERVER);
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
