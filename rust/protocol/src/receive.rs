//! Receives packets: each check costs less than the one after it, and nothing is decoded before the budgets
//! agree.

use crate::event::{Event, LeaveReason, WrongPeer};
use crate::hello::{self, Mismatch, Sessions};
use crate::protocol::{Protocol, Role, SERVER};
use crate::receive_states::StateOutcome;
use crate::refusal::{Detail, Reason, Refusal};
use crate::score::Offence;
use crate::table::{Message, Sender};
use crate::wire::{Bytes, CONTROL, Control, read_acks};

/// Stands at a place in a packet that is being received.
#[derive(Clone, Copy, Debug)]
pub struct Incoming {
    peer: i32,
    now: u64,
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

impl Protocol {
    /// Begins to receive a packet. [`next`](Protocol::next) then gives what it holds.
    ///
    /// # Errors
    /// The peer is unknown or thrown out, the packet is too long, or the peer sent more than it may. Such a
    /// packet costs no allocation and is not read.
    pub fn open(&mut self, peer: i32, packet: &[u8], now: u64) -> Result<Incoming, Refusal> {
        let now = self.pass(now);
        if peer < SERVER || (peer == SERVER && self.role == Role::Server) {
            return Err(self.refuse_peer(peer, now));
        }
        if let Some(offence) = self.admit(peer, packet.len(), now) {
            return Err(self.refuse(peer, offence.into(), now));
        }
        let is_batch = matches!(packet, [CONTROL, kind, ..] if *kind == Control::Batch.byte());
        let at = if is_batch { 2 } else { 0 };
        Ok(Incoming { peer, now, at, is_batch, is_done: false, last: (0, 0) })
    }

    #[cold]
    fn refuse_peer(&mut self, peer: i32, now: u64) -> Refusal {
        let wrong = match self.role {
            Role::Server => WrongPeer::NoClient(peer),
            Role::Client => WrongPeer::NoPeer(peer),
        };
        let detail = Detail::WrongPeer(wrong);
        self.refuse(peer, Reason { message: None, offence: Offence::UnknownPeer, detail }, now)
    }

    /// Receives the next message of a packet. Its value replaces what `value` holds, in Godot's binary format. Events that
    /// wait come first. `None` at the end of the packet. After a refusal the rest of the packet can still be received.
    pub fn next(
        &mut self,
        packet: &[u8],
        incoming: &mut Incoming,
        value: &mut Vec<u8>,
    ) -> Option<Result<Event, Refusal>> {
        let (peer, now) = (incoming.peer, incoming.now);
        value.clear();
        loop {
            if let Some(event) = self.events.pop_front() {
                return Some(Ok(event));
            }
            let message = match cut(packet, incoming)? {
                Ok(message) => message,
                Err(offence) => return Some(Err(self.refuse(peer, offence.into(), now))),
            };
            // A handler or an earlier message can have led to the peer's end.
            if self.peers.get(&peer).is_none_or(|peer| peer.ending.is_some()) {
                return None;
            }
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
            return self.control(peer, body, now).map(|()| None);
        }
        let stall = self.stall(now);
        let message = self.table.message(id).ok_or(Offence::UnknownMessage)?;
        let known = self.peers.get_mut(&peer).ok_or(Offence::UnknownPeer)?;
        if !may_come_from(self.role, peer, message) {
            return Err(Reason::of(id, Offence::WrongDirection));
        }
        // Clients never greet each other: what the server relays was greeted by the server.
        let is_relayed = self.role == Role::Client && peer != SERVER;
        if !known.is_connected && !is_relayed {
            return Err(Reason::of(id, Offence::UnknownPeer));
        }
        if !known.is_greeted && !is_relayed {
            return Err(Reason::of(id, Offence::NotGreeted));
        }
        if !known.may_send_message(&self.table, id, now, stall) {
            return Err(Reason::of(id, Offence::RateLimited));
        }
        if message.state.is_none() {
            let (form, packer) = (&message.form, &mut self.packer);
            // Who fills in defaults judges what the bits leave open.
            let made = match packer.fills {
                false => form.unpack(packer, body.0, value),
                true => form.transcode(packer, body.0, value),
            };
            made.map_err(|rejection| Reason::unfit(id, rejection))?;
            for counts in [&mut self.counts, &mut known.counts] {
                counts.messages = counts.messages.saturating_add(1);
            }
            return Ok(Some(Event::Message { id }));
        }
        let brought = self.state(peer, id, body, value)?;
        let is_late = matches!(brought, StateOutcome::Late);
        self.count(peer, |counts| if is_late { &mut counts.late } else { &mut counts.messages });
        match brought {
            StateOutcome::State(event) => Ok(Some(event)),
            StateOutcome::Late | StateOutcome::Parts => Ok(None),
        }
    }

    fn control(&mut self, peer: i32, mut body: Bytes<'_>, now: u64) -> Result<(), Reason> {
        let kind = body.byte().ok_or(Offence::Malformed)?;
        // Another protocol on the same connection is nobody's fault.
        let kind = Control::from_byte(kind).ok_or(Offence::Foreign)?;
        if self.role == Role::Client && peer != SERVER {
            return Err(Offence::WrongDirection.into());
        }
        let stall = self.stall(now);
        let known = self.peers.get_mut(&peer).ok_or(Offence::UnknownPeer)?;
        if !known.control.take_after(self.policy.control, 1, now, stall) {
            return Err(Offence::RateLimited.into());
        }
        match kind {
            Control::Hello | Control::Answer => {
                let said = hello::check(&self.table, body.0);
                known.session.is_answer_due |= kind == Control::Hello && said != Err(Mismatch::NotAHello);
                self.hello(peer, said, now).map_err(Reason::mismatch)
            }
            Control::Bye => self.bye(peer, body),
            Control::Ack | Control::Resync if !known.is_connected => Err(Offence::UnknownPeer.into()),
            Control::Ack | Control::Resync if !known.is_greeted => Err(Offence::NotGreeted.into()),
            Control::Ack => {
                let (Some(id), Some(seq)) = (body.id(), body.u16()) else {
                    return Err(Offence::Malformed.into());
                };
                let named = read_acks(&mut body, self.table.parts(id)).ok_or(Offence::Malformed)?;
                let was_sent = known.sent.get_mut(&id).is_some_and(|sent| sent.ack(seq, &named));
                if was_sent { Ok(()) } else { Err(Offence::FalseAck.into()) }
            }
            Control::Resync => {
                let (Some(id), []) = (body.id(), body.0) else { return Err(Offence::Malformed.into()) };
                known.sent.get_mut(&id).ok_or(Offence::FalseAck)?.resync();
                Ok(())
            }
            // A batch in a batch, or behind another message.
            Control::Batch => Err(Offence::Malformed.into()),
        }
    }

    /// Hears from the server that it ends the connection, and why.
    fn bye(&mut self, peer: i32, mut body: Bytes<'_>) -> Result<(), Reason> {
        if self.role == Role::Server {
            return Err(Offence::WrongDirection.into());
        }
        let reason = body.byte().and_then(LeaveReason::from_byte).ok_or(Offence::Malformed)?;
        let text = std::str::from_utf8(body.0).map_err(|_| Offence::Malformed)?;
        self.end(peer, reason, text);
        if let Some(ending) = self.peers.get_mut(&peer).and_then(|known| known.ending.as_mut()) {
            (ending.is_said, ending.is_theirs) = (true, true);
        }
        Ok(())
    }

    /// Checks the handshake of a peer, where the game carries it itself.
    ///
    /// # Errors
    /// The other side has another table, or sent something else.
    pub fn take_hello(&mut self, peer: i32, bytes: &[u8], now: u64) -> Result<(), Mismatch> {
        let now = self.pass(now);
        let said = self.said(bytes);
        if let Err(Mismatch::NotAHello) = said {
            return Err(Mismatch::NotAHello);
        }
        let taken = self.hello(peer, said, now);
        let is_stranger = self.peers.get(&peer).is_some_and(|known| !known.is_connected);
        if let Err(mismatch) = &taken
            && is_stranger
        {
            self.put_event(Event::Mismatched { peer, mismatch: Box::new(mismatch.clone()) });
        }
        taken
    }

    /// Checks a handshake and does nothing else.
    ///
    /// # Errors
    /// The other side has another table, or sent something else.
    pub fn check_hello(&self, bytes: &[u8]) -> Result<(), Mismatch> {
        self.said(bytes).map(drop)
    }

    fn said(&self, bytes: &[u8]) -> Result<Sessions, Mismatch> {
        match bytes {
            [CONTROL, kind, rest @ ..]
                if matches!(Control::from_byte(*kind), Some(Control::Hello | Control::Answer)) =>
            {
                hello::check(&self.table, rest)
            }
            _ => Err(Mismatch::NotAHello),
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

fn may_come_from(role: Role, peer: i32, message: &Message) -> bool {
    match (role, message.sender) {
        (Role::Server, Sender::Client | Sender::Both) => peer != SERVER,
        (Role::Server, Sender::Server) => false,
        (Role::Client, Sender::Server) => peer == SERVER,
        (Role::Client, Sender::Both) => peer == SERVER || message.relay,
        (Role::Client, Sender::Client) => false,
    }
}
