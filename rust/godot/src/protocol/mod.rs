//! Runs `VariantProtocol`: what the game declared, the state machine that is made of it at first use, and the values
//! on their way through it.
//!
//! The state machine is the crate `variant-protocol`'s; the class and its signals are `api/protocol.rs`'s.

mod arriving;
mod form;
mod given;
mod trouble;
mod watched;
pub(crate) mod wired;

use std::collections::HashMap;
use std::sync::Arc;

use godot::builtin::{Callable, PackedByteArray, VarDictionary, Variant};
use variant_protocol::{
    Counts, Declared, Handshake, Mismatch, Mode, Policy, Protocol, Role, SendError, Spec, TableError,
};

pub(crate) use arriving::{Arrived, Brought};
pub(crate) use given::{Given, milli_as_points, options, options_of_message, options_of_state, policy_of};
pub(crate) use trouble::{no_way, not_well_formed, of_mismatch, of_refusal, unknown_name, wrong_option};

pub(crate) use watched::{Seen, Traffic, Watched};

use crate::codec::{Codec, Dialect, Limits, Problem, Settings, Strictness};
use crate::schema::Held;

/// Values on the wire are held to this where the game set no limits.
pub(crate) const NETWORK: Settings = Settings::new(Strictness::Safe, Limits::network(), Dialect::Godot4);

/// Holds one protocol object's declarations, and its state machine once it runs.
pub(crate) struct Host {
    pub(crate) spec: Spec,
    /// The schemas as the game gave them, with checks of its own. By message, as in the spec.
    schemas: Vec<Arc<Held>>,
    /// The first mistake that a declaration made.
    mistake: Option<TableError>,
    pub(crate) role: Role,
    pub(crate) handshake: Handshake,
    /// The policy as it was set: what it does not name depends on the side.
    pub(crate) policy: VarDictionary,
    pub(crate) settings: Settings,
    running: Option<Running>,
    handlers: HashMap<String, Callable>,
    codec: Codec,
    value: Vec<u8>,
    /// Keeps messages for the editor's panel.
    pub(crate) watched: Watched,
}

/// Holds the state machine, and what belongs to each id.
struct Running {
    protocol: Protocol,
    /// By id, less one. Reserved ids have nothing.
    slots: Vec<Option<Slot>>,
}

/// Holds what a message needs once it arrived.
struct Slot {
    held: Arc<Held>,
    handler: Option<Callable>,
}

impl Running {
    fn slot(&self, id: u16) -> Option<&Slot> {
        self.slots.get(usize::from(id).checked_sub(1)?)?.as_ref()
    }
}

impl Default for Host {
    fn default() -> Host {
        Host {
            spec: Spec::default(),
            schemas: Vec::new(),
            mistake: None,
            role: Role::Server,
            handshake: Handshake::Hello,
            policy: VarDictionary::new(),
            settings: NETWORK,
            running: None,
            handlers: HashMap::new(),
            codec: Codec::new(),
            value: Vec::new(),
            watched: Watched::default(),
        }
    }
}

impl Host {
    /// Adds a message.
    ///
    /// # Errors
    /// The protocol runs already.
    pub(crate) fn declare(&mut self, declared: Declared, held: Arc<Held>) -> Result<(), Problem> {
        if self.running.is_some() {
            return Err(trouble::in_use());
        }
        self.spec.messages.push(declared);
        self.schemas.push(held);
        Ok(())
    }

    /// Declares all messages of a document.
    pub(crate) fn declare_all(&mut self, spec: Spec) {
        self.schemas = spec.messages.iter().map(|it| Arc::new(Held::new(it.schema.clone()))).collect();
        self.spec = spec;
    }

    /// Keeps a mistake, so that it is told where somebody asks, and at first use.
    pub(crate) fn mistake(&mut self, mistake: TableError) {
        self.mistake.get_or_insert(mistake);
    }

    /// Returns what is wrong with the declarations, if something is.
    pub(crate) fn build_error(&mut self) -> Option<TableError> {
        self.run().err()
    }

    /// Sets the handler of a message. An empty one takes it away.
    pub(crate) fn on(&mut self, name: String, handler: Callable) {
        let handler = (!handler.is_null()).then_some(handler);
        if let Some(running) = &mut self.running
            && let Some(id) = running.protocol.table().id(&name)
            && let Some(Some(slot)) = running.slots.get_mut(usize::from(id).saturating_sub(1))
        {
            slot.handler.clone_from(&handler);
        }
        match handler {
            Some(handler) => drop(self.handlers.insert(name, handler)),
            None => drop(self.handlers.remove(&name)),
        }
    }

    /// Tells whether a message of this name was declared.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.spec.messages.iter().any(|message| message.name == name)
    }

    /// Makes the state machine at first use.
    fn run(&mut self) -> Result<&mut Running, TableError> {
        if let Some(mistake) = &self.mistake {
            return Err(mistake.clone());
        }
        if self.running.is_none() {
            self.running = Some(self.made()?);
        }
        self.running
            .as_mut()
            .ok_or_else(|| TableError { message: "".into(), words: "it cannot run".to_owned() })
    }

    fn made(&self) -> Result<Running, TableError> {
        let mut schemas = self.schemas.iter();
        let rules = *self.settings.rules();
        let table = self.spec.table(|_| form::of(schemas.next(), &rules))?;
        let mut slots: Vec<Option<Slot>> = Vec::new();
        slots.resize_with(usize::from(table.largest_id()), || None);
        for (message, held) in self.spec.messages.iter().zip(&self.schemas) {
            let at = table.id(&message.name).and_then(|id| usize::from(id).checked_sub(1));
            if let Some(slot) = at.and_then(|at| slots.get_mut(at)) {
                let handler = self.handlers.get(&message.name).cloned();
                *slot = Some(Slot { held: Arc::clone(held), handler });
            }
        }
        let mut protocol = Protocol::new(table, self.role, self.handshake, self.full_policy());
        // Building judges, too.
        protocol.leave_judging();
        Ok(Running { protocol, slots })
    }

    /// Returns the policy in force.
    pub(crate) fn full_policy(&self) -> Policy {
        // It was read without a mistake when it was set.
        given::policy(self.default_policy(), &self.policy).unwrap_or_else(|_| self.default_policy())
    }

    fn default_policy(&self) -> Policy {
        match self.role {
            Role::Server => Policy::default(),
            Role::Client => Policy::for_client(),
        }
    }

    /// Returns the state machine.
    ///
    /// # Errors
    /// The declarations have a mistake.
    pub(crate) fn protocol(&mut self) -> Result<&mut Protocol, Problem> {
        self.run().map(|running| &mut running.protocol).map_err(|mistake| not_well_formed(&mistake))
    }

    /// Returns the state machine if it runs already.
    pub(crate) fn running(&mut self) -> Option<&mut Protocol> {
        self.running.as_mut().map(|running| &mut running.protocol)
    }

    /// Changes side or handshake. Peers and counts begin anew.
    pub(crate) fn begin_as(&mut self, role: Role, handshake: Handshake) {
        if (self.role, self.handshake) != (role, handshake) {
            (self.role, self.handshake) = (role, handshake);
            self.running = None;
        }
    }

    /// Replaces the policy, also while the protocol runs.
    ///
    /// # Errors
    /// A sentence about the first option that is wrong. The policy stays as it is then.
    pub(crate) fn set_policy(&mut self, options: &VarDictionary) -> Result<(), String> {
        let policy = given::policy(self.default_policy(), options)?;
        self.policy = options.duplicate_deep();
        if let Some(protocol) = self.running() {
            protocol.set_policy(policy);
        }
        Ok(())
    }

    /// Notes a message on its way out.
    fn note_sent(&mut self, name: &str, peers: &[i32], size: usize, value: &PackedByteArray) {
        let peer = if let [peer] = peers { *peer } else { 0 };
        self.watched.note(peers.len(), || {
            let (name, bytes) = (name.to_owned(), value.to_vec());
            Seen { name, is_sent: true, peer, size, bytes, reason: String::new() }
        });
    }

    /// Returns the name of a message.
    pub(crate) fn name(&self, id: u16) -> &str {
        let table = self.running.as_ref().map(|running| running.protocol.table());
        table.and_then(|table| table.message(id)).map_or("", |message| &message.name)
    }

    /// Returns the bytes of a value that the message's schema accepts, and the message's id.
    fn encoded(&mut self, name: &str, value: &Variant) -> Result<(u16, PackedByteArray), Problem> {
        let id = self.protocol()?.table().id(name).ok_or_else(|| unknown_name(name))?;
        let held =
            self.running.as_ref().and_then(|running| running.slot(id)).map(|slot| Arc::clone(&slot.held));
        let held = held.ok_or_else(|| unknown_name(name))?;
        let mut answer = Variant::nil();
        self.codec
            .encode_checked(&self.settings, &held, value, &mut answer)
            .map_err(|problem| trouble::in_message(problem, name))?;
        Ok((id, answer.try_to().unwrap_or_default()))
    }

    /// Makes the packet of one message. The game carries it, so nobody here knows to whom.
    pub(crate) fn encode(&mut self, name: &str, value: &Variant) -> Result<Vec<u8>, Problem> {
        let (_, packet, bytes) = self.packet(name, value)?;
        self.note_sent(name, &[0], packet.len(), &bytes);
        Ok(packet)
    }

    /// Makes the packets of one message, for each peer.
    pub(crate) fn send(&mut self, name: &str, value: &Variant, peers: Peers) -> Result<Vec<Packet>, Problem> {
        let (mode, packet, bytes) = self.packet(name, value)?;
        let peers = self.chosen(peers)?;
        self.note_sent(name, &peers, packet.len(), &bytes);
        Ok(peers.into_iter().map(|peer| (peer, packet.clone(), mode)).collect())
    }

    fn packet(&mut self, name: &str, value: &Variant) -> Result<(Mode, Vec<u8>, PackedByteArray), Problem> {
        let (id, bytes) = self.encoded(name, value)?;
        let mut packet = Vec::new();
        let mode = self.protocol()?.encode(id, bytes.as_slice(), &mut packet);
        Ok((mode.map_err(|error| trouble::of_send(&error, name))?, packet, bytes))
    }

    /// Lets a message wait for peers.
    pub(crate) fn queue(&mut self, name: &str, value: &Variant, peers: Peers) -> Result<(), Problem> {
        let (id, bytes) = self.encoded(name, value)?;
        let peers = self.chosen(peers)?;
        let queued = self.protocol()?.queue(id, bytes.as_slice(), &peers);
        let size = queued.map_err(|error| trouble::of_send(&error, name))?;
        self.note_sent(name, &peers, size, &bytes);
        Ok(())
    }

    /// Makes the packets of a state.
    pub(crate) fn state(
        &mut self,
        name: &str,
        value: &Variant,
        peers: Peers,
    ) -> (Vec<Packet>, Result<(), Problem>) {
        let mut packets = Vec::new();
        let made = self.state_into(name, value, peers, &mut packets);
        (packets, made)
    }

    fn state_into(
        &mut self,
        name: &str,
        value: &Variant,
        peers: Peers,
        packets: &mut Vec<Packet>,
    ) -> Result<(), Problem> {
        let (id, bytes) = self.encoded(name, value)?;
        let peers = self.chosen(peers)?;
        let mut carry = |peer, packet: &[u8], mode| packets.push((peer, packet.to_vec(), mode));
        let sent = self.protocol()?.send_state(id, bytes.as_slice(), &peers, &mut carry);
        // Each peer can get another difference; the panel is told of their mean.
        let size =
            packets.iter().map(|(_, packet, _)| packet.len()).sum::<usize>().checked_div(packets.len());
        self.note_sent(name, &peers, size.unwrap_or(0), &bytes);
        sent.map_err(|error: SendError| trouble::of_send(&error, name))
    }

    /// Returns the peers that are meant.
    pub(crate) fn chosen(&mut self, peers: Peers) -> Result<Vec<i32>, Problem> {
        let protocol = self.protocol()?;
        Ok(match peers {
            Peers::One(peer) => vec![peer],
            Peers::AllBut(left_out) => protocol.listeners().filter(|peer| Some(*peer) != left_out).collect(),
        })
    }

    /// Makes the packets that are due, of handshakes and acknowledgements and of all that waits.
    pub(crate) fn due(&mut self, now: Option<u64>) -> Vec<Packet> {
        let mut packets = Vec::new();
        let Some(protocol) = self.running() else { return packets };
        let mut carry = |peer, packet: &[u8], mode| packets.push((peer, packet.to_vec(), mode));
        match now {
            Some(now) => protocol.tick(now, &mut carry),
            None => protocol.flush(&mut carry),
        }
        packets
    }

    /// Checks a handshake that the game carried itself.
    pub(crate) fn check_hello(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.protocol()?.check_hello(bytes).map_err(|mismatch: Mismatch| of_mismatch(&mismatch))
    }

    /// Returns the counts of one peer, or of all.
    pub(crate) fn counts(&mut self, peer: Option<i32>) -> Option<Counts> {
        let protocol = self.running()?;
        match peer {
            Some(peer) => protocol.peer_counts(peer),
            None => Some(protocol.counts()),
        }
    }
}

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
