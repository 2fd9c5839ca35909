//! Makes packets: single messages, batches, handshakes and acknowledgements. Our own handshake goes out
//! before every other packet to a peer.

use std::collections::BTreeMap;

use crate::event::LeaveReason;
use crate::hello;
use crate::outside::Outside;
use crate::peer::Peer;
use crate::protocol::{Handshake, Protocol, Role, SERVER};
use crate::refusal::SendError;
use crate::score::Policy;
use crate::states::ReceiveRing;
use crate::table::{Message, Mode, Sender, Table};
use crate::wire::{Control, put_control, put_id, put_parts};

/// The time between two handshakes to a peer that has not answered, in microseconds.
const HELLO_EVERY: u64 = 1_000_000;
/// The most bytes of reliable messages that wait for a handshake.
const MOST_EARLY: usize = 16 << 10;

/// Takes a packet to a peer. It belongs to whoever calls the protocol.
pub type Carry<'c> = &'c mut dyn FnMut(i32, &[u8], Mode);

/// Does with a message for one peer what is to be done: its id, how it is carried, and the packet.
type Each<'e> = &'e mut dyn FnMut(&mut Peer, Ways<'_>, Outgoing<'_>) -> Result<(), SendError>;

struct Sending<'m> {
    id: u16,
    value: &'m [u8],
    to: To<'m>,
    now: u64,
}

struct Outgoing<'p> {
    peer: i32,
    mode: Mode,
    packet: &'p [u8],
}

/// Says who gets a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To<'p> {
    /// All peers that are greeted. From a client that is the server, and the other clients where the message is relayed.
    All,
    /// All but one.
    AllBut(i32),
    /// This peer alone.
    One(i32),
    /// These peers.
    Each(&'p [i32]),
}

/// Says what became of a message that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The bytes of its packet.
    pub bytes: usize,
    /// The peers that it went to, or that it waits for.
    pub peers: usize,
}

/// Holds what a packet to a peer depends on.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'p> {
    pub(crate) table: &'p Table,
    pub(crate) policy: &'p Policy,
    pub(crate) handshake: Handshake,
    pub(crate) now: u64,
}

/// Returns a peer that is connected and stays.
pub(crate) fn reachable<'p>(
    peers: &'p mut BTreeMap<i32, Box<Peer>>,
    outside: &Outside,
    peer: i32,
) -> Result<&'p mut Peer, SendError> {
    match peers.get_mut(&peer).filter(|known| known.is_connected) {
        Some(known) if known.ending.is_none() => Ok(known),
        None if !outside.has(peer) => Err(SendError::UnknownPeer(peer)),
        _ => Err(SendError::ThrownOut(peer)),
    }
}

impl Protocol {
    /// Appends the packet of one message to `out`, for a caller who carries it: nothing is counted, and no handshake goes before.
    /// `value` is in Godot's binary format.
    ///
    /// # Errors
    /// The message is unknown, a state, the other side's, or the value is not what the receiver accepts.
    pub fn encode(&mut self, id: u16, value: &[u8], out: &mut Vec<u8>) -> Result<Mode, SendError> {
        self.can_send(id)?;
        let Protocol { table, packer, policy, .. } = self;
        let message = table.message(id).ok_or(SendError::UnknownMessage)?;
        let start = out.len();
        put_id(out, id);
        if let Err(rejection) = message.form.pack(packer, value, out) {
            out.truncate(start);
            return Err(SendError::Unfit(rejection));
        }
        let size = out.len().saturating_sub(start);
        let most = policy.most_packet_bytes;
        if size > most {
            out.truncate(start);
            return Err(too_large(message, size, most));
        }
        Ok(message.mode)
    }

    /// Tells whether this side may send a message: what can be said before its value is looked at.
    ///
    /// # Errors
    /// The message is unknown, a state, or the other side's.
    pub fn can_send(&self, id: u16) -> Result<(), SendError> {
        let message = sendable(&self.table, self.role, id)?;
        if message.state.is_none() { Ok(()) } else { Err(SendError::UnknownMessage) }
    }

    /// Tells whether this side may send a state, as [`can_send`](Protocol::can_send) does for messages.
    ///
    /// # Errors
    /// The message is unknown, no state, or this side is a client.
    pub fn can_send_state(&self, id: u16) -> Result<(), SendError> {
        if self.role == Role::Client {
            return Err(SendError::StateOfServer);
        }
        let message = sendable(&self.table, self.role, id)?;
        if message.state.is_some() { Ok(()) } else { Err(SendError::UnknownMessage) }
    }

    /// Sends a message. A reliable one waits for the handshake of a peer that is named.
    ///
    /// # Errors
    /// Those of [`encode`](Protocol::encode); nobody can get it; a peer is not connected, or would refuse it since it is more
    /// than its rate allows. Other peers are served nevertheless; the first error is returned.
    #[expect(clippy::too_many_arguments, reason = "what, to whom, when and how are said in one place")]
    pub fn send(
        &mut self,
        id: u16,
        value: &[u8],
        to: To<'_>,
        now: u64,
        carry: Carry<'_>,
    ) -> Result<Delivery, SendError> {
        self.deliver(Sending { id, value, to, now }, |_, now| now, &mut |known, ways, message| {
            if !known.is_greeted {
                return wait(&mut known.early, message, ways.policy, MOST_EARLY);
            }
            let Outgoing { peer, mode, packet } = message;
            let made = known.own.may_carry(ways.policy, packet.len(), ways.now);
            made.map_err(|(what, rate)| SendError::RateLimited { peer, what, rate })?;
            known.introduce(peer, ways, carry);
            carry(peer, packet, mode);
            Ok(())
        })
    }

    /// Lets a message wait for [`flush`](Protocol::flush), which joins all that wait for a peer.
    ///
    /// # Errors
    /// Those of [`send`](Protocol::send); too much waits already.
    pub fn queue(&mut self, id: u16, value: &[u8], to: To<'_>, now: u64) -> Result<Delivery, SendError> {
        // What waits arrives all at once.
        let at = |known: &Peer, now| if known.waiting.bytes() > 0 { known.waits_since } else { now };
        self.deliver(Sending { id, value, to, now }, at, &mut |known, ways, message| {
            if known.waiting.bytes() == 0 {
                known.waits_since = ways.now;
            }
            let most = if known.is_greeted { crate::queue::MOST_WAITING } else { MOST_EARLY };
            wait(&mut known.waiting, message, ways.policy, most)
        })
    }

    /// Makes the packet of a message, and gives it to each peer that it is for. `at` tells from when on the budget of a peer
    /// that is greeted counts it.
    fn deliver(
        &mut self,
        Sending { id, value, to, now }: Sending<'_>,
        at: fn(&Peer, u64) -> u64,
        each: Each<'_>,
    ) -> Result<Delivery, SendError> {
        let now = self.pass(now);
        let mut packet = Vec::new();
        let mode = self.encode(id, value, &mut packet)?;
        let chosen = self.chosen(id, to)?;
        let Protocol { table, policy, handshake, peers, outside, .. } = self;
        let message = table.message(id).ok_or(SendError::UnknownMessage)?;
        let ways = Ways { table, policy, handshake: *handshake, now };
        let (mut outcome, mut count) = (Ok(()), 0usize);
        for peer in chosen {
            let sent = match reachable(peers, outside, peer) {
                Err(error) => Err(error),
                Ok(known) if !known.is_greeted && mode != Mode::Reliable => Err(SendError::NotGreeted(peer)),
                Ok(known) => {
                    let at = if known.is_greeted { at(known, now) } else { known.session.begun_at };
                    match (known.own.may_send(table, id, message.rate, at), message.rate) {
                        (false, Some(rate)) => Err(SendError::RateLimited { peer, what: "messages", rate }),
                        _ => each(known, ways, Outgoing { peer, mode, packet: &packet }),
                    }
                }
            };
            count = count.saturating_add(usize::from(sent.is_ok()));
            outcome = outcome.and(sent);
        }
        outcome.map(|()| Delivery { bytes: packet.len(), peers: count })
    }

    pub(crate) fn chosen(&self, id: u16, to: To<'_>) -> Result<Vec<i32>, SendError> {
        let is_client = self.role == Role::Client;
        let is_relayed = self.table.message(id).is_some_and(|message| message.relay);
        if is_client && !self.peers.get(&SERVER).is_some_and(|server| server.is_connected) {
            return Err(if self.outside.has(SERVER) {
                SendError::ThrownOut(SERVER)
            } else {
                SendError::NoServer
            });
        }
        let left_out = match to {
            To::One(peer) if is_client && peer != SERVER && !is_relayed => {
                return Err(SendError::NotRelayed(peer));
            }
            To::One(peer) => return Ok(vec![peer]),
            To::Each(peers) => return Ok(peers.to_vec()),
            To::All => None,
            To::AllBut(peer) => Some(peer),
        };
        if is_client {
            // The server is meant also while its handshake is on its way.
            let others = self.listeners().filter(|peer| is_relayed && *peer != SERVER);
            return Ok(std::iter::once(SERVER)
                .chain(others)
                .filter(|peer| Some(*peer) != left_out)
                .collect());
        }
        Ok(self.listeners().filter(|peer| Some(*peer) != left_out).collect())
    }

    /// Sends all that waits, as far as the receivers take it: the rest waits for the next call.
    pub fn flush(&mut self, now: u64, carry: Carry<'_>) {
        let now = self.pass(now);
        let Protocol { table, policy, handshake, peers, .. } = self;
        let ways = Ways { table, policy, handshake: *handshake, now };
        for (id, peer) in peers.iter_mut().filter(|(_, peer)| peer.listens()) {
            peer.introduce(*id, ways, carry);
            while let Some(size) = peer.waiting.next_bytes()
                && peer.own.may_carry(policy, size, now).is_ok()
                && let Some((mode, batch)) = peer.waiting.take()
            {
                carry(*id, &batch, mode);
            }
        }
    }

    /// Does what is due: handshakes, their answers, what waited for them, acknowledgements, and ends. To be called once a
    /// frame; [`event`](Protocol::event) then says what happened.
    pub fn tick(&mut self, now: u64, carry: Carry<'_>) {
        let now = self.pass(now);
        self.age(now);
        let Protocol { peers, table, policy, handshake, .. } = self;
        let ways = Ways { table, policy, handshake: *handshake, now };
        let mut packet = Vec::new();
        let mut over = Vec::new();
        for (id, peer) in peers.iter_mut().filter(|(_, peer)| peer.is_connected || peer.ending.is_some()) {
            let is_over = peer.ending.as_ref().is_some_and(|ending| ending.is_said || !peer.is_connected);
            if is_over {
                over.push(*id);
            } else if peer.ending.is_some() {
                peer.say_bye(*id, ways, &mut packet, carry);
            } else {
                peer.introduce(*id, ways, carry);
                acknowledge(*id, peer, ways, &mut packet, carry);
            }
        }
        for peer in over {
            self.put_out(peer, now);
        }
    }
}

impl Peer {
    /// Sends our handshake if it is due, and then what waited for theirs: before any other packet.
    pub(crate) fn introduce(&mut self, id: i32, ways: Ways<'_>, carry: Carry<'_>) {
        if let Some(kind) = self.hello_due(ways) {
            let mut packet = Vec::new();
            hello::write(ways.table, kind, self.session.numbers(), &mut packet);
            self.own.carry(ways.policy, packet.len(), ways.now);
            carry(id, &packet, Mode::Reliable);
        }
        while self.is_greeted
            && let Some((mode, batch)) = self.early.take()
        {
            self.own.carry(ways.policy, batch.len(), ways.now);
            carry(id, &batch, mode);
        }
    }

    /// Returns the kind of the handshake that is due, and notes that it was sent.
    fn hello_due(&mut self, ways: Ways<'_>) -> Option<Control> {
        let session = &mut self.session;
        let answers = std::mem::take(&mut session.is_answer_due);
        let is_time = session.hello_at.is_none_or(|at| ways.now.saturating_sub(at) >= HELLO_EVERY);
        let asks = ways.handshake == Handshake::Hello && !self.is_greeted && is_time && self.ending.is_none();
        if asks {
            session.hello_at = Some(ways.now);
        }
        session.is_hello_out |= asks || answers;
        match (asks, answers) {
            (true, _) => Some(Control::Hello),
            (false, true) => Some(Control::Answer),
            (false, false) => None,
        }
    }

    /// Tells the other side why the connection ends. Our handshake goes before, so that it can name what differs.
    fn say_bye(&mut self, id: i32, ways: Ways<'_>, packet: &mut Vec<u8>, carry: Carry<'_>) {
        let is_other = self.ending.as_ref().is_some_and(|ending| ending.reason == LeaveReason::OtherVersion);
        if is_other && (self.session.is_answer_due || !self.session.is_hello_out) {
            self.session.is_answer_due = true;
            self.introduce(id, ways, carry);
        }
        let Some(ending) = &mut self.ending else { return };
        ending.is_said = true;
        packet.clear();
        put_control(packet, Control::Bye);
        packet.push(ending.reason.byte());
        packet.extend(ending.text.as_bytes());
        carry(id, packet, Mode::Reliable);
    }
}

fn wait(
    waiting: &mut crate::queue::WaitingBatches,
    Outgoing { peer, mode, packet }: Outgoing<'_>,
    policy: &Policy,
    most: usize,
) -> Result<(), SendError> {
    // The longest batch: of unreliable messages it fits the datagram that states have to fit.
    let longest = policy.most_packet_bytes;
    let longest = if mode == Mode::Reliable { longest } else { longest.min(policy.most_datagram_bytes) };
    if waiting.add(mode, packet, longest, most) { Ok(()) } else { Err(SendError::QueueFull { peer, most }) }
}

/// Sends what a peer should know of the states that it sent.
fn acknowledge(id: i32, peer: &mut Peer, ways: Ways<'_>, packet: &mut Vec<u8>, carry: Carry<'_>) {
    let Peer { got, own, .. } = peer;
    for (state, ring) in got {
        packet.clear();
        if !std::mem::take(&mut ring.lost).is_empty() {
            put_control(packet, Control::Resync);
            put_id(packet, *state);
        } else if !ring.due.is_empty()
            && let Some(newest) = ring.newest()
        {
            put_control(packet, Control::Ack);
            put_id(packet, *state);
            packet.extend(newest.to_le_bytes());
            put_acks(ring, ways.table.parts(*state), packet);
        } else {
            continue;
        }
        own.carry(ways.policy, packet.len(), ways.now);
        carry(id, packet, Mode::Unreliable);
    }
}

/// Appends which states came: of one part those before the newest, of several parts for each that is due.
fn put_acks(ring: &mut ReceiveRing, count: u8, packet: &mut Vec<u8>) {
    for (parts, mask) in ring.take_due() {
        put_parts(packet, parts, count);
        let mask = if count > 1 { mask } else { mask >> 1 };
        packet.extend(u32::try_from(mask & u64::from(u32::MAX)).unwrap_or_default().to_le_bytes());
    }
}

fn sendable(table: &Table, role: Role, id: u16) -> Result<&Message, SendError> {
    let message = table.message(id).ok_or(SendError::UnknownMessage)?;
    match (role, message.sender) {
        (_, Sender::Both) | (Role::Server, Sender::Server) | (Role::Client, Sender::Client) => Ok(message),
        _ => Err(SendError::WrongDirection),
    }
}

fn too_large(message: &Message, size: usize, most: usize) -> SendError {
    SendError::TooLarge { size, most, largest: message.largest_part() }
}
