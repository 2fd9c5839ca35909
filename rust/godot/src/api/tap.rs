//! `VariantStream.tap`, and what codecs refuse: shows bytes of a running game in the editor's panel. Without a debugger it
//! does nothing.
//!
//! The bytes go through the engine's own debugger session. `editor/live_debugger.gd` of the addon reads them
//! there.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

use godot::builtin::{GString, PackedByteArray, StringName, VarArray, Variant, VariantType, varray};
use godot::classes::{Engine, Object, Time};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use godot::register::godot_api;

use super::number::saturated;
use super::stream::VariantStream;

/// The editor listens for everything under `variant_stream:`.
const TAP: &str = "variant_stream:tap";
const REFUSED: &str = "variant_stream:refused";
/// Bytes that one message carries. The debugger's peer drops messages over 8 MiB with an error in the log.
const MOST_BYTES: usize = 4 << 20;
/// Bytes of a refusal that one message carries.
const MOST_REFUSED_BYTES: usize = 1 << 16;
/// Refusals that are sent in a second, so that a flood of bad packets does not hold up the game or its debugger.
const MOST_REFUSALS: i64 = 50;
/// Characters of a label.
const MOST_CHARS: usize = 120;

#[godot_api(secondary)]
impl VariantStream {
    #[func]
    fn tap(bytes: Variant, label: Variant) {
        if !is_watched() || bytes.get_type() != VariantType::PACKED_BYTE_ARRAY {
            return;
        }
        let bytes: PackedByteArray = bytes.to();
        let label: GString = match label.get_type() {
            VariantType::STRING | VariantType::STRING_NAME => {
                let whole = label.stringify().to_string();
                whole.chars().take(MOST_CHARS).collect::<String>().as_str().into()
            }
            _ => GString::new(),
        };
        let (size, shown) = beginning(&bytes, MOST_BYTES);
        send(TAP, &varray![&label, size, &shown]);
    }
}

/// Shows bytes that a codec refused, with the reason.
pub(super) fn refused(bytes: &Variant, reason: &str) {
    if bytes.get_type() != VariantType::PACKED_BYTE_ARRAY || !has_room() {
        return;
    }
    let (size, shown) = beginning(&bytes.to(), MOST_REFUSED_BYTES);
    send(REFUSED, &varray!["VariantCodec", size, &shown, reason]);
}

/// How many bytes there are, and those that are sent.
fn beginning(bytes: &PackedByteArray, most: usize) -> (i64, PackedByteArray) {
    let shown = if bytes.len() > most { bytes.subarray(0..most) } else { bytes.clone() };
    (saturated(bytes.len()), shown)
}

/// Whether another refusal may be sent in this second. Threads that ask at the same moment may send one too many.
fn has_room() -> bool {
    static SECOND: AtomicI64 = AtomicI64::new(-1);
    static SENT: AtomicI64 = AtomicI64::new(0);
    let now = i64::try_from(Time::singleton().get_ticks_msec() / 1000).unwrap_or(0);
    if SECOND.swap(now, Ordering::Relaxed) != now {
        SENT.store(0, Ordering::Relaxed);
    }
    SENT.fetch_add(1, Ordering::Relaxed) < MOST_REFUSALS
}

/// Whether the game runs under a debugger. That is settled when the engine starts, before any extension is loaded.
pub(super) fn is_watched() -> bool {
    static IS_WATCHED: OnceLock<bool> = OnceLock::new();
    *IS_WATCHED
        .get_or_init(|| debugger().is_some_and(|mut debugger| debugger.call("is_active", &[]).booleanize()))
}

fn send(name: &str, message: &VarArray) {
    if let Some(mut debugger) = debugger() {
        debugger.call("send_message", &[name.to_variant(), message.to_variant()]);
    }
}

/// The engine's singleton; gdext's reduced set of classes does not name it.
fn debugger() -> Option<Gd<Object>> {
    Engine::singleton().get_singleton(&StringName::from("EngineDebugger"))
}
