//! Sends and hears the messages of a protocol, each as a type of its own. Written by `gdvar protocol rust`: changes are lost when
//! it is written again.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::all)]

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use variant_protocol::{
    Carry, Delivery, Event, Form, Handshake, Incoming, Offence, Policy, Protocol, Refusal, Role, SendError, Spec, Table,
    TableError, To,
};
use variant_serde::{Limits, Rules};

/// The messages of one side.
pub trait Message: Sized {
    /// Returns the number of the message.
    fn id(&self) -> u16;
    /// Tells whether it is a state.
    fn is_state(&self) -> bool;
    /// Writes its value in Godot's format.
    fn write(&self) -> Result<Vec<u8>, variant_serde::Error>;
    /// Reads the value of the message with this number, if this side has it.
    fn read(id: u16, value: &[u8]) -> Option<Result<Self, variant_serde::Error>>;
}

/// Makes the table of the messages.
pub fn table() -> Result<Table, TableError> {
    Spec::from_json(PROTOCOL)?.table(|schema| Form::of(schema, &rules()))
}

fn rules() -> Rules {
    Rules::safe(Limits::network())
}

fn read<'v, T: Deserialize<'v>>(value: &'v [u8]) -> Result<T, variant_serde::Error> {
    variant_serde::from_slice_with(value, &rules())
}

/// Reads a key that is there, and may be null.
fn there<'v, D: serde::Deserializer<'v>, T: Deserialize<'v>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Is a side of the protocol: it sends `Out` and hears `In`.
pub struct Side<Out, In> {
    /// The protocol, which takes care of peers, time and packets.
    pub protocol: Protocol,
    value: Vec<u8>,
    messages: PhantomData<fn(Out) -> In>,
}

pub type Server = Side<ServerMessage, ClientMessage>;
pub type Client = Side<ClientMessage, ServerMessage>;

/// Tells what a packet brought.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard<In> {
    /// A message or a state.
    Message(In),
    /// Tells what became of a peer.
    Event(Event),
}

/// Says why a message was not sent.
#[derive(Debug)]
pub enum SendFailed {
    /// Godot cannot hold the value.
    Value(variant_serde::Error),
    /// The schema, a rate or a peer is against it.
    Protocol(SendError),
}

impl std::fmt::Display for SendFailed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SendFailed::Value(error) => error.fmt(f),
            SendFailed::Protocol(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SendFailed {}

impl Server {
    /// Makes the server's side. The seed is a number that nobody can guess.
    pub fn new(policy: Policy, seed: u64) -> Result<Server, TableError> {
        Ok(Side::over(Protocol::new(table()?, Role::Server, Handshake::Hello, policy, seed)))
    }
}

impl Client {
    /// Makes a client's side. The seed is a number that nobody can guess.
    pub fn new(seed: u64) -> Result<Client, TableError> {
        Ok(Side::over(Protocol::new(table()?, Role::Client, Handshake::Hello, Policy::for_client(), seed)))
    }
}

impl<Out: Message, In: Message> Side<Out, In> {
    fn over(protocol: Protocol) -> Self {
        Side { protocol, value: Vec::new(), messages: PhantomData }
    }

    /// Sends a message, or a state.
    pub fn send(&mut self, message: &Out, to: To<'_>, now: u64, carry: Carry<'_>) -> Result<Delivery, SendFailed> {
        let (id, value) = (message.id(), message.write().map_err(SendFailed::Value)?);
        let sent = match message.is_state() {
            true => self.protocol.send_state(id, &value, to, now, carry),
            false => self.protocol.send(id, &value, to, now, carry),
        };
        sent.map_err(SendFailed::Protocol)
    }

    /// Returns the next message of a packet that `protocol.open()` began at `now`, or `None` at its end.
    pub fn next(&mut self, packet: &[u8], incoming: &mut Incoming, now: u64) -> Option<Result<Heard<In>, Refusal>> {
        let event = match self.protocol.next(packet, incoming, &mut self.value)? {
            Ok(event) => event,
            Err(refusal) => return Some(Err(refusal)),
        };
        let (Event::Message { id } | Event::State { id, .. }) = event else { return Some(Ok(Heard::Event(event))) };
        Some(match In::read(id, &self.value) {
            Some(Ok(message)) => Ok(Heard::Message(message)),
            _ => Err(self.protocol.report(incoming.peer(), Some(id), Offence::Refused, now)),
        })
    }
}

/// The protocol, as `VariantProtocol.to_json()` writes it.
pub const PROTOCOL: &str = r#"{
  "protocol": 1,
  "messages": [
    {
      "name": "move",
      "id": 1,
      "sender": "client",
      "rate": 60.0,
      "burst": 20,
      "mode": "unreliable_ordered",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "seq": {
            "type": "int",
            "min": 0,
            "max": 65535
          },
          "dir": {
            "type": "vector2",
            "max_length": 1.01,
            "packing": {
              "step": 0.005,
              "from": -1.01,
              "to": 1.01
            }
          },
          "jump": {
            "type": "bool"
          }
        },
        "open": false
      }
    },
    {
      "name": "chat",
      "id": 2,
      "sender": "both",
      "rate": 2.0,
      "burst": 5,
      "schema": {
        "schema_version": 1,
        "type": "string",
        "max_chars": 80
      }
    },
    {
      "name": "world",
      "id": 3,
      "sender": "server",
      "mode": "unreliable",
      "state": {
        "history": 32,
        "max_packet": 1200
      },
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "tick": {
            "type": "int",
            "min": 0,
            "max": 4294967295
          },
          "players": {
            "type": "array",
            "items": {
              "type": "dict",
              "keys": {
                "id": {
                  "type": "int",
                  "min": 0,
                  "max": 63
                },
                "pos": {
                  "type": "vector2",
                  "within": [-512.0, -512.0, 1024.0, 1024.0],
                  "packing": {
                    "step": 0.01
                  }
                },
                "hp": {
                  "type": "int",
                  "min": 0,
                  "max": 100
                }
              },
              "open": false
            },
            "max_size": 16,
            "packing": {
              "keyed": "id"
            }
          }
        },
        "open": false
      }
    }
  ]
}
"#;

/// The hash that both sides have to agree on.
pub const PROTOCOL_HASH: u64 = 0x68dcd442bab7881d;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    pub seq: u16,
    pub dir: variant_serde::Vector2,
    pub jump: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldPlayers {
    pub id: u8,
    pub pos: variant_serde::Vector2,
    pub hp: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct World {
    pub tick: u32,
    pub players: Vec<WorldPlayers>,
}

/// A message that a client may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMessage {
    Move(Move),
    Chat(String),
}

impl Message for ClientMessage {
    fn id(&self) -> u16 {
        match self {
            ClientMessage::Move(_) => 1,
            ClientMessage::Chat(_) => 2,
        }
    }

    fn is_state(&self) -> bool {
        false
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ClientMessage::Move(value) => variant_serde::to_vec(value),
            ClientMessage::Chat(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ClientMessage, variant_serde::Error>> {
        match id {
            1 => Some(read(value).map(ClientMessage::Move)),
            2 => Some(read(value).map(ClientMessage::Chat)),
            _ => None,
        }
    }
}

/// A message that the server may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerMessage {
    Chat(String),
    World(World),
}

impl Message for ServerMessage {
    fn id(&self) -> u16 {
        match self {
            ServerMessage::Chat(_) => 2,
            ServerMessage::World(_) => 3,
        }
    }

    fn is_state(&self) -> bool {
        matches!(self, ServerMessage::World(_))
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ServerMessage::Chat(value) => variant_serde::to_vec(value),
            ServerMessage::World(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ServerMessage, variant_serde::Error>> {
        match id {
            2 => Some(read(value).map(ServerMessage::Chat)),
            3 => Some(read(value).map(ServerMessage::World)),
            _ => None,
        }
    }
}
