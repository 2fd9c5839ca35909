//! Runs `VariantProtocol`: what the game declared, the state machine that is made of it at first use, and the values
//! on their way through it.
//!
//! The state machine is the crate `variant-protocol`'s; the class and its signals are `api/protocol.rs`'s.

mod arriving;
mod errors;
pub(crate) mod handlers;
mod options;
mod sending;
mod watched;
pub(crate) mod wired;

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use godot::builtin::{Callable, VarDictionary};
use variant_protocol::{
    Counts, Declared, Form, Handshake, Mistake, Mistakes, Policy, Protocol, Role, Sender, Spec,
};

pub(crate) use arriving::{ArrivedValue, PacketOutcome};
pub(crate) use errors::{
    in_use, no_way, not_reachable, not_taken, not_well_formed, of_mismatch, of_refusal, of_wrong_peer,
    unknown_name, wrong_option,
};
pub(crate) use options::{Options, options_of_message, options_of_state, policy_of};
pub(crate) use sending::{EncodedMessage, Packet, Peers, SendKind};

pub(crate) use watched::{MessageRecord, Traffic, TrafficLog};

use crate::call::codec::{Codec, Limits, Rules};
use crate::call::problem::Problem;
use crate::call::schema::BoundSchema;
use crate::call::settings::Settings;
use crate::raw::variant::CallTarget;

/// Values on the wire are held to this where the game set no limits.
pub(crate) const NETWORK: Settings = Settings::new(Rules::safe(Limits::network()));

/// Holds one protocol object's declarations, and its state machine once it runs.
pub(crate) struct Host {
    pub(crate) spec: Spec,
    /// The schemas as the game gave them, with checks of its own. By message, as in the spec.
    schemas: Vec<Arc<BoundSchema>>,
    mistakes: Option<Mistakes>,
    pub(crate) role: Role,
    pub(crate) handshake: Handshake,
    /// The policy as it was set: what it does not name depends on the side.
    pub(crate) policy: VarDictionary,
    pub(crate) settings: Settings,
    running: Option<Running>,
    /// By message; none where the game took it away.
    handlers: HashMap<String, Option<Callable>>,
    /// Handlers that could not be called, each time.
    pub(crate) failed_calls: u64,
    /// Builds and encodes values. It is lent while scripts may run, and then another is made where one is needed.
    codec: Option<Box<Codec>>,
    value: Vec<u8>,
    /// Keeps messages for the editor's panel.
    pub(crate) watched: TrafficLog,
}

/// Holds the state machine, and what belongs to each id.
struct Running {
    protocol: Protocol,
    /// By id, less one. Reserved ids have nothing.
    slots: Vec<Option<Slot>>,
    /// Whether its values are held to other limits than it was made with.
    has_other_limits: bool,
}

/// Holds what a message needs once it arrived.
struct Slot {
    held: Arc<BoundSchema>,
    handler: Option<Arc<CallTarget>>,
    /// Whether it was logged that the handler cannot be called.
    is_failure_told: bool,
    sender: Sender,
    /// Whether it goes to this side, too, where this side is one that it is for.
    is_local: bool,
    /// Whether the game took its handler away: then nobody is told that it has none.
    is_ignored: bool,
}

impl Running {
    fn slot(&self, id: u16) -> Option<&Slot> {
        self.slots.get(usize::from(id).checked_sub(1)?)?.as_ref()
    }

    /// Tells whether the value that came last may be built without another look.
    const fn is_value_complete(&self) -> bool {
        self.protocol.is_value_complete() && !self.has_other_limits
    }
}

impl Default for Host {
    fn default() -> Host {
        Host {
            spec: Spec::default(),
            schemas: Vec::new(),
            mistakes: None,
            role: Role::Server,
            handshake: Handshake::Hello,
            policy: VarDictionary::new(),
            settings: NETWORK,
            running: None,
            handlers: HashMap::new(),
            failed_calls: 0,
            codec: None,
            value: Vec::new(),
            watched: TrafficLog::default(),
        }
    }
}

/// Shares a handler, so that it can be called without the lock.
#[expect(
    clippy::arc_with_non_send_sync,
    reason = "calls of several threads take turns with a host, and count its handlers"
)]
fn shared(handler: &Callable) -> Arc<CallTarget> {
    Arc::new(handler.into())
}

impl Host {
    /// Adds a message; it refuses what no protocol can have.
    pub(crate) fn declare(&mut self, declared: Declared, held: Arc<BoundSchema>) -> Result<(), Mistakes> {
        let rules = *self.settings.rules();
        self.spec.add(declared, |_| form_of(Some(&held), &rules))?;
        self.schemas.push(held);
        Ok(())
    }

    pub(crate) fn declare_all(&mut self, spec: Spec) {
        self.schemas = spec.messages.iter().map(|it| Arc::new(BoundSchema::new(it.schema.clone()))).collect();
        self.spec = spec;
    }

    /// Keeps mistakes, so that they are told where somebody asks, and at first use.
    pub(crate) fn mistake(&mut self, mistakes: impl Into<Mistakes>) {
        Mistakes::add(&mut self.mistakes, mistakes);
    }

    /// Returns all that is wrong with the declarations, if something is.
    pub(crate) fn mistakes(&mut self) -> Option<Mistakes> {
        match self.mistakes.clone() {
            Some(found) => Mistakes::unless(Some(found), self.made().map(drop)).err(),
            None => self.run().err(),
        }
    }

    /// Sets the handler of a message. An empty one takes it away. Returns the one before: scripts may end with it, which has to
    /// happen outside of the lock.
    pub(crate) fn on(&mut self, name: String, handler: Callable) -> Option<Callable> {
        let handler = (!handler.is_null()).then_some(handler);
        if let Some(running) = &mut self.running
            && let Some(id) = running.protocol.table().id(&name)
            && let Some(Some(slot)) = running.slots.get_mut(usize::from(id).saturating_sub(1))
        {
            slot.handler = handler.as_ref().map(shared);
            slot.is_failure_told = false;
            slot.is_ignored = handler.is_none();
        }
        self.handlers.insert(name, handler).flatten()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.spec.messages.iter().any(|message| message.name == name)
    }

    /// Makes the state machine at first use.
    fn run(&mut self) -> Result<&mut Running, Mistakes> {
        if let Some(mistakes) = &self.mistakes {
            return Err(mistakes.clone());
        }
        if self.running.is_none() {
            self.running = Some(self.made()?);
        }
        self.running.as_mut().ok_or_else(|| Mistake::of_whole("it cannot run").into())
    }

    fn made(&self) -> Result<Running, Mistakes> {
        let mut schemas = self.schemas.iter();
        let rules = *self.settings.rules();
        let table = self.spec.table(|_| form_of(schemas.next(), &rules))?;
        let mut slots: Vec<Option<Slot>> = Vec::new();
        slots.resize_with(usize::from(table.largest_id()), || None);
        for (message, held) in self.spec.messages.iter().zip(&self.schemas) {
            let at = table.id(&message.name).and_then(|id| usize::from(id).checked_sub(1));
            if let Some(slot) = at.and_then(|at| slots.get_mut(at)) {
                let handler = self.handlers.get(&message.name);
                *slot = Some(Slot {
                    held: Arc::clone(held),
                    handler: handler.and_then(Option::as_ref).map(shared),
                    is_failure_told: false,
                    sender: message.sender,
                    is_local: message.local,
                    is_ignored: handler.is_some_and(Option::is_none),
                });
            }
        }
        let mut protocol = Protocol::new(table, self.role, self.handshake, self.full_policy(), seed());
        // Building judges, too.
        protocol.leave_judging();
        Ok(Running { protocol, slots, has_other_limits: false })
    }

    pub(crate) fn full_policy(&self) -> Policy {
        // It was read without a mistake when it was set.
        policy_for(self.role, &self.policy).unwrap_or_else(|_| default_policy(self.role))
    }

    /// Returns the state machine, unless the declarations have a mistake.
    pub(crate) fn protocol(&mut self) -> Result<&mut Protocol, Problem> {
        self.run().map(|running| &mut running.protocol).map_err(|mistake| not_well_formed(&mistake))
    }

    /// Returns the state machine if it runs already.
    pub(crate) fn running(&mut self) -> Option<&mut Protocol> {
        self.running.as_mut().map(|running| &mut running.protocol)
    }

    /// Changes side or handshake. Peers begin anew, with another handshake counts, too.
    pub(crate) fn begin_as(&mut self, role: Role, handshake: Handshake) {
        if self.handshake != handshake {
            self.handshake = handshake;
            self.running = None;
        }
        if self.role != role {
            self.begin_at(Some(role));
        }
    }

    /// Begins anew at another network, on this side of it, or where there is none. All peers leave.
    pub(crate) fn begin_at(&mut self, role: Option<Role>) {
        self.role = role.unwrap_or(self.role);
        let (role, policy) = (self.role, self.full_policy());
        if let Some(protocol) = self.running() {
            protocol.set_role(role, policy);
        }
    }

    /// Holds values to other limits, also while the protocol runs.
    pub(crate) fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
        if let Some(running) = &mut self.running {
            running.has_other_limits = true;
        }
    }

    /// Replaces the policy, also while the protocol runs. [`policy_for`] has read it.
    pub(crate) fn set_policy(&mut self, options: VarDictionary, policy: Policy) {
        self.policy = options;
        if let Some(protocol) = self.running() {
            protocol.set_policy(policy);
        }
    }

    pub(crate) fn name(&self, id: u16) -> &str {
        let table = self.running.as_ref().map(|running| running.protocol.table());
        table.and_then(|table| table.message(id)).map_or("", |message| &message.name)
    }

    /// Checks a handshake that the game carried itself.
    pub(crate) fn check_hello(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.protocol()?.check_hello(bytes).map_err(|mismatch| of_mismatch(&mismatch))
    }

    /// Takes the handshake of a peer, which the game carried itself.
    pub(crate) fn take_hello(&mut self, peer: i32, bytes: &[u8], now: u64) -> Result<(), Problem> {
        let taken = self.protocol()?.take_hello(peer, bytes, now);
        taken.map_err(|mismatch| of_mismatch(&mismatch))
    }

    pub(crate) fn counts(&mut self, peer: Option<i32>) -> Option<Counts> {
        let protocol = self.running()?;
        match peer {
            Some(peer) => protocol.peer_counts(peer),
            None => Some(protocol.counts()),
        }
    }
}

/// Makes the form of a message, or all that contradicts itself, or the part that cannot be packed.
fn form_of(held: Option<&Arc<BoundSchema>>, rules: &Rules) -> Result<Arc<Form>, Mistakes> {
    let held = held.ok_or_else(|| Mistake::of_whole("it has no schema"))?;
    // Nothing is logged here: the protocol is locked, and a game's own Logger may ask it.
    let program = held.quiet_program().map_err(Mistakes::clone)?;
    Ok(Arc::new(Form::new(Arc::clone(program), *rules)?))
}

/// Draws the number at which the numbers of this side's sessions begin.
fn seed() -> u64 {
    // The standard library seeds its hash tables at random.
    RandomState::new().build_hasher().finish()
}

/// Reads a policy: what is not named is the side's. The error is a sentence about the first option that is wrong. Making it can run
/// scripts, where an object is put into words.
pub(crate) fn policy_for(role: Role, options: &VarDictionary) -> Result<Policy, String> {
    options::policy(default_policy(role), options)
}

fn default_policy(role: Role) -> Policy {
    match role {
        Role::Server => Policy::default(),
        Role::Client => Policy::for_client(),
    }
}
