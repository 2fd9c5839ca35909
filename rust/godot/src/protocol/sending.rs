//! Sends for a `VariantProtocol`: values become bytes outside of its lock, since checks and getters are scripts, and bytes
//! become packets within it. The side that sends may be meant, too: the host who plays, and a player who is alone.

use std::sync::Arc;

use godot::builtin::{PackedByteArray, Variant};
use variant_protocol::{Carry, Delivery, Mode, Protocol, Role, SERVER, Sender, To};

use super::arriving::Origin;
use super::{ArrivedValue, Host, MessageRecord, Slot, errors, unknown_name};
use crate::call::codec::Codec;
use crate::call::form::{Call, CallForm};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;

/// A packet on its way out: to whom, and how.
pub(crate) type Packet = (i32, Vec<u8>, Mode);

/// Holds what came of sending: packets, and why there are not all of them.
pub(crate) struct Packets {
    pub(crate) packets: Vec<Packet>,
    pub(crate) made: Result<(), Problem>,
}

/// Says how a value is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SendKind {
    Message,
    /// As a message that waits for others to share its packet.
    Queued,
    State,
}

/// Says which peers are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peers {
    One(i32),
    /// All peers that listen, but for one.
    AllBut(Option<i32>),
}

impl Peers {
    /// Reads the engine's form: 0 for all, a negative id for all but that one.
    pub(crate) fn of(peer: i64) -> Option<Peers> {
        let peer = i32::try_from(peer).ok()?;
        match peer {
            0 => Some(Peers::AllBut(None)),
            1.. => Some(Peers::One(peer)),
            _ => Some(Peers::AllBut(Some(peer.checked_neg()?))),
        }
    }

    const fn to(self) -> To<'static> {
        match self {
            Peers::One(peer) => To::One(peer),
            Peers::AllBut(None) => To::All,
            Peers::AllBut(Some(peer)) => To::AllBut(peer),
        }
    }
}

/// Holds what a value needs to become bytes outside of the lock.
pub(crate) struct Encoding {
    id: u16,
    held: Arc<BoundSchema>,
    settings: Settings,
    pub(crate) codec: Box<Codec>,
}

/// Holds a value that its message's schema accepts, in Godot's binary format.
pub(crate) struct EncodedMessage {
    pub(super) id: u16,
    pub(super) name: String,
    pub(super) bytes: PackedByteArray,
}

impl Encoding {
    /// Encodes a value. Its checks and the getters of its objects may use the protocol meanwhile.
    pub(crate) fn encode(&mut self, name: String, value: &Variant) -> Result<EncodedMessage, Problem> {
        let call = Call { settings: &self.settings, form: CallForm::Schema(&self.held) };
        match self.codec.encoded(&call, value) {
            Ok(bytes) => Ok(EncodedMessage { id: self.id, name, bytes }),
            Err(problem) => Err(errors::in_message(problem, &name)),
        }
    }
}

impl Host {
    /// Lends what a value of this message needs to become bytes.
    pub(crate) fn encoding(&mut self, name: &str) -> Result<Encoding, Problem> {
        let id = self.protocol()?.table().id(name).ok_or_else(|| unknown_name(name))?;
        let slot = self.running.as_ref().and_then(|running| running.slot(id));
        let held = slot.map(|slot| Arc::clone(&slot.held)).ok_or_else(|| unknown_name(name))?;
        Ok(Encoding { id, held, settings: self.settings, codec: self.lend_codec() })
    }

    /// Tells whether this side may send a message of this name at all.
    pub(crate) fn may_send(&mut self, name: &str, kind: SendKind) -> Result<(), Problem> {
        let protocol = self.protocol()?;
        let id = protocol.table().id(name).ok_or_else(|| unknown_name(name))?;
        let can_send = match kind {
            SendKind::State => protocol.can_send_state(id),
            _ => protocol.can_send(id),
        };
        can_send.map_err(|error| errors::of_send(&error, name))
    }

    /// Makes the packet of one message. The game carries it, so nobody here knows to whom.
    pub(crate) fn encode(&mut self, value: &EncodedMessage) -> Result<Vec<u8>, Problem> {
        let mut packet = Vec::new();
        let made = self.protocol()?.encode(value.id, value.bytes.as_slice(), &mut packet);
        made.map_err(|error| errors::of_send(&error, &value.name))?;
        self.note_sent(value, Peers::AllBut(None), Delivery { bytes: packet.len(), peers: 1 });
        Ok(packet)
    }

    /// Makes the packets of a message or a state, for each peer. Some can be there although others failed.
    pub(crate) fn send(&mut self, value: &EncodedMessage, kind: SendKind, peers: Peers, now: u64) -> Packets {
        let mut packets = Vec::new();
        let mut carry = |peer, packet: &[u8], mode| packets.push((peer, packet.to_vec(), mode));
        let sent = self.protocol().and_then(|protocol| {
            let (bytes, to) = (value.bytes.as_slice(), peers.to());
            let sent = match kind {
                SendKind::Message => protocol.send(value.id, bytes, to, now, &mut carry),
                SendKind::Queued => protocol.queue(value.id, bytes, to, now),
                SendKind::State => protocol.send_state(value.id, bytes, to, now, &mut carry),
            };
            sent.map_err(|error| errors::of_send(&error, &value.name))
        });
        let made = sent.map(|delivery| self.note_sent(value, peers, delivery));
        Packets { packets, made }
    }

    /// Makes the packets that are due, by `Protocol::tick`, or of all that waits, by `Protocol::flush`.
    pub(crate) fn due(&mut self, now: u64, make: fn(&mut Protocol, u64, Carry<'_>)) -> Vec<Packet> {
        let mut packets = Vec::new();
        if let Some(protocol) = self.running() {
            make(protocol, now, &mut |peer, packet, mode| packets.push((peer, packet.to_vec(), mode)));
        }
        packets
    }

    fn note_sent(&mut self, value: &EncodedMessage, peers: Peers, delivery: Delivery) {
        let peer = if let Peers::One(peer) = peers { peer } else { 0 };
        self.watched.note(delivery.peers, || {
            let (name, bytes) = (value.name.clone(), value.bytes.to_vec());
            MessageRecord { name, is_sent: true, peer, size: delivery.bytes, bytes, reason: String::new() }
        });
    }

    /// Tells whether a message of this name is for this side itself, whose id is `own`. Those of clients are for the server,
    /// those of the server for all who play, and those of both for everybody.
    pub(crate) fn is_for_itself(&mut self, name: &str, peers: Peers, own: i32) -> bool {
        let role = self.role;
        let Some(slot) = self.slot_of(name).filter(|slot| slot.is_local) else { return false };
        let is_meant = match peers {
            Peers::One(peer) => peer == own,
            Peers::AllBut(left_out) => left_out != Some(own),
        };
        is_meant && (slot.sender != Sender::Client || role == Role::Server)
    }

    /// Tells whether a message of this name that is for this side goes to nobody else: the server has no other server.
    pub(crate) fn is_for_itself_alone(&mut self, name: &str, peers: Peers) -> bool {
        let role = self.role;
        let is_of_clients = self.slot_of(name).is_some_and(|slot| slot.sender == Sender::Client);
        role == Role::Server && (is_of_clients || peers == Peers::One(SERVER))
    }

    fn slot_of(&mut self, name: &str) -> Option<&Slot> {
        let id = self.protocol().ok()?.table().id(name)?;
        self.running.as_ref()?.slot(id)
    }

    /// Returns a value as its receiver would have it, and its handler.
    pub(crate) fn received_here(
        &mut self,
        value: &EncodedMessage,
        own: i32,
    ) -> Result<ArrivedValue, Problem> {
        let mut bytes = Vec::new();
        let made = self.protocol()?.as_received(value.id, value.bytes.as_slice(), &mut bytes);
        made.map_err(|error| errors::of_send(&error, &value.name))?;
        let origin = Origin { peer: own, id: value.id, size: value.bytes.len(), is_state: false };
        let arrived = self.running.as_ref().and_then(|running| running.arrived(origin, bytes, Vec::new()));
        arrived.ok_or_else(|| unknown_name(&value.name))
    }
}
