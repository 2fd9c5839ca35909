//! The messages of a protocol, each as a type of its own. Written by `gdvar protocol rust`: changes are lost when it is written
//! again.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports, clippy::all)]

use serde::{Deserialize, Serialize};
pub use variant_protocol::typed::{Arrival, Message, SendFailure, Side};

pub type Server = Side<ServerMessage, ClientMessage>;
pub type Client = Side<ClientMessage, ServerMessage>;
