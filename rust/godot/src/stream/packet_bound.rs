//! Tells how large a packet a peer takes at all, and whether it takes one now. The engine logs and drops what it has no
//! room for, so this is asked before a packet is handed over.

use godot::classes::Object;
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::Gd;
use variant_core::ErrorKind;

use super::connection::{Connection, State, call, is_class};
use super::trouble;
use crate::call::problem::Problem;
use crate::engine::names;

/// The bytes that fit into one record of DTLS. The engine gives the connection up over a larger packet.
const DTLS_RECORD: usize = 1 << 14;

/// `MultiplayerPeer.TARGET_PEER_SERVER`.
const SERVER: i64 = 1;

/// How a class bounds its packets.
pub(crate) enum Room {
    /// It takes what comes, or says that it is busy.
    Untold,
    /// At most so many bytes at once.
    Fixed(usize),
    /// PacketPeerStream: at most so many bytes as it says.
    Stream,
    /// WebSocketPeer: a buffer that fills up.
    Queue(Queue),
    /// WebSocketMultiplayerPeer: the buffer of a client's only peer. A server does not tell how much room its
    /// peers have.
    Client(Queue),
}

/// The bytes and packets that wait in a WebSocketPeer.
#[derive(Default)]
pub(crate) struct Queue {
    /// Packets sent since it was empty. The engine bounds them, and does not tell how many there are.
    sent: i64,
}

impl Room {
    pub(crate) fn of(peer: &Gd<Object>) -> Room {
        match () {
            () if is_class(peer, "WebSocketPeer") => Room::Queue(Queue::default()),
            () if is_class(peer, "WebSocketMultiplayerPeer") => Room::Client(Queue::default()),
            () if is_class(peer, "PacketPeerStream") => Room::Stream,
            () if is_class(peer, "PacketPeerDTLS") => Room::Fixed(DTLS_RECORD),
            () => Room::Untold,
        }
    }

    /// # Errors
    /// A packet of so many bytes would never be taken.
    pub(crate) fn check(&self, peer: &mut Gd<Object>, size: usize) -> Result<(), Problem> {
        let most = match self {
            Room::Untold => None,
            Room::Fixed(most) => Some(*most),
            Room::Stream => Some(unsigned(call(peer, &names::GET_OUTPUT_BUFFER_MAX_SIZE, &[])?)),
            Room::Queue(_) => Queue::most(peer)?,
            Room::Client(_) => client(peer)?.map_or(Ok(None), |mut peer| Queue::most(&mut peer))?,
        };
        match most {
            Some(most) if size > most => Err(trouble(
                ErrorKind::PeerFailed,
                Error::ERR_OUT_OF_MEMORY,
                &format!("a packet of {size} bytes, of which the peer takes at most {most}"),
            )),
            _ => Ok(()),
        }
    }

    /// Tells whether a packet of so many bytes can go now. Fails if the peer does not answer as its class should.
    pub(crate) fn is_there(&mut self, peer: &mut Gd<Object>, size: usize) -> Result<bool, Problem> {
        match self {
            Room::Untold | Room::Fixed(_) | Room::Stream => Ok(true),
            Room::Queue(queue) => queue.has_room(peer, size),
            Room::Client(queue) => {
                let Some(mut peer) = client(peer)? else { return Ok(true) };
                // That it is closed, the one around it learns by its next poll.
                let is_open = Connection::of_packets(&peer).state(&mut peer)? == State::Open;
                Ok(is_open && queue.has_room(&mut peer, size)?)
            }
        }
    }

    /// A packet went.
    pub(crate) fn fill(&mut self) {
        if let Room::Queue(queue) | Room::Client(queue) = self {
            queue.sent = queue.sent.saturating_add(1);
        }
    }
}

impl Queue {
    /// Bytes that it can ever hold, where that is bounded.
    fn most(peer: &mut Gd<Object>) -> Result<Option<usize>, Problem> {
        let size = unsigned(call(peer, &names::GET_OUTBOUND_BUFFER_SIZE, &[])?);
        // In browsers the engine keeps one byte free.
        let most = size.saturating_sub(usize::from(cfg!(target_os = "emscripten")));
        Ok((size > 0).then_some(most))
    }

    fn has_room(&mut self, peer: &mut Gd<Object>, size: usize) -> Result<bool, Problem> {
        let there = unsigned(call(peer, &names::GET_CURRENT_OUTBOUND_BUFFERED_AMOUNT, &[])?);
        if there == 0 {
            self.sent = 0;
            return Ok(true);
        }
        let fits = Queue::most(peer)?.is_none_or(|most| there.saturating_add(size) <= most);
        Ok(fits && self.sent < call(peer, &names::GET_MAX_QUEUED_PACKETS, &[])?)
    }
}

/// The one peer of a client; a server has none of that number.
fn client(peer: &mut Gd<Object>) -> Result<Option<Gd<Object>>, Problem> {
    match call::<i64>(peer, &names::GET_UNIQUE_ID, &[])? {
        SERVER => Ok(None),
        _ => call(peer, &names::GET_PEER, &[SERVER.to_variant()]),
    }
}

fn unsigned(number: i64) -> usize {
    usize::try_from(number).unwrap_or(0)
}
