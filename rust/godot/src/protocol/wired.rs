//! Ties a protocol to the engine's SceneMultiplayer: its signals in, its packets out, one tick each frame. By name:
//! the binding needs no class of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::builtin::{Callable, NodePath, PackedByteArray, PackedInt32Array, Signal};
use godot::classes::{Engine, Object};
use godot::global::Error;
use godot::meta::ToGodot;
use godot::obj::{EngineEnum, Gd, InstanceId, Singleton};
use variant_protocol::Mode;

use crate::engine::names::{GET_CONNECTION_STATUS, GET_UNIQUE_ID};
use crate::engine::quiet::quietly;

/// The protocols that are tied to a multiplayer object, by that object and their prefix. Without prefixes, none of them can tell
/// its packets from those of another.
static TIED: Mutex<BTreeMap<(InstanceId, Option<u8>), InstanceId>> = Mutex::new(BTreeMap::new());

/// Says which network a multiplayer object is on: at another one, all begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NetworkPlace {
    /// The MultiplayerPeer.
    peer: InstanceId,
    /// The id of this side. 0 for one that is not known yet.
    id: i32,
}

impl NetworkPlace {
    pub(crate) const fn id(self) -> i32 {
        self.id
    }

    pub(crate) const fn is_server(self) -> bool {
        self.id == variant_protocol::SERVER
    }

    /// Tells whether this is the place that it was, at which this side may have got its id since.
    pub(crate) fn is_still(self, before: NetworkPlace) -> bool {
        self.peer == before.peer && (self.id == before.id || (before.id == 0 && !self.is_server()))
    }
}

/// How the engine carries packets: `MultiplayerPeer.TransferMode`.
pub(crate) const fn transfer_mode(mode: Mode) -> i64 {
    match mode {
        Mode::Unreliable => 0,
        Mode::UnreliableOrdered => 1,
        Mode::Reliable => 2,
    }
}

/// `MultiplayerPeer.CONNECTION_DISCONNECTED`.
const DISCONNECTED: i64 = 0;

/// Reaches the multiplayer object. It is cloned out of its lock before each call: the engine emits signals meanwhile.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) multiplayer: Gd<Object>,
    pub(crate) prefix: Option<u8>,
    pub(crate) channel: i64,
    /// Whether the multiplayer object is ours to poll.
    pub(crate) polls: bool,
}

fn tied() -> MutexGuard<'static, BTreeMap<(InstanceId, Option<u8>), InstanceId>> {
    TIED.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    /// Tells whether another protocol would take the packets that this one has to hear.
    pub(crate) fn clashes(&self, protocol: InstanceId) -> bool {
        let multiplayer = self.multiplayer.instance_id();
        let clashes = |other: Option<u8>| self.prefix.is_none() || other.is_none() || self.prefix == other;
        tied()
            .range((multiplayer, None)..=(multiplayer, Some(u8::MAX)))
            .any(|((_, other), owner)| *owner != protocol && clashes(*other))
    }

    /// Lets the multiplayer object work, if that is for us to do.
    pub(crate) fn poll(&mut self) {
        if self.polls && self.multiplayer.call("has_multiplayer_peer", &[]).booleanize() {
            quietly(|| self.multiplayer.call("poll", &[]));
        }
    }

    /// Returns where the multiplayer object is now, unless its peer is missing or closed. The engine logs questions about those.
    pub(crate) fn place(&mut self) -> Option<NetworkPlace> {
        let mut peer: Gd<Object> = self.multiplayer.get("multiplayer_peer").try_to().ok()?;
        let status: i64 = peer.call(&*GET_CONNECTION_STATUS, &[]).try_to().ok()?;
        if status == DISCONNECTED {
            return None;
        }
        let id = peer.call(&*GET_UNIQUE_ID, &[]).try_to().unwrap_or(0);
        Some(NetworkPlace { peer: peer.instance_id(), id })
    }

    /// Tells whether the multiplayer object has a path, without which the engine takes no packet of any kind.
    pub(crate) fn has_root_path(&self) -> bool {
        self.multiplayer.get("root_path").try_to::<NodePath>().is_ok_and(|path| !path.is_empty())
    }

    pub(crate) fn peers(&mut self) -> Vec<i32> {
        let peers: PackedInt32Array = self.multiplayer.call("get_peers", &[]).try_to().unwrap_or_default();
        peers.to_vec()
    }

    pub(crate) fn send(&mut self, peer: i32, packet: &[u8], mode: Mode) -> Error {
        let bytes: PackedByteArray = self.prefix.iter().chain(packet).copied().collect();
        let given = [
            bytes.to_variant(),
            peer.to_variant(),
            transfer_mode(mode).to_variant(),
            self.channel.to_variant(),
        ];
        let code = quietly(|| self.multiplayer.call("send_bytes", &given));
        code.try_to::<i64>()
            .ok()
            .and_then(|code| i32::try_from(code).ok())
            .map_or(Error::FAILED, Error::from_ord)
    }

    /// Ends the connection of a peer that asks to be let in, if it still does.
    pub(crate) fn turn_away(&mut self, peer: i32) {
        let asking = self.multiplayer.call("get_authenticating_peers", &[]);
        if asking.try_to::<PackedInt32Array>().is_ok_and(|asking| asking.as_slice().contains(&peer)) {
            quietly(|| self.multiplayer.call("disconnect_peer", &[peer.to_variant()]));
        }
    }

    /// Ends the connection of a peer, if it is still there.
    pub(crate) fn disconnect(&mut self, peer: i32) {
        if self.peers().contains(&peer) {
            self.multiplayer.call("disconnect_peer", &[peer.to_variant()]);
        }
    }
}

/// Holds what a protocol is tied to, and unties it at its end.
pub(crate) struct MultiplayerBinding {
    pub(crate) line: Line,
    /// Where the multiplayer object was when it was looked at last.
    pub(crate) place: Option<NetworkPlace>,
    /// Whether clients may send to each other through a server.
    pub(crate) relays: bool,
    /// The key of the tie in [`TIED`].
    tied: Option<(InstanceId, Option<u8>)>,
    ties: Vec<(Signal, Callable)>,
    /// The tree that polled the multiplayer object before.
    tree: Option<Gd<Object>>,
    has_auth: bool,
}

impl MultiplayerBinding {
    pub(crate) fn new(line: Line) -> MultiplayerBinding {
        let (place, tied, tree) = (None, None, None);
        MultiplayerBinding { line, place, relays: false, tied, ties: Vec::new(), tree, has_auth: false }
    }

    /// Claims the packets of the multiplayer object with this prefix for a protocol.
    pub(crate) fn claim(&mut self, protocol: InstanceId) {
        let key = (self.line.multiplayer.instance_id(), self.line.prefix);
        tied().insert(key, protocol);
        self.tied = Some(key);
    }

    pub(crate) fn tie(&mut self, signal: &str, call: Callable) {
        let signal = Signal::from_object_signal(&self.line.multiplayer, signal);
        self.tie_signal(signal, call);
    }

    /// Calls `call` once a frame, where the main loop is a scene tree. The tree does not poll meanwhile, if we do.
    pub(crate) fn tie_frames(&mut self, call: Callable) {
        let Some(mut tree) = tree() else { return };
        self.tie_signal(Signal::from_object_signal(&tree, "process_frame"), call);
        let own: Option<Gd<Object>> = tree.call("get_multiplayer", &[]).try_to().ok();
        let is_own = own.is_some_and(|own| own == self.line.multiplayer);
        if self.line.polls && is_own && tree.get("multiplayer_poll").booleanize() {
            tree.set("multiplayer_poll", &false.to_variant());
            self.tree = Some(tree);
        }
    }

    /// Calls `call` with the handshakes of peers that ask to be let in.
    pub(crate) fn tie_auth(&mut self, call: &Callable) {
        self.line.multiplayer.set("auth_callback", &call.to_variant());
        self.has_auth = true;
    }

    fn tie_signal(&mut self, signal: Signal, call: Callable) {
        signal.connect(&call);
        self.ties.push((signal, call));
    }
}

fn tree() -> Option<Gd<Object>> {
    let tree = Engine::singleton().get_main_loop().filter(|it| it.is_class("SceneTree"))?;
    Some(tree.upcast())
}

impl Drop for MultiplayerBinding {
    fn drop(&mut self) {
        if let Some(tied) = self.tied.take() {
            self::tied().remove(&tied);
        }
        for (signal, call) in &self.ties {
            // The object can be gone before us.
            if !signal.is_null() && signal.is_connected(call) {
                signal.disconnect(call);
            }
        }
        if let Some(tree) = &mut self.tree {
            tree.set("multiplayer_poll", &true.to_variant());
        }
        if self.has_auth {
            self.line.multiplayer.set("auth_callback", &Callable::invalid().to_variant());
        }
    }
}
