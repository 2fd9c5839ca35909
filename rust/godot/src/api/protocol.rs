//! `VariantProtocol`: the messages of a game, declared once, packed, checked and limited on their way. The work of a call is
//! in `protocol/`; what the network says of peers comes in through `protocol_wires.rs`.

use std::sync::{MutexGuard, OnceLock};
use std::time::Instant;

use godot::builtin::{
    AnyDictionary, Array, Callable, GString, PackedByteArray, PackedStringArray, StringName, VarDictionary,
};

use godot::classes::{IRefCounted, RefCounted};
use godot::global::{Error, push_error};
use godot::meta::ToGodot;
use godot::obj::{Base, Gd, WithBaseField};
use godot::register::{GodotClass, godot_api};
use variant_protocol::{Declared, Incoming, Mistake, Mistakes, Role, SERVER, Spec};
use variant_schema::Schema;

use super::error::build_errors;
use super::method_rows::methods;
use super::protocol_receiving::ProtocolState;
use super::schema::VariantSchema;
use super::tap;
use crate::call::problem::Problem;
use crate::protocol::wired::{Line, MultiplayerBinding, NetworkPlace};
use crate::protocol::{self, Host, PacketOutcome, handlers};
use crate::raw::any_thread::AnyThread;
use crate::raw::instance::Anchor;
use crate::raw::method::{HandRegistered, Method, Receiver};
use crate::raw::optional::Optional;

/// The messages of a game.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantProtocol {
    state: Anchor<ProtocolState>,
    base: Base<RefCounted>,
}

/// The state of a protocol object. The lock around it is never held while a script runs.
#[derive(Default)]
pub(super) struct Endpoint {
    pub(super) host: Host,
    pub(super) problem: Option<Problem>,
    pub(super) wired: Option<MultiplayerBinding>,
    /// Messages that came since the last tick, and may be read.
    pub(super) arrived: Vec<Arrival>,
    /// Peers of another version that ask to be let in, and when their connections end: our handshake has to reach them first.
    pub(super) turned_away: Vec<(i32, u64)>,
    /// The text that the other side gave when it sent this one away last.
    pub(super) last_words: Box<str>,
    pub(super) limits: Option<Gd<super::limits::VariantLimits>>,
    /// Takes packets to peers where the game carries them itself.
    pub(super) carrier: Option<Callable>,
}

/// A packet that came from the engine's network, until the next tick.
pub(super) enum Arrival {
    /// The budgets agree to it.
    Opened(i32, Incoming, PackedByteArray),
    /// It was refused without a look, and that is worth telling.
    Refused(i32, Box<PacketOutcome>),
}

#[godot_api]
impl IRefCounted for VariantProtocol {
    fn init(base: Base<RefCounted>) -> Self {
        let made = Self { state: Anchor::new(ProtocolState::default()), base };
        if tap::is_watched() {
            made.held().host.watched.is_on = true;
        }
        made
    }
}

// Every method takes `&self`: the state has its own lock, and gdext then never needs to bind exclusively.
#[godot_api]
impl VariantProtocol {
    #[signal]
    fn rejected(peer: i64, error: VarDictionary);

    #[signal]
    fn misbehaved(peer: i64, score: f64);

    #[signal]
    fn greeted(peer: i64);

    #[signal]
    fn left(peer: i64, reason: i64);

    #[signal]
    fn mismatched(peer: i64, names: PackedStringArray);

    #[func]
    fn add(
        &self,
        name: StringName,
        schema: Option<Gd<VariantSchema>>,
        #[opt(default = Optional::empty())] options: Optional<AnyDictionary>,
    ) -> Error {
        self.declare(&name, schema, |name, schema| {
            let mut declared = Declared::new(name, schema);
            protocol::options_of_message(&mut declared, &options.0).map(|()| declared)
        })
    }

    #[func]
    fn add_state(
        &self,
        name: StringName,
        schema: Option<Gd<VariantSchema>>,
        #[opt(default = Optional::empty())] options: Optional<AnyDictionary>,
    ) -> Error {
        self.declare(&name, schema, |name, schema| {
            let mut declared = Declared::state(name, schema);
            protocol::options_of_state(&mut declared, &options.0).map(|()| declared)
        })
    }

    #[func]
    fn reserve(&self, id: i64) {
        let mut held = self.held();
        match u16::try_from(id) {
            Ok(id) => held.host.spec.reserved.push(id),
            Err(_) => held.host.mistake(Mistake::of_whole(format!(
                "{id} cannot be reserved; ids go from 1 to {}",
                variant_protocol::LARGEST_ID
            ))),
        }
    }

    #[func]
    fn on(&self, name: StringName, handler: Callable) -> Error {
        let name = name.to_string();
        let why_not = if handler.is_null() { None } else { handlers::why_not(&handler) };
        let mut held = self.held();
        if !held.host.has(&name) {
            return held.note(Err(protocol::unknown_name(&name)));
        }
        if let Some(why) = why_not {
            let words = format!("on(): the handler of {name:?} cannot be called: {why}");
            return held.note(Err(protocol::wrong_option(&words)));
        }
        let before = held.host.on(name, handler);
        let code = held.note(Ok(()));
        drop(held);
        // Scripts may end with it, and those may ask this object.
        drop(before);
        code
    }

    #[func]
    fn hello(&self) -> PackedByteArray {
        let mut held = self.held();
        match held.host.protocol().map(|protocol| protocol.table().hello(1, 0)) {
            Ok(hello) => PackedByteArray::from(hello),
            Err(problem) => {
                held.note(Err(problem));
                PackedByteArray::new()
            }
        }
    }

    #[func]
    fn check_hello(&self, bytes: PackedByteArray) -> Error {
        let mut held = self.held();
        let checked = held.host.check_hello(bytes.as_slice());
        held.note(checked)
    }

    #[func]
    fn is_well_formed(&self) -> bool {
        self.held().host.mistakes().is_none()
    }

    #[func]
    fn get_build_errors(&self) -> Array<VarDictionary> {
        let mistakes = self.held().host.mistakes();
        build_errors(mistakes.as_ref())
    }

    #[func]
    fn get_hash(&self) -> i64 {
        let mut held = self.held();
        held.host.protocol().map_or(0, |protocol| protocol.table().hash().cast_signed())
    }

    #[func]
    fn to_json(&self) -> GString {
        self.held().host.spec.to_json().as_str().into()
    }

    #[func]
    fn to_markdown(&self) -> GString {
        self.held().host.spec.to_markdown().as_str().into()
    }

    #[func]
    fn from_json(text: GString) -> Gd<VariantProtocol> {
        let made = Gd::from_init_fn(Self::init);
        match Spec::from_json(&text.to_string()) {
            Ok(spec) => made.bind().held().host.declare_all(spec),
            Err(mistakes) => made.bind().held().host.mistake(mistakes),
        }
        made
    }

    #[func]
    fn get_error(&self) -> VarDictionary {
        self.held().problem.as_ref().map(Problem::to_dictionary).unwrap_or_default()
    }

    #[func]
    fn get_error_message(&self) -> GString {
        self.held().problem.as_ref().map(Problem::to_text).unwrap_or_default()
    }
}

impl Endpoint {
    /// Returns the way to the engine's network. The lock is not held while it is used: the engine emits signals.
    pub(super) fn line(&self) -> Option<Line> {
        self.wired.as_ref().map(|wired| wired.line.clone())
    }

    /// Returns the id that this side has among the players. 0: it is not known.
    pub(super) fn own_id(&self) -> i32 {
        match (self.host.role, self.wired.as_ref().and_then(|wired| wired.place)) {
            (Role::Server, _) => SERVER,
            (Role::Client, place) => place.map_or(0, NetworkPlace::id),
        }
    }

    /// Keeps how a call ended.
    pub(super) fn note(&mut self, outcome: Result<(), Problem>) -> Error {
        match outcome {
            Ok(()) => {
                self.problem = None;
                Error::OK
            }
            Err(problem) => {
                let code = problem.error;
                self.problem = Some(problem);
                code
            }
        }
    }
}

impl HandRegistered for VariantProtocol {
    type State = ProtocolState;
    const RECEIVER: Receiver<Self, ProtocolState> = Receiver::Object(VariantProtocol::anchor);
    const METHODS: &'static [Method<ProtocolState>] = methods! {
        receive("peer: int", "bytes: PackedByteArray") Code
            |protocol, given| protocol.receive(given[0], given[1]);
    };
}

impl VariantProtocol {
    /// Returns the state, which knows whose it is from here on.
    fn anchor(&self) -> &Anchor<ProtocolState> {
        self.state.state().object.get_or_init(|| self.to_gd().instance_id());
        &self.state
    }

    pub(super) fn state(&self) -> &ProtocolState {
        self.anchor().state()
    }

    pub(super) fn held(&self) -> MutexGuard<'_, AnyThread<Endpoint>> {
        self.state.state().held()
    }

    fn declare(
        &self,
        name: &StringName,
        schema: Option<Gd<VariantSchema>>,
        declare: impl FnOnce(&str, Schema) -> Result<Declared, String>,
    ) -> Error {
        let is_running = self.held().host.running().is_some();
        if is_running {
            return self.held().note(Err(protocol::in_use()));
        }
        let name = name.to_string();
        let given = schema.map(|schema| schema.bind().held());
        // The schema itself logs what contradicts itself: later, a lock is held.
        let is_told = given.as_ref().is_some_and(|given| given.program().is_err());
        let made = given
            .ok_or_else(|| "its schema is null".to_owned())
            .and_then(|given| declare(&name, given.schema.clone()).map(|declared| (declared, given)));
        let made = made.map_err(|words| Mistakes::from(Mistake::new(name, words)));
        let added = made.and_then(|(declared, given)| self.held().host.declare(declared, given));
        let Err(mistake) = added else { return self.held().note(Ok(())) };
        if !is_told {
            push_error(&[format!("VariantProtocol: {mistake}").to_variant()]);
        }
        let problem = protocol::not_well_formed(&mistake);
        let mut held = self.held();
        held.host.mistake(mistake);
        held.note(Err(problem))
    }
}

/// Reads a clock that never goes back, in microseconds since the first call. Asking the engine for its own takes longer than
/// all checks of a small packet.
pub(super) fn now() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let elapsed = BEGUN.get_or_init(Instant::now).elapsed();
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}
