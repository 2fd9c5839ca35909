//! Receives packets: each check costs less than the one after it, and nothing is decoded before the budgets
//! agree.

use crate::form::{Unfit, Why};
use crate::hello::{self, Mismatch};
use crate::protocol::{Protocol, Role, SERVER};
use crate::refusal::{Detail, Reason, Refusal};
use crate::score::Offence;
use crate::states::Ack;
use crate::table::{Message, Sender};
use crate::wire::{Bytes, CONTROL, Control};

/// Stands at a place in a packet that is being received.
#[derive(Clone, Copy, Debug)]
pub struct Incoming {
    peer: i32,
    now: u64,
    /// The next byte.
    at: usize,
    is_batch: bool,
    is_done: bool,
    /// Where the last message begins and ends.
    last: (usize, usize),
}

impl Incoming {
    /// Returns the peer that sent the packet.
    #[must_use]
    pub const fn peer(&self) -> i32 {
        self.peer
    }

    /// Returns the number of bytes that the last message took, its id included.
    #[must_use]
    pub const fn message_bytes(&self) -> usize {
        self.last.1.saturating_sub(self.last.0)
    }

    /// Tells whether the packet has certainly nothing more.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns what stands behind the id of the last message of this packet.
    #[must_use]
    pub fn sent<'p>(&self, packet: &'p [u8]) -> &'p [u8] {
        let mut message = Bytes(packet.get(self.last.0..self.last.1).unwrap_or_default());
        // It had one, or there would be no message.
        let _ = message.id();
        message.0
    }
}

/// Says what a packet brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The peer's handshake was accepted for the first time.
    Greeted,
    /// A message. Its value was appended to the buffer that was given.
    Message {
        /// The id of the message.
        id: u16,
    },
    /// A state. Its value was appended to the buffer that was given.
    State {
        /// The id of the state.
        id: u16,
        /// The number of the state in its sequence.
        seq: u16,
    },
}

impl Protocol {
    /// Begins to receive a packet. [`next`](Protocol::next) then gives what it holds.
    ///
    /// # Errors
    /// The peer is unknown or thrown out, the packet is too long, or the peer sent more than it may. Such a
    /// packet costs no allocation and is not read.
    pub fn open(&mut self, peer: i32, packet: &[u8], now: u64) -> Result<Incoming, Refusal> {
        if let Some(offence) = self.admit(peer, packet.len(), now) {
            return Err(self.refuse(peer, offence.into(), now));
        }
        let is_batch = matches!(packet, [CONTROL, kind, ..] if *kind == Control::Batch.byte());
        let at = if is_batch { 2 } else { 0 };
        Ok(Incoming { peer, now, at, is_batch, is_done: false, last: (0, 0) })
    }

    /// Receives the next message of a packet. Its value replaces what `value` holds, in Godot's binary format.
    /// `None` at the end of the packet. After a refusal the rest of the packet can still be received.
    pub fn next(
        &mut self,
        packet: &[u8],
        incoming: &mut Incoming,
        value: &mut Vec<u8>,
    ) -> Option<Result<Event, Refusal>> {
        let (peer, now) = (incoming.peer, incoming.now);
        loop {
            let message = match cut(packet, incoming)? {
                Ok(message) => message,
                Err(offence) => return Some(Err(self.refuse(peer, offence.into(), now))),
            };
            // A handler or an earlier message can have led to the peer's end.
            if self.peers.get(&peer).is_none_or(|peer| peer.is_expelled) {
                return None;
            }
            value.clear();
            match self.message(peer, message, now, value) {
                Ok(None) => {}
                Ok(Some(event)) => return Some(Ok(event)),
                Err(reason) => {
                    value.clear();
                    return Some(Err(self.refuse(peer, reason, now)));
                }
            }
        }
    }

    fn message(
        &mut self,
        peer: i32,
        bytes: &[u8],
        now: u64,
        value: &mut Vec<u8>,
    ) -> Result<Option<Event>, Reason> {
        let mut body = Bytes(bytes);
        let id = body.id().ok_or(Offence::UnknownMessage)?;
        if id == u16::from(CONTROL) {
            return self.control(peer, body, now);
        }
        let message = self.table.message(id).ok_or(Offence::UnknownMessage)?;
        let known = self.peers.get_mut(&peer).ok_or(Offence::UnknownPeer)?;
        if !may_come_from(self.role, peer, message) {
            return Err(Reason::of(id, Offence::WrongDirection));
        }
        // Clients never greet each other: what the server relays was greeted by the server.
        let is_greeted = known.is_greeted || (self.role == Role::Client && peer != SERVER);
        if !is_greeted {
            return Err(Reason::of(id, Offence::NotGreeted));
        }
        if !known.may_send_message(&self.table, id, message, now) {
            return Err(Reason::of(id, Offence::RateLimited));
        }
        if message.state.is_none() {
            let form = &message.form;
            let made = if self.judges { form.unpack(body.0, value) } else { form.transcode(body.0, value) };
            made.map_err(|unfit| unfit_of(id, unfit))?;
            for counts in [&mut self.counts, &mut known.counts] {
                counts.messages = counts.messages.saturating_add(1);
            }
            return Ok(Some(Event::Message { id }));
        }
        let event = self.state(peer, id, body, value)?;
        self.count(peer, |counts| if event.is_some() { &mut counts.messages } else { &mut counts.late });
        Ok(event)
    }

    /// Receives a state: a full one, or a delta on one that is still kept.
    fn state(
        &mut self,
        peer: i32,
        id: u16,
        mut body: Bytes<'_>,
        value: &mut Vec<u8>,
    ) -> Result<Option<Event>, Reason> {
        let malformed = || Reason::of(id, Offence::Malformed);
        let seq = body.u16().ok_or_else(malformed)?;
        let back = body.byte().ok_or_else(malformed)?;
        let message = self.table.message(id).ok_or_else(malformed)?;
        let history = message.state.ok_or_else(malformed)?;
        let known = self.peers.get_mut(&peer).ok_or_else(malformed)?;
        let held = known.held.entry(id).or_default();
        if !held.is_news(seq) {
            return Ok(None);
        }
        let packed = if back == 0 {
            body.0.to_vec()
        } else {
            let Some(base) = held.get(seq.wrapping_sub(u16::from(back))) else {
                held.is_resync_due = true;
                return Err(Reason::of(id, Offence::LostBaseline));
            };
            let mut packed = Vec::new();
            match message.form.apply(base, body.0, &mut packed) {
                Ok(()) => packed,
                Err(unfit) => {
                    held.is_resync_due = true;
                    return Err(unfit_of(id, unfit));
                }
            }
        };
        if let Err(unfit) = message.form.unpack(&packed, value) {
            held.is_resync_due = true;
            return Err(unfit_of(id, unfit));
        }
        held.push(seq, packed, history.entries);
        Ok(Some(Event::State { id, seq }))
    }

    fn control(&mut self, peer: i32, mut body: Bytes<'_>, now: u64) -> Result<Option<Event>, Reason> {
        let kind = body.byte().and_then(Control::from_byte).ok_or(Offence::Malformed)?;
        if self.role == Role::Client && peer != SERVER {
            return Err(Offence::WrongDirection.into());
        }
        let Protocol { peers, policy, table, .. } = self;
        let known = peers.get_mut(&peer).ok_or(Offence::UnknownPeer)?;
        if !known.may_send_control(policy, now) {
            return Err(Offence::RateLimited.into());
        }
        match kind {
            Control::Hello | Control::Answer => {
                known.is_answer_due |= kind == Control::Hello;
                hello::check(table, body.0).map_err(mismatch_of)?;
                let is_first = !known.is_greeted;
                known.is_greeted = true;
                Ok(is_first.then_some(Event::Greeted))
            }
            Control::Ack | Control::Resync if !known.is_greeted => Err(Offence::NotGreeted.into()),
            Control::Ack => {
                let (id, seq) = (body.id(), body.u16());
                let (Some(id), Some(seq), Some(_), []) = (id, seq, body.u32(), body.0) else {
                    return Err(Offence::Malformed.into());
                };
                match known.sent.get_mut(&id).map(|sent| sent.ack(seq)) {
                    Some(Ack::Taken | Ack::Late) => Ok(None),
                    Some(Ack::False) | None => Err(Offence::FalseAck.into()),
                }
            }
            Control::Resync => {
                let (Some(id), []) = (body.id(), body.0) else { return Err(Offence::Malformed.into()) };
                let sent = known.sent.get_mut(&id).ok_or(Offence::FalseAck)?;
                sent.resync();
                Ok(None)
            }
            // A batch in a batch, or behind another message.
            Control::Batch => Err(Offence::Malformed.into()),
        }
    }
}

/// Cuts the next message off a packet. `None` at its end.
fn cut<'p>(packet: &'p [u8], incoming: &mut Incoming) -> Option<Result<&'p [u8], Offence>> {
    if incoming.is_done {
        return None;
    }
    if !incoming.is_batch {
        incoming.is_done = true;
        incoming.last = (0, packet.len());
        return Some(if packet.is_empty() { Err(Offence::Malformed) } else { Ok(packet) });
    }
    let rest = packet.get(incoming.at..).unwrap_or_default();
    if rest.is_empty() {
        return None;
    }
    let mut bytes = Bytes(rest);
    let message = bytes.count().and_then(|count| bytes.take(count)).filter(|message| !message.is_empty());
    let Some(message) = message else {
        incoming.is_done = true;
        return Some(Err(Offence::Malformed));
    };
    incoming.at = packet.len().saturating_sub(bytes.0.len());
    incoming.last = (incoming.at.saturating_sub(message.len()), incoming.at);
    Some(Ok(message))
}

/// Tells whether a message may come from this peer.
fn may_come_from(role: Role, peer: i32, message: &Message) -> bool {
    match (role, message.from) {
        (Role::Server, Sender::Client | Sender::Both) => peer != SERVER,
        (Role::Server, Sender::Server) => false,
        (Role::Client, Sender::Server) => peer == SERVER,
        (Role::Client, Sender::Both) => peer == SERVER || message.relay,
        (Role::Client, Sender::Client) => false,
    }
}

pub(crate) fn unfit_of(id: u16, unfit: Unfit) -> Reason {
    let offence = match unfit.why {
        Why::OverLimit => Offence::OverLimit,
        Why::OtherBase => Offence::LostBaseline,
        Why::Refused => Offence::Refused,
    };
    Reason { message: Some(id), offence, detail: Detail::Unfit(Box::new(unfit)) }
}

fn mismatch_of(mismatch: Mismatch) -> Reason {
    let offence = match mismatch {
        Mismatch::NotAHello => Offence::Malformed,
        Mismatch::OtherVersion(_) | Mismatch::Messages { .. } => Offence::OtherProtocol,
    };
    Reason { message: None, offence, detail: Detail::Mismatch(Box::new(mismatch)) }
}
