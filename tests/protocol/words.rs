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
pub const PROTOCOL: &str = r###"{
  "protocol": 1,
  "messages": [
    {
      "name": "Self",
      "id": 1,
      "sender": "both",
      "schema": {
        "schema_version": 1,
        "type": "dict",
        "keys": {
          "type": {
            "type": "int",
            "min": 0,
            "max": 9
          },
          "self": {
            "type": "bool"
          },
          "Self": {
            "type": "bool"
          },
          "": {
            "type": "bool"
          },
          "maxHp": {
            "type": "int",
            "min": -1,
            "max": 200
          },
          "max hp": {
            "type": "int",
            "min": 0,
            "max": 300
          },
          "9 \"lives\"#": {
            "type": "nil"
          },
          "é": {
            "type": "enum",
            "values": ["", "self", "Self", "self"],
            "nullable": true,
            "optional": true
          }
        },
        "open": false
      }
    },
    {
      "name": "client",
      "id": 2,
      "sender": "client",
      "schema": {
        "schema_version": 1,
        "type": "string",
        "max_chars": 9
      }
    },
    {
      "name": "Client",
      "id": 3,
      "sender": "client",
      "schema": {
        "schema_version": 1,
        "type": "enum",
        "values": [-3, 70000]
      }
    },
    {
      "name": "\"#\"##",
      "id": 4,
      "sender": "server",
      "schema": {
        "schema_version": 1,
        "type": "array",
        "items": {
          "type": "ref",
          "name": "list"
        },
        "define": {
          "list": {
            "type": "array",
            "items": {
              "type": "ref",
              "name": "list"
            },
            "max_size": 3
          }
        }
      }
    }
  ]
}
"###;

/// The hash that both sides have to agree on.
pub const PROTOCOL_HASH: u64 = 0xaee56939bcb47866;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Part8 {
    #[serde(rename = "")]
    Value0,
    #[serde(rename = "self")]
    Value1,
    #[serde(rename = "Self")]
    Value2,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part0 {
    pub r#type: u8,
    #[serde(rename = "self")]
    pub self_: bool,
    #[serde(rename = "Self")]
    pub key3: bool,
    #[serde(rename = "")]
    pub key1: bool,
    #[serde(rename = "maxHp")]
    pub max_hp: i16,
    #[serde(rename = "max hp")]
    pub key4: u16,
    #[serde(rename = "9 \"lives\"#")]
    pub key2: (),
    #[serde(rename = "é", default, skip_serializing_if = "Option::is_none", deserialize_with = "there")]
    pub key8: Option<Option<Part8>>,
}

/// A message that a client may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ClientMessage {
    Message1(Part0),
    Client(String),
    Message3(i32),
}

impl Message for ClientMessage {
    fn id(&self) -> u16 {
        match self {
            ClientMessage::Message1(_) => 1,
            ClientMessage::Client(_) => 2,
            ClientMessage::Message3(_) => 3,
        }
    }

    fn is_state(&self) -> bool {
        false
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ClientMessage::Message1(value) => variant_serde::to_vec(value),
            ClientMessage::Client(value) => variant_serde::to_vec(value),
            ClientMessage::Message3(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ClientMessage, variant_serde::Error>> {
        match id {
            1 => Some(read(value).map(ClientMessage::Message1)),
            2 => Some(read(value).map(ClientMessage::Client)),
            3 => Some(read(value).map(ClientMessage::Message3)),
            _ => None,
        }
    }
}

/// A message that the server may send.
#[derive(Clone, Debug, PartialEq)]
pub enum ServerMessage {
    Message1(Part0),
    Message4(Vec<Vec<variant_serde::Any>>),
}

impl Message for ServerMessage {
    fn id(&self) -> u16 {
        match self {
            ServerMessage::Message1(_) => 1,
            ServerMessage::Message4(_) => 4,
        }
    }

    fn is_state(&self) -> bool {
        false
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ServerMessage::Message1(value) => variant_serde::to_vec(value),
            ServerMessage::Message4(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ServerMessage, variant_serde::Error>> {
        match id {
            1 => Some(read(value).map(ServerMessage::Message1)),
            4 => Some(read(value).map(ServerMessage::Message4)),
            _ => None,
        }
    }
}
