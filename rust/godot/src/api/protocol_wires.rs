//! How a protocol hears of peers: from the engine's SceneMultiplayer, from a PacketPeer, or from the game itself.

use godot::builtin::{AnyDictionary, Callable, GString, PackedByteArray, Variant, VariantType};
use godot::classes::Object;
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId, WithBaseField};
use godot::register::godot_api;
use variant_protocol::{Handshake, LeaveReason, Role, SERVER};

use super::protocol::{Arrival, VariantProtocol, now};
use super::tap;
use crate::call::problem::Problem;
use crate::protocol::wired::{Line, MultiplayerBinding, NetworkPlace};
use crate::protocol::{self, Options};
use crate::raw::optional::Optional;

const OPTIONS: &[&str] = &["handshake", "relay", "prefix", "channel", "poll"];
const HANDSHAKES: &[&str] = &["hello", "auth", "none"];

/// How a protocol is tied to a multiplayer object.
struct Ways {
    handshake: &'static str,
    relay: bool,
    prefix: Option<u8>,
    channel: i64,
    polls: bool,
}

impl Ways {
    fn of(options: &AnyDictionary) -> Result<Ways, String> {
        let given = Options::new(options, OPTIONS)?;
        Ok(Ways {
            handshake: given.name("handshake", HANDSHAKES)?.unwrap_or("hello"),
            relay: given.flag("relay")?.unwrap_or(false),
            prefix: given.whole("prefix", 0..=255)?,
            channel: given.whole("channel", 0..=1 << 16)?.unwrap_or(0),
            polls: given.flag("poll")?.unwrap_or(true),
        })
    }
}

#[godot_api(secondary)]
impl VariantProtocol {
    #[func]
    fn attach(
        &self,
        multiplayer: Option<Gd<Object>>,
        #[opt(default = Optional::empty())] options: Optional<AnyDictionary>,
    ) -> Error {
        let attached = scene_multiplayer(multiplayer)
            .and_then(|object| {
                Ok((object, Ways::of(&options.0).map_err(|words| protocol::wrong_option(&words))?))
            })
            .and_then(|(object, ways)| self.attach_to(object, &ways));
        self.held().note(attached)
    }

    #[func]
    fn detach(&self) {
        let wired = {
            let mut held = self.held();
            if held.wired.is_some() {
                held.host.begin_at(None);
            }
            held.wired.take()
        };
        drop(wired);
        self.state().take_events();
    }

    #[func]
    fn connect_peer(&self, peer: i64) -> Error {
        let mut held = self.held();
        let connected = match i32::try_from(peer) {
            Ok(peer) => held
                .host
                .protocol()
                .and_then(|protocol| protocol.connect(peer, now()).map_err(protocol::of_wrong_peer)),
            Err(_) => Err(Problem::wrong_type("peer", "the id of a peer", "a larger int")),
        };
        held.note(connected)
    }

    #[func]
    fn forget_peer(&self, peer: i64) {
        if let (Ok(peer), Some(protocol)) = (i32::try_from(peer), self.held().host.running()) {
            protocol.leave(peer, LeaveReason::Closed);
        }
        self.state().take_events();
    }

    #[func]
    fn kick(&self, peer: i64, #[opt(default = "")] reason: GString) -> Error {
        let mut held = self.held();
        let there = i32::try_from(peer)
            .ok()
            .filter(|peer| held.host.running().is_some_and(|protocol| protocol.peer_counts(*peer).is_some()));
        let kicked = match (there, held.host.running()) {
            (Some(peer), Some(protocol)) => {
                protocol.kick(peer, &reason.to_string());
                Ok(())
            }
            _ => Err(protocol::not_reachable(peer)),
        };
        held.note(kicked)
    }

    #[func]
    fn greet_peer(&self, peer: i64) {
        if let (Ok(peer), Some(protocol)) = (i32::try_from(peer), self.held().host.running()) {
            protocol.greet(peer);
        }
        self.state().take_events();
    }

    #[func]
    fn poll_packet_peer(&self, peer: Option<Gd<Object>>, #[opt(default = 1)] id: i64) -> Error {
        let Some(mut peer) = peer.filter(|peer| peer.is_class("PacketPeer")) else {
            return self.held().note(Err(Problem::wrong_type("peer", "PacketPeer", "another value")));
        };
        let id = i32::try_from(id).unwrap_or(SERVER);
        let mut code = Error::OK;
        // What comes while handlers run waits for the next call: a flood does not hold up the frame.
        let waiting: i64 = peer.call("get_available_packet_count", &[]).try_to().unwrap_or(0);
        for _ in 0..waiting.min(MOST_PACKETS) {
            let sender = match peer.has_method("get_packet_peer") {
                true => peer.call("get_packet_peer", &[]).try_to().unwrap_or(id),
                false => id,
            };
            let packet: PackedByteArray = peer.call("get_packet", &[]).try_to().unwrap_or_default();
            let taken = self.state().take(sender, packet.as_slice());
            if code == Error::OK {
                code = taken;
            }
        }
        code
    }
}

/// The packets that one call of `poll_packet_peer()` takes.
const MOST_PACKETS: i64 = 4096;

/// The signals of the network that a protocol hears.
#[derive(Clone, Copy)]
enum NetworkSignal {
    Connected,
    Disconnected,
    Packet,
    Authenticating,
    Authenticated,
    Frame,
}

impl VariantProtocol {
    /// Lets the engine's network work, without a line in the log: it logs each call of an RPC that does not exist, and
    /// anybody can send one.
    pub(super) fn poll(&self) {
        let line = self.held().line();
        if let Some(mut line) = line {
            line.poll();
        }
    }

    /// Compares with the engine's list of peers, which tells more than its signals: of a peer that was disconnected on this side,
    /// and of all when the network changes, it emits none. Ends the connections of those that are out and still there.
    pub(super) fn compare(&self) {
        let wired = self.held().wired.as_ref().map(|wired| (wired.line.clone(), wired.place.is_some()));
        let Some((mut line, is_up)) = wired else { return };
        let there = if is_up { line.peers() } else { Vec::new() };
        let over = self.held().host.running().map(|protocol| protocol.compare(&there, now()));
        over.into_iter().flatten().for_each(|peer| line.disconnect(peer));
        let now = now();
        let late: Vec<i32> = {
            let mut held = self.held();
            held.turned_away.extract_if(.., |(_, until)| now >= *until).map(|(peer, _)| peer).collect()
        };
        late.into_iter().for_each(|peer| line.turn_away(peer));
    }

    /// Shows the editor's panel what came and went since the last tick. Without a debugger nothing was kept.
    pub(super) fn show(&self) {
        let (recent, traffic) = {
            let mut held = self.held();
            if !held.host.watched.is_on {
                return;
            }
            (held.host.watched.take_recent(), held.host.watched.take_traffic(now()))
        };
        recent.iter().for_each(tap::message);
        if let Some(traffic) = traffic {
            tap::traffic(&traffic);
        }
    }

    /// Takes the side that the multiplayer object is on. Its peer may have changed since the last call: another network, or
    /// none any more, is the end of all peers.
    pub(super) fn look(&self) {
        let wired = self.held().wired.as_ref().map(|wired| (wired.line.clone(), wired.place));
        let Some((mut line, before)) = wired else { return };
        let place = line.place();
        if place == before {
            return;
        }
        let quiets_relay = {
            let mut held = self.held();
            let Some(wired) = &mut held.wired else { return };
            wired.place = place;
            let relays = wired.relays;
            if place.zip(before).is_some_and(|(place, before)| place.is_still(before)) {
                return;
            }
            held.host.begin_at(place.map(side_of));
            !relays && place.is_some_and(NetworkPlace::is_server)
        };
        if quiets_relay {
            line.multiplayer.set("server_relay", &false.to_variant());
        }
    }

    fn attach_to(&self, multiplayer: Gd<Object>, ways: &Ways) -> Result<(), Problem> {
        let line = Line { multiplayer, prefix: ways.prefix, channel: ways.channel, polls: ways.polls };
        let own_id = self.to_gd().instance_id();
        if line.clashes(own_id) {
            return Err(protocol::wrong_option(CLASH));
        }
        if !line.has_root_path() {
            return Err(protocol::wrong_option(NO_ROOT_PATH));
        }
        // Whatever it was tied to is let go first, so that it does not undo what is tied now.
        self.detach();
        let mut wired = MultiplayerBinding::new(line);
        wired.relays = ways.relay;
        wired.claim(own_id);
        wired.place = wired.line.place();
        let peers = if wired.place.is_some() { wired.line.peers() } else { Vec::new() };
        {
            let mut held = self.held();
            let role = wired.place.map_or(held.host.role, side_of);
            let handshake = match ways.handshake {
                "hello" => Handshake::Hello,
                "auth" => Handshake::Auth,
                _ => Handshake::None,
            };
            held.host.begin_as(role, handshake);
            let protocol = held.host.protocol()?;
            // Those that may not come in go with the next tick.
            let _to_close = protocol.compare(&peers, now());
        }
        if !ways.relay && wired.place.is_some_and(NetworkPlace::is_server) {
            wired.line.multiplayer.set("server_relay", &false.to_variant());
        }
        wired.tie("peer_connected", self.hearing(NetworkSignal::Connected));
        wired.tie("peer_disconnected", self.hearing(NetworkSignal::Disconnected));
        wired.tie("peer_packet", self.hearing(NetworkSignal::Packet));
        if ways.handshake == "auth" {
            wired.tie("peer_authenticating", self.hearing(NetworkSignal::Authenticating));
            wired.tie("peer_authentication_failed", self.hearing(NetworkSignal::Disconnected));
            wired.tie_auth(&self.hearing(NetworkSignal::Authenticated));
        }
        wired.tie_frames(self.hearing(NetworkSignal::Frame));
        self.held().wired = Some(wired);
        Ok(())
    }

    /// Returns what a signal calls. It knows this object by its id alone, so that it does not keep it alive.
    fn hearing(&self, heard: NetworkSignal) -> Callable {
        let id = self.to_gd().instance_id();
        Callable::from_fn("VariantProtocol", move |given: &[&Variant]| {
            hear(id, heard, given);
            Variant::nil()
        })
    }

    fn hear(&self, heard: NetworkSignal, given: &[&Variant]) {
        let peer = given.first().and_then(|peer| peer.try_to::<i32>().ok());
        match (heard, peer) {
            (NetworkSignal::Frame, _) => {
                self.tick();
            }
            (NetworkSignal::Connected, Some(peer)) => {
                self.look();
                if let Ok(protocol) = self.held().host.protocol() {
                    // A peer that may not come in goes with the next tick.
                    let _ = protocol.connect(peer, now());
                }
            }
            (NetworkSignal::Disconnected, Some(peer)) => {
                if let Some(protocol) = self.held().host.running() {
                    protocol.leave(peer, LeaveReason::Closed);
                }
            }
            (NetworkSignal::Packet, Some(peer)) => self.hear_packet(peer, given.get(1)),
            (NetworkSignal::Authenticating, Some(peer)) => self.authenticate(peer, None),
            (NetworkSignal::Authenticated, Some(peer)) => self.authenticate(peer, given.get(1).copied()),
            (_, None) => {}
        }
    }

    fn hear_packet(&self, peer: i32, packet: Option<&&Variant>) {
        let Some(packet) = packet.filter(|packet| packet.get_type() == VariantType::PACKED_BYTE_ARRAY) else {
            return;
        };
        let packet: PackedByteArray = packet.to();
        let prefix = self.held().line().and_then(|line| line.prefix);
        let packet = match (prefix, packet.as_slice()) {
            (None, _) => packet,
            (Some(prefix), [first, ..]) if *first == prefix => packet.subarray(1..),
            // Somebody else's.
            (Some(_), _) => return,
        };
        let mut held = self.held();
        let arrival = match held.host.open(peer, packet.as_slice(), now()) {
            Ok(incoming) => Arrival::Opened(peer, incoming, packet),
            Err(brought) if brought.is_worth_telling() => Arrival::Refused(peer, brought),
            Err(_) => return,
        };
        held.arrived.push(arrival);
    }

    /// Sends our handshake to a peer that asks to be let in, or lets it in for its own.
    fn authenticate(&self, peer: i32, theirs: Option<&Variant>) {
        let answer = match theirs {
            None => {
                self.look();
                let mut held = self.held();
                let hello =
                    held.host.protocol().ok().and_then(|protocol| protocol.hello_to(peer, now()).ok());
                let hello = hello.unwrap_or_default();
                ("send_auth", vec![peer.to_variant(), PackedByteArray::from(hello).to_variant()])
            }
            Some(bytes) => {
                let bytes: PackedByteArray = bytes.try_to().unwrap_or_default();
                let mut held = self.held();
                let taken = held.host.take_hello(peer, bytes.as_slice(), now());
                let is_one_of_us = taken.is_ok();
                held.note(taken);
                if !is_one_of_us {
                    return held.turned_away.push((peer, now().saturating_add(TURNED_AWAY)));
                }
                ("complete_auth", vec![peer.to_variant()])
            }
        };
        let line = self.held().line();
        if let Some(mut line) = line {
            line.multiplayer.call(answer.0, &answer.1);
        }
    }
}

/// The time, in microseconds, in which our handshake reaches a peer of another version.
const TURNED_AWAY: u64 = 500_000;
const CLASH: &str = "another VariantProtocol is attached to this multiplayer object: give both the option \
    prefix, each another number, so that each knows its packets";
const NO_ROOT_PATH: &str = "the SceneMultiplayer has no root_path, and the engine gives it no packets without one: call \
    get_tree().set_multiplayer(it, path) first, or set root_path";

fn side_of(place: NetworkPlace) -> Role {
    if place.is_server() { Role::Server } else { Role::Client }
}

fn hear(id: InstanceId, heard: NetworkSignal, given: &[&Variant]) {
    if let Ok(protocol) = Gd::<VariantProtocol>::try_from_instance_id(id) {
        protocol.bind().hear(heard, given);
    }
}

/// Makes sure of a multiplayer object.
fn scene_multiplayer(object: Option<Gd<Object>>) -> Result<Gd<Object>, Problem> {
    let wrong = |got: &str| Problem::wrong_type("multiplayer", "SceneMultiplayer", got);
    match object {
        None => Err(wrong("null")),
        Some(object) if object.is_class("SceneMultiplayer") => Ok(object),
        Some(object) => Err(wrong(&object.get_class().to_string())),
    }
}
