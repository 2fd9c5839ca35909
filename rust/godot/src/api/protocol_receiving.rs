//! Takes what a packet brought to the handlers and signals of a `VariantProtocol`. No lock is held while a script runs.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use godot::builtin::{GString, PackedStringArray, Variant};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use variant_protocol::{Incoming, LeaveReason, SERVER};

use super::protocol::{Arrival, Endpoint, VariantProtocol, now};
use super::protocol_facts::leave_reason;
use crate::call::decode::bytes_argument;
use crate::call::problem::Problem;
use crate::protocol::{ArrivedValue, EncodedMessage, PacketOutcome, handlers};
use crate::raw::any_thread::AnyThread;
use crate::raw::instance::State;
use crate::raw::variant::CallTarget;

/// Holds what a protocol object owns, apart from the object: calls from scripts find it without a lock.
#[derive(Default)]
pub(crate) struct ProtocolState {
    held: Mutex<AnyThread<Endpoint>>,
    /// The object that it belongs to, which emits the signals.
    pub(super) object: OnceLock<InstanceId>,
    /// The calls that can run scripts, which may let go of the object.
    at_work: AtomicU32,
}

impl State for ProtocolState {
    fn is_at_work(&self) -> bool {
        self.at_work.load(Ordering::Acquire) > 0
    }
}

/// A packet whose messages are told one after another.
struct OpenedPacket<'b> {
    peer: i32,
    bytes: &'b [u8],
    incoming: Incoming,
}

/// Counts a call that can run scripts, also one that a panic ends.
struct AtWork<'s>(&'s AtomicU32);

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl ProtocolState {
    pub(super) fn held(&self) -> MutexGuard<'_, AnyThread<Endpoint>> {
        // Only plain moves happen under this lock, so even after a panic what is inside is whole.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Receives a packet as scripts give it.
    pub(super) fn receive(&self, peer: &Variant, bytes: &Variant) -> Error {
        let Ok(peer) = peer.try_to::<i64>() else {
            return self.held().note(Err(wrong_peer(peer.get_type().godot_type_name())));
        };
        let bytes = match bytes_argument(bytes) {
            Ok(bytes) => bytes,
            Err(problem) => return self.held().note(Err(problem)),
        };
        match i32::try_from(peer) {
            Ok(peer) => self.take(peer, bytes.as_slice()),
            Err(_) => self.no_peer(peer),
        }
    }

    #[cold]
    pub(super) fn no_peer(&self, peer: i64) -> Error {
        self.held().note(Err(wrong_peer(&format!("int {peer}"))))
    }

    /// Emits a signal of the object, unless that is gone.
    fn emit(&self, signal: &str, given: &[Variant]) {
        let object = self.object.get().and_then(|id| Gd::<VariantProtocol>::try_from_instance_id(*id).ok());
        if let Some(mut object) = object {
            object.emit_signal(signal, given);
        }
    }

    /// Tells the game of a peer that went too far. It leaves with the next ticks.
    fn expel(&self, peer: i32, now: u64) {
        let score = {
            let mut held = self.held();
            held.host.running().map_or(0.0, |protocol| protocol.score(peer, now))
        };
        self.emit("misbehaved", &[peer.to_variant(), score.to_variant()]);
    }

    /// Receives a packet: calls handlers and emits signals while no lock is held.
    pub(super) fn take(&self, peer: i32, bytes: &[u8]) -> Error {
        self.at_work.fetch_add(1, Ordering::Acquire);
        let _at_work = AtWork(&self.at_work);
        let now = now();
        let opened = {
            let host = &mut self.held().host;
            host.open(peer, bytes, now)
                .map(|mut incoming| (host.next(peer, bytes, &mut incoming, now), incoming))
        };
        match opened {
            Ok((first, incoming)) => self.take_opened(OpenedPacket { peer, bytes, incoming }, first, now),
            Err(brought) => self.tell(peer, *brought, now).err().unwrap_or(Error::OK),
        }
    }

    /// Receives what came from the engine's network since the last tick.
    pub(super) fn take_arrived(&self) {
        let arrived = std::mem::take(&mut self.held().arrived);
        for arrival in arrived {
            match arrival {
                Arrival::Opened(peer, mut incoming, bytes) => {
                    let now = now();
                    let first = self.held().host.next(peer, bytes.as_slice(), &mut incoming, now);
                    let packet = OpenedPacket { peer, bytes: bytes.as_slice(), incoming };
                    self.take_opened(packet, first, now);
                }
                Arrival::Refused(peer, brought) => {
                    let _told = self.tell(peer, *brought, now());
                }
            }
        }
    }

    /// Gives states of several parts to their handlers: once, however many of their packets came since the last tick.
    pub(super) fn take_states(&self) {
        loop {
            let now = now();
            let state = self.held().host.next_state(now);
            let Some(state) = state else { return };
            let _told = self.tell(SERVER, state, now);
        }
    }

    /// Tells what happened to peers beside any packet.
    pub(super) fn take_events(&self) {
        loop {
            let event = self.held().host.event();
            let Some(event) = event else { return };
            let _told = self.tell(SERVER, event, now());
        }
    }

    /// Tells of all that a packet brought, of which the first is given.
    fn take_opened(&self, packet: OpenedPacket<'_>, first: Option<PacketOutcome>, now: u64) -> Error {
        let OpenedPacket { peer, bytes, mut incoming } = packet;
        let mut next = first;
        let mut code = Error::OK;
        while let Some(brought) = next {
            if let Err(refused) = self.tell(peer, brought, now)
                && code == Error::OK
            {
                code = refused;
            }
            next = if incoming.is_done() {
                None
            } else {
                self.held().host.next(peer, bytes, &mut incoming, now)
            };
        }
        if code == Error::OK {
            self.held().problem = None;
        }
        code
    }

    /// Tells the game what a packet brought.
    fn tell(&self, peer: i32, brought: PacketOutcome, now: u64) -> Result<(), Error> {
        match brought {
            PacketOutcome::Greeted(peer) => self.emit("greeted", &[peer.to_variant()]),
            PacketOutcome::Mismatched(peer, names) => {
                let names: PackedStringArray = names.iter().map(GString::from).collect();
                self.emit("mismatched", &[peer.to_variant(), names.to_variant()]);
            }
            PacketOutcome::Left(peer, reason, text) => self.tell_of_end(peer, reason, text),
            PacketOutcome::Value(id, value, handler) => self.hand_over(peer, id, &value, handler.as_deref()),
            PacketOutcome::Unbuilt(arrived) => return self.tell_unbuilt(peer, *arrived, now),
            PacketOutcome::Refused(refusal, problem) => {
                let dictionary = refusal.tell.then(|| problem.to_dictionary());
                let code = self.held().note(Err(problem));
                if let Some(dictionary) = dictionary {
                    self.emit("rejected", &[peer.to_variant(), dictionary.to_variant()]);
                }
                if refusal.expel {
                    self.expel(peer, now);
                }
                return Err(code);
            }
        }
        Ok(())
    }

    /// Gives a value to its handler, or notes why nobody got it.
    fn hand_over(&self, peer: i32, id: u16, value: &Variant, handler: Option<&CallTarget>) {
        let Some(handler) = handler else {
            let untold = self.held().host.note_unhandled(peer, id);
            if let Some(name) = untold {
                handlers::tell_of_none(&name);
            }
            return;
        };
        if let Err(why) = handlers::call(handler, peer, value) {
            let untold = self.held().host.note_failed_call(id);
            if let Some(name) = untold {
                handlers::tell(&name, handler, why);
            }
        }
    }

    /// Tells the game that a peer is gone, and ends its connection where that is for this side to do. The packet that says why to the other
    /// side went out a tick ago.
    fn tell_of_end(&self, peer: i32, reason: LeaveReason, text: Box<str>) {
        let line = {
            let mut held = self.held();
            held.last_words = text;
            held.line()
        };
        self.emit("left", &[peer.to_variant(), leave_reason(reason).to_variant()]);
        if let Some(mut line) = line.filter(|_| reason.must_close()) {
            line.disconnect(peer);
        }
    }

    /// Gives a value that this side sent to its own handler, as a receiver would have it.
    pub(super) fn hand_to_itself(&self, value: &EncodedMessage, own: i32) -> Result<(), Problem> {
        let (arrived, mut codec, settings) = {
            let host = &mut self.held().host;
            (host.received_here(value, own)?, host.lend_codec(), host.settings)
        };
        let built = arrived.build(&mut codec, &settings);
        self.held().host.take_back(codec);
        let (id, handler) = (arrived.origin.id, arrived.handler.clone());
        built.map(|value| self.hand_over(own, id, &value, handler.as_deref()))
    }

    /// Builds a value that a script has a say in, and tells the game of it.
    fn tell_unbuilt(&self, peer: i32, mut arrived: ArrivedValue, now: u64) -> Result<(), Error> {
        let (mut codec, settings) = {
            let mut held = self.held();
            (held.host.lend_codec(), held.host.settings)
        };
        let built = arrived.build(&mut codec, &settings);
        let mut held = self.held();
        held.host.take_back(codec);
        let problem = built.as_ref().err().cloned();
        match held.host.settle(&mut arrived, built, now) {
            Some(outcome) => {
                drop(held);
                self.tell(peer, outcome, now)
            }
            None => Err(held.note(Err(problem.unwrap_or_default()))),
        }
    }
}

#[cold]
fn wrong_peer(got: &str) -> Problem {
    Problem::wrong_type("peer", "the id of a peer, which has 31 bits", got)
}
