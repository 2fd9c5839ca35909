//! Makes packets: single messages, batches, states as deltas, handshakes and acknowledgements.

use std::sync::Arc;

use crate::hello::{self, Mismatch};
use crate::peer::Peer;
use crate::protocol::{Handshake, Protocol, Role};
use crate::refusal::SendError;
use crate::table::{Message, Mode, Sender, Table};
use crate::wire::{Bytes, CONTROL, Control, put_control, put_id};

/// The time between two handshakes to a peer that has not answered, in microseconds.
const HELLO_EVERY: u64 = 1_000_000;

/// Takes a packet to a peer. It belongs to whoever calls the protocol.
pub type Carry<'c> = &'c mut dyn FnMut(i32, &[u8], Mode);

impl Protocol {
    /// Appends the packet of one message to `out`. `value` is in Godot's binary format.
    ///
    /// # Errors
    /// The message is unknown, a state, the other side's, or the value is not what the receiver accepts.
    pub fn encode(&self, id: u16, value: &[u8], out: &mut Vec<u8>) -> Result<Mode, SendError> {
        let message = sendable(&self.table, self.role, id)?;
        if message.state.is_some() {
            return Err(SendError::UnknownMessage);
        }
        let start = out.len();
        put_id(out, id);
        if let Err(unfit) = message.form.pack(value, out) {
            out.truncate(start);
            return Err(SendError::Unfit(Box::new(unfit)));
        }
        let size = out.len().saturating_sub(start);
        let most = self.policy.most_packet_bytes;
        if size > most {
            out.truncate(start);
            return Err(too_large(message, size, most));
        }
        Ok(message.mode)
    }

    /// Lets a message wait for [`flush`](Protocol::flush), which joins all that wait for a peer. Returns its bytes.
    ///
    /// # Errors
    /// Those of [`encode`](Protocol::encode); a peer that is not kept; too much waits already.
    pub fn queue(&mut self, id: u16, value: &[u8], peers: &[i32]) -> Result<usize, SendError> {
        let mut message = Vec::new();
        let mode = self.encode(id, value, &mut message)?;
        let most = self.batch_bytes(mode);
        let mut outcome = Ok(message.len());
        for peer in peers {
            let waiting = self.peers.get_mut(peer).map(|known| &mut known.waiting);
            let added = match waiting.map(|waiting| waiting.add(mode, &message, most)) {
                Some(true) => Ok(message.len()),
                Some(false) => Err(SendError::QueueFull(*peer)),
                None => Err(SendError::UnknownPeer(*peer)),
            };
            outcome = outcome.and(added);
        }
        outcome
    }

    /// The longest batch: of unreliable messages it fits the datagram that states have to fit.
    fn batch_bytes(&self, mode: Mode) -> usize {
        let most = self.policy.most_packet_bytes;
        if mode == Mode::Reliable { most } else { most.min(self.policy.most_datagram_bytes) }
    }

    /// Sends all that waits.
    pub fn flush(&mut self, carry: Carry<'_>) {
        for (id, peer) in &mut self.peers {
            while let Some((mode, batch)) = peer.waiting.take() {
                carry(*id, &batch, mode);
            }
        }
    }

    /// Sends a state to peers: packed once, and one delta for each different state that they have already.
    ///
    /// # Errors
    /// The value is refused, a peer is not kept, or the packet is too large. Other peers are served
    /// nevertheless; the first error is returned.
    pub fn send_state(
        &mut self,
        id: u16,
        value: &[u8],
        peers: &[i32],
        carry: Carry<'_>,
    ) -> Result<(), SendError> {
        let Protocol { table, role, peers: all, .. } = self;
        let message = sendable(table, *role, id)?;
        let mut packed = Vec::new();
        message.form.pack(value, &mut packed).map_err(|unfit| SendError::Unfit(Box::new(unfit)))?;
        let mut news = News { message, id, packed: packed.into(), deltas: Vec::new(), packet: Vec::new() };
        let mut outcome = Ok(());
        for peer in peers {
            let sent = match all.get_mut(peer) {
                Some(known) => news.send(*peer, known, carry),
                None => Err(SendError::UnknownPeer(*peer)),
            };
            outcome = outcome.and(sent);
        }
        outcome
    }

    /// Returns the packet that a side sends first, and that [`check_hello`](Protocol::check_hello) checks.
    #[must_use]
    pub fn hello(&self) -> Vec<u8> {
        let mut out = Vec::new();
        hello::write(&self.table, Control::Hello, &mut out);
        out
    }

    /// Checks the handshake of the other side, where the game carries it itself.
    ///
    /// # Errors
    /// The other side has another table, or sent something else.
    pub fn check_hello(&self, bytes: &[u8]) -> Result<(), Mismatch> {
        let mut bytes = Bytes(bytes);
        let kind = (bytes.byte(), bytes.byte().and_then(Control::from_byte));
        match kind {
            (Some(CONTROL), Some(Control::Hello | Control::Answer)) => hello::check(&self.table, bytes.0),
            _ => Err(Mismatch::NotAHello),
        }
    }

    /// Does what is due: handshakes, their answers and acknowledgements. To be called once a frame.
    pub fn tick(&mut self, now: u64, carry: Carry<'_>) {
        let Protocol { peers, table, handshake, .. } = self;
        let mut packet = Vec::new();
        for (id, peer) in peers {
            if peer.is_expelled {
                continue;
            }
            if let Some(kind) = hello_due(peer, *handshake, now) {
                packet.clear();
                hello::write(table, kind, &mut packet);
                carry(*id, &packet, Mode::Reliable);
            }
            acknowledge(*id, peer, &mut packet, carry);
        }
    }
}

/// Returns the kind of the handshake that is due, and notes that it was sent.
fn hello_due(peer: &mut Peer, handshake: Handshake, now: u64) -> Option<Control> {
    let answers = std::mem::take(&mut peer.is_answer_due);
    let is_time = peer.hello_at.is_none_or(|at| now.saturating_sub(at) >= HELLO_EVERY);
    let asks = handshake == Handshake::Hello && peer.is_connected && !peer.is_greeted && is_time;
    if asks {
        peer.hello_at = Some(now);
    }
    match (asks, answers) {
        (true, _) => Some(Control::Hello),
        (false, true) => Some(Control::Answer),
        (false, false) => None,
    }
}

/// Sends what a peer should know of the states that it sent.
fn acknowledge(id: i32, peer: &mut Peer, packet: &mut Vec<u8>, carry: Carry<'_>) {
    for (state, held) in &mut peer.held {
        packet.clear();
        if std::mem::take(&mut held.is_resync_due) {
            put_control(packet, Control::Resync);
            put_id(packet, *state);
            carry(id, packet, Mode::Unreliable);
        } else if std::mem::take(&mut held.is_ack_due)
            && let Some(newest) = held.newest()
        {
            put_control(packet, Control::Ack);
            put_id(packet, *state);
            packet.extend(newest.to_le_bytes());
            packet.extend(held.mask().to_le_bytes());
            carry(id, packet, Mode::Unreliable);
        }
    }
}

/// Holds a state while it is sent to several peers.
struct News<'t> {
    message: &'t Message,
    id: u16,
    packed: Arc<[u8]>,
    /// The deltas so far, each with the state that it changes.
    deltas: Vec<(Arc<[u8]>, Vec<u8>)>,
    packet: Vec<u8>,
}

impl News<'_> {
    fn send(&mut self, id: i32, peer: &mut Peer, carry: Carry<'_>) -> Result<(), SendError> {
        let history = self.message.state.ok_or(SendError::UnknownMessage)?;
        let sent = peer.sent.entry(self.id).or_default();
        let base = sent.baseline().map(|(back, base)| (back, Arc::clone(base)));
        let delta = match base {
            Some((back, base)) => Some((back, self.delta(&base)?)),
            None => None,
        };
        self.packet.clear();
        put_id(&mut self.packet, self.id);
        self.packet.extend(sent.next().to_le_bytes());
        // A state that changed altogether is shorter in full.
        match delta.and_then(|(back, at)| Some((back, &self.deltas.get(at)?.1))) {
            Some((back, delta)) if delta.len() < self.packed.len() => {
                self.packet.push(back);
                self.packet.extend(delta);
            }
            _ => {
                self.packet.push(0);
                self.packet.extend(&*self.packed);
            }
        }
        if self.packet.len() > history.most_packet_bytes {
            return Err(too_large(self.message, self.packet.len(), history.most_packet_bytes));
        }
        sent.push(Arc::clone(&self.packed), history.entries);
        carry(id, &self.packet, self.message.mode);
        Ok(())
    }

    /// Returns the place of the delta on a base. It is made once for each base.
    fn delta(&mut self, base: &Arc<[u8]>) -> Result<usize, SendError> {
        if let Some(at) = self.deltas.iter().position(|(of, _)| Arc::ptr_eq(of, base)) {
            return Ok(at);
        }
        let mut delta = Vec::new();
        let made = self.message.form.delta(base, &self.packed, &mut delta);
        made.map_err(|unfit| SendError::Unfit(Box::new(unfit)))?;
        self.deltas.push((Arc::clone(base), delta));
        Ok(self.deltas.len().saturating_sub(1))
    }
}

/// Returns a message that this side may send.
fn sendable(table: &Table, role: Role, id: u16) -> Result<&Message, SendError> {
    let message = table.message(id).ok_or(SendError::UnknownMessage)?;
    match (role, message.from) {
        (_, Sender::Both) | (Role::Server, Sender::Server) | (Role::Client, Sender::Client) => Ok(message),
        _ => Err(SendError::WrongDirection),
    }
}

fn too_large(message: &Message, size: usize, most: usize) -> SendError {
    let part = message.form.largest_part();
    let largest = if part.is_empty() { message.name.to_string() } else { format!("{}.{part}", message.name) };
    SendError::TooLarge { size, most, largest }
}
