//! `VariantStream.tap`, what codecs accept and refuse, what readers refuse, and the messages of protocols: shows bytes of a
//! running game in the editor's panel. Without a debugger it does nothing.
//!
//! The bytes go through the engine's own debugger session. `editor/live_debugger.gd` of the addon reads them
//! there.

use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering};

use godot::builtin::{
    GString, PackedByteArray, PackedInt64Array, StringName, VarArray, VarDictionary, Variant, VariantType,
    varray,
};
use godot::classes::{Engine, Object, Time};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};

use super::number::saturated;
use crate::protocol::{MessageRecord, Traffic};

/// The editor listens for everything under `variant_stream:`.
const TAP: &str = "variant_stream:tap";
const REFUSED: &str = "variant_stream:refused";
const ACCEPTED_MESSAGE: &str = "variant_stream:accepted";
const MESSAGE: &str = "variant_stream:message";
const TRAFFIC: &str = "variant_stream:traffic";
/// Bytes that one message carries. The debugger's peer drops messages over 8 MiB with an error in the log.
const MOST_BYTES: usize = 4 << 20;
/// Bytes that one message carries of what nobody handed to `tap()`.
const MOST_SHOWN_BYTES: usize = 1 << 16;
/// Refusals that are sent in a second, and messages of protocols, so that a flood of packets does not hold up the game or
/// its debugger.
const MOST_A_SECOND: i64 = 50;
/// Accepted bytes of codecs that are sent in a second: a sample, so that refusals stay in the list.
const MOST_ACCEPTED: i64 = 10;
static REFUSALS: SecondBudget = SecondBudget::new(MOST_A_SECOND);
static MESSAGES: SecondBudget = SecondBudget::new(MOST_A_SECOND);
static ACCEPTED: SecondBudget = SecondBudget::new(MOST_ACCEPTED);
/// Characters of a label.
const MOST_CHARS: usize = 120;

/// Shows bytes that somebody handed to `VariantStream.tap()`.
pub(super) fn handed(bytes: &Variant, label: &Variant) {
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

/// Shows bytes that an object of this class refused, with the reason.
pub(super) fn refused(class: &str, bytes: &PackedByteArray, reason: &str) {
    if REFUSALS.take() {
        let (size, shown) = beginning(bytes, MOST_SHOWN_BYTES);
        send(REFUSED, &varray![class, size, &shown, reason]);
    }
}

/// Shows bytes that a codec accepted. Out of line: without a debugger nobody comes here.
#[cold]
#[inline(never)]
pub(super) fn accepted(bytes: &Variant) {
    if let Some(bytes) = bytes.try_to().ok().filter(|_| ACCEPTED.take()) {
        let (size, shown) = beginning(&bytes, MOST_SHOWN_BYTES);
        send(ACCEPTED_MESSAGE, &varray!["VariantCodec", size, &shown]);
    }
}

/// Shows a message of a protocol: its name, whether it was sent, the peer (0 for several), its bytes on the wire, its value
/// or the packet that was refused, and the reason.
pub(super) fn message(seen: &MessageRecord) {
    if !MESSAGES.take() {
        return;
    }
    let shown: PackedByteArray = seen.bytes.iter().take(MOST_SHOWN_BYTES).copied().collect();
    let (name, reason) = (seen.name.as_str(), seen.reason.as_str());
    let all = saturated(seen.bytes.len());
    send(
        MESSAGE,
        &varray![name, seen.is_sent, i64::from(seen.peer), saturated(seen.size), all, &shown, reason],
    );
}

/// Shows the counts of a second: by name, the messages and bytes received, those sent, and what was refused.
pub(super) fn traffic(traffic: &BTreeMap<String, Traffic>) {
    let mut shown = VarDictionary::new();
    for (name, counts) in traffic {
        let Traffic { received, received_bytes, sent, sent_bytes, refused } = *counts;
        let numbers = [received, received_bytes, sent, sent_bytes, refused].map(saturated);
        shown.set(name.as_str(), &numbers.into_iter().collect::<PackedInt64Array>());
    }
    send(TRAFFIC, &varray![&shown]);
}

/// How many bytes there are, and those that are sent.
fn beginning(bytes: &PackedByteArray, most: usize) -> (i64, PackedByteArray) {
    let shown = if bytes.len() > most { bytes.subarray(0..most) } else { bytes.clone() };
    (saturated(bytes.len()), shown)
}

/// Counts what is sent in a second.
struct SecondBudget {
    most: i64,
    second: AtomicI64,
    sent: AtomicI64,
}

impl SecondBudget {
    const fn new(most: i64) -> SecondBudget {
        SecondBudget { most, second: AtomicI64::new(-1), sent: AtomicI64::new(0) }
    }

    /// Takes room for one more. Threads that ask at the same moment may send one too many.
    fn take(&self) -> bool {
        let now = i64::try_from(Time::singleton().get_ticks_msec() / 1000).unwrap_or(0);
        if self.second.swap(now, Ordering::Relaxed) != now {
            self.sent.store(0, Ordering::Relaxed);
        }
        self.sent.fetch_add(1, Ordering::Relaxed) < self.most
    }
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
