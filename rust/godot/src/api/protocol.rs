//! `VariantProtocol`: the messages of a game, declared once, packed, checked and limited on their way. The work of a call is
//! in `protocol/`; what the network says of peers comes in through `protocol_wires.rs`.

use std::sync::{MutexGuard, OnceLock};
use std::time::Instant;

use godot::builtin::{Callable, GString, PackedByteArray, StringName, VarDictionary, Variant, vdict};
use godot::classes::{IRefCounted, RefCounted};
use godot::global::{Error, push_error};
use godot::meta::ToGodot;
use godot::obj::{Base, Gd, WithBaseField};
use godot::register::{GodotClass, godot_api};
use variant_protocol::{Declared, Incoming, Mode, Spec, TableError};

use super::protocol_receiving::ProtocolState;
use super::schema::VariantSchema;
use super::tap;
use crate::codec::Problem;
use crate::protocol::wired::{Line, Wired, transfer_mode};
use crate::protocol::{self, Brought, Encoded, Host, Packet, Peers, handlers};
use crate::raw::any_thread::AnyThread;
use crate::raw::instance::Anchor;
use crate::raw::method::{Answer, HandRegistered, Method, Receiver, Returns};
use crate::raw::optional::Optional;
use crate::raw::variant::call_all;

/// The messages of a game.
#[derive(GodotClass)]
#[class(tool, base = RefCounted)]
pub struct VariantProtocol {
    state: Anchor<ProtocolState>,
    base: Base<RefCounted>,
}

/// The state of a protocol object. The lock around it is never held while a script runs.
#[derive(Default)]
pub(super) struct Held {
    pub(super) host: Host,
    pub(super) problem: Option<Problem>,
    pub(super) wired: Option<Wired>,
    /// Messages that came since the last tick, and may be read.
    pub(super) arrived: Vec<Arrival>,
    /// Peers that went too far, until their connections are ended.
    pub(super) leaving: Vec<i32>,
    pub(super) limits: Option<Gd<super::limits::VariantLimits>>,
    /// Takes packets to peers where the game carries them itself.
    pub(super) carrier: Option<Callable>,
}

/// Makes a message or a state with its defaults.
type MakeDeclared = fn(&str, variant_schema::Schema) -> Declared;
/// Reads the options of a script into it.
type ReadOptions = fn(&mut Declared, &VarDictionary) -> Result<(), String>;

/// A packet that came from the engine's network, until the next tick.
pub(super) enum Arrival {
    /// The budgets agree to it.
    Opened(i32, Incoming, PackedByteArray),
    /// It was refused without a look, and that is worth telling.
    Refused(i32, Box<Brought>),
}

#[godot_api]
impl IRefCounted for VariantProtocol {
    fn init(base: Base<RefCounted>) -> Self {
        let made = Self { state: Anchor::new(ProtocolState::default()), base };
        if tap::is_watched() {
            made.held().host.watched.turn_on();
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

    #[func]
    fn add(
        &self,
        name: StringName,
        schema: Option<Gd<VariantSchema>>,
        #[opt(default = Optional::null())] options: Optional,
    ) -> Error {
        self.declare(&name, schema, &options.0, (Declared::new, protocol::options_of_message))
    }

    #[func]
    fn add_state(
        &self,
        name: StringName,
        schema: Option<Gd<VariantSchema>>,
        #[opt(default = Optional::null())] options: Optional,
    ) -> Error {
        self.declare(&name, schema, &options.0, (Declared::state, protocol::options_of_state))
    }

    #[func]
    fn reserve(&self, id: i64) {
        let mut held = self.held();
        match u16::try_from(id) {
            Ok(id) => held.host.spec.reserved.push(id),
            Err(_) => held.host.mistake(TableError {
                message: "".into(),
                words: format!("{id} cannot be reserved; ids go from 1 to {}", variant_protocol::LARGEST_ID),
            }),
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
    fn send(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        let Some(peers) = Peers::of(peer) else { return self.state().no_peer(peer) };
        let made = self.encoded(&name, &value).and_then(|value| self.held().host.send(&value, peers));
        match made {
            Ok(packets) => self.carry(packets, peers),
            Err(problem) => self.held().note(Err(problem)),
        }
    }

    #[func]
    fn send_state(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        let Some(peers) = Peers::of(peer) else { return self.state().no_peer(peer) };
        let value = match self.encoded(&name, &value) {
            Ok(value) => value,
            Err(problem) => return self.held().note(Err(problem)),
        };
        let (packets, made) = self.held().host.state(&value, peers);
        let carried = self.carry(packets, peers);
        match made {
            Ok(()) => carried,
            made => self.held().note(made),
        }
    }

    #[func]
    fn queue(&self, name: StringName, value: Variant, #[opt(default = 0)] peer: i64) -> Error {
        let Some(peers) = Peers::of(peer) else { return self.state().no_peer(peer) };
        let queued = self.encoded(&name, &value).and_then(|value| self.held().host.queue(&value, peers));
        self.held().note(queued)
    }

    #[func]
    fn flush(&self) -> Error {
        self.look();
        let packets = self.held().host.due(None);
        self.carry(packets, Peers::AllBut(None))
    }

    #[func]
    pub(super) fn tick(&self) -> Error {
        self.look();
        self.poll();
        self.state().take_arrived();
        self.part();
        let packets = self.held().host.due(Some(now()));
        let carried = self.carry(packets, Peers::AllBut(None));
        self.show();
        carried
    }

    #[func]
    fn encode(&self, name: StringName, value: Variant) -> PackedByteArray {
        let made = self.encoded(&name, &value).and_then(|value| self.held().host.encode(&value));
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

    #[func]
    fn hello(&self) -> PackedByteArray {
        let mut held = self.held();
        match held.host.protocol().map(|protocol| protocol.hello()) {
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
        self.held().host.build_error().is_none()
    }

    #[func]
    fn get_build_error(&self) -> VarDictionary {
        match self.held().host.build_error() {
            Some(error) => vdict! { "message_name" => &*error.message, "message" => error.to_string() },
            None => VarDictionary::new(),
        }
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
            Err(mistake) => made.bind().held().host.mistake(mistake),
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

impl Held {
    /// Returns the way to the engine's network. The lock is not held while it is used: the engine emits signals.
    pub(super) fn line(&self) -> Option<Line> {
        self.wired.as_ref().map(|wired| wired.line.clone())
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
    const METHODS: &'static [Method<ProtocolState>] = &[Method {
        name: "receive",
        arguments: &["peer: int", "bytes: PackedByteArray"],
        optional: 0,
        returns: Returns::Code,
        run: |protocol, given| Answer::Code(protocol.receive(given[0], given[1])),
    }];
}

impl VariantProtocol {
    /// Returns the state, which knows whose it is from here on.
    fn anchor(&self) -> &Anchor<ProtocolState> {
        self.state.state().belongs_to(|| self.to_gd().instance_id());
        &self.state
    }

    pub(super) fn state(&self) -> &ProtocolState {
        self.anchor().state()
    }

    pub(super) fn held(&self) -> MutexGuard<'_, AnyThread<Held>> {
        self.state.state().held()
    }

    /// Encodes a value of a message, which can run scripts.
    fn encoded(&self, name: &StringName, value: &Variant) -> Result<Encoded, Problem> {
        self.look();
        let name = name.to_string();
        let mut encoding = self.held().host.encoding(&name)?;
        let encoded = encoding.encode(name, value);
        self.held().host.take_back(encoding.codec);
        encoded
    }

    fn declare(
        &self,
        name: &StringName,
        schema: Option<Gd<VariantSchema>>,
        options: &Variant,
        (make, read): (MakeDeclared, ReadOptions),
    ) -> Error {
        let name = name.to_string();
        let given = schema.map(|schema| schema.bind().held());
        let made = given.ok_or_else(|| "its schema is null".to_owned()).and_then(|given| {
            let mut declared = make(&name, given.schema.clone());
            read(&mut declared, &protocol::options(options)?)?;
            // It logs here what contradicts itself: later, a lock is held.
            let _told = given.program();
            Ok((declared, given))
        });
        let mut held = self.held();
        match made {
            Ok((declared, given)) => {
                let declared = held.host.declare(declared, given);
                held.note(declared)
            }
            Err(words) => {
                let mistake = TableError { message: name.into(), words };
                push_error(&[format!("VariantProtocol: {mistake}").to_variant()]);
                let problem = protocol::not_well_formed(&mistake);
                held.host.mistake(mistake);
                held.note(Err(problem))
            }
        }
    }

    /// Takes packets to their peers. A peer that is not there is an error where it alone was meant; from all others it parts with
    /// the next tick.
    pub(super) fn carry(&self, packets: Vec<Packet>, meant: Peers) -> Error {
        let (carrier, line) = {
            let held = self.held();
            (held.carrier.clone(), held.line())
        };
        let mut code = Error::OK;
        let mut way = Way::of(carrier, line);
        for (peer, packet, mode) in packets {
            match way.carry(peer, &packet, mode) {
                Err(Some(problem)) if code == Error::OK => code = self.held().note(Err(problem)),
                Err(None) if code == Error::OK && matches!(meant, Peers::One(_)) => {
                    code = self.held().note(Err(protocol::not_reachable(peer)));
                }
                _ => {}
            }
        }
        if code == Error::OK {
            self.held().problem = None;
        }
        code
    }
}

/// Says how packets leave.
enum Way {
    Carrier(Callable),
    /// To these peers, which the engine reaches: it logs packets to others.
    Line(Line, Vec<i32>),
    Nowhere,
}

impl Way {
    fn of(carrier: Option<Callable>, line: Option<Line>) -> Way {
        match (carrier, line) {
            (Some(carrier), _) => Way::Carrier(carrier),
            (None, Some(mut line)) => {
                let peers = if line.place().is_some() { line.peers() } else { Vec::new() };
                Way::Line(line, peers)
            }
            (None, None) => Way::Nowhere,
        }
    }

    /// # Errors
    /// Why the packet did not leave; nothing where its peer is not there.
    fn carry(&mut self, peer: i32, packet: &[u8], mode: Mode) -> Result<(), Option<Problem>> {
        match self {
            Way::Carrier(carrier) => {
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
            Way::Line(_, peers) if !peers.contains(&peer) => Err(None),
            Way::Line(line, _) => match line.send(peer, packet, mode) {
                Error::OK => Ok(()),
                error => Err(Some(protocol::not_taken("the network", peer, &format!("{error:?}")))),
            },
            Way::Nowhere => Err(Some(protocol::no_way(peer))),
        }
    }
}

/// Reads a clock that never goes back, in microseconds since the first call. Asking the engine for its own takes longer than
/// all checks of a small packet.
pub(super) fn now() -> u64 {
    static BEGUN: OnceLock<Instant> = OnceLock::new();
    let elapsed = BEGUN.get_or_init(Instant::now).elapsed();
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}
