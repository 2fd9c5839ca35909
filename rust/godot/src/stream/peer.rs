//! Peers: StreamPeer and PacketPeer, whatever their class, called by name. Nothing here waits for one.

use godot::builtin::{GString, PackedByteArray, VarArray, Variant, VariantType};
use godot::classes::Object;
use godot::global::Error;
use godot::meta::{FromGodot, ToGodot};
use godot::obj::{EngineEnum, Gd};

use super::{CHUNK, failed};
use crate::codec::Problem;
use crate::names::{self, Name};

/// `StreamPeerTCP.STATUS_CONNECTED` and `StreamPeerTLS.STATUS_CONNECTED`.
const CONNECTED: i64 = 2;

/// What a peer is asked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Stream,
    Packet,
}

/// A peer that was made sure of.
pub(crate) struct Peer {
    object: Gd<Object>,
    kind: Kind,
    /// Asking a peer without a connection would be logged.
    has_status: bool,
    /// What is left of the bytes that were offered last, of which the peer took a part. StreamPeerTLS holds them
    /// already: offered more than these, it would take the rest for sent as well.
    owed: usize,
}

impl Peer {
    /// # Errors
    /// It is no object, or one of another class.
    pub(crate) fn new(value: &Variant, kind: Kind) -> Result<Peer, Problem> {
        let class = match kind {
            Kind::Stream => "StreamPeer",
            Kind::Packet => "PacketPeer",
        };
        let wrong = || Problem::wrong_type("peer", class, value.get_type().godot_type_name());
        if value.get_type() != VariantType::OBJECT {
            return Err(wrong());
        }
        let object = value.try_to::<Gd<Object>>().map_err(|_| wrong())?;
        if !object.is_class(&GString::from(class)) {
            return Err(wrong());
        }
        let has_status = kind == Kind::Stream && object.has_method(&*names::GET_STATUS);
        Ok(Peer { object, kind, has_status, owed: 0 })
    }

    pub(crate) const fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether `value` is this very peer.
    pub(crate) fn is(&self, value: &Variant) -> bool {
        value.object_id() == Some(self.object.instance_id())
    }

    /// Bytes or packets that can be had at once.
    ///
    /// # Errors
    /// The peer is not connected.
    pub(crate) fn available(&mut self) -> Result<usize, Problem> {
        self.check_connection()?;
        let method = match self.kind {
            Kind::Stream => &names::GET_AVAILABLE_BYTES,
            Kind::Packet => &names::GET_AVAILABLE_PACKET_COUNT,
        };
        Ok(usize::try_from(self.call::<i64>(method, &[])?).unwrap_or(0))
    }

    /// At most so many of the bytes that are there.
    ///
    /// # Errors
    /// What the peer answers.
    pub(crate) fn read(&mut self, count: usize) -> Result<PackedByteArray, Problem> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        let answer = self.call::<VarArray>(&names::GET_PARTIAL_DATA, &[count.to_variant()])?;
        let (error, bytes) = answered::<PackedByteArray>(&answer)?;
        if error == Error::OK { Ok(bytes) } else { Err(failed(error, "reading from the peer")) }
    }

    /// The next packet.
    ///
    /// # Errors
    /// What the peer answers.
    pub(crate) fn packet(&mut self) -> Result<PackedByteArray, Problem> {
        self.call(&names::GET_PACKET, &[])
    }

    /// Sends as many of these bytes as the peer takes at once, and tells how many.
    ///
    /// # Errors
    /// What the peer answers.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<usize, Problem> {
        let mut sent = 0;
        while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
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
        self.check_connection()?;
        let answer =
            self.call::<VarArray>(&names::PUT_PARTIAL_DATA, &[PackedByteArray::from(bytes).to_variant()])?;
        let (error, sent) = answered::<i64>(&answer)?;
        match error {
            Error::OK => Ok(usize::try_from(sent).unwrap_or(0).min(bytes.len())),
            Error::ERR_BUSY => Ok(0),
            other => Err(failed(other, "sending to the peer")),
        }
    }

    /// Sends a packet, or tells that the peer has no room for it now.
    ///
    /// # Errors
    /// What the peer answers.
    pub(crate) fn send(&mut self, packet: &PackedByteArray) -> Result<bool, Problem> {
        match code(self.call::<i64>(&names::PUT_PACKET, &[packet.to_variant()])?) {
            Error::OK => Ok(true),
            Error::ERR_BUSY => Ok(false),
            other => Err(failed(other, "sending a packet")),
        }
    }

    fn check_connection(&mut self) -> Result<(), Problem> {
        if self.has_status && self.call::<i64>(&names::GET_STATUS, &[])? != CONNECTED {
            return Err(failed(Error::ERR_CONNECTION_ERROR, "the peer is not connected"));
        }
        Ok(())
    }

    fn call<T: FromGodot>(&mut self, method: &Name, arguments: &[Variant]) -> Result<T, Problem> {
        let answer = self.object.try_call(&**method, arguments).map_err(|_| misbehaved())?;
        answer.try_to().map_err(|_| misbehaved())
    }
}

/// An error code and what goes with it.
fn answered<T: FromGodot>(answer: &VarArray) -> Result<(Error, T), Problem> {
    let error = answer.get(0).and_then(|error| error.try_to::<i64>().ok()).ok_or_else(misbehaved)?;
    let with = answer.get(1).and_then(|with| with.try_to::<T>().ok()).ok_or_else(misbehaved)?;
    Ok((code(error), with))
}

fn code(number: i64) -> Error {
    i32::try_from(number).ok().and_then(Error::try_from_ord).unwrap_or(Error::FAILED)
}

#[cold]
fn misbehaved() -> Problem {
    failed(Error::FAILED, "the peer does not answer as its class should")
}
