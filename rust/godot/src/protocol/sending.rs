//! Sends for a `VariantProtocol`: values become bytes outside of its lock, since checks and getters are scripts, and bytes
//! become packets within it.

use std::sync::Arc;

use godot::builtin::{PackedByteArray, Variant};
use variant_protocol::{Mode, Role};

use super::{Host, Seen, trouble, unknown_name};
use crate::codec::{Codec, Problem, Settings};
use crate::schema::Held;

/// A packet on its way out: to whom, and how.
pub(crate) type Packet = (i32, Vec<u8>, Mode);

/// Says which peers are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peers {
    /// This peer alone.
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
}

/// Holds what a value needs to become bytes outside of the lock.
pub(crate) struct Encoding {
    id: u16,
    held: Arc<Held>,
    settings: Settings,
    pub(crate) codec: Box<Codec>,
}

/// Holds a value that its message's schema accepts, in Godot's binary format.
pub(crate) struct Encoded {
    id: u16,
    name: String,
    bytes: PackedByteArray,
}

impl Encoding {
    /// Encodes a value. Its checks and the getters of its objects may use the protocol meanwhile.
    pub(crate) fn encode(&mut self, name: String, value: &Variant) -> Result<Encoded, Problem> {
        let mut answer = Variant::nil();
        self.codec
            .encode_checked(&self.settings, &self.held, value, &mut answer)
            .map_err(|problem| trouble::in_message(problem, &name))?;
        Ok(Encoded { id: self.id, name, bytes: answer.try_to().unwrap_or_default() })
    }
}

impl Host {
    /// Lends what a value of this message needs to become bytes.
    pub(crate) fn encoding(&mut self, name: &str) -> Result<Encoding, Problem> {
        let id = self.protocol()?.table().id(name).ok_or_else(|| unknown_name(name))?;
        let held =
            self.running.as_ref().and_then(|running| running.slot(id)).map(|slot| Arc::clone(&slot.held));
        let held = held.ok_or_else(|| unknown_name(name))?;
        Ok(Encoding { id, held, settings: self.settings, codec: self.lend_codec() })
    }

    /// Makes the packet of one message. The game carries it, so nobody here knows to whom.
    pub(crate) fn encode(&mut self, value: &Encoded) -> Result<Vec<u8>, Problem> {
        let (_, packet) = self.packet(value)?;
        self.note_sent(value, &[0], packet.len());
        Ok(packet)
    }

    /// Makes the packets of one message, for each peer.
    pub(crate) fn send(&mut self, value: &Encoded, peers: Peers) -> Result<Vec<Packet>, Problem> {
        let (mode, packet) = self.packet(value)?;
        let peers = self.chosen(&value.name, peers)?;
        self.note_sent(value, &peers, packet.len());
        Ok(peers.into_iter().map(|peer| (peer, packet.clone(), mode)).collect())
    }

    fn packet(&mut self, value: &Encoded) -> Result<(Mode, Vec<u8>), Problem> {
        let mut packet = Vec::new();
        let mode = self.protocol()?.encode(value.id, value.bytes.as_slice(), &mut packet);
        Ok((mode.map_err(|error| trouble::of_send(&error, &value.name))?, packet))
    }

    /// Lets a message wait for peers.
    pub(crate) fn queue(&mut self, value: &Encoded, peers: Peers) -> Result<(), Problem> {
        let peers = self.chosen(&value.name, peers)?;
        let queued = self.protocol()?.queue(value.id, value.bytes.as_slice(), &peers);
        let size = queued.map_err(|error| trouble::of_send(&error, &value.name))?;
        self.note_sent(value, &peers, size);
        Ok(())
    }

    /// Makes the packets of a state.
    pub(crate) fn state(&mut self, value: &Encoded, peers: Peers) -> (Vec<Packet>, Result<(), Problem>) {
        let mut packets = Vec::new();
        let made = self.state_into(value, peers, &mut packets);
        (packets, made)
    }

    fn state_into(
        &mut self,
        value: &Encoded,
        peers: Peers,
        packets: &mut Vec<Packet>,
    ) -> Result<(), Problem> {
        let peers = self.chosen(&value.name, peers)?;
        let mut carry = |peer, packet: &[u8], mode| packets.push((peer, packet.to_vec(), mode));
        let sent = self.protocol()?.send_state(value.id, value.bytes.as_slice(), &peers, &mut carry);
        // Each peer can get another difference; the panel is told of their mean.
        let size =
            packets.iter().map(|(_, packet, _)| packet.len()).sum::<usize>().checked_div(packets.len());
        self.note_sent(value, &peers, size.unwrap_or(0));
        sent.map_err(|error| trouble::of_send(&error, &value.name))
    }

    /// Returns the peers that are meant.
    fn chosen(&mut self, name: &str, peers: Peers) -> Result<Vec<i32>, Problem> {
        let role = self.role;
        let protocol = self.protocol()?;
        let chosen: Vec<i32> = match peers {
            Peers::One(peer) => vec![peer],
            Peers::AllBut(left_out) => protocol.listeners().filter(|peer| Some(*peer) != left_out).collect(),
        };
        let is_alone = role == Role::Client && peers == Peers::AllBut(None) && chosen.is_empty();
        if is_alone { Err(trouble::no_server(name)) } else { Ok(chosen) }
    }

    /// Notes a message on its way out.
    fn note_sent(&mut self, value: &Encoded, peers: &[i32], size: usize) {
        let peer = if let [peer] = peers { *peer } else { 0 };
        self.watched.note(peers.len(), || {
            let (name, bytes) = (value.name.clone(), value.bytes.to_vec());
            Seen { name, is_sent: true, peer, size, bytes, reason: String::new() }
        });
    }
}
