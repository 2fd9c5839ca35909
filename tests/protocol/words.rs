//! The messages of a protocol, each as a type of its own. Written by `gdvar protocol rust`: changes are lost when it is written
//! again.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, clippy::all)]

use serde::{Deserialize, Serialize};
pub use variant_protocol::typed::{Arrival, Message, SendFailure, Side};

pub type Server = Side<ServerMessage, ClientMessage>;
pub type Client = Side<ClientMessage, ServerMessage>;

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

/// Makes the table of the messages.
pub fn table() -> Result<variant_protocol::Table, variant_protocol::Mistakes> {
    variant_protocol::typed::table(PROTOCOL)
}

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
    #[serde(rename = "é", default, skip_serializing_if = "Option::is_none", deserialize_with = "variant_protocol::typed::there")]
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
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Client;

    fn id(&self) -> u16 {
        match self {
            ClientMessage::Message1(_) => 1,
            ClientMessage::Client(_) => 2,
            ClientMessage::Message3(_) => 3,
        }
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
            1 => Some(variant_protocol::typed::read(value).map(ClientMessage::Message1)),
            2 => Some(variant_protocol::typed::read(value).map(ClientMessage::Client)),
            3 => Some(variant_protocol::typed::read(value).map(ClientMessage::Message3)),
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
    const PROTOCOL: &'static str = PROTOCOL;
    const SENDER: variant_protocol::Role = variant_protocol::Role::Server;

    fn id(&self) -> u16 {
        match self {
            ServerMessage::Message1(_) => 1,
            ServerMessage::Message4(_) => 4,
        }
    }

    fn write(&self) -> Result<Vec<u8>, variant_serde::Error> {
        match self {
            ServerMessage::Message1(value) => variant_serde::to_vec(value),
            ServerMessage::Message4(value) => variant_serde::to_vec(value),
        }
    }

    fn read(id: u16, value: &[u8]) -> Option<Result<ServerMessage, variant_serde::Error>> {
        match id {
            1 => Some(variant_protocol::typed::read(value).map(ServerMessage::Message1)),
            4 => Some(variant_protocol::typed::read(value).map(ServerMessage::Message4)),
            _ => None,
        }
    }
}
