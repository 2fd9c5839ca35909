//! Sends states: packed once, in parts of which those that are told from the same states go as one difference. Parts that do not
//! fit a packet or the peer's budget are left out, and the one that is the oldest for the peer comes first.

use std::sync::Arc;

use variant_pack::{Codes, Deal, MeasuredPart, Packer, PartSet, PartStates};

use crate::form::Answer;
use crate::peer::{Own, Peer};
use crate::pieces::{Piece, ReadPieces};
use crate::protocol::Protocol;
use crate::refusal::SendError;
use crate::send::{Carry, Delivery, To, Ways, reachable};
use crate::state_form::StateForm;
use crate::states::{Baselines, Room, SendRing};
use crate::table::Message;
use crate::wire::{BaseNumbers, base_hash, put_id, put_parts};

impl Protocol {
    /// Sends a state: packed once, and one difference for all peers that have the same states already. A packet has as many parts
    /// of a state as fit; those that the budget of a peer leaves out come with the next states.
    ///
    /// # Errors
    /// The value is refused, or a peer is not greeted. Other peers are served nevertheless; the first error is returned.
    #[expect(clippy::too_many_arguments, reason = "what, to whom, when and how are said in one place")]
    pub fn send_state(
        &mut self,
        id: u16,
        value: &[u8],
        to: To<'_>,
        now: u64,
        carry: Carry<'_>,
    ) -> Result<Delivery, SendError> {
        let now = self.pass(now);
        self.can_send_state(id)?;
        let chosen = self.chosen(id, to)?;
        let Protocol { table, policy, handshake, peers, outside, packer, read, .. } = self;
        let message = table.message(id).ok_or(SendError::UnknownMessage)?;
        let form = table.state_form(id).ok_or(SendError::UnknownMessage)?;
        let ways = Ways { table, policy, handshake: *handshake, now };
        let pieces = form.pack(packer, read, value)?;
        let mut news = SharedState {
            message,
            form,
            id,
            pieces,
            deltas: Vec::new(),
            measured: Vec::new(),
            packet: Vec::new(),
            packets: Vec::new(),
            spare: Vec::new(),
            due: Vec::new(),
            packer,
            read,
        };
        let (mut outcome, mut sum, mut count) = (Ok(()), 0usize, 0usize);
        for peer in chosen {
            let sent = match reachable(peers, outside, peer) {
                Err(error) => Err(error),
                Ok(known) if !known.is_greeted => Err(SendError::NotGreeted(peer)),
                Ok(known) => news.send(peer, known, ways, carry),
            };
            if let Ok(size) = sent {
                (sum, count) = (sum.saturating_add(size), count.saturating_add(1));
            }
            outcome = outcome.and(sent.map(drop));
        }
        let SharedState { measured, packer, .. } = news;
        measured.into_iter().for_each(|(_, _, part)| packer.reuse(part));
        read.forget_unused();
        // Each peer can get another difference: the mean is told.
        outcome.map(|()| Delivery { bytes: sum.checked_div(count).unwrap_or(0), peers: count })
    }
}

/// Holds a state while it is sent to several peers.
struct SharedState<'t> {
    message: &'t Message,
    form: &'t StateForm,
    id: u16,
    pieces: Arc<[Piece]>,
    deltas: Vec<Delta>,
    /// How far parts are from states.
    measured: Vec<(u8, Baselines, MeasuredPart)>,
    packet: Vec<u8>,
    /// Those of a peer, with their parts.
    packets: Vec<(PartSet, Vec<u8>)>,
    /// Memory of packets that were sent.
    spare: Vec<Vec<u8>>,
    /// The parts that a peer is still to get, the oldest for it first.
    due: Vec<u8>,
    packer: &'t mut Packer,
    read: &'t mut ReadPieces,
}

impl SharedState<'_> {
    /// Sends a peer what it gets of the state, and returns the bytes.
    fn send(
        &mut self,
        id: i32,
        peer: &mut Peer,
        ways: Ways<'_>,
        carry: Carry<'_>,
    ) -> Result<usize, SendError> {
        let Peer { sent, own, .. } = peer;
        let ring = sent.entry(self.id).or_default();
        self.make_packets(ring, own, ways)?;
        let history = self.form.history;
        let room = Room { entries: history.entries, parts: self.form.count() };
        let packets = &self.packets;
        let parts = packets.iter().fold(PartSet::default(), |all, (parts, _)| all.with(*parts));
        ring.push(Arc::clone(&self.pieces), parts, room);
        if !packets.is_empty() {
            peer.introduce(id, ways, carry);
        }
        packets.iter().for_each(|(_, packet)| carry(id, packet, self.message.mode));
        Ok(packets.iter().fold(0, |sum, (_, packet)| sum.saturating_add(packet.len())))
    }

    /// Makes as many packets as the budget of a peer has room for, each with its parts.
    fn make_packets(&mut self, ring: &mut SendRing, own: &mut Own, ways: Ways<'_>) -> Result<(), SendError> {
        let most = self.form.history.most_packet_bytes;
        self.spare.extend(self.packets.drain(..).map(|(_, packet)| packet));
        let mut due = std::mem::take(&mut self.due);
        ring.oldest_first(self.form.count(), &mut due);
        while !due.is_empty() {
            let room = own.room_for_states(ways.policy, most, ways.now).min(most);
            let Some(parts) = self.packet_of(ring, &due, room)? else { break };
            own.carry_state(ways.policy, most, self.packet.len(), ways.now);
            let spare = self.spare.pop().unwrap_or_default();
            self.packets.push((parts, std::mem::replace(&mut self.packet, spare)));
            due.retain(|part| !parts.has(*part));
        }
        self.due = due;
        Ok(())
    }

    /// Makes a packet of the first part that is due, and of as many with the same bases as fit. `None`: there is no room.
    fn packet_of(
        &mut self,
        ring: &mut SendRing,
        due: &[u8],
        room: usize,
    ) -> Result<Option<PartSet>, SendError> {
        let Some(first) = due.first().copied() else { return Ok(None) };
        if let Some(bases) = ring.baselines(first) {
            let alike = if due.len() > 1 { ring.alike(bases.numbers) } else { PartSet::one(first) };
            let alike = due.iter().filter(|part| alike.has(**part));
            let fitting = room.checked_div(ring.part_bytes).unwrap_or(usize::MAX);
            let mut count = alike.clone().count().min(fitting).max(1);
            loop {
                let parts = alike.clone().take(count);
                let parts = parts.fold(PartSet::default(), |set, part| set.with(PartSet::one(*part)));
                let (at, told) = self.put_delta(ring.next(), parts, &bases)?;
                let is_shorter =
                    count > 1 || self.pieces.get(usize::from(first)).is_some_and(|it| told < it.len());
                if self.packet.len() <= room && is_shorter {
                    ring.part_bytes = self.packet.len().checked_div(count).unwrap_or(0);
                    self.put_hash(at, told);
                    return Ok(Some(parts));
                }
                if count == 1 {
                    // In full it takes more, but where a packet cannot have the difference.
                    if is_shorter && room < self.form.history.most_packet_bytes {
                        return Ok(None);
                    }
                    break;
                }
                let fitting = count.saturating_mul(room).checked_div(self.packet.len()).unwrap_or(0);
                count = fitting.clamp(1, count.saturating_sub(1));
            }
        }
        self.put_full(ring.next(), first)?;
        Ok((self.packet.len() <= room).then_some(PartSet::one(first)))
    }

    fn put_full(&mut self, seq: u16, part: u8) -> Result<(), SendError> {
        self.put_head(seq, None, PartSet::one(part));
        let Some(piece) = self.pieces.get(usize::from(part)) else { return Ok(()) };
        Ok(self.form.put_full(self.packer, part, piece, &mut self.packet)?)
    }

    /// Starts a packet: what stands in front of its parts.
    fn put_head(&mut self, seq: u16, bases: Option<BaseNumbers>, parts: PartSet) {
        let packet = &mut self.packet;
        packet.clear();
        put_id(packet, self.id);
        packet.extend(seq.to_le_bytes());
        match bases {
            Some(bases) => bases.put(packet),
            None => packet.push(0),
        }
        put_parts(packet, parts, self.form.count());
    }

    /// Makes the packet of a difference, all but the hash of its bases; returns its place, and its bytes with the hash.
    fn put_delta(
        &mut self,
        seq: u16,
        parts: PartSet,
        bases: &Baselines,
    ) -> Result<(usize, usize), SendError> {
        let at = self.delta(parts, bases)?;
        self.put_head(seq, Some(bases.numbers), parts);
        let delta = self.deltas.get(at).map(|delta| delta.bytes.as_slice()).unwrap_or_default();
        self.packet.extend(delta);
        Ok((at, delta.len()))
    }

    /// Puts the hash of its bases in front of the difference that the packet ends with, of so many bytes.
    fn put_hash(&mut self, at: usize, bytes: usize) {
        let Some(Delta { parts, bases, hash, .. }) = self.deltas.get_mut(at) else { return };
        let hash = hash.get_or_insert_with(|| {
            let older = bases.older.as_ref().map(|older| chosen(older, *parts)).unwrap_or_default();
            base_hash(&chosen(&bases.newer, *parts), &older).to_le_bytes()
        });
        let start = self.packet.len().saturating_sub(bytes);
        let slot = self.packet.get_mut(start..).and_then(<[u8]>::first_chunk_mut);
        slot.into_iter().for_each(|slot| *slot = *hash);
    }

    /// Returns the place of the difference of these parts from these states. It is made once for all peers that have the same.
    fn delta(&mut self, parts: PartSet, bases: &Baselines) -> Result<usize, SendError> {
        let is_this = |made: &Delta| made.parts == parts && made.bases.makes_the_same_as(bases);
        if let Some(at) = self.deltas.iter().position(is_this) {
            return Ok(at);
        }
        let (form, rules) = (self.form, self.form.form.rules());
        let mut delta = vec![0; HASH];
        if let Some(deal) = &form.deal {
            if self.measured.len() > MOST_MEASURED {
                self.measured.drain(..).for_each(|(_, _, part)| self.packer.reuse(part));
            }
            let places = parts.iter().map(|part| self.measure(deal, part, bases));
            let places = places.collect::<Result<Vec<usize>, SendError>>()?.into_iter();
            let measured: Vec<_> = places.filter_map(|at| Some(&self.measured.get(at)?.2)).collect();
            delta.extend(self.packer.delta_of_parts(deal, &measured, rules)?.unwrap_or_default());
        }
        if delta.len() == HASH {
            let older = bases.older.as_ref().map(|older| self.codes(older, parts)).transpose()?;
            let newer = self.codes(&bases.newer, parts)?;
            let new = self.codes(&Arc::clone(&self.pieces), parts)?;
            let from = bases.numbers.bases(&newer, older.as_deref());
            delta.extend(self.packer.delta_of_codes(form.layout(parts), from, &new, rules)?);
        }
        self.deltas.push(Delta { parts, bases: bases.clone(), bytes: delta, hash: None });
        Ok(self.deltas.len().saturating_sub(1))
    }

    /// Measures how far a part is from these states, once for all peers; returns its place.
    fn measure(&mut self, deal: &Deal, part: u8, bases: &Baselines) -> Result<usize, SendError> {
        let is_this =
            |(of, from, _): &(u8, Baselines, MeasuredPart)| *of == part && from.makes_the_same_as(bases);
        if let Some(at) = self.measured.iter().position(is_this) {
            return Ok(at);
        }
        let own = PartSet::one(part);
        let older = bases.older.as_ref().map(|older| self.codes(older, own)).transpose()?;
        let newer = self.codes(&bases.newer, own)?;
        let new = self.codes(&Arc::clone(&self.pieces), own)?;
        let states = PartStates { newer, older: bases.numbers.apart(older), new };
        let measured = self.packer.measure_part(deal, part, states);
        self.measured.push((part, bases.clone(), measured));
        Ok(self.measured.len().saturating_sub(1))
    }

    fn codes(&mut self, pieces: &[Piece], parts: PartSet) -> Answer<Arc<Codes>> {
        self.form.together(self.packer, self.read, &chosen(pieces, parts))
    }
}

/// A difference, and the parts and the states that it is from.
struct Delta {
    parts: PartSet,
    bases: Baselines,
    /// Room for a hash, and the difference.
    bytes: Vec<u8>,
    /// The hash of its bases, once it is sent.
    hash: Option<[u8; HASH]>,
}

const HASH: usize = 2;

/// The most parts that stay measured while peers get a state.
const MOST_MEASURED: usize = 256;

fn chosen(pieces: &[Piece], parts: PartSet) -> Vec<(u8, &Piece)> {
    (0u8..).zip(pieces).filter(|(part, _)| parts.has(*part)).collect()
}
