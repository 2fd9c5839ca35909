//! Connection: how far a peer's connection is, as its class tells it. The engine logs every question to a
//! peer that has no connection, so this is asked first. `packet_bound.rs` says how much a peer has room for.

use std::ops::RangeInclusive;

use godot::builtin::{GString, Variant};
use godot::classes::Object;
use godot::global::Error;
use godot::meta::FromGodot;
use godot::obj::Gd;
use variant_core::ErrorKind;

use super::trouble;
use crate::call::problem::Problem;
use crate::engine::names::{self, Name};

/// How far a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Opening,
    Open,
    /// It is closed, or was never begun.
    Over,
    /// The class has no word for it.
    Untold,
}

/// How a class tells it.
pub(crate) enum Connection {
    Status(&'static StatusMethod),
    /// PacketPeerUDP: a socket that is open or not, which says nothing of sending.
    Socket,
    /// PacketPeerStream: as the stream in it.
    Within,
    Untold,
}

/// A number that the class has a method for.
pub(crate) struct StatusMethod {
    class: &'static str,
    method: &'static Name,
    opening: RangeInclusive<i64>,
    open: i64,
}

/// StreamPeerTCP, StreamPeerUDS and StreamPeerTLS.
static STREAM: StatusMethod =
    StatusMethod { class: "StreamPeer", method: &names::GET_STATUS, opening: 1..=1, open: 2 };

static PACKETS: [StatusMethod; 5] = [
    StatusMethod { class: "PacketPeerDTLS", method: &names::GET_STATUS, opening: 1..=1, open: 2 },
    StatusMethod { class: "WebSocketPeer", method: &names::GET_READY_STATE, opening: 0..=0, open: 1 },
    StatusMethod { class: "WebRTCDataChannel", method: &names::GET_READY_STATE, opening: 0..=0, open: 1 },
    StatusMethod { class: "MultiplayerPeer", method: &names::GET_CONNECTION_STATUS, opening: 1..=1, open: 2 },
    StatusMethod { class: "ENetPacketPeer", method: &names::GET_STATE, opening: 1..=4, open: 5 },
];

impl Connection {
    pub(crate) fn of_stream(stream: &Gd<Object>) -> Connection {
        if stream.has_method(&*names::GET_STATUS) { Connection::Status(&STREAM) } else { Connection::Untold }
    }

    pub(crate) fn of_packets(peer: &Gd<Object>) -> Connection {
        match PACKETS.iter().find(|numbered| is_class(peer, numbered.class)) {
            Some(numbered) => Connection::Status(numbered),
            None if is_class(peer, "PacketPeerUDP") => Connection::Socket,
            None if is_class(peer, "PacketPeerStream") => Connection::Within,
            None => Connection::Untold,
        }
    }

    /// # Errors
    /// The peer does not answer as its class should.
    pub(crate) fn state(&self, peer: &mut Gd<Object>) -> Result<State, Problem> {
        match self {
            Connection::Status(numbered) => {
                let number = call::<i64>(peer, numbered.method, &[])?;
                Ok(match number {
                    _ if number == numbered.open => State::Open,
                    _ if numbered.opening.contains(&number) => State::Opening,
                    _ => State::Over,
                })
            }
            Connection::Socket => {
                let is_bound = call::<bool>(peer, &names::IS_BOUND, &[])?;
                Ok(if is_bound { State::Open } else { State::Over })
            }
            Connection::Within => match call::<Option<Gd<Object>>>(peer, &names::GET_STREAM_PEER, &[])? {
                Some(mut stream) => Connection::of_stream(&stream).state(&mut stream),
                None => Ok(State::Over),
            },
            Connection::Untold => Ok(State::Untold),
        }
    }
}

pub(super) fn is_class(object: &Gd<Object>, class: &str) -> bool {
    object.is_class(&GString::from(class))
}

/// Calls a method, and returns its answer. Fails if there is none of that name, or the answer has another type.
pub(super) fn call<T: FromGodot>(
    object: &mut Gd<Object>,
    method: &Name,
    arguments: &[Variant],
) -> Result<T, Problem> {
    let answer = object.try_call(&**method, arguments).map_err(|_| misbehaved())?;
    answer.try_to().map_err(|_| misbehaved())
}

#[cold]
pub(super) fn misbehaved() -> Problem {
    trouble(ErrorKind::PeerFailed, Error::FAILED, "the peer does not answer as its class should")
}

#[cold]
pub(super) fn connecting() -> Problem {
    trouble(ErrorKind::PeerFailed, Error::ERR_CONNECTION_ERROR, "the peer is not connected yet")
}

#[cold]
pub(super) fn unconnected() -> Problem {
    trouble(ErrorKind::PeerFailed, Error::ERR_CONNECTION_ERROR, "the peer is not connected")
}
