//! Sends messages and states of a `VariantProtocol`, and does what is due once a frame. No lock is held while a script runs.

use godot::builtin::{Callable, PackedByteArray, StringName, Variant};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::register::godot_api;
use variant_protocol::{Mode, Protocol};

use super::protocol::{VariantProtocol, now};
use crate::call::problem::Problem;
use crate::protocol::wired::{Line, transfer_mode};
use crate::protocol::{self, EncodedMessage, Packet, Peers, SendKind};
use crate::raw::variant::call_all;

#[godot_api(secondary)]
impl VariantProtocol {
    #[func]
    fn send(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        self.send_by(&name, &value, peer, SendKind::Message)
    }

    #[func]
    fn send_state(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        self.send_by(&name, &value, peer, SendKind::State)
    }

    #[func]
    fn queue(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        self.send_by(&name, &value, peer, SendKind::Queued)
    }

    #[func]
    fn flush(&self) -> Error {
        self.look();
        let packets = self.held().host.due(now(), Protocol::flush);
        self.carry(packets, Peers::AllBut(None))
    }

    #[func]
    pub(super) fn tick(&self) -> Error {
        self.look();
        self.poll();
        self.state().take_arrived();
        self.state().take_states();
        self.compare();
        let packets = self.held().host.due(now(), Protocol::tick);
        let carried = self.carry(packets, Peers::AllBut(None));
        self.state().take_events();
        self.show();
        carried
    }

    #[func]
    fn encode(&self, name: StringName, value: Variant) -> PackedByteArray {
        self.look();
        let value = self.encoded(&name.to_string(), &value, Some(SendKind::Message));
        let made = value.and_then(|value| self.held().host.encode(&value));
        let mut held = self.held();
        match made {
            Ok(packet) => {
                held.note(Ok(()));
                PackedByteArray::from(packet)
            }
            Err(problem) => {
                held.note(Err(problem));
                PackedByteArray::new()
            }
        }
    }
}

impl VariantProtocol {
    /// Sends a message to others, to this side itself, or to both.
    fn send_by(&self, name: &StringName, value: &Variant, peer: i64, kind: SendKind) -> Error {
        let Some(peers) = Peers::of(peer) else { return self.state().no_peer(peer) };
        self.look();
        let name = name.to_string();
        let (own, is_alone) = {
            let mut held = self.held();
            let own = held.own_id();
            let is_meant = held.host.is_for_itself(&name, peers, own);
            (is_meant.then_some(own), is_meant && held.host.is_for_itself_alone(&name, peers))
        };
        let value = match self.encoded(&name, value, (!is_alone).then_some(kind)) {
            Ok(value) => value,
            Err(problem) => return self.held().note(Err(problem)),
        };
        let (mut code, mut made) = (Error::OK, Ok(()));
        if !is_alone {
            let sent = self.held().host.send(&value, kind, peers, now());
            code = self.carry(sent.packets, peers);
            made = sent.made;
        }
        if let (Some(own), Ok(())) = (own, &made) {
            made = self.state().hand_to_itself(&value, own);
        }
        match made {
            Ok(()) if code == Error::OK => self.held().note(Ok(())),
            Ok(()) => code,
            made => self.held().note(made),
        }
    }

    /// Encodes a value of a message, which can run scripts. `kind`: how it goes to others, if it does.
    fn encoded(
        &self,
        name: &str,
        value: &Variant,
        kind: Option<SendKind>,
    ) -> Result<EncodedMessage, Problem> {
        let mut encoding = {
            let host = &mut self.held().host;
            kind.map_or(Ok(()), |kind| host.may_send(name, kind))?;
            host.encoding(name)?
        };
        let encoded = encoding.encode(name.to_owned(), value);
        self.held().host.take_back(encoding.codec);
        encoded
    }

    /// Takes packets to their peers. A peer that is not there is an error where it alone was meant; from all others it parts with
    /// the next tick.
    pub(super) fn carry(&self, packets: Vec<Packet>, meant: Peers) -> Error {
        let (carrier, line) = {
            let held = self.held();
            (held.carrier.clone(), held.line())
        };
        let mut code = Error::OK;
        let mut way = PacketRoute::of(carrier, line);
        for (peer, packet, mode) in packets {
            let Err(why) = way.carry(peer, &packet, mode) else { continue };
            let mut held = self.held();
            if let Some(protocol) = held.host.running() {
                protocol.not_carried(peer, now());
            }
            let is_told = why.is_some() || matches!(meant, Peers::One(_));
            if code == Error::OK && is_told {
                code = held.note(Err(why.unwrap_or_else(|| protocol::not_reachable(peer))));
            }
        }
        if code == Error::OK {
            self.held().problem = None;
        }
        code
    }
}

/// Says how packets leave.
enum PacketRoute {
    Carrier(Callable),
    /// To these peers, which the engine reaches: it logs packets to others.
    Line(Line, Vec<i32>),
    Nowhere,
}

impl PacketRoute {
    fn of(carrier: Option<Callable>, line: Option<Line>) -> PacketRoute {
        match (carrier, line) {
            (Some(carrier), _) => PacketRoute::Carrier(carrier),
            (None, Some(mut line)) => {
                let peers = if line.place().is_some() { line.peers() } else { Vec::new() };
                PacketRoute::Line(line, peers)
            }
            (None, None) => PacketRoute::Nowhere,
        }
    }

    /// # Errors
    /// Why the packet did not leave; nothing where its peer is not there.
    fn carry(&mut self, peer: i32, packet: &[u8], mode: Mode) -> Result<(), Option<Problem>> {
        match self {
            PacketRoute::Carrier(carrier) => {
                let bytes = PackedByteArray::from(packet);
                let given = [peer.to_variant(), bytes.to_variant(), transfer_mode(mode).to_variant()];
                let why = match call_all(carrier, given.each_ref()).map(|answer| answer.try_to::<Error>()) {
                    // Most carriers answer nothing.
                    Ok(Err(_) | Ok(Error::OK)) => return Ok(()),
                    Ok(Ok(error)) => format!("it answered {error:?}"),
                    Err(_) => "it cannot be called with a peer, a PackedByteArray and a Mode".to_owned(),
                };
                Err(Some(protocol::not_taken("the carrier", peer, &why)))
            }
            PacketRoute::Line(_, peers) if !peers.contains(&peer) => Err(None),
            PacketRoute::Line(line, _) => match line.send(peer, packet, mode) {
                Error::OK => Ok(()),
                error => Err(Some(protocol::not_taken("the network", peer, &format!("{error:?}")))),
            },
            PacketRoute::Nowhere => Err(Some(protocol::no_way(peer))),
        }
    }
}
