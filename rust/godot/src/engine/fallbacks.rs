//! Collects the fallbacks that the library uses in this engine, in words for people.

use std::sync::OnceLock;

use godot::classes::Os;
use godot::obj::Singleton;

use crate::engine::key_hashes;
use crate::raw::layout;

/// ProblemText in an engine with threads by a library that is built without them: calls from any other thread end the process.
/// `library_gate.gd` knows it by its first word.
const ONE_THREAD: &str = "threads: this library is built without them, so jobs end before their call returns";

/// The reason why the fast paths are off although the probes found everything, if there is one.
static WITHDRAWN: OnceLock<String> = OnceLock::new();

/// Turns the fast paths off for good, for this reason.
pub(crate) fn withdraw(reason: String) {
    layout::withdraw();
    WITHDRAWN.get_or_init(|| reason);
}

/// Returns everything that is done in a slower way, the most important first; empty in an engine without
/// fallbacks.
pub(crate) fn told() -> Vec<String> {
    let mut all: Vec<String> = WITHDRAWN.get().cloned().into_iter().collect();
    if all.is_empty() {
        all.extend(layout::missing().into_iter().map(|what| format!("official calls for {what}")));
    }
    let asked = key_hashes::asked();
    if !asked.is_empty() {
        all.push(format!("the engine's own hashes for keys of {}", asked.join(", ")));
    }
    if cfg!(not(feature = "threads")) && Os::singleton().has_feature("threads") {
        all.push(ONE_THREAD.to_owned());
    }
    all
}
