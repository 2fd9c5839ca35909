//! `VariantStream.tap`: shows bytes of a running game in the editor's panel. Without a debugger it does nothing.
//!
//! The way is the engine's own debugger session. What arrives there is read by `editor/live_debugger.gd` of the addon.

use std::sync::OnceLock;

use godot::builtin::{GString, PackedByteArray, StringName, VarArray, Variant, VariantType, varray};
use godot::classes::{Engine, Object};
use godot::meta::ToGodot;
use godot::obj::{Gd, Singleton};
use godot::register::godot_api;

use super::number::saturated;
use super::stream::VariantStream;

/// What the editor listens for: everything under `variant_stream:`.
const MESSAGE: &str = "variant_stream:tap";
/// Bytes that one message carries. The debugger's peer drops messages over 8 MiB with an error in the log.
const MOST_BYTES: usize = 4 << 20;
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
        let size = bytes.len();
        let shown = if size > MOST_BYTES { bytes.subarray(0..MOST_BYTES) } else { bytes };
        let message = varray![&label, saturated(size), &shown];
        send(&message);
    }
}

/// Whether the game runs under a debugger. That is settled when the engine starts, before any extension is loaded.
fn is_watched() -> bool {
    static IS_WATCHED: OnceLock<bool> = OnceLock::new();
    *IS_WATCHED
        .get_or_init(|| debugger().is_some_and(|mut debugger| debugger.call("is_active", &[]).booleanize()))
}

fn send(message: &VarArray) {
    if let Some(mut debugger) = debugger() {
        debugger.call("send_message", &[MESSAGE.to_variant(), message.to_variant()]);
    }
}

/// The engine's singleton; gdext's reduced set of classes does not name it.
fn debugger() -> Option<Gd<Object>> {
    Engine::singleton().get_singleton(&StringName::from("EngineDebugger"))
}
