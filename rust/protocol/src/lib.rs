//! Runs the network protocol of a game without a network: a table of messages, a handshake, budgets and scores
//! for each peer, and states that are sent as deltas.
//!
//! ```text
//! receive:  packet ─► open: peer, size, budget ─► next: id, direction, handshake, rate ─► Form ─► Event
//!           next_state: a state of several parts, once all are there ─► Event
//! send:     value ─► Form ─► send | queue and flush | send_state (a delta on what the peer has) ─► packet
//! peers:    connect, leave, compare ─► hello, answer, bye ─► Event: greeted, mismatched, left
//! ```
//! Packets, the time and a seed are given to it, so that tests and servers decide where they come from. Values are in
//! Godot's binary format; [`Form`] packs them by their schemas.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![forbid(unsafe_code)]
#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unwrap_used
    )
)]

mod bucket;
mod event;
mod form;
mod hello;
mod life;
mod local;
mod named;
mod outside;
mod peer;
mod pieces;
mod protocol;
mod queue;
mod receive;
mod receive_states;
mod refusal;
mod score;
mod send;
mod send_states;
mod spec;
mod state_form;
mod states;
mod table;
#[cfg(test)]
mod tests;
#[cfg(feature = "typed")]
pub mod typed;
mod wire;

pub use bucket::Rate;
pub use event::{Event, LeaveReason, WrongPeer};
pub use form::Form;
pub use hello::{Difference, Differs, Mismatch};
pub use peer::Counts;
pub use protocol::{Handshake, Protocol, Role, SERVER};
pub use receive::Incoming;
pub use receive_states::StateInfo;
pub use refusal::{Detail, Refusal, SendError};
pub use score::{COUNT as OFFENCE_COUNT, Offence, Policy};
pub use send::{Carry, Delivery, To};
pub use spec::{Category, Change, DATAGRAM, Declared, Spec, diff, rate};
pub use state_form::History;
pub use table::{LARGEST_ID, MOST_HISTORY, Message, Mode, Sender, Table};
pub use variant_core::{Mistake, Mistakes};
pub use variant_pack::MOST_PARTS;
