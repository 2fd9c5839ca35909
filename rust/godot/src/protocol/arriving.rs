//! Receives packets for a `VariantProtocol`: builds the values that they bring, and says why those are refused that are.

use std::sync::Arc;

use godot::builtin::Variant;
use variant_protocol::{Detail, Event, Incoming, LeaveReason, Offence, Refusal};

use super::{Host, MessageRecord, Running, errors, of_refusal};
use crate::call::codec::Codec;
use crate::call::form::{Call, CallForm};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::variant::CallTarget;

/// Says what a packet brought, for whoever calls scripts about it.
pub(crate) enum PacketOutcome {
    Greeted(i32),
    /// A peer runs another version of the game, and these messages of ours differ.
    Mismatched(i32, Vec<String>),
    Left(i32, LeaveReason, Box<str>),
    /// A value of the message with this id, with the handler that it is for.
    Value(u16, Variant, Option<Arc<CallTarget>>),
    /// A value that still has to be built, since a check of the game's own may refuse it: a script, which runs without a lock.
    Unbuilt(Box<ArrivedValue>),
    /// A refusal, told as the engine tells errors.
    Refused(Refusal, Problem),
}

impl PacketOutcome {
    /// Tells whether the game wants to hear of it: floods are counted alone.
    pub(crate) fn is_worth_telling(&self) -> bool {
        match self {
            PacketOutcome::Refused(refusal, _) => refusal.tell || refusal.expel,
            _ => true,
        }
    }
}

/// Holds a value that arrived, in Godot's binary format, and the packed bytes that it was made of.
pub(crate) struct ArrivedValue {
    pub(crate) origin: Origin,
    pub(super) bytes: Vec<u8>,
    pub(super) sent: Vec<u8>,
    /// Whether nothing but the game's own checks has a say in it any more.
    pub(super) is_complete: bool,
    pub(super) held: Arc<BoundSchema>,
    pub(crate) handler: Option<Arc<CallTarget>>,
}

/// Says where a value came from.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(super) peer: i32,
    pub(crate) id: u16,
    /// The bytes that it took on the wire.
    pub(super) size: usize,
    pub(super) is_state: bool,
}

impl Host {
    pub(crate) fn open(
        &mut self,
        peer: i32,
        packet: &[u8],
        now: u64,
    ) -> Result<Incoming, Box<PacketOutcome>> {
        let protocol = match self.protocol() {
            Ok(protocol) => protocol,
            Err(problem) => return Err(Box::new(PacketOutcome::Refused(errors::nobodys(peer), problem))),
        };
        match protocol.open(peer, packet, now) {
            Ok(incoming) => Ok(incoming),
            Err(refusal) => Err(Box::new(self.refused(refusal, packet, packet.len()))),
        }
    }

    /// Receives the next message of a packet, and builds its value where no script has to judge it.
    pub(crate) fn next(
        &mut self,
        peer: i32,
        packet: &[u8],
        incoming: &mut Incoming,
        now: u64,
    ) -> Option<PacketOutcome> {
        let Host { running, value, .. } = self;
        let (id, is_state) = match running.as_mut()?.protocol.next(packet, incoming, value)? {
            Ok(Event::Message { id }) => (id, false),
            Ok(Event::State { id, .. }) => (id, true),
            Ok(event) => return of_event(event),
            Err(refusal) => return Some(self.refused(refusal, packet, incoming.message_bytes())),
        };
        let size = incoming.message_bytes();
        self.built(Origin { peer, id, size, is_state }, incoming.sent(packet), now)
    }

    /// Returns a state of several parts, of which some came since the last call.
    pub(crate) fn next_state(&mut self, now: u64) -> Option<PacketOutcome> {
        let Host { running, value, .. } = self;
        match running.as_mut()?.protocol.next_state(now, value)? {
            Ok((peer, Event::State { id, .. })) => {
                let size = self.value.len();
                self.built(Origin { peer, id, size, is_state: true }, &[], now)
            }
            Ok((_, event)) => of_event(event),
            Err(refusal) => Some(self.refused(refusal, &[], 0)),
        }
    }

    /// Builds the value that arrived last where no script has to judge it. `sent` is what its packet has of it.
    fn built(&mut self, origin: Origin, sent: &[u8], now: u64) -> Option<PacketOutcome> {
        let Host { running, codec, value, settings, .. } = self;
        let id = origin.id;
        let running = running.as_ref()?;
        let (slot, is_complete) = (running.slot(id)?, running.is_value_complete());
        if slot.held.asks_scripts() {
            let arrived = running.arrived(origin, value.clone(), sent.to_vec())?;
            return Some(PacketOutcome::Unbuilt(Box::new(arrived)));
        }
        let form = if is_complete { CallForm::Judged(&slot.held) } else { CallForm::Schema(&slot.held) };
        match codec.get_or_insert_default().value(&Call { settings, form }, value) {
            Ok(built) => {
                let handler = slot.handler.clone();
                self.note_received(origin);
                Some(PacketOutcome::Value(id, built, handler))
            }
            Err(problem) => self.refuse_built(origin, sent, now, problem),
        }
    }

    /// Returns what happened to a peer beside any packet.
    pub(crate) fn event(&mut self) -> Option<PacketOutcome> {
        of_event(self.running()?.event()?)
    }

    /// Lends the codec for building a value: scripts may run meanwhile, and call this object.
    pub(crate) fn lend_codec(&mut self) -> Box<Codec> {
        self.codec.take().unwrap_or_default()
    }

    pub(crate) fn take_back(&mut self, codec: Box<Codec>) {
        self.codec = Some(codec);
    }

    /// Notes what became of a value that was built outside of the lock.
    pub(crate) fn settle(
        &mut self,
        arrived: &mut ArrivedValue,
        built: Result<Variant, Problem>,
        now: u64,
    ) -> Option<PacketOutcome> {
        match built {
            Ok(value) => {
                self.value = std::mem::take(&mut arrived.bytes);
                self.note_received(arrived.origin);
                Some(PacketOutcome::Value(arrived.origin.id, value, arrived.handler.clone()))
            }
            Err(problem) => self.refuse_built(arrived.origin, &arrived.sent, now, problem),
        }
    }

    fn note_received(&mut self, origin: Origin) {
        if self.watched.is_on {
            let Origin { peer, id, size, .. } = origin;
            let (name, bytes, reason) = (self.name(id).to_owned(), self.value.clone(), String::new());
            self.watched.note(1, || MessageRecord { name, is_sent: false, peer, size, bytes, reason });
        }
    }

    #[cold]
    fn refuse_built(
        &mut self,
        origin: Origin,
        sent: &[u8],
        now: u64,
        problem: Problem,
    ) -> Option<PacketOutcome> {
        let Origin { peer, id, is_state, .. } = origin;
        let protocol = self.running()?;
        let refusal = if is_state {
            // Its bits were judged already: it is a check of the game's own.
            protocol.report(peer, Some(id), Offence::Refused, now)
        } else {
            protocol.refuse_value(peer, id, sent, now)
        };
        if matches!(refusal.detail, Detail::Unfit(_)) {
            return Some(self.refused(refusal, sent, sent.len()));
        }
        let problem = errors::in_message(problem, self.name(id));
        self.note_refusal(&refusal, &problem, sent, sent.len());
        Some(PacketOutcome::Refused(refusal, problem))
    }

    fn refused(&mut self, refusal: Refusal, packet: &[u8], size: usize) -> PacketOutcome {
        let name = refusal.message.map(|id| self.name(id));
        let problem = of_refusal(&refusal, name);
        self.note_refusal(&refusal, &problem, packet, size);
        PacketOutcome::Refused(refusal, problem)
    }

    /// Notes a refusal that is worth telling: what is more than that is only counted.
    fn note_refusal(&mut self, refusal: &Refusal, problem: &Problem, bytes: &[u8], size: usize) {
        if refusal.tell && self.watched.is_on {
            let name = refusal.message.map_or_else(String::new, |id| self.name(id).to_owned());
            let (peer, bytes, reason) = (refusal.peer, bytes.to_vec(), problem.message().into_owned());
            self.watched.note(1, || MessageRecord { name, is_sent: false, peer, size, bytes, reason });
        }
    }
}

/// Reads an event of a peer, which is no message.
fn of_event(event: Event) -> Option<PacketOutcome> {
    Some(match event {
        Event::Greeted { peer } => PacketOutcome::Greeted(peer),
        Event::Mismatched { peer, mismatch } => {
            PacketOutcome::Mismatched(peer, mismatch.names().into_iter().map(str::to_owned).collect())
        }
        Event::Left { peer, reason, text } => PacketOutcome::Left(peer, reason, text),
        _ => return None,
    })
}

impl Running {
    /// Returns the value that came last, to be built outside of the lock.
    pub(super) fn arrived(&self, origin: Origin, bytes: Vec<u8>, sent: Vec<u8>) -> Option<ArrivedValue> {
        let slot = self.slot(origin.id)?;
        let (held, handler) = (Arc::clone(&slot.held), slot.handler.clone());
        Some(ArrivedValue { origin, bytes, sent, is_complete: self.is_value_complete(), held, handler })
    }
}

impl ArrivedValue {
    /// Builds the value, and judges it where its bits have not. Checks of the game's own run last.
    pub(crate) fn build(&self, codec: &mut Codec, settings: &Settings) -> Result<Variant, Problem> {
        let form = if self.is_complete { CallForm::Judged(&self.held) } else { CallForm::Schema(&self.held) };
        codec.value(&Call { settings, form }, &self.bytes)
    }
}
