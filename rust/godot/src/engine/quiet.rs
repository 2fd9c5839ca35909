//! Silences the few engine calls that print on values from bytes, or on peers, where nothing else can prevent
//! it.
//!
//! The engine has one switch for the whole process, so it is off only while a call here needs it. It is never
//! used for ordinary data: only for keys that are containers, one conversion of ENGINE strictness, and peers
//! at their end or before their first packet.

use std::sync::{Mutex, PoisonError};

use godot::classes::Engine;
use godot::obj::Singleton;

/// The number of calls in progress, and the state of the switch before the first.
static UNDER_WAY: Mutex<(usize, bool)> = Mutex::new((0, true));

/// Runs an engine call without its error messages.
pub(crate) fn quietly<R>(run: impl FnOnce() -> R) -> R {
    let silence = Silence::begin();
    let result = run();
    drop(silence);
    result
}

/// Ends the silence on drop, so that a panic cannot leave the engine mute.
struct Silence;

impl Silence {
    fn begin() -> Silence {
        let mut under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        if under_way.0 == 0 {
            let mut engine = Engine::singleton();
            under_way.1 = engine.is_printing_error_messages();
            engine.set_print_error_messages(false);
        }
        under_way.0 += 1;
        Silence
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        let mut under_way = UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.0 -= 1;
        if under_way.0 == 0 {
            Engine::singleton().set_print_error_messages(under_way.1);
        }
    }
}
