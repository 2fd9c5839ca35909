//! The properties and statistics of `VariantProtocol`.

use godot::builtin::{Array, Callable, GString, StringName, VarDictionary, vdict};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::godot_api;
use variant_protocol::{Counts, LeaveReason, Offence, Protocol, Role};

use super::limits::VariantLimits;
use super::number::{EnumNumber, choices, saturated};
use super::property_argument::{PropertyArgument, PropertyValue, properties};
use super::protocol::{VariantProtocol, now};
use crate::call::codec::Rules;
use crate::call::settings::Settings;
use crate::protocol;

/// `VariantProtocol.Sender`.
pub(super) const SENDERS: [(&str, i64); 3] = [("CLIENT", 0), ("SERVER", 1), ("BOTH", 2)];
/// `VariantProtocol.Mode`, with the numbers of `MultiplayerPeer.TransferMode`.
pub(super) const MODES: [(&str, i64); 3] = [("UNRELIABLE", 0), ("UNRELIABLE_ORDERED", 1), ("RELIABLE", 2)];

/// `VariantProtocol.LeaveReason`, in the order of [`leave_reason`].
pub(super) const LEAVE_REASONS: [(&str, i64); 7] = [
    ("CLOSED", 0),
    ("TIMED_OUT", 1),
    ("THROWN_OUT", 2),
    ("KICKED", 3),
    ("OTHER_VERSION", 4),
    ("SILENT", 5),
    ("REJOINED", 6),
];

/// Returns the number of a reason in [`LEAVE_REASONS`].
pub(super) const fn leave_reason(reason: LeaveReason) -> i64 {
    match reason {
        LeaveReason::TimedOut => 1,
        LeaveReason::ThrownOut => 2,
        LeaveReason::Kicked => 3,
        LeaveReason::OtherVersion => 4,
        LeaveReason::Silent => 5,
        LeaveReason::Rejoined => 6,
        _ => 0,
    }
}

choices! {
    Role, "VariantProtocol.Role", "Server:0,Client:1" {
        Role::Server, 0, "ROLE_SERVER";
        Role::Client, 1, "ROLE_CLIENT";
    }
}

impl PropertyValue for VarDictionary {
    fn of(value: &godot::builtin::Variant) -> Result<Self, String> {
        value.try_to().map_err(|_| format!("expected Dictionary, got {}", value.get_type().godot_type_name()))
    }
}

impl PropertyValue for Callable {
    fn of(value: &godot::builtin::Variant) -> Result<Self, String> {
        value.try_to().map_err(|_| format!("expected Callable, got {}", value.get_type().godot_type_name()))
    }
}

#[godot_api(secondary)]
impl VariantProtocol {
    #[func]
    fn get_stats(&self) -> VarDictionary {
        let mut held = self.held();
        let counts = held.host.counts(None).unwrap_or_default();
        let mut stats = of_counts(&counts);
        let running = held.host.running();
        let (peers, kept) = running.map_or((0, 0), |protocol| (protocol.peer_count(), memory(protocol)));
        stats.set("handler_failed", saturated(held.host.failed_calls));
        stats.set("peers", saturated(peers));
        stats.set("memory_bytes", saturated(kept));
        stats
    }

    #[func]
    fn get_peer_stats(&self, peer: i64) -> VarDictionary {
        let Ok(peer) = i32::try_from(peer) else { return VarDictionary::new() };
        let mut held = self.held();
        let Some(counts) = held.host.counts(Some(peer)) else { return VarDictionary::new() };
        let mut stats = of_counts(&counts);
        if let Some(protocol) = held.host.running() {
            stats.set("score", protocol.score(peer, now()));
            stats.set("is_greeted", protocol.is_greeted(peer));
        }
        stats
    }

    #[func]
    fn get_state_info(&self, name: StringName, #[opt(default = 1)] peer: i64) -> VarDictionary {
        let Ok(peer) = i32::try_from(peer) else { return VarDictionary::new() };
        let mut held = self.held();
        let info = held.host.running().and_then(|protocol| {
            let id = protocol.table().id(&name.to_string())?;
            protocol.state_info(peer, id)
        });
        info.map_or_else(VarDictionary::new, |info| {
            vdict! {
                "newest" => i64::from(info.newest),
                "oldest" => i64::from(info.oldest),
                "parts" => i64::from(info.parts),
                "missing" => i64::from(info.missing),
            }
        })
    }

    #[func]
    fn get_peers(&self) -> Array<i64> {
        let mut held = self.held();
        let Some(protocol) = held.host.running() else { return Array::new() };
        let mut peers: Vec<i64> = protocol.listeners().map(i64::from).collect();
        peers.sort_unstable();
        peers.into_iter().collect()
    }

    #[func]
    fn get_last_words(&self) -> GString {
        (&*self.held().last_words).into()
    }

    #[func]
    fn get_full_policy(&self) -> VarDictionary {
        protocol::policy_of(&self.held().host.full_policy())
    }
}

properties! {
    VariantProtocol;
    protocol, protocol {
        get_role, set_role, "role": EnumNumber<Role> = Role, |protocol| EnumNumber(protocol.held().host.role),
            |protocol, role| {
                let mut held = protocol.held();
                let handshake = held.host.handshake;
                held.host.begin_as(role, handshake);
            };
        get_policy, set_policy, "policy": VarDictionary = VarDictionary,
            |protocol| protocol.held().host.policy.duplicate_deep(), |protocol, options| {
                let role = protocol.held().host.role;
                // What is wrong is put into words, and logged, while no lock is held: both can run scripts.
                match protocol::policy_for(role, &options) {
                    Ok(policy) => protocol.held().host.set_policy(options.duplicate_deep(), policy),
                    Err(words) => {
                        let message = format!("VariantProtocol.policy: {words}; it stays as it is");
                        godot::global::push_error(&[message.to_variant()]);
                    }
                }
            };
        get_limits, set_limits, "limits": Option<Gd<VariantLimits>> = Option<Gd<VariantLimits>>,
            |protocol| protocol.held().limits.clone(), |protocol, limits| {
                let settings = match &limits {
                    Some(limits) => Settings::new(Rules::safe(limits.bind().shared().get())),
                    None => protocol::NETWORK,
                };
                let before = {
                    let mut held = protocol.held();
                    held.host.set_settings(settings);
                    std::mem::replace(&mut held.limits, limits)
                };
                // A script may end with it, and ask this object: not under the lock.
                drop(before);
            };
        get_carrier, set_carrier, "carrier": Callable = Callable,
            |protocol| protocol.held().carrier.clone().unwrap_or_else(Callable::invalid), |protocol, carrier| {
                let carrier = (!carrier.is_null()).then_some(carrier);
                let before = std::mem::replace(&mut protocol.held().carrier, carrier);
                // As with limits.
                drop(before);
            };
    }
}

impl VariantProtocol {
    fn protocol<R>(&self, call: impl FnOnce(&Self) -> R) -> R {
        call(self)
    }
}

fn memory(protocol: &Protocol) -> usize {
    let structs = protocol.peer_count().saturating_mul(Protocol::peer_struct_bytes());
    protocol.kept_bytes().saturating_add(structs)
}

fn of_counts(counts: &Counts) -> VarDictionary {
    let mut refused = VarDictionary::new();
    for (offence, count) in Offence::ALL.into_iter().zip(counts.refused) {
        if count > 0 {
            refused.set(offence.name(), saturated(count));
        }
    }
    vdict! {
        "packets" => saturated(counts.packets),
        "bytes" => saturated(counts.bytes),
        "messages" => saturated(counts.messages),
        "late" => saturated(counts.late),
        "unhandled" => saturated(counts.unhandled),
        "rejected" => saturated(counts.all_refused()),
        "reasons" => &refused,
    }
}

/// The properties.
pub(super) fn register_properties() {
    VariantProtocol::register_table();
}
