//! The messages of a protocol, each as a type of its own. Written by `gdvar protocol rust`: changes are lost when it is written
//! again.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, clippy::all)]

use serde::{Deserialize, Serialize};
pub use variant_protocol::typed::{Arrival, Message, SendFailure, Side};

pub type Server = Side<ServerMessage, ClientMessage>;
pub type Client = Side<ClientMessage, ServerMessage>;

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

/// Makes the table of the messages.
pub fn table() -> Result<variant_protocol::Table, variant_protocol::Mistakes> {
    variant_protocol::typed::table(PROTOCOL)
}

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
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Client;

    fn id(&self) -> u16 {
        match self {
            ClientMessage::Move(_) => 1,
            ClientMessage::Chat(_) => 2,
        }
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ClientMessage::Move(value) => variant_serde::to_vec(value),
            ClientMessage::Chat(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ClientMessage, variant_serde::Error>> {
        match id {
            1 => Some(variant_protocol::typed::read(value).map(ClientMessage::Move)),
            2 => Some(variant_protocol::typed::read(value).map(ClientMessage::Chat)),
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
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Server;

    fn id(&self) -> u16 {
        match self {
            ServerMessage::Chat(_) => 2,
            ServerMessage::World(_) => 3,
        }
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ServerMessage::Chat(value) => variant_serde::to_vec(value),
            ServerMessage::World(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ServerMessage, variant_serde::Error>> {
        match id {
            2 => Some(variant_protocol::typed::read(value).map(ServerMessage::Chat)),
            3 => Some(variant_protocol::typed::read(value).map(ServerMessage::World)),
            _ => None,
        }
    }
}
