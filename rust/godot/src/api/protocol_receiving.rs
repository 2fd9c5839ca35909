//! Takes what a packet brought to the handlers and signals of a `VariantProtocol`. No lock is held while a script runs.

use godot::global::Error;
use godot::meta::ToGodot;
use variant_protocol::Incoming;

use super::protocol::{Arrival, VariantProtocol, now};
use crate::protocol::{Arrived, Brought};

impl VariantProtocol {
    /// Receives a packet: calls handlers and emits signals while no lock is held.
    pub(super) fn take(&self, peer: i32, bytes: &[u8]) -> Error {
        let now = now();
        let opened = {
            let host = &mut self.held().host;
            host.open(peer, bytes, now)
                .map(|mut incoming| (host.next(peer, bytes, &mut incoming, now), incoming))
        };
        match opened {
            Ok((first, incoming)) => self.take_opened(peer, (first, incoming), bytes, now),
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
                    self.take_opened(peer, (first, incoming), bytes.as_slice(), now);
                }
                Arrival::Refused(peer, brought) => {
                    let _told = self.tell(peer, *brought, now());
                }
            }
        }
    }

    /// Tells of all that a packet brought, of which the first is given.
    fn take_opened(
        &self,
        peer: i32,
        (mut next, mut incoming): (Option<Brought>, Incoming),
        bytes: &[u8],
        now: u64,
    ) -> Error {
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
    fn tell(&self, peer: i32, brought: Brought, now: u64) -> Result<(), Error> {
        match brought {
            Brought::Greeted => {
                self.emit("greeted", &[peer.to_variant()]);
                Ok(())
            }
            Brought::Value(value, handler) => {
                if let Some(handler) = handler {
                    handler.call(&[peer.to_variant(), value]);
                }
                Ok(())
            }
            Brought::Unbuilt(arrived) => self.tell_unbuilt(peer, *arrived, now),
            Brought::Refused(refusal, problem) => {
                let dictionary = refusal.tell.then(|| problem.to_dictionary());
                let code = self.held().note(Err(problem));
                if let Some(dictionary) = dictionary {
                    self.emit("rejected", &[peer.to_variant(), dictionary.to_variant()]);
                }
                if refusal.expel {
                    self.expel(peer, now);
                }
                Err(code)
            }
        }
    }

    /// Builds a value that a script has a say in, and tells the game of it.
    fn tell_unbuilt(&self, peer: i32, arrived: Arrived, now: u64) -> Result<(), Error> {
        let (mut codec, settings) = {
            let mut held = self.held();
            (held.host.lend_codec(), held.host.settings)
        };
        let built = arrived.build(&mut codec, &settings);
        let mut held = self.held();
        held.host.take_back(codec);
        let problem = match built {
            Ok(value) => {
                let handler = arrived.handler.clone();
                held.host.accept_value(arrived);
                drop(held);
                return self.tell(peer, Brought::Value(value, handler), now);
            }
            Err(problem) => problem,
        };
        match held.host.refuse_value(peer, &arrived, now, problem.clone()) {
            Some(refused) => {
                drop(held);
                self.tell(peer, refused, now)
            }
            None => Err(held.note(Err(problem))),
        }
    }
}
