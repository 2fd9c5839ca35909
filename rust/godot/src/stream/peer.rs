//! Peers: StreamPeer and PacketPeer, whatever their class, called by name. Nothing here waits for one, and nothing is
//! asked of one that would be logged: `connection.rs` and `packet_bound.rs` are asked first.

use godot::builtin::{PackedByteArray, VarArray, Variant, VariantType};
use godot::classes::Object;
use godot::global::Error;
use godot::meta::{FromGodot, ToGodot};
use godot::obj::{EngineEnum, Gd};
use variant_core::ErrorKind;

use super::connection::{Connection, State, call, connecting, is_class, misbehaved, unconnected};
use super::packet_bound::Room;
use super::{CHUNK, failed, trouble};
use crate::call::problem::Problem;
use crate::engine::names;
use crate::engine::quiet::quietly;

/// The interface through which a peer is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeerKind {
    Stream,
    Packet,
}

/// A peer that was made sure of.
pub(crate) struct Peer {
    object: Gd<Object>,
    kind: PeerKind,
    connection: Connection,
    room: Room,
    /// The bytes left of those that were offered last, of which the peer took a part. StreamPeerTLS holds
    /// them already: offered more than these, it would take the rest for sent as well.
    owed: usize,
    /// Something was sent, so that nothing has to be asked of the class that does not tell.
    is_proven: bool,
}

impl Peer {
    /// # Errors
    /// It is no object, or one of another class.
    pub(crate) fn new(value: &Variant, kind: PeerKind) -> Result<Peer, Problem> {
        let class = match kind {
            PeerKind::Stream => "StreamPeer",
            PeerKind::Packet => "PacketPeer",
        };
        let wrong = || Problem::wrong_type("peer", class, value.get_type().godot_type_name());
        if value.get_type() != VariantType::OBJECT {
            return Err(wrong());
        }
        let object = value.try_to::<Gd<Object>>().map_err(|_| wrong())?;
        if !is_class(&object, class) {
            return Err(wrong());
        }
        let (connection, room) = match kind {
            PeerKind::Stream => (Connection::of_stream(&object), Room::Untold),
            PeerKind::Packet => (Connection::of_packets(&object), Room::of(&object)),
        };
        Ok(Peer { object, kind, connection, room, owed: 0, is_proven: false })
    }

    /// Returns the stream in a PacketPeerStream, which itself would wait until that takes a packet; the two end together. Fails if
    /// it has none. Returns nothing for another class.
    pub(crate) fn within(&mut self) -> Result<Option<Peer>, Problem> {
        if !matches!(self.connection, Connection::Within) {
            return Ok(None);
        }
        let stream = call::<Variant>(&mut self.object, &names::GET_STREAM_PEER, &[])?;
        if stream.is_nil() {
            return Err(trouble(
                ErrorKind::PeerFailed,
                Error::ERR_UNCONFIGURED,
                "the PacketPeerStream has no stream_peer",
            ));
        }
        Peer::new(&stream, PeerKind::Stream).map(Some)
    }

    pub(crate) const fn kind(&self) -> PeerKind {
        self.kind
    }

    /// Whether `value` is this very peer.
    pub(crate) fn is(&self, value: &Variant) -> bool {
        value.object_id() == Some(self.object.instance_id())
    }

    /// Returns how many bytes can be had at once. Fails if the peer is not connected.
    pub(crate) fn available(&mut self) -> Result<usize, Problem> {
        match self.connection.state(&mut self.object)? {
            State::Opening => Err(connecting()),
            State::Over => Err(unconnected()),
            State::Open | State::Untold => {
                let there = call::<i64>(&mut self.object, &names::GET_AVAILABLE_BYTES, &[])?;
                Ok(usize::try_from(there).unwrap_or(0))
            }
        }
    }

    /// At most so many of the bytes that are there.
    /// Passes on what the peer answers.
    pub(crate) fn read(&mut self, count: usize) -> Result<PackedByteArray, Problem> {
        let most = i64::try_from(count).unwrap_or(i64::MAX);
        let answer = call::<VarArray>(&mut self.object, &names::GET_PARTIAL_DATA, &[most.to_variant()])?;
        let (error, bytes) = answered::<PackedByteArray>(&answer, VariantType::PACKED_BYTE_ARRAY)?;
        match error {
            Error::OK if bytes.len() > count => Err(misbehaved()),
            Error::OK => Ok(bytes),
            other => Err(failed(ErrorKind::PeerFailed, other, "reading from the peer")),
        }
    }

    /// Hands over the packets that can be had at once, at most so many and while they are wanted. Fails if the peer is not
    /// connected and has none left, or with what it answers.
    pub(crate) fn packets(
        &mut self,
        most: usize,
        mut take: impl FnMut(PackedByteArray) -> bool,
    ) -> Result<(), Problem> {
        let state = self.connection.state(&mut self.object)?;
        // It has none yet, and some classes log that they were asked.
        if state == State::Opening {
            return Ok(());
        }
        let is_over = state == State::Over;
        // Packets that came before the end are still there; where none are, some classes log that they were asked.
        let mut all = || {
            let there = call::<i64>(&mut self.object, &names::GET_AVAILABLE_PACKET_COUNT, &[])?;
            let there = usize::try_from(there).unwrap_or(0);
            for _ in 0..there.min(most) {
                let Some(packet) = packet(&mut self.object)? else { break };
                if !take(packet) {
                    break;
                }
            }
            Ok::<_, Problem>(there)
        };
        let there = if is_over { quietly(all)? } else { all()? };
        if is_over && there == 0 { Err(unconnected()) } else { Ok(()) }
    }

    /// Sends as many of these bytes as the peer takes at once, and tells how many.
    /// Passes on what the peer answers.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        let mut sent = 0;
        while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty())
            && self.is_open()?
        {
            let size = if self.owed > 0 { self.owed } else { CHUNK };
            let offer = rest.get(..size).unwrap_or(rest);
            let taken = self.offer(offer)?;
            sent += taken;
            self.owed = offer.len() - taken;
            if self.owed > 0 {
                break;
            }
        }
        Ok(sent)
    }

    fn offer(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        let bytes_given = [PackedByteArray::from(bytes).to_variant()];
        let answer =
            self.first_quietly(|object| call::<VarArray>(object, &names::PUT_PARTIAL_DATA, &bytes_given))?;
        let (error, sent) = answered::<i64>(&answer, VariantType::INT)?;
        match error {
            Error::OK => {
                self.is_proven = true;
                Ok(usize::try_from(sent).unwrap_or(0).min(bytes.len()))
            }
            Error::ERR_BUSY => Ok(0),
            other => Err(failed(ErrorKind::PeerFailed, other, "sending to the peer")),
        }
    }

    /// Tells whether something can be sent now, rather than later. Fails if the peer is not connected.
    pub(crate) fn is_open(&mut self) -> Result<bool, Problem> {
        match self.connection.state(&mut self.object)? {
            State::Open | State::Untold => Ok(true),
            State::Opening => Ok(false),
            // A socket is opened by the first packet that it sends.
            State::Over if matches!(self.connection, Connection::Socket) => Ok(true),
            State::Over => Err(unconnected()),
        }
    }

    /// # Errors
    /// A packet of so many bytes would never be taken.
    pub(crate) fn check_size(&mut self, size: usize) -> Result<(), Problem> {
        self.room.check(&mut self.object, size)
    }

    /// Sends a packet to a peer that is open, or tells that it has no room for it now.
    /// Passes on what the peer answers.
    pub(crate) fn send(&mut self, packet: &PackedByteArray) -> Result<bool, Problem> {
        self.check_size(packet.len())?;
        if !self.room.is_there(&mut self.object, packet.len())? {
            return Ok(false);
        }
        let given = [packet.to_variant()];
        let answer = self.first_quietly(|object| call::<i64>(object, &names::PUT_PACKET, &given))?;
        match code(answer) {
            Error::OK => {
                self.is_proven = true;
                self.room.fill();
                Ok(true)
            }
            Error::ERR_BUSY | Error::ERR_OUT_OF_MEMORY => Ok(false),
            other => Err(failed(ErrorKind::PeerFailed, other, "sending a packet")),
        }
    }

    /// Where the class does not tell whether anything can be sent, the first time shows it; the engine logs when not.
    fn first_quietly<T>(&mut self, send: impl FnOnce(&mut Gd<Object>) -> T) -> T {
        let is_uncertain = matches!(self.connection, Connection::Socket | Connection::Untold);
        if self.is_proven || !is_uncertain {
            return send(&mut self.object);
        }
        quietly(|| send(&mut self.object))
    }
}

/// The next packet, if there is one: an empty one may be an error.
fn packet(peer: &mut Gd<Object>) -> Result<Option<PackedByteArray>, Problem> {
    let packet: PackedByteArray = call(peer, &names::GET_PACKET, &[])?;
    if !packet.is_empty() {
        return Ok(Some(packet));
    }
    match code(call(peer, &names::GET_PACKET_ERROR, &[])?) {
        Error::OK => Ok(Some(packet)),
        Error::ERR_UNAVAILABLE => Ok(None),
        other => Err(failed(ErrorKind::PeerFailed, other, "taking a packet")),
    }
}

/// An error code and what goes with it. Its type is asked first, since of another one the conversion makes an empty array.
fn answered<T: FromGodot>(answer: &VarArray, wanted: VariantType) -> Result<(Error, T), Problem> {
    let error = answer.get(0).and_then(|error| error.try_to::<i64>().ok()).ok_or_else(misbehaved)?;
    let with = answer.get(1).filter(|with| with.get_type() == wanted).ok_or_else(misbehaved)?;
    Ok((code(error), with.try_to().map_err(|_| misbehaved())?))
}

fn code(number: i64) -> Error {
    i32::try_from(number).ok().and_then(Error::try_from_ord).unwrap_or(Error::FAILED)
}
